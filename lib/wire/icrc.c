/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc.h"

#include <string.h>

#include <isa-l/crc.h>

#include "base/assert.h"
#include "wire/header.h"

/*
 * The headers up to the BTH are copied to the stack and their variant fields set to ones there;
 * what follows has no variant field, and the CRC reads it in place. A packet in one segment costs
 * two calls of the CRC kernel. ISA-L's crc32_gzip_refl takes and returns the complemented
 * register, like zlib's crc32().
 */

#define IPV4_BYTES   20u
#define IPV6_BYTES   40u
#define UDP_BYTES    8u
#define BTH_BYTES    ((uint32_t)sizeof(struct wire_bth))
#define MASKED_BYTES (IPV6_BYTES + UDP_BYTES + sizeof(struct wire_bth))

/* CRC of the eight bytes of ones that stand for the local route header. */
#define CRC_OF_EIGHT_ONES 0x2144DF1Cu

static uint32_t
masked_bytes(bool v6)
{
	return (v6 ? IPV6_BYTES : IPV4_BYTES) + UDP_BYTES + BTH_BYTES;
}

static void
ipv4_mask(uint8_t *ip)
{
	ip[1] = 0xFF;           /* TOS */
	ip[8] = 0xFF;           /* TTL */
	ip[10] = ip[11] = 0xFF; /* header checksum */
}

static void
ipv6_mask(uint8_t *ip)
{
	ip[0] |= 0x0F; /* traffic class and flow label; the version stays */
	ip[1] = ip[2] = ip[3] = 0xFF;
	ip[7] = 0xFF; /* hop limit */
}

void
wire_icrc_start(struct wire_icrc *icrc, const uint8_t *ip, bool v6)
{
	uint8_t masked[MASKED_BYTES];
	uint32_t ip_bytes = v6 ? IPV6_BYTES : IPV4_BYTES;
	uint8_t *udp = masked + ip_bytes;

	/* Two constant sizes: the compiler makes a few vector moves of each. */
	if (v6) {
		memcpy(masked, ip, IPV6_BYTES + UDP_BYTES + BTH_BYTES);
		ipv6_mask(masked);
	} else {
		memcpy(masked, ip, IPV4_BYTES + UDP_BYTES + BTH_BYTES);
		ipv4_mask(masked);
	}
	udp[6] = udp[7] = 0xFF;    /* checksum */
	udp[UDP_BYTES + 4] = 0xFF; /* FECN, BECN and the reserved bits beside them */
	icrc->crc = crc32_gzip_refl(CRC_OF_EIGHT_ONES, masked, masked_bytes(v6));
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
	uint8_t scratch[MASKED_BYTES];
	uint32_t offset = l3_offset + masked_bytes(v6);
	struct wire_icrc icrc;

	BASE_ASSERT(offset <= end_offset);
	BASE_ASSERT(end_offset <= rte_pktmbuf_pkt_len(mbuf));
	wire_icrc_start(&icrc, rte_pktmbuf_read(mbuf, l3_offset, masked_bytes(v6), scratch), v6);
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
