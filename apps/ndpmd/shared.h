/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SHARED_H
#define NDPDK_NDPMD_SHARED_H

#include <stdint.h>

#include <ndpdk/nd.h>

#include "session.h"

/*
 * --srq: one receive queue for all sessions of an engine. The server owns the memory of the
 * receives, because a session may end while messages of its peer still arrive. The requests belong
 * to no session. The result of a receive contains the endpoint's context, which identifies the
 * session.
 */

struct shared_receives {
	struct nd_adapter *adapter;
	struct nd_srq *srq;
	struct nd_mr *mr;
	uint8_t *memory;
	struct request *requests;
	uint32_t bytes; /**< size of each receive */
};

/**
 * Create the queue and post all receives.
 * @param count number of receives
 * @param size_bytes size of the largest message of an operation
 * @return ND_SUCCESS; after a failure, all objects are released
 */
nd_status shared_open(struct shared_receives *shared, struct nd_adapter *adapter,
	const struct nd_engine *engine, uint32_t count, uint32_t size_bytes);

/**
 * Release everything. All endpoints must have been released. Does nothing if shared is not open.
 */
void shared_close(struct shared_receives *shared);

/**
 * If the request is a shared receive, post the request again. Call this function after the message
 * of the receive was processed.
 */
void shared_give_back(struct session *session, struct request *request);

/** @return address of the message that has arrived in a receive. */
static inline const uint8_t *
shared_message(const struct session *session, const struct request *receive)
{
	if (session->shared != NULL)
		return session->shared->memory + (size_t)receive->slot * session->shared->bytes;
	return session->memory.receives + (size_t)receive->slot * session->memory.receive_bytes;
}

#endif
