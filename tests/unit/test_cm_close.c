/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "test_cm_pair.h"

/* Test how connections end: DREQ and DREP, stale connections, and cm_release() in each state. */

static void
check_state(const struct cm_id *id, enum cm_state expected)
{
	cr_assert_eq(cm_id_state(id), expected, "state %d, expected %d", cm_id_state(id), expected);
}

static void
finish(struct link *link, struct cm_id *ids[2])
{
	cm_release(ids[0], link->now_ns);
	cm_release(ids[1], link->now_ns);
	link_run(link, 20000 * MS);
	pair_check_empty(link);
}

Test(cm_close, disconnect_from_either_side_ends_both)
{
	for (unsigned int side = 0; side < 2; side++) {
		struct link *link = link_start(1 + side, NULL);
		struct cm_id *ids[2];

		link_listen(link, 1, 0);
		pair_establish(link, ids);
		cr_assert_eq(cm_disconnect(ids[side], link->now_ns), RC_OK);
		check_state(ids[side], CM_DREQ_SENT);
		/* IBTA: a DREQ has a new transaction ID, and the DREP repeats this ID. */
		cr_assert_neq(end_last(&link->end[side])->transaction_id,
			link->end[0].sent[0].transaction_id);
		link_run(link, 1);
		cr_assert_eq(end_last(&link->end[1 - side])->attribute, WIRE_CM_DREP);
		cr_assert_eq(end_last(&link->end[1 - side])->transaction_id,
			end_last(&link->end[side])->transaction_id);
		cr_assert_eq(end_event_id(&link->end[side], CM_EVENT_DISCONNECT_DONE), ids[side]);
		cr_assert_eq(
			end_event_id(&link->end[1 - side], CM_EVENT_DISCONNECTED), ids[1 - side]);
		check_state(ids[0], CM_TIMEWAIT);
		check_state(ids[1], CM_TIMEWAIT);
		cr_assert_eq(cm_disconnect(ids[1 - side], link->now_ns), RC_NOT_CONNECTED);
		cr_assert(cm_qpn_resting(link->end[0].cm, QPN_ACTIVE));
		cr_assert(cm_qpn_resting(link->end[1].cm, QPN_PASSIVE));
		link_run(link, 1001 * MS);
		cr_assert_not(cm_qpn_resting(link->end[0].cm, QPN_ACTIVE));
		cr_assert_not(cm_qpn_resting(link->end[1].cm, QPN_PASSIVE));
		check_state(ids[0], CM_IDLE);
		finish(link, ids);
	}
}

/* CM-006, ND-202: if both sides send a DREQ at the same time, each answers, and both end. */
Test(cm_close, crossing_dreqs_are_both_answered)
{
	struct link *link = link_start(3, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	cr_assert_eq(cm_disconnect(ids[1], link->now_ns), RC_OK);
	link_run(link, 1);
	for (unsigned int side = 0; side < 2; side++) {
		const struct cm_counters *counters = cm_counters(link->end[side].cm);

		cr_assert_eq(counters->tx[WIRE_CM_DREP - WIRE_CM_REQ], 1);
		cr_assert_eq(end_events_of(&link->end[side], CM_EVENT_DISCONNECT_DONE), 1);
		cr_assert_eq(end_events_of(&link->end[side], CM_EVENT_DISCONNECTED), 0);
	}
	finish(link, ids);
}

Test(cm_close, dreq_without_answer_ends_after_its_repeats)
{
	struct link *link = link_start(4, NULL);
	struct end *end = &link->end[0];
	struct cm_id *ids[2];
	uint32_t first;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	link->cut = true;
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	first = end->sent_count - 1;
	link_run(link, 11000 * MS);
	cr_assert_eq(end_events_of(end, CM_EVENT_DISCONNECT_DONE), 0);
	link_run(link, 1000 * MS);
	cr_assert_eq(end_event_id(end, CM_EVENT_DISCONNECT_DONE), ids[0]);
	cr_assert_eq(end->sent_count - first, 8);
	for (uint32_t i = first; i < end->sent_count; i++)
		cr_assert_eq(memcmp(&end->sent[i], &end->sent[first], sizeof(end->sent[i])), 0);
	finish(link, ids);
}

/*
 * CM-007: a DREQ is answered in TIMEWAIT. SEC-044: without a record, 1000 per second are answered.
 */
Test(cm_close, dreq_is_answered_for_ever_but_not_without_limit)
{
	struct link *link = link_start(5, NULL);
	struct end *passive = &link->end[1];
	struct wire_cm_msg dreq;
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	dreq = *end_last(&link->end[0]);
	link_run(link, 1);
	end_take(passive, &dreq);
	cr_assert_eq(cm_counters(passive->cm)->tx[WIRE_CM_DREP - WIRE_CM_REQ], 2);
	cm_release(ids[0], link->now_ns);
	cm_release(ids[1], link->now_ns);
	link_run(link, 2000 * MS);
	cr_assert_eq(cm_id_count(passive->cm), 0);
	for (unsigned int i = 0; i < 5000; i++) {
		end_take(passive, &dreq);
		link->flight_count = 0;
	}
	cr_assert_eq(cm_counters(passive->cm)->tx[WIRE_CM_DREP - WIRE_CM_REQ], 1002);
	cr_assert_eq(cm_counters(passive->cm)->drop_unanswered, 4000);
	cr_assert_eq(end_last(passive)->local_comm_id, dreq.remote_comm_id);
	cr_assert_eq(end_last(passive)->remote_comm_id, dreq.local_comm_id);
	cr_assert_eq(end_last(passive)->transaction_id, dreq.transaction_id);
	link->now_ns += 100 * MS;
	for (unsigned int i = 0; i < 500; i++) {
		end_take(passive, &dreq);
		link->flight_count = 0;
	}
	cr_assert_eq(cm_counters(passive->cm)->tx[WIRE_CM_DREP - WIRE_CM_REQ], 1102);
	pair_check_empty(link);
}

/* IBTA: a DREQ in state REP_SENT shows that the peer is established, and that its RTU was lost. */
Test(cm_close, dreq_in_rep_sent_is_established_and_disconnected)
{
	struct link *link = link_start(6, NULL);
	struct end *passive = &link->end[1];
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	link->cut = true;
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link->cut = false;
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	cr_assert_eq(passive->event_count, 3);
	cr_assert_eq(passive->events[1].kind, CM_EVENT_ESTABLISHED);
	cr_assert_eq(passive->events[2].kind, CM_EVENT_DISCONNECTED);
	cr_assert_eq(end_events_of(&link->end[0], CM_EVENT_DISCONNECT_DONE), 1);
	/* CM-013: the RTU arrives late. */
	end_take(passive, &link->end[0].sent[1]);
	cr_assert_eq(passive->event_count, 3);
	finish(link, ids);
}

/*
 * The passive side disconnects directly after cm_accept(). In the first case the REP has arrived;
 * in the second case it was lost.
 */
Test(cm_close, disconnect_in_rep_sent_reaches_the_active_side)
{
	struct link *link = link_start(7, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	cr_assert_eq(cm_disconnect(ids[1], link->now_ns), RC_OK);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_DISCONNECTED), ids[0]);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_DISCONNECT_DONE), ids[1]);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_NOT_CONNECTED);
	cm_release(ids[0], link->now_ns);
	cm_release(ids[1], link->now_ns);
	link_run(link, 2000 * MS);

	pair_request(link, ids);
	link->cut = true;
	pair_accept(link, ids[1], QPN_PASSIVE);
	link->cut = false;
	cr_assert_eq(cm_disconnect(ids[1], link->now_ns), RC_OK);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_REJECTED), ids[0]);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_DISCONNECT_DONE), ids[1]);
	finish(link, ids);
}

Test(cm_close, rej_of_an_established_connection_disconnects)
{
	struct link *link = link_start(8, NULL);
	struct wire_cm_msg rej = {.attribute = WIRE_CM_REJ};
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	rej.local_comm_id = link->end[1].sent[0].local_comm_id;
	rej.remote_comm_id = link->end[1].sent[0].remote_comm_id;
	rej.rej.reason = WIRE_REJ_TIMEOUT;
	end_take(&link->end[0], &rej);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_DISCONNECTED), ids[0]);
	cr_assert_eq(link->end[0].events[1].reject_reason, WIRE_REJ_TIMEOUT);
	end_take(&link->end[0], &rej);
	cr_assert_eq(link->end[0].event_count, 2);
	finish(link, ids);
}

/* Inject a REQ with the QPN of an existing connection and a new communication ID (CM-008). */
static void
stale_req(struct link *link)
{
	struct wire_cm_msg req = link->end[0].sent[0];

	req.local_comm_id += 0x10000;
	req.transaction_id++;
	end_take(&link->end[1], &req);
}

static void
check_stale_refused(const struct end *end, const struct wire_cm_msg *rej)
{
	cr_assert_eq(rej->attribute, WIRE_CM_REJ);
	cr_assert_eq(rej->rej.reason, WIRE_REJ_STALE_CONNECTION);
	cr_assert_eq(rej->local_comm_id, 0);
	cr_assert_eq(rej->transaction_id, end->link->end[0].sent[0].transaction_id + 1);
}

/*
 * B-104: a restarted client connects with the queue pair number of its old connection. Then the old
 * connection ends.
 */
Test(cm_close, stale_req_ends_the_old_connection)
{
	struct link *link = link_start(9, NULL);
	struct end *passive = &link->end[1];
	struct cm_id *ids[2];
	uint32_t before;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	before = passive->sent_count;
	link->cut = true;
	stale_req(link);
	check_stale_refused(passive, &passive->sent[before]);
	cr_assert_eq(passive->sent[before + 1].attribute, WIRE_CM_DREQ);
	cr_assert_eq(passive->sent[before + 1].dreq.remote_qpn, QPN_ACTIVE);
	cr_assert_eq(end_event_id(passive, CM_EVENT_DISCONNECTED), ids[1]);
	check_state(ids[1], CM_DREQ_SENT);
	link->cut = false;
	stale_req(link); /* the REQ is accepted before the DREP arrives, because the QPN is free */
	check_state(ids[1], CM_TIMEWAIT);
	cr_assert_eq(end_events_of(passive, CM_EVENT_REQUEST), 2);
	cr_assert_eq(end_events_of(passive, CM_EVENT_DISCONNECTED), 1);
	cr_assert_eq(end_events_of(passive, CM_EVENT_DISCONNECT_DONE), 0);
	cm_release(end_event_id(passive, CM_EVENT_REQUEST), link->now_ns);
	finish(link, ids);
}

/*
 * A restarted client may use its old communication ID again. Its REQ is a new request if the QPN or
 * PSN differs from the old REQ, or if it arrives so late that no copy of the old REQ can be in
 * flight.
 */
Test(cm_close, req_with_a_known_id_is_a_copy_or_a_new_life)
{
	static const struct {
		uint64_t wait_ns;
		uint32_t psn;
		uint32_t qpn;
		bool copy;
	} cases[] = {
		{1, 0, 0, true},
		{900 * MS, 0, 0, true},
		{1100 * MS, 0, 0, false},
		{1, 1, 0, false},
		{1, 0, 1, false},
	};

	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		struct link *link = link_start(70 + i, NULL);
		struct end *passive = &link->end[1];
		struct wire_cm_msg req;
		struct cm_id *ids[2];

		link_listen(link, 1, 0);
		pair_establish(link, ids);
		req = link->end[0].sent[0];
		req.req.starting_psn += cases[i].psn;
		req.req.local_qpn += cases[i].qpn;
		link_run(link, cases[i].wait_ns);
		link->cut = true;
		end_take(passive, &req);
		check_state(ids[1], cases[i].copy ? CM_ESTABLISHED : CM_DREQ_SENT);
		cr_assert_eq(cm_counters(passive->cm)->drop_duplicate, cases[i].copy);
		cr_assert_eq(end_events_of(passive, CM_EVENT_DISCONNECTED), !cases[i].copy);
		link->cut = false;
		finish(link, ids);
	}
}

Test(cm_close, stale_req_aborts_what_is_not_established)
{
	for (unsigned int accepted = 0; accepted < 2; accepted++) {
		struct link *link = link_start(10 + accepted, NULL);
		struct end *passive = &link->end[1];
		struct cm_id *ids[2];

		link_listen(link, 1, 0);
		pair_request(link, ids);
		link->cut = true;
		if (accepted)
			pair_accept(link, ids[1], QPN_PASSIVE);
		stale_req(link);
		check_stale_refused(passive, &passive->sent[accepted]);
		cr_assert_eq(end_event_id(passive, CM_EVENT_ABORTED), ids[1]);
		check_state(ids[1], accepted ? CM_DREQ_SENT : CM_TIMEWAIT);
		finish(link, ids);
	}
}

/* CM-008: the QPN in a REP is checked in the same way as the QPN in a REQ. */
Test(cm_close, rep_with_a_known_qpn_is_refused_as_stale)
{
	struct link *link = link_start(12, NULL);
	struct end *active = &link->end[0];
	struct cm_id *ids[2];
	struct cm_id *second;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	second = link_connect(link, 0, QPN_ACTIVE + 1);
	link_run(link, 1);
	pair_accept(link, end_event_id(&link->end[1], CM_EVENT_REQUEST), QPN_PASSIVE);
	link_run(link, 1);
	cr_assert_eq(end_events_of(active, CM_EVENT_DISCONNECTED), 1);
	cr_assert_eq(end_event_id(active, CM_EVENT_REJECTED), second);
	cr_assert_eq(
		active->events[active->event_count - 1].reject_reason, WIRE_REJ_STALE_CONNECTION);
	cr_assert_eq(end_events_of(&link->end[1], CM_EVENT_REJECTED), 1);
	cr_assert_eq(end_events_of(&link->end[1], CM_EVENT_DISCONNECTED), 1);
	cm_release(second, link->now_ns);
	cm_release(link->end[1].events[2].id, link->now_ns);
	finish(link, ids);
}

/*
 * A peer that restarted after a power failure does not answer the DREQ of an old connection. Then
 * its REP for a new connection has the QPN of the old one. The active side accepts this REP at
 * once.
 */
Test(cm_close, rep_with_the_qpn_of_a_connection_that_was_given_up_is_taken)
{
	struct link *link = link_start(13, NULL);
	struct end *active = &link->end[0];
	struct cm_id *ids[2];
	struct cm_id *second;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	link->cut = true;
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	check_state(ids[0], CM_DREQ_SENT);
	/* End the connection on the peer's side without messages, as if the peer restarted. */
	cr_assert_eq(cm_disconnect(ids[1], link->now_ns), RC_OK);
	link->cut = false;
	second = link_connect(link, 0, QPN_ACTIVE + 1);
	link_run(link, 1);
	pair_accept(link, end_event_id(&link->end[1], CM_EVENT_REQUEST), QPN_PASSIVE);
	link_run(link, 1);
	check_state(ids[0], CM_TIMEWAIT);
	cr_assert_eq(end_events_of(active, CM_EVENT_DISCONNECT_DONE), 1);
	cr_assert_eq(end_events_of(active, CM_EVENT_REJECTED), 0);
	cr_assert_eq(end_event_id(active, CM_EVENT_ACCEPTED), second);
	check_state(second, CM_REP_RECEIVED);
	cm_release(second, link->now_ns);
	cm_release(end_event_id(&link->end[1], CM_EVENT_REQUEST), link->now_ns);
	finish(link, ids);
}

Test(cm_close, invalid_rep_with_the_qpn_of_a_connection_that_was_given_up_ends_nothing)
{
	struct link *link = link_start(14, NULL);
	struct end *active = &link->end[0];
	uint64_t dropped;
	struct cm_id *ids[2];
	struct cm_id *second;
	struct wire_cm_msg rep;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	link->cut = true;
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	cr_assert_eq(cm_disconnect(ids[1], link->now_ns), RC_OK);
	link->cut = false;
	second = link_connect(link, 0, QPN_ACTIVE + 1);
	link_run(link, 1);
	link->cut = true;
	pair_accept(link, end_event_id(&link->end[1], CM_EVENT_REQUEST), QPN_PASSIVE);
	rep = *end_last(&link->end[1]);
	cr_assert_eq(rep.attribute, WIRE_CM_REP);
	rep.local_comm_id = 0;
	dropped = cm_counters(active->cm)->drop_state;
	end_take(active, &rep);
	cr_assert_eq(cm_counters(active->cm)->drop_state, dropped + 1);
	check_state(second, CM_REQ_SENT);
	check_state(ids[0], CM_DREQ_SENT);
	cr_assert_eq(end_events_of(active, CM_EVENT_DISCONNECT_DONE), 0);
	cm_release(second, link->now_ns);
	cm_release(end_event_id(&link->end[1], CM_EVENT_REQUEST), link->now_ns);
	link->cut = false;
	finish(link, ids);
}

/* cm.h: in each state, cm_release() sends the message that the peer expects in this state. */
static void
check_release(enum cm_state state, enum wire_cm_attribute attribute, uint16_t reason)
{
	struct link *link = link_start(20 + state, NULL);
	struct cm_id *ids[2];
	unsigned int side = state == CM_REQ_RECEIVED || state == CM_REP_SENT;
	struct end *end = &link->end[side];
	uint32_t events;

	link_listen(link, 1, 0);
	if (state == CM_REQ_SENT || state == CM_REQ_RECEIVED)
		pair_request(link, ids);
	else if (state == CM_REP_SENT || state == CM_REP_RECEIVED)
		pair_reply(link, ids);
	else
		pair_establish(link, ids);
	if (state == CM_DREQ_SENT || state == CM_TIMEWAIT)
		cr_assert_eq(cm_disconnect(ids[side], link->now_ns), RC_OK);
	if (state == CM_TIMEWAIT)
		link_run(link, 1);
	check_state(ids[side], state);
	events = end->event_count;
	cm_release(ids[side], link->now_ns);
	cr_assert_eq(end_last(end)->attribute, attribute, "state %d: attribute 0x%x", state,
		end_last(end)->attribute);
	if (attribute == WIRE_CM_REJ)
		cr_assert_eq(end_last(end)->rej.reason, reason, "state %d: reason %u", state,
			end_last(end)->rej.reason);
	link_run(link, 1);
	cr_assert_eq(end->event_count, events, "event after release in state %d", state);
	cm_release(ids[1 - side], link->now_ns);
	link_run(link, 3000 * MS);
	pair_check_empty(link);
}

/*
 * B-103: in every state, cm_release() informs the peer although timers run. Later messages are
 * answered from the record.
 */
Test(cm_close, release_tells_the_peer_in_every_state)
{
	check_release(CM_REQ_SENT, WIRE_CM_REJ, WIRE_REJ_TIMEOUT);
	check_release(CM_REP_RECEIVED, WIRE_CM_REJ, WIRE_REJ_CONSUMER);
	check_release(CM_REQ_RECEIVED, WIRE_CM_REJ, WIRE_REJ_CONSUMER);
	check_release(CM_REP_SENT, WIRE_CM_REJ, WIRE_REJ_CONSUMER);
	check_release(CM_ESTABLISHED, WIRE_CM_DREQ, 0);
	check_release(CM_DREQ_SENT, WIRE_CM_DREQ, 0);
	check_release(CM_TIMEWAIT, WIRE_CM_DREQ, 0);
}

Test(cm_close, release_in_idle_frees_at_once)
{
	struct link *link = link_start(30, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	link_run(link, 2000 * MS);
	check_state(ids[0], CM_IDLE);
	cr_assert_eq(cm_id_count(link->end[0].cm), 1);
	cm_release(ids[0], link->now_ns);
	cr_assert_eq(cm_id_count(link->end[0].cm), 0);
	cm_release(ids[1], link->now_ns);
	pair_check_empty(link);
}

static void
act_in_event(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	struct link *link = end->link;
	struct cm_connect_attr attr = link_connect_attr(link, end->side, 0x900);
	struct cm_id *again;

	switch (event->kind) {
	case CM_EVENT_REQUEST:
		pair_accept(link, id, 0x800 + end->event_count);
		break;
	case CM_EVENT_ACCEPTED:
		cr_assert_eq(cm_confirm(id, link->now_ns), RC_OK);
		break;
	case CM_EVENT_ESTABLISHED:
		cm_release(id, link->now_ns);
		break;
	case CM_EVENT_REJECTED:
		cm_release(id, link->now_ns);
		cr_assert_eq(cm_connect(end->cm, &attr, link->now_ns, &again), RC_OK);
		break;
	case CM_EVENT_UNREACHABLE:
	case CM_EVENT_DISCONNECTED:
	case CM_EVENT_DISCONNECT_DONE:
	case CM_EVENT_ABORTED:
		cm_release(id, link->now_ns);
		break;
	}
}

Test(cm_close, everything_can_be_done_from_within_events)
{
	struct link *link = link_start(31, NULL);

	link->end[0].on_event = act_in_event;
	link->end[1].on_event = act_in_event;
	link_connect(link, 0, QPN_ACTIVE); /* refused: no listener */
	link_listen(link, 1, 0);
	link->end[1].sent_count = 0;
	link_run(link, 1);
	cr_assert_eq(end_events_of(&link->end[1], CM_EVENT_REQUEST), 1);
	cr_assert_eq(end_events_of(&link->end[1], CM_EVENT_ESTABLISHED), 1);
	cr_assert_eq(end_events_of(&link->end[0], CM_EVENT_DISCONNECTED), 1);
	link_run(link, 2000 * MS);
	pair_check_empty(link);
}

static void
release_in_event(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	if (event->kind == CM_EVENT_ESTABLISHED)
		cm_release(id, end->link->now_ns);
}

Test(cm_close, release_between_two_events_of_one_dreq_ends_them)
{
	struct link *link = link_start(32, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	link->end[1].on_event = release_in_event;
	pair_reply(link, ids);
	link->cut = true;
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link->cut = false;
	cm_release(ids[0], link->now_ns);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_ESTABLISHED), ids[1]);
	link_run(link, 2000 * MS);
	pair_check_empty(link);
}

Test(cm_close, one_adapter_connects_to_itself)
{
	struct link *link = link_start(33, NULL);
	struct end *end = &link->end[0];
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	struct cm_id *active, *passive = NULL;

	link_listen(link, 0, 0);
	attr.route.remote_gid = end->gid;
	cr_assert_eq(cm_connect(end->cm, &attr, link->now_ns, &active), RC_OK);
	for (unsigned int i = 0; i < 100; i++) {
		for (uint32_t k = 0; k < link->flight_count; k++)
			link->flights[k].to = 0;
		link_run(link, 1);
		if (i == 1) {
			passive = end_event_id(end, CM_EVENT_REQUEST);
			pair_accept(link, passive, QPN_PASSIVE);
		} else if (i == 3) {
			cr_assert_eq(end_event_id(end, CM_EVENT_ACCEPTED), active);
			cr_assert_eq(cm_confirm(active, link->now_ns), RC_OK);
		} else if (i == 5) {
			cr_assert_eq(end_event_id(end, CM_EVENT_ESTABLISHED), passive);
			cm_release(active, link->now_ns);
			cm_release(passive, link->now_ns);
		}
	}
	link_run(link, 2000 * MS);
	pair_check_empty(link);
}

/*
 * cm.h: one cm_tick() fires at most 64 timers. If more are due, cm_deadline() returns a past time.
 */
Test(cm_close, tick_does_a_bounded_amount_of_work)
{
	struct cm_config config = {.req_rate_per_source = 100000};
	struct link *link = link_start(34, &config);
	struct end *end = &link->end[0];
	struct cm_route route;
	struct cm_id *id = NULL;

	link->cut = true;
	for (uint32_t i = 0; i < 200; i++)
		id = link_connect(link, 0, QPN_ACTIVE + i);
	cm_id_route(id, &route);
	cr_assert(wire_gid_equal(&route.remote_gid, &link->end[1].gid));
	link->now_ns += 250 * MS;
	for (unsigned int i = 1; i <= 4; i++) {
		cr_assert_leq(cm_deadline(end->cm), link->now_ns);
		cm_tick(end->cm, link->now_ns);
		cr_assert_eq(cm_counters(end->cm)->retransmissions, RTE_MIN(64 * i, 200u));
	}
	cr_assert_gt(cm_deadline(end->cm), link->now_ns);
	link_stop(link);
}
