/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/keys.h"

#include <inttypes.h>
#include <string.h>

#include "base/psn.h"

static void
key_end(struct trace_keys *keys, const struct trace_packet *packet)
{
	keys->invalid[keys->added++ % TRACE_KEYS] = (struct trace_key){
		.valid = true,
		.rkey = packet->view.invalidate_rkey,
		.frame = packet->frame,
	};
}

/* @return the entry of this R_Key if the key was invalidated; otherwise NULL */
static const struct trace_key *
key_find(const struct trace_keys *keys, uint32_t rkey)
{
	for (unsigned i = 0; i < TRACE_KEYS; i++)
		if (keys->invalid[i].valid && keys->invalid[i].rkey == rkey)
			return &keys->invalid[i];
	return NULL;
}

void
trace_keys_request(struct trace_keys *keys, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const struct wire_opcode_traits *traits = view->traits;
	const struct trace_key *key = NULL;

	if (traits->has_ieth) {
		key_end(keys, packet);
		return;
	}
	/* A request without bytes is skipped, because responders do not check its key. */
	if (traits->has_reth && view->reth.length_bytes != 0)
		key = key_find(keys, view->reth.rkey);
	else if (traits->has_atomic_eth)
		key = key_find(keys, view->atomic.rkey);
	if (key != NULL && !keys->used) {
		keys->used = true;
		keys->used_seq = seq;
		keys->used_frame = packet->frame;
		keys->used_key = *key;
	} else if (key == NULL && traits->kind == WIRE_KIND_READ_REQUEST) {
		memset(keys->invalid, 0, sizeof(keys->invalid));
	}
}

void
trace_keys_forget(struct trace_keys *keys)
{
	if (keys->added != 0)
		memset(keys, 0, sizeof(*keys));
}

void
trace_keys_executed(struct trace_keys *keys, uint64_t seq, const struct trace_packet *packet)
{
	if (!keys->used || seq <= keys->used_seq)
		return;
	trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_030,
		"the request in frame %" PRIu64
		" was executed with key 0x%08x, which frame %" PRIu64 " invalidated",
		keys->used_frame, keys->used_key.rkey, keys->used_key.frame);
	/* Forget all keys, so that each invalidation is reported at most once. */
	memset(keys, 0, sizeof(*keys));
}
