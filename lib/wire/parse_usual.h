/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_PARSE_USUAL_H
#define NDPDK_WIRE_PARSE_USUAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "wire/parse.h"

/*
 * Fast path of wire_parse(). If it accepts a packet, the slow path (the ladder in parse.c) would
 * accept it with the same view. All other packets, valid or not, go to the slow path, which finds
 * the reason. Builds with assertions run the slow path for each packet that the fast path accepts.
 */

/**
 * Accept the most frequent form of packets: untagged, in one segment, IPv4 without options, UDP
 * checksum 0, a known opcode of the RC transport, no FECN or BECN, and a correct ICRC.
 *
 * @return true if the packet was accepted, with the same view as from wire_parse_ladder(). After
 *         false, view is undefined, and the packet may be valid or not
 */
bool wire_parse_usual(const struct rte_mbuf *mbuf, struct wire_view *view);

/**
 * Accept a packet by comparison with a packet that wire_parse_usual() has accepted. All headers
 * must be equal, except IPv4 identification and checksum, the PSN, the acknowledge request, and
 * extension headers. Extension headers are read, and IPv4 checksum and ICRC are verified.
 * @param burst contains the packet that was accepted earlier
 */
bool wire_parse_equal(
	const struct rte_mbuf *mbuf, struct wire_view *view, const struct wire_burst *burst);

/** wire_parse() without its fast path, which is tested against this function. */
enum wire_drop wire_parse_ladder(const struct rte_mbuf *mbuf, struct wire_view *view);

/**
 * Load the extension headers of the opcode, view->traits.
 * @param at first byte after the BTH; the traits determine how many bytes are read
 */
void wire_extensions_load(const uint8_t *at, struct wire_view *view);

#endif
