/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CALL_H
#define NDPDK_ND_CALL_H

#include "nd/adapter.h"

/**
 * Execute fn(arg) on the thread of an engine. Unless the caller is inside a turn, also transmit
 * packets and report finished operations to their owners.
 * @return value that fn returned
 */
nd_status home_call(struct nd_engine *home, nd_status (*fn)(void *arg), void *arg);

/** home_call() on the first engine, which owns all connectors and listeners. */
nd_status adapter_call(struct nd_adapter *adapter, nd_status (*fn)(void *arg), void *arg);

/**
 * A call that concerns a connector, which is on the first engine, and its endpoint, which may be on
 * another engine. The calling thread runs the stages below on one engine after the other, and no
 * engine waits for another. The connector's state may change between two stages, so finish() checks
 * it again.
 */
struct call_stages {
	/**
	 * First stage, on the first engine.
	 * @return ND_SUCCESS, and *home is set; any other status ends the call, which returns this
	 *         status
	 */
	nd_status (*prepare)(void *arg, struct nd_engine **home);
	/** Second stage, on the engine that prepare() stored in *home. */
	nd_status (*execute)(void *arg);
	/** Last stage, on the first engine. @return status that the call returns */
	nd_status (*finish)(void *arg, nd_status executed);
};

/** Run a call in stages. @return status of prepare() if it failed, otherwise of finish() */
nd_status staged_call(struct nd_adapter *adapter, const struct call_stages *stages, void *arg);

#endif
