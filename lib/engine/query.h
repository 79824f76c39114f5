/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QUERY_H
#define NDPDK_ENGINE_QUERY_H

#include "engine/control.h"

/*
 * What threads that look inside learn of an engine. It goes on meanwhile: what it does not ask its
 * owner for is read word by word, each as it is at that moment.
 */

/** What the counters do not say. */
struct engine_state {
	uint64_t idle_ns;  /**< since its last turn began, or since it was made */
	uint64_t index_ns; /**< idle_ns while the engine is online as a reader: index.h; else 0 */
	uint32_t qps;      /**< queue pairs that have been made and not destroyed */
	uint32_t qp_slots; /**< how many of them there may be */
};

/** From any thread. */
void engine_state(const struct engine *engine, struct engine_state *state);

/** For the parameter from of engine_qps_next(): there are no further ones. */
#define ENGINE_QPS_END UINT32_MAX

/**
 * Go over the queue pairs of an engine, in no order. Those that come or go meanwhile may be missed.
 * From any thread.
 *
 * @param from 0, or what the last call returned
 * @param qpn out, unless ENGINE_QPS_END is returned
 */
uint32_t engine_qps_next(const struct engine *engine, uint32_t from, uint32_t *qpn);

/** @return whether there is a queue pair of this number; any value is safe. From any thread. */
bool engine_qpn_used(const struct engine *engine, uint32_t qpn);

/** @return the queue pair of this number on its home, or NULL. On the engine's thread. */
struct engine_qp *engine_qp_find(const struct engine *engine, uint32_t qpn);

/** @return the engine of the group that a queue pair of this number lives on; any value is safe. */
uint32_t engine_qpn_home(const struct engine *engine, uint32_t qpn);

/** neigh_query() of its neighbours; false if it has none. On the first engine's thread. */
bool engine_neighbour(const struct engine *engine, uint32_t index, struct neigh_info *info);

#endif
