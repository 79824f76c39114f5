/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_KEYS_H
#define NDPDK_TRACE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/frame.h"

/*
 * The lifetime of keys, as far as packets show it (RC-030). A SEND with Invalidate invalidates a
 * key of its receiver. The receiver must refuse a later request with this key.
 *
 * Packets do not show when a key is bound or registered. Therefore a key counts as invalid only
 * until its owner could have announced a valid key with the same value: by a request of the owner,
 * or by a READ of the other side. A refusal proves nothing, because the key may be valid and the
 * range or the right wrong.
 */

/** Number of invalidated keys that are stored for each direction. */
#define TRACE_KEYS 16

struct trace_key {
	bool valid;
	uint32_t rkey;
	uint64_t frame; /**< frame of the SEND with Invalidate */
};

/** Keys that one side of a connection has invalidated at its peer. All members 0: no keys. */
struct trace_keys {
	struct trace_key invalid[TRACE_KEYS];
	uint32_t added;
	bool used; /**< a request used an invalid key; used_* are valid */
	uint64_t used_seq;
	uint64_t used_frame;
	struct trace_key used_key;
};

void trace_keys_request(struct trace_keys *keys, uint64_t seq, const struct trace_packet *packet);

/** Forget the invalid keys, because their owner sent a request that may have announced new keys. */
void trace_keys_forget(struct trace_keys *keys);

/**
 * Called when the owner of the keys has executed all requests before seq: report the use of an
 * invalid key.
 */
void trace_keys_executed(struct trace_keys *keys, uint64_t seq, const struct trace_packet *packet);

#endif
