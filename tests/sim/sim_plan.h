/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_PLAN_H
#define NDPDK_SIM_SIM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_config.h>

#include "sim_net.h"

/** Adapters. */
#define SIM_NODES_MAX     6
/** Pairs of endpoints, each between two adapters. */
#define SIM_PAIRS_MAX     8
#define SIM_ACCIDENTS_MAX 12

/** What kind of run it is. The names are in sim_scenario.c. */
enum sim_scenario {
	SIM_SCENARIO_PAIR,      /**< two adapters and a cable with faults */
	SIM_SCENARIO_ERRORS,    /**< the same, and one request or connection fails on purpose */
	SIM_SCENARIO_SWITCH,    /**< several adapters at one switch */
	SIM_SCENARIO_SPRAY,     /**< ways of different length, and any of them for each frame */
	SIM_SCENARIO_BURSTS,    /**< losses come in bursts, and delays change */
	SIM_SCENARIO_INCAST,    /**< all write to one; queues are short, with marks or pauses */
	SIM_SCENARIO_PARTITION, /**< adapters are cut off for a while, or for good */
	SIM_SCENARIO_PAUSES,    /**< adapters are not polled, or may not send, for a while */
	SIM_SCENARIO_CHURN,     /**< connections, windows, regions and queues come and go */
	SIM_SCENARIO_POWERCUT,  /**< adapters end at any moment, and perhaps start again */
	SIM_SCENARIO_GOBACKN,   /**< one adapter keeps nothing behind a loss, and repeats it all */
	SIM_SCENARIO_MIXED,     /**< all of it */
	SIM_SCENARIO_SHARED,    /**< endpoints share their receives */
	SIM_SCENARIO_KEYS,      /**< regions with keys, which end at any moment */
	SIM_SCENARIO_COUNT,
};

enum sim_shape {
	SIM_SHAPE_CABLE,  /**< two adapters */
	SIM_SHAPE_STAR,   /**< one switch */
	SIM_SHAPE_LEAVES, /**< two switches, and several ways between them */
};

/** What happens to an adapter from outside. Connections of the adapter may fail from then on. */
enum sim_accident_kind {
	SIM_ACCIDENT_CUT,   /**< its cable loses everything */
	SIM_ACCIDENT_SLEEP, /**< nobody polls it */
	SIM_ACCIDENT_MUTE,  /**< its port may not send */
	SIM_ACCIDENT_SHORT, /**< its link carries no long frames */
	SIM_ACCIDENT_POWER, /**< it is gone; at the end another one with its address is there */
	SIM_ACCIDENT_CLOSE, /**< the same, but it is closed and tells its peers */
	SIM_ACCIDENT_COUNT,
};

struct sim_accident {
	enum sim_accident_kind kind;
	uint32_t node;
	uint64_t at_ns; /**< behind the start of the run */
	uint64_t ns;    /**< how long; UINT64_MAX: for good */
};

/** Something is broken in secret, which the run must find. */
enum sim_sabotage {
	SIM_SABOTAGE_NONE,
	SIM_SABOTAGE_BYTE,   /**< a byte of an application's memory changes */
	SIM_SABOTAGE_LEAK,   /**< a packet buffer is not given back */
	SIM_SABOTAGE_FORGET, /**< a connector is not released */
	SIM_SABOTAGE_RESULT, /**< a result gets lost */
	SIM_SABOTAGE_HANG,   /**< an adapter stops */
	SIM_SABOTAGE_CRASH,  /**< the process aborts */
	SIM_SABOTAGE_EXIT,   /**< the process exits with status 1, and prints nothing */
	SIM_SABOTAGE_COUNT,
};

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

/** How an adapter sends, and how it asks for what is lost; each has its own. */
struct sim_stack {
	enum nd_congestion congestion;
	bool ecn;
	uint32_t keepalive_ms;
	uint32_t keep_packets;      /**< 0 = the default; not in a plan with its own */
	uint32_t reorder_window_us; /**< 0 = the default */
};

/** Everything that a seed decides before a run begins. */
struct sim_plan {
	uint64_t seed;
	enum sim_scenario scenario;
	uint32_t node_count;
	uint32_t pair_nodes[SIM_PAIRS_MAX][2]; /**< whom a pair connects */
	enum sim_shape shape;
	uint32_t ways;                 /**< of SIM_SHAPE_LEAVES */
	enum sim_net_choice choice;    /**< between them */
	struct sim_link_config fabric; /**< of what switches send */
	uint32_t rounds;               /**< connections of each pair, at least */
	uint16_t remake; /**< per mille of connections before which everything is made anew */
	struct sim_accident accidents[SIM_ACCIDENTS_MAX];
	uint32_t accident_count;
	uint32_t go_back_n;       /**< bits of adapters that recover so */
	uint32_t shared_receives; /**< bits of adapters whose endpoints share receives */
	uint32_t keep_packets;    /**< of each adapter that does not; 0 = the default */
	struct sim_stack stacks[SIM_NODES_MAX];
	/** The adapter that starts again with the random numbers of its first start, if it does. */
	uint32_t forgetful_node; /**< SIM_NODES_MAX: none */
	uint64_t calm_ns;        /**< the last accident is over so long behind the start */
	uint32_t engines;        /**< of each adapter; not of the seed's choice */
	bool v6;
	uint16_t vlan_id;       /**< 0 = untagged */
	bool static_neighbours; /**< else they are asked for on the link */
	uint16_t path_mtu[SIM_NODES_MAX];
	uint32_t pair_count;
	uint32_t operations; /**< of each side of each pair */
	uint32_t message_max;
	struct sim_link_config link[SIM_NODES_MAX]; /**< of what each adapter sends */
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
	uint32_t mischief_after;    /**< operations */
	enum sim_sabotage sabotage; /**< not of the seed's choice */
	bool keys;                  /**< there are regions with keys, see sim_keys.h */
	uint32_t yield; /**< per mille of yield points at which a turn pauses, see sim_yield.h */
	bool lack;      /**< calls that set something up find no memory at first, see sim_lack.h */
	bool faults;    /**< whether frames are lost, doubled, reordered or corrupted */
};

/** @param engines of each adapter: 1..LIMIT_ENGINES; everything else is the same with any number */
void
sim_plan_make(struct sim_plan *plan, uint64_t seed, enum sim_scenario scenario, uint32_t engines);

/** Add what the scenario has beside a load and a network with faults: sim_scenario.c. */
void sim_scenario_add(struct sim_plan *plan, struct sim_random *random);
const char *sim_scenario_name(enum sim_scenario scenario);
/** @return SIM_SCENARIO_COUNT: no such name */
enum sim_scenario sim_scenario_find(const char *name);
/** @return a sentence for the list of scenarios */
const char *sim_scenario_text(enum sim_scenario scenario);

/** @return SIM_SABOTAGE_NONE: no such name */
enum sim_sabotage sim_sabotage_find(const char *name);
const char *sim_mischief_name(enum sim_mischief mischief);

#endif
