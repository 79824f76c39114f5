/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_PEEK_H
#define NDPDK_WIRE_PEEK_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

/**
 * Read the destination QP of a frame that nobody has verified yet, to decide which engine parses
 * it. Nothing else may depend on it: checksums, lengths, addresses and ICRC are left to
 * wire_parse().
 *
 * Every frame that wire_parse() accepts has a destination QP here, and the same one.
 *
 * @param mbuf frame as for wire_parse(); borrowed, not changed
 * @param qpn written only when true is returned: 24 bits
 * @return false: not UDP to port 4791 over IPv4 or IPv6, a fragment, an IPv6 extension header, more
 *         than one VLAN tag, or the frame ends before its BTH does
 */
bool wire_peek_home_qpn(const struct rte_mbuf *mbuf, uint32_t *qpn);

#endif
