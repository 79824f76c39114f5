/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc_constants.h"

#include <rte_common.h>

#define IP ICRC_BLOCK_MAX

#define UDP_V4 (IP + 20)
#define UDP_V6 (IP + 40)
#define BTH_V4 (UDP_V4 + 8)
#define BTH_V6 (UDP_V6 + 8)

const uint8_t wire_icrc_variant[2][ICRC_BLOCK_MAX + 2 * ICRC_BLOCK_MAX] = {
	{
		[IP + 1] = 0xFF, /* TOS */
		[IP + 8] = 0xFF, /* TTL */
		[IP + 10] = 0xFF,
		[IP + 11] = 0xFF, /* header checksum */
		[UDP_V4 + 6] = 0xFF,
		[UDP_V4 + 7] = 0xFF, /* checksum */
		[BTH_V4 + 4] = 0xFF, /* FECN, BECN and the reserved bits of the same byte */
	},
	{
		[IP] = 0x0F,
		/* rest of the traffic class, and flow label; without the version */
		[IP + 1] = 0xFF,
		[IP + 2] = 0xFF,
		[IP + 3] = 0xFF,
		[IP + 7] = 0xFF, /* hop limit */
		[UDP_V6 + 6] = 0xFF,
		[UDP_V6 + 7] = 0xFF,
		[BTH_V6 + 4] = 0xFF,
	},
};

const uint8_t wire_icrc_seed[2 * ICRC_BLOCK_MAX] = {
	[IP] = (uint8_t)~ICRC_OF_ONES,
	[IP + 1] = (uint8_t)(~ICRC_OF_ONES >> 8),
	[IP + 2] = (uint8_t)(~ICRC_OF_ONES >> 16),
	[IP + 3] = (uint8_t)(~ICRC_OF_ONES >> 24),
};

const uint8_t wire_icrc_inside[2 * ICRC_BLOCK_MAX] = {[IP... 2 * ICRC_BLOCK_MAX - 1] = 0xFF};

const uint64_t wire_icrc_collapse[ICRC_BLOCK_MAX / 8] __rte_aligned(64) = {
	0x1C6E41596,
	0x03DB1ECDC,
	0x174359406,
	0x0F1DA05AA,
	0x15A546366,
	0x1751997D0,
	0x0CCAA009E,
	0x1DB710640,
};

const uint64_t wire_icrc_barrett[2] __rte_aligned(16) = {0xB4E5B025F7011641, 0x1DB710641};
