/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_PROBE_H
#define NDPDK_ENGINE_PROBE_H

#include "engine/engine.h"
#include "rc/observe.h"

/*
 * Trace points of DPDK (rte_trace), enabled by --trace=lib.ndpdk.* of EAL. All are at rare events,
 * so they cost nothing for packets without loss. Keys are not recorded. docs/observe.md lists the
 * points with their fields.
 */

/** rc_observe_fn of each engine. */
void probe_step(const struct rc_qp *qp, enum rc_moment step, unsigned int detail);

/**
 * Record a state change of a connection or of a connection attempt. On the first engine.
 *
 * @param first first engine of the adapter; its name is recorded
 * @param qpn QPN of its endpoint; 0 = none
 * @param from, to names of states
 */
void probe_connection(const struct engine *first, uint32_t qpn, const struct wire_gid *peer,
	const char *from, const char *to);

#endif
