/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_PARSE_USUAL_H
#define NDPDK_WIRE_PARSE_USUAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "wire/parse.h"

/*
 * The fast path of wire_parse(). It can only accept: what it accepts, the ladder of parse.c accepts
 * with the same view, and whatever it does not recognise at once, right or wrong, is left to the
 * ladder, which finds the reason. Builds with assertions ask the ladder about every packet that is
 * accepted here.
 */

/**
 * Accept the packet that most senders send: untagged, in one segment, IPv4 without options, UDP
 * checksum 0, a known opcode of the RC transport, no FECN or BECN, and a right ICRC.
 *
 * @return true: view is as wire_parse_ladder() would fill it. false: view is undefined, and
 *         nothing is known about the packet.
 */
bool wire_parse_usual(const struct rte_mbuf *mbuf, struct wire_view *view);

/**
 * The same, only by comparison with a packet that wire_parse_usual() has accepted: all headers are
 * equal, except IPv4 identification and checksum, the PSN, the request for an acknowledgement, and
 * extension headers. Those, which any packet of an opcode may have, are read as ever, and IPv4
 * checksum and ICRC are verified.
 * @param burst with a packet
 */
bool wire_parse_equal(
	const struct rte_mbuf *mbuf, struct wire_view *view, const struct wire_burst *burst);

/** wire_parse() without its fast path, which is the specification of both. */
enum wire_drop wire_parse_ladder(const struct rte_mbuf *mbuf, struct wire_view *view);

/**
 * Load the extension headers that the opcode has: view->traits.
 * @param at behind the BTH; as many bytes are read as the traits say
 */
void wire_extensions_load(const uint8_t *at, struct wire_view *view);

#endif
