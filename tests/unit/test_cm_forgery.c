/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "test_cm_pair.h"

#include "cm/manager.h"

/* Test forged and invalid messages (SEC-006, SEC-044, CM-022). */

static const enum wire_cm_attribute answers[] = {
	WIRE_CM_MRA, WIRE_CM_REJ, WIRE_CM_REP, WIRE_CM_RTU, WIRE_CM_DREQ, WIRE_CM_DREP};

/* @return a message with this attribute that this side would accept from the right address */
static struct wire_cm_msg
believable(struct link *link, unsigned int side, enum wire_cm_attribute attribute)
{
	const struct wire_cm_msg *req = &link->end[0].sent[0];
	const struct wire_cm_msg *rep = &link->end[1].sent[0];
	struct wire_cm_msg msg = {.attribute = attribute};

	msg.transaction_id = req->transaction_id;
	msg.remote_comm_id = side == 0 ? req->local_comm_id : rep->local_comm_id;
	msg.local_comm_id = side == 0 ? rep->local_comm_id : req->local_comm_id;
	if (attribute == WIRE_CM_REJ)
		msg.rej.reason = WIRE_REJ_CONSUMER;
	else if (attribute == WIRE_CM_REP)
		msg.rep.local_qpn = QPN_PASSIVE;
	else if (attribute == WIRE_CM_DREQ)
		msg.dreq.remote_qpn = side == 0 ? QPN_ACTIVE : QPN_PASSIVE;
	return msg;
}

static struct cm_route
route_of(struct link *link, unsigned int side)
{
	return (struct cm_route){
		.local_gid = link->end[side].gid, .remote_gid = link->end[1 - side].gid};
}

static void
check_ignored(struct end *end, const struct cm_route *from, const struct wire_cm_msg *msg,
	const struct cm_id *id)
{
	uint64_t before = cm_counters(end->cm)->drop_unknown_id;
	uint32_t sent_count = end->sent_count, event_count = end->event_count;
	enum cm_state state = cm_id_state(id);

	cm_input(end->cm, from, msg, end->link->now_ns);
	cr_assert_eq(
		cm_id_state(id), state, "attribute 0x%x moved state %d", msg->attribute, state);
	cr_assert_eq(end->event_count, event_count, "attribute 0x%x: event", msg->attribute);
	cr_assert_eq(end->sent_count, sent_count, "attribute 0x%x: answered", msg->attribute);
	cr_assert_eq(cm_counters(end->cm)->drop_unknown_id, before + 1, "attribute 0x%x",
		msg->attribute);
}

static void
check_all_forgeries(struct link *link, unsigned int side, const struct cm_id *id)
{
	struct end *end = &link->end[side];

	for (unsigned int i = 0; i < RTE_DIM(answers); i++) {
		struct wire_cm_msg msg = believable(link, side, answers[i]);
		struct cm_route from = route_of(link, side);

		from.remote_gid = wire_gid_from_v4(0xC6336401);
		check_ignored(end, &from, &msg, id);
		from = route_of(link, side);
		from.local_gid = end->gid2;
		check_ignored(end, &from, &msg, id);
		from = route_of(link, side);
		msg.local_comm_id ^= 0x00100000;
		check_ignored(end, &from, &msg, id);
		msg.local_comm_id = 0;
		check_ignored(end, &from, &msg, id);
		if (answers[i] == WIRE_CM_DREQ) {
			msg = believable(link, side, answers[i]);
			msg.dreq.remote_qpn ^= 1;
			check_ignored(end, &from, &msg, id);
		}
		/* A message with an unknown ID is answered only if it is a DREQ or REP. */
		msg = believable(link, side, answers[i]);
		msg.remote_comm_id ^= 0x00100000;
		if (answers[i] != WIRE_CM_DREQ && answers[i] != WIRE_CM_REP)
			check_ignored(end, &from, &msg, id);
	}
}

Test(cm_forgery, established_connection_ignores_strangers)
{
	struct link *link = link_start(1, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	check_all_forgeries(link, 0, ids[0]);
	check_all_forgeries(link, 1, ids[1]);
	link_stop(link);
}

Test(cm_forgery, half_open_connection_ignores_strangers)
{
	struct link *link = link_start(2, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	check_all_forgeries(link, 0, ids[0]);
	check_all_forgeries(link, 1, ids[1]);
	link_stop(link);
}

/*
 * Side 0 does not know the peer's communication ID before the REP arrives. So it accepts answers
 * only from the address of the peer.
 */
Test(cm_forgery, request_takes_answers_from_its_address_only)
{
	struct link *link = link_start(3, NULL);
	struct cm_route from = route_of(link, 0);
	struct cm_id *id = link_connect(link, 0, QPN_ACTIVE);

	from.remote_gid = wire_gid_from_v4(0xC6336401);
	for (unsigned int i = 0; i < RTE_DIM(answers); i++) {
		struct wire_cm_msg msg = believable(link, 0, answers[i]);

		msg.local_comm_id = 4711;
		check_ignored(&link->end[0], &from, &msg, id);
	}
	link_stop(link);
}

Test(cm_forgery, rep_with_impossible_queue_pair_is_dropped)
{
	static const uint32_t bad_qpn[] = {0, 1, 0xFFFFFF, 0x1000000};
	struct link *link = link_start(4, NULL);
	struct cm_id *id = link_connect(link, 0, QPN_ACTIVE);
	struct wire_cm_msg rep = {.attribute = WIRE_CM_REP, .local_comm_id = 9};

	rep.remote_comm_id = link->end[0].sent[0].local_comm_id;
	for (unsigned int i = 0; i < RTE_DIM(bad_qpn); i++) {
		rep.rep.local_qpn = bad_qpn[i];
		end_take(&link->end[0], &rep);
	}
	rep.rep.local_qpn = 5;
	rep.local_comm_id = 0;
	end_take(&link->end[0], &rep);
	cr_assert_eq(cm_counters(link->end[0].cm)->drop_state, 5);
	cr_assert_eq(cm_id_state(id), CM_REQ_SENT);
	link_stop(link);
}

Test(cm_forgery, stale_req_of_another_address_ends_nothing)
{
	struct link *link = link_start(5, NULL);
	struct end *passive = &link->end[1];
	struct wire_cm_msg req;
	struct cm_route from;
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	req = link->end[0].sent[0];
	req.local_comm_id++;
	from = route_of(link, 1);
	from.remote_gid = wire_gid_from_v4(0xC6336401);
	cm_input(passive->cm, &from, &req, link->now_ns);
	cr_assert_eq(cm_counters(passive->cm)->drop_invalid, 1);
	req.req.local_gid = from.remote_gid;
	cm_input(passive->cm, &from, &req, link->now_ns);
	cr_assert_eq(end_events_of(passive, CM_EVENT_REQUEST), 2);
	cr_assert_eq(cm_id_state(ids[1]), CM_ESTABLISHED);
	link_stop(link);
}

Test(cm_forgery, two_ends_without_connection_do_not_keep_each_other_busy)
{
	struct link *link = link_start(6, NULL);
	struct wire_cm_msg msg = {
		.attribute = WIRE_CM_DREQ, .local_comm_id = 1, .remote_comm_id = 2};

	for (unsigned int i = 0; i < RTE_DIM(answers); i++) {
		msg.attribute = answers[i];
		end_take(&link->end[0], &msg);
		end_take(&link->end[1], &msg);
	}
	link_run(link, 100 * MS);
	cr_assert_eq(link->end[0].sent_count, 2); /* DREP and REJ 6 */
	cr_assert_eq(link->end[1].sent_count, 2);
	link_stop(link);
}

static void
answer(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	if (event->kind != CM_EVENT_REQUEST)
		return;
	if (end->event_count % 2 == 0)
		cr_assert_eq(cm_reject(id, NULL, 0, end->link->now_ns), RC_OK);
	else
		pair_accept(end->link, id, QPN_PASSIVE + end->event_count);
}

/*
 * SEC-049: each record has exactly one timer, whatever messages it receives, and no timer exists
 * without a record. In this test, half of the records retransmit a REP. The other half keep a REJ
 * to answer duplicates of their REQ.
 */
Test(cm_forgery, strangers_start_no_timer_but_that_of_a_record_sec049)
{
	const struct cm_config config = {.id_max = 16};
	/* An eighth of the table is reserved for outgoing connections. */
	const uint32_t records = 14;
	struct link *link = link_start(8, &config);
	const struct cm *cm = link->end[1].cm;
	struct cm_route from = route_of(link, 1);
	struct wire_cm_msg stray = {.local_comm_id = 1, .remote_comm_id = 2}, req;

	link_listen(link, 1, 0);
	link->end[1].on_event = answer;
	for (unsigned int i = 0; i < RTE_DIM(answers); i++) {
		stray.attribute = answers[i];
		end_take(&link->end[1], &stray);
		cr_assert_eq(cm->timers.count, 0, "attribute 0x%x", stray.attribute);
	}
	cr_assert_not_null(link_connect(link, 0, QPN_ACTIVE));
	req = *end_last(&link->end[0]);
	link->cut = true;
	for (uint32_t i = 0; i < 64; i++) {
		from.remote_gid = wire_gid_from_v4(0xC6336401 + i);
		req.req.local_gid = from.remote_gid;
		req.local_comm_id++;
		for (unsigned int copy = 0; copy < 3; copy++) {
			cm_input(link->end[1].cm, &from, &req, link->now_ns);
			cr_assert_eq(cm->timers.count, RTE_MIN(i + 1, records),
				"copy %u of REQ %u: %u timers", copy, i, cm->timers.count);
		}
	}
	/* Retransmissions restart the timers. */
	for (unsigned int i = 0; i < 20; i++) {
		link_run(link, 100 * MS);
		cr_assert_leq(cm->timers.count, cm_id_count(cm));
	}
	link_stop(link);
}

/*
 * Make a message of random bytes. Sometimes copy a message of a live connection and change a part
 * of it instead.
 */
static void
garbage_make(struct link *link, unsigned int side, struct wire_cm_msg *msg)
{
	const struct end *other = &link->end[1 - side];
	uint32_t newest = other->sent_count;
	uint32_t dice = base_random_below(&link->random, 8);
	uint8_t *bytes = (uint8_t *)msg;

	if (dice < 5 && newest > 0) {
		*msg = other->sent[(newest - 1 -
					   base_random_below(&link->random, RTE_MIN(newest, 64u))) %
			LINK_SENT_MAX];
	} else {
		for (size_t i = 0; i < sizeof(*msg); i++)
			bytes[i] = (uint8_t)base_random_u32(&link->random);
		/* Give bool members valid values, as a decoder does; random bytes are invalid. */
		msg->attribute = WIRE_CM_REQ + base_random_below(&link->random, 12);
		if (msg->attribute == WIRE_CM_REQ)
			msg->req.flow_control = msg->req.srq = msg->req.rdc_exists =
				msg->req.subnet_local = false;
		else if (msg->attribute == WIRE_CM_REP)
			msg->rep.flow_control = msg->rep.srq = false;
		if (newest > 0)
			msg->remote_comm_id =
				other->sent[(newest - 1) % LINK_SENT_MAX].remote_comm_id;
	}
	if (dice == 4)
		msg->attribute = WIRE_CM_MRA + base_random_below(&link->random, 6);
	if (dice == 3)
		msg->local_comm_id = base_random_u32(&link->random);
	if (dice == 2 && msg->attribute == WIRE_CM_REQ)
		msg->req.local_qpn = base_random_below(&link->random, 64);
}

static void
live_a_little(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	uint64_t now_ns = end->link->now_ns;
	struct cm_endpoint callee = pair_callee(2 + base_random_below(&end->link->random, 64));

	if (base_random_below(&end->link->random, 4) == 0)
		cm_release(id, now_ns);
	else if (event->kind == CM_EVENT_REQUEST)
		cr_assert_eq(cm_accept(id, &callee, now_ns), RC_OK);
	else if (event->kind == CM_EVENT_ACCEPTED)
		cr_assert_eq(cm_confirm(id, now_ns), RC_OK);
	else if (event->kind != CM_EVENT_ESTABLISHED)
		cm_release(id, now_ns);
}

Test(cm_forgery, garbage_never_breaks_the_state_machine, .timeout = 60)
{
	struct cm_config config = {.id_max = 200, .req_rate_per_source = 100000};
	struct link *link = link_start(7, &config);
	struct wire_cm_msg msg;

	link->loss_percent = 10;
	link->jitter_ns = MS;
	link->double_percent = 10;
	link_listen(link, 0, 0);
	link_listen(link, 1, 0);
	link->end[0].on_event = live_a_little;
	link->end[1].on_event = live_a_little;
	for (unsigned int i = 0; i < 100000; i++) {
		unsigned int side = i & 1;

		garbage_make(link, side, &msg);
		end_take(&link->end[side], &msg);
		if (i % 50 == 0) {
			struct cm_connect_attr attr = link_connect_attr(link, side, 2 + i % 61);
			struct cm_id *id;

			if (cm_connect(link->end[side].cm, &attr, link->now_ns, &id) == RC_OK &&
				i % 3 == 0)
				cm_release(id, link->now_ns);
		}
		link_run(link, MS / 4);
	}
	cr_assert_gt(link->end[0].event_count, 1000, "%u events", link->end[0].event_count);
	cr_assert_gt(link->end[1].event_count, 1000, "%u events", link->end[1].event_count);
	link_stop(link);
}
