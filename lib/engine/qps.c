/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Scheduling of an engine's queue pairs. Queue pairs with work to do now are in the ready list.
 * Queue pairs with work at a later time have an entry in the timer wheel. After a queue pair has
 * made progress, its wheel entry is armed for its deadline. An entry that fires too early is armed
 * again. Only a keepalive deadline is not read after progress, because the wheel always contains
 * this deadline.
 */

#include "engine/qps.h"

#include <string.h>

#include "base/assert.h"
#include "cc/pace.h"
#include "engine/index.h"
#include "engine/transmit.h"
#include "rc/qp_time.h"

static_assert(WHEEL_TICK_NS <= CC_PACE_CREDIT_NS,
	"a queue pair that is woken one tick late keeps its rate");

static inline void
deadline_arm(struct engine *engine, struct engine_qp *slot, uint64_t deadline_ns)
{
	/*
	 * Usually the entry is already armed for an earlier time. Then avoid the call of
	 * wheel_arm().
	 */
	if (unlikely(deadline_ns < slot->timer.deadline_ns) &&
		wheel_arm(&engine->wheel, &slot->timer, deadline_ns))
		engine->wake_ns = 0;
}

void
engine_qp_obey(struct engine *engine, struct engine_qp *slot, uint32_t orders)
{
	struct rc_qp *qp = slot->qp;

	if (qp->state != RC_QP_RTS)
		return;
	if (orders & ENGINE_ORDER_MOVE) {
		uint64_t packed = __atomic_load_n(&slot->mac, __ATOMIC_RELAXED);
		struct rte_ether_addr mac;

		memcpy(&mac, &packed, sizeof(mac));
		rc_qp_set_destination(qp, &mac);
	}
	if (orders & ENGINE_ORDER_KEEPALIVE) {
		uint64_t ms = __atomic_load_n(&slot->keepalive_ms, __ATOMIC_RELAXED);

		rc_keepalive_set(qp, ms * 1000000, engine_now_ns(engine));
		deadline_arm(engine, slot, qp->keepalive.deadline_ns);
	}
	if (orders & ENGINE_ORDER_STOP) {
		rc_qp_error(qp, RC_FLUSHED);
		engine_qp_events(engine, qp);
	}
}

void
engine_qp_stop(struct engine_qp *slot)
{
	if (slot->home->index != 0)
		engine_order(slot, ENGINE_ORDER_STOP);
	else if (slot->qp->state == RC_QP_RTS)
		rc_qp_error(slot->qp, RC_FLUSHED);
}

void
engine_qp_move(struct engine_qp *slot, const struct rte_ether_addr *mac)
{
	uint64_t packed = 0;

	memcpy(&packed, mac, sizeof(*mac));
	__atomic_store_n(&slot->mac, packed, __ATOMIC_RELAXED);
	if (slot->home->index != 0)
		engine_order(slot, ENGINE_ORDER_MOVE);
	else
		engine_qp_obey(slot->home, slot, ENGINE_ORDER_MOVE);
}

void
engine_qp_keepalive(struct engine_qp *slot, uint32_t interval_ms)
{
	__atomic_store_n(&slot->keepalive_ms, interval_ms, __ATOMIC_RELAXED);
	if (slot->home->index != 0)
		engine_order(slot, ENGINE_ORDER_KEEPALIVE);
	else
		engine_qp_obey(slot->home, slot, ENGINE_ORDER_KEEPALIVE);
}

void
engine_qp_noted(struct engine *first, struct engine_qp *slot, unsigned int events)
{
	if (events & RC_EVENT_FIRST_PACKET)
		first->ops.qp_event(first->ops.arg, slot, RC_EVENT_FIRST_PACKET);
	first->wake_ns = 0;
	/*
	 * Resolve the MAC address again, because the peer did not answer and may have a new
	 * address.
	 */
	if (events & RC_EVENT_REPEATED)
		neigh_doubt(first->neigh, &slot->peer, engine_now_ns(first));
	if (events & RC_EVENT_REFUSED)
		engine_key_guess(first, &slot->peer);
	if (events & RC_EVENT_ERROR)
		first->ops.qp_event(first->ops.arg, slot, RC_EVENT_ERROR);
}

/**
 * Report events of a queue pair to the first engine, which processes the events now if this is the
 * first engine, otherwise in its next turn.
 */
static void
note(struct engine *engine, struct engine_qp *slot, unsigned int events)
{
	if (engine->index == 0)
		engine_qp_noted(engine, slot, events);
	else
		engine_note(engine, slot, events);
}

__rte_cold void
engine_qp_tell(struct engine *engine, struct rc_qp *qp)
{
	note(engine, qp->timer_slot, rc_qp_events_take(qp));
}

static __rte_always_inline void
qp_progress(struct engine *engine, struct rc_qp *qp, uint64_t now_ns)
{
	uint64_t deadline_ns;

	BASE_ASSERT(engine->reading);
	if (rc_qp_progress(qp, now_ns))
		engine_qp_ready(engine, qp);
	engine_qp_events(engine, qp);
	deadline_ns = rc_qp_deadline(qp);
	/*
	 * Without a deadline, do not read the slot or timer_slot: a queue pair that only answers
	 * does not need their cache lines.
	 */
	if (deadline_ns != BASE_TIME_NEVER)
		deadline_arm(engine, qp->timer_slot, deadline_ns);
}

void
engine_qp_kick(struct engine *engine, struct engine_qp *slot)
{
	uint64_t now_ns = engine_now_ns(engine);

	if (engine_turn_is_soon(engine, now_ns))
		slot->qp->prompt = true;
	else /* the next turn is late, so the ACK must not wait for it */
		engine->rc.patient = false;
	engine_index_enter(engine);
	qp_progress(engine, slot->qp, now_ns);
	/*
	 * During a turn, do not transmit here: the end of the turn transmits all packets as one
	 * burst.
	 */
	if (!engine->in_poll) {
		engine_index_leave(engine);
		engine_transmit(engine);
	}
}

/**
 * Append a queue pair with an expired deadline to the ready list. If the output queue is full, let
 * the queue pair make progress here, because the rest of the turn may not reach this queue pair.
 * Its timer must not wait for room.
 */
static void
timer_due(struct engine *engine, struct engine_qp *slot, uint64_t now_ns)
{
	if (unlikely(rc_out_room(&engine->rc) == 0)) {
		engine_index_enter(engine);
		qp_progress(engine, slot->qp, now_ns);
		return;
	}
	engine_qp_ready(engine, slot->qp);
	deadline_arm(engine, slot, now_ns + WHEEL_TICK_NS);
}

static void
deadline_fire(struct engine *engine, struct wheel_entry *entry, uint64_t now_ns)
{
	struct engine_qp *slot = base_list_entry(entry, struct engine_qp, timer);
	struct rc_qp *qp = slot->qp;
	bool ask = qp->keepalive.deadline_ns <= now_ns && rc_keepalive_look(qp, now_ns);
	uint64_t deadline_ns = rc_qp_deadline(qp);

	deadline_arm(engine, slot, qp->keepalive.deadline_ns);
	if (deadline_ns > now_ns && !ask) {
		deadline_arm(engine, slot, deadline_ns);
		return;
	}
	/*
	 * Resolve the peer's MAC address again before the retries are used up, because the address
	 * may have changed.
	 */
	if (rc_qp_unanswered(qp, now_ns))
		note(engine, slot, RC_EVENT_REPEATED);
	timer_due(engine, slot, now_ns);
}

/**
 * Fire expired deadlines, but only a limited number per turn. If a peer is gone, many queue pairs
 * may expire at the same time. If one turn fired all of them, frames that arrive meanwhile would
 * overflow the port's queue.
 */
void
engine_deadlines_fire(struct engine *engine, uint64_t now_ns)
{
	struct wheel_entry *entry;

	for (unsigned int i = 0; i < ENGINE_DEADLINES_PER_TURN; i++) {
		entry = wheel_expire(&engine->wheel, now_ns);
		if (entry == NULL)
			return;
		deadline_fire(engine, entry, now_ns);
	}
}

/**
 * Offer packets to the port if the output queue is nearly full. @return whether the output queue
 * has room for another packet
 */
static bool
room_made(struct engine *engine)
{
	if (engine->rc.packet_count > LIMIT_OUT_PACKETS - LIMIT_BURST)
		engine_transmit(engine);
	return engine->rc.packet_count < LIMIT_OUT_PACKETS;
}

void
engine_lists_progress(struct engine *engine, uint64_t now_ns)
{
	struct base_list round;
	bool room = true;

	/*
	 * Move the ready list to a local list, because a queue pair that has more to send is
	 * appended to the ready list again, and must wait for the next turn.
	 */
	engine_index_enter(engine);
	base_list_init(&round);
	base_list_move(&engine->ready, &round);
	while (!base_list_empty(&engine->starved) && (room = room_made(engine))) {
		struct base_list *node = engine->starved.next;

		base_list_remove(node);
		qp_progress(engine, base_list_entry(node, struct rc_qp, ready), now_ns);
	}
	/*
	 * Call rc_qp_progress() even without room, because the call starts a timer for a queue pair
	 * that waits for the port.
	 */
	while (!base_list_empty(&round)) {
		struct base_list *node = round.next;

		room = room && room_made(engine);
		base_list_remove(node);
		qp_progress(engine, base_list_entry(node, struct rc_qp, ready), now_ns);
		if (unlikely(!room) && !base_list_empty(node)) {
			base_list_remove(node);
			base_list_append(&engine->starved, node);
		}
	}
}

__rte_cold void
engine_absence_note(struct engine *engine, uint64_t now_ns)
{
	uint64_t from_ns = RTE_MAX(engine->turn_ns, engine->rested_ns);

	if (engine->clock.runs && now_ns - from_ns > RC_AWAY_NS)
		engine->rc.absence = (struct rc_absence){from_ns, now_ns};
}

unsigned int
engine_acks_send(struct engine *engine, uint64_t now_ns)
{
	engine->rc.patient = false;
	engine->rc.ack_waits = false;
	engine_lists_progress(engine, now_ns);
	return engine_transmit(engine);
}
