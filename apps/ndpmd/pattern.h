/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_PATTERN_H
#define NDPDK_NDPMD_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/*
 * What --verify puts into messages and looks for at the other end: bytes that depend on connection,
 * direction, message number and offset. A byte of another message, connection or place is detected
 * with probability 255/256, and a message has many bytes.
 */

/** Which way a message goes. */
enum pattern_stream {
	PATTERN_REQUEST, /**< from the side that measures, or memory that is read */
	PATTERN_ANSWER,
};

/** @return seed of one message. */
uint64_t pattern_seed(uint32_t qp, enum pattern_stream stream, uint64_t sequence);

/** Fill a message. */
void pattern_fill(void *buffer, size_t length, uint64_t seed);

#define PATTERN_MATCHES SIZE_MAX

/** @return PATTERN_MATCHES, or the offset of the first wrong byte. */
size_t pattern_check(const void *buffer, size_t length, uint64_t seed);

#endif
