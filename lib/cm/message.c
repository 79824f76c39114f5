/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/message.h"

#include <string.h>

#include <rte_common.h>

#include "base/assert.h"
#include "base/be.h"
#include "cm/manager.h"

/*
 * Value of the LID fields, because RoCE has no LIDs. Linux sends this value if the hop limit is
 * above 1.
 */
#define LID_PERMISSIVE       0xFFFF
#define FAILOVER_UNSUPPORTED 1

static void
start(struct wire_cm_msg *msg, enum wire_cm_attribute attribute, const struct cm_id *id)
{
	memset(msg, 0, sizeof(*msg));
	msg->attribute = attribute;
	msg->transaction_id = id->transaction_id;
	msg->local_comm_id = id->comm_id;
	msg->remote_comm_id = id->remote_comm_id;
}

static void
private_data_put(struct wire_cm_msg *msg, size_t offset, const struct cm_endpoint *endpoint)
{
	BASE_ASSERT(offset + endpoint->private_bytes <= sizeof(msg->private_data));
	if (endpoint->private_bytes > 0)
		memcpy(msg->private_data + offset, endpoint->private_data, endpoint->private_bytes);
}

uint8_t
cm_ack_timeout(uint8_t path, uint8_t delay)
{
	uint8_t sum;

	if (path == 0)
		return 0;
	if (path >= delay)
		sum = (uint8_t)(path + (delay >= path - 1));
	else
		sum = (uint8_t)(delay + (path >= delay - 1));
	return RTE_MIN(sum, WIRE_TIMEOUT_CODE_MAX);
}

void
cm_message_req(const struct cm_id *id, const struct cm_connect_attr *attr, struct wire_cm_msg *msg)
{
	const struct cm_config *config = &id->cm->config;
	const struct cm_endpoint *endpoint = &attr->endpoint;
	const struct wire_ip_cm header = {
		.ip_version = wire_gid_is_v4(&attr->route.local_gid) ? 4 : 6,
		.src_port = attr->src_port,
		.src = attr->route.local_gid,
		.dst = attr->route.remote_gid,
	};

	start(msg, WIRE_CM_REQ, id);
	/*
	 * The fields for alternate path, ECE, packet rate, service level and flow control are zero
	 * (CM-001, CM-016).
	 */
	msg->req = (struct wire_cm_req){
		.service_id = attr->service_id,
		.local_ca_guid = config->ca_guid,
		.local_qpn = endpoint->qpn,
		.starting_psn = endpoint->starting_psn,
		.responder_resources = endpoint->inbound_reads,
		.initiator_depth = endpoint->outbound_reads,
		.remote_cm_timeout = config->response_timeout,
		.local_cm_timeout = config->response_timeout,
		.retry_count = attr->retry_count,
		.rnr_retry_count = endpoint->rnr_retry_count,
		.srq = endpoint->srq,
		.path_mtu = attr->path_mtu,
		.max_cm_retries = WIRE_CM_RETRIES_MAX,
		.pkey = WIRE_PKEY_DEFAULT,
		.local_lid = LID_PERMISSIVE,
		.remote_lid = LID_PERMISSIVE,
		.local_gid = attr->route.local_gid,
		.remote_gid = attr->route.remote_gid,
		.flow_label = id->peer.flow_label,
		.traffic_class = attr->traffic_class,
		.hop_limit = attr->hop_limit,
		.ack_timeout = cm_ack_timeout(attr->ack_timeout, config->ack_delay),
	};
	wire_ip_cm_store(msg->private_data, &header);
	private_data_put(msg, WIRE_IP_CM_BYTES, endpoint);
}

void
cm_message_rep(const struct cm_id *id, const struct cm_endpoint *endpoint, struct wire_cm_msg *msg)
{
	start(msg, WIRE_CM_REP, id);
	msg->rep = (struct wire_cm_rep){
		.local_ca_guid = id->cm->config.ca_guid,
		.local_qpn = endpoint->qpn,
		.starting_psn = endpoint->starting_psn,
		.responder_resources = endpoint->inbound_reads,
		.initiator_depth = endpoint->outbound_reads,
		.target_ack_delay = id->cm->config.ack_delay,
		.failover = id->alternate_path ? FAILOVER_UNSUPPORTED : 0,
		.rnr_retry_count = endpoint->rnr_retry_count,
		.srq = endpoint->srq,
	};
	private_data_put(msg, 0, endpoint);
}

void
cm_message_rtu(const struct cm_id *id, struct wire_cm_msg *msg)
{
	start(msg, WIRE_CM_RTU, id);
}

void
cm_message_mra(const struct cm_id *id, enum cm_about about, struct wire_cm_msg *msg)
{
	start(msg, WIRE_CM_MRA, id);
	msg->mra = (struct wire_cm_mra){
		.message = (uint8_t)about,
		.service_timeout = id->cm->mra_service_timeout,
	};
}

void
cm_message_rej(
	const struct cm_id *id, enum cm_about about, uint16_t reason, struct wire_cm_msg *msg)
{
	start(msg, WIRE_CM_REJ, id);
	msg->rej.message = (uint8_t)about;
	msg->rej.reason = reason;
	if (reason == WIRE_REJ_TIMEOUT) {
		msg->rej.info_bytes = sizeof(uint64_t);
		be_store64(msg->rej.info, id->cm->config.ca_guid);
	}
}

void
cm_message_dreq(const struct cm_id *id, struct wire_cm_msg *msg)
{
	start(msg, WIRE_CM_DREQ, id);
	msg->transaction_id = base_random_u64(id->cm->config.random);
	msg->dreq.remote_qpn = id->peer.qpn;
}

static void
start_answer(struct wire_cm_msg *msg, enum wire_cm_attribute attribute,
	const struct wire_cm_msg *question)
{
	memset(msg, 0, sizeof(*msg));
	msg->attribute = attribute;
	msg->transaction_id = question->transaction_id;
	msg->remote_comm_id = question->local_comm_id;
}

void
cm_message_drep(const struct wire_cm_msg *dreq, struct wire_cm_msg *msg)
{
	start_answer(msg, WIRE_CM_DREP, dreq);
	msg->local_comm_id = dreq->remote_comm_id;
}

void
cm_message_sidr_rep(const struct wire_cm_msg *sidr_req, struct wire_cm_msg *msg)
{
	start_answer(msg, WIRE_CM_SIDR_REP, sidr_req);
	/* In SIDR_REQ and SIDR_REP this field is the request ID, not a communication ID. */
	msg->local_comm_id = sidr_req->local_comm_id;
	msg->remote_comm_id = 0;
	msg->sidr_rep.status = WIRE_SIDR_UNSUPPORTED;
	msg->sidr_rep.service_id = sidr_req->sidr_req.service_id;
}

void
cm_message_refusal(const struct wire_cm_msg *refused, enum cm_about about, uint16_t reason,
	struct wire_cm_msg *msg)
{
	start_answer(msg, WIRE_CM_REJ, refused);
	msg->local_comm_id = refused->remote_comm_id;
	msg->rej.message = (uint8_t)about;
	msg->rej.reason = reason;
}

bool
cm_message_send(struct cm *cm, const struct cm_route *route, const struct wire_cm_msg *msg)
{
	if (!cm->ops.send(cm->arg, route, msg))
		return false;
	cm->counters.tx[msg->attribute - WIRE_CM_REQ]++;
	return true;
}

uint8_t
cm_message_accepted_mtu(const struct wire_cm_msg *msg)
{
	const uint8_t code = msg->rej.info[0];

	return msg->rej.reason == WIRE_REJ_INVALID_MTU && msg->rej.info_bytes != 0 &&
			code >= WIRE_PMTU_CODE_MIN && code <= WIRE_PMTU_CODE_MAX
		? code
		: 0;
}
