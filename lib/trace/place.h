/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_PLACE_H
#define NDPDK_TRACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where a UDP datagram lies in a frame. */
struct trace_place {
	size_t l3_offset;
	size_t l4_offset;
	size_t end_offset; /**< behind the IP packet */
	bool v6;
	bool fits; /**< the packet is complete, and a BTH and an ICRC are inside */
};

/**
 * Find a datagram, after VLAN tags, up to four of them, or after MPLS labels, up to eight.
 *
 * @return whether the frame is UDP to a port, as far as it was captured; then place is filled. Of
 *         the UDP header the ports are enough.
 */
bool trace_place_find(const uint8_t *bytes, size_t count, uint16_t port, struct trace_place *place);

/** @return bytes of VXLAN and what is around it before a frame; 0 = it is no such tunnel. */
size_t trace_place_vxlan(const uint8_t *bytes, size_t count);

/** @return type of a frame, after its VLAN tags; 0 = the frame is too short */
uint16_t trace_place_type(const uint8_t *bytes, size_t count);

/**
 * @return bytes of a tunnel before the Ethernet frame in it, with VXLAN, or with GRE and ERSPAN of
 *         type I, II or III; 0 = it is no such tunnel.
 */
size_t trace_place_tunnel(const uint8_t *bytes, size_t count);

#endif
