/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Turns of an engine (engine_poll()), and its creation and destruction. Each queue pair has one
 * entry in the timer wheel, which qps.c arms. The connection manager and the neighbour table have
 * their own deadlines, which are checked in each turn in which any deadline has expired.
 */

#include "engine/engine.h"

#include <stdio.h>
#include <string.h>

#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_string_fns.h>

#include "base/assert.h"
#include "base/limits.h"
#include "engine/arrival.h"
#include "engine/index.h"
#include "engine/link.h"
#include "engine/probe.h"
#include "engine/qps.h"
#include "engine/transmit.h"
#include "rc/qp_lines.h"

RTE_LOG_REGISTER(neigh_log, lib.ndpdk.neigh, NOTICE)

/**
 * Orders of the first engine are postponed in turns with full bursts, but in at most this number of
 * consecutive turns. 64 bursts are more frames than a port's queue holds.
 */
#define ORDERS_LATE_MAX 64

/**
 * Timers are postponed in turns with full bursts, but in at most this number of consecutive turns;
 * see timers_prepare().
 */
#define TIMERS_LATE_MAX 64

/**
 * If timers were not checked for this time (0.1 s), the packets of stuck queue pairs are offered to
 * the port again before timers expire.
 */
#define PAUSE_NS UINT64_C(100000000)

/** Serial number for ring names, which must be unique in a process. */
static uint32_t engine_serial;

static bool
address_is_local(void *arg, const struct wire_gid *gid)
{
	const struct engine *engine = arg;

	return wire_gid_equal(gid, &engine->address);
}

static void
address_conflict(void *arg, const struct rte_ether_addr *mac)
{
	RTE_SET_USED(arg);
	rte_log(RTE_LOG_WARNING, neigh_log,
		RTE_ETHER_ADDR_PRT_FMT " also uses the IP address of this adapter\n",
		RTE_ETHER_ADDR_BYTES(mac));
}

static void
cm_event_up(void *arg, struct cm_id *id, const struct cm_event *event)
{
	struct engine *engine = arg;

	if (event->kind == CM_EVENT_ESTABLISHED)
		engine_neighbour_need(engine, id);
	engine->ops.cm_event(engine->ops.arg, id, event);
}

/** Allocate memory to keep packets that arrive out of order (rc/keep.h). */
static enum rc_status
keep_create(struct engine *engine, const struct engine_config *config)
{
	struct rc_keep_config keep = config->keep;

	if (keep.mbufs_max == 0)
		return RC_OK;
	keep.random = &engine->random;
	keep.socket_id = config->io->socket_id;
	engine->rc.keep = rc_keep_create(&keep);
	return engine->rc.keep != NULL ? RC_OK : RC_NO_RESOURCES;
}

/**
 * Register the engine as a reader of the memory index. Its reader ID is the engine's index, which
 * is unique. A search for a free ID is not possible, because DPDK also reports success for an ID
 * that is already registered.
 */
static enum rc_status
reader_register(struct engine *engine)
{
	if (rte_rcu_qsbr_thread_register(engine->qsbr, engine->index) != 0)
		return RC_NO_RESOURCES;
	engine->reader = &engine->qsbr->qsbr_cnt[engine->index];
	return RC_OK;
}

static enum rc_status
parts_create(struct engine *engine, const struct engine_config *config)
{
	static const struct cm_ops cm_ops = {
		.send = engine_mad_send,
		.event = cm_event_up,
		.is_local = address_is_local,
	};
	struct neigh_config neigh = config->neigh;
	struct cm_config cm = config->cm;
	enum rc_status status;

	neigh.address = config->address;
	neigh.mac = config->io->mac;
	neigh.vlan = config->vlan;
	neigh.vlan_tci = config->vlan_tci;
	neigh.send = engine_frame_send;
	neigh.conflict = address_conflict;
	neigh.moved = engine_neighbour_moved;
	neigh.arg = engine;
	neigh.socket_id = config->io->socket_id;
	status = neigh_create(&neigh, &engine->neigh);
	if (status != RC_OK)
		return status;
	cm.random = &engine->random;
	cm.socket_id = config->io->socket_id;
	return cm_create(&cm, &cm_ops, engine, &engine->cm);
}

enum rc_status
engine_create(const struct engine_config *config, struct engine **engine_out)
{
	char name[RTE_RING_NAMESIZE];
	struct engine *engine;
	enum rc_status status;

	engine = rte_zmalloc_socket(
		"engine", sizeof(*engine), RTE_CACHE_LINE_SIZE, config->io->socket_id);
	if (engine == NULL)
		return RC_NO_RESOURCES;
	engine->io = config->io;
	engine->clock = config->clock;
	engine->ops = config->ops;
	engine->address = config->address;
	engine->vlan = config->vlan;
	engine->vlan_tci = config->vlan_tci;
	engine->vlan_id = config->vlan ? config->vlan_tci & WIRE_VLAN_ID_MASK : 0;
	engine->tos = config->tos;
	engine->ttl = config->ttl;
	base_random_seed(&engine->random, config->seed);
	engine->cm_src_port = (uint16_t)(WIRE_UDP_SRC_PORT_FIRST +
		base_random_below(&engine->random, WIRE_UDP_SRC_PORT_COUNT));
	engine->rc.marking = config->marking;
	engine->rc.mem = config->mem;
	engine->rc.pool = config->pool;
	engine->rc.hold_timers = true;
	engine->rc.random = &engine->random;
	engine->rc.observe = probe_step;
	if (config->name != NULL)
		rte_strscpy(engine->name, config->name, sizeof(engine->name));
	engine->rc.ip_id = (uint16_t)base_random_u32(&engine->random);
	base_list_init(&engine->ready);
	base_list_init(&engine->starved);
	base_list_init(&engine->resolving);
	base_list_init(&engine->served);
	wheel_init(&engine->wheel, engine_now_ns(engine));
	engine_link_begin(engine, engine_now_ns(engine));
	engine->qsbr = mem_domain_qsbr(config->mem);
	engine->group = config->group;
	engine->alone = config->group->count == 1;
	while (config->group->engines[engine->index] != NULL)
		engine->index++;
	engine->may_wait = config->busy_poll && engine->index == 0;
	*engine_out = engine;

	snprintf(name, sizeof(name), "nd_commands_%u",
		__atomic_fetch_add(&engine_serial, 1, __ATOMIC_RELAXED));
	engine->commands.label = engine->name;
	if (command_queue_init(&engine->commands, name, config->io->socket_id) != 0)
		status = RC_NO_RESOURCES;
	else
		status = qp_table_init(&engine->qps, config->qp_slots, engine->index,
			config->group->index_bits, config->io->socket_id);
	if (status == RC_OK)
		status = keep_create(engine, config);
	if (status == RC_OK)
		status = reader_register(engine);
	if (status == RC_OK && engine->index == 0)
		status = parts_create(engine, config);
	if (status == RC_OK)
		status = engine_group_join(config->group, engine, config->qp_slots);
	if (status != RC_OK) {
		engine_destroy(engine);
		*engine_out = NULL;
	}
	return status;
}

void
engine_destroy(struct engine *engine)
{
	if (engine == NULL)
		return;
	engine_transmit(engine);
	for (uint16_t i = 0; i < engine->rc.packet_count; i++)
		rte_pktmbuf_free(engine->rc.packets[i]);
	if (engine->cm != NULL)
		cm_destroy(engine->cm);
	if (engine->neigh != NULL)
		neigh_destroy(engine->neigh);
	if (engine->reader)
		(void)rte_rcu_qsbr_thread_unregister(engine->qsbr, engine->index);
	qp_table_fini(&engine->qps);
	engine_sleep_fini(engine);
	command_queue_fini(&engine->commands);
	rc_keep_destroy(engine->rc.keep);
	rte_free(engine);
}

/**
 * Return whether a packet belongs to the engine's VLAN. A tag with VLAN ID 0 is a priority tag, and
 * treated like no tag. Priorities are ignored.
 */
static bool
vlan_is_own(const struct engine *engine, const struct wire_view *view)
{
	return (view->vlan_tci & WIRE_VLAN_ID_MASK) == engine->vlan_id;
}

/**
 * If the application takes frames that are not for the engine, keep this frame, to pass it to the
 * application later. @return whether it was kept
 */
static bool
others_keep(struct engine *engine, struct rte_mbuf *mbuf)
{
	if (engine->ops.others == NULL)
		return false;
	BASE_ASSERT(engine->other_count < ENGINE_OTHERS_MAX);
	/*
	 * Take a reference for the application. The engine's own reference is released later, as
	 * for any frame.
	 */
	rte_pktmbuf_refcnt_update(mbuf, 1);
	engine->others[engine->other_count++] = mbuf;
	return true;
}

/** Pass the frames that others_keep() has collected in this turn to the application. */
static __rte_noinline void
others_give(struct engine *engine)
{
	struct rte_mbuf *mbufs[ENGINE_OTHERS_MAX];
	uint16_t count = engine->other_count;

	memcpy(mbufs, engine->others, count * sizeof(*mbufs));
	engine->other_count = 0;
	engine->counters.rx_others += count;
	engine->giving = true;
	engine->ops.others(engine->ops.arg, mbufs, count);
	engine->giving = false;
}

/**
 * Process a frame that is not a valid RoCEv2 packet. If the frame has a VLAN tag, view contains the
 * tag.
 */
static __rte_noinline void
unusual_input(struct engine *engine, struct rte_mbuf *mbuf, const struct wire_view *view,
	enum wire_drop drop, uint64_t now_ns)
{
	enum neigh_verdict verdict;
	bool others;

	/* Check all deadlines, because the neighbour table may have set an earlier one. */
	engine->wake_ns = 0;
	if (drop != WIRE_NOT_IP && drop != WIRE_NOT_ROCE) {
		/*
		 * A fragment is not for the engine. RoCEv2 packets are never fragmented, because
		 * their senders set DF.
		 */
		others = drop == WIRE_DROP_FRAGMENT ||
			(drop != WIRE_DROP_TRUNCATED && !vlan_is_own(engine, view));
		if (!others || !others_keep(engine, mbuf))
			engine->counters.drops[drop]++;
		return;
	}
	verdict = neigh_input(engine->neigh, mbuf, now_ns);
	if (verdict != NEIGH_TAKEN && !others_keep(engine, mbuf) && verdict == NEIGH_FOREIGN)
		engine->counters.drop_foreign++;
}

struct parsed {
	struct wire_view view; /**< parsed headers; valid if drop is WIRE_OK */
	/** Slot of the destination QPN, which may be empty. Valid if drop is WIRE_OK. */
	const struct qp_table_slot *slot;
	enum wire_drop drop;
};

static void
frame_input(
	struct engine *engine, struct rte_mbuf *mbuf, const struct parsed *parsed, uint64_t now_ns)
{
	const struct wire_view *view = &parsed->view;
	enum wire_drop drop = parsed->drop;
	struct rc_qp *qp;

	if (unlikely(drop != WIRE_OK)) {
		unusual_input(engine, mbuf, view, drop, now_ns);
		return;
	}
	if (unlikely(!vlan_is_own(engine, view))) {
		if (!others_keep(engine, mbuf))
			engine->counters.drop_vlan++;
		return;
	}
	if (unlikely(view->traits->kind == WIRE_KIND_DATAGRAM)) {
		engine_datagram_input(engine, mbuf, view, now_ns);
		return;
	}
	/* Look up the queue pair again, because an earlier frame of the burst may have ended it. */
	qp = qp_table_slot_find(parsed->slot, view->bth.dest_qp);
	if (unlikely(qp == NULL)) {
		engine->counters.drop_unknown_qp++;
		return;
	}
	rc_qp_input(qp, mbuf, view, now_ns);
	engine_qp_events(engine, qp);
	engine_qp_ready(engine, qp);
}

/**
 * Prefetch the cache lines of the queue pairs and keys that a burst needs. Consecutive frames of
 * one queue pair prefetch it only once.
 */
static void
burst_prefetch(const struct engine *engine, const struct parsed *parsed, uint16_t count)
{
	const struct rc_qp *last = NULL;

	for (uint16_t i = 0; i < count; i++) {
		const struct wire_view *view = &parsed[i].view;
		const struct rc_qp *qp;

		if (unlikely(parsed[i].drop != WIRE_OK))
			continue;
		qp = qp_table_slot_find(parsed[i].slot, view->bth.dest_qp);
		if (qp != NULL && qp != last)
			rc_qp_prefetch_input(qp, view->traits);
		if (qp != NULL && view->traits->has_reth)
			mem_prefetch_remote(engine->rc.mem, view->reth.rkey);
		last = qp;
	}
}

/**
 * Process the frames of a burst in order. All frames are parsed first, so that the cache misses on
 * the QPN table, queue pairs and keys overlap.
 */
static void
frames_input(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count, uint64_t now_ns)
{
	struct parsed parsed[LIMIT_BURST];
	struct wire_burst burst = {0};

	for (uint16_t i = 0; i < count; i++) {
		parsed[i].drop = wire_parse_in_burst(mbufs[i], &parsed[i].view, &burst);
		if (unlikely(parsed[i].drop != WIRE_OK))
			continue;
		parsed[i].slot = qp_table_slot(&engine->qps, parsed[i].view.bth.dest_qp);
		rte_prefetch0(parsed[i].slot);
	}
	if (count > 1)
		burst_prefetch(engine, parsed, count);
	for (uint16_t i = 0; i < count; i++) {
		engine->rc.arrival.frame = mbufs[i];
		frame_input(engine, mbufs[i], &parsed[i], now_ns);
	}
}

static inline void
burst_input(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count, uint64_t now_ns)
{
	engine_index_enter(engine);
	if (unlikely(engine->rc.arrival.wanted))
		engine_arrival_burst(engine);
	frames_input(engine, mbufs, count, now_ns);
	rte_pktmbuf_free_bulk(mbufs, count);
}

/**
 * Process the first engine's orders. While bursts are full, postpone the orders, because frames
 * that still wait in the port may have arrived before the orders. Postpone in at most
 * ORDERS_LATE_MAX consecutive turns.
 */
static unsigned int
orders_due(struct engine *engine, uint16_t received)
{
	if (received == LIMIT_BURST && ++engine->late < ORDERS_LATE_MAX)
		return 0;
	engine->late = 0;
	return engine_orders_take(engine);
}

/** Frames that the application has received and passed to engine_input(). */
struct given {
	struct rte_mbuf **mbufs;
	uint16_t count; /**< number of frames, at most LIMIT_BURST */
};

/**
 * Get the frames of a turn. @param given frames passed by the application; NULL: receive from the
 * port
 */
static inline uint16_t
frames_receive(struct engine *engine, const struct given *given, struct rte_mbuf **mbufs)
{
	if (given == NULL)
		return port_io_receive(engine->io, mbufs, LIMIT_BURST);
	memcpy(mbufs, given->mbufs, given->count * sizeof(*mbufs));
	return given->count;
}

/**
 * Process the input of one of several engines. Frames that other engines have handed over are
 * processed as a separate burst, before the frames of the own port queue, which arrived later.
 * Orders and notes are processed last, because a disconnect request must not overtake responses
 * that the peer sent before it.
 * @return number of frames, orders and notes
 */
static __rte_noinline unsigned int
group_input(struct engine *engine, const struct given *given, uint64_t now_ns)
{
	const struct engine_group *group = engine->group;
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count, received;
	unsigned int done;

	count = engine_frames_take(engine, mbufs, LIMIT_BURST);
	if (count != 0)
		burst_input(engine, mbufs, count, now_ns);
	done = count;
	received = frames_receive(engine, given, mbufs);
	count = received == 0 ? 0 : engine_frames_sort(engine, mbufs, received);
	if (count != 0)
		burst_input(engine, mbufs, count, now_ns);
	engine->counters.rx_frames += received;
	done += received;
	if (engine->index != 0)
		done += orders_due(engine, received);
	for (uint32_t i = 1; engine->index == 0 && i < group->count; i++)
		done += engine_notes_take(engine, i);
	engine->handed += done - received;
	return done;
}

static inline unsigned int
lone_input(struct engine *engine, const struct given *given, uint64_t now_ns)
{
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t received = frames_receive(engine, given, mbufs);

	if (received == 0)
		return 0;
	burst_input(engine, mbufs, received, now_ns);
	engine->counters.rx_frames += received;
	return received;
}

/**
 * @return time of the earliest deadline of all queue pairs, neighbours, connections and the link
 * check
 */
static uint64_t
timed_ns(struct engine *engine)
{
	uint64_t next_ns = wheel_due_ns(&engine->wheel);

	if (engine->index != 0)
		return next_ns;
	if (!base_list_empty(&engine->resolving))
		return 0;
	next_ns = RTE_MIN(next_ns, engine->link_ns);
	next_ns = RTE_MIN(next_ns, cm_deadline(engine->cm));
	return RTE_MIN(next_ns, neigh_deadline(engine->neigh));
}

/** Do the timed work of connections, neighbours and the link, which only the first engine has. */
static void
control_turn(struct engine *engine, uint64_t now_ns)
{
	if (cm_deadline(engine->cm) <= now_ns)
		cm_tick(engine->cm, now_ns);
	if (neigh_deadline(engine->neigh) <= now_ns)
		neigh_tick(engine->neigh, now_ns);
	if (engine->link_ns <= now_ns)
		engine_link_look(engine, now_ns);
	if (!base_list_empty(&engine->resolving))
		engine_resolve_tick(engine, now_ns);
}

/**
 * Prepare a turn with expired deadlines. If the owner's thread was paused, frames that stop
 * expired timers may wait in the port, so process the waiting frames first. If the port was full,
 * offer the waiting packets to it again, before the timer of a queue pair reports the port as
 * stuck.
 * @param done number of frames received in this turn
 * @return whether timers may expire in this turn
 */
static __rte_noinline bool
timers_prepare(struct engine *engine, uint64_t now_ns, unsigned int done)
{
	bool wait = done >= LIMIT_BURST && ++engine->timers_late < TIMERS_LATE_MAX;

	if (engine->rc.stuck_count != 0 && wheel_rested_ns(&engine->wheel, now_ns) > PAUSE_NS)
		engine_transmit(engine);
	if (!wait)
		engine->timers_late = 0;
	engine->rc.hold_timers = wait;
	return !wait;
}

/**
 * Let queue pairs progress, and do timed work if a deadline has expired. In most turns none has.
 * @param done number of frames received in this turn
 */
static inline void
work_turn(struct engine *engine, uint64_t now_ns, unsigned int done)
{
	bool may_end = false;
	bool due = engine->wake_ns <= now_ns;

	BASE_ASSERT(engine->wake_ns <= timed_ns(engine));
	if (unlikely(due)) {
		may_end = timers_prepare(engine, now_ns, done);
		engine_deadlines_fire(engine, now_ns);
	}
	engine_qps_progress(engine, now_ns);
	if (likely(!due))
		return;
	engine->rc.hold_timers = true;
	if (engine->index == 0 && may_end)
		control_turn(engine, now_ns);
	engine->wake_ns = may_end ? timed_ns(engine) : 0;
}

static __rte_always_inline unsigned int
turn(struct engine *engine, const struct given *given)
{
	unsigned int done, sent;
	uint64_t now_ns;

	/*
	 * Execute commands before the turn begins, that is, before in_poll is set. Each command
	 * then calls settle itself, so that the operations that it has finished are reported before
	 * its caller returns.
	 */
	command_drain(&engine->commands);
	now_ns = engine_now_ns(engine);
	engine->in_poll = true;
	sent = engine_qps_begin(engine, now_ns);
	done = engine->alone ? lone_input(engine, given, now_ns)
			     : group_input(engine, given, now_ns);

	work_turn(engine, now_ns, done);
	if (engine->reading)
		engine_index_leave(engine);
	sent += engine_transmit(engine);
	engine->in_poll = false;
	if (unlikely(engine->other_count != 0))
		others_give(engine);
	engine->ops.settle(engine->ops.arg);
	return done + sent;
}

unsigned int
engine_poll(struct engine *engine)
{
	return turn(engine, NULL);
}

unsigned int
engine_input(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct given given = {mbufs, count};

	BASE_ASSERT(count <= LIMIT_BURST);
	return turn(engine, &given);
}
