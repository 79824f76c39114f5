/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc_constants.h"

#define IP 0

#define UDP_V4 (IP + 20)
#define UDP_V6 (IP + 40)
#define BTH_V4 (UDP_V4 + 8)
#define BTH_V6 (UDP_V6 + 8)

const uint8_t wire_icrc_variant[2][ICRC_VARIANT_BYTES_MAX] = {
	{
		[IP + 1] = 0xFF, /* TOS */
		[IP + 8] = 0xFF, /* TTL */
		[IP + 10] = 0xFF,
		[IP + 11] = 0xFF, /* header checksum */
		[UDP_V4 + 6] = 0xFF,
		[UDP_V4 + 7] = 0xFF, /* checksum */
		[BTH_V4 + 4] = 0xFF, /* FECN, BECN and the reserved bits beside them */
	},
	{
		[IP] = 0x0F,
		[IP + 1] = 0xFF, /* traffic class and flow label; the version stays */
		[IP + 2] = 0xFF,
		[IP + 3] = 0xFF,
		[IP + 7] = 0xFF, /* hop limit */
		[UDP_V6 + 6] = 0xFF,
		[UDP_V6 + 7] = 0xFF,
		[BTH_V6 + 4] = 0xFF,
	},
};
