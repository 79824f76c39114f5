/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_OPS_H
#define NDPDK_ENGINE_OPS_H

#include <rte_mbuf.h>

#include "cm/cm.h"
#include "rc/qp.h"

struct engine_qp;

/** Functions of the layer above that the engine calls for events, on the engine's thread. */
struct engine_ops {
	/**
	 * Called once per event, in the order of enum rc_event, on the first engine. No transport
	 * code is on the stack. The function may call engine_qp_stop(), but must not destroy the
	 * queue pair. RC_EVENT_REFUSED is never passed.
	 */
	void (*qp_event)(void *arg, struct engine_qp *slot, enum rc_event event);
	void (*cm_event)(void *arg, struct cm_id *id, const struct cm_event *event);
	/**
	 * Called at the end of each turn and of each control call. No transport code is on the
	 * stack.
	 */
	void (*settle)(void *arg);
	/**
	 * Called at the end of a turn, with frames that are not only for the engine, or not for the
	 * engine at all (for example fragments, ICMP). The function owns the mbufs. NULL: such
	 * frames are dropped and counted.
	 */
	void (*others)(void *arg, struct rte_mbuf **mbufs, uint16_t count);
	void *arg;
};

#endif
