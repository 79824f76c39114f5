/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_PLAN_H
#define NDPDK_SIM_SIM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_config.h>

#include "sim_net.h"

/** Maximum number of adapters. */
#define SIM_NODES_MAX     6
/** Maximum number of pairs of endpoints, each between two adapters. */
#define SIM_PAIRS_MAX     8
#define SIM_ACCIDENTS_MAX 12

/** Kind of a run. The names are in sim_scenario.c. */
enum sim_scenario {
	SIM_SCENARIO_PAIR,      /**< two adapters and a cable with faults */
	SIM_SCENARIO_ERRORS,    /**< as PAIR, and one request or connection must fail */
	SIM_SCENARIO_SWITCH,    /**< several adapters at one switch */
	SIM_SCENARIO_SPRAY,     /**< paths with different delays, selected per frame */
	SIM_SCENARIO_BURSTS,    /**< loss bursts, and delays that change */
	SIM_SCENARIO_INCAST,    /**< all write to one adapter; short queues, marks or pauses */
	SIM_SCENARIO_PARTITION, /**< adapters are cut off temporarily or permanently */
	SIM_SCENARIO_PAUSES,    /**< adapters are temporarily not polled or may not send */
	SIM_SCENARIO_CHURN,     /**< connections, windows, regions and queues are recreated */
	SIM_SCENARIO_POWERCUT,  /**< adapters end at any time and may restart */
	SIM_SCENARIO_GOBACKN,   /**< one adapter uses go-back-N */
	SIM_SCENARIO_MIXED,     /**< all of the above */
	SIM_SCENARIO_SHARED,    /**< endpoints share their receives */
	SIM_SCENARIO_KEYS,      /**< regions with keys, which end at any time */
	SIM_SCENARIO_COUNT,
};

enum sim_shape {
	SIM_SHAPE_CABLE,  /**< two adapters */
	SIM_SHAPE_STAR,   /**< one switch */
	SIM_SHAPE_LEAVES, /**< two switches with several paths between them */
};

/** An external event at an adapter. Connections of the adapter may fail from then on. */
enum sim_accident_kind {
	SIM_ACCIDENT_CUT,   /**< its cable loses all frames */
	SIM_ACCIDENT_SLEEP, /**< it is not polled */
	SIM_ACCIDENT_MUTE,  /**< its port may not send */
	SIM_ACCIDENT_SHORT, /**< its link drops long frames */
	SIM_ACCIDENT_POWER, /**< it ends silently; afterwards a new one has its address */
	SIM_ACCIDENT_CLOSE, /**< as POWER, but it is closed and notifies its peers */
	SIM_ACCIDENT_COUNT,
};

struct sim_accident {
	enum sim_accident_kind kind;
	uint32_t node;
	uint64_t at_ns; /**< time after the start of the run */
	uint64_t ns;    /**< duration; UINT64_MAX: permanent */
};

/** A deliberate fault that the checks of the run must find. */
enum sim_sabotage {
	SIM_SABOTAGE_NONE,
	SIM_SABOTAGE_BYTE,   /**< a byte of an application's memory changes */
	SIM_SABOTAGE_LEAK,   /**< a packet buffer is not given back */
	SIM_SABOTAGE_FORGET, /**< a connector is not released */
	SIM_SABOTAGE_RESULT, /**< a result is discarded */
	SIM_SABOTAGE_HANG,   /**< an adapter stops */
	SIM_SABOTAGE_CRASH,  /**< the process aborts */
	SIM_SABOTAGE_EXIT,   /**< the process exits with status 1, and prints nothing */
	SIM_SABOTAGE_COUNT,
};

/** A deliberate error of the application, once per run, on the first pair. */
enum sim_mischief {
	SIM_MISCHIEF_NONE,
	SIM_WRITE_BEYOND,    /**< WRITE past the end of a window */
	SIM_WRITE_READ_ONLY, /**< WRITE through a window that allows READs */
	SIM_READ_WRITE_ONLY, /**< READ through a window that allows WRITEs */
	SIM_ATOMIC_NO_RIGHT, /**< ATOMIC through a window that allows everything else */
	SIM_WRITE_BAD_KEY,   /**< WRITE with a key that does not exist */
	SIM_READ_BAD_KEY,
	SIM_WRITE_FOREIGN_KEY, /**< a window of another connection */
	SIM_WRITE_STALE_KEY,   /**< WRITE through a window after its invalidate */
	SIM_SEND_BAD_KEY,      /**< SEND with invalidate of no window */
	SIM_SEND_FOREIGN_KEY,
	SIM_SEND_TOO_LONG,    /**< a message longer than the receive */
	SIM_INVALIDATE_TWICE, /**< local invalidate of a window that is not bound */
	SIM_DEAD_MEMORY,      /**< a request whose own memory is no longer registered */
	SIM_FLUSH,
	SIM_DISCONNECT,
	SIM_DISCONNECT_BOTH,
	SIM_RELEASE, /**< release the endpoint while requests are outstanding */
	SIM_CUT,     /**< the peer vanishes; affects every pair */
	SIM_MISCHIEF_COUNT,
};

/** Settings of an adapter's congestion control and loss recovery. */
struct sim_stack {
	enum nd_congestion congestion;
	bool ecn;
	uint32_t keepalive_ms;
	uint32_t keep_packets;      /**< 0 = default; sim_plan.keep_packets takes precedence */
	uint32_t reorder_window_us; /**< 0 = the default */
};

/** Everything that a seed decides before a run begins. */
struct sim_plan {
	uint64_t seed;
	enum sim_scenario scenario;
	uint32_t node_count;
	uint32_t pair_nodes[SIM_PAIRS_MAX][2]; /**< indices of the two adapters of each pair */
	enum sim_shape shape;
	uint32_t ways;                 /**< number of paths in SIM_SHAPE_LEAVES */
	enum sim_net_choice choice;    /**< how switches select a path */
	struct sim_link_config fabric; /**< configuration of links from switches */
	uint32_t rounds;               /**< connections of each pair after the first one */
	uint16_t remake; /**< per mille of connections before which all objects are recreated */
	struct sim_accident accidents[SIM_ACCIDENTS_MAX];
	uint32_t accident_count;
	uint32_t go_back_n;       /**< bits: adapters that use go-back-N */
	uint32_t shared_receives; /**< bits: adapters with a shared receive queue */
	uint32_t keep_packets;    /**< keep_packets of all other adapters; 0 = default */
	struct sim_stack stacks[SIM_NODES_MAX];
	/** The adapter that, if it restarts, uses the random numbers of its first start. */
	uint32_t forgetful_node; /**< SIM_NODES_MAX: none */
	uint64_t calm_ns;        /**< end of the last accident, after the start of the run */
	uint32_t engines;        /**< engines of each adapter; not derived from the seed */
	bool v6;
	uint16_t vlan_id;       /**< 0 = untagged */
	bool static_neighbours; /**< false: addresses are resolved on the link */
	uint16_t path_mtu[SIM_NODES_MAX];
	uint32_t pair_count;
	uint32_t operations; /**< operations of each side of each pair */
	uint32_t message_max;
	struct sim_link_config
		link[SIM_NODES_MAX]; /**< configuration of the link from each adapter */
	uint32_t mbuf_count;
	uint32_t mbufs_left; /**< buffers left in each pool during a shortage; 0 = no shortage */
	uint8_t ack_timeout;
	uint8_t rnr_timer;
	bool shared_cq;   /**< each adapter has one completion queue */
	uint32_t turn_ns; /**< maximum duration of a turn */
	uint16_t stall;   /**< per mille of turns that stall for up to stall_ns */
	uint32_t stall_ns;
	uint32_t think_ns;      /**< maximum pause of an application between actions */
	uint16_t idle_receiver; /**< per mille of turns in which no receives are posted */
	enum sim_mischief mischief;
	uint32_t mischief_after;    /**< operations */
	enum sim_sabotage sabotage; /**< not derived from the seed */
	bool keys;                  /**< use regions with keys, see sim_keys.h */
	uint32_t yield; /**< per mille of yield points at which a turn pauses, see sim_yield.h */
	bool lack;      /**< allocations in set-up calls fail at first, see sim_lack.h */
	bool faults;    /**< frames are lost, duplicated, reordered or corrupted */
};

/** @param engines of each adapter: 1..LIMIT_ENGINES; does not change the rest of the plan */
void
sim_plan_make(struct sim_plan *plan, uint64_t seed, enum sim_scenario scenario, uint32_t engines);

/** Add the parts of the plan that are specific to the scenario: sim_scenario.c. */
void sim_scenario_add(struct sim_plan *plan, struct sim_random *random);
const char *sim_scenario_name(enum sim_scenario scenario);
/** @return SIM_SCENARIO_COUNT: no such name */
enum sim_scenario sim_scenario_find(const char *name);
/** @return one-sentence description for the list of scenarios */
const char *sim_scenario_text(enum sim_scenario scenario);

/** @return SIM_SABOTAGE_NONE: no such name */
enum sim_sabotage sim_sabotage_find(const char *name);
const char *sim_mischief_name(enum sim_mischief mischief);

#endif
