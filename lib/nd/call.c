/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Calls to the owner of an adapter's engine. A control call of any thread is executed by the owner,
 * which tells owners of finished operations before the call returns. Waiting for an operation and
 * cancelling it are such calls.
 */

#include "nd/call.h"

#include <sched.h>

struct call {
	nd_status (*fn)(void *arg);
	void *arg;
	nd_status status;
	struct nd_adapter *adapter;
};

static void
call_run(void *arg)
{
	struct call *call = arg;

	call->status = call->fn(call->arg);
	if (!engine_in_turn(call->adapter->engine)) {
		engine_transmit(call->adapter->engine);
		adapter_settle(call->adapter);
	}
}

nd_status
adapter_call(struct nd_adapter *adapter, nd_status (*fn)(void *arg), void *arg)
{
	struct call call = {.fn = fn, .arg = arg, .adapter = adapter};

	engine_call(adapter->engine, call_run, &call);
	return call.status;
}

struct wait_call {
	struct nd_adapter *adapter;
	bool nested; /**< out: the caller is within a turn or a callback */
};

static void
wait_run(void *arg)
{
	struct wait_call *call = arg;
	struct nd_adapter *adapter = call->adapter;

	call->nested = adapter->settling || engine_in_turn(adapter->engine);
	if (!call->nested)
		engine_poll(adapter->engine);
}

nd_status
nd_overlapped_get_result(struct nd_overlapped *overlapped, size_t *bytes, bool wait)
{
	struct wait_call call = {0};
	nd_status status;

	if (bytes != NULL)
		*bytes = 0;
	status = __atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE);
	if (status != ND_PENDING || !wait)
		return status;
	call.adapter = overlapped_core(overlapped)->adapter;
	while ((status = __atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE)) == ND_PENDING) {
		if (!engine_run_owned(call.adapter->engine, wait_run, &call))
			sched_yield();
		/* Within a callback the turn cannot go on: the wait would never end. */
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

	/* The operation may have finished since the caller checked it. */
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
