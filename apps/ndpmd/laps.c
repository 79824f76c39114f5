/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "laps.h"

static bool
is_used(const struct session *session)
{
	return session->setup.verify && !session->setup.latency;
}

static void
tell(struct session *session, enum control_type type, uint64_t count)
{
	const struct control_message message = {.count = rte_cpu_to_be_64(count)};

	if (!session_send_control(session, type, &message, NULL))
		session_fail(session, "no control message buffer is free for a check");
}

void
laps_posted(struct session *session, uint32_t slot)
{
	if (!is_used(session))
		return;
	if (session->tally.posted == 0)
		session->pace.ceiling = laps_slots(session);
	if (slot == session->memory.slots - 1)
		tell(session, CONTROL_CHECK, session->tally.posted + 1);
}

/* Verify the operations that are not verified yet, from the oldest one to number count. */
static void
check(struct session *session, uint64_t count)
{
	if (count < session->tally.checked ||
		count - session->tally.checked > laps_slots(session)) {
		session_fail(session,
			"the client requested a check of messages that it cannot have written");
		return;
	}
	for (; session->tally.checked < count; session->tally.checked++)
		session->role->check(session, session->tally.checked);
}

void
laps_control(struct session *session, const struct control_message *message, uint64_t now)
{
	const uint64_t count = rte_be_to_cpu_64(message->count);

	(void)now;
	if (message->type == CONTROL_CHECKED && session->posts) {
		session->pace.ceiling = count + laps_slots(session);
	} else if (message->type == CONTROL_CHECK && !session->posts && is_used(session)) {
		check(session, count);
		if (session->state == SESSION_RUNNING)
			tell(session, CONTROL_CHECKED, count);
	} else {
		session_fail(session, "the %s sent the unexpected control message %u",
			session->initiator ? "server" : "client", message->type);
	}
}

void
laps_done(struct session *session, uint64_t count)
{
	if (is_used(session))
		check(session, count);
}
