/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_PATTERN_H
#define NDPDK_NDPMD_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/*
 * Content of messages with --verify. The sender fills a message and the receiver checks it. The
 * bytes depend on connection, direction, message number and offset. A byte of a different message,
 * connection or offset is detected with probability 255/256.
 */

/** Direction of a message. */
enum pattern_stream {
	PATTERN_REQUEST, /**< data from the initiator, or target memory that is read */
	PATTERN_ANSWER,
};

/** @return seed of message number sequence on a connection. */
uint64_t pattern_seed(uint32_t qp, enum pattern_stream stream, uint64_t sequence);

/** Fill a message. */
void pattern_fill(void *buffer, size_t length, uint64_t seed);

#define PATTERN_MATCHES SIZE_MAX

/** @return PATTERN_MATCHES if all bytes are right; otherwise the offset of the first wrong byte */
size_t pattern_check(const void *buffer, size_t length, uint64_t seed);

#endif
