/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/registry.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

/* Sorted by number. */
static struct base_list adapters = {&adapters, &adapters};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Mutex that a thread holds while it queries an adapter. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
/* Adapter that is being queried now; NULL: none. Protected by lock. */
static struct nd_adapter *asked;

void
registry_lock(void)
{
	pthread_mutex_lock(&lock);
}

void
registry_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

struct nd_adapter *
registry_next(uint32_t from)
{
	struct base_list *node;

	BASE_LIST_FOREACH (node, &adapters) {
		struct nd_adapter *adapter = base_list_entry(node, struct nd_adapter, registered);

		if (adapter->number >= from)
			return adapter;
	}
	return NULL;
}

static bool
has(const char *name)
{
	struct nd_adapter *adapter;

	REGISTRY_FOREACH (adapter)
		if (strcmp(adapter->name, name) == 0)
			return true;
	return false;
}

bool
registry_has(const char *name)
{
	bool there;

	registry_lock();
	there = has(name);
	registry_unlock();
	return there;
}

bool
registry_add(struct nd_adapter *adapter)
{
	struct nd_adapter *next;
	bool free;

	registry_lock();
	free = !has(adapter->name);
	adapter->number = 0;
	REGISTRY_FOREACH (next) {
		if (next->number != adapter->number)
			break;
		adapter->number++;
	}
	/*
	 * Insert before the first adapter with a larger number, because the list is sorted by
	 * number.
	 */
	if (free)
		base_list_append(
			next == NULL ? &adapters : &next->registered, &adapter->registered);
	registry_unlock();
	return free;
}

void
registry_remove(struct nd_adapter *adapter)
{
	struct nd_engine *home;

	registry_lock();
	base_list_remove(&adapter->registered);
	/*
	 * Cancel the current query, because it may be waiting for an engine that is not polled any
	 * more, or that this thread owns.
	 */
	ADAPTER_FOREACH_ENGINE (home, adapter)
		engine_call_timed_cancel(home->engine);
	while (asked == adapter) {
		registry_unlock();
		engine_serve_owned();
		sched_yield();
		registry_lock();
	}
	registry_unlock();
}

void
registry_ask_begin(void)
{
	/*
	 * Meanwhile execute commands, because the current query may be waiting for an engine that
	 * this thread owns.
	 */
	while (pthread_mutex_trylock(&asking) != 0) {
		engine_serve_owned();
		sched_yield();
	}
}

void
registry_keep(struct nd_adapter *adapter)
{
	asked = adapter;
}

void
registry_ask_end(void)
{
	registry_lock();
	asked = NULL;
	registry_unlock();
	pthread_mutex_unlock(&asking);
}
