/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/overlapped.h"

#include <sched.h>
#include <sys/eventfd.h>

#include "base/assert.h"
#include "nd/adapter.h"

void
overlapped_begin(struct nd_overlapped *overlapped, struct nd_adapter *adapter, void *object,
	struct base_list *list, overlapped_cancel_fn cancel)
{
	struct overlapped_core *core = overlapped_core(overlapped);

	core->adapter = adapter;
	core->object = object;
	core->cancel = cancel;
	core->finished = false;
	base_list_append(list, &core->node);
	__atomic_store_n(&overlapped->status, ND_PENDING, __ATOMIC_RELEASE);
}

void
overlapped_finish(struct nd_overlapped *overlapped, nd_status status)
{
	struct overlapped_core *core;

	if (overlapped == NULL)
		return;
	core = overlapped_core(overlapped);
	if (core->finished)
		return;
	core->finished = true;
	core->final = status;
	base_list_remove(&core->node);
	base_list_append(&core->adapter->finished, &core->node);
}

void
overlapped_finish_all(struct base_list *list, nd_status status)
{
	struct base_list *node;

	while ((node = base_list_first(list)) != NULL)
		overlapped_finish(overlapped_of_node(node), status);
}

static void
tell(struct nd_overlapped *overlapped)
{
	struct overlapped_core *core = overlapped_core(overlapped);
	void (*callback)(struct nd_overlapped *, void *) = overlapped->callback;
	void *arg = overlapped->callback_arg;
	int fd = overlapped->event_fd;

	/*
	 * From this store on the structure is its owner's again: nothing of it is read but by the
	 * callback.
	 */
	__atomic_store_n(&overlapped->status, core->final, __ATOMIC_RELEASE);
	if (fd > 0)
		(void)eventfd_write(fd, 1);
	if (callback != NULL)
		callback(overlapped, arg);
}

void
overlapped_settle(struct nd_adapter *adapter)
{
	struct base_list *node;

	/* A callback may finish further operations: the outer call tells their owners too. */
	if (adapter->settling)
		return;
	adapter->settling = true;
	while ((node = base_list_first(&adapter->finished)) != NULL) {
		base_list_remove(node);
		tell(overlapped_of_node(node));
	}
	adapter->settling = false;
}

struct wait_call {
	struct nd_adapter *adapter;
	bool nested; /**< out: called from within a turn or a callback */
};

static void
wait_run(void *arg)
{
	struct wait_call *call = arg;
	struct nd_adapter *adapter = call->adapter;

	call->nested = adapter->settling || adapter->engine->in_poll;
	if (!call->nested)
		engine_poll(adapter->engine);
}

nd_status
nd_overlapped_get_result(struct nd_overlapped *overlapped, size_t *bytes, bool wait)
{
	struct wait_call call = {0};
	struct command_queue *commands;
	nd_status status;

	if (bytes != NULL)
		*bytes = 0;
	status = __atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE);
	if (status != ND_PENDING || !wait)
		return status;
	call.adapter = overlapped_core(overlapped)->adapter;
	commands = &call.adapter->engine->commands;
	while ((status = __atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE)) == ND_PENDING) {
		if (!command_run_owned(commands, wait_run, &call))
			sched_yield();
		/* Within a callback the turn cannot go on: waiting would be for ever. */
		else if (call.nested)
			return ND_PENDING;
	}
	return status;
}

static nd_status
cancel_run(void *arg)
{
	struct nd_overlapped *overlapped = arg;
	struct overlapped_core *core = overlapped_core(overlapped);

	/* It may have ended since the caller looked. */
	if (core->finished || __atomic_load_n(&overlapped->status, __ATOMIC_RELAXED) != ND_PENDING)
		return ND_SUCCESS;
	return core->cancel(overlapped);
}

nd_status
nd_overlapped_cancel(struct nd_overlapped *overlapped)
{
	struct nd_adapter *adapter;

	if (__atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE) != ND_PENDING)
		return ND_SUCCESS;
	adapter = overlapped_core(overlapped)->adapter;
	return adapter_call(adapter, cancel_run, overlapped);
}
