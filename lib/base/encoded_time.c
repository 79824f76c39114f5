/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/encoded_time.h"

/* Delays of the 32 RNR timer codes (IBTA table 45), in units of 10 microseconds. */
static const uint16_t rnr_10us[32] = {
	0, /* code 0 means 65536 units, which do not fit into 16 bits; see below */
	1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
	2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

uint64_t
base_timeout_ns(uint8_t code)
{
	code &= 31;
	return code == 0 ? BASE_TIME_NEVER : UINT64_C(4096) << code;
}

uint64_t
base_rnr_timer_ns(uint8_t code)
{
	code &= 31;
	return (code == 0 ? UINT64_C(65536) : rnr_10us[code]) * 10000;
}
