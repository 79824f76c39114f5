/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SHARED_H
#define NDPDK_NDPMD_SHARED_H

#include <stdint.h>

#include <ndpdk/nd.h>

#include "session.h"

/*
 * --srq: receives that all sessions of an engine take from one queue. Their memory is the server's,
 * since a session may end while its peers' messages come in. A request of them has no session: the
 * endpoint's context in its result says whose message it has.
 */

struct shared_receives {
	struct nd_adapter *adapter;
	struct nd_srq *srq;
	struct nd_mr *mr;
	uint8_t *memory;
	struct request *requests;
	uint32_t bytes; /**< of each */
};

/**
 * Make the queue and post all of its receives.
 * @param count of receives; @param size_bytes of the largest message of an operation
 * @return ND_SUCCESS, or why not: then nothing is left
 */
nd_status shared_open(struct shared_receives *shared, struct nd_adapter *adapter,
	const struct nd_engine *engine, uint32_t count, uint32_t size_bytes);

/** Release everything; all endpoints are gone. Does nothing when it is not open. */
void shared_close(struct shared_receives *shared);

/** The message of a receive has been handled: post it again, if it is a shared one. */
void shared_give_back(struct session *session, struct request *request);

/** @return where the message of a receive is. */
static inline const uint8_t *
shared_message(const struct session *session, const struct request *receive)
{
	if (session->shared != NULL)
		return session->shared->memory + (size_t)receive->slot * session->shared->bytes;
	return session->receives + (size_t)receive->slot * session->receive_bytes;
}

#endif
