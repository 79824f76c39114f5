/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_KEYS_H
#define NDPDK_TRACE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/frame.h"

/*
 * The life time of keys, as far as packets show it (RC-030): a SEND with Invalidate ends that of a
 * key of its receiver. A request behind it that names the key must be refused.
 *
 * Binding and registration do not show. So a key counts as invalid only until its owner could have
 * told that it is valid again: by a request of its own, or by a READ of the other side. Nothing
 * follows from a refusal: the key may be right, and the range or the right wrong.
 */

/** Invalidated keys of one direction remembered. */
#define TRACE_KEYS 16

struct trace_key {
	bool valid;
	uint32_t rkey;
	uint64_t frame; /**< of the SEND with Invalidate */
};

/** Keys of the peer of one side. All zero is empty. */
struct trace_keys {
	struct trace_key invalid[TRACE_KEYS];
	uint32_t added;
	bool used; /**< a request names an invalid key; used_* are valid */
	uint64_t used_seq;
	uint64_t used_frame;
	struct trace_key used_key;
};

/** The side has sent a request that was not seen before. */
void trace_keys_request(struct trace_keys *keys, uint64_t seq, const struct trace_packet *packet);

/** The owner of the keys has sent a request: it may have told new ones. */
void trace_keys_forget(struct trace_keys *keys);

/** The owner has executed what was requested before seq: judge it. */
void trace_keys_executed(struct trace_keys *keys, uint64_t seq, const struct trace_packet *packet);

#endif
