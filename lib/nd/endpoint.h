/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENDPOINT_INTERNAL_H
#define NDPDK_ND_ENDPOINT_INTERNAL_H

#include "nd/connector.h"
#include "rc/qp_lines.h"

/**
 * Flush, destroy and free an endpoint. The connection or attempt of its connector ends. The caller
 * must own all engines of the adapter.
 */
void endpoint_close(struct nd_endpoint *endpoint);

/**
 * @return the endpoint's queue pair; only if slot.qp is set. Does not read the endpoint's memory.
 */
static inline struct rc_qp *
endpoint_qp(struct nd_endpoint *endpoint)
{
	return (struct rc_qp *)(endpoint + 1);
}

/** @return whether nd_endpoint_flush() was called. May be called from any thread. */
static inline bool
endpoint_flushing(const struct nd_endpoint *endpoint)
{
	return __atomic_load_n(&endpoint->flushing, __ATOMIC_RELAXED);
}

/**
 * @return whether requests may be posted. After an accept, this is true as soon as the first packet
 * of the peer has arrived, even if the first engine has not handled this event yet.
 */
static inline bool
endpoint_connected(const struct nd_endpoint *endpoint)
{
	enum connector_state state = __atomic_load_n(&endpoint->state, __ATOMIC_RELAXED);

	return likely(state == CONNECTOR_CONNECTED) ||
		(state == CONNECTOR_ACCEPTING && endpoint->slot.qp->peer_seen);
}

/**
 * Prefetch the cache lines that posting uses. With many endpoints, they are rarely in the cache.
 */
static inline void
endpoint_prefetch(struct nd_endpoint *endpoint)
{
	rc_qp_prefetch_requester(endpoint_qp(endpoint));
}

#endif
