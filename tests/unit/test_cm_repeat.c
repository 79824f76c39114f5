/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/repeat.h"
#include "test_cm_pair.h"

/*
 * Test how often a message is sent, and when its sender gives up. The output may be full, the peer
 * may grant more or less time than our own tries need, and the last message may be lost.
 */

/* sum of the 8 waits for an answer: 250 ms, doubled each time up to 2 s */
#define PLAN_NS     (11750 * MS)
#define LINUX_CODE  20 /* response timeout code in REQs from Linux; means 4.3 s */
#define LINUX_TRIES 16

static void
check_state(const struct cm_id *id, enum cm_state expected)
{
	cr_assert_eq(cm_id_state(id), expected, "state %d, expected %d", cm_id_state(id), expected);
}

static uint64_t
sent_of(const struct end *end, enum wire_cm_attribute attribute)
{
	return cm_counters(end->cm)->tx[attribute - WIRE_CM_REQ];
}

static struct wire_cm_msg
linux_req(struct link *link, struct cm_id **id)
{
	struct wire_cm_msg req;

	*id = link_connect(link, 0, QPN_ACTIVE);
	req = *end_last(&link->end[0]);
	link->flight_count = 0;
	req.req.local_cm_timeout = LINUX_CODE;
	req.req.remote_cm_timeout = LINUX_CODE;
	req.req.max_cm_retries = LINUX_TRIES - 1;
	req.req.ack_timeout = 17;
	return req;
}

Test(cm_repeat, tries_count_when_they_are_sent)
{
	static const uint64_t at_ms[] = {0, 250, 750, 1750, 3750, 5750, 7750, 9750};
	struct link *link = link_start(1, NULL);
	struct end *end = &link->end[0];
	uint64_t start_ns;
	struct cm_id *id;

	link->cut = true;
	end->full = true;
	id = link_connect(link, 0, QPN_ACTIVE);
	link_run(link, 11000 * MS);
	cr_assert_eq(end->sent_count, 0);
	cr_assert_eq(sent_of(end, WIRE_CM_REQ), 0);
	end->full = false;
	link_run(link, PLAN_NS - 20 * MS);
	check_state(id, CM_REQ_SENT);
	link_run(link, 40 * MS);
	cr_assert_eq(end_event_id(end, CM_EVENT_UNREACHABLE), id);
	cr_assert_eq(sent_of(end, WIRE_CM_REQ), 8);
	start_ns = end->sent_ns[0];
	for (unsigned int i = 0; i < RTE_DIM(at_ms); i++)
		cr_assert_eq(end->sent_ns[i] - start_ns, at_ms[i] * MS, "REQ %u", i);
	cr_assert_eq(cm_counters(end->cm)->retransmissions, 7);
	link_stop(link);
}

Test(cm_repeat, repeat_that_finds_no_room_is_made_up_for)
{
	struct link *link = link_start(2, NULL);
	struct end *end = &link->end[0];
	struct cm_id *id;

	link->cut = true;
	id = link_connect(link, 0, QPN_ACTIVE);
	link_run(link, 200 * MS);
	end->full = true;
	link_run(link, 5000 * MS);
	end->full = false;
	link_run(link, 20000 * MS);
	cr_assert_eq(end_event_id(end, CM_EVENT_UNREACHABLE), id);
	cr_assert_eq(sent_of(end, WIRE_CM_REQ), 8);
	link_stop(link);
}

Test(cm_repeat, full_output_gives_up_in_twice_the_time)
{
	struct link *link = link_start(3, NULL);
	struct end *end = &link->end[0];
	struct cm_id *ids[2], *other;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	end->full = true;
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	other = link_connect(link, 0, QPN_ACTIVE + 1);
	link_run(link, 2 * PLAN_NS - 1);
	check_state(ids[0], CM_DREQ_SENT);
	check_state(other, CM_REQ_SENT);
	link_run(link, 1);
	check_state(ids[0], CM_TIMEWAIT);
	cr_assert_eq(end_events_of(end, CM_EVENT_DISCONNECT_DONE), 1);
	cr_assert_eq(end_events_of(end, CM_EVENT_UNREACHABLE), 1);
	cr_assert_eq(sent_of(end, WIRE_CM_DREQ), 0);
	cr_assert_eq(cm_counters(end->cm)->retransmissions, 0);
	cr_assert_lt(end->refused_count, 2 * 2 * PLAN_NS / (10 * MS) + 8);
	link_stop(link);
}

Test(cm_repeat, disconnect_leaves_when_there_is_room_again)
{
	struct link *link = link_start(4, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	link->end[0].full = true;
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	link_run(link, 15000 * MS);
	check_state(ids[1], CM_ESTABLISHED);
	link->end[0].full = false;
	link_run(link, 11 * MS);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_DISCONNECTED), ids[1]);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_DISCONNECT_DONE), ids[0]);
	link_stop(link);
}

struct grant {
	uint8_t timeout;
	uint8_t retries;
	uint64_t gives_up_ns;
	uint32_t reps;
};

static void
check_grant(const struct grant *grant, uint64_t seed)
{
	struct link *link = link_start(seed, NULL);
	struct end *passive = &link->end[1];
	struct wire_cm_msg req;
	struct cm_id *ids[2], *id;
	uint64_t reps;

	link_listen(link, 1, 0);
	/* The connection proves the source, so retransmissions are not withheld. */
	pair_establish(link, ids);
	reps = sent_of(passive, WIRE_CM_REP);
	req = linux_req(link, &id);
	link->cut = true;
	req.req.local_qpn++;
	req.req.local_cm_timeout = grant->timeout;
	req.req.max_cm_retries = grant->retries;
	end_take(passive, &req);
	id = end_event_id(passive, CM_EVENT_REQUEST);
	pair_accept(link, id, QPN_PASSIVE + 1);
	link_run(link, grant->gives_up_ns - 1);
	check_state(id, CM_REP_SENT);
	reps = sent_of(passive, WIRE_CM_REP) - reps;
	cr_assert_eq(reps, grant->reps, "code %u: %lu REPs", grant->timeout, reps);
	link_run(link, 1);
	cr_assert_eq(end_event_id(passive, CM_EVENT_UNREACHABLE), id);
	cr_assert_eq(end_last(passive)->rej.reason, WIRE_REJ_TIMEOUT);
	link_stop(link);
}

Test(cm_repeat, rep_waits_for_the_rtu_as_long_as_the_req_grants)
{
	const uint64_t second_ns = UINT64_C(4096) << 18;
	const struct grant grants[] = {
		{LINUX_CODE, 15, UINT64_C(4096) << 24, 8}, /* Linux: 68.7 s */
		{19, 15, 32 * second_ns, 8},               /* a REQ from ndpdk grants 34 s */
		{18, 3, 4 * second_ns, 4},
		{31, 15, UINT64_C(4096) << 24, 8}, /* codes above the maximum grant 68.7 s */
		/* a shorter grant is extended to the time of our own tries */
		{14, 7, PLAN_NS, 8},
		{0, 0, 250 * MS, 1},
	};

	for (unsigned int i = 0; i < RTE_DIM(grants); i++)
		check_grant(&grants[i], 10 + i);
}

/*
 * If the RTU is lost, the passive side gives up and sends a REJ. The REJ ends the active side,
 * although it is established.
 */
Test(cm_repeat, rej_behind_a_lost_rtu_ends_the_established_side)
{
	struct link *link = link_start(21, NULL);
	struct end *active = &link->end[0];
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	active->mute = true;
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	check_state(ids[0], CM_ESTABLISHED);
	link_run(link, 40000 * MS);
	cr_assert_eq(end_events_of(&link->end[1], CM_EVENT_UNREACHABLE), 1);
	cr_assert_eq(end_event_id(active, CM_EVENT_DISCONNECTED), ids[0]);
	cr_assert_eq(active->events[active->event_count - 1].reject_reason, WIRE_REJ_TIMEOUT);
	link_stop(link);
}

/*
 * The application has not answered a REQ in time, and the REJ was lost. The peer waits for the time
 * that the MRA grants, and retransmits its REQ. The REQ is refused again.
 */
Test(cm_repeat, req_after_the_timeout_rej_is_refused_again)
{
	struct link *link = link_start(22, NULL);
	struct end *passive = &link->end[1];
	struct wire_cm_msg req;
	struct cm_id *id;

	link_listen(link, 1, 0);
	req = linux_req(link, &id);
	link->cut = true;
	end_take(passive, &req);
	link_run(link, 4608 * MS);
	end_take(passive, &req);
	cr_assert_eq(end_last(passive)->attribute, WIRE_CM_MRA);
	link_run(link, 56000 * MS);
	cr_assert_eq(end_last(passive)->attribute, WIRE_CM_REJ);
	cr_assert_eq(end_events_of(passive, CM_EVENT_ABORTED), 1);
	cm_release(passive->events[0].id, link->now_ns);
	link_run(link, 17000 * MS); /* now 68.7 s + 4.6 s have passed since the MRA */
	end_take(passive, &req);
	cr_assert_eq(end_events_of(passive, CM_EVENT_REQUEST), 1, "the application is asked twice");
	cr_assert_eq(end_last(passive)->attribute, WIRE_CM_REJ);
	cr_assert_eq(end_last(passive)->rej.reason, WIRE_REJ_TIMEOUT);
	link_run(link, 4608 * MS);
	end_take(passive, &req);
	cr_assert_eq(end_events_of(passive, CM_EVENT_REQUEST), 1);
	link_run(link, 5000 * MS);
	cr_assert_eq(cm_id_count(passive->cm), 0);
	link_stop(link);
}

Test(cm_repeat, req_after_a_lost_rej_of_the_application_is_refused_again)
{
	struct link *link = link_start(23, NULL);
	struct end *passive = &link->end[1];
	struct wire_cm_msg req;
	struct cm_id *id;

	link_listen(link, 1, 0);
	req = linux_req(link, &id);
	link->cut = true;
	end_take(passive, &req);
	cr_assert_eq(cm_reject(passive->events[0].id, "no", 2, link->now_ns), RC_OK);
	cm_release(passive->events[0].id, link->now_ns);
	link_run(link, 4608 * MS);
	end_take(passive, &req);
	cr_assert_eq(end_events_of(passive, CM_EVENT_REQUEST), 1, "the application is asked twice");
	cr_assert_eq(end_last(passive)->rej.reason, WIRE_REJ_CONSUMER);
	link_stop(link);
}

Test(cm_repeat, half_full_table_forgets_refusals_early)
{
	struct cm_config config = {.id_max = 4};
	struct link *link = link_start(24, &config);
	struct end *passive = &link->end[1];
	struct wire_cm_msg req;
	struct cm_id *id;

	link_listen(link, 1, 0);
	req = linux_req(link, &id);
	link->cut = true;
	for (unsigned int i = 0; i < 3; i++) {
		req.local_comm_id++;
		req.req.local_qpn++;
		end_take(passive, &req);
		id = end_event_id(passive, CM_EVENT_REQUEST);
		cr_assert_eq(cm_reject(id, NULL, 0, link->now_ns), RC_OK);
		cm_release(id, link->now_ns);
	}
	link_run(link, 1001 * MS);
	cr_assert_eq(cm_id_count(passive->cm), 2);
	link_run(link, 5000 * MS);
	cr_assert_eq(cm_id_count(passive->cm), 0);
	link_stop(link);
}
