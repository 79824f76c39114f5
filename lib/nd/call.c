/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Calls to the threads that own an adapter's engines. The owner executes control calls of any
 * thread, and reports finished operations before the call returns. Waiting for an operation and
 * cancelling an operation are also control calls.
 */

#include "engine/transmit.h"
#include "nd/call.h"
#include "nd/refuse.h"

#include <pthread.h>
#include <sched.h>

struct call {
	nd_status (*fn)(void *arg);
	void *arg;
	nd_status status;
	struct nd_engine *home;
	pthread_t caller;
};

/**
 * Execute the call, and report finished operations before it returns. Also report operations that a
 * staged call holds back, because the caller may have cancelled one of them and may free it after
 * this call.
 */
static void
call_run(void *arg)
{
	struct call *call = arg;
	struct nd_engine *home = call->home;

	call->status = call->fn(call->arg);
	if (engine_in_turn(home->engine))
		return;
	engine_transmit(home->engine);
	base_list_move(&home->held, &home->finished);
	/*
	 * The call comes from another thread. This thread, the owner, may be executing it inside a
	 * callback that waits, so report even within a callback.
	 */
	if (pthread_equal(call->caller, pthread_self()))
		home_settle(home);
	else
		overlapped_settle_within(home);
}

nd_status
home_call(struct nd_engine *home, nd_status (*fn)(void *arg), void *arg)
{
	struct call call = {.fn = fn, .arg = arg, .home = home, .caller = pthread_self()};

	engine_call(home->engine, call_run, &call);
	return call.status;
}

nd_status
adapter_call(struct nd_adapter *adapter, nd_status (*fn)(void *arg), void *arg)
{
	return home_call(adapter->engines, fn, arg);
}

struct staged {
	const struct call_stages *stages;
	void *arg;
	struct nd_engine *first;
	struct nd_engine *home; /* engine of the remaining stages; NULL: no stage remains */
	nd_status status;       /* status of the last executed stage */
};

/**
 * Run prepare() of a staged call. If the first engine is also the home, run all other stages.
 * Otherwise hold back operations that finish during the call, so that their callbacks run after the
 * call.
 */
static void
stage_prepare(void *arg)
{
	struct staged *staged = arg;
	struct nd_engine *home = NULL;

	staged->status = staged->stages->prepare(staged->arg, &home);
	if (staged->status != ND_SUCCESS)
		return;
	if (home != staged->first) {
		staged->home = home;
		base_list_move(&staged->first->finished, &staged->first->held);
		return;
	}
	staged->status = staged->stages->execute(staged->arg);
	staged->status = staged->stages->finish(staged->arg, staged->status);
}

static void
stage_execute(void *arg)
{
	struct staged *staged = arg;

	staged->status = staged->stages->execute(staged->arg);
	base_list_move(&staged->home->finished, &staged->home->held);
}

static nd_status
stage_finish(void *arg)
{
	struct staged *staged = arg;

	if (staged->home != NULL)
		staged->status = staged->stages->finish(staged->arg, staged->status);
	return staged->status;
}

/** Do nothing. The caller, home_call(), reports the operations that were held back. */
static nd_status
stage_tell(void *arg)
{
	(void)arg;
	return ND_SUCCESS;
}

nd_status
staged_call(struct nd_adapter *adapter, const struct call_stages *stages, void *arg)
{
	struct staged staged = {.stages = stages, .arg = arg, .first = adapter->engines};
	nd_status status;

	engine_call(staged.first->engine, stage_prepare, &staged);
	if (staged.home != NULL)
		engine_call(staged.home->engine, stage_execute, &staged);
	status = adapter_call(adapter, stage_finish, &staged);
	if (staged.home != NULL)
		home_call(staged.home, stage_tell, NULL);
	return status;
}

struct wait_call {
	struct nd_engine *home;
	bool nested; /**< out: true if the caller is inside a turn or a callback */
};

static void
wait_run(void *arg)
{
	struct wait_call *call = arg;

	call->nested = call->nested || overlapped_telling(call->home->adapter) ||
		engine_in_turn(call->home->engine);
	if (!call->nested)
		engine_poll(call->home->engine);
}

/**
 * Poll the engines that the caller owns, and the shared engines with no thread inside, because an
 * operation may need several engines. Other threads may enter between two turns.
 * @return true: no engine was polled, so the caller must wait for other threads
 */
static bool
owned_poll(struct nd_adapter *adapter, bool *nested)
{
	struct wait_call call = {0};
	bool idle = true;

	ADAPTER_FOREACH_ENGINE (call.home, adapter) {
		if (engine_run_owned(call.home->engine, wait_run, &call)) {
			idle = false;
			if (!call.nested)
				engine_pass(call.home->engine);
		} else if (engine_run_shared(call.home->engine, wait_run, &call)) {
			idle = false;
		}
	}
	*nested = call.nested;
	return idle;
}

nd_status
nd_overlapped_get_result(struct nd_overlapped *overlapped, size_t *bytes, bool wait)
{
	struct nd_adapter *adapter;
	nd_status status;
	bool nested;

	if (bytes != NULL)
		*bytes = 0;
	if (overlapped == NULL)
		return REFUSE(1, "overlapped is NULL");
	status = __atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE);
	if (status != ND_PENDING || !wait)
		return status;
	adapter = overlapped_core(overlapped)->home->adapter;
	while ((status = __atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE)) == ND_PENDING) {
		if (owned_poll(adapter, &nested))
			sched_yield();
		/*
		 * Within a callback the caller's turn cannot continue, so waiting would never end.
		 */
		else if (nested)
			return ND_PENDING;
	}
	return status;
}

static nd_status
cancel_run(void *arg)
{
	struct nd_overlapped *overlapped = arg;
	struct overlapped_core *core = overlapped_core(overlapped);

	/* Check again, because the operation may have finished since the caller checked it. */
	if (core->finished || __atomic_load_n(&overlapped->status, __ATOMIC_RELAXED) != ND_PENDING)
		return ND_SUCCESS;
	return core->cancel(overlapped);
}

nd_status
nd_overlapped_cancel(struct nd_overlapped *overlapped)
{
	if (overlapped == NULL)
		return REFUSE(1, "overlapped is NULL");
	if (__atomic_load_n(&overlapped->status, __ATOMIC_ACQUIRE) != ND_PENDING)
		return ND_SUCCESS;
	return home_call(overlapped_core(overlapped)->home, cancel_run, overlapped);
}
