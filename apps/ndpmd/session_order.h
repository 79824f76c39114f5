/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_ORDER_H
#define NDPDK_NDPMD_SESSION_ORDER_H

#include "session.h"

/*
 * Orders: control messages of the client to a server that posts (--bidirectional). An order starts
 * operations, starts their measurement, or ends them.
 */

/** @return true if the session's queue pair is in the second half, on which the server posts */
static inline bool
session_is_of_server(const struct session *session)
{
	return session->setup.bidirectional && session->setup.qp >= session->setup.qp_count / 2;
}

/**
 * Client: send an order on a session on which the server posts. Does nothing after the server has
 * sent done.
 * @param type CONTROL_START, CONTROL_MEASURE, CONTROL_STOP or CONTROL_CUT
 * @param content members of the message; NULL = only the type
 */
void session_tell(
	struct session *session, enum control_type type, const struct control_message *content);

/** Server: execute an order that the client has sent with session_tell(). */
void session_take_order(struct session *session, const struct control_message *order);

#endif
