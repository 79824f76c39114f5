/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_ORDER_H
#define NDPDK_NDPMD_SESSION_ORDER_H

#include "session.h"

/*
 * Operations of the server, with --bidirectional: the client tells when they begin, count, and end.
 */

/** @return whether its operations are those of the server: its queue pair is of the second half. */
static inline bool
session_is_of_server(const struct session *session)
{
	return session->bidirectional && session->qp >= session->qp_count / 2;
}

/**
 * A client's session that does not post: tell the server what to do. Does nothing once it is done.
 * @param type CONTROL_START, CONTROL_MEASURE, CONTROL_STOP or CONTROL_CUT
 * @param content NULL = nothing but the type
 */
void session_tell(
	struct session *session, enum control_type type, const struct control_message *content);

/** At the server: execute what session_tell() has sent. */
void session_take_order(struct session *session, const struct control_message *order);

#endif
