/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "base/be.h"
#include "cm/cm.h"
#include "cm/fsm.h"
#include "cm/manager.h"
#include "cm/message.h"
#include "cm/request.h"

/*
 * Finds the connection of a message. A message belongs to a connection if all these conditions hold
 * (SEC-006, SEC-044):
 *
 * - Its Remote Communication ID is ours.
 * - Its source and destination addresses are those of the connection.
 * - Its Local Communication ID is the peer's, if the peer's is already known.
 * - In a DREQ, the QPN is ours.
 *
 * A message that belongs to no connection gets no answer, with two exceptions. A DREQ is answered
 * with a DREP, and a REP with REJ 6, so that the peer need not retransmit.
 */

enum origin {
	ORIGIN_OK,
	ORIGIN_UNKNOWN, /* no connection has this communication ID */
	ORIGIN_FORGED,  /* the message does not come from the peer of the connection */
};

static bool
is_of_route(const struct cm_id *id, const struct cm_route *from)
{
	return wire_gid_equal(&id->route.remote_gid, &from->remote_gid) &&
		wire_gid_equal(&id->route.local_gid, &from->local_gid);
}

/*
 * A peer that times out waiting for our REP does not know our communication ID. Its REJ 4 contains
 * its CA GUID instead (IBTA, additional reject information).
 */
static struct cm_id *
find_timed_out(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg)
{
	struct cm_key key;
	struct cm_index_node *node;

	if (msg->attribute != WIRE_CM_REJ || msg->remote_comm_id != 0 ||
		msg->rej.reason != WIRE_REJ_TIMEOUT || msg->rej.info_bytes < sizeof(uint64_t))
		return NULL;
	key = cm_key_make(msg->local_comm_id, be_load64(msg->rej.info), &from->remote_gid);
	node = cm_index_find(&cm->by_remote_id, &key);
	return node != NULL ? base_list_entry(node, struct cm_id, by_remote_id) : NULL;
}

static enum origin
find(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg,
	struct cm_id **found)
{
	struct cm_id *id = cm_id_lookup(&cm->ids, msg->remote_comm_id);

	if (id == NULL)
		id = find_timed_out(cm, from, msg);
	if (id == NULL)
		return ORIGIN_UNKNOWN;
	if (!is_of_route(id, from))
		return ORIGIN_FORGED;
	if (id->remote_comm_id != 0 && id->remote_comm_id != msg->local_comm_id)
		return ORIGIN_FORGED;
	if (msg->attribute == WIRE_CM_DREQ && msg->dreq.remote_qpn != id->local_qpn)
		return ORIGIN_FORGED;
	*found = id;
	return ORIGIN_OK;
}

/*
 * Answer a message that belongs to no connection, within the limit of such answers per second
 * (SEC-044).
 */
static void
stray_answer(
	struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct cm_source *source = cm_source_of(&cm->sources, &from->remote_gid);
	struct wire_cm_msg answer;

	if (msg->attribute != WIRE_CM_DREQ && msg->attribute != WIRE_CM_REP &&
		msg->attribute != WIRE_CM_SIDR_REQ)
		return;
	if (!cm_source_may_answer(cm, source, now_ns))
		return;
	if (msg->attribute == WIRE_CM_DREQ)
		cm_message_drep(msg, &answer);
	else if (msg->attribute == WIRE_CM_SIDR_REQ)
		cm_message_sidr_rep(msg, &answer);
	else
		cm_message_refusal(msg, CM_ABOUT_REP, WIRE_REJ_INVALID_COMM_ID, &answer);
	cm_message_send(cm, from, &answer);
}

void
cm_input(struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	unsigned int attribute = msg->attribute;
	struct cm_id *id = NULL;
	enum origin origin;

	if (attribute < WIRE_CM_REQ || attribute > WIRE_CM_SIDR_REQ) {
		cm->counters.drop_state++;
		return;
	}
	cm->counters.rx[attribute - WIRE_CM_REQ]++;
	if (attribute == WIRE_CM_REQ) {
		cm_request_input(cm, from, msg, now_ns);
		return;
	}
	/*
	 * A SIDR_REQ requests a datagram queue pair. It is answered, because without an answer the
	 * peer retransmits it for a minute.
	 */
	if (attribute == WIRE_CM_SIDR_REQ) {
		stray_answer(cm, from, msg, now_ns);
		return;
	}
	origin = find(cm, from, msg, &id);
	if (origin == ORIGIN_OK) {
		/*
		 * The communication ID is random, so only a host that receives our messages knows
		 * it.
		 */
		if (msg->remote_comm_id == id->comm_id)
			cm_source_prove(cm, id->source, now_ns);
		cm_fsm_react(id, msg, now_ns);
		return;
	}
	cm->counters.drop_unknown_id++;
	if (origin == ORIGIN_UNKNOWN)
		stray_answer(cm, from, msg, now_ns);
}
