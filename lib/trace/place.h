/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_PLACE_H
#define NDPDK_TRACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Position of a UDP datagram in a frame. */
struct trace_place {
	size_t l3_offset;
	size_t l4_offset;
	size_t end_offset; /**< offset of the first byte after the IP packet */
	bool v6;
	bool fits; /**< complete packet, long enough for a BTH and an ICRC */
};

/**
 * Find a UDP datagram. Skips up to four VLAN tags, and up to eight MPLS labels after the tags.
 *
 * @return true if the frame is UDP to this port; place is then filled. The capture must contain the
 *         ports of the UDP header, but not the other fields of the UDP header.
 */
bool trace_place_find(const uint8_t *bytes, size_t count, uint16_t port, struct trace_place *place);

/** @return EtherType after the VLAN tags; 0 = the frame is too short */
uint16_t trace_place_type(const uint8_t *bytes, size_t count);

/**
 * Find the Ethernet frame inside VXLAN, GRE, or ERSPAN of type I, II or III.
 *
 * @param[out] outer l3_offset, l4_offset and v6 of the outer headers; valid if there is a tunnel
 * @return offset of the inner frame; 0: there is no such tunnel
 */
size_t trace_place_tunnel(const uint8_t *bytes, size_t count, struct trace_place *outer);

#endif
