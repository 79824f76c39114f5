/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_extension.h>

#include "operation.h"

#include <stdio.h>
#include <string.h>

/*
 * read, fetch-add and compare-swap: the target's engine returns data in its response.
 *
 * read: the target's window has one message more than the initiator has slots. So a slot gets a
 * different message each time, and --verify detects a read that wrote nothing into its slot.
 *
 * fetch-add and compare-swap: the initiator changes one word in the target's window. Requests are
 * executed in order, and nothing else writes the word. So the word's value after n operations is
 * known, and so is the value that each request returns. With --verify the initiator compares each
 * returned value. If a request was executed twice or not at all, the value of the next request is
 * wrong. At the end the target checks the final value. Every fourth compare-swap compares with a
 * wrong value, and must not change the word.
 */

/* Difference between two values of the word. Odd, so that every bit of the word changes. */
#define STEP         UINT64_C(0x9e3779b97f4a7c15)
#define REFUSED_EACH 4

static uint32_t
window_slots(const struct session *session)
{
	return session->setup.op == OPTIONS_OP_READ ? session->memory.slots + 1 : 1;
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.local_slots = session->memory.slots, .requests_per_slot = 1};
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	const bool is_read = session->setup.op == OPTIONS_OP_READ;

	*plan = (struct workload_plan){
		.exposed_slots = window_slots(session),
		.windows = 1,
		.window_flags = is_read ? ND_OP_FLAG_ALLOW_READ : ND_OP_FLAG_ALLOW_ATOMIC,
		.fill_exposed = is_read,
	};
}

/* @return value of the word after count operations. The initial value is 0. */
static uint64_t
word_after(const struct session *session, uint64_t count)
{
	if (session->setup.op == OPTIONS_OP_FETCH_ADD)
		return count * STEP;
	return (count - count / REFUSED_EACH) * STEP;
}

static bool
is_refused(uint64_t sequence)
{
	return sequence % REFUSED_EACH == REFUSED_EACH - 1;
}

static nd_status
post_atomic(struct session *session, struct request *request)
{
	const struct nd_sge sge = session_sge(session, session_local(session, request->slot));
	const uint64_t present = word_after(session, request->sequence);
	const uint64_t compare = is_refused(request->sequence) ? ~present : present;

	request->posted_tsc = operation_posting_tsc(session);
	if (session->setup.op == OPTIONS_OP_FETCH_ADD)
		return nd_endpoint_fetch_and_add(session->link.endpoint, &request->result, &sge,
			&session->remote, 0, STEP, 0);
	return nd_endpoint_compare_and_swap(session->link.endpoint, &request->result, &sge,
		&session->remote, 0, compare, present + STEP, 0);
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);

	request->sequence = session->tally.posted;
	if (session->setup.op == OPTIONS_OP_READ) {
		request->remote_slot = operation_take_remote_slot(session, window_slots(session));
		operation_post(session, request, session->setup.op);
	} else {
		session_posted(
			session, post_atomic(session, request), options_op_name(session->setup.op));
	}
}

static void
check_word(struct session *session, const uint8_t *bytes, uint64_t count)
{
	const uint64_t expected = word_after(session, count);
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	if (word == expected)
		return;
	if (session->tally.errors++ == 0)
		fprintf(stderr,
			"ndpmd: %s on queue pair %u: value 0x%llx after %llu operations, "
			"expected 0x%llx\n",
			options_op_name(session->setup.op), session->setup.qp,
			(unsigned long long)word, (unsigned long long)count,
			(unsigned long long)expected);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	const uint8_t *bytes = session_local(session, request->slot);

	if (session->setup.verify && session->setup.op == OPTIONS_OP_READ)
		operation_check(session, bytes, session->setup.size_bytes, PATTERN_REQUEST,
			request->remote_slot);
	else if (session->setup.verify)
		check_word(session, bytes, request->sequence);
	operation_count(session, request, now);
}

static void
target_done(struct session *session, uint64_t count)
{
	if (session->setup.verify && session->setup.op != OPTIONS_OP_READ)
		check_word(session, session_exposed(session, 0), count);
}

const struct workload workload_fetch = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
		},
	.target =
		{
			.plan = target_plan,
			.done = target_done,
		},
};
