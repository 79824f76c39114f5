/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

/*
 * read: the initiator reads from the target's window, which has one message more than the
 * initiator has slots. Therefore a slot gets a different message each time, and --verify detects a
 * read that wrote nothing into its slot.
 */

static uint32_t
window_slots(const struct session *session)
{
	return session->slots + 1;
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){.local_slots = session->slots, .requests_per_slot = 1};
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.exposed_slots = window_slots(session),
		.windows = 1,
		.window_flags = ND_OP_FLAG_ALLOW_READ,
		.fill_exposed = true,
	};
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);
	const struct nd_sge sge = session_sge(session, session_local(session, slot));

	request->sequence = session->posted;
	request->remote_slot = session->next_remote_slot;
	if (++session->next_remote_slot == window_slots(session))
		session->next_remote_slot = 0;
	request->posted_tsc = session_posting_tsc(session);
	session_posted(session,
		nd_endpoint_read(session->link.endpoint, &request->result, &sge,
			session->size_bytes > 0, &session->remote,
			request->remote_slot * session->slot_bytes, 0),
		"read");
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (session->verify)
		session_check(session, session_local(session, request->slot), session->size_bytes,
			PATTERN_REQUEST, request->remote_slot);
	session_count(session, request, now);
}

const struct workload workload_read = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
		},
	.target =
		{
			.plan = target_plan,
		},
};
