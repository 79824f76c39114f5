/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_PSN_H
#define NDPDK_BASE_PSN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Arithmetic of 24-bit serial numbers (PSN, MSN). No other code does arithmetic on them. A psn is
 * always in 0..PSN_MASK.
 */

#define PSN_MASK 0xFFFFFFu

/** @return psn + count modulo 2^24; count may be negative */
static inline uint32_t
psn_add(uint32_t psn, int64_t count)
{
	return (uint32_t)(((int64_t)psn + count) & PSN_MASK);
}

/** @return signed distance a - b, -2^23 .. 2^23 - 1; negative if a is before b */
static inline int32_t
psn_diff(uint32_t a, uint32_t b)
{
	uint32_t distance = (a - b) & PSN_MASK;

	return distance & 0x800000u ? (int32_t)distance - 0x1000000 : (int32_t)distance;
}

/** @return distance from base forward to psn, 0 .. 2^24 - 1; larger than psn_diff() can return */
static inline uint32_t
psn_distance(uint32_t psn, uint32_t base)
{
	return (psn - base) & PSN_MASK;
}

#endif
