/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc.h"

#include <string.h>

#include <isa-l/crc.h>

#include "base/assert.h"
#include "wire/icrc_constants.h"

/*
 * Computation of an ICRC piece by piece. The headers up to the BTH are copied to the stack, where
 * their variant fields are set to ones. The later bytes contain no variant fields, so the CRC reads
 * them in place. A packet in one segment takes two calls of the CRC function. ISA-L's
 * crc32_gzip_refl takes and returns the complemented register, like zlib's crc32().
 */

#define MASKED_BYTES_MAX WIRE_ICRC_START_BYTES(true)

static_assert(MASKED_BYTES_MAX <= 2 * ICRC_BLOCK_MAX, "wire_icrc_variant has all bytes");

static void
masked_copy(uint8_t *to, const uint8_t *ip, bool v6)
{
	const uint8_t *variant = wire_icrc_variant[v6] + ICRC_BLOCK_MAX;

	for (uint32_t i = 0; i < WIRE_ICRC_START_BYTES(v6); i += 4) {
		uint32_t word, ones;

		memcpy(&word, ip + i, sizeof(word));
		memcpy(&ones, variant + i, sizeof(ones));
		word |= ones;
		memcpy(to + i, &word, sizeof(word));
	}
}

void
wire_icrc_start(struct wire_icrc *icrc, const uint8_t *ip, bool v6)
{
	uint8_t masked[MASKED_BYTES_MAX];

	masked_copy(masked, ip, v6);
	icrc->crc = crc32_gzip_refl(ICRC_OF_ONES, masked, WIRE_ICRC_START_BYTES(v6));
}

void
wire_icrc_add(struct wire_icrc *icrc, const void *bytes, size_t count)
{
	icrc->crc = crc32_gzip_refl(icrc->crc, bytes, count);
}

uint32_t
wire_icrc_value(const struct wire_icrc *icrc)
{
	return icrc->crc;
}

uint32_t
wire_icrc_mbuf(const struct rte_mbuf *mbuf, uint16_t l3_offset, bool v6, uint32_t end_offset)
{
	uint8_t scratch[MASKED_BYTES_MAX];
	uint32_t start_bytes = WIRE_ICRC_START_BYTES(v6);
	uint32_t offset = l3_offset + start_bytes;
	struct wire_icrc icrc;

	BASE_ASSERT(offset <= end_offset);
	BASE_ASSERT(end_offset <= rte_pktmbuf_pkt_len(mbuf));
	wire_icrc_start(&icrc, rte_pktmbuf_read(mbuf, l3_offset, start_bytes, scratch), v6);
	for (uint32_t start = 0; start < end_offset; mbuf = mbuf->next) {
		uint32_t end = RTE_MIN(start + rte_pktmbuf_data_len(mbuf), end_offset);

		if (offset < end) {
			wire_icrc_add(&icrc,
				rte_pktmbuf_mtod_offset(mbuf, const uint8_t *, offset - start),
				end - offset);
			offset = end;
		}
		start += rte_pktmbuf_data_len(mbuf);
	}
	return wire_icrc_value(&icrc);
}
