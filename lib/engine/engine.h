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
 * The run-to-completion loop of one lcore. An engine connects port, transport, connection manager,
 * neighbours and memory. Port and clock are interfaces, so that a simulator can replace them.
 *
 * Steps of a turn (engine_poll): commands of other threads, delayed ACKs, one burst of frames,
 * deadlines, progress of queue pairs, connection manager and neighbours, transmit. A turn before
 * wake_ns skips the deadlines. Constants limit the work of each step.
 *
 * An adapter may have several engines (group.h). Only the first engine has a connection manager and
 * neighbours. Functions that need these must be called on the first engine.
 */

struct engine_qp;

#define ENGINE_NAME_BYTES 32 /* size of a name in DPDK's trace, with its terminator */

struct engine_config {
	struct engine_group *group; /**< the engine joins this group; must outlive the engine */
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
	bool busy_poll; /**< the owner polls without pause */
	struct rc_marking marking;
	/** mbufs_max 0: off. The rest is set here */
	struct rc_keep_config keep;
	struct neigh_config neigh; /**< members that do not depend on port or engine */
	struct cm_config cm;       /**< engine_create() sets random */
	struct engine_ops ops;
	const char *name; /**< name in the trace, truncated if too long; NULL: "" */
};

/** Engine state of a queue pair; embedded in the owner's structure. Zero before its first use. */
struct engine_qp {
	struct rc_qp *qp;
	struct wheel_entry timer;
	struct engine *home;
	uint32_t orders;       /**< of enum engine_order, pending; atomic */
	uint32_t notes;        /**< of enum rc_event, pending; atomic */
	uint64_t mac;          /**< new MAC address, for ENGINE_ORDER_MOVE; atomic */
	uint32_t keepalive_ms; /**< keepalive interval, for ENGINE_ORDER_KEEPALIVE; atomic */
	/* Members of the first engine. */
	uint32_t qpn;
	struct base_list node; /**< links engine.served while in service */
	struct wire_gid peer;
	struct rte_ether_addr peer_mac;
};

/**
 * A query for a peer's MAC address. The caller owns it and keeps it until done() is called, or
 * until engine_resolve_cancel().
 */
struct engine_resolve {
	struct base_list node;
	struct wire_gid peer;
	/** NEIGH_FOUND with its address, NEIGH_UNREACHABLE or NEIGH_NO_ROUTE. */
	void (*done)(struct engine_resolve *resolve, enum neigh_result result,
		const struct rte_ether_addr *mac);
};

/** Maximum frames of a turn: one burst from the port and one from other engines. */
#define ENGINE_OTHERS_MAX (2 * LIMIT_BURST)

struct engine {
	struct rc_context rc;
	const struct port_io *io;
	struct engine_clock clock;
	uint64_t now_ns, shift_ns; /**< last engine time, and its offset to the clock; atomic */
	struct qp_table qps;
	struct base_list ready;   /**< queue pairs to progress */
	struct base_list starved; /**< queue pairs that found no room in the output; served first */
	struct wheel wheel;
	struct engine_counters counters;

	struct engine_group *group;
	uint8_t index;              /**< index in the group */
	bool alone;                 /**< the group has only this engine */
	uint32_t frames_from;       /**< engine from which the next turn takes frames first */
	uint32_t late, timers_late; /**< turns in which orders and timers have waited */

	/* Used by the first engine only. */
	struct cm *cm;
	struct neigh *neigh;
	uint64_t link_ns; /**< time of the next check of the port's link */
	struct base_list resolving;
	struct base_list served; /**< queue pairs in service, of all engines */
	struct base_random random;
	struct engine_ops ops;
	struct wire_gid address;
	bool vlan;
	uint16_t vlan_tci;
	uint16_t vlan_id; /**< VLAN ID of accepted packets; 0: untagged */
	uint8_t tos, ttl;
	uint16_t cm_src_port;
	uint32_t cm_psn; /**< PSN of datagrams sent from QP 1 */
	/** rate limit, for engine_key_guess() */
	struct cm_bucket warnings;
	uint32_t warnings_kept; /**< warnings suppressed since the last logged warning */
	struct command_queue commands;
	char name[ENGINE_NAME_BYTES];
	struct rte_rcu_qsbr *qsbr;
	bool reader;  /**< registered as a reader of the memory index, with index as id */
	bool reading; /**< online as a reader: see index.h */
	struct engine_clock_back back;
	struct engine_sleep sleep;
	uint64_t told;        /**< number of operations reported to their owners */
	uint64_t handed;      /**< number of frames, orders and notes from other engines */
	bool giving;          /**< engine_ops.others is being called */
	uint16_t other_count; /**< number of frames in others[], for engine_ops.others */
	struct rte_mbuf *others[ENGINE_OTHERS_MAX];
	bool in_poll;
	bool may_wait;    /**< an ACK may wait for the next turn: see qps.h */
	uint64_t turn_ns; /**< start of the last turn */
	/** End of the owner's newest sleep. No absence (rc/timer.h), because work ends a sleep. */
	uint64_t rested_ns;
	/** turns before it skip deadlines; 0: not known */
	uint64_t wake_ns;
};

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES */
enum rc_status
engine_create(const struct engine_config *config, struct engine **engine) __rte_warn_unused_result;

/**
 * Destroy an engine that has no queue pairs. The first of a group must be last. NULL is ignored.
 */
void engine_destroy(struct engine *engine);

/** Run one turn. @return number of frames received, handed over and sent; 0: no work */
unsigned int engine_poll(struct engine *engine);

/**
 * Run one turn with these frames instead of frames of the port. Consumes them.
 * @param count at most LIMIT_BURST
 * @return as engine_poll()
 */
unsigned int engine_input(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count);

/** (time.c) */
uint64_t engine_clock_went_back(struct engine *engine, uint64_t now_ns);

/**
 * Return the time of an engine; on its thread. The time never goes back. After a step back of the
 * clock, the time is constant until the clock has caught up, or continues from its last value if
 * the step is larger than ENGINE_CLOCK_STAND_NS. A step forward is like a pause of the thread.
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

/** @return next time at which engine_poll() has work without new frames. For simulation. */
uint64_t engine_deadline_ns(const struct engine *engine);

/* ---- queue pairs (qps.c) ---- */

/*
 * A queue pair is created and destroyed in steps. Each step runs on the engine in parentheses:
 *
 *   engine_qp_reserve (first) -> engine_qp_create (home) -> rc_qp_connect (home) ->
 *   engine_qp_serve (first) -> ... -> engine_qp_leave (first) -> engine_qp_destroy (home) ->
 *   engine_qp_forget (first)
 */

/** On the first engine: choose a QPN on home. @return RC_OK, RC_NO_RESOURCES */
enum rc_status
engine_qp_reserve(struct engine *home, struct engine_qp *slot) __rte_warn_unused_result;

/** On its home: create it, and set attr->qpn to that of slot. @return as rc_qp_create(). */
enum rc_status engine_qp_create(struct engine *engine, struct rc_qp_attr *attr,
	struct engine_qp *slot) __rte_warn_unused_result;

/** On the first engine: start service of a connected queue pair with this path. */
void engine_qp_serve(struct engine *first, struct engine_qp *slot, const struct wire_path *path);

/** On the first engine: flush it, unless it has failed; now or in the next turn of its home. */
void engine_qp_stop(struct engine_qp *slot);

/** On the first engine: set a new MAC address of its peer; now or in the next turn of its home. */
void engine_qp_move(struct engine_qp *slot, const struct rte_ether_addr *mac);

/** On the first engine: rc_keepalive_set() after its peer has become ready to answer; 0 = stop. */
void engine_qp_keepalive(struct engine_qp *slot, uint32_t interval_ms);

/** On the first engine: end service. The queue pair gets no further orders. */
void engine_qp_leave(struct engine_qp *slot);

/** On its home: destroy it. */
void engine_qp_destroy(struct engine *engine, struct engine_qp *slot);

/** On the first engine: release the QPN, for reuse when cm has forgotten it (RC-165). */
void engine_qp_forget(struct engine *first, struct engine_qp *slot);

/** Execute orders of the first engine. @param orders of enum engine_order */
void engine_qp_obey(struct engine *engine, struct engine_qp *slot, uint32_t orders);

/** Process events of a queue pair. On the first engine. @param events of enum rc_event */
void engine_qp_noted(struct engine *first, struct engine_qp *slot, unsigned int events);

/** Send posted requests now, as far as possible. */
void engine_qp_kick(struct engine *engine, struct engine_qp *slot);

/** Pass all pending events of a queue pair to the layer above; see engine_qp_events(). */
void engine_qp_tell(struct engine *engine, struct rc_qp *qp);

/** To be called after each call of rc that may have caused events of the queue pair. */
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

/** A queue pair refused an access of this peer: count it as a guess. On the first engine. */
void engine_key_guess(struct engine *engine, const struct wire_gid *peer);

/* ---- datagrams and neighbours (datagram.c) ---- */

/** Process a packet for a datagram queue pair. Borrows the mbuf. */
void engine_datagram_input(struct engine *engine, const struct rte_mbuf *mbuf,
	const struct wire_view *view, uint64_t now_ns);

/** struct cm_ops.send: send one MAD to QP 1. arg is the engine. @return whether it will be sent */
bool engine_mad_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg);

/** struct neigh_config.send. arg is the engine. */
void engine_frame_send(void *arg, const uint8_t *frame, uint16_t bytes);

/** struct neigh_config.moved: update connections of this neighbour. arg is the engine. */
void
engine_neighbour_moved(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac);

/**
 * The peer has proved its address with an RTU or a packet: add its next hop to the neighbour table.
 * An adapter that only accepts connections has not done so before. The table ignores announced MAC
 * addresses of unknown neighbours. (neighbour_moved.c)
 */
void engine_neighbour_need(struct engine *engine, const struct cm_id *id);

/** Resolve the MAC address of a peer. done() is called at once or in a later turn. */
void engine_resolve(struct engine *engine, struct engine_resolve *resolve);
void engine_resolve_cancel(struct engine_resolve *resolve);

/** Retry all pending queries, and call done() of those that have an answer. */
void engine_resolve_tick(struct engine *engine, uint64_t now_ns);

#endif
