/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QUERY_H
#define NDPDK_ENGINE_QUERY_H

#include "engine/control.h"

/*
 * Queries of an engine's state from other threads, while the engine runs. Most values are read word
 * by word without stopping the engine, so they may belong to different moments.
 */

/** State of an engine that its counters do not contain. */
struct engine_state {
	/**
	 * Nanoseconds since the last turn began; before the first turn: since the engine was
	 * created.
	 */
	uint64_t idle_ns;
	/** Equal to idle_ns if the engine is reading the memory index (index.h), otherwise 0. */
	uint64_t index_ns;
	uint32_t qps;
	uint32_t qp_slots; /**< maximum number of queue pairs */
};

/** Get the state of an engine. From any thread. */
void engine_state(const struct engine *engine, struct engine_state *state);

/** engine_qps_next() returns this value when there are no more queue pairs. */
#define ENGINE_QPS_END UINT32_MAX

/**
 * Iterate over the queue pairs of an engine, in no particular order. Queue pairs that are created
 * or destroyed meanwhile may be missed. May be called from any thread.
 *
 * @param from 0 in the first call, then the last return value
 * @param qpn out: QPN of the queue pair, unless ENGINE_QPS_END is returned
 */
uint32_t engine_qps_next(const struct engine *engine, uint32_t from, uint32_t *qpn);

/** @return whether a queue pair with this QPN exists. Any value is safe. From any thread. */
bool engine_qpn_used(const struct engine *engine, uint32_t qpn);

/** On the home engine of a QPN: @return the queue pair with this QPN, or NULL. */
struct engine_qp *engine_qp_find(const struct engine *engine, uint32_t qpn);

/** @return index, in the group, of the engine that this QPN belongs to. Any value is safe. */
uint32_t engine_qpn_home(const struct engine *engine, uint32_t qpn);

/**
 * Call neigh_query(), on the first engine's thread. @return false: the neighbour or the table does
 * not exist
 */
bool engine_neighbour(const struct engine *engine, uint32_t index, struct neigh_info *info);

#endif
