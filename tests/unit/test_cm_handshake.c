/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/be.h"
#include "cm/manager.h"
#include "test_cm_pair.h"

/* Test how connections are set up: sent messages, retransmissions, late and duplicate messages. */

static void
check_state(const struct cm_id *id, enum cm_state expected)
{
	cr_assert_eq(cm_id_state(id), expected, "state %d, expected %d", cm_id_state(id), expected);
}

static void
release_both(struct link *link, struct cm_id *ids[2])
{
	cm_release(ids[0], link->now_ns);
	cm_release(ids[1], link->now_ns);
	link_run(link, 20000 * MS);
	pair_check_empty(link);
}

Test(cm_handshake, three_messages_establish_both_sides)
{
	struct link *link = link_start(1, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	check_state(ids[0], CM_REQ_SENT);
	check_state(ids[1], CM_REQ_RECEIVED);
	pair_accept(link, ids[1], QPN_PASSIVE);
	check_state(ids[1], CM_REP_SENT);
	link_run(link, 1);
	check_state(ids[0], CM_REP_RECEIVED);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	check_state(ids[0], CM_ESTABLISHED);
	check_state(ids[1], CM_ESTABLISHED);
	cr_assert_eq(link->end[0].event_count, 1);
	cr_assert_eq(link->end[1].event_count, 2);
	/* IBTA: all messages of the handshake have the same transaction ID. */
	cr_assert_eq(link->end[1].sent[0].transaction_id, link->end[0].sent[0].transaction_id);
	cr_assert_eq(link->end[0].sent[1].transaction_id, link->end[0].sent[0].transaction_id);
	cr_assert_neq(link->end[0].sent[0].transaction_id, 0);
	release_both(link, ids);
}

Test(cm_handshake, peer_values_are_what_the_other_side_said)
{
	struct link *link = link_start(2, NULL);
	struct cm_peer active, passive;
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	cm_id_peer(ids[0], &active);
	cm_id_peer(ids[1], &passive);
	cr_assert_eq(passive.qpn, QPN_ACTIVE);
	cr_assert_eq(passive.starting_psn, 0x123456); /* CM-020: each direction has its own PSN */
	cr_assert_eq(passive.inbound_reads, 4);
	cr_assert_eq(passive.outbound_reads, 8);
	cr_assert_eq(passive.path_mtu, 3); /* CM-018: the MTU of the REQ */
	cr_assert_eq(passive.rnr_retry_count, 6);
	cr_assert_eq(passive.retry_count, 7);
	cr_assert_eq(passive.ack_timeout, 14);
	cr_assert_eq(passive.traffic_class, 0x68);
	cr_assert_eq(passive.hop_limit, 64);
	cr_assert_eq(passive.src_port, 50000);
	cr_assert_eq(passive.service_id, TEST_SERVICE);
	cr_assert_eq(active.qpn, QPN_PASSIVE);
	cr_assert_eq(active.starting_psn, 0x654321);
	cr_assert_eq(active.inbound_reads, 3);
	cr_assert_eq(active.outbound_reads, 2);
	cr_assert_eq(active.path_mtu, 3); /* RC-163: both sides use the same MTU */
	cr_assert_eq(active.rnr_retry_count, 5);
	cr_assert_eq(active.ack_timeout, 14, "own 14 and delay 4 give %u", active.ack_timeout);
	cr_assert_eq(active.flow_label, (50000u * 31 + 7174) & 0xFFFFF);
	cr_assert_eq(passive.flow_label, active.flow_label);
	release_both(link, ids);
}

/* CM-001, CM-002: a REQ has no alternate path, and its reserved fields are 0. */
Test(cm_handshake, req_has_the_fields_that_linux_expects)
{
	struct link *link = link_start(3, NULL);
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	static const uint8_t zero[72];
	const struct wire_cm_msg *req = &link->end[0].sent[0];
	struct wire_ip_cm header;
	struct cm_id *id;

	attr.endpoint.private_data = "fifty-six bytes of it";
	attr.endpoint.private_bytes = 21;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, link->now_ns, &id), RC_OK);
	cr_assert_eq(req->attribute, WIRE_CM_REQ);
	cr_assert_neq(req->local_comm_id, 0);
	cr_assert_eq(req->remote_comm_id, 0);
	cr_assert_eq(req->req.local_lid, 0xFFFF);
	cr_assert_eq(req->req.remote_lid, 0xFFFF);
	cr_assert_eq(req->req.alternate_local_lid, 0);
	cr_assert_eq(req->req.pkey, 0xFFFF);
	cr_assert_eq(req->req.packet_rate, 0);
	cr_assert_eq(req->req.transport_service, 0);
	cr_assert_not(req->req.srq);
	cr_assert_not(req->req.flow_control);
	/* With these values, a busy peer retransmits its REP for 34 s before it gives up. */
	cr_assert_eq(req->req.local_cm_timeout, 19);
	cr_assert_eq(req->req.remote_cm_timeout, 19);
	cr_assert_eq(req->req.max_cm_retries, 15);
	cr_assert_eq(req->req.local_ca_guid, link->end[0].config.ca_guid);
	cr_assert(wire_gid_equal(&req->req.local_gid, &link->end[0].gid));
	cr_assert(wire_gid_equal(&req->req.remote_gid, &link->end[1].gid));
	wire_ip_cm_load(req->private_data, &header);
	cr_assert_eq(header.version, 0);
	cr_assert_eq(header.ip_version, 4);
	cr_assert_eq(header.src_port, 50000);
	cr_assert(wire_gid_equal(&header.src, &link->end[0].gid));
	cr_assert(wire_gid_equal(&header.dst, &link->end[1].gid));
	cr_assert_eq(
		memcmp(req->private_data + WIRE_IP_CM_BYTES, attr.endpoint.private_data, 21), 0);
	cr_assert_eq(memcmp(req->private_data + WIRE_IP_CM_BYTES + 21, zero, 35),
		0); /* CM-003: zeros follow the data */
	link_stop(link);
}

/* CM-003, ND-160, ND-161: private data has its full length and is padded with zeros. */
/* B-110: one byte more than the maximum is refused. */
Test(cm_handshake, private_data_travels_both_ways_zero_padded)
{
	struct link *link = link_start(4, NULL);
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	struct cm_endpoint callee = pair_callee(QPN_PASSIVE);
	uint8_t data[LIMIT_CALLEE_DATA + 1];
	const struct seen_event *seen;
	struct cm_id *id;

	memset(data, 0xA5, sizeof(data));
	link_listen(link, 1, 0);
	attr.endpoint.private_data = data;
	attr.endpoint.private_bytes = LIMIT_CALLER_DATA + 1;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, link->now_ns, &id), RC_INVALID_ARGUMENT);
	attr.endpoint.private_bytes = LIMIT_CALLER_DATA;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, link->now_ns, &id), RC_OK);
	link_run(link, 1);
	seen = &link->end[1].events[0];
	cr_assert_eq(seen->private_bytes, LIMIT_CALLER_DATA);
	cr_assert_eq(memcmp(seen->private_data, data, LIMIT_CALLER_DATA), 0);
	callee.private_data = data;
	callee.private_bytes = LIMIT_CALLEE_DATA + 1;
	cr_assert_eq(cm_accept(seen->id, &callee, link->now_ns), RC_INVALID_ARGUMENT);
	callee.private_bytes = LIMIT_CALLEE_DATA;
	cr_assert_eq(cm_accept(seen->id, &callee, link->now_ns), RC_OK);
	link_run(link, 1);
	seen = &link->end[0].events[0];
	cr_assert_eq(seen->kind, CM_EVENT_ACCEPTED);
	cr_assert_eq(seen->private_bytes, 196);
	cr_assert_eq(memcmp(seen->private_data, data, LIMIT_CALLEE_DATA), 0);
	cr_assert_eq(seen->private_data[LIMIT_CALLEE_DATA], 0);
	link_stop(link);
}

Test(cm_handshake, req_is_repeated_unchanged_with_growing_intervals)
{
	static const uint64_t at_ms[] = {0, 250, 750, 1750, 3750, 5750, 7750, 9750};
	struct link *link = link_start(5, NULL);
	struct end *end = &link->end[0];
	uint64_t start_ns = link->now_ns;
	const struct wire_cm_msg *rej;
	struct cm_id *id;

	link->cut = true;
	id = link_connect(link, 0, QPN_ACTIVE);
	link_run(link, 11749 * MS);
	cr_assert_eq(end->event_count, 0);
	link_run(link, 2 * MS);
	cr_assert_eq(end_event_id(end, CM_EVENT_UNREACHABLE), id);
	cr_assert_eq(end->sent_count, 9, "%u messages", end->sent_count);
	for (unsigned int i = 0; i < RTE_DIM(at_ms); i++) {
		cr_assert_eq(end->sent_ns[i] - start_ns, at_ms[i] * MS, "REQ %u", i);
		cr_assert_eq(memcmp(&end->sent[i], &end->sent[0], sizeof(end->sent[0])), 0);
	}
	rej = end_last(end);
	cr_assert_eq(rej->attribute, WIRE_CM_REJ);
	cr_assert_eq(rej->rej.reason, WIRE_REJ_TIMEOUT);
	cr_assert_eq(rej->rej.info_bytes, 8);
	cr_assert_eq(be_load64(rej->rej.info), end->config.ca_guid);
	cr_assert_eq(cm_counters(end->cm)->retransmissions, 7);
	check_state(id, CM_TIMEWAIT);
	link_run(link, 1001 * MS);
	check_state(id, CM_IDLE);
	cr_assert_eq(cm_id_count(end->cm), 1);
	cm_release(id, link->now_ns);
	pair_check_empty(link);
}

/*
 * IBTA: a REJ with reason 4 (timeout) may lack the communication ID of its receiver. Then the CA
 * GUID identifies the request.
 */
Test(cm_handshake, timeout_of_the_peer_aborts_the_pending_request)
{
	struct link *link = link_start(6, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	cm_release(ids[0], link->now_ns);
	cr_assert_eq(end_last(&link->end[0])->remote_comm_id, 0);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_ABORTED), ids[1]);
	cm_release(ids[1], link->now_ns);
	link_run(link, 2000 * MS);
	pair_check_empty(link);
}

/* CM-004, CM-010, SEC-043: a duplicate REQ creates no second connection and allocates nothing. */
Test(cm_handshake, duplicate_req_is_answered_from_the_record)
{
	struct link *link = link_start(7, NULL);
	struct end *passive = &link->end[1];
	struct wire_cm_msg req, rep;
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	req = link->end[0].sent[0];
	end_take(passive, &req);
	cr_assert_eq(end_last(passive)->attribute, WIRE_CM_MRA);
	cr_assert_eq(end_last(passive)->mra.message, 0);
	cr_assert_eq(end_last(passive)->mra.service_timeout, 24);
	cr_assert_eq(end_last(passive)->transaction_id, req.transaction_id);
	pair_accept(link, ids[1], QPN_PASSIVE);
	rep = *end_last(passive);
	end_take(passive, &req);
	cr_assert_eq(passive->sent_count, 3);
	cr_assert_eq(memcmp(end_last(passive), &rep, sizeof(rep)), 0);
	link_run(link, 1);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	uint32_t sent_count = passive->sent_count;
	end_take(passive, &req);
	cr_assert_eq(passive->sent_count, sent_count);
	cr_assert_eq(cm_id_count(passive->cm), 1);
	cr_assert_eq(end_events_of(passive, CM_EVENT_REQUEST), 1);
	cm_release(ids[1], link->now_ns);
	link_run(link, 1);
	check_state(ids[1], CM_TIMEWAIT);
	end_take(passive, &req);
	cr_assert_eq(end_last(passive)->attribute, WIRE_CM_REJ);
	cr_assert_eq(end_last(passive)->rej.reason, WIRE_REJ_STALE_CONNECTION);
	cr_assert_eq(end_last(passive)->rej.message, 0);
	cm_release(ids[0], link->now_ns);
	link_run(link, 2000 * MS);
	pair_check_empty(link);
}

/*
 * CM-005: the RTU is sent again for each duplicate REP, because Linux retransmits its REP until an
 * RTU arrives.
 */
Test(cm_handshake, lost_rtu_is_sent_again_for_each_repeated_rep)
{
	struct link *link = link_start(8, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	link->cut = true;
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 100 * MS);
	check_state(ids[1], CM_REP_SENT);
	link->cut = false;
	link_run(link, 200 * MS);
	check_state(ids[1], CM_ESTABLISHED);
	cr_assert_eq(
		memcmp(end_last(&link->end[0]), &link->end[0].sent[1], sizeof(struct wire_cm_msg)),
		0);
	cr_assert_eq(link->end[0].sent_count, 3);
	release_both(link, ids);
}

Test(cm_handshake, rep_in_established_is_answered_by_the_active_side_only)
{
	struct link *link = link_start(21, NULL);
	struct end *active = &link->end[0], *passive = &link->end[1];
	struct wire_cm_msg rep, rtu;
	struct cm_id *ids[2];
	uint32_t sent_count;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	rep = passive->sent[0];
	rtu = *end_last(active);
	sent_count = active->sent_count;
	end_take(active, &rep);
	cr_assert_eq(active->sent_count, sent_count + 1);
	cr_assert_eq(memcmp(end_last(active), &rtu, sizeof(rtu)), 0);
	cr_assert_eq(cm_counters(active->cm)->drop_duplicate, 1);
	cr_assert_eq(cm_counters(active->cm)->drop_state, 0);
	RTE_SWAP(rep.local_comm_id, rep.remote_comm_id);
	sent_count = passive->sent_count;
	end_take(passive, &rep);
	cr_assert_eq(passive->sent_count, sent_count, "answered with 0x%x",
		end_last(passive)->attribute);
	cr_assert_eq(cm_counters(passive->cm)->drop_state, 1);
	cr_assert_eq(cm_counters(passive->cm)->drop_duplicate, 0);
	check_state(ids[0], CM_ESTABLISHED);
	check_state(ids[1], CM_ESTABLISHED);
	cr_assert_eq(active->event_count, 1);
	cr_assert_eq(passive->event_count, 2);
	link->flight_count = 0;
	release_both(link, ids);
}

/*
 * IBTA: received data establishes the connection (COMM_EST). CM-013: the RTU that arrives later
 * changes nothing.
 */
Test(cm_handshake, traffic_before_rtu_establishes_once)
{
	struct link *link = link_start(9, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	cm_traffic_seen(ids[1], link->now_ns);
	check_state(ids[1], CM_ESTABLISHED);
	cm_traffic_seen(ids[1], link->now_ns);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 1000 * MS);
	cr_assert_eq(end_events_of(&link->end[1], CM_EVENT_ESTABLISHED), 1);
	cr_assert_eq(cm_counters(link->end[1].cm)->drop_duplicate, 1);
	cr_assert_eq(cm_counters(link->end[1].cm)->retransmissions, 0);
	release_both(link, ids);
}

/* CM-010: an MRA extends the timer, and the REP is still accepted after it. */
Test(cm_handshake, mra_extends_the_wait_and_rep_is_still_taken)
{
	struct link *link = link_start(10, NULL);
	struct end *active = &link->end[0];
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	link_run(link, 300 * MS); /* one retransmission, one MRA */
	cr_assert_eq(active->sent_count, 2);
	cr_assert_eq(cm_counters(active->cm)->rx[WIRE_CM_MRA - WIRE_CM_REQ], 1);
	link_run(link, 50000 * MS);
	cr_assert_eq(active->sent_count, 2, "repeated in spite of the MRA");
	check_state(ids[0], CM_REQ_SENT);
	pair_accept(link, ids[1], QPN_PASSIVE);
	link_run(link, 1);
	check_state(ids[0], CM_REP_RECEIVED);
	/*
	 * In the other direction, an MRA extends the timer of the passive side while the
	 * application of the active side is slow.
	 */
	link_run(link, 30000 * MS);
	cr_assert_eq(cm_counters(link->end[1].cm)->rx[WIRE_CM_MRA - WIRE_CM_REQ], 1);
	check_state(ids[1], CM_REP_SENT);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	check_state(ids[1], CM_ESTABLISHED);
	release_both(link, ids);
}

Test(cm_handshake, mra_cannot_hold_us_longer_than_68_seconds)
{
	struct link *link = link_start(11, NULL);
	struct wire_cm_msg mra = {.attribute = WIRE_CM_MRA, .local_comm_id = 5};
	struct cm_id *id = link_connect(link, 0, QPN_ACTIVE);

	mra.remote_comm_id = link->end[0].sent[0].local_comm_id;
	mra.mra.service_timeout = 31;
	end_take(&link->end[0], &mra);
	cr_assert_lt(cm_deadline(link->end[0].cm), link->now_ns + 70000 * MS);
	mra.mra.service_timeout = 1; /* a second MRA cannot shorten the timer */
	end_take(&link->end[0], &mra);
	cr_assert_gt(cm_deadline(link->end[0].cm), link->now_ns + 68000 * MS);
	mra.mra.message = 1;
	end_take(&link->end[0], &mra);
	cr_assert_eq(cm_counters(link->end[0].cm)->drop_state, 1);
	check_state(id, CM_REQ_SENT);
	link_stop(link);
}

/*
 * CM-009, ND-164: the application gets the reason and private data of a REJ, even if the first REJ
 * is lost.
 */
Test(cm_handshake, reject_delivers_reason_and_data_again_when_lost)
{
	struct link *link = link_start(12, NULL);
	struct end *active = &link->end[0];
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	link->cut = true;
	cr_assert_eq(cm_reject(ids[1], "no thanks", 9, link->now_ns), RC_OK);
	link_run(link, 100 * MS);
	link->cut = false;
	link_run(link, 200 * MS); /* the stored REJ answers the retransmitted REQ */
	cr_assert_eq(end_event_id(active, CM_EVENT_REJECTED), ids[0]);
	cr_assert_eq(active->events[0].reject_reason, WIRE_REJ_CONSUMER);
	cr_assert_eq(active->events[0].private_bytes, 148);
	cr_assert_str_eq((const char *)active->events[0].private_data, "no thanks");
	cr_assert_eq(link->end[1].sent_count, 2);
	cr_assert_eq(
		memcmp(&link->end[1].sent[0], &link->end[1].sent[1], sizeof(struct wire_cm_msg)),
		0);
	cr_assert_eq(cm_reject(ids[1], NULL, 0, link->now_ns), RC_NOT_CONNECTED);
	cr_assert_not(cm_qpn_resting(active->cm, QPN_ACTIVE));
	release_both(link, ids);
}

/* ND-153, ND-154: the active side may reject after it has received the REP. */
Test(cm_handshake, active_reject_refuses_the_accept)
{
	struct link *link = link_start(13, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	cr_assert_eq(cm_reject(ids[0], "later", 5, link->now_ns), RC_OK);
	cr_assert_eq(end_last(&link->end[0])->rej.message, 1);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_REJECTED), ids[1]);
	cr_assert_eq(link->end[1].events[1].reject_reason, WIRE_REJ_CONSUMER);
	cr_assert_str_eq((const char *)link->end[1].events[1].private_data, "later");
	release_both(link, ids);
}

/*
 * CM-013: a REJ after the REP ends the connection on both sides. If the REJ of the active side is
 * lost, the REJ is sent again for the next retransmitted REP.
 */
Test(cm_handshake, rej_after_rep_ends_both_sides)
{
	struct link *link = link_start(14, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_reply(link, ids);
	link->cut = true;
	cm_release(ids[0], link->now_ns);
	link_run(link, 100 * MS);
	link->cut = false;
	link_run(link, 200 * MS);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_REJECTED), ids[1]);
	cm_release(ids[1], link->now_ns);
	link_run(link, 3000 * MS);

	pair_reply(link, ids);
	cm_release(ids[1], link->now_ns);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_REJECTED), ids[0]);
	cm_release(ids[0], link->now_ns);
	link_run(link, 3000 * MS);
	pair_check_empty(link);
}

Test(cm_handshake, unanswered_request_is_dropped_after_its_time)
{
	struct link *link = link_start(16, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	link_run(link, 59999 * MS);
	check_state(ids[1], CM_REQ_RECEIVED);
	link_run(link, 2 * MS);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_ABORTED), ids[1]);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_REJECTED), ids[0]);
	cr_assert_eq(link->end[0].events[0].reject_reason, WIRE_REJ_TIMEOUT);
	cr_assert_eq(
		cm_accept(ids[1], &(struct cm_endpoint){.qpn = 9}, link->now_ns), RC_NOT_CONNECTED);
	release_both(link, ids);
}

/*
 * IBTA: a REP for an unknown request is answered with REJ reason 6, so that the peer ends its
 * connection at once.
 */
Test(cm_handshake, rep_for_a_forgotten_request_is_refused)
{
	struct link *link = link_start(17, NULL);
	struct cm_id *ids[2];

	link_listen(link, 1, 0);
	pair_request(link, ids);
	link->cut = true;
	cm_release(ids[0], link->now_ns);
	link_run(link, 2000 * MS);
	link->cut = false;
	cr_assert_eq(cm_id_count(link->end[0].cm), 0);
	pair_accept(link, ids[1], QPN_PASSIVE);
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[1], CM_EVENT_REJECTED), ids[1]);
	cr_assert_eq(link->end[1].events[1].reject_reason, WIRE_REJ_INVALID_COMM_ID);
	cm_release(ids[1], link->now_ns);
	link_run(link, 2000 * MS);
	pair_check_empty(link);
}

/*
 * B-109: the ACK timeout of the queue pair includes the peer's ACK delay. Code 0 (no timer) stays
 * 0, and the largest code stays the largest.
 */
Test(cm_handshake, ack_timeout_is_combined_as_linux_does)
{
	static const uint8_t cases[][3] = {/* own, delay, result */
		{14, 0, 14}, {14, 12, 14}, {14, 13, 15}, {14, 14, 15}, {14, 15, 16}, {14, 16, 16},
		{17, 15, 17}, {19, 15, 19}, {31, 31, 31}, {0, 15, 0}, {3, 31, 31}};

	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		struct link *link = link_start(100 + i, NULL);
		struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
		struct wire_cm_msg rep = {.attribute = WIRE_CM_REP, .local_comm_id = 77};
		struct cm_peer peer;
		struct cm_id *id;

		attr.ack_timeout = cases[i][0];
		cr_assert_eq(cm_connect(link->end[0].cm, &attr, link->now_ns, &id), RC_OK);
		rep.remote_comm_id = link->end[0].sent[0].local_comm_id;
		rep.rep.local_qpn = QPN_PASSIVE;
		rep.rep.target_ack_delay = cases[i][1];
		end_take(&link->end[0], &rep);
		cm_id_peer(id, &peer);
		cr_assert_eq(peer.ack_timeout, cases[i][2], "own %u delay %u: %u, expected %u",
			cases[i][0], cases[i][1], peer.ack_timeout, cases[i][2]);
		link_stop(link);
	}
}

Test(cm_handshake, calls_in_a_wrong_state_are_refused)
{
	struct link *link = link_start(18, NULL);
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	struct cm_endpoint callee = pair_callee(QPN_PASSIVE);
	struct cm_id *id = link_connect(link, 0, QPN_ACTIVE);
	struct cm_id *other;

	cr_assert_eq(cm_accept(id, &callee, link->now_ns), RC_NOT_CONNECTED);
	cr_assert_eq(cm_confirm(id, link->now_ns), RC_NOT_CONNECTED);
	cr_assert_eq(cm_reject(id, NULL, 0, link->now_ns), RC_NOT_CONNECTED);
	cr_assert_eq(cm_reject(id, NULL, 1, link->now_ns), RC_INVALID_ARGUMENT);
	cr_assert_eq(cm_disconnect(id, link->now_ns), RC_NOT_CONNECTED);
	cm_traffic_seen(id, link->now_ns);
	check_state(id, CM_REQ_SENT);
	attr.endpoint.qpn = 1;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, 0, &other), RC_INVALID_ARGUMENT);
	attr.endpoint.qpn = 0xFFFFFF;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, 0, &other), RC_INVALID_ARGUMENT);
	attr = link_connect_attr(link, 0, QPN_ACTIVE);
	attr.path_mtu = 6;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, 0, &other), RC_INVALID_ARGUMENT);
	attr = link_connect_attr(link, 0, QPN_ACTIVE);
	/* CM-011: the two GIDs have different address families */
	memset(attr.route.remote_gid.raw, 0x20, 16);
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, 0, &other), RC_INVALID_ARGUMENT);
	cr_assert_eq(cm_id_count(link->end[0].cm), 1);
	link_stop(link);
}

Test(cm_handshake, ipv6_connects)
{
	struct link *link = link_start(19, NULL);
	struct cm_id *ids[2];
	struct wire_ip_cm header;

	for (unsigned int side = 0; side < 2; side++) {
		memset(link->end[side].gid.raw, 0, 16);
		link->end[side].gid.raw[0] = 0x20;
		link->end[side].gid.raw[15] = (uint8_t)(1 + side);
	}
	link_listen(link, 1, 0);
	pair_establish(link, ids);
	wire_ip_cm_load(link->end[0].sent[0].private_data, &header);
	cr_assert_eq(header.ip_version, 6);
	release_both(link, ids);
}

static bool
peer_visited(void *arg, const struct wire_gid *peer __rte_unused)
{
	uint32_t *visits = arg;

	(*visits)++;
	return true;
}

/*
 * A new MAC address is set only in the used slots of the table, because thousands of slots were
 * never used.
 */
Test(cm_handshake, new_mac_address_is_set_in_used_slots_only)
{
	static const struct rte_ether_addr mac = {{2, 0, 0, 0, 0, 9}};
	struct link *link = link_start(21, NULL);
	struct cm *cm = link->end[0].cm;
	struct cm_route route;
	struct cm_id *ids[2];
	uint32_t visits = 0;

	link_listen(link, 1, 0);
	pair_establish(link, ids);
	cr_assert_gt(cm->ids.slot_count, 1);
	for (uint32_t i = 1; i < cm->ids.slot_count; i++)
		cm->ids.slots[i].state = CM_ESTABLISHED;
	cm_set_destination(cm, peer_visited, &visits, &mac);
	for (uint32_t i = 1; i < cm->ids.slot_count; i++)
		cm->ids.slots[i].state = CM_IDLE;
	cr_assert_eq(visits, 1, "%u slots are visited", visits);
	cm_id_route(ids[0], &route);
	cr_assert(rte_is_same_ether_addr(&route.remote_mac, &mac));
	release_both(link, ids);
}

Test(cm_handshake, communication_ids_and_transactions_do_not_repeat)
{
	struct link *link = link_start(20, NULL);
	uint32_t comm_ids[64];
	uint64_t transactions[64];

	for (unsigned int i = 0; i < RTE_DIM(comm_ids); i++) {
		struct cm_id *id = link_connect(link, 0, QPN_ACTIVE);

		comm_ids[i] = link->end[0].sent[2 * i].local_comm_id;
		transactions[i] = link->end[0].sent[2 * i].transaction_id;
		cm_release(id, link->now_ns);
		link->now_ns += 1001 * MS;
		cm_tick(link->end[0].cm, link->now_ns);
		for (unsigned int k = 0; k < i; k++)
			cr_assert(comm_ids[k] != comm_ids[i] && transactions[k] != transactions[i]);
	}
	cr_assert_eq(cm_id_count(link->end[0].cm), 0);
	link_stop(link);
}
