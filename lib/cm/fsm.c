/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/fsm.h"

#include <string.h>

#include <rte_common.h>

#include "base/assert.h"
#include "base/encoded_time.h"
#include "base/psn.h"
#include "cm/manager.h"
#include "cm/message.h"

/*
 * The state machine of a connection (IBTA vol 1 chapter 12).
 *
 * next_states lists the allowed transitions. reactions lists the handler of each message in each
 * state. plan_of() and wait_ns() define how long a state may last. A handler first changes the
 * state, then sends, then reports the event. The application may call the cm from the event, so a
 * handler does not access the connection after the event.
 *
 * Each connection has one timer. In REQ_SENT, REP_SENT and DREQ_SENT id->last is retransmitted as
 * plan_of() defines (repeat.h describes the effect of a full output). REQ_RECEIVED ends after
 * request_pending_ns without an answer of the application. TIMEWAIT lasts timewait_ns; after a
 * refused REQ, until the peer would have retransmitted the REQ. Other states have no limit.
 *
 * REJ, MRA and DREP are never answered, so the exchange of messages always ends.
 */

#define STATE_COUNT      (CM_TIMEWAIT + 1)
#define BACKOFF_MAX      8
#define SERVICE_TIME_MAX 24 /* CM-010: one MRA extends the wait by at most 68.7 s */
#define ATTRIBUTE_COUNT  (WIRE_CM_DREP - WIRE_CM_REQ + 1)
#define BIT(state)       (1u << (state))

static const uint8_t next_states[STATE_COUNT] __rte_unused = {
	[CM_IDLE] = BIT(CM_REQ_SENT) | BIT(CM_REQ_RECEIVED),
	[CM_REQ_SENT] = BIT(CM_REP_RECEIVED) | BIT(CM_TIMEWAIT),
	[CM_REP_RECEIVED] = BIT(CM_ESTABLISHED) | BIT(CM_TIMEWAIT),
	[CM_REQ_RECEIVED] = BIT(CM_REP_SENT) | BIT(CM_TIMEWAIT),
	[CM_REP_SENT] = BIT(CM_ESTABLISHED) | BIT(CM_DREQ_SENT) | BIT(CM_TIMEWAIT),
	[CM_ESTABLISHED] = BIT(CM_DREQ_SENT) | BIT(CM_TIMEWAIT),
	[CM_DREQ_SENT] = BIT(CM_TIMEWAIT),
	[CM_TIMEWAIT] = BIT(CM_IDLE),
};

/* Message type that a REJ in this state names as rejected, as in Linux. */
static const uint8_t reject_about[STATE_COUNT] = {
	[CM_REQ_SENT] = CM_ABOUT_OTHER,
	[CM_REP_RECEIVED] = CM_ABOUT_REP,
	[CM_REQ_RECEIVED] = CM_ABOUT_REQ,
	[CM_REP_SENT] = CM_ABOUT_OTHER,
};

static const struct cm_event event_rejected_by_dreq = {
	.kind = CM_EVENT_REJECTED,
	.reject_reason = WIRE_REJ_CONSUMER,
};

/* @return how id->last is retransmitted in REQ_SENT, REP_SENT and DREQ_SENT */
static struct cm_repeat_plan
plan_of(const struct cm_id *id, enum cm_state state)
{
	const struct cm_config *config = &id->cm->config;
	struct cm_repeat_plan plan = {
		.first_ns = config->retransmit_ns,
		.longest_ns = BACKOFF_MAX * config->retransmit_ns,
		.repeats = RTE_MIN(config->max_retries, WIRE_CM_RETRIES_MAX),
	};

	if (state != CM_REP_SENT)
		return plan;
	/*
	 * The peer's REQ contains the maximum number of our REP retransmissions, and the time
	 * within which the peer answers a REP (IBTA: Max CM Retries, Local CM Response Timeout).
	 */
	plan.repeats = RTE_MIN(plan.repeats, id->peer_max_retries);
	plan.longest_ns = RTE_MAX(plan.longest_ns, id->rtu_interval_ns);
	plan.patience_ns = RTE_MIN(id->rtu_interval_ns * (id->peer_max_retries + 1),
		base_timeout_ns(SERVICE_TIME_MAX));
	return plan;
}

/*
 * @return duration of TIMEWAIT. If our REJ of a REQ was lost, the peer retransmits the REQ, which
 * must get the same REJ and not create a new connection. So the record stays until this
 * retransmission. If more than half of the table is used, all records end after timewait_ns.
 */
static uint64_t
rest_ns(const struct cm_id *id, uint64_t now_ns)
{
	const struct cm *cm = id->cm;
	uint64_t silent_ns = id->mra_until_ns > now_ns ? id->mra_until_ns - now_ns : 0;

	if (id->last.attribute != WIRE_CM_REJ || cm->ids.used_count > cm->ids.slot_count / 2)
		return cm->config.timewait_ns;
	return RTE_MAX(cm->config.timewait_ns, silent_ns + id->req_interval_ns);
}

/* @return duration of a state without retransmission; 0 = no limit */
static uint64_t
wait_ns(const struct cm_id *id, uint64_t now_ns)
{
	if (id->state == CM_REQ_RECEIVED)
		return id->cm->config.request_pending_ns;
	return id->state == CM_TIMEWAIT ? rest_ns(id, now_ns) : 0;
}

/*
 * Our QPN must not be reused while packets to it may be in flight (RC-165). If the peer refused our
 * REQ, the peer never used our QPN, so our QPN may be reused at once.
 */
static void
timewait_begin(struct cm_id *id)
{
	static const struct wire_gid none;
	struct cm_key key = cm_key_make(id->local_qpn, 0, &none);

	cm_index_remove(&id->by_remote_qpn);
	if (id->local_qpn != 0 && !id->qpn_unused)
		cm_index_insert(&id->cm->resting, &id->resting, &key);
}

void
cm_fsm_enter(struct cm_id *id, enum cm_state state, uint64_t now_ns)
{
	struct cm *cm = id->cm;
	uint64_t lasts_ns;

	BASE_ASSERT((next_states[id->state] & BIT(state)) != 0);
	if (id->state == CM_REQ_RECEIVED)
		cm_listener_detach(id);
	cm_admission_moved(id, state, now_ns);
	cm_source_moved(id, state, now_ns);
	id->state = state;
	id->entered_ns = now_ns;
	if (state == CM_TIMEWAIT) {
		timewait_begin(id);
	} else if (state == CM_IDLE) {
		cm_index_remove(&id->by_remote_id);
		cm_index_remove(&id->resting);
	}
	lasts_ns = wait_ns(id, now_ns);
	if (lasts_ns != 0)
		cm_timer_start(&cm->timers, &id->timer, now_ns + lasts_ns);
	else
		cm_timer_stop(&cm->timers, &id->timer);
}

static bool
event_is_last(enum cm_event_kind kind)
{
	return kind != CM_EVENT_REQUEST && kind != CM_EVENT_ACCEPTED &&
		kind != CM_EVENT_ESTABLISHED;
}

void
cm_fsm_event(struct cm_id *id, const struct cm_event *event)
{
	if (id->released || id->over)
		return;
	id->over = event_is_last(event->kind);
	id->cm->ops.event(id->cm->arg, id, event);
}

static void
event_give(struct cm_id *id, enum cm_event_kind kind)
{
	const struct cm_event event = {.kind = kind};

	cm_fsm_event(id, &event);
}

/* Report the end of a connection. reject_reason: reason of a REJ, see struct cm_event. */
static void
end_give(struct cm_id *id, enum cm_event_kind kind, uint16_t reject_reason)
{
	const struct cm_event event = {.kind = kind, .reject_reason = reject_reason};

	cm_fsm_event(id, &event);
}

static bool
last_send(struct cm_id *id)
{
	return cm_message_send(id->cm, &id->route, &id->last);
}

/* Answer a duplicate message with id->last. If the output is full, the duplicate gets no answer. */
static void
last_repeat(struct cm_id *id)
{
	if (last_send(id))
		id->cm->counters.retransmissions++;
}

/*
 * A REP goes to the source address of the REQ, which may be forged. While the source is unproven,
 * each REQ permits one retransmission of the REP. One of CM_REQ_FRAMES frames is for a final REJ.
 */
static bool
may_repeat_rep(struct cm_id *id, uint64_t now_ns)
{
	if (cm_source_proven(id->source, now_ns))
		return true;
	if (id->frames_left <= 1) {
		id->cm->counters.withheld++;
		return false;
	}
	id->frames_left--;
	return true;
}

/* Transmit id->last, and set the timer for the next transmission as the plan requires. */
static void
last_try(struct cm_id *id, uint64_t now_ns)
{
	bool again = id->repeat.started;
	bool withheld = again && id->state == CM_REP_SENT && !may_repeat_rep(id, now_ns);
	bool taken = withheld || last_send(id);

	if (taken && again && !withheld)
		id->cm->counters.retransmissions++;
	cm_timer_start(&id->cm->timers, &id->timer, cm_repeat_tried(&id->repeat, taken, now_ns));
}

void
cm_fsm_send(struct cm_id *id, enum cm_state state, uint64_t now_ns)
{
	const struct cm_repeat_plan plan = plan_of(id, state);

	cm_fsm_enter(id, state, now_ns);
	cm_repeat_begin(&id->repeat, &plan, now_ns);
	last_try(id, now_ns);
}

void
cm_fsm_refuse(struct cm_id *id, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	last_send(id);
}

void
cm_fsm_reject(struct cm_id *id, uint16_t reason, uint64_t now_ns)
{
	cm_message_rej(id, (enum cm_about)reject_about[id->state], reason, &id->last);
	cm_fsm_refuse(id, now_ns);
}

void
cm_fsm_disconnect(struct cm_id *id, uint64_t now_ns)
{
	cm_message_dreq(id, &id->last);
	cm_fsm_send(id, CM_DREQ_SENT, now_ns);
}

void
cm_fsm_establish(struct cm_id *id, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_ESTABLISHED, now_ns);
	event_give(id, CM_EVENT_ESTABLISHED);
}

void
cm_fsm_reap(struct cm_id *id)
{
	if (id->released && id->state == CM_IDLE)
		cm_id_free(&id->cm->ids, id);
}

/* @return false if the sender must give up, because its retransmission time is over */
static bool
expire_repeat(struct cm_id *id, uint64_t now_ns)
{
	if (cm_repeat_over(&id->repeat, now_ns))
		return false;
	last_try(id, now_ns);
	return true;
}

void
cm_fsm_give_up(struct cm_id *id, uint64_t now_ns)
{
	cm_fsm_reject(id, WIRE_REJ_TIMEOUT, now_ns);
	event_give(id, CM_EVENT_UNREACHABLE);
}

void
cm_fsm_expire(struct cm_id *id, uint64_t now_ns)
{
	switch (id->state) {
	case CM_REQ_SENT:
	case CM_REP_SENT:
		if (!expire_repeat(id, now_ns))
			cm_fsm_give_up(id, now_ns);
		return;
	case CM_DREQ_SENT:
		if (expire_repeat(id, now_ns))
			return;
		cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
		event_give(id, CM_EVENT_DISCONNECT_DONE);
		return;
	case CM_REQ_RECEIVED:
		cm_fsm_reject(id, WIRE_REJ_TIMEOUT, now_ns);
		end_give(id, CM_EVENT_ABORTED, WIRE_REJ_TIMEOUT);
		return;
	case CM_TIMEWAIT:
		cm_fsm_enter(id, CM_IDLE, now_ns);
		cm_fsm_reap(id);
		return;
	case CM_IDLE:
	case CM_REP_RECEIVED:
	case CM_ESTABLISHED:
		break;
	}
	BASE_ASSERT(!"a state without timer expired");
}

/** Stop waiting for a DREP that the peer will not send. */
static void
give_way(struct cm_id *id, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	event_give(id, CM_EVENT_DISCONNECT_DONE);
}

bool
cm_fsm_gives_way(struct cm_id *id, uint64_t now_ns)
{
	if (id->state != CM_DREQ_SENT)
		return false;
	give_way(id, now_ns);
	return true;
}

void
cm_fsm_stale(struct cm_id *id, uint64_t now_ns)
{
	switch (id->state) {
	case CM_ESTABLISHED:
		cm_fsm_disconnect(id, now_ns);
		end_give(id, CM_EVENT_DISCONNECTED, WIRE_REJ_STALE_CONNECTION);
		return;
	case CM_REP_SENT:
		cm_fsm_disconnect(id, now_ns);
		end_give(id, CM_EVENT_ABORTED, WIRE_REJ_STALE_CONNECTION);
		return;
	case CM_DREQ_SENT:
		give_way(id, now_ns);
		return;
	case CM_REQ_RECEIVED:
	case CM_REP_RECEIVED:
		cm_fsm_reject(id, WIRE_REJ_STALE_CONNECTION, now_ns);
		end_give(id, CM_EVENT_ABORTED, WIRE_REJ_STALE_CONNECTION);
		return;
	case CM_IDLE:
	case CM_REQ_SENT:
	case CM_TIMEWAIT:
		break;
	}
	BASE_ASSERT(!"a state that is not in by_remote_qpn");
}

/* Message handlers. Each is called only in the states for which the table below lists it. */

static void
count_duplicate(
	struct cm_id *id, const struct wire_cm_msg *msg __rte_unused, uint64_t now_ns __rte_unused)
{
	id->cm->counters.drop_duplicate++;
}

/* A REQ or REP was retransmitted before the application has decided: send an MRA (CM-010). */
static void
on_early_duplicate(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct wire_cm_msg mra;

	id->cm->counters.drop_duplicate++;
	cm_message_mra(id, msg->attribute == WIRE_CM_REQ ? CM_ABOUT_REQ : CM_ABOUT_REP, &mra);
	if (cm_message_send(id->cm, &id->route, &mra))
		id->mra_until_ns = now_ns + base_timeout_ns(mra.mra.service_timeout);
}

/* The REQ was retransmitted: send the stored REP again (CM-004, SEC-043). The timer continues. */
static void
on_req_in_rep_sent(
	struct cm_id *id, const struct wire_cm_msg *msg __rte_unused, uint64_t now_ns __rte_unused)
{
	id->cm->counters.drop_duplicate++;
	id->frames_left--;
	last_repeat(id);
}

/* Retransmit the REJ. Keep the record until the next retransmission of the REQ by the peer. */
static void
on_req_in_timewait(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct wire_cm_msg rej;
	uint64_t rested_ns;

	id->cm->counters.drop_duplicate++;
	if (id->last.attribute == WIRE_CM_REJ) {
		rested_ns = now_ns + rest_ns(id, now_ns);
		if (rested_ns > id->timer.deadline_ns)
			cm_timer_start(&id->cm->timers, &id->timer, rested_ns);
		last_repeat(id);
		return;
	}
	cm_message_rej(id, CM_ABOUT_REQ, WIRE_REJ_STALE_CONNECTION, &rej);
	rej.transaction_id = msg->transaction_id;
	cm_message_send(id->cm, &id->route, &rej);
}

static void
on_mra(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	enum cm_about about = id->state == CM_REQ_SENT ? CM_ABOUT_REQ : CM_ABOUT_REP;
	uint8_t code = RTE_MIN(msg->mra.service_timeout, SERVICE_TIME_MAX);
	uint64_t until_ns;

	if (msg->mra.message != about) {
		id->cm->counters.drop_state++;
		return;
	}
	if (code == 0)
		return;
	until_ns = now_ns + base_timeout_ns(code) + id->cm->config.retransmit_ns;
	until_ns = RTE_MIN(until_ns, id->entered_ns + id->cm->config.mra_max_ns);
	cm_timer_start(&id->cm->timers, &id->timer,
		cm_repeat_pause(&id->repeat, id->timer.deadline_ns, until_ns));
}

static struct cm_event
event_of_rej(enum cm_event_kind kind, const struct wire_cm_msg *msg)
{
	return (struct cm_event){
		.kind = kind,
		.reject_reason = msg->rej.reason,
		.accepted_mtu = cm_message_accepted_mtu(msg),
		.private_data = msg->private_data,
		.private_bytes = wire_cm_private_bytes(WIRE_CM_REJ),
	};
}

/* Pass reason and private data of the REJ to the application unchanged (CM-009). */
static void
on_rej(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct cm_event event = event_of_rej(CM_EVENT_REJECTED, msg);

	if (id->state == CM_REQ_SENT)
		id->qpn_unused = msg->rej.reason != WIRE_REJ_STALE_CONNECTION;
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	cm_fsm_event(id, &event);
}

static void
on_rej_in_req_received(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	end_give(id, CM_EVENT_ABORTED, msg->rej.reason);
}

static void
on_rej_in_established(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	end_give(id, CM_EVENT_DISCONNECTED, msg->rej.reason);
}

/* A DREP or REJ answers our DREQ: the peer no longer has the connection. */
static void
on_disconnect_answer(struct cm_id *id, const struct wire_cm_msg *msg __rte_unused, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	event_give(id, CM_EVENT_DISCONNECT_DONE);
}

static void
peer_take_rep(struct cm_id *id, const struct wire_cm_msg *msg)
{
	const struct wire_cm_rep *rep = &msg->rep;
	struct cm_peer *peer = &id->peer;

	id->remote_comm_id = msg->local_comm_id;
	id->remote_guid = rep->local_ca_guid;
	peer->qpn = rep->local_qpn;
	peer->starting_psn = rep->starting_psn & PSN_MASK;
	peer->inbound_reads = rep->responder_resources;
	peer->outbound_reads = rep->initiator_depth;
	peer->rnr_retry_count = rep->rnr_retry_count & WIRE_RETRY_COUNT_MAX;
	peer->ack_timeout =
		cm_ack_timeout(peer->ack_timeout, rep->target_ack_delay & WIRE_TIMEOUT_CODE_MAX);
	peer->srq = rep->srq;
}

/** @return older connection that uses the queue pair in a REP; NULL if no connection uses it */
static struct cm_id *
known_by_qpn(struct cm *cm, const struct cm_key *key, uint64_t now_ns)
{
	struct cm_index_node *node = cm_index_find(&cm->by_remote_qpn, key);
	struct cm_id *known;

	if (node == NULL)
		return NULL;
	known = base_list_entry(node, struct cm_id, by_remote_qpn);
	return cm_fsm_gives_way(known, now_ns) ? NULL : known;
}

static void
on_rep(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct cm *cm = id->cm;
	struct cm_key key =
		cm_key_make(msg->rep.local_qpn, msg->rep.local_ca_guid, &id->route.remote_gid);
	struct cm_event event = {.kind = CM_EVENT_ACCEPTED,
		.private_data = msg->private_data,
		.private_bytes = wire_cm_private_bytes(WIRE_CM_REP)};
	struct cm_id *stale;

	if (!wire_qpn_usable(msg->rep.local_qpn) || msg->local_comm_id == 0) {
		cm->counters.drop_state++;
		return;
	}
	/* The REP must be valid here, because known_by_qpn() may end the older connection. */
	stale = known_by_qpn(cm, &key, now_ns);
	peer_take_rep(id, msg);
	cm_fsm_enter(id, CM_REP_RECEIVED, now_ns);
	if (stale == NULL) {
		cm_index_insert(&cm->by_remote_qpn, &id->by_remote_qpn, &key);
	} else {
		/* Like a REQ, a REP can contain the queue pair of an older connection (CM-008). */
		cm_fsm_reject(id, WIRE_REJ_STALE_CONNECTION, now_ns);
		cm_fsm_stale(stale, now_ns);
		event = (struct cm_event){
			.kind = CM_EVENT_REJECTED, .reject_reason = WIRE_REJ_STALE_CONNECTION};
	}
	cm_fsm_event(id, &event);
}

/* The REP was retransmitted because the RTU was lost: send the RTU again (active side, CM-005). */
static void
on_rep_in_established(
	struct cm_id *id, const struct wire_cm_msg *msg __rte_unused, uint64_t now_ns __rte_unused)
{
	if (id->last.attribute != WIRE_CM_RTU) {
		id->cm->counters.drop_state++;
		return;
	}
	id->cm->counters.drop_duplicate++;
	last_repeat(id);
}

/* A REP or RTU arrived after our REJ: the REJ was lost, so send it again. */
static void
on_handshake_in_timewait(
	struct cm_id *id, const struct wire_cm_msg *msg __rte_unused, uint64_t now_ns __rte_unused)
{
	id->cm->counters.drop_duplicate++;
	if (id->last.attribute == WIRE_CM_REJ)
		last_repeat(id);
}

static void
on_rtu(struct cm_id *id, const struct wire_cm_msg *msg __rte_unused, uint64_t now_ns)
{
	cm_fsm_establish(id, now_ns);
}

static void
drep_send(struct cm_id *id, const struct wire_cm_msg *dreq)
{
	struct wire_cm_msg drep;

	cm_message_drep(dreq, &drep);
	cm_message_send(id->cm, &id->route, &drep);
}

/*
 * A DREQ without REP arrived, because the REP was lost and the peer has ended the connection.
 * Report a rejection to the application.
 */
static void
on_dreq_in_req_sent(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	id->remote_comm_id = msg->local_comm_id;
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	drep_send(id, msg);
	cm_fsm_event(id, &event_rejected_by_dreq);
}

static void
on_dreq(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	bool rtu_lost = id->state == CM_REP_SENT;

	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	drep_send(id, msg);
	/* Only a connected peer sends a DREQ. So in REP_SENT, the RTU is lost or late. */
	if (rtu_lost)
		event_give(id, CM_EVENT_ESTABLISHED);
	event_give(id, CM_EVENT_DISCONNECTED);
}

/* Both sides sent a DREQ: send a DREP. The peer's DREQ counts as answer to our DREQ (CM-006). */
static void
on_dreq_in_dreq_sent(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	cm_fsm_enter(id, CM_TIMEWAIT, now_ns);
	drep_send(id, msg);
	event_give(id, CM_EVENT_DISCONNECT_DONE);
}

/* The DREQ was retransmitted because the DREP was lost: send the DREP again (CM-007). */
static void
on_dreq_in_timewait(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns __rte_unused)
{
	id->cm->counters.drop_duplicate++;
	drep_send(id, msg);
}

/*
 * Handler of each message in each state. NULL: the message is invalid, and is counted and dropped.
 * request.c handles a REQ without a connection.
 */
static void (*const reactions[ATTRIBUTE_COUNT][STATE_COUNT])(
	struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns) = {
	[WIRE_CM_REQ - WIRE_CM_REQ] =
		{
			[CM_REQ_RECEIVED] = on_early_duplicate,
			[CM_REP_SENT] = on_req_in_rep_sent,
			[CM_ESTABLISHED] = count_duplicate,
			[CM_DREQ_SENT] = count_duplicate,
			[CM_TIMEWAIT] = on_req_in_timewait,
		},
	[WIRE_CM_MRA - WIRE_CM_REQ] =
		{
			[CM_REQ_SENT] = on_mra,
			[CM_REP_SENT] = on_mra,
			[CM_REP_RECEIVED] = count_duplicate,
			[CM_ESTABLISHED] = count_duplicate,
			[CM_DREQ_SENT] = count_duplicate,
			[CM_TIMEWAIT] = count_duplicate,
		},
	[WIRE_CM_REJ - WIRE_CM_REQ] =
		{
			[CM_REQ_SENT] = on_rej,
			[CM_REP_RECEIVED] = on_rej,
			[CM_REQ_RECEIVED] = on_rej_in_req_received,
			[CM_REP_SENT] = on_rej,
			[CM_ESTABLISHED] = on_rej_in_established,
			[CM_DREQ_SENT] = on_disconnect_answer,
			[CM_TIMEWAIT] = count_duplicate,
		},
	[WIRE_CM_REP - WIRE_CM_REQ] =
		{
			[CM_REQ_SENT] = on_rep,
			[CM_REP_RECEIVED] = on_early_duplicate,
			[CM_ESTABLISHED] = on_rep_in_established,
			[CM_DREQ_SENT] = count_duplicate,
			[CM_TIMEWAIT] = on_handshake_in_timewait,
		},
	[WIRE_CM_RTU - WIRE_CM_REQ] =
		{
			[CM_REP_SENT] = on_rtu,
			[CM_ESTABLISHED] = count_duplicate,
			[CM_DREQ_SENT] = count_duplicate,
			[CM_TIMEWAIT] = on_handshake_in_timewait,
		},
	[WIRE_CM_DREQ - WIRE_CM_REQ] =
		{
			[CM_REQ_SENT] = on_dreq_in_req_sent,
			[CM_REP_RECEIVED] = on_dreq,
			[CM_REP_SENT] = on_dreq,
			[CM_ESTABLISHED] = on_dreq,
			[CM_DREQ_SENT] = on_dreq_in_dreq_sent,
			[CM_TIMEWAIT] = on_dreq_in_timewait,
		},
	[WIRE_CM_DREP - WIRE_CM_REQ] =
		{
			[CM_DREQ_SENT] = on_disconnect_answer,
			[CM_TIMEWAIT] = count_duplicate,
		},
};

void
cm_fsm_react(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	unsigned int row = msg->attribute - WIRE_CM_REQ;

	BASE_ASSERT(row < ATTRIBUTE_COUNT && id->state != CM_IDLE);
	if (reactions[row][id->state] == NULL)
		id->cm->counters.drop_state++;
	else
		reactions[row][id->state](id, msg, now_ns);
}
