/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/header.h"

#define CREDITS_OFF 31

/* IBTA table 43: alternately a power of two, and 1.5 times that. */
static const uint32_t credits[CREDITS_OFF] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128,
	192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576,
	32768};

uint8_t
wire_credit_encode(uint32_t credit_count)
{
	uint8_t code;
	int exponent;

	if (credit_count < 2)
		return (uint8_t)credit_count;
	exponent = 31 - __builtin_clz(credit_count);
	code = (uint8_t)(2 * exponent + (int)(credit_count >> (exponent - 1) & 1));
	return code < CREDITS_OFF ? code : CREDITS_OFF - 1;
}

uint32_t
wire_credit_decode(uint8_t code)
{
	code &= 31;
	return code == CREDITS_OFF ? UINT32_MAX : credits[code];
}
