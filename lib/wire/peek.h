/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_PEEK_H
#define NDPDK_WIRE_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#include "base/assert.h"
#include "base/be.h"
#include "wire/header.h"

/*
 * wire_peek_home_qpn() has a fast path for the most frequent layout. The fast path accepts only
 * this layout, with the same result as the slow path (the ladder). Builds with assertions compare
 * both.
 */

/** wire_peek_home_qpn() without its fast path, which is tested against this function. */
bool wire_peek_ladder(const struct rte_mbuf *mbuf, uint32_t *qpn);

/**
 * Fast path: find the destination QP in an untagged, unfragmented frame of IPv4 without options,
 * with all headers in the first segment.
 * @return false if the frame has a different layout
 */
static inline bool
wire_peek_usual(const struct rte_mbuf *mbuf, uint32_t *qpn)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	const uint8_t *ip = frame + sizeof(struct rte_ether_hdr);
	const uint8_t *udp = ip + sizeof(struct rte_ipv4_hdr);
	const uint8_t *bth = udp + sizeof(struct rte_udp_hdr);

	if (rte_pktmbuf_data_len(mbuf) < (size_t)(bth - frame) + sizeof(struct wire_bth))
		return false;
	/*
	 * These fields are compared at once: ethertype, version, header length | fragment field,
	 * protocol | destination port.
	 */
	if (((be_load32(ip - 2) ^ (RTE_ETHER_TYPE_IPV4 << 16 | RTE_IPV4_VHL_DEF << 8)) &
		    0xFFFFFF00) |
		((be_load32(ip + 6) ^ IPPROTO_UDP) & 0x3FFF00FF) |
		(be_load16(udp + 2) ^ WIRE_UDP_PORT) |
		(mbuf->ol_flags & RTE_MBUF_F_RX_QINQ_STRIPPED))
		return false;
	/* The load begins with the reserved byte before dest_qp. */
	*qpn = be_load32(bth + offsetof(struct wire_bth, dest_qp) - 1) & WIRE_QPN_MASK;
	return true;
}

/**
 * Read the destination QP of an unverified frame, to select the engine that parses it. Do not use
 * the result for any other purpose, because only wire_parse() checks checksums, lengths, addresses
 * and ICRC.
 *
 * For each frame that wire_parse() accepts, the result is the QP that wire_parse() returns.
 *
 * @param mbuf frame as for wire_parse(); borrowed, not changed
 * @param qpn written only if the result is true: 24 bits
 * @return false if the frame is not UDP to port 4791 over IPv4 or IPv6, is a fragment, has an IPv6
 *         extension header or more than one VLAN tag, or ends before the end of its BTH
 */
static inline bool
wire_peek_home_qpn(const struct rte_mbuf *mbuf, uint32_t *qpn)
{
	uint32_t other;

	if (unlikely(!wire_peek_usual(mbuf, qpn)))
		return wire_peek_ladder(mbuf, qpn);
	BASE_ASSERT(wire_peek_ladder(mbuf, &other) && other == *qpn);
	return true;
}

#endif
