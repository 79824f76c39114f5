/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_BE_H
#define NDPDK_BASE_BE_H

#include <stdint.h>
#include <string.h>

#include <rte_byteorder.h>

/*
 * Big-endian loads and stores at any alignment. They do not use rte_be_to_cpu_*(), because it is
 * assembly on x86: the compiler cannot merge it with the load or store, and cannot evaluate it for
 * constants.
 */

#if RTE_BYTE_ORDER == RTE_LITTLE_ENDIAN
#define BE_SWAP(bits, value) __builtin_bswap##bits(value)
#else
#define BE_SWAP(bits, value) (value)
#endif

static inline uint16_t
be_load16(const uint8_t *p)
{
	rte_be16_t v;

	memcpy(&v, p, sizeof(v));
	return BE_SWAP(16, v);
}

static inline uint32_t
be_load24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t
be_load32(const uint8_t *p)
{
	rte_be32_t v;

	memcpy(&v, p, sizeof(v));
	return BE_SWAP(32, v);
}

static inline uint64_t
be_load64(const uint8_t *p)
{
	rte_be64_t v;

	memcpy(&v, p, sizeof(v));
	return BE_SWAP(64, v);
}

static inline void
be_store16(uint8_t *p, uint16_t value)
{
	rte_be16_t v = BE_SWAP(16, value);

	memcpy(p, &v, sizeof(v));
}

static inline void
be_store24(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 16);
	p[1] = (uint8_t)(value >> 8);
	p[2] = (uint8_t)value;
}

static inline void
be_store32(uint8_t *p, uint32_t value)
{
	rte_be32_t v = BE_SWAP(32, value);

	memcpy(p, &v, sizeof(v));
}

static inline void
be_store64(uint8_t *p, uint64_t value)
{
	rte_be64_t v = BE_SWAP(64, value);

	memcpy(p, &v, sizeof(v));
}

#endif
