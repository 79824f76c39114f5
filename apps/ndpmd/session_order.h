/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_ORDER_H
#define NDPDK_NDPMD_SESSION_ORDER_H

#include "session.h"

/*
 * Orders of the client to a server that posts (--bidirectional): when operations begin, are
 * measured, and end.
 */

/** @return whether the server posts on this session: the queue pair is in the second half. */
static inline bool
session_is_of_server(const struct session *session)
{
	return session->setup.bidirectional && session->setup.qp >= session->setup.qp_count / 2;
}

/**
 * Send an order to the server, on a client's session that does not post. Does nothing after the
 * server is done.
 * @param type CONTROL_START, CONTROL_MEASURE, CONTROL_STOP or CONTROL_CUT
 * @param content content of the message; NULL = none
 */
void session_tell(
	struct session *session, enum control_type type, const struct control_message *content);

/** Server: execute an order of session_tell(). */
void session_take_order(struct session *session, const struct control_message *order);

#endif
