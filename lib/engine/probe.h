/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_PROBE_H
#define NDPDK_ENGINE_PROBE_H

#include "engine/engine.h"
#include "rc/observe.h"

/*
 * Points of DPDK's trace (rte_trace), which --trace=lib.ndpdk.* of EAL enables. All of them are at
 * what seldom happens, so that nothing of them is on the way of a packet without loss. Keys are not
 * told. docs/observe.md has the points with their members.
 */

/** rc_observe_fn of each engine. */
void probe_step(const struct rc_qp *qp, enum rc_moment step, unsigned int detail);

/**
 * A connection, or an attempt to make one, is in another state. On the first engine.
 *
 * @param first engine of the adapter, whose name is told
 * @param qpn of its endpoint; 0 = it has none
 * @param from, to names of states
 */
void probe_connection(const struct engine *first, uint32_t qpn, const struct wire_gid *peer,
	const char *from, const char *to);

#endif
