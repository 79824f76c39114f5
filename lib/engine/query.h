/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QUERY_H
#define NDPDK_ENGINE_QUERY_H

#include "engine/control.h"

/*
 * Queries of an engine from other threads, while the engine runs. Values that are not requested
 * from the owner are read word by word, so they may be of different moments.
 */

/** State of an engine that is not in its counters. */
struct engine_state {
	/** nanoseconds since the start of its last turn, or since its creation */
	uint64_t idle_ns;
	uint64_t index_ns; /**< idle_ns if the engine is online as a reader (index.h), else 0 */
	uint32_t qps;      /**< existing queue pairs */
	uint32_t qp_slots; /**< maximum number of queue pairs */
};

/** Get the state of an engine. From any thread. */
void engine_state(const struct engine *engine, struct engine_state *state);

/** Returned by engine_qps_next() at the end. */
#define ENGINE_QPS_END UINT32_MAX

/**
 * Iterate over the queue pairs of an engine, unordered. Queue pairs that are created or destroyed
 * meanwhile may be missed. From any thread.
 *
 * @param from 0, or the last return value
 * @param qpn out, unless ENGINE_QPS_END is returned
 */
uint32_t engine_qps_next(const struct engine *engine, uint32_t from, uint32_t *qpn);

/** @return whether a queue pair with this QPN exists; any value is safe. From any thread. */
bool engine_qpn_used(const struct engine *engine, uint32_t qpn);

/** @return the queue pair with this QPN on its home, or NULL. On the engine's thread. */
struct engine_qp *engine_qp_find(const struct engine *engine, uint32_t qpn);

/** @return index of the home engine of this QPN in the group; any value is safe. */
uint32_t engine_qpn_home(const struct engine *engine, uint32_t qpn);

/** neigh_query() of its neighbours; false if it has none. On the first engine's thread. */
bool engine_neighbour(const struct engine *engine, uint32_t index, struct neigh_info *info);

#endif
