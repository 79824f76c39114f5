/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_SRQ_INTERNAL_H
#define NDPDK_ND_SRQ_INTERNAL_H

#include "nd/adapter.h"
#include "rc/srq.h"

struct nd_srq {
	struct rc_srq rc;
	struct nd_engine *home;
	struct base_list node;     /**< in home->srqs */
	struct base_list notifies; /**< pending nd_srq_notify() operations */
	uint32_t endpoints;        /**< number of endpoints that use this queue */
};

/** Finish pending notifications with ND_CANCELED. */
void srq_cancel(struct nd_srq *srq);

/** Free the queue. Pending notifications end with ND_CANCELED. */
void srq_close(struct nd_srq *srq);

#endif
