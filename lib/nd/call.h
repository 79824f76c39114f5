/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CALL_H
#define NDPDK_ND_CALL_H

#include "nd/adapter.h"

/**
 * Execute fn(arg) on the thread of an engine; unless called from within a turn, transmit and tell
 * owners of finished operations. @return what fn returned
 */
nd_status home_call(struct nd_engine *home, nd_status (*fn)(void *arg), void *arg);

/** home_call() on the first engine, whose objects connectors and listeners are. */
nd_status adapter_call(struct nd_adapter *adapter, nd_status (*fn)(void *arg), void *arg);

/** Execute fn(home, arg) on the thread of each engine, one after the other. */
void adapter_call_each(
	struct nd_adapter *adapter, void (*fn)(struct nd_engine *home, void *arg), void *arg);

/**
 * A call that concerns a connector, on the first engine, and its endpoint, on another one. The
 * thread that calls goes from one to the other: no engine waits. Between two stages anything may
 * happen, so finish() looks at the state again.
 */
struct call_stages {
	/** First engine. @return ND_SUCCESS, or the call ends with it; then *home is not read */
	nd_status (*prepare)(void *arg, struct nd_engine **home);
	/** The engine that prepare() has named. */
	nd_status (*execute)(void *arg);
	/** First engine, after each execute(). @return status of the call */
	nd_status (*finish)(void *arg, nd_status executed);
};

/** @return status of prepare() or of finish() */
nd_status staged_call(struct nd_adapter *adapter, const struct call_stages *stages, void *arg);

#endif
