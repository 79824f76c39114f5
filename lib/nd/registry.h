/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGISTRY_H
#define NDPDK_ND_REGISTRY_H

#include "nd/adapter.h"

/*
 * The open adapters of the process, by number, for threads that look inside. An adapter stays as
 * long as the registry is locked, and as long as a question about it is being answered:
 * nd_adapter_close() waits for both. The lock is held for moments only, without waiting for other
 * threads. A question may wait for an engine (engine_ask()), so it does not hold the lock.
 */

/** Give it the smallest number that is free. @return false: another one has its name */
bool registry_add(struct nd_adapter *adapter);

/** @return whether an open adapter has this name */
bool registry_has(const char *name);

/**
 * From here on nobody looks at it: a question that is being answered is waited for, or given up.
 * Without effect for one that was not added.
 */
void registry_remove(struct nd_adapter *adapter);

void registry_lock(void);
void registry_unlock(void);

/**
 * Begin a question. One thread at a time asks; a thread that waits for that serves the engines it
 * owns, and keeps no adapter.
 */
void registry_ask_begin(void);

/** Under the lock, after registry_ask_begin(): the adapter stays until registry_ask_end(). */
void registry_keep(struct nd_adapter *adapter);

void registry_ask_end(void);

/** @return the adapter with the smallest number >= from, NULL: there is none. Under the lock. */
struct nd_adapter *registry_next(uint32_t from);

/** Go over all of them. Under the lock. */
#define REGISTRY_FOREACH(adapter)                                                                  \
	for ((adapter) = registry_next(0); (adapter) != NULL;                                      \
		(adapter) = registry_next((adapter)->number + 1))

#endif
