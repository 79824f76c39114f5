/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGISTRY_H
#define NDPDK_ND_REGISTRY_H

#include "nd/adapter.h"

/*
 * List of the open adapters of the process, by number, for threads that query them. An adapter is
 * not freed while the registry is locked, nor while a query of this adapter is being answered,
 * because nd_adapter_close() waits for both. A thread holds the lock only for a short time, never
 * while it waits for another thread. A query may wait for an engine (engine_call_timed()), so it
 * does not hold the lock.
 */

/**
 * Add an adapter and assign the smallest free number to it.
 * @return false: not added, because another open adapter has its name
 */
bool registry_add(struct nd_adapter *adapter);

bool registry_has(const char *name);

/**
 * Remove an adapter. If a query of this adapter is in progress, cancel it or wait for it. No effect
 * if the adapter was not added.
 */
void registry_remove(struct nd_adapter *adapter);

void registry_lock(void);
void registry_unlock(void);

/**
 * Begin a query. Only one thread at a time may query. A thread that waits here executes the
 * commands for engines that it owns, and does not prevent an adapter from being closed.
 */
void registry_ask_begin(void);

/**
 * Keep an adapter open until registry_ask_end(). Called after registry_ask_begin(), with the
 * registry locked.
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
