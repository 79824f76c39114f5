/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/be.h"
#include "test_cm_pair.h"

/*
 * Test the cost of requests with forged source addresses. Requests of legitimate peers must still
 * be accepted (SEC-040, SEC-042). Side 0 is the legitimate peer, and side 1 receives the requests.
 */

#define STORM 1000u

/* @return a REQ as side 0 would send it; each number makes a different connection */
static struct wire_cm_msg
req_make(struct link *link, uint32_t number)
{
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	struct wire_cm_msg req;
	struct cm_id *id;

	link->cut = true;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, link->now_ns, &id), RC_OK);
	req = *end_last(&link->end[0]);
	cm_release(id, link->now_ns);
	link->cut = false;
	req.local_comm_id = 0x40000000 + number;
	req.req.local_qpn = 0x1000 + number;
	return req;
}

/* Inject a REQ that side 0 has not sent into side 1. Drop the answers of side 1. */
static void
forge_from(struct link *link, const struct wire_gid *source, uint32_t number)
{
	static struct wire_cm_msg req;
	struct end *end = &link->end[1];
	const struct cm_route from = {.local_gid = end->gid, .remote_gid = *source};
	uint32_t flight_count = link->flight_count;

	if (number == 0)
		req = req_make(link, 0);
	req.local_comm_id = 0x40000000 + number;
	req.req.local_qpn = 0x1000 + number;
	req.req.local_gid = *source;
	cm_input(end->cm, &from, &req, link->now_ns);
	link->flight_count = flight_count; /* the answers are lost */
}

static void
accept_and_confirm(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	static uint32_t qpn = 0x10000;
	struct cm_endpoint callee = pair_callee(qpn++);

	if (event->kind == CM_EVENT_REQUEST)
		cr_assert_eq(cm_accept(id, &callee, end->link->now_ns), RC_OK);
	else if (event->kind == CM_EVENT_ACCEPTED)
		cr_assert_eq(cm_confirm(id, end->link->now_ns), RC_OK);
	else if (event->kind != CM_EVENT_ESTABLISHED)
		cm_release(id, end->link->now_ns);
}

static struct link *
start(uint64_t seed, const struct cm_config *config)
{
	struct link *link = link_start(seed, config);

	link->delay_ns = MS / 100;
	link->end[0].on_event = accept_and_confirm;
	link->end[1].on_event = accept_and_confirm;
	link_listen(link, 1, 0);
	return link;
}

/* Side 0 starts count connections at once. @return time in ns until all are established */
static uint64_t
storm(struct link *link, uint32_t count, uint64_t patience_ns)
{
	static struct cm_id *ids[STORM];
	static uint32_t qpn = 0x100000;
	uint64_t began_ns = link->now_ns;
	uint32_t done;

	for (uint32_t i = 0; i < count; i++)
		ids[i] = link_connect(link, 0, qpn++);
	do {
		link_run(link, MS);
		done = 0;
		for (uint32_t i = 0; i < count; i++)
			done += cm_id_state(ids[i]) == CM_ESTABLISHED;
	} while (done < count && link->now_ns - began_ns < patience_ns);
	cr_assert_eq(done, count, "%u of %u connected, seed %lu", done, count, link->seed);
	return link->now_ns - began_ns;
}

static uint64_t
sent(const struct link *link, enum wire_cm_attribute attribute)
{
	return cm_counters(link->end[1].cm)->tx[attribute - WIRE_CM_REQ];
}

static void
prove(struct link *link)
{
	storm(link, 1, 1000 * MS);
}

/*
 * If an unproven source connects many times at once, no REQ is dropped. A dropped REQ would delay a
 * connection, because Linux retransmits after seconds.
 */
Test(cm_admission, storm_of_an_unproven_source_loses_no_request)
{
	struct link *link = start(1, NULL);
	const struct cm_counters *counters = cm_counters(link->end[1].cm);
	uint64_t took_ns = storm(link, STORM, 10000 * MS);

	cr_assert_leq(took_ns, 50 * MS, "took %lu ms", took_ns / MS);
	cr_assert_eq(counters->rx[0], STORM, "REQs were repeated");
	cr_assert_gt(counters->held, 0);
	cr_assert_eq(counters->proofs, 1);
	cr_assert_eq(cm_half_open_count(link->end[1].cm), 0);
	cr_assert_eq(cm_held_count(link->end[1].cm), 0);
	link_stop(link);
}

/* Connections whose REP the busy peer has received but not processed, oldest first. */
static struct cm_id *late[STORM];
static uint32_t late_in, late_out;

static void
confirm_late(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	if (event->kind == CM_EVENT_ACCEPTED)
		late[late_in++] = id;
	else if (event->kind != CM_EVENT_ESTABLISHED)
		cm_release(id, end->link->now_ns);
}

/*
 * A slow peer needs 4 ms per REP, so it confirms the last of 256 half-open connections after 1 s.
 * No connection must be lost.
 */
Test(cm_admission, busy_peer_loses_no_connection)
{
	struct link *link = start(20, NULL);
	const struct cm_counters *counters = cm_counters(link->end[1].cm);

	late_in = late_out = 0;
	link->end[0].on_event = confirm_late;
	for (uint32_t i = 0; i < STORM; i++)
		link_connect(link, 0, 0x100000 + i);
	for (uint32_t turn = 0; turn < 2 * STORM && late_out < STORM; turn++) {
		link_run(link, 4 * MS);
		if (late_out < late_in)
			cr_assert_eq(cm_confirm(late[late_out++], link->now_ns), RC_OK);
	}
	link_run(link, MS);
	cr_assert_eq(late_out, STORM);
	cr_assert_eq(counters->evictions, 0, "%lu evicted", counters->evictions);
	cr_assert_eq(cm_half_open_count(link->end[1].cm), 0);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 0);
	link_stop(link);
}

Test(cm_admission, storm_passes_beside_forged_requests_of_the_same_address)
{
	const struct cm_config config = {.id_max = 8192};
	struct link *link = start(2, &config);
	uint64_t began_ns = link->now_ns;
	uint32_t number = 0;

	prove(link);
	for (unsigned int ms = 0; ms < 2000; ms++, number++) {
		forge_from(link, &link->end[0].gid, number);
		link_run(link, MS);
	}
	cr_assert_leq(cm_half_open_count(link->end[1].cm), 512);
	storm(link, STORM, 2000 * MS);
	cr_assert_eq(cm_counters(link->end[1].cm)->drop_half_open, 0);
	cr_assert_gt(cm_counters(link->end[1].cm)->evictions, 0);
	cr_assert_geq(link->now_ns - began_ns, 2000 * MS);
	link_stop(link);
}

Test(cm_admission, flood_of_unproven_sources_does_not_delay_proven_ones)
{
	struct link *link = start(3, NULL);
	const struct cm_counters *counters = cm_counters(link->end[1].cm);
	uint64_t took_ns;

	prove(link);
	for (uint32_t i = 0; i < 5000; i++) {
		struct wire_gid source = wire_gid_from_v4(0x0A000000 + i);

		forge_from(link, &source, i);
	}
	cr_assert_eq(cm_half_open_count(link->end[1].cm), 256);
	cr_assert_eq(counters->drop_half_open, 5000 - 1024);
	took_ns = storm(link, STORM, 10000 * MS);
	cr_assert_leq(took_ns, 50 * MS, "took %lu ms", took_ns / MS);
	link_stop(link);
}

Test(cm_admission, invalid_requests_spend_nothing)
{
	struct link *link = start(4, NULL);
	struct wire_cm_msg bad = req_make(link, 0);
	uint64_t took_ns;

	link_run(link, 3000 * MS);
	for (uint32_t i = 0; i < 8000; i++) {
		bad.local_comm_id++;
		bad.req.service_id = i % 2 == 0 ? TEST_SERVICE : TEST_SERVICE + 1;
		bad.req.local_qpn = i % 2 == 0 ? 0 : 2;
		end_take(&link->end[1], &bad);
		link->flight_count = 0;
	}
	cr_assert_eq(cm_counters(link->end[1].cm)->drop_invalid, 4000);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 1000, "%lu refusals", sent(link, WIRE_CM_REJ));
	cr_assert_eq(cm_counters(link->end[1].cm)->drop_unanswered, 3000);
	took_ns = storm(link, 100, 10000 * MS);
	cr_assert_leq(took_ns, 10 * MS, "took %lu ms", took_ns / MS);
	link_stop(link);
}

Test(cm_admission, proven_source_has_answers_of_its_own)
{
	const struct cm_config config = {.answer_rate = 100};
	struct link *link = start(5, &config);
	struct wire_cm_msg bad;

	prove(link);
	bad = req_make(link, 0);
	bad.req.service_id++;
	for (uint32_t i = 0; i < 1000; i++) {
		const struct cm_route from = {.local_gid = link->end[1].gid,
			.remote_gid = wire_gid_from_v4(0x0A000000 + i)};

		bad.req.local_gid = from.remote_gid;
		cm_input(link->end[1].cm, &from, &bad, link->now_ns);
	}
	cr_assert_eq(sent(link, WIRE_CM_REJ), 100);
	bad.req.local_gid = link->end[0].gid;
	for (uint32_t i = 0; i < 1000; i++)
		end_take(&link->end[1], &bad);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 200);
	link->flight_count = 0;
	link_stop(link);
}

/* An unproven source gets at most three frames for a REQ: a REP, one retransmission, a REJ. */
Test(cm_admission, forged_request_is_answered_with_three_frames)
{
	struct link *link = start(6, NULL);
	struct end *end = &link->end[1];

	forge_from(link, &link->end[0].gid, 0);
	link->cut = true;
	link_run(link, 35000 * MS);
	cr_assert_eq(end_events_of(end, CM_EVENT_UNREACHABLE), 1);
	cr_assert_eq(end->sent_count, 3, "%u frames", end->sent_count);
	cr_assert_eq(sent(link, WIRE_CM_REP), 2);
	cr_assert_eq(end_last(end)->attribute, WIRE_CM_REJ);
	cr_assert_eq(cm_counters(end->cm)->withheld, 6);
	cr_assert_eq(cm_counters(end->cm)->proofs, 0);
	link_stop(link);
}

Test(cm_admission, proven_source_gets_every_repeat)
{
	struct link *link = start(7, NULL);

	prove(link);
	forge_from(link, &link->end[0].gid, 0);
	link->cut = true;
	link_run(link, 30000 * MS);
	cr_assert_eq(sent(link, WIRE_CM_REP), 1 + 8);
	cr_assert_eq(cm_counters(link->end[1].cm)->withheld, 0);
	link_stop(link);
}

/* SEC-042: a connection is half-open until the RTU arrives, even if it is accepted. */
Test(cm_admission, accepted_connections_stay_half_open_until_the_rtu)
{
	const struct cm_config config = {.half_open_max = 20};
	struct link *link = start(8, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg rtu = {.attribute = WIRE_CM_RTU, .local_comm_id = 0x40000000};

	for (uint32_t i = 0; i < 30; i++)
		forge_from(link, &link->end[0].gid, i);
	cr_assert_eq(cm_half_open_count(end->cm), 10);
	cr_assert_eq(cm_held_count(end->cm), 20);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 10);
	cr_assert_eq(sent(link, WIRE_CM_REP), 10);
	rtu.remote_comm_id = end->sent[0].local_comm_id;
	/* the RTU proves the source, so the held requests move to the queue of this source */
	end_take(end, &rtu);
	cm_tick(end->cm, link->now_ns);
	cr_assert_eq(end_events_of(end, CM_EVENT_ESTABLISHED), 1);
	cr_assert_eq(cm_half_open_count(end->cm), 10);
	cr_assert_eq(cm_held_count(end->cm), 19);
	link->flight_count = 0;
	link_stop(link);
}

Test(cm_admission, held_request_evicts_after_the_grace_only)
{
	const struct cm_config config = {.half_open_max = 2, .retransmit_ns = 250 * MS};
	struct link *link = start(9, &config);
	struct end *end = &link->end[1];

	forge_from(link, &link->end[0].gid, 0);
	forge_from(link, &link->end[0].gid, 1);
	link->cut = true;
	link_run(link, 250 * MS - 1);
	cr_assert_eq(cm_counters(end->cm)->evictions, 0);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 1);
	link_run(link, 2);
	cr_assert_eq(cm_counters(end->cm)->evictions, 1);
	cr_assert_eq(end_events_of(end, CM_EVENT_UNREACHABLE), 1);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 2);
	cr_assert_eq(cm_half_open_count(end->cm), 1);
	/* The last half-open connection stays, because no REQ waits for its place. */
	link_run(link, 2000 * MS);
	cr_assert_eq(cm_counters(end->cm)->evictions, 1);
	link_stop(link);
}

/* A duplicate REQ is answered with the REP, and permits more retransmissions of the REP. */
Test(cm_admission, repeated_request_brings_three_frames_more)
{
	struct link *link = start(17, NULL);
	struct end *end = &link->end[1];
	struct wire_cm_msg req = req_make(link, 0);

	end_take(end, &req);
	link->cut = true;
	link_run(link, 300 * MS);
	link->flight_count = 0;
	cr_assert_eq(sent(link, WIRE_CM_REP), 2);
	end_take(end, &req);
	link_run(link, 100000 * MS);
	cr_assert_eq(sent(link, WIRE_CM_REP), 5);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 1);
	link_stop(link);
}

Test(cm_admission, duplicates_are_answered_within_the_budget)
{
	const struct cm_config config = {.answer_rate = 100};
	struct link *link = start(18, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg req = req_make(link, 0);

	for (uint32_t i = 0; i <= 1000; i++) {
		end_take(end, &req);
		link->flight_count = 0;
	}
	cr_assert_eq(sent(link, WIRE_CM_REP), 101);
	cr_assert_eq(cm_counters(end->cm)->drop_unanswered, 900);
	link_stop(link);
}

Test(cm_admission, proven_sources_share_the_open_places)
{
	const struct cm_config config = {.half_open_max = 20};
	struct link *link = start(19, &config);
	struct end *end = &link->end[1];

	for (uint32_t s = 0, number = 0; s < 4; s++) {
		struct wire_gid gid = wire_gid_from_v4(0x0A000000 + s);
		const struct cm_route from = {.local_gid = end->gid, .remote_gid = gid};
		struct wire_cm_msg rtu = {.attribute = WIRE_CM_RTU};

		forge_from(link, &gid, number);
		rtu.local_comm_id = 0x40000000 + number++;
		rtu.remote_comm_id = end_last(end)->local_comm_id;
		cm_input(end->cm, &from, &rtu, link->now_ns);
		for (uint32_t i = 0; i < 15; i++)
			forge_from(link, &gid, number++);
	}
	cr_assert_eq(cm_counters(end->cm)->proofs, 2, "the others found no place");
	cr_assert_eq(cm_half_open_count(end->cm), 20);
	link_stop(link);
}

/* Incoming requests leave an eighth of the records free for outgoing connections. */
Test(cm_admission, requests_leave_records_for_own_connects)
{
	const struct cm_config config = {.id_max = 80};
	struct link *link = start(15, &config);
	struct end *end = &link->end[1];
	struct cm_connect_attr attr = link_connect_attr(link, 1, 5);
	struct cm_id *id;

	for (uint32_t i = 0; i < 60; i++)
		forge_from(link, &link->end[0].gid, i);
	cr_assert_eq(cm_id_count(end->cm), 60);
	prove(link);
	for (uint32_t i = 60; i < 100; i++)
		forge_from(link, &link->end[0].gid, i);
	cr_assert_eq(cm_id_count(end->cm), 70);
	cr_assert_eq(cm_counters(end->cm)->drop_no_id, 31);
	for (uint32_t i = 0; i < 10; i++, attr.endpoint.qpn++)
		cr_assert_eq(cm_connect(end->cm, &attr, link->now_ns, &id), RC_OK);
	link->flight_count = 0;
	link_stop(link);
}

/*
 * A REJ with reason 4 contains only fields that the REQ contains, too. So the forger of the REQ can
 * forge the REJ, and the REJ does not prove the source.
 */
Test(cm_admission, message_without_our_communication_id_proves_nothing)
{
	struct link *link = start(16, NULL);
	struct end *end = &link->end[1];
	struct wire_cm_msg rej = {.attribute = WIRE_CM_REJ, .local_comm_id = 0x40000000};

	forge_from(link, &link->end[0].gid, 0);
	rej.rej.reason = WIRE_REJ_TIMEOUT;
	rej.rej.info_bytes = 8;
	be_store64(rej.rej.info, link->end[0].config.ca_guid);
	end_take(end, &rej);
	cr_assert_eq(end_events_of(end, CM_EVENT_REJECTED), 1);
	cr_assert_eq(cm_counters(end->cm)->proofs, 0);
	link_stop(link);
}

static void
keep(struct end *end __rte_unused, struct cm_id *id __rte_unused,
	const struct cm_event *event __rte_unused)
{
}

/*
 * A request that the application has not answered yet is not evicted, because the peer is not the
 * cause of the delay.
 */
Test(cm_admission, request_that_the_application_keeps_is_not_evicted)
{
	const struct cm_config config = {.half_open_max = 2};
	struct link *link = start(10, &config);
	struct end *end = &link->end[1];

	end->on_event = keep;
	forge_from(link, &link->end[0].gid, 0);
	forge_from(link, &link->end[0].gid, 1);
	link_run(link, 5000 * MS);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 1);
	cr_assert_eq(cm_held_count(end->cm), 1);
	cm_release(end->events[0].id, link->now_ns);
	link_run(link, 1);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 2);
	link_stop(link);
}

Test(cm_admission, request_held_by_a_closed_listener_is_refused)
{
	const struct cm_config config = {.half_open_max = 2};
	struct link *link = link_start(11, &config);
	struct cm_listener *listener = link_listen(link, 1, 0);
	struct end *end = &link->end[1];

	forge_from(link, &link->end[0].gid, 0);
	forge_from(link, &link->end[0].gid, 1);
	cm_unlisten(listener);
	cm_release(end->events[0].id, link->now_ns);
	link_run(link, 1);
	cr_assert_eq(end->event_count, 1);
	cr_assert_eq(end_last(end)->rej.reason, WIRE_REJ_INVALID_SERVICE_ID);
	cr_assert_eq(end_last(end)->remote_comm_id, 0x40000001);
	link_run(link, 3000 * MS);
	pair_check_empty(link);
}

/* CM-010: a peer repeatedly sends MRAs to get more time for its RTU. The total time is limited. */
Test(cm_admission, mra_extends_a_handshake_to_its_limit)
{
	const struct cm_config config = {.mra_max_ns = 100000 * MS};
	struct link *link = start(12, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg mra = {.attribute = WIRE_CM_MRA, .local_comm_id = 0x40000000};

	forge_from(link, &link->end[0].gid, 0);
	mra.remote_comm_id = end->sent[0].local_comm_id;
	link->cut = true;
	mra.mra = (struct wire_cm_mra){.message = 1, .service_timeout = 24};
	for (unsigned int minute = 0; minute < 4; minute++) {
		end_take(end, &mra);
		link_run(link, 59000 * MS);
	}
	cr_assert_eq(end_events_of(end, CM_EVENT_UNREACHABLE), 1);
	link_stop(link);
}

/*
 * SEC-040: the rate of established connections per source is limited. Further requests
 * are dropped and counted.
 */
Test(cm_admission, rate_of_established_connections_is_limited)
{
	const struct cm_config config = {.req_rate_per_source = 50};
	struct link *link = start(13, &config);
	const struct cm_counters *counters = cm_counters(link->end[1].cm);

	storm(link, 200, 1000 * MS);
	cr_assert_eq(counters->drop_rate, 0);
	link_connect(link, 0, 7);
	link_run(link, MS);
	cr_assert_eq(counters->drop_rate, 1);
	storm(link, 100, 5000 * MS);
	link_stop(link);
}

Test(cm_admission, proof_ends_some_time_after_the_last_connection)
{
	const struct cm_config config = {.proof_ns = 10000 * MS, .answer_rate = 1};
	struct link *link = start(14, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg bad = req_make(link, 0);

	prove(link);
	link_run(link, 20000 * MS);
	bad.req.service_id++;
	bad.req.local_gid = wire_gid_from_v4(0x0A000001);
	cm_input(end->cm,
		&(struct cm_route){.local_gid = end->gid, .remote_gid = bad.req.local_gid}, &bad,
		link->now_ns);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 1);
	bad.req.local_gid = link->end[0].gid;
	end_take(end, &bad);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 2, "connected, so proven");
	cr_assert_eq(cm_disconnect(end->events[0].id, link->now_ns), RC_OK);
	link_run(link, 11000 * MS);
	for (uint32_t i = 0; i < 2; i++)
		end_take(end, &bad);
	cr_assert_eq(sent(link, WIRE_CM_REJ), 3, "budget of the unproven");
	link->flight_count = 0;
	link_stop(link);
}

Test(cm_admission, end_of_a_long_connection_is_no_new_proof)
{
	const struct cm_config config = {.proof_ns = 10 * MS};
	struct link *link = link_start(27, &config);
	struct end *end = &link->end[1];
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	cr_assert_eq(cm_counters(end->cm)->proofs, 1);
	link_run(link, 100 * MS);
	cr_assert_eq(cm_disconnect(ids[1], link->now_ns), RC_OK);
	link_run(link, MS);
	cr_assert_eq(cm_counters(end->cm)->proofs, 1, "%lu proofs", cm_counters(end->cm)->proofs);
	link_stop(link);
}
