/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/cm_follow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "base/be.h"
#include "base/encoded_time.h"
#include "wire/icrc.h"

/*
 * A message is assigned to an exchange by its addresses and communication IDs. The search starts
 * with the newest exchange, because addresses and IDs may be reused. If only some IDs match, for
 * example the transaction ID but not the communication ID, the message breaks a rule. If nothing
 * matches, the message may belong to a connection that is older than the capture.
 */

#define MAD_TRANSACTION_AT 8
#define RETRIES_UNLIMITED  7

/* Values of the REJ field "message rejected" (IBTA volume 1, 12.6.7). */
#define REJECTED_REQ   0
#define REJECTED_REP   1
#define REJECTED_OTHER 2

enum side { ACTIVE = 0, PASSIVE = 1 };

struct message {
	const struct wire_cm_msg *msg;
	const struct trace_packet *packet;
	uint32_t fingerprint;
};

bool
trace_cm_init(struct trace_cm *cm)
{
	cm->added = 0;
	cm->damages.added = 0;
	cm->exchanges = calloc(TRACE_EXCHANGES, sizeof(*cm->exchanges));
	return cm->exchanges != NULL;
}

void
trace_cm_free(struct trace_cm *cm)
{
	free(cm->exchanges);
}

/* @return the n-th newest exchange */
static struct trace_cm_exchange *
exchange_at(const struct trace_cm *cm, size_t n)
{
	return &cm->exchanges[(cm->added - 1 - n) % TRACE_EXCHANGES];
}

static size_t
exchange_count(const struct trace_cm *cm)
{
	return RTE_MIN(cm->added, (size_t)TRACE_EXCHANGES);
}

/* @return true if side `from` of the exchange sent the packet to the other side */
static bool
goes(const struct trace_cm_exchange *exchange, enum side from, const struct trace_packet *packet)
{
	return wire_gid_equal(&exchange->address[from], &packet->view.src) &&
		wire_gid_equal(&exchange->address[!from], &packet->view.dst);
}

/* From now on, report violations by the packet under this side of the exchange. */
static void
blame(const struct trace_cm_exchange *exchange, enum side side, const struct trace_packet *packet)
{
	trace_violations_blame(packet->violations,
		(struct trace_party){.connection = exchange->connection, .side = side});
}

/*
 * @return text about a damaged REP of the exchange, such as "; frame 4 with a wrong ICRC is a REP";
 * "": none
 */
static const char *
rep_damage(const struct trace_cm *cm, const struct trace_cm_exchange *exchange,
	char words[TRACE_DAMAGES_WORDS])
{
	const struct trace_cm_damage sought = {
		.src = exchange->address[PASSIVE],
		.dst = exchange->address[ACTIVE],
		.attribute = WIRE_CM_REP,
		.transaction_id = exchange->req_tid,
		.remote_comm_id = exchange->comm_id[ACTIVE],
	};

	return trace_cm_damages_words(&cm->damages, &sought, words);
}

/* @return text about the damaged DREQ that a DREP answers; "": none */
static const char *
dreq_damage(const struct trace_cm *cm, const struct message *drep, char words[TRACE_DAMAGES_WORDS])
{
	const struct trace_cm_damage sought = {
		.src = drep->packet->view.dst,
		.dst = drep->packet->view.src,
		.attribute = WIRE_CM_DREQ,
		.transaction_id = drep->msg->transaction_id,
		.remote_comm_id = drep->msg->local_comm_id,
	};

	return trace_cm_damages_words(&cm->damages, &sought, words);
}

/*
 * @return the newest exchange with this communication ID of the active side, if side `from` of the
 *         exchange sent the packet; NULL: none
 */
static struct trace_cm_exchange *
active_find(const struct trace_cm *cm, const struct message *message, enum side from, uint32_t id)
{
	for (size_t n = 0; n < exchange_count(cm); n++) {
		struct trace_cm_exchange *exchange = exchange_at(cm, n);

		if (exchange->comm_id[ACTIVE] == id && goes(exchange, from, message->packet)) {
			blame(exchange, from, message->packet);
			return exchange;
		}
	}
	return NULL;
}

static void
tid_check(const struct message *message, uint64_t tid, uint64_t frame)
{
	if (message->msg->transaction_id != tid)
		trace_violations_add(message->packet->violations, message->packet->frame,
			TRACE_CM_TID,
			"%s has transaction ID 0x%016" PRIx64 ", but the REQ in frame %" PRIu64
			" has 0x%016" PRIx64,
			wire_cm_attribute_name(message->msg->attribute),
			message->msg->transaction_id, frame, tid);
}

static void
id_report(const struct message *message, const char *which, uint32_t is, uint32_t should)
{
	trace_violations_add(message->packet->violations, message->packet->frame, TRACE_CM_ID,
		"%s has %s communication ID 0x%08x instead of 0x%08x",
		wire_cm_attribute_name(message->msg->attribute), which, is, should);
}

/*
 * Judge an answer with the transaction ID of a REQ, but with a different communication ID. A
 * transaction ID has 64 bits and belongs to one REQ, so the communication ID is wrong.
 */
static void
stray_answer_check(const struct trace_cm *cm, const struct message *message)
{
	for (size_t n = 0; n < exchange_count(cm); n++) {
		const struct trace_cm_exchange *exchange = exchange_at(cm, n);

		if (exchange->req_tid != message->msg->transaction_id || exchange->replied ||
			!goes(exchange, PASSIVE, message->packet))
			continue;
		blame(exchange, PASSIVE, message->packet);
		id_report(
			message, "remote", message->msg->remote_comm_id, exchange->comm_id[ACTIVE]);
		return;
	}
}

static void
connection_state(struct trace_cm_exchange *exchange, enum nd_trace_cm cm, uint64_t frame)
{
	if (exchange->connection == NULL)
		return;
	if (cm > exchange->connection->report.cm)
		exchange->connection->report.cm = cm;
	exchange->connection->report.last_frame = frame;
}

static void
req_take(struct trace_cm *cm, struct trace_table *table, const struct message *message)
{
	const struct wire_cm_msg *msg = message->msg;
	const struct trace_packet *packet = message->packet;
	struct trace_cm_exchange *exchange = active_find(cm, message, ACTIVE, msg->local_comm_id);
	const bool same = exchange != NULL && exchange->req_fingerprint == message->fingerprint;

	/*
	 * A side that has rejected a REQ may get the same REQ again: the REJ was lost, or the
	 * retransmitted REQ crossed the REJ.
	 */
	if (exchange != NULL && exchange->req_tid == msg->transaction_id &&
		(!exchange->rejected || (exchange->withdrawn && same))) {
		if (!same)
			trace_violations_add(packet->violations, packet->frame, TRACE_CM_004,
				"retransmitted REQ differs from the REQ in frame %" PRIu64,
				exchange->req_frame);
		return;
	}
	exchange = &cm->exchanges[cm->added++ % TRACE_EXCHANGES];
	memset(exchange, 0, sizeof(*exchange));
	exchange->address[ACTIVE] = packet->view.src;
	exchange->address[PASSIVE] = packet->view.dst;
	exchange->comm_id[ACTIVE] = msg->local_comm_id;
	exchange->req_tid = msg->transaction_id;
	exchange->req_frame = packet->frame;
	exchange->req_ns = packet->time_ns;
	exchange->req = msg->req;
	exchange->req_fingerprint = message->fingerprint;
	exchange->connection =
		trace_connection_open(table, &packet->view.src, &packet->view.dst, packet->frame);
	if (exchange->connection == NULL)
		return;
	blame(exchange, ACTIVE, packet);
	connection_state(exchange, ND_TRACE_CM_REQUESTED, packet->frame);
	exchange->connection->report.side[ACTIVE].qpn = msg->req.local_qpn;
	exchange->connection->transport = msg->req.transport_service;
	if (wire_pmtu_code_valid(msg->req.path_mtu)) {
		exchange->connection->mtu.bytes = wire_pmtu_bytes(msg->req.path_mtu);
		exchange->connection->report.path_mtu_bytes = exchange->connection->mtu.bytes;
	}
}

/*
 * CM-019: report a packet to the passive side's queue pair before the REP, because only the REP
 * contains the number of this queue pair.
 */
static void
early_data_check(const struct trace_cm *cm, const struct trace_table *table,
	const struct trace_cm_exchange *exchange, const struct message *message)
{
	struct trace_flow_key key = {
		.src = exchange->address[ACTIVE],
		.dst = exchange->address[PASSIVE],
		.dest_qpn = message->msg->rep.local_qpn,
	};
	const struct trace_flow *flow = trace_flow_find(table, &key);
	char damaged[TRACE_DAMAGES_WORDS];

	if (flow == NULL || flow->first_frame <= exchange->req_frame)
		return;
	blame(exchange, ACTIVE, message->packet);
	trace_violations_doubt(message->packet->violations, flow->first_frame, TRACE_CM_019,
		"packet to queue pair 0x%x before the REP in frame %" PRIu64 "%s", key.dest_qpn,
		message->packet->frame, rep_damage(cm, exchange, damaged));
	blame(exchange, PASSIVE, message->packet);
}

/* Convert a retry count of a message (CM-024). See retry.h for the value 7. */
static uint32_t
retries_of(uint8_t count)
{
	return count == RETRIES_UNLIMITED ? TRACE_RETRY_ANY : count;
}

/*
 * Set the values with which data packets are judged. The starting PSN in a message is the first PSN
 * that the sender of this message expects. In all captures of Soft-RoCE, the first request of one
 * side has the PSN in the message of the other side.
 */
static void
exchange_connect(struct trace_table *table, struct trace_cm_exchange *exchange)
{
	struct trace_connection *connection = exchange->connection;
	const struct wire_cm_req *req = &exchange->req;
	const struct wire_cm_rep *rep = &exchange->rep;
	const uint32_t qpn[2] = {req->local_qpn, rep->local_qpn};
	const struct trace_retry_grant grant[2] = {
		[ACTIVE] = {.timeouts = TRACE_RETRY_ANY,
			.rnr = retries_of(rep->rnr_retry_count),
			.ack_timeout_ns = BASE_TIME_NEVER,
			.turn_ns = BASE_TIME_NEVER},
		[PASSIVE] = {.timeouts = retries_of(req->retry_count),
			.rnr = retries_of(req->rnr_retry_count),
			.ack_timeout_ns = base_timeout_ns(req->ack_timeout),
			.turn_ns = exchange->rep_ns > exchange->req_ns
				? exchange->rep_ns - exchange->req_ns
				: BASE_TIME_NEVER},
	};

	if (connection == NULL || !trace_connection_pair(table, connection, qpn))
		return;
	trace_sender_tell(&connection->flow[ACTIVE]->sender, rep->starting_psn,
		RTE_MIN(req->initiator_depth, rep->responder_resources), &grant[ACTIVE]);
	trace_sender_tell(&connection->flow[PASSIVE]->sender, req->starting_psn,
		RTE_MIN(req->responder_resources, rep->initiator_depth), &grant[PASSIVE]);
}

/* Forget a REJ, because a later message of the same side accepts the connection. */
static void
rejection_forget(struct trace_cm_exchange *exchange)
{
	exchange->rejected = false;
	exchange->withdrawn = false;
	if (exchange->connection == NULL)
		return;
	exchange->connection->report.cm = ND_TRACE_CM_REQUESTED;
	exchange->connection->report.reject_reason = 0;
}

static void
rep_take(struct trace_cm *cm, struct trace_table *table, const struct message *message)
{
	const struct wire_cm_msg *msg = message->msg;
	struct trace_cm_exchange *exchange = active_find(cm, message, PASSIVE, msg->remote_comm_id);

	if (exchange == NULL) {
		stray_answer_check(cm, message);
		return;
	}
	tid_check(message, exchange->req_tid, exchange->req_frame);
	/*
	 * After its REJ, the passive side may answer a duplicate of the REQ with another REP. The
	 * active side accepts this REP if the REJ was lost.
	 */
	if (exchange->replied && exchange->rep_fingerprint == message->fingerprint)
		return;
	if (exchange->replied && !exchange->withdrawn) {
		trace_violations_add(message->packet->violations, message->packet->frame,
			TRACE_CM_004, "retransmitted REP differs from the first REP");
		return;
	}
	if (exchange->rejected && !exchange->withdrawn)
		return;
	if (exchange->withdrawn)
		rejection_forget(exchange);
	exchange->replied = true;
	exchange->comm_id[PASSIVE] = msg->local_comm_id;
	exchange->rep = msg->rep;
	exchange->rep_fingerprint = message->fingerprint;
	exchange->rep_ns = message->packet->time_ns;
	connection_state(exchange, ND_TRACE_CM_REPLIED, message->packet->frame);
	early_data_check(cm, table, exchange, message);
	exchange_connect(table, exchange);
}

/*
 * @return the exchange with the REP that an RTU answers, found by both communication IDs. It may
 *         not be the newest exchange with the ID of the active side: after a REJ, the active side
 *         may retransmit its REQ before its RTU arrives.
 */
static struct trace_cm_exchange *
replied_find(const struct trace_cm *cm, const struct message *message)
{
	for (size_t n = 0; n < exchange_count(cm); n++) {
		struct trace_cm_exchange *exchange = exchange_at(cm, n);

		if (exchange->comm_id[ACTIVE] != message->msg->local_comm_id ||
			exchange->comm_id[PASSIVE] != message->msg->remote_comm_id ||
			!exchange->replied || !goes(exchange, ACTIVE, message->packet))
			continue;
		blame(exchange, ACTIVE, message->packet);
		return exchange;
	}
	return NULL;
}

/*
 * Set the time from the REP to the first RTU as the limit turn_ns of the active side. This time
 * includes the round trip to the active side (retry.h).
 */
static void
turn_tell(const struct trace_cm_exchange *exchange, const struct trace_packet *packet)
{
	struct trace_flow *flow =
		exchange->connection == NULL ? NULL : exchange->connection->flow[ACTIVE];

	if (flow != NULL && flow->sender.retry.grant.turn_ns == BASE_TIME_NEVER &&
		packet->time_ns > exchange->rep_ns)
		flow->sender.retry.grant.turn_ns = packet->time_ns - exchange->rep_ns;
}

static void
rtu_take(struct trace_cm *cm, const struct message *message)
{
	const struct wire_cm_msg *msg = message->msg;
	struct trace_cm_exchange *exchange = replied_find(cm, message);
	char damaged[TRACE_DAMAGES_WORDS];

	if (exchange == NULL)
		exchange = active_find(cm, message, ACTIVE, msg->local_comm_id);
	if (exchange == NULL) {
		for (size_t n = 0; n < exchange_count(cm); n++) {
			exchange = exchange_at(cm, n);
			if (exchange->comm_id[PASSIVE] != msg->remote_comm_id ||
				!exchange->replied || !goes(exchange, ACTIVE, message->packet))
				continue;
			blame(exchange, ACTIVE, message->packet);
			id_report(message, "local", msg->local_comm_id, exchange->comm_id[ACTIVE]);
			return;
		}
		return;
	}
	tid_check(message, exchange->req_tid, exchange->req_frame);
	if (!exchange->replied)
		trace_violations_doubt(message->packet->violations, message->packet->frame,
			TRACE_CM_STATE, "RTU, but no REP answered the REQ in frame %" PRIu64 "%s",
			exchange->req_frame, rep_damage(cm, exchange, damaged));
	else if (exchange->comm_id[PASSIVE] != msg->remote_comm_id)
		id_report(message, "remote", msg->remote_comm_id, exchange->comm_id[PASSIVE]);
	else {
		connection_state(exchange, ND_TRACE_CM_ESTABLISHED, message->packet->frame);
		turn_tell(exchange, message->packet);
	}
}

/*
 * CM-REJ: the active side rejects a REP, and the passive side rejects a REQ. The code "other" (2)
 * is always allowed: the REJ rejects a different message, or none.
 */
static void
rejected_check(const struct message *message, enum side from)
{
	static const char *const names[] = {
		"a REQ", "a REP", "no message", "a message with a reserved code"};
	const uint8_t rejected = message->msg->rej.message;

	if (rejected == (from == ACTIVE ? REJECTED_REP : REJECTED_REQ) ||
		rejected == REJECTED_OTHER)
		return;
	trace_violations_add(message->packet->violations, message->packet->frame, TRACE_CM_REJ,
		"REJ rejects %s, but its sender is the %s", names[rejected & 3],
		from == ACTIVE ? "active side, which can reject only a REP"
			       : "passive side, which can reject only a REQ");
}

/*
 * Process a REJ. A REJ of a REQ may lack the communication ID of the side that sent the REJ. A REJ
 * of a REP has both IDs.
 */
static void
rej_take(struct trace_cm *cm, const struct message *message)
{
	const struct wire_cm_msg *msg = message->msg;
	struct trace_cm_exchange *exchange = active_find(cm, message, PASSIVE, msg->remote_comm_id);

	if (exchange == NULL) {
		exchange = active_find(cm, message, ACTIVE, msg->local_comm_id);
		if (exchange == NULL) {
			stray_answer_check(cm, message);
			return;
		}
		rejected_check(message, ACTIVE);
	} else {
		rejected_check(message, PASSIVE);
		tid_check(message, exchange->req_tid, exchange->req_frame);
		exchange->withdrawn = true;
	}
	exchange->rejected = true;
	if (exchange->connection == NULL)
		return;
	exchange->connection->report.cm = ND_TRACE_CM_REJECTED;
	exchange->connection->report.reject_reason = msg->rej.reason;
	exchange->connection->report.last_frame = message->packet->frame;
}

static void
mra_take(struct trace_cm *cm, const struct message *message)
{
	struct trace_cm_exchange *exchange =
		active_find(cm, message, PASSIVE, message->msg->remote_comm_id);

	if (exchange == NULL)
		exchange = active_find(cm, message, ACTIVE, message->msg->local_comm_id);
	if (exchange == NULL)
		stray_answer_check(cm, message);
	else
		tid_check(message, exchange->req_tid, exchange->req_frame);
}

/*
 * Find the established exchange that has both communication IDs of a DREQ or DREP. Reports a
 * violation if only one ID matches. @return NULL: none
 */
static struct trace_cm_exchange *
established_find(const struct trace_cm *cm, const struct message *message, enum side *from)
{
	const struct wire_cm_msg *msg = message->msg;

	for (size_t n = 0; n < exchange_count(cm); n++) {
		struct trace_cm_exchange *exchange = exchange_at(cm, n);
		bool local, remote;

		/* Try both directions, because a host may be connected to itself. */
		for (unsigned side = ACTIVE; exchange->replied && side <= PASSIVE; side++) {
			local = exchange->comm_id[side] == msg->local_comm_id;
			remote = exchange->comm_id[!side] == msg->remote_comm_id;
			if ((!local && !remote) || !goes(exchange, side, message->packet))
				continue;
			blame(exchange, side, message->packet);
			if (!local)
				id_report(message, "local", msg->local_comm_id,
					exchange->comm_id[side]);
			if (!remote)
				id_report(message, "remote", msg->remote_comm_id,
					exchange->comm_id[!side]);
			*from = side;
			return local && remote ? exchange : NULL;
		}
	}
	return NULL;
}

static void
dreq_take(struct trace_cm *cm, const struct message *message)
{
	const struct wire_cm_msg *msg = message->msg;
	enum side from = ACTIVE;
	struct trace_cm_exchange *exchange = established_find(cm, message, &from);
	uint32_t qpn;

	if (exchange == NULL)
		return;
	qpn = from == ACTIVE ? exchange->rep.local_qpn : exchange->req.local_qpn;
	if (msg->dreq.remote_qpn != qpn)
		trace_violations_add(message->packet->violations, message->packet->frame,
			TRACE_CM_QPN, "DREQ has queue pair 0x%x, but its receiver has 0x%x",
			msg->dreq.remote_qpn, qpn);
	if (exchange->connection != NULL && !exchange->dreq_seen[from])
		exchange->connection->left_ns[from] = message->packet->time_ns;
	exchange->dreq_seen[from] = true;
	exchange->dreq_tid[from] = msg->transaction_id;
	connection_state(exchange, ND_TRACE_CM_DISCONNECTED, message->packet->frame);
}

static void
drep_take(struct trace_cm *cm, const struct message *message)
{
	const struct wire_cm_msg *msg = message->msg;
	enum side from = ACTIVE;
	struct trace_cm_exchange *exchange = established_find(cm, message, &from);
	char damaged[TRACE_DAMAGES_WORDS];

	if (exchange == NULL)
		return;
	if (!exchange->dreq_seen[!from])
		trace_violations_doubt(message->packet->violations, message->packet->frame,
			TRACE_CM_STATE, "DREP without a DREQ%s", dreq_damage(cm, message, damaged));
	else if (exchange->dreq_tid[!from] != msg->transaction_id)
		trace_violations_add(message->packet->violations, message->packet->frame,
			TRACE_CM_TID,
			"DREP has transaction ID 0x%016" PRIx64 ", but the DREQ has 0x%016" PRIx64,
			msg->transaction_id, exchange->dreq_tid[!from]);
	connection_state(exchange, ND_TRACE_CM_DISCONNECTED, message->packet->frame);
	if (exchange->connection != NULL && exchange->connection->closed_ns == 0)
		exchange->connection->closed_ns = message->packet->time_ns;
}

static void
message_take(struct trace_cm *cm, struct trace_table *table, const struct message *message)
{
	switch (message->msg->attribute) {
	case WIRE_CM_REQ:
		req_take(cm, table, message);
		break;
	case WIRE_CM_REP:
		rep_take(cm, table, message);
		break;
	case WIRE_CM_RTU:
		rtu_take(cm, message);
		break;
	case WIRE_CM_REJ:
		rej_take(cm, message);
		break;
	case WIRE_CM_MRA:
		mra_take(cm, message);
		break;
	case WIRE_CM_DREQ:
		dreq_take(cm, message);
		break;
	case WIRE_CM_DREP:
		drep_take(cm, message);
		break;
	case WIRE_CM_SIDR_REQ:
	case WIRE_CM_SIDR_REP:
	case WIRE_CM_LAP:
	case WIRE_CM_APR:
		break;
	}
}

static bool
is_known(const struct trace_cm *cm, uint64_t transaction_id)
{
	for (size_t n = 0; n < exchange_count(cm); n++)
		if (exchange_at(cm, n)->req_tid == transaction_id)
			return true;
	return false;
}

bool
trace_cm_packet(struct trace_cm *cm, struct trace_table *table, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const uint8_t *mad = packet->bytes + view->payload_offset;
	struct wire_icrc crc = {.crc = 0};
	struct wire_cm_msg msg;
	struct message message = {.msg = &msg, .packet = packet};
	enum wire_mad_drop drop = wire_cm_decode(mad, view->payload_bytes, &msg);

	if (drop == WIRE_MAD_CLASS || drop == WIRE_MAD_VERSION) {
		trace_cm_header_check(
			mad, is_known(cm, be_load64(mad + MAD_TRANSACTION_AT)), packet);
		return false; /* a different management class, which queue pair 1 also receives */
	}
	trace_cm_datagram_check(packet);
	if (drop != WIRE_MAD_OK)
		return drop == WIRE_MAD_ATTRIBUTE;
	wire_icrc_add(&crc, mad, view->payload_bytes);
	message.fingerprint = wire_icrc_value(&crc);
	message_take(cm, table, &message);
	if (msg.attribute == WIRE_CM_REQ)
		trace_cm_req_check(&msg, mad, packet);
	return true;
}

const char *
trace_cm_damage(
	struct trace_cm *cm, const struct wire_view *view, const uint8_t *mad, uint64_t frame)
{
	struct wire_cm_msg msg;
	struct trace_cm_damage damage;

	if (wire_cm_decode(mad, view->payload_bytes, &msg) != WIRE_MAD_OK)
		return NULL;
	damage = (struct trace_cm_damage){
		.frame = frame,
		.src = view->src,
		.dst = view->dst,
		.attribute = msg.attribute,
		.transaction_id = msg.transaction_id,
		.remote_comm_id = msg.remote_comm_id,
	};
	trace_cm_damages_add(&cm->damages, &damage);
	return wire_cm_attribute_name(msg.attribute);
}

void
trace_cm_data(const struct trace_cm *cm, const struct trace_table *table,
	const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct trace_flow_key key = {
		.src = view->src, .dst = view->dst, .dest_qpn = view->bth.dest_qp};
	char damaged[TRACE_DAMAGES_WORDS];

	/* An existing flow was paired by a REP, is older than the REQ, or was reported. */
	if (trace_flow_find(table, &key) != NULL)
		return;
	for (size_t n = 0; n < exchange_count(cm); n++) {
		const struct trace_cm_exchange *exchange = exchange_at(cm, n);

		if (exchange->req.local_qpn != view->bth.dest_qp || exchange->replied ||
			exchange->rejected || !goes(exchange, PASSIVE, packet))
			continue;
		blame(exchange, PASSIVE, packet);
		trace_violations_doubt(packet->violations, packet->frame, TRACE_CM_019,
			"packet to queue pair 0x%x of the REQ in frame %" PRIu64
			", but no REP answered this REQ%s",
			view->bth.dest_qp, exchange->req_frame, rep_damage(cm, exchange, damaged));
		return;
	}
}
