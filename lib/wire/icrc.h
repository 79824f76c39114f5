/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_H
#define NDPDK_WIRE_ICRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/assert.h"
#include "wire/icrc_kernel.h"

/*
 * Invariant CRC (ICRC, annex A17): CRC-32 of the packet, with all bits that a router may change set
 * to one. The least significant byte is sent first.
 */

/** Total length of IP header, UDP header and BTH. */
#define WIRE_ICRC_START_BYTES(v6) (((v6) ? 40u : 20u) + 8u + 12u)

/**
 * Compute the ICRC of a packet in contiguous memory, with the fastest kernel for this CPU.
 * Parameters and result as for wire_icrc_kernel_fn.
 */
static inline uint32_t
wire_icrc_whole(const uint8_t *ip, uint32_t bytes, bool v6)
{
	BASE_ASSERT(bytes % 4 == 0);
	BASE_ASSERT(bytes >= WIRE_ICRC_START_BYTES(v6));
	return wire_icrc_fastest(ip, bytes, v6);
}

/**
 * Copy the payload into a packet, and compute the packet's ICRC. Parameters and result as for
 * wire_icrc_copy_fn.
 */
static inline uint32_t
wire_icrc_copy(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count)
{
	BASE_ASSERT(bytes % 4 == 0);
	BASE_ASSERT(bytes >= WIRE_ICRC_START_BYTES(v6) + count);
	return wire_icrc_copy_fastest(ip, bytes, v6, from, count);
}

struct wire_icrc {
	uint32_t crc;
};

/**
 * Start an ICRC with IP header, UDP header and BTH, with masked variant fields.
 *
 * @param ip first byte of the IP header; WIRE_ICRC_START_BYTES contiguous bytes are read
 * @param v6 true for an IPv6 header
 */
void wire_icrc_start(struct wire_icrc *icrc, const uint8_t *ip, bool v6);

/** Add the next bytes of the packet after the BTH. */
void wire_icrc_add(struct wire_icrc *icrc, const void *bytes, size_t count);

/** @return ICRC, to be stored little-endian */
uint32_t wire_icrc_value(const struct wire_icrc *icrc);

/**
 * Compute the ICRC of a frame in an mbuf with any number of segments.
 *
 * @param l3_offset offset of the IP header; the headers need not be contiguous
 * @param end_offset end of the covered bytes, where the ICRC is or will be
 */
uint32_t
wire_icrc_mbuf(const struct rte_mbuf *mbuf, uint16_t l3_offset, bool v6, uint32_t end_offset);

#endif
