/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TRACE_SCENE_H
#define NDPDK_UNIT_TRACE_SCENE_H

#include <criterion/criterion.h>

#include "unit/trace_packet.h"
#include "wire/cm_msg.h"

/*
 * Functions that connect the two hosts of a scene, and check what the trace has found. The CM
 * messages set up the connection that trace_packet.h defines.
 */

/* Retry count that A permits to B, and RNR retry counts that A and B permit to each other. */
#define SCENE_RETRIES       3
#define SCENE_RNR_RETRIES_A 2
#define SCENE_RNR_RETRIES_B 1
/* 268 ms */
#define SCENE_ACK_TIMEOUT   16

#define SECOND UINT64_C(1000000000)

/* Send requests from A, and responses from B to these requests. */
#define ACK(scene, psn_, msn_)                                                                     \
	SEND(scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = (psn_),                       \
		.syndrome = WIRE_SYNDROME_ACK, .msn = (msn_))
#define NAK(scene, psn_, msn_, syndrome_)                                                          \
	SEND(scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = (psn_),                       \
		.syndrome = (syndrome_), .msn = (msn_))
#define ONLY(scene, psn_) SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = (psn_), .bytes = 100)
#define READ(scene, psn_, length_)                                                                 \
	SEND(scene, .opcode = WIRE_RC_READ_REQUEST, .psn = (psn_), .length = (length_),            \
		.address = 0x10000, .rkey = 0x77)

static inline uint64_t
scene_mad(struct scene *scene, enum scene_host from, const uint8_t mad[LIMIT_MAD_BYTES])
{
	return SEND(scene, .from = from, .opcode = WIRE_UD_SEND_ONLY, .qpn = WIRE_QPN_CM,
		.data = mad, .bytes = LIMIT_MAD_BYTES, .port = 0xD872);
}

static inline uint64_t
scene_cm(struct scene *scene, enum scene_host from, const struct wire_cm_msg *msg)
{
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(msg, mad);
	return scene_mad(scene, from, mad);
}

static inline struct wire_cm_msg
scene_req(void)
{
	struct wire_cm_msg msg = {
		.attribute = WIRE_CM_REQ,
		.transaction_id = SCENE_TID,
		.local_comm_id = SCENE_ID_A,
		.req.service_id = WIRE_SERVICE_PREFIX | 6u << 16 | 7174,
		.req.local_ca_guid = 0x00aa00fffe000001,
		.req.local_qpn = SCENE_QPN_A,
		.req.starting_psn = SCENE_PSN_B,
		.req.responder_resources = 2,
		.req.initiator_depth = 3,
		.req.path_mtu = 3,
		.req.retry_count = SCENE_RETRIES,
		.req.rnr_retry_count = SCENE_RNR_RETRIES_B,
		.req.ack_timeout = SCENE_ACK_TIMEOUT,
		.req.pkey = WIRE_PKEY_DEFAULT,
		.req.local_gid = wire_gid_from_v4(0xC0000201),
		.req.remote_gid = wire_gid_from_v4(0xC0000202),
	};
	struct wire_ip_cm header = {.ip_version = 4,
		.src_port = 4000,
		.src = msg.req.local_gid,
		.dst = msg.req.remote_gid};

	wire_ip_cm_store(msg.private_data, &header);
	return msg;
}

static inline struct wire_cm_msg
scene_rep(void)
{
	return (struct wire_cm_msg){
		.attribute = WIRE_CM_REP,
		.transaction_id = SCENE_TID,
		.local_comm_id = SCENE_ID_B,
		.remote_comm_id = SCENE_ID_A,
		.rep.local_qpn = SCENE_QPN_B,
		.rep.starting_psn = SCENE_PSN_A,
		.rep.responder_resources = 3,
		.rep.initiator_depth = 2,
		.rep.rnr_retry_count = SCENE_RNR_RETRIES_A,
	};
}

static inline struct wire_cm_msg
scene_msg(enum scene_host from, enum wire_cm_attribute attribute)
{
	struct wire_cm_msg msg = {
		.attribute = attribute,
		.transaction_id = SCENE_TID,
		.local_comm_id = from == A ? SCENE_ID_A : SCENE_ID_B,
		.remote_comm_id = from == A ? SCENE_ID_B : SCENE_ID_A,
	};

	if (attribute == WIRE_CM_DREQ)
		msg.dreq.remote_qpn = from == A ? SCENE_QPN_B : SCENE_QPN_A;
	return msg;
}

static inline void
scene_connect(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rtu = scene_msg(A, WIRE_CM_RTU);

	scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	scene_cm(scene, A, &rtu);
}

static inline void
scene_print(const struct scene *scene)
{
	const struct nd_trace_violation *violation;

	for (size_t i = 0; (violation = nd_trace_violation(scene->trace, i)) != NULL; i++)
		cr_log_warn("frame %lu: %s %s", (unsigned long)violation->frame, violation->rule,
			violation->text);
}

static inline void
scene_expect_clean(struct scene *scene, const char *name)
{
	nd_trace_finish(scene->trace);
	if (nd_trace_violation_count(scene->trace) != 0)
		scene_print(scene);
	cr_expect_eq(nd_trace_violation_count(scene->trace), 0, "%s: %zu violations", name,
		nd_trace_violation_count(scene->trace));
}

static inline void
scene_expect(struct scene *scene, const char *name, const char *rule, uint64_t frame)
{
	const struct nd_trace_violation *violation;

	nd_trace_finish(scene->trace);
	if (nd_trace_violation_count(scene->trace) != 1)
		scene_print(scene);
	cr_expect_eq(nd_trace_violation_count(scene->trace), 1, "%s: %zu violations, not 1", name,
		nd_trace_violation_count(scene->trace));
	violation = nd_trace_violation(scene->trace, 0);
	if (violation == NULL)
		return;
	cr_expect_str_eq(violation->rule, rule, "%s: rule %s, not %s", name, violation->rule, rule);
	cr_expect_eq(violation->frame, frame, "%s: frame %lu, not %lu", name,
		(unsigned long)violation->frame, (unsigned long)frame);
}

#endif
