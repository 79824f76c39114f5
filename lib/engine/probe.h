/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_PROBE_H
#define NDPDK_ENGINE_PROBE_H

#include "engine/engine.h"
#include "rc/observe.h"

/*
 * Trace points of DPDK (rte_trace). EAL option --trace=lib.ndpdk.* enables them. Each trace point
 * is at a rare event, so a packet without loss pays nothing. Keys are not recorded. docs/observe.md
 * lists the trace points with their fields.
 */

/** rc_observe_fn of each engine. */
void probe_step(const struct rc_qp *qp, enum rc_moment step, unsigned int detail);

/**
 * Record a state change of a connection or of a connection attempt. On the first engine.
 *
 * @param first first engine of the adapter; its name is recorded
 * @param qpn QPN of the connection's endpoint; 0 = none
 * @param from, to names of the old and the new state
 */
void probe_connection(const struct engine *first, uint32_t qpn, const struct wire_gid *peer,
	const char *from, const char *to);

#endif
