/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Registered memory and windows. Handles are those of the memory index, whose tables know any
 * pointer that is not theirs. The index takes calls of any thread; only the ends of regions and
 * windows go through the engine, which may be about to use them.
 */

#include "base/limits.h"
#include "nd/adapter.h"
#include "nd/cq.h"
#include "nd/status_map.h"

/*
 * v1 registrations carry no flags: everything may be opened, but only through windows (nd_v1.md,
 * section 3).
 */
#define REGION_RIGHTS (MEM_LOCAL_WRITE | MEM_WINDOW_BIND)

nd_status
nd_adapter_register_memory(struct nd_adapter *adapter, const void *buffer, size_t size,
	struct nd_overlapped *overlapped, struct nd_mr **mr)
{
	struct mem_buffer one = {.address = (void *)(uintptr_t)buffer, .length_bytes = size};
	struct mem_region_attr attr = {
		.base = (uintptr_t)buffer,
		.buffers = &one,
		.buffer_count = 1,
		.rights = REGION_RIGHTS,
	};
	struct mem_region *region;
	enum rc_status status;

	(void)overlapped;
	if (buffer == NULL || mr == NULL)
		return ND_INVALID_PARAMETER;
	if (size == 0)
		return ND_INVALID_BUFFER_SIZE;
	if (size > LIMIT_REGION_BYTES)
		return ND_INVALID_PARAMETER;
	if ((uintptr_t)buffer + size < (uintptr_t)buffer)
		return ND_ACCESS_VIOLATION;
	status = mem_region_register(adapter->mem, &attr, &region);
	if (status != RC_OK)
		return status_of_call(status);
	*mr = (struct nd_mr *)region;
	return ND_SUCCESS;
}

/** The memory may be in use: its owner has to wait for the readers. */
static nd_status
deregister_cancel(struct nd_overlapped *overlapped)
{
	(void)overlapped;
	return ND_UNSUCCESSFUL;
}

/** Packets that were sent, but are still in the port's hands, may be attached to the memory. */
static void
sent_reclaim(struct nd_adapter *adapter)
{
	if (adapter->io->reclaim != NULL)
		adapter->io->reclaim(adapter->io->arg);
}

struct deregister_call {
	struct nd_adapter *adapter;
	struct mem_region *region;
	struct nd_overlapped *overlapped;
};

/** The index's token of a deregistration waits in the operation itself: it has no object. */
static nd_status
deregister_run(void *arg)
{
	struct deregister_call *call = arg;
	struct nd_adapter *adapter = call->adapter;
	uint64_t token;
	enum rc_status status = mem_region_deregister(adapter->mem, call->region, &token);

	if (status == RC_BAD_REGION)
		return ND_INVALID_HANDLE;
	if (status != RC_OK)
		return status_of_call(status);
	/* Called by the engine's owner between two packets: nothing is under way here. */
	if (!adapter->engine->in_poll)
		engine_quiescent(adapter->engine);
	if (!mem_region_released(adapter->mem, token))
		sent_reclaim(adapter);
	if (mem_region_released(adapter->mem, token))
		return ND_SUCCESS;
	if (call->overlapped == NULL)
		return ND_PENDING;
	overlapped_begin(call->overlapped, adapter, (void *)(uintptr_t)token,
		&adapter->deregistering, deregister_cancel);
	return ND_PENDING;
}

nd_status
nd_adapter_deregister_memory(
	struct nd_adapter *adapter, struct nd_mr *mr, struct nd_overlapped *overlapped)
{
	struct deregister_call call = {
		.adapter = adapter, .region = region_handle(mr), .overlapped = overlapped};

	return adapter_call(adapter, deregister_run, &call);
}

void
adapter_deregister_tick(struct nd_adapter *adapter)
{
	struct base_list *node, *after;

	if (!base_list_empty(&adapter->deregistering))
		sent_reclaim(adapter);
	BASE_LIST_FOREACH_SAFE (node, after, &adapter->deregistering) {
		struct nd_overlapped *overlapped = overlapped_of_node(node);
		uint64_t token = (uintptr_t)overlapped_core(overlapped)->object;

		if (mem_region_released(adapter->mem, token))
			overlapped_finish(overlapped, ND_SUCCESS);
	}
}

nd_status
nd_adapter_create_memory_window(
	struct nd_adapter *adapter, struct nd_result *invalidate_result, struct nd_mw **mw)
{
	struct mem_window *window;
	enum rc_status status;

	if (invalidate_result == NULL || mw == NULL)
		return ND_INVALID_PARAMETER;
	status = mem_window_create(adapter->mem, invalidate_result, &window);
	if (status != RC_OK)
		return status_of_call(status);
	*mw = (struct nd_mw *)window;
	return ND_SUCCESS;
}

struct release_call {
	struct nd_adapter *adapter;
	struct mem_window *window;
};

/** On the engine's thread: it is the one that hands out invalidate results. */
static nd_status
release_run(void *arg)
{
	struct release_call *call = arg;
	struct nd_adapter *adapter = call->adapter;
	const struct nd_result *result;
	struct base_list *node;
	enum rc_status status;

	if (!mem_window_alive(adapter->mem, call->window))
		return ND_INVALID_HANDLE;
	result = mem_window_cookie(call->window);
	status = mem_window_destroy(adapter->mem, call->window);
	if (status != RC_OK)
		return status_of_call(status);
	BASE_LIST_FOREACH (node, &adapter->cqs)
		cq_forget_window(base_list_entry(node, struct nd_cq, node), result);
	return ND_SUCCESS;
}

nd_status
nd_mw_release(struct nd_adapter *adapter, struct nd_mw *mw)
{
	struct release_call call = {.adapter = adapter, .window = window_handle(mw)};

	return adapter_call(adapter, release_run, &call);
}
