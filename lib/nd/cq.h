/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CQ_INTERNAL_H
#define NDPDK_ND_CQ_INTERNAL_H

#include "nd/adapter.h"
#include "rc/cq.h"

struct nd_cq {
	struct rc_cq rc;
	struct nd_engine *home;
	struct base_list node;     /**< in home->cqs */
	struct base_list notifies; /**< pending nd_cq_notify() operations */
	uint32_t endpoints;        /**< number of endpoints that use this queue */
	bool fired;                /**< true: a notification was sent; cleared by nd_cq_notify() */
};

/**
 * Remove the invalidate results of released windows from the queue, because the application may
 * have freed the result structures. Called on the thread that takes results.
 */
void cq_forget_windows(struct nd_cq *cq);

/** Finish pending notifications with ND_CANCELED. */
void cq_cancel(struct nd_cq *cq);

/** Free the queue. Pending notifications end with ND_CANCELED. */
void cq_close(struct nd_cq *cq);

#endif
