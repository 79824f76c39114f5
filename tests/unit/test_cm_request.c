/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "test_cm_pair.h"

/*
 * Test how a REQ is checked: validity, listeners, limits (CM-011, CM-012, CM-022; SEC-040,
 * SEC-042).
 */

/* @return a REQ as side 0 would send it to side 1; each number makes a different connection */
static struct wire_cm_msg
req_make(struct link *link, uint32_t number)
{
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	struct wire_cm_msg req;
	struct cm_id *id;

	link->cut = true;
	cr_assert_eq(cm_connect(link->end[0].cm, &attr, link->now_ns, &id), RC_OK);
	link->cut = false;
	req = *end_last(&link->end[0]);
	cm_release(id, link->now_ns);
	link->flight_count = 0;
	req.local_comm_id = 0x40000000 + number;
	req.req.local_qpn = 0x1000 + number;
	return req;
}

static void
check_refused(struct link *link, const struct wire_cm_msg *req, uint16_t reason)
{
	struct end *end = &link->end[1];
	uint32_t sent_count = end->sent_count;
	const struct wire_cm_msg *rej;

	end_take(end, req);
	cr_assert_eq(end->sent_count, sent_count + 1, "reason %u: %u messages", reason,
		end->sent_count - sent_count);
	rej = end_last(end);
	cr_assert_eq(rej->attribute, WIRE_CM_REJ);
	cr_assert_eq(rej->rej.reason, reason, "reason %u, expected %u", rej->rej.reason, reason);
	cr_assert_eq(rej->rej.message, 0);
	cr_assert_eq(rej->local_comm_id, 0);
	cr_assert_eq(rej->remote_comm_id, req->local_comm_id);
	cr_assert_eq(rej->transaction_id, req->transaction_id);
	cr_assert_eq(cm_id_count(end->cm), 0, "a refused REQ left state");
}

static void
check_dropped(struct link *link, const struct wire_cm_msg *req, const uint64_t *counter)
{
	uint32_t sent_count = link->end[1].sent_count;
	uint64_t before = *counter;

	end_take(&link->end[1], req);
	cr_assert_eq(link->end[1].sent_count, sent_count, "answered");
	cr_assert_eq(*counter, before + 1, "not counted");
}

Test(cm_request, without_listener_is_refused_with_8)
{
	struct link *link = link_start(1, NULL);
	struct cm_listener *listener;
	struct wire_cm_msg req = req_make(link, 0);
	struct cm_id *id;

	check_refused(link, &req, WIRE_REJ_INVALID_SERVICE_ID);
	listener = link_listen(link, 1, 0);
	req.req.service_id++;
	check_refused(link, &req, WIRE_REJ_INVALID_SERVICE_ID);
	cm_unlisten(listener);
	id = link_connect(link, 0, QPN_ACTIVE); /* refused: ND-149, ND-150 */
	link_run(link, 1);
	cr_assert_eq(end_event_id(&link->end[0], CM_EVENT_REJECTED), id);
	cr_assert_eq(link->end[0].events[0].reject_reason, WIRE_REJ_INVALID_SERVICE_ID);
	link_stop(link);
}

/* B-101: a REQ is refused if its GIDs differ from the addresses of the packet that contains it. */
Test(cm_request, invalid_fields_are_refused_with_their_reason)
{
	struct cm_config config = {.pmtu_max = 3};
	struct link *link = link_start(2, &config);
	struct wire_cm_msg good, bad;

	link_listen(link, 1, 0);
	good = req_make(link, 0);
	bad = good;
	bad.req.transport_service = 1;
	check_refused(link, &bad, WIRE_REJ_INVALID_TRANSPORT);
	bad = good;
	bad.req.path_mtu = 4;
	check_refused(link, &bad, WIRE_REJ_INVALID_MTU);
	cr_assert_eq(end_last(&link->end[1])->rej.info_bytes, 1);
	cr_assert_eq(end_last(&link->end[1])->rej.info[0], 3);
	bad.req.path_mtu = 0;
	check_refused(link, &bad, WIRE_REJ_INVALID_MTU);
	bad = good;
	bad.req.remote_gid = link->end[0].gid;
	check_refused(link, &bad, WIRE_REJ_INVALID_GID);
	cr_assert_eq(end_last(&link->end[1])->rej.info_bytes, 16);
	cr_assert_eq(memcmp(end_last(&link->end[1])->rej.info, link->end[1].gid.raw, 16), 0);
	/* an address of this adapter, but not the destination of the packet */
	bad.req.remote_gid = link->end[1].gid2;
	check_refused(link, &bad, WIRE_REJ_INVALID_GID);
	bad = good;
	bad.private_data[0] = 0x10; /* wrong major version of the IP CM header */
	check_refused(link, &bad, WIRE_REJ_CONSUMER);
	link_stop(link);
}

/* CM-011: the GIDs, the IP CM header and the packet must have the same address family. */
Test(cm_request, private_header_must_agree_with_the_packet)
{
	struct link *link = link_start(3, NULL);
	struct wire_cm_msg good, bad;

	link_listen(link, 1, 0);
	good = req_make(link, 0);
	bad = good;
	bad.private_data[1] = 0x60;
	check_refused(link, &bad, WIRE_REJ_INVALID_GID);
	bad.private_data[1] = 0x50;
	check_refused(link, &bad, WIRE_REJ_INVALID_GID);
	bad = good;
	bad.private_data[35] ^= 1; /* destination address */
	check_refused(link, &bad, WIRE_REJ_INVALID_GID);
	link_stop(link);
}

Test(cm_request, of_another_sender_or_without_queue_pair_is_dropped)
{
	struct link *link = link_start(4, NULL);
	/* QPNs 0 and 1 are management queue pairs, and 0xFFFFFF is multicast. */
	static const uint32_t bad_qpn[] = {0, 1, 0xFFFFFF};
	const uint64_t *counter = &cm_counters(link->end[1].cm)->drop_invalid;
	struct wire_cm_msg good, bad;

	link_listen(link, 1, 0);
	good = req_make(link, 0);
	bad = good;
	bad.req.local_gid = link->end[0].gid2;
	check_dropped(link, &bad, counter);
	for (unsigned int i = 0; i < RTE_DIM(bad_qpn); i++) {
		bad = good;
		bad.req.local_qpn = bad_qpn[i];
		check_dropped(link, &bad, counter);
	}
	bad = good;
	bad.local_comm_id = 0;
	check_dropped(link, &bad, counter);
	bad = good;
	bad.req.pkey = 0x8001;
	check_dropped(link, &bad, counter);
	cr_assert_eq(cm_id_count(link->end[1].cm), 0);
	link_stop(link);
}

/*
 * A SIDR_REQ (a request for a datagram queue pair) is answered with a refusal. Without an answer,
 * the tool udaddy would wait 70 s.
 */
Test(cm_request, sidr_req_is_answered_unsupported)
{
	struct link *link = link_start(30, NULL);
	struct end *end = &link->end[1];
	struct wire_cm_msg sidr = {.attribute = WIRE_CM_SIDR_REQ,
		.transaction_id = 99,
		.local_comm_id = 0x12345678,
		.sidr_req = {.service_id = WIRE_SERVICE_PREFIX | 0x11u << 16 | 7174u}};
	const struct wire_cm_msg *answer;

	link_listen(link, 1, 0);
	end_take(end, &sidr);
	answer = end_last(end);
	cr_assert_eq(answer->attribute, WIRE_CM_SIDR_REP);
	cr_assert_eq(answer->sidr_rep.status, WIRE_SIDR_UNSUPPORTED);
	cr_assert_eq(answer->local_comm_id, sidr.local_comm_id);
	cr_assert_eq(answer->remote_comm_id, 0);
	cr_assert_eq(answer->transaction_id, sidr.transaction_id);
	cr_assert_eq(answer->sidr_rep.service_id, sidr.sidr_req.service_id);
	cr_assert_eq(answer->sidr_rep.qpn, 0);
	cr_assert_eq(cm_counters(end->cm)->rx[WIRE_CM_SIDR_REQ - WIRE_CM_REQ], 1);
	cr_assert_eq(cm_counters(end->cm)->tx[WIRE_CM_SIDR_REP - WIRE_CM_REQ], 1);
	sidr.attribute = WIRE_CM_SIDR_REP;
	end_take(end, &sidr);
	cr_assert_eq(end->sent_count, 1);
	cr_assert_eq(cm_counters(end->cm)->drop_state, 1);
	/* SEC-044: answers to SIDR_REQs obey the rate limit of answers without a record, too. */
	sidr.attribute = WIRE_CM_SIDR_REQ;
	for (unsigned int i = 0; i < 5000; i++) {
		end_take(end, &sidr);
		link->flight_count = 0;
	}
	cr_assert_lt(end->sent_count, 1100);
	cr_assert_eq(cm_id_count(end->cm), 0);
	link_stop(link);
}

/* A REQ with unusual fields is accepted. CM-016: ECE is not echoed. */
Test(cm_request, unusual_fields_are_accepted)
{
	struct link *link = link_start(5, NULL);
	struct end *end = &link->end[1];
	struct wire_cm_msg req;
	struct cm_peer peer;

	link_listen(link, 1, 0);
	req = req_make(link, 0);
	req.req.local_lid = 7;
	req.req.remote_lid = 0;
	req.req.subnet_local = true;
	req.req.service_level = 5;
	req.req.packet_rate = 3;
	req.req.vendor_id = 0x15B3;
	req.req.srq = true;
	req.req.flow_control = true;
	req.req.initiator_depth = 128;
	req.req.alternate_local_lid = 9;
	/* source address in the IP CM header, which Linux ignores as well */
	req.private_data[19] ^= 0xFF;
	end_take(end, &req);
	cm_id_peer(end_event_id(end, CM_EVENT_REQUEST), &peer);
	cr_assert(peer.srq);
	cr_assert_eq(peer.outbound_reads, 128);
	pair_accept(link, end->events[0].id, QPN_PASSIVE);
	cr_assert_eq(end_last(end)->rep.failover, 1);
	cr_assert_eq(end_last(end)->rep.target_ack_delay, 12);
	cr_assert_eq(end_last(end)->rep.responder_resources, 3);
	cr_assert_not(end_last(end)->rep.srq);
	req = req_make(link, 1);
	end_take(end, &req);
	pair_accept(link, end->events[1].id, QPN_PASSIVE + 1);
	cr_assert_eq(end_last(end)->rep.failover, 0);
	link_stop(link);
}

/*
 * CM-012: a listener at the destination address takes precedence over a listener for all addresses.
 */
Test(cm_request, listener_at_the_address_goes_before_the_general_one)
{
	static int general, special;
	struct link *link = link_start(6, NULL);
	struct end *end = &link->end[1];
	struct cm_listen_attr attr = {.service_id = TEST_SERVICE, .context = &special};
	struct cm_listener *listener, *other;
	struct wire_cm_msg req;

	attr.address = end->gid2;
	cr_assert_eq(cm_listen(end->cm, &attr, &listener), RC_OK);
	cr_assert_eq(cm_listen(end->cm, &attr, &other), RC_BUSY);
	req = req_make(link, 0);
	check_refused(link, &req, WIRE_REJ_INVALID_SERVICE_ID);
	attr.address = end->gid;
	cr_assert_eq(cm_listen(end->cm, &attr, &other), RC_OK);
	memset(&attr.address, 0, sizeof(attr.address));
	attr.context = &general;
	cr_assert_eq(cm_listen(end->cm, &attr, &listener), RC_OK);
	end_take(end, &req);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 1);
	cm_unlisten(other);
	req = req_make(link, 1);
	end_take(end, &req);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 2);
	cr_assert_eq(end->listener_contexts[0], &special);
	cr_assert_eq(end->listener_contexts[1], &general);
	link_stop(link);
}

Test(cm_request, listener_table_is_bounded)
{
	struct cm_config config = {.listener_max = 3};
	struct link *link = link_start(7, &config);
	struct cm_listen_attr attr = {.service_id = TEST_SERVICE};
	struct cm_listener *listeners[4];

	for (unsigned int i = 0; i < 3; i++, attr.service_id++)
		cr_assert_eq(cm_listen(link->end[1].cm, &attr, &listeners[i]), RC_OK);
	cr_assert_eq(cm_listen(link->end[1].cm, &attr, &listeners[3]), RC_NO_RESOURCES);
	cm_unlisten(listeners[1]);
	cr_assert_eq(cm_listen(link->end[1].cm, &attr, &listeners[3]), RC_OK);
	link_stop(link);
}

/* SEC-042: a listener has at most backlog half-open connections. Further REQs are dropped. */
Test(cm_request, beyond_the_backlog_is_dropped_silently)
{
	struct link *link = link_start(8, NULL);
	struct end *end = &link->end[1];
	const uint64_t *counter = &cm_counters(end->cm)->drop_backlog;
	struct cm_listener *listener = link_listen(link, 1, 2);
	struct wire_cm_msg req[4];

	for (unsigned int i = 0; i < 4; i++)
		req[i] = req_make(link, i);
	end_take(end, &req[0]);
	end_take(end, &req[1]);
	check_dropped(link, &req[2], counter);
	pair_accept(link, end->events[0].id, QPN_PASSIVE);
	end_take(end, &req[2]);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 3);
	check_dropped(link, &req[3], counter);
	cm_release(end->events[1].id, link->now_ns);
	end_take(end, &req[3]);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 4);
	/* Requests that were reported to the application stay valid after cm_unlisten(). */
	cm_unlisten(listener);
	pair_accept(link, end->events[2].id, QPN_PASSIVE + 1);
	cr_assert_eq(cm_reject(end->events[3].id, NULL, 0, link->now_ns), RC_OK);
	link_stop(link);
}

/* Network Direct: backlog 0 means that the listener itself has no limit. */
Test(cm_request, backlog_of_zero_limits_nothing)
{
	struct cm_config config = {.id_max = 2048, .half_open_max = 2048};
	struct link *link = link_start(10, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg req;

	link_listen(link, 1, 0);
	req = req_make(link, 0);
	for (unsigned int i = 0; i < 300; i++) {
		req.local_comm_id++;
		req.req.local_qpn++;
		end_take(end, &req);
	}
	cr_assert_eq(cm_counters(end->cm)->drop_backlog, 0);
	cr_assert_eq(end->event_count, 300);
	link_stop(link);
}

/* B-102: a flood of REQs from one source occupies a limited number of records. */
Test(cm_request, one_source_cannot_fill_the_table_with_half_open)
{
	struct cm_config config = {.id_max = 512, .req_rate_per_source = 10000};
	struct link *link = link_start(9, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg req;

	link_listen(link, 1, 1000);
	req = req_make(link, 0);
	for (unsigned int i = 0; i < 300; i++) {
		req.local_comm_id++;
		req.req.local_qpn++;
		end_take(end, &req);
	}
	cr_assert_eq(cm_id_count(end->cm), 128);
	cr_assert_eq(cm_counters(end->cm)->drop_half_open, 172);
	link_stop(link);
}

/* SEC-040: all unproven sources share a limited rate of refusals. See also test_cm_admission.c. */
Test(cm_request, refusals_of_unproven_sources_have_one_budget)
{
	struct cm_config config = {.answer_rate = 300};
	struct link *link = link_start(11, &config);
	struct end *end = &link->end[1];
	struct wire_cm_msg req = req_make(link, 0);

	for (uint32_t i = 0; i < 5000; i++) {
		struct cm_route from = {
			.local_gid = end->gid, .remote_gid = wire_gid_from_v4(0x0A000000 + i)};

		req.req.local_gid = from.remote_gid;
		cm_input(end->cm, &from, &req, link->now_ns);
		link->flight_count = 0;
	}
	cr_assert_eq(end->sent_count, 300, "%u answers", end->sent_count);
	cr_assert_eq(cm_counters(end->cm)->drop_unanswered, 4700);
	req = req_make(link, 0);
	link->now_ns += 500 * MS;
	for (unsigned int i = 0; i < 1000; i++)
		end_take(end, &req);
	link->flight_count = 0;
	cr_assert_eq(end->sent_count, 450, "%u answers", end->sent_count);
	link_stop(link);
}

Test(cm_request, full_table_drops_and_recovers)
{
	struct cm_config config = {.id_max = 3};
	struct link *link = link_start(12, &config);
	struct cm_connect_attr attr = link_connect_attr(link, 0, QPN_ACTIVE);
	struct end *end = &link->end[1];
	struct wire_cm_msg req[4];
	struct cm_id *id;

	link_listen(link, 1, 0);
	for (unsigned int i = 0; i < 4; i++) {
		req[i] = req_make(link, i);
		link_run(link, 1001 * MS);
	}
	for (unsigned int i = 0; i < 3; i++)
		end_take(end, &req[i]);
	check_dropped(link, &req[3], &cm_counters(end->cm)->drop_no_id);
	attr.route.local_gid = end->gid;
	attr.route.remote_gid = link->end[0].gid;
	cr_assert_eq(cm_connect(end->cm, &attr, link->now_ns, &id), RC_NO_RESOURCES);
	cm_release(end->events[0].id, link->now_ns);
	check_dropped(link, &req[3], &cm_counters(end->cm)->drop_no_id);
	link_run(link, 1001 * MS);
	end_take(end, &req[3]);
	cr_assert_eq(end_events_of(end, CM_EVENT_REQUEST), 4);
	link_stop(link);
}

Test(cm_request, impossible_configuration_is_refused)
{
	static const struct cm_ops ops = {
		.send = end_send, .event = end_event, .is_local = end_is_local};
	static const struct cm_ops incomplete = {.send = end_send, .event = end_event};
	struct base_random random;
	struct cm_config config = {.ca_guid = 1, .random = &random};
	struct cm *cm = NULL;

	test_eal_init();
	random_from(&random, 1, 0);
	cr_assert_eq(cm_create(&config, &incomplete, NULL, &cm), RC_INVALID_ARGUMENT);
	config.pmtu_max = 6;
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_INVALID_ARGUMENT);
	config.pmtu_max = 5;
	config.id_max = 1u << 21;
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_INVALID_ARGUMENT);
	config.id_max = 0;
	config.ca_guid = 0;
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_INVALID_ARGUMENT);
	config.ca_guid = 1;
	config.id_max = 1u << 20; /* a table of this size needs more memory than the test has */
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_NO_RESOURCES);
	cr_assert_null(cm);
	cm_destroy(NULL);
}
