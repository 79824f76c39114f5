/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <ndpdk/nd_end.h>

#include "kit/end_words.h"

/*
 * Functions that all parts of a session use: errors, deadlines, receives, control messages,
 * schedule.
 */

void
session_fail(struct session *session, const char *format, ...)
{
	va_list list;

	if (session->state == SESSION_FAILED)
		return;
	va_start(list, format);
	vsnprintf(session->end.error, sizeof(session->end.error), format, list);
	va_end(list);
	session->state = SESSION_FAILED;
}

void
session_peer_ended(struct session *session)
{
	struct nd_end end = {.reason = ND_END_NONE};
	char words[END_WORDS_BYTES];

	session->end.peer_gone = session->state != SESSION_FAILED;
	if (session->link.connector != NULL)
		nd_connector_get_end_reason(session->link.connector, &end);
	session->end.peer_left = end.reason == ND_END_PEER_DISCONNECT;
	session_fail(session, "%s%s",
		session->initiator ? "the server ended the connection"
				   : "a client's connection ended before its run was complete",
		end_words(session->link.connector, words));
}

bool
session_posted(struct session *session, nd_status status, const char *what)
{
	if (!nd_failed(status))
		return true;
	/* ND_CONNECTION_INVALID: the connection was lost just before the request was posted. */
	if (status == ND_CONNECTION_INVALID)
		session_peer_ended(session);
	else
		session_fail(session, "%s cannot be posted on queue pair %u: %s", what,
			session->setup.qp, nd_status_name(status));
	return false;
}

void
session_set_deadline(struct session *session, uint32_t seconds)
{
	session_clear_deadline(session);
	session->deadline_tsc = stopwatch_now() + seconds * session->stopwatch->hz;
	session->completions->timed_count++;
}

void
session_clear_deadline(struct session *session)
{
	if (session->deadline_tsc == 0)
		return;
	session->deadline_tsc = 0;
	session->completions->timed_count--;
}

void
session_receive(struct session *session, struct request *request)
{
	const struct nd_sge sge = {
		session->memory.receives + (size_t)request->slot * session->memory.receive_bytes,
		session->memory.receive_bytes, session->memory.mr};

	if (session->shared != NULL)
		return; /* shared_give_back() posts it */
	session_posted(session,
		nd_endpoint_receive(session->link.endpoint, &request->result, &sge, 1), "receive");
}

bool
session_send_control(struct session *session, enum control_type type,
	const struct control_message *content, const struct nd_mw_descriptor *invalidate)
{
	struct control_message message = *content;
	struct nd_sge sge;
	struct request *request;
	uint8_t *bytes;
	nd_status status;

	if (session->memory.control_free_count == 0)
		return false;
	request = &session->memory.control_requests
			   [session->memory.control_free[--session->memory.control_free_count]];
	bytes = session->memory.controls + (size_t)request->slot * session->memory.control_bytes;
	message.magic = rte_cpu_to_be_32(CONTROL_MAGIC);
	message.type = (uint8_t)type;
	memcpy(bytes, &message, sizeof(message));
	sge = (struct nd_sge){bytes, control_length(session->setup.size_bytes), session->memory.mr};
	if (invalidate != NULL)
		status = nd_endpoint_send_and_invalidate(
			session->link.endpoint, &request->result, &sge, 1, invalidate, 0);
	else
		status = nd_endpoint_send(session->link.endpoint, &request->result, &sge, 1, 0);
	session_posted(session, status, "control message");
	return true;
}

void
session_schedule(struct session *session, const struct schedule *schedule)
{
	session->pace.schedule = *schedule;
	session->pace.schedule_from = session->tally.posted;
}

uint64_t
session_due_count(const struct session *session, uint64_t now)
{
	const uint64_t posted = session->tally.posted - session->pace.schedule_from;
	uint64_t due;

	if (session->pace.schedule.period == 0)
		return UINT64_MAX;
	due = schedule_due_count(&session->pace.schedule, now);
	return due > posted ? due - posted : 0;
}
