/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGISTRY_H
#define NDPDK_ND_REGISTRY_H

#include "nd/adapter.h"

/*
 * The open adapters of the process, by number, for threads that query them. An adapter is not freed
 * while the registry is locked, nor while a query of this adapter is being answered:
 * nd_adapter_close() waits for both. The lock is held only briefly, never while waiting for another
 * thread. A query may wait for an engine (engine_call_timed()), so it does not hold the lock.
 */

/**
 * Add an adapter, with the smallest free number.
 * @return false: not added, another adapter has its name
 */
bool registry_add(struct nd_adapter *adapter);

/** @return whether an open adapter has this name */
bool registry_has(const char *name);

/**
 * Remove an adapter. A query that is being answered is cancelled or waited for. Has no effect if
 * the adapter was not added.
 */
void registry_remove(struct nd_adapter *adapter);

void registry_lock(void);
void registry_unlock(void);

/**
 * Begin a query. Only one thread at a time may query. A thread that waits here executes the
 * commands for engines that it owns, and keeps no adapter from being closed.
 */
void registry_ask_begin(void);

/**
 * Keep the adapter open until registry_ask_end(). Call after registry_ask_begin(), with the lock
 * held.
 */
void registry_keep(struct nd_adapter *adapter);

void registry_ask_end(void);

/** @return the adapter with the smallest number >= from, or NULL. The lock must be held. */
struct nd_adapter *registry_next(uint32_t from);

/** Loop over all open adapters. The lock must be held. */
#define REGISTRY_FOREACH(adapter)                                                                  \
	for ((adapter) = registry_next(0); (adapter) != NULL;                                      \
		(adapter) = registry_next((adapter)->number + 1))

#endif
