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
 * The run-to-completion loop of one lcore: joins port, transport, connection manager, neighbours
 * and memory. Port and clock are interfaces, so that a simulator can replace them.
 *
 * One turn (engine_poll): commands of other threads -> ACKs that have waited -> one burst of frames
 * -> deadlines -> what the queue pairs owe and may send -> connection manager and neighbours ->
 * transmit. A turn before wake_ns looks at no deadline.
 * Frames, commands, deadlines and messages of a turn are bounded by constants, and with them the
 * queue pairs that get a step: those that received, are due, or had more to send.
 *
 * An adapter may have several engines (group.h). Only the first one has a connection manager and
 * neighbours; functions that need these say that they are called on the first engine.
 */

struct engine_qp;

#define ENGINE_NAME_BYTES 32 /* of a name in DPDK's trace, with its end */

struct engine_config {
	struct engine_group *group; /**< the engine becomes its next one; outlives the engine */
	const struct port_io *io;   /**< outlives the engine */
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
	struct rc_keep_config keep; /**< mbufs_max 0: nothing is kept; the rest is filled here */
	struct neigh_config neigh;  /**< what is not about the port or the engine */
	struct cm_config cm;        /**< random is filled here */
	struct engine_ops ops;
	const char *name; /**< for the trace, cut if it is too long; NULL: "" */
};

/** Engine side of a queue pair; part of its owner's structure. Zero before its first use. */
struct engine_qp {
	struct rc_qp *qp;
	struct wheel_entry timer;
	struct engine *home;
	uint32_t orders;       /**< of enum engine_order, not carried out yet; atomic */
	uint32_t notes;        /**< of enum rc_event, not acted upon yet; atomic */
	uint64_t mac;          /**< of ENGINE_ORDER_MOVE; atomic */
	uint32_t keepalive_ms; /**< of ENGINE_ORDER_KEEPALIVE; atomic */
	/* Of the first engine. */
	uint32_t qpn;
	struct base_list node; /**< of struct engine.served, while in service */
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

/** Frames of a turn: a burst of the port, and one of other engines. */
#define ENGINE_OTHERS_MAX (2 * LIMIT_BURST)

struct engine {
	struct rc_context rc;
	const struct port_io *io;
	struct engine_clock clock;
	uint64_t now_ns, shift_ns; /**< last time, and what the clock lacks of it; atomic */
	struct qp_table qps;
	struct base_list ready;   /**< queue pairs to progress */
	struct base_list starved; /**< those that have found no room: first when there is some */
	struct wheel wheel;
	struct engine_counters counters;

	struct engine_group *group;
	uint8_t index;              /**< in the group */
	bool alone;                 /**< it has one engine */
	uint32_t frames_from;       /**< engine whose frames are taken first in the next turn */
	uint32_t late, timers_late; /**< turns that orders, and timers, have waited */

	/* Of the first engine; the others have none. */
	struct cm *cm;
	struct neigh *neigh;
	uint64_t link_ns; /**< when the port's link is looked at */
	struct base_list resolving;
	struct base_list served; /**< queue pairs in service, of all engines */
	struct base_random random;
	struct engine_ops ops;
	struct wire_gid address;
	bool vlan;
	uint16_t vlan_tci;
	uint16_t vlan_id; /**< of the packets that are taken; 0: untagged */
	uint8_t tos, ttl;
	uint16_t cm_src_port;
	uint32_t cm_psn;           /**< of datagrams sent from QP 1 */
	struct cm_bucket warnings; /**< about barred sources, see engine_guess() */
	uint32_t warnings_kept;    /**< suppressed since the last one that was logged */
	struct command_queue commands;
	struct command_question question;
	char name[ENGINE_NAME_BYTES];
	struct rte_rcu_qsbr *qsbr;
	bool reader;  /**< registered as a reader of the memory index, with index as id */
	bool reading; /**< online as a reader: see index.h */
	struct engine_clock_back back;
	struct engine_sleep sleep;
	uint64_t told;        /**< operations whose owners were told */
	uint64_t handed;      /**< frames, orders and notes that other engines handed over */
	bool giving;          /**< engine_ops.others is being called */
	uint16_t other_count; /**< of others: frames of this turn for engine_ops.others */
	struct rte_mbuf *others[ENGINE_OTHERS_MAX];
	bool in_poll;
	bool may_wait;    /**< an ACK may wait for the next turn: see qps.h */
	uint64_t turn_ns; /**< when the last turn began */
	/** End of the owner's newest sleep, which is no absence (rc/timer.h): work ends it. */
	uint64_t rested_ns;
	uint64_t wake_ns; /**< a turn before has nothing timed to do; 0: find out in the next one */
};

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES */
enum rc_status
engine_create(const struct engine_config *config, struct engine **engine) __rte_warn_unused_result;

/** Free the engine; the first of its group last. Its queue pairs must be gone. NULL is ignored. */
void engine_destroy(struct engine *engine);

/** One turn. @return 0: there was nothing to do; else frames received, handed over and sent. */
unsigned int engine_poll(struct engine *engine);

/**
 * One turn with these frames instead of those of the port. Consumes them.
 * @param count at most LIMIT_BURST
 * @return as engine_poll()
 */
unsigned int engine_input(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count);

/** (time.c) */
uint64_t engine_clock_went_back(struct engine *engine, uint64_t now_ns);

/**
 * The time of an engine; on its thread. It never goes back, whatever the clock does: after a step
 * back of ENGINE_CLOCK_STAND_NS at most it stands until the clock has caught up, after a longer one
 * it goes on from where it was. A step forward is like a pause of the engine's thread.
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

/** @return when engine_poll() has something to do without new frames: for simulation. */
uint64_t engine_deadline_ns(const struct engine *engine);

/* ---- queue pairs (qps.c) ---- */

/*
 * A queue pair is made and ended in steps, each on the thread of the engine that it needs:
 *
 *   engine_qp_reserve (first) -> engine_qp_create (home) -> rc_qp_connect (home) ->
 *   engine_qp_serve (first) -> ... -> engine_qp_leave (first) -> engine_qp_destroy (home) ->
 *   engine_qp_forget (first)
 */

/** Choose its QPN, which has home's index. On the first engine. @return RC_OK, RC_NO_RESOURCES */
enum rc_status
engine_qp_reserve(struct engine *home, struct engine_qp *slot) __rte_warn_unused_result;

/** Make it, with the QPN of slot; attr->qpn is filled. On its home. @return as rc_qp_create(). */
enum rc_status engine_qp_create(struct engine *engine, struct rc_qp_attr *attr,
	struct engine_qp *slot) __rte_warn_unused_result;

/** It is connected, with this path. On the first engine. */
void engine_qp_serve(struct engine *first, struct engine_qp *slot, const struct wire_path *path);

/** Flush it, unless it has failed already: now, or in its home's next turn. On the first engine. */
void engine_qp_stop(struct engine_qp *slot);

/** Its peer has another MAC address: likewise. On the first engine. */
void engine_qp_move(struct engine_qp *slot, const struct rte_ether_addr *mac);

/** Its peer can answer: watch it (rc_keepalive_set()); 0 = do not. Likewise. */
void engine_qp_keepalive(struct engine_qp *slot, uint32_t interval_ms);

/** Its end begins: it gets no more orders. On the first engine. */
void engine_qp_leave(struct engine_qp *slot);

/** Destroy it. On its home. */
void engine_qp_destroy(struct engine *engine, struct engine_qp *slot);

/**
 * Its end is complete. The QPN rests until the connection manager has forgotten it (RC-165). On the
 * first engine.
 */
void engine_qp_forget(struct engine *first, struct engine_qp *slot);

/** Carry out orders of the first engine. @param orders of enum engine_order */
void engine_qp_obey(struct engine *engine, struct engine_qp *slot, uint32_t orders);

/** Act on what has happened to a queue pair. On the first engine. @param events of enum rc_event */
void engine_qp_noted(struct engine *first, struct engine_qp *slot, unsigned int events);

/** Something was posted: send it now, as far as possible. */
void engine_qp_kick(struct engine *engine, struct engine_qp *slot);

/** Pass all pending events of a queue pair to the layer above; see engine_qp_events(). */
void engine_qp_tell(struct engine *engine, struct rc_qp *qp);

/** To be called after each call of rc in which something may have happened to the queue pair. */
static inline void
engine_qp_events(struct engine *engine, struct rc_qp *qp)
{
	if (unlikely(qp->events != 0))
		engine_qp_tell(engine, qp);
}

/** Put a queue pair on the ready list, if it is not on it. */
static inline void
engine_qp_ready(struct engine *engine, struct rc_qp *qp)
{
	if (base_list_empty(&qp->ready))
		base_list_append(&engine->ready, &qp->ready);
}

/** A queue pair refused an access of this peer: count the guess (guess.c). On the first engine. */
void engine_guess(struct engine *engine, const struct wire_gid *peer);

/* ---- datagrams and neighbours (datagram.c) ---- */

/** Take a packet for a datagram queue pair. Borrows the mbuf. */
void engine_datagram_input(struct engine *engine, const struct rte_mbuf *mbuf,
	const struct wire_view *view, uint64_t now_ns);

/** struct cm_ops.send: one MAD to QP 1. arg is the engine. @return whether it will be sent */
bool engine_mad_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg);

/** struct neigh_config.send. arg is the engine. */
void engine_frame_send(void *arg, const uint8_t *frame, uint16_t bytes);

/** struct neigh_config.moved: connections follow their neighbour. arg is the engine. (moved.c) */
void
engine_neighbour_moved(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac);

/**
 * The peer has proved its address, by an RTU or a packet. Its next hop gets an entry in the
 * neighbour table, for which an adapter that only answers has not asked yet. Without an entry, an
 * announcement of another MAC address means nothing to the table. (moved.c)
 */
void engine_neighbour_need(struct engine *engine, const struct cm_id *id);

/** Ask for the MAC address of a peer; done() is called at once or from a later turn. */
void engine_resolve(struct engine *engine, struct engine_resolve *resolve);
void engine_resolve_cancel(struct engine_resolve *resolve);

/** Repeat the lookup of each pending query; call done() of those that have an answer. */
void engine_resolve_tick(struct engine *engine, uint64_t now_ns);

#endif
