/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CQ_INTERNAL_H
#define NDPDK_ND_CQ_INTERNAL_H

#include "nd/adapter.h"
#include "rc/cq.h"

struct nd_cq {
	struct rc_cq rc;
	struct nd_engine *home;
	struct base_list node;     /**< of its home's queues */
	struct base_list notifies; /**< pending nd_cq_notify() */
	uint32_t endpoints;        /**< endpoints that use it */
	bool fired;                /**< notified() was called since the last nd_cq_notify() */
};

/**
 * Drop the invalidate results of released windows from the queue, because the application may have
 * freed them. On the thread that takes results.
 */
void cq_forget_windows(struct nd_cq *cq);

/** End its pending notifications with ND_CANCELED. */
void cq_cancel(struct nd_cq *cq);

/** Free it; pending notifications end with ND_CANCELED. */
void cq_close(struct nd_cq *cq);

#endif
