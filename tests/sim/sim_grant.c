/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Keys that requests create and end: keys of windows that are bound for the peers of all endpoints,
 * and of registrations in fast regions. Any endpoint of the adapter may create such a key, and any
 * endpoint may end it. If the endpoint that bound a window ends, the window stays bound.
 */

#include "sim_keys.h"
#include "sim_trace.h"
#include "sim_world.h"

#include <rte_byteorder.h>

/** Maximum number of pages in a registration of a fast region. */
#define PAGES_MAX 64u
/**
 * Per mille of turns that end a key while an engine is paused in the middle of accessing the key's
 * bytes.
 */
#define STRIKE    300

static uint32_t
op_flags(uint32_t rights)
{
	return ((rights & ND_MR_FLAG_ALLOW_REMOTE_READ) != 0 ? ND_OP_FLAG_ALLOW_READ : 0u) |
		((rights & SIM_REMOTE_WRITE) != 0 ? ND_OP_FLAG_ALLOW_WRITE : 0u) |
		((rights & SIM_REMOTE_ATOMIC) != 0 ? ND_OP_FLAG_ALLOW_ATOMIC : 0u);
}

static uint32_t
pages_of(const uint8_t *first, size_t length)
{
	uintptr_t skip = (uintptr_t)first % ND_FAST_PAGE_BYTES;

	return (uint32_t)((skip + length + ND_FAST_PAGE_BYTES - 1) / ND_FAST_PAGE_BYTES);
}

static void
objects_make(struct sim_side *side, struct sim_key *key)
{
	struct nd_adapter *adapter = side->node->adapter;
	struct sim_memory *memory = &key->memory;
	nd_status status;

	if (memory->mr != NULL)
		return;
	if (key->kind == SIM_KEY_FAST) {
		status = nd_adapter_create_fast_region(adapter, PAGES_MAX, true, &memory->mr);
	} else {
		status = nd_adapter_register_memory(
			adapter, memory->bytes, memory->size, NULL, &memory->mr);
		if (status == ND_SUCCESS)
			status = nd_adapter_create_memory_window(
				adapter, &key->invalidate_result, &key->mw);
	}
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: objects of key kind %d: %s", side->name, (int)key->kind,
			nd_status_name(status));
}

static nd_status
bind_call(struct sim_side *side, struct sim_key *key, struct sim_op *op)
{
	return nd_endpoint_bind(side->endpoint, &op->result, key->memory.mr, key->mw,
		key->memory.bytes + key->inset, key->memory.size - 2 * key->inset,
		op_flags(key->rights) | ND_OP_FLAG_ALLOW_ANY_ENDPOINT, &key->descriptor);
}

static nd_status
register_call(struct sim_side *side, struct sim_key *key, struct sim_op *op)
{
	uint8_t *first = key->memory.bytes + key->inset;
	size_t length = key->memory.size - 2 * key->inset;
	uint32_t count = pages_of(first, length), token = 0;
	void *pages[PAGES_MAX];
	nd_status status;

	for (uint32_t i = 0; i < count && i < PAGES_MAX; i++)
		pages[i] = first - (uintptr_t)first % ND_FAST_PAGE_BYTES + i * ND_FAST_PAGE_BYTES;
	status = nd_endpoint_fast_register(side->endpoint, &op->result, key->memory.mr, pages,
		count, (uintptr_t)first % ND_FAST_PAGE_BYTES, length, first, op_flags(key->rights));
	if (status != ND_SUCCESS)
		return status;
	/* The library returns the new token even before the request is executed. */
	status = nd_mr_get_remote_token(side->node->adapter, key->memory.mr, &token);
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: token of a fast region: %s", side->name,
			nd_status_name(status));
	key->descriptor = (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64((uintptr_t)first),
		.length = rte_cpu_to_be_64(length),
		.token = token,
	};
	return ND_SUCCESS;
}

bool
sim_grant_make(struct sim_side *side, struct sim_key *key)
{
	struct sim_op *op;

	objects_make(side, key);
	op = sim_post_begin(side, &side->out, SIM_OP_BIND);
	if (op == NULL)
		return false;
	op->own_key = key;
	if (!sim_post_end(side, op,
		    key->kind == SIM_KEY_FAST ? register_call(side, key, op)
					      : bind_call(side, key, op)))
		return false;
	key->making = true;
	return true;
}

bool
sim_grant_end(struct sim_side *side, struct sim_key *key)
{
	struct sim_op *op = sim_post_begin(side, &side->out, SIM_OP_INVALIDATE);
	nd_status status;

	if (op == NULL)
		return false;
	op->own_key = key;
	sim_keys_end_posted(side->node, key);
	if (key->kind == SIM_KEY_FAST)
		status = nd_endpoint_invalidate_region(
			side->endpoint, &op->result, key->memory.mr, 0);
	else
		status = nd_endpoint_invalidate(side->endpoint, &op->result, key->mw, 0);
	if (sim_post_end(side, op, status))
		return true;
	key->ending = false;
	return false;
}

/** @return true if the library regards the key as valid */
static bool
granted(const struct sim_node *node, const struct sim_key *key)
{
	struct nd_mr_info region = {0};
	struct nd_mw_info window = {0};
	nd_status status;

	if (node->adapter == NULL || key->memory.mr == NULL)
		return false;
	if (key->kind == SIM_KEY_FAST)
		status = nd_mr_query(node->adapter, key->memory.mr, &region);
	else
		status = nd_mw_query(node->adapter, key->mw, &window);
	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: query of a key: %s", node->name, nd_status_name(status));
	return key->kind == SIM_KEY_FAST ? region.length != 0 : window.length != 0;
}

void
sim_grant_settle(struct sim_node *node, struct sim_key *key)
{
	bool works = granted(node, key);

	if (key->live && !works) {
		sim_keys_over(node, key);
	} else if (!key->live && works) {
		key->live = true;
		key->known = 0;
		key->generation++;
	}
	key->making = false;
	key->ending = false;
}

void
sim_grant_result(struct sim_side *side, const struct sim_op *op, bool succeeded)
{
	struct sim_key *key = op->own_key;

	if (key == NULL)
		return;
	if (succeeded && key->memory.mr != NULL &&
		granted(side->node, key) != (op->kind == SIM_OP_BIND))
		sim_fail(side->world, "%s: a request succeeded, but the key is unchanged",
			side->name);
	/* If the request failed, engines may still use the key. Let all paused engines finish. */
	if (!succeeded)
		sim_yield_drain(side->node, true);
	/*
	 * A cancelled request may have been executed. The same holds for earlier requests whose
	 * answer was lost. So check the key's state.
	 */
	sim_grant_settle(side->node, key);
}

void
sim_grant_release(struct sim_node *node, struct sim_key *key)
{
	nd_status status = nd_mw_release(node->adapter, key->mw);

	if (status == ND_SUCCESS)
		status = nd_adapter_deregister_memory(node->adapter, key->memory.mr, NULL);
	sim_trace_status(&node->world->trace, node->name, "key ends", key->generation, status);
	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: end of a key: %s", node->name, nd_status_name(status));
	key->mw = NULL;
	key->memory.mr = NULL;
}

static void
key_end(struct sim_node *node, void *arg)
{
	struct sim_key *key = arg;

	sim_grant_release(node, key);
	sim_keys_over(node, key);
}

/** End the key of a window by a call. Afterwards the window can be bound again. */
static void
windows_end(struct sim_node *node, void *arg)
{
	struct sim_key *key = arg;
	nd_status status = nd_mr_invalidate_windows(node->adapter, key->memory.mr, NULL, NULL);

	sim_trace_status(&node->world->trace, node->name, "windows end", key->generation, status);
	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: invalidate_windows: %s", node->name,
			nd_status_name(status));
	sim_keys_over(node, key);
}

void
sim_grant_close(struct sim_node *node, struct sim_key *key, struct sim_random *random)
{
	/* Record the end of the key before the call, because the call may pause. */
	sim_keys_end_posted(node, key);
	if (node->world->plan.yield != 0 && key->kind == SIM_KEY_WINDOW &&
		sim_random_chance(random, 500))
		sim_yield_call(node, windows_end, key);
	else
		sim_yield_call(node, key_end, key);
}

/**
 * Let an application of another engine post a request that ends the key. @return true if a request
 * was posted
 */
static bool
strike_post(struct sim_node *node, struct sim_key *key)
{
	uint32_t first = sim_random_below(&node->engine_random, node->side_count);

	for (uint32_t i = 0; i < node->side_count && key->kind != SIM_KEY_REGION; i++) {
		struct sim_side *side = node->sides[(first + i) % node->side_count];

		if (side->state == SIM_SIDE_UP && !side->fatal && !sim_yield_holds_side(side) &&
			sim_grant_end(side, key))
			return true;
	}
	return false;
}

void
sim_grant_strike(struct sim_node *node)
{
	struct sim_key *key = sim_yield_key(node);

	if (key == NULL || !key->live || key->making || key->ending ||
		!sim_random_chance(&node->engine_random, STRIKE))
		return;
	if (!strike_post(node, key))
		sim_grant_close(node, key, &node->engine_random);
}
