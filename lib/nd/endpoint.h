/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENDPOINT_INTERNAL_H
#define NDPDK_ND_ENDPOINT_INTERNAL_H

#include "nd/connector.h"

/** Flush, destroy and free an endpoint; the connection or attempt of its connector ends. */
void endpoint_close(struct nd_endpoint *endpoint);

/** Ask for the lines that posting will need: among many endpoints none of them is in the cache. */
static inline void
endpoint_prefetch(const struct nd_endpoint *endpoint)
{
	rc_qp_prefetch(endpoint->slot.qp);
	rte_prefetch0(endpoint->connector);
}

#endif
