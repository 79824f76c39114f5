/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_PLAN_H
#define NDPDK_SIM_SIM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_link.h"

/** Pairs of endpoints between the two adapters. */
#define SIM_PAIRS_MAX 4

/** What goes wrong on purpose in a run, once, on its first pair. */
enum sim_mischief {
	SIM_MISCHIEF_NONE,
	SIM_WRITE_BEYOND,    /**< WRITE past the end of a window */
	SIM_WRITE_READ_ONLY, /**< WRITE through a window that allows READs */
	SIM_READ_WRITE_ONLY, /**< the other way round */
	SIM_ATOMIC_NO_RIGHT, /**< ATOMIC through a window that allows everything else */
	SIM_WRITE_BAD_KEY,   /**< a key that nobody has */
	SIM_READ_BAD_KEY,
	SIM_WRITE_FOREIGN_KEY, /**< a window of another connection */
	SIM_WRITE_STALE_KEY,   /**< use after invalidate */
	SIM_SEND_BAD_KEY,      /**< SEND with invalidate of no window */
	SIM_SEND_FOREIGN_KEY,
	SIM_SEND_TOO_LONG,    /**< a message longer than the receive */
	SIM_INVALIDATE_TWICE, /**< local invalidate of a window that is not bound */
	SIM_DEAD_MEMORY,      /**< a request whose own memory is no longer registered */
	SIM_FLUSH,
	SIM_DISCONNECT,
	SIM_DISCONNECT_BOTH,
	SIM_RELEASE, /**< of the endpoint, while requests are outstanding */
	SIM_CUT,     /**< the peer vanishes; this hits every pair */
	SIM_MISCHIEF_COUNT,
};

/** Everything that a seed decides before a run begins. */
struct sim_plan {
	uint64_t seed;
	uint32_t engines; /**< of each adapter; not of the seed's choice */
	bool v6;
	uint16_t vlan_id;       /**< 0 = untagged */
	bool static_neighbours; /**< else they are asked for on the link */
	uint16_t path_mtu[2];
	uint32_t pair_count;
	uint32_t operations; /**< of each side of each pair */
	uint32_t message_max;
	struct sim_link_config link[2];
	uint32_t mbuf_count;
	uint32_t mbufs_left; /**< somebody holds all but so many; 0 = nobody does */
	uint8_t ack_timeout;
	uint8_t rnr_timer;
	bool shared_cq;   /**< one completion queue for everything of an adapter */
	uint32_t turn_ns; /**< an engine's turn takes so long, at most */
	uint16_t stall;   /**< per mille of turns that take up to stall_ns */
	uint32_t stall_ns;
	uint32_t think_ns;      /**< pause of an application between actions, at most */
	uint16_t idle_receiver; /**< per mille of turns in which no receives are posted */
	enum sim_mischief mischief;
	uint32_t mischief_after; /**< operations */
	bool faults;             /**< whether frames are lost, doubled, reordered or corrupted */
};

/**
 * @param errors whether the run is to contain mischief
 * @param engines of each adapter: 1..LIMIT_ENGINES; everything else is the same with any number
 */
void sim_plan_make(struct sim_plan *plan, uint64_t seed, bool errors, uint32_t engines);

const char *sim_mischief_name(enum sim_mischief mischief);

#endif
