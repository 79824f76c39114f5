/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include "trace/rules.h"
#include "unit/trace_breaches_cm.h"

/*
 * Test the rules for CM messages and for the states of a connection. Each scene breaks exactly one
 * rule.
 */

struct breach {
	enum trace_rule rule;
	const char *name;
	uint64_t (*play)(struct scene *scene);
};

static uint64_t
alternate_lid(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.req.alternate_local_lid = 0x1234;
	return scene_cm(scene, A, &req);
}

static uint64_t
reserved_byte(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	mad[24 + 26] = 0x40;
	return scene_mad(scene, A, mad);
}

static uint64_t
reserved_byte_of_ids(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	mad[24 + 4] = 0x01;
	return scene_mad(scene, A, mad);
}

static uint64_t
mad_base_version(struct scene *scene)
{
	return header_byte(scene, 0, 2);
}

static uint64_t
mad_class_version(struct scene *scene)
{
	return header_byte(scene, 2, 1);
}

static uint64_t
mad_method(struct scene *scene)
{
	return header_byte(scene, 3, 0x81);
}

static uint64_t
mad_class(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	scene_cm(scene, A, &req);
	return header_byte(scene, 1, 0x04);
}

static uint64_t
data_after_drep(struct scene *scene)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ), drep = scene_msg(B, WIRE_CM_DREP);

	scene_connect(scene);
	scene_cm(scene, A, &dreq);
	scene_cm(scene, B, &drep);
	SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 8);
	scene->now_ns += 1000000000;
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 8);
}

static uint64_t
reserved_bits(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	mad[24 + 95] |= 1;
	return scene_mad(scene, A, mad);
}

static uint64_t
req_changes(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	scene_cm(scene, A, &req);
	req.req.starting_psn++;
	return scene_cm(scene, A, &req);
}

static uint64_t
rep_changes(struct scene *scene)
{
	struct wire_cm_msg rep = scene_rep();

	scene_connect(scene);
	rep.rep.local_qpn++;
	return scene_cm(scene, B, &rep);
}

static uint64_t
rep_changes_behind_rej(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rej = scene_msg(A, WIRE_CM_REJ);

	scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	rej.rej.message = 1;
	rej.rej.reason = WIRE_REJ_CONSUMER;
	scene_cm(scene, A, &rej);
	rep.rep.local_qpn++;
	return scene_cm(scene, B, &rep);
}

static uint64_t
gid_foreign(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.req.local_gid = wire_gid_from_v4(0xC0000203);
	return scene_cm(scene, A, &req);
}

static uint64_t
private_header_version(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.private_data[1] = 0x60;
	return scene_cm(scene, A, &req);
}

static uint64_t
private_header_address(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.private_data[35]++;
	return scene_cm(scene, A, &req);
}

static uint64_t
source_qpn(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	return SEND(scene, .opcode = WIRE_UD_SEND_ONLY, .qpn = WIRE_QPN_CM, .data = mad,
		.bytes = sizeof(mad), .src_qp = 0x33);
}

static uint64_t
qkey(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	return SEND(scene, .opcode = WIRE_UD_SEND_ONLY, .qpn = WIRE_QPN_CM, .data = mad,
		.bytes = sizeof(mad), .qkey = 0x01234567);
}

static uint64_t
mad_short(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	return SEND(
		scene, .opcode = WIRE_UD_SEND_ONLY, .qpn = WIRE_QPN_CM, .data = mad, .bytes = 200);
}

static uint64_t
path_mtu_code(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.req.path_mtu = 6;
	return scene_cm(scene, A, &req);
}

static uint64_t
passive_before_rep(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	scene_cm(scene, A, &req);
	return SEND(scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B, .bytes = 8);
}

static uint64_t
active_before_rep(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();
	uint64_t frame;

	scene_cm(scene, A, &req);
	frame = SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 8);
	scene_cm(scene, B, &rep);
	return frame;
}

static uint64_t
rep_id(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();

	scene_cm(scene, A, &req);
	rep.remote_comm_id++;
	return scene_cm(scene, B, &rep);
}

static uint64_t
rtu_remote_id(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);

	scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	rtu.remote_comm_id++;
	return scene_cm(scene, A, &rtu);
}

static uint64_t
rtu_local_id(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);

	scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	rtu.local_comm_id++;
	return scene_cm(scene, A, &rtu);
}

static uint64_t
rej_id(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rej = scene_msg(B, WIRE_CM_REJ);

	scene_cm(scene, A, &req);
	rej.remote_comm_id++;
	rej.local_comm_id = 0;
	return scene_cm(scene, B, &rej);
}

static uint64_t
mra_id(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), mra = scene_msg(B, WIRE_CM_MRA);

	scene_cm(scene, A, &req);
	mra.remote_comm_id++;
	return scene_cm(scene, B, &mra);
}

static uint64_t
dreq_id(struct scene *scene)
{
	struct wire_cm_msg dreq = scene_msg(B, WIRE_CM_DREQ);

	scene_connect(scene);
	dreq.remote_comm_id++;
	return scene_cm(scene, B, &dreq);
}

static uint64_t
drep_id(struct scene *scene)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ), drep = scene_msg(B, WIRE_CM_DREP);

	scene_connect(scene);
	scene_cm(scene, A, &dreq);
	drep.local_comm_id++;
	return scene_cm(scene, B, &drep);
}

static uint64_t
dreq_qpn(struct scene *scene)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ);

	scene_connect(scene);
	dreq.dreq.remote_qpn = SCENE_QPN_A;
	return scene_cm(scene, A, &dreq);
}

static uint64_t
rtu_without_rep(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rtu = scene_msg(A, WIRE_CM_RTU);

	scene_cm(scene, A, &req);
	return scene_cm(scene, A, &rtu);
}

static uint64_t
drep_without_dreq(struct scene *scene)
{
	struct wire_cm_msg drep = scene_msg(B, WIRE_CM_DREP);

	scene_connect(scene);
	return scene_cm(scene, B, &drep);
}

static uint64_t
rep_tid(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();

	scene_cm(scene, A, &req);
	rep.transaction_id++;
	return scene_cm(scene, B, &rep);
}

static uint64_t
rtu_tid(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);

	scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	rtu.transaction_id++;
	return scene_cm(scene, A, &rtu);
}

static uint64_t
drep_tid(struct scene *scene)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ), drep = scene_msg(B, WIRE_CM_DREP);

	scene_connect(scene);
	scene_cm(scene, A, &dreq);
	drep.transaction_id++;
	return scene_cm(scene, B, &drep);
}

static const struct breach breaches[] = {
	{TRACE_CM_001, "alternate_lid", alternate_lid},
	{TRACE_CM_002, "reserved_byte", reserved_byte},
	{TRACE_CM_002, "reserved_byte_of_ids", reserved_byte_of_ids},
	{TRACE_CM_002, "reserved_bits", reserved_bits},
	{TRACE_CM_004, "req_changes", req_changes},
	{TRACE_CM_004, "rep_changes", rep_changes},
	{TRACE_CM_004, "rep_changes_behind_rej", rep_changes_behind_rej},
	{TRACE_CM_011, "gid_foreign", gid_foreign},
	{TRACE_CM_011, "private_header_version", private_header_version},
	{TRACE_CM_011, "private_header_address", private_header_address},
	{TRACE_CM_014, "source_qpn", source_qpn},
	{TRACE_CM_018, "path_mtu_code", path_mtu_code},
	{TRACE_CM_019, "passive_before_rep", passive_before_rep},
	{TRACE_CM_019, "active_before_rep", active_before_rep},
	{TRACE_CM_ID, "rep_id", rep_id},
	{TRACE_CM_ID, "rtu_remote_id", rtu_remote_id},
	{TRACE_CM_ID, "rtu_local_id", rtu_local_id},
	{TRACE_CM_ID, "rej_id", rej_id},
	{TRACE_CM_ID, "mra_id", mra_id},
	{TRACE_CM_ID, "dreq_id", dreq_id},
	{TRACE_CM_ID, "drep_id", drep_id},
	{TRACE_CM_002, "reserved_byte_of_header", reserved_byte_of_header},
	{TRACE_CM_002, "status_of_header", status_of_header},
	{TRACE_CM_002, "reserved_bits_of_alternate", reserved_bits_of_alternate},
	{TRACE_CM_IP, "private_header_major", private_header_major},
	{TRACE_CM_IP, "private_header_minor", private_header_minor},
	{TRACE_CM_REJ, "rej_of_passive_names_rep", rej_of_passive_names_rep},
	{TRACE_CM_REJ, "rej_of_active_names_req", rej_of_active_names_req},
	{TRACE_CM_STATE, "data_after_own_dreq", data_after_own_dreq},
	{TRACE_CM_TYPE, "transport_undefined", transport_undefined},
	{TRACE_CM_TYPE, "transport_of_data", transport_of_data},
	{TRACE_CM_MAD, "mad_short", mad_short},
	{TRACE_CM_MAD, "mad_base_version", mad_base_version},
	{TRACE_CM_MAD, "mad_class_version", mad_class_version},
	{TRACE_CM_MAD, "mad_method", mad_method},
	{TRACE_CM_MAD, "mad_class", mad_class},
	{TRACE_CM_QKEY, "qkey", qkey},
	{TRACE_CM_QPN, "dreq_qpn", dreq_qpn},
	{TRACE_CM_STATE, "rtu_without_rep", rtu_without_rep},
	{TRACE_CM_STATE, "drep_without_dreq", drep_without_dreq},
	{TRACE_CM_STATE, "data_after_drep", data_after_drep},
	{TRACE_CM_TID, "rep_tid", rep_tid},
	{TRACE_CM_TID, "rtu_tid", rtu_tid},
	{TRACE_CM_TID, "drep_tid", drep_tid},
};

Test(trace_cm, breach_blames_rule_and_frame)
{
	for (size_t i = 0; i < RTE_DIM(breaches); i++) {
		struct scene scene;
		uint64_t frame;

		scene_open(&scene);
		frame = breaches[i].play(&scene);
		scene_expect(&scene, breaches[i].name, trace_rule_id(breaches[i].rule), frame);
		scene_close(&scene);
	}
}

Test(trace_cm, rules_all_broken)
{
	for (unsigned rule = TRACE_CM_001; rule < TRACE_ICRC; rule++) {
		bool broken = false;

		for (size_t i = 0; i < RTE_DIM(breaches); i++)
			broken |= breaches[i].rule == rule;
		cr_expect(broken, "no scene breaks %s", trace_rule_id(rule));
	}
}

static enum nd_trace_cm
state_of(const struct scene *scene)
{
	cr_assert_eq(nd_trace_connection_count(scene->trace), 1);
	return nd_trace_connection(scene->trace, 0)->cm;
}

Test(trace_cm, connection_passes_through_states)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);
	struct wire_cm_msg dreq = scene_msg(B, WIRE_CM_DREQ), drep = scene_msg(A, WIRE_CM_DREP);
	const struct nd_trace_connection *connection;
	struct nd_trace_totals totals;
	struct scene scene;

	scene_open(&scene);
	scene_cm(&scene, A, &req);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_REQUESTED);
	scene_cm(&scene, B, &rep);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_REPLIED);
	scene_cm(&scene, A, &rtu);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_ESTABLISHED);
	scene_cm(&scene, B, &dreq);
	scene_cm(&scene, A, &drep);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_DISCONNECTED);
	connection = nd_trace_connection(scene.trace, 0);
	cr_expect_str_eq(connection->side[0].address, "192.0.2.1");
	cr_expect_str_eq(connection->side[1].address, "192.0.2.2");
	cr_expect_eq(connection->side[0].qpn, SCENE_QPN_A);
	cr_expect_eq(connection->side[1].qpn, SCENE_QPN_B);
	cr_expect_eq(connection->path_mtu_bytes, SCENE_MTU);
	cr_expect_eq(connection->first_frame, 1);
	cr_expect_eq(connection->last_frame, 5);
	nd_trace_totals(scene.trace, &totals);
	cr_expect_eq(totals.cm_messages, 5);
	scene_expect_clean(&scene, "states");
	scene_close(&scene);
}

Test(trace_cm, rejected_tells_reason)
{
	struct wire_cm_msg req = scene_req(), rej = scene_msg(B, WIRE_CM_REJ);
	struct scene scene;

	scene_open(&scene);
	scene_cm(&scene, A, &req);
	rej.local_comm_id = 0;
	rej.rej.reason = WIRE_REJ_INVALID_SERVICE_ID;
	scene_cm(&scene, B, &rej);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_REJECTED);
	cr_expect_eq(nd_trace_connection(scene.trace, 0)->reject_reason, 8);
	scene_expect_clean(&scene, "rejected");
	scene_close(&scene);
}

/*
 * If a REJ is lost, the REQ is retransmitted. Both REQs belong to one attempt. The next attempt has
 * a new communication ID.
 */
Test(trace_cm, req_repeated_behind_a_rej_is_one_attempt)
{
	struct wire_cm_msg req = scene_req(), rej = scene_msg(B, WIRE_CM_REJ);
	struct scene scene;

	scene_open(&scene);
	rej.local_comm_id = 0;
	rej.rej.reason = WIRE_REJ_INVALID_SERVICE_ID;
	for (int time = 0; time < 3; time++) {
		scene_cm(&scene, A, &req);
		scene_cm(&scene, B, &rej);
	}
	cr_expect_eq(nd_trace_connection_count(scene.trace), 1);
	req.transaction_id = ++rej.transaction_id;
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rej);
	cr_expect_eq(nd_trace_connection_count(scene.trace), 2);
	cr_expect_eq(nd_trace_connection(scene.trace, 1)->cm, ND_TRACE_CM_REJECTED);
	scene_expect_clean(&scene, "REQ behind a REJ");
	scene_close(&scene);
}

/*
 * The passive side gives up after its REP and forgets the connection. Then a delayed copy of the
 * REQ arrives. The passive side answers this copy with a new REP, which the active side rejects.
 */
Test(trace_cm, late_copy_of_a_rejected_req_gets_another_rep)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rej = scene_msg(B, WIRE_CM_REJ);
	struct scene scene;

	scene_open(&scene);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, A, &req); /* a delayed copy */
	scene_cm(&scene, B, &rep);
	rej.rej.message = 2;
	rej.rej.reason = WIRE_REJ_CONSUMER;
	scene_cm(&scene, B, &rej);
	rep.local_comm_id++;
	rep.rep.local_qpn++;
	scene_cm(&scene, B, &rep);
	rej = scene_msg(A, WIRE_CM_REJ);
	rej.remote_comm_id = rep.local_comm_id;
	rej.rej.message = 1;
	rej.rej.reason = WIRE_REJ_INVALID_COMM_ID;
	scene_cm(&scene, A, &rej);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_REJECTED);
	scene_expect_clean(&scene, "another REP");
	scene_close(&scene);
}

/*
 * The passive side rejects a REQ as stale, and then accepts a copy of the REQ. The REJ is lost, so
 * the active side receives only the REP.
 */
Test(trace_cm, rep_behind_a_lost_rej_makes_the_connection)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rej = scene_msg(B, WIRE_CM_REJ);
	struct wire_cm_msg rtu = scene_msg(A, WIRE_CM_RTU);
	struct scene scene;

	scene_open(&scene);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, A, &req);
	rej.rej.message = 0;
	rej.rej.reason = 10; /* stale connection */
	scene_cm(&scene, B, &rej);
	scene_cm(&scene, B, &rep);
	scene_cm(&scene, A, &rtu);
	cr_expect_eq(state_of(&scene), ND_TRACE_CM_ESTABLISHED);
	scene_expect_clean(&scene, "REP behind a REJ");
	scene_close(&scene);
}

/*
 * No violation: lost messages are retransmitted, both sides answer a DREQ, and the active side
 * sends an MRA because it is slow.
 */
Test(trace_cm, repetitions_clean)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);
	struct wire_cm_msg mra = scene_msg(B, WIRE_CM_MRA);
	struct wire_cm_msg dreq_a = scene_msg(A, WIRE_CM_DREQ), drep_b = scene_msg(B, WIRE_CM_DREP);
	struct wire_cm_msg dreq_b = scene_msg(B, WIRE_CM_DREQ), drep_a = scene_msg(A, WIRE_CM_DREP);
	struct scene scene;

	dreq_b.transaction_id = drep_a.transaction_id = 0x1234;
	scene_open(&scene);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &mra);
	scene_cm(&scene, B, &rep);
	scene_cm(&scene, B, &rep);
	scene_cm(&scene, A, &rtu);
	scene_cm(&scene, A, &rtu);
	scene_cm(&scene, A, &dreq_a);
	scene_cm(&scene, B, &dreq_b);
	scene_cm(&scene, B, &drep_b);
	scene_cm(&scene, A, &drep_a);
	scene_cm(&scene, A, &dreq_a);
	scene_cm(&scene, B, &drep_b);
	scene_expect_clean(&scene, "repetitions");
	cr_expect_eq(nd_trace_connection_count(scene.trace), 1);
	scene_close(&scene);
}

/*
 * The passive side gives up with a REJ while the RTU is in flight. Meanwhile the active side has
 * retransmitted its REQ. The RTU answers the earlier REP, not a REP for this REQ.
 */
Test(trace_cm, rtu_of_earlier_rep_clean)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);
	struct wire_cm_msg rej = scene_msg(B, WIRE_CM_REJ);
	struct scene scene;

	scene_open(&scene);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rep);
	scene_cm(&scene, B, &rej);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, A, &rtu);
	scene_expect_clean(&scene, "RTU of the earlier REP");
	scene_close(&scene);
}

Test(trace_cm, other_management_classes_clean)
{
	struct scene scene;
	uint8_t mad[LIMIT_MAD_BYTES] = {1, 0x03, 2, 0x01};

	scene_open(&scene);
	scene_connect(&scene);
	be_store16(mad + 16, 0x35);
	scene_mad(&scene, A, mad);
	mad[1] = 0x07;
	be_store16(mad + 16, 0x01);
	scene_mad(&scene, A, mad);
	scene_expect_clean(&scene, "other classes");
	scene_close(&scene);
}

Test(trace_cm, answers_of_unseen_req_clean)
{
	struct wire_cm_msg rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ), drep = scene_msg(B, WIRE_CM_DREP);
	struct scene scene;

	scene_open(&scene);
	scene_cm(&scene, B, &rep);
	scene_cm(&scene, A, &rtu);
	scene_cm(&scene, A, &dreq);
	scene_cm(&scene, B, &drep);
	scene_expect_clean(&scene, "late");
	cr_expect_eq(nd_trace_connection_count(scene.trace), 0);
	scene_close(&scene);
}

Test(trace_cm, queue_pairs_used_again_clean)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ), drep = scene_msg(B, WIRE_CM_DREP);
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);
	struct scene scene;

	scene_open(&scene);
	scene_connect(&scene);
	for (uint32_t i = 0; i < 3; i++)
		SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A + i, .bytes = 8);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = SCENE_PSN_A + 2,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 3);
	scene_cm(&scene, A, &dreq);
	scene_cm(&scene, B, &drep);
	req.transaction_id = rep.transaction_id = rtu.transaction_id = 0x9999;
	req.local_comm_id = rep.remote_comm_id = rtu.local_comm_id = 0x51515151;
	rep.local_comm_id = rtu.remote_comm_id = 0x61616161;
	rep.rep.starting_psn = 0xFFFFFF;
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rep);
	scene_cm(&scene, A, &rtu);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = 0xFFFFFF, .bytes = 16);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = 0, .bytes = 16);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = 0,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
	scene_expect_clean(&scene, "again");
	cr_assert_eq(nd_trace_connection_count(scene.trace), 2);
	cr_expect_eq(nd_trace_connection(scene.trace, 0)->side[0].sends, 3);
	cr_expect_eq(nd_trace_connection(scene.trace, 1)->side[0].sends, 2);
	cr_expect_eq(nd_trace_connection(scene.trace, 1)->side[1].acks, 1);
	scene_close(&scene);
}
