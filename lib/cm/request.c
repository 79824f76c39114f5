/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/request.h"

#include <string.h>

#include <rte_common.h>

#include "base/assert.h"
#include "base/psn.h"
#include "cm/fsm.h"
#include "cm/manager.h"
#include "cm/message.h"

/*
 * Reception of a REQ, the only message for which state is created for an unknown peer (CM-022). The
 * source address of a REQ may be forged. Therefore a dropped or refused REQ does not count against
 * the limits of honest requests from the same address (source.h). The checks are in this order:
 * duplicate REQ, barred source, validity, limits, stale connection, free record. Nothing is stored
 * before a record is allocated.
 */

#define TRANSPORT_RC   0
#define IP_CM_VERSION  0
#define VERDICT_ACCEPT 0
#define VERDICT_DROP   UINT16_MAX

/*
 * CM-011: GIDs, private header and packet must have the same address family, and contain our
 * address. The source address in the private header is not compared with the packet, because Linux
 * does not compare it.
 */
static bool
addresses_agree(struct cm *cm, const struct cm_route *from, const struct wire_cm_req *req,
	const struct wire_ip_cm *header)
{
	bool v4 = wire_gid_is_v4(&from->local_gid);

	return wire_gid_equal(&req->remote_gid, &from->local_gid) &&
		cm->ops.is_local(cm->arg, &req->remote_gid) &&
		wire_gid_is_v4(&req->local_gid) == v4 && header->ip_version == (v4 ? 4 : 6) &&
		wire_gid_equal(&header->dst, &from->local_gid);
}

/* @return reject reason, VERDICT_ACCEPT or VERDICT_DROP */
static uint16_t
judge(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg,
	const struct cm_listener *listener)
{
	const struct wire_cm_req *req = &msg->req;
	struct wire_ip_cm header;

	/*
	 * Drop the REQ without a REJ. The source address may be forged, so a REJ would go to an
	 * uninvolved host.
	 */
	if (!wire_gid_equal(&req->local_gid, &from->remote_gid) ||
		!wire_qpn_usable(req->local_qpn) || msg->local_comm_id == 0 ||
		!wire_pkey_matches(req->pkey))
		return VERDICT_DROP;
	if (req->transport_service != TRANSPORT_RC)
		return WIRE_REJ_INVALID_TRANSPORT;
	if (listener == NULL)
		return WIRE_REJ_INVALID_SERVICE_ID;
	if (msg->private_data[0] != IP_CM_VERSION)
		return WIRE_REJ_CONSUMER;
	wire_ip_cm_load(msg->private_data, &header);
	if (!addresses_agree(cm, from, req, &header))
		return WIRE_REJ_INVALID_GID;
	if (req->path_mtu < WIRE_PMTU_CODE_MIN || req->path_mtu > cm->config.pmtu_max)
		return WIRE_REJ_INVALID_MTU;
	return VERDICT_ACCEPT;
}

static void
refuse(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint16_t reason)
{
	struct wire_cm_msg rej;

	cm_message_refusal(msg, CM_ABOUT_REQ, reason, &rej);
	/* The additional reject information (IBTA) is the value that we would accept. */
	if (reason == WIRE_REJ_INVALID_MTU) {
		rej.rej.info_bytes = 1;
		rej.rej.info[0] = cm->config.pmtu_max;
	} else if (reason == WIRE_REJ_INVALID_GID) {
		rej.rej.info_bytes = sizeof(from->local_gid.raw);
		memcpy(rej.rej.info, from->local_gid.raw, sizeof(from->local_gid.raw));
	}
	cm_message_send(cm, from, &rej);
}

static void
peer_take_req(struct cm_id *id, const struct wire_cm_msg *msg)
{
	const struct wire_cm_req *req = &msg->req;
	struct wire_ip_cm header;

	wire_ip_cm_load(msg->private_data, &header);
	id->remote_comm_id = msg->local_comm_id;
	id->remote_guid = req->local_ca_guid;
	id->transaction_id = msg->transaction_id;
	id->alternate_path = req->alternate_local_lid != 0;
	id->peer_max_retries = req->max_cm_retries;
	id->rtu_interval_ns = cm_response_ns(req->local_cm_timeout);
	/* The peer retransmits the REQ after our response time plus the round-trip time. */
	id->req_interval_ns =
		cm_response_ns(req->remote_cm_timeout) + cm_response_ns(req->ack_timeout);
	id->peer = (struct cm_peer){
		.qpn = req->local_qpn,
		.starting_psn = req->starting_psn & PSN_MASK,
		.inbound_reads = req->responder_resources,
		.outbound_reads = req->initiator_depth,
		.path_mtu = req->path_mtu,
		.rnr_retry_count = req->rnr_retry_count & WIRE_RETRY_COUNT_MAX,
		.retry_count = req->retry_count & WIRE_RETRY_COUNT_MAX,
		.ack_timeout = req->ack_timeout & WIRE_TIMEOUT_CODE_MAX,
		.traffic_class = req->traffic_class,
		.hop_limit = req->hop_limit,
		.srq = req->srq,
		.flow_label = req->flow_label & WIRE_FLOW_LABEL_MASK,
		.src_port = header.src_port,
		.service_id = req->service_id,
	};
}

static void
admit(struct cm_id *id, struct cm_listener *listener, const struct wire_cm_msg *msg,
	uint64_t now_ns)
{
	struct cm *cm = id->cm;
	struct cm_key by_id =
		cm_key_make(msg->local_comm_id, msg->req.local_ca_guid, &id->route.remote_gid);
	struct cm_key by_qpn =
		cm_key_make(msg->req.local_qpn, msg->req.local_ca_guid, &id->route.remote_gid);

	peer_take_req(id, msg);
	cm_index_insert(&cm->by_remote_id, &id->by_remote_id, &by_id);
	cm_index_insert(&cm->by_remote_qpn, &id->by_remote_qpn, &by_qpn);
	cm_listener_attach(listener, id);
	id->frames_left = CM_REQ_FRAMES;
	cm_fsm_enter(id, CM_REQ_RECEIVED, now_ns);
	cm_admission_enter(id, msg, now_ns);
}

static struct cm_id *
find_duplicate(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg)
{
	struct cm_key key =
		cm_key_make(msg->local_comm_id, msg->req.local_ca_guid, &from->remote_gid);
	struct cm_index_node *node = cm_index_find(&cm->by_remote_id, &key);

	return node != NULL ? base_list_entry(node, struct cm_id, by_remote_id) : NULL;
}

/*
 * A peer that has restarted may use the same communication ID for a new REQ. Then the QPN or PSN
 * differs, or the connection has been established for longer than timewait_ns. A connection that is
 * older than timewait_ns gets no duplicate REQ, because the peer retransmits a REQ only until it
 * has the REP.
 * @return true if a REQ with the communication ID of a connection is a duplicate of the REQ that
 *         created the connection
 */
static bool
is_copy(const struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	if (id->state == CM_TIMEWAIT)
		return true; /* in TIMEWAIT, the answer to a duplicate and to a new REQ is a REJ */
	if (id->peer.qpn != msg->req.local_qpn ||
		id->peer.starting_psn != (msg->req.starting_psn & PSN_MASK))
		return false;
	return id->state != CM_ESTABLISHED || now_ns - id->entered_ns <= id->cm->config.timewait_ns;
}

static struct cm_id *
find_stale(
	struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct cm_key key =
		cm_key_make(msg->req.local_qpn, msg->req.local_ca_guid, &from->remote_gid);
	struct cm_index_node *node = cm_index_find(&cm->by_remote_qpn, &key);
	struct cm_id *id;

	if (node == NULL)
		return NULL;
	id = base_list_entry(node, struct cm_id, by_remote_qpn);
	return cm_fsm_gives_way(id, now_ns) ? NULL : id;
}

/* @return listener for a valid REQ; NULL if the REQ is invalid and was refused or dropped */
static struct cm_listener *
validate(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg,
	struct cm_source *source, uint64_t now_ns)
{
	struct cm_listener *listener =
		cm_listener_find(&cm->listeners, msg->req.service_id, &from->local_gid);
	uint16_t verdict = judge(cm, from, msg, listener);

	if (verdict == VERDICT_ACCEPT)
		return listener;
	if (verdict == VERDICT_DROP)
		cm->counters.drop_invalid++;
	else if (cm_source_may_answer(cm, source, now_ns))
		refuse(cm, from, msg, verdict);
	return NULL;
}

/* SEC-040, SEC-042: a REQ above a limit is dropped and counted. The peer retransmits it. */
static bool
limits_allow(struct cm *cm, struct cm_source *source, const struct cm_listener *listener,
	uint64_t now_ns)
{
	if (!cm_source_may_connect(&cm->sources, source, now_ns)) {
		cm->counters.drop_rate++;
		return false;
	}
	if (listener->pending_count >= listener->backlog) {
		cm->counters.drop_backlog++;
		return false;
	}
	return cm_admission_has_room(cm, source, now_ns);
}

/*
 * Retransmit the stored answer. The retransmission counts in the limit of answers without a
 * connection. So forged duplicates cause no more answers than forged REQs that are refused.
 */
static void
duplicate(
	struct cm_id *id, struct cm_source *source, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	if (!cm_source_may_answer(id->cm, source, now_ns))
		return;
	id->frames_left = (uint8_t)RTE_MIN(id->frames_left + CM_REQ_FRAMES, UINT8_MAX);
	cm_fsm_react(id, msg, now_ns);
}

void
cm_request_input(
	struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct cm_source *source = cm_source_of(&cm->sources, &from->remote_gid);
	struct cm_id *known = find_duplicate(cm, from, msg), *id;
	struct cm_listener *listener;

	if (known != NULL && is_copy(known, msg, now_ns)) {
		duplicate(known, source, msg, now_ns);
		return;
	}
	/*
	 * SEC-031: drop the REQ of a barred source. Duplicates were handled above, because a bar
	 * does not affect existing connections.
	 */
	if (cm_bucket_empty(&source->guesses, &cm->sources.guess_pace, now_ns)) {
		cm->counters.drop_barred++;
		return;
	}
	listener = validate(cm, from, msg, source, now_ns);
	if (listener == NULL || !limits_allow(cm, source, listener, now_ns))
		return;
	id = known != NULL ? known : find_stale(cm, from, msg, now_ns);
	if (id != NULL) {
		if (cm_source_may_answer(cm, source, now_ns))
			refuse(cm, from, msg, WIRE_REJ_STALE_CONNECTION);
		cm_fsm_stale(id, now_ns);
		return;
	}
	id = cm_id_alloc(&cm->ids, cm->config.random);
	if (id == NULL) {
		cm->counters.drop_no_id++;
		return;
	}
	id->cm = cm;
	id->route = *from;
	id->source = source;
	admit(id, listener, msg, now_ns);
}
