/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_ENGINE_H
#define NDPDK_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

#include "base/list.h"
#include "base/random.h"
#include "base/status.h"
#include "cm/cm.h"
#include "cm/rate.h"
#include "engine/clock.h"
#include "engine/command.h"
#include "engine/counters.h"
#include "engine/group.h"
#include "engine/ops.h"
#include "engine/pool.h"
#include "engine/qp_table.h"
#include "engine/sleep.h"
#include "engine/wheel.h"
#include "mem/mem.h"
#include "neigh/neigh.h"
#include "port/port.h"
#include "rc/keep.h"
#include "rc/qp.h"
#include "wire/parse.h"

/*
 * An engine is the run-to-completion loop of one lcore. It connects port, transport, connection
 * manager, neighbours and memory. A simulator can replace port and clock, which are interfaces.
 *
 * A turn is one call of engine_poll(). Its steps are: commands of other threads, delayed ACKs, one
 * burst of frames, deadlines, progress of queue pairs, connection manager and neighbours, transmit.
 * A turn that begins before wake_ns skips the deadlines. Constants limit the work of each step.
 *
 * An adapter may have several engines (group.h). Only the first engine has a connection manager
 * and neighbours. Functions that need them must be called on the first engine.
 */

struct engine_qp;

#define ENGINE_NAME_BYTES 32 /* size of an adapter name in a trace, with terminator */

struct engine_config {
	struct engine_group *group; /**< group that the engine joins; must outlive the engine */
	const struct port_io *io;   /**< must outlive the engine */
	struct engine_clock clock;
	struct rte_mempool *pool; /**< see pool.h */
	struct mem_domain *mem;
	uint8_t seed[BASE_RANDOM_SEED_BYTES];
	uint32_t qp_slots; /**< power of two */
	struct wire_gid address;
	bool vlan;
	uint16_t vlan_tci;
	uint8_t tos, ttl;
	bool busy_poll; /**< true: the owner promises to poll without pause */
	struct rc_marking marking;
	/** Limits for kept packets (mbufs_max 0: keep none). engine_create() sets the rest. */
	struct rc_keep_config keep;
	struct neigh_config neigh; /**< set by the caller, except members about port and engine */
	struct cm_config cm;       /**< engine_create() sets random */
	struct engine_ops ops;
	const char *name; /**< adapter name for the trace, may be truncated; NULL: empty */
};

/** The engine's data about a queue pair, in the endpoint. Must be zero before its first use. */
struct engine_qp {
	struct rc_qp *qp;
	struct wheel_entry timer;
	struct engine *home;
	uint32_t orders;       /**< pending orders, bits of enum engine_order; atomic */
	uint32_t notes;        /**< pending events, bits of enum rc_event; atomic */
	uint64_t mac;          /**< peer's new MAC address, for ENGINE_ORDER_MOVE; atomic */
	uint32_t keepalive_ms; /**< interval for ENGINE_ORDER_KEEPALIVE; atomic */
	/* The members below are used by the first engine only. */
	uint32_t qpn;
	struct base_list node; /**< entry of engine.served while the queue pair is in service */
	struct wire_gid peer;
	struct rte_ether_addr peer_mac;
};

/**
 * A query for a peer's MAC address. The caller owns the structure, and keeps it until done() or
 * engine_resolve_cancel() is called.
 */
struct engine_resolve {
	struct base_list node;
	struct wire_gid peer;
	/** Called with NEIGH_FOUND and the MAC address, NEIGH_UNREACHABLE or NEIGH_NO_ROUTE. */
	void (*done)(struct engine_resolve *resolve, enum neigh_result result,
		const struct rte_ether_addr *mac);
};

/** Maximum number of frames in a turn: one burst from the port and one from other engines. */
#define ENGINE_OTHERS_MAX (2 * LIMIT_BURST)

struct engine {
	struct rc_context rc;
	const struct port_io *io;
	struct engine_clock clock;
	uint64_t now_ns, shift_ns; /**< newest engine time, and its lead over the clock; atomic */
	struct qp_table qps;
	struct base_list ready;   /**< queue pairs to progress */
	struct base_list starved; /**< queue pairs that found the output queue full */
	struct wheel wheel;
	struct engine_counters counters;

	struct engine_group *group;
	uint8_t index;              /**< index in the group */
	bool alone;                 /**< true: the group has only this engine */
	uint32_t frames_from;       /**< engine whose ring of frames the next turn reads first */
	uint32_t late, timers_late; /**< consecutive turns that postponed orders, or timers */

	/* The members from here to "served" are used by the first engine only. */
	struct cm *cm;
	struct neigh *neigh;
	uint64_t link_ns; /**< time of the next check of the port's link */
	struct base_list resolving;
	struct base_list served; /**< connected queue pairs of all engines */
	struct base_random random;
	struct engine_ops ops;
	struct wire_gid address;
	bool vlan;
	uint16_t vlan_tci;
	uint16_t vlan_id; /**< VLAN ID of accepted packets; 0: untagged */
	uint8_t tos, ttl;
	uint16_t cm_src_port;
	uint32_t cm_psn; /**< next PSN of datagrams sent from QP 1 */
	/** rate limit, for engine_key_guess() */
	struct cm_bucket warnings;
	uint32_t warnings_kept; /**< warnings suppressed since the last logged warning */
	struct command_queue commands;
	char name[ENGINE_NAME_BYTES];
	struct rte_rcu_qsbr *qsbr;
	/** counter of this reader, whose ID is engine.index, in qsbr; NULL: not registered */
	struct rte_rcu_qsbr_cnt *reader;
	bool reading; /**< true: online as a reader of the memory index; see index.h */
	struct engine_clock_back back;
	struct engine_sleep sleep;
	uint64_t told;        /**< number of finished operations reported to the application */
	uint64_t handed;      /**< number of frames, orders and notes received from other engines */
	bool giving;          /**< engine_ops.others is being called */
	uint16_t other_count; /**< number of frames in others[], for the application */
	struct rte_mbuf *others[ENGINE_OTHERS_MAX];
	bool in_poll;
	bool may_wait;    /**< true: ACKs may be delayed to the next turn; see qps.h */
	uint64_t turn_ns; /**< time at which the last turn began */
	/**
	 * End of the owner's last sleep. Because work ends a sleep, it is no absence (rc/timer.h).
	 */
	uint64_t rested_ns;
	/** Turns that begin before this time skip the deadlines. 0: check all deadlines. */
	uint64_t wake_ns;
};

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES */
enum rc_status
engine_create(const struct engine_config *config, struct engine **engine) __rte_warn_unused_result;

/** Destroy an engine that has no queue pairs; the first engine of a group last. NULL is ignored. */
void engine_destroy(struct engine *engine);

/** Run one turn. @return number of frames received, handed over and sent; 0: there was no work */
unsigned int engine_poll(struct engine *engine);

/**
 * Run one turn that processes the given frames instead of frames from the port. Consumes the mbufs.
 * @param count at most LIMIT_BURST
 * @return as engine_poll()
 */
unsigned int engine_input(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count);

/** (time.c) */
uint64_t engine_clock_went_back(struct engine *engine, uint64_t now_ns);

/**
 * Return the engine's time, on its thread. The time never goes back. After a step back of the
 * clock, the time is constant until the clock has caught up. If the step is larger than
 * ENGINE_CLOCK_STAND_NS, the time continues at once. A step forward is like a pause of the thread.
 */
static inline uint64_t
engine_now_ns(struct engine *engine)
{
	uint64_t now_ns = engine->clock.now_ns(engine->clock.arg) + engine->shift_ns;

	if (unlikely(now_ns < engine->now_ns))
		return engine_clock_went_back(engine, now_ns);
	__atomic_store_n(&engine->now_ns, now_ns, __ATOMIC_RELAXED);
	return now_ns;
}

/** @return the earliest time at which engine_poll() has work if no frame arrives. */
uint64_t engine_deadline_ns(const struct engine *engine);

/* ---- queue pairs (qps.c) ---- */

/*
 * A queue pair is created and destroyed in steps. Each step runs on the engine in parentheses:
 *
 *   engine_qp_reserve (first) -> engine_qp_create (home) -> rc_qp_connect (home) ->
 *   engine_qp_serve (first) -> ... -> engine_qp_leave (first) -> engine_qp_destroy (home) ->
 *   engine_qp_forget (first)
 */

/** On the first engine: choose a QPN for a queue pair on home. @return RC_OK, RC_NO_RESOURCES */
enum rc_status
engine_qp_reserve(struct engine *home, struct engine_qp *slot) __rte_warn_unused_result;

/** On the home engine: create the queue pair with the QPN of slot. @return as rc_qp_create() */
enum rc_status engine_qp_create(struct engine *engine, struct rc_qp_attr *attr,
	struct engine_qp *slot) __rte_warn_unused_result;

/** On the first engine: put a connected queue pair into service. path: its route and addresses. */
void engine_qp_serve(struct engine *first, struct engine_qp *slot, const struct wire_path *path);

/** On the first engine: flush a queue pair that has not failed, now or in a turn of its home. */
void engine_qp_stop(struct engine_qp *slot);

/** On the first engine: set the peer's new MAC address, now or in a turn of the home engine. */
void engine_qp_move(struct engine_qp *slot, const struct rte_ether_addr *mac);

/** On the first engine, once the peer can answer: set the keepalive interval; 0 = none. */
void engine_qp_keepalive(struct engine_qp *slot, uint32_t interval_ms);

/** On the first engine: take a queue pair out of service. It gets no further orders. */
void engine_qp_leave(struct engine_qp *slot);

/** On the home engine: destroy the queue pair. */
void engine_qp_destroy(struct engine *engine, struct engine_qp *slot);

/** On the first engine: release the QPN, for reuse when the cm has forgotten it (RC-165). */
void engine_qp_forget(struct engine *first, struct engine_qp *slot);

/** On the home engine: execute orders for a queue pair. @param orders bits of enum engine_order */
void engine_qp_obey(struct engine *engine, struct engine_qp *slot, uint32_t orders);

/** On the first engine: process events of a queue pair. @param events bits of enum rc_event */
void engine_qp_noted(struct engine *first, struct engine_qp *slot, unsigned int events);

/** Send posted requests now, as far as possible. */
void engine_qp_kick(struct engine *engine, struct engine_qp *slot);

/** Pass pending events of a queue pair to the layer above. Slow path of engine_qp_events(). */
void engine_qp_tell(struct engine *engine, struct rc_qp *qp);

/** Pass on a queue pair's events. Call this after each function of rc that may cause events. */
static inline void
engine_qp_events(struct engine *engine, struct rc_qp *qp)
{
	if (unlikely(qp->events != 0))
		engine_qp_tell(engine, qp);
}

/** Put a queue pair on the ready list, unless it is already there. */
static inline void
engine_qp_ready(struct engine *engine, struct rc_qp *qp)
{
	if (base_list_empty(&qp->ready))
		base_list_append(&engine->ready, &qp->ready);
}

/** On the first engine: count a refused remote access of this peer as a guess of a key. */
void engine_key_guess(struct engine *engine, const struct wire_gid *peer);

/* ---- datagrams and neighbours (datagram.c) ---- */

/** Process a packet for a datagram queue pair. Borrows the mbuf. */
void engine_datagram_input(struct engine *engine, const struct rte_mbuf *mbuf,
	const struct wire_view *view, uint64_t now_ns);

/** Implements cm_ops.send: send a MAD to QP 1. arg: the engine. @return whether it will be sent */
bool engine_mad_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg);

/** Implements neigh_config.send: send a frame. arg is the engine. */
void engine_frame_send(void *arg, const uint8_t *frame, uint16_t bytes);

/** Implements neigh_config.moved: update the connections of a neighbour. arg is the engine. */
void
engine_neighbour_moved(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac);

/**
 * Called when a peer has proved its address with an RTU or a packet: add its next hop to the
 * neighbour table. Otherwise the next hop of an accepted connection would stay unknown, and the
 * table ignores new MAC addresses that unknown neighbours announce. (neighbour_moved.c)
 */
void engine_neighbour_need(struct engine *engine, const struct cm_id *id);

/** Resolve a peer's MAC address. Calls resolve->done() before it returns, or in a later turn. */
void engine_resolve(struct engine *engine, struct engine_resolve *resolve);
void engine_resolve_cancel(struct engine_resolve *resolve);

/** Retry all pending queries for MAC addresses, and call done() for each answer. */
void engine_resolve_tick(struct engine *engine, uint64_t now_ns);

#endif
