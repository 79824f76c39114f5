/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_WIRE_FRAME_H
#define NDPDK_UNIT_WIRE_FRAME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"
#include "wire/parse.h"

struct frame {
	uint8_t bytes[WIRE_ORACLE_MAX_BYTES];
	size_t count;
};

static inline void
frame_load(struct frame *frame, unsigned int vector)
{
	frame->count = wire_vector_get(vector, frame->bytes);
}

static inline uint8_t *
frame_ip(struct frame *frame)
{
	return frame->bytes + wire_oracle_l3_offset(frame->bytes);
}

static inline uint8_t *
frame_udp(struct frame *frame)
{
	return frame->bytes + wire_oracle_bth_offset(frame->bytes) - 8;
}

static inline uint8_t *
frame_bth(struct frame *frame)
{
	return frame->bytes + wire_oracle_bth_offset(frame->bytes);
}

/*
 * Copy the bytes to a block of exactly their size, and parse the copy, so that a sanitizer detects
 * any read beyond the bytes.
 */
static inline enum wire_drop
bytes_parse(const uint8_t *bytes, size_t count, struct wire_view *view)
{
	uint8_t *exact = malloc(count == 0 ? 1 : count);
	enum wire_drop drop;

	memcpy(exact, bytes, count);
	drop = wire_parse_bytes(exact, count, view);
	free(exact);
	return drop;
}

static inline enum wire_drop
frame_parse(const struct frame *frame, struct wire_view *view)
{
	return bytes_parse(frame->bytes, frame->count, view);
}

static inline enum wire_drop
frame_drop(const struct frame *frame)
{
	struct wire_view view;

	return frame_parse(frame, &view);
}

#define ASSERT_DROP(actual, expected, ...)                                                         \
	do {                                                                                       \
		enum wire_drop got_ = (actual), wanted_ = (expected);                              \
		char where_[128];                                                                  \
                                                                                                   \
		snprintf(where_, sizeof(where_), __VA_ARGS__);                                     \
		cr_assert_eq(got_, wanted_, "%s, not %s: %s", wire_drop_name(got_),                \
			wire_drop_name(wanted_), where_);                                          \
	} while (0)

#endif
