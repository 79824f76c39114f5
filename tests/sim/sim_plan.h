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
/** Maximum number of pairs. A pair is two endpoints on two adapters that connect to each other. */
#define SIM_PAIRS_MAX     8
#define SIM_ACCIDENTS_MAX 12

/** Kind of a run. sim_scenario.c has the names and descriptions. */
enum sim_scenario {
	SIM_SCENARIO_PAIR,   /**< two adapters and a cable with faults */
	SIM_SCENARIO_ERRORS, /**< like PAIR, but one request or connection must fail */
	SIM_SCENARIO_SWITCH, /**< several adapters that are connected to one switch */
	SIM_SCENARIO_SPRAY,  /**< paths with different delays; each frame takes a random path */
	SIM_SCENARIO_BURSTS, /**< bursts of losses, and varying delays */
	/** all other adapters write to one adapter; short queues, marks or pauses */
	SIM_SCENARIO_INCAST,
	SIM_SCENARIO_PARTITION, /**< adapters lose their link temporarily or permanently */
	SIM_SCENARIO_PAUSES,    /**< adapters are not polled, or may not send, for some time */
	SIM_SCENARIO_CHURN,     /**< connections, windows, regions and queues are recreated */
	SIM_SCENARIO_POWERCUT,  /**< adapters end at any time, and some restart */
	SIM_SCENARIO_GOBACKN,   /**< one adapter uses go-back-N */
	SIM_SCENARIO_MIXED,     /**< a mix of the above scenarios */
	SIM_SCENARIO_SHARED,    /**< endpoints share their receives */
	SIM_SCENARIO_KEYS,      /**< regions with keys for all peers; the keys end at any time */
	SIM_SCENARIO_COUNT,
};

enum sim_shape {
	SIM_SHAPE_CABLE,  /**< two adapters */
	SIM_SHAPE_STAR,   /**< one switch */
	SIM_SHAPE_LEAVES, /**< two switches with several paths between them */
};

/** An external event at an adapter. Afterwards connections of this adapter may fail. */
enum sim_accident_kind {
	SIM_ACCIDENT_CUT,   /**< the adapter's cable loses all frames */
	SIM_ACCIDENT_SLEEP, /**< the adapter is not polled */
	SIM_ACCIDENT_MUTE,  /**< the adapter's port may not send */
	SIM_ACCIDENT_SHORT, /**< the adapter's link drops long frames */
	SIM_ACCIDENT_POWER, /**< The adapter ends silently; then a new adapter gets its address. */
	/** The adapter is closed and notifies its peers; then a new adapter gets its address. */
	SIM_ACCIDENT_CLOSE,
	SIM_ACCIDENT_COUNT,
};

struct sim_accident {
	enum sim_accident_kind kind;
	uint32_t node;
	uint64_t at_ns; /**< begin of the accident, in ns after the start of the run */
	uint64_t ns;    /**< duration; UINT64_MAX: permanent */
};

/** A deliberate fault of the simulation. It tests that the checks of a run detect the fault. */
enum sim_sabotage {
	SIM_SABOTAGE_NONE,
	SIM_SABOTAGE_BYTE,   /**< one byte of an application's memory is changed */
	SIM_SABOTAGE_LEAK,   /**< one packet buffer is not freed */
	SIM_SABOTAGE_FORGET, /**< a connector is not released */
	SIM_SABOTAGE_RESULT, /**< a result is discarded */
	SIM_SABOTAGE_HANG,   /**< an adapter stops */
	SIM_SABOTAGE_CRASH,  /**< the process aborts */
	SIM_SABOTAGE_EXIT,   /**< The process exits with status 1 and prints nothing. */
	SIM_SABOTAGE_COUNT,
};

/** A deliberate error of an application. It happens once per run, on the first pair. */
enum sim_mischief {
	SIM_MISCHIEF_NONE,
	SIM_WRITE_BEYOND,    /**< WRITE beyond the end of a window */
	SIM_WRITE_READ_ONLY, /**< WRITE through a window that permits only READs */
	SIM_READ_WRITE_ONLY, /**< READ through a window that permits only WRITEs */
	/** ATOMIC through a window that permits all accesses except atomics */
	SIM_ATOMIC_NO_RIGHT,
	SIM_WRITE_BAD_KEY, /**< WRITE with a key that does not exist */
	SIM_READ_BAD_KEY,
	SIM_WRITE_FOREIGN_KEY, /**< WRITE through a window of another connection */
	SIM_WRITE_STALE_KEY,   /**< WRITE through a window that was invalidated */
	SIM_SEND_BAD_KEY,      /**< SEND with Invalidate of a key that no window has */
	SIM_SEND_FOREIGN_KEY,
	SIM_SEND_TOO_LONG,    /**< SEND that is longer than the peer's receive */
	SIM_INVALIDATE_TWICE, /**< local invalidate of a window that is not bound */
	SIM_DEAD_MEMORY,      /**< a request whose local memory was deregistered */
	SIM_FLUSH,
	SIM_DISCONNECT,
	SIM_DISCONNECT_BOTH,
	SIM_RELEASE, /**< release of the endpoint while requests are outstanding */
	SIM_CUT,     /**< The peer's adapter vanishes, which affects all pairs. */
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

/** The plan of a run. The seed determines the whole plan before the run begins. */
struct sim_plan {
	uint64_t seed;
	enum sim_scenario scenario;
	uint32_t node_count;
	uint32_t pair_nodes[SIM_PAIRS_MAX][2]; /**< indices of the two adapters of each pair */
	enum sim_shape shape;
	uint32_t ways;                 /**< number of paths in SIM_SHAPE_LEAVES */
	enum sim_net_choice choice;    /**< decides how switches select a path */
	struct sim_link_config fabric; /**< configuration of all links that begin at a switch */
	uint32_t rounds; /**< number of connections of each pair after its first connection */
	/** per mille of connections before which all objects are created again */
	uint16_t remake;
	struct sim_accident accidents[SIM_ACCIDENTS_MAX];
	uint32_t accident_count;
	uint32_t go_back_n;       /**< Bit n is set if adapter n uses go-back-N. */
	uint32_t shared_receives; /**< Bit n is set if adapter n has a shared receive queue. */
	uint32_t keep_packets;    /**< keep_packets of all adapters; 0 = the values in `stacks` */
	struct sim_stack stacks[SIM_NODES_MAX];
	/** The adapter that repeats the random numbers of its first start when it restarts. */
	uint32_t forgetful_node; /**< SIM_NODES_MAX = no adapter */
	uint64_t calm_ns; /**< time from the start of the run to the end of the last accident */
	/** number of engines per adapter; an option that does not depend on the seed */
	uint32_t engines;
	bool v6;
	uint16_t vlan_id;       /**< 0 = untagged */
	bool static_neighbours; /**< false means that addresses are resolved on the link */
	uint16_t path_mtu[SIM_NODES_MAX];
	uint32_t pair_count;
	uint32_t operations;
	uint32_t message_max;
	struct sim_link_config link[SIM_NODES_MAX]; /**< link from each adapter to the network */
	uint32_t mbuf_count;
	uint32_t mbufs_left; /**< number of buffers left in each pool; 0 = no shortage */
	uint8_t ack_timeout;
	uint8_t rnr_timer;
	bool shared_cq;   /**< All sides of an adapter use one completion queue. */
	uint32_t turn_ns; /**< maximum duration of a turn in virtual time */
	uint16_t stall; /**< per mille of turns after which an adapter stalls for up to stall_ns */
	uint32_t stall_ns;
	uint32_t think_ns;      /**< maximum pause of an application between two actions */
	uint16_t idle_receiver; /**< per mille of turns in which a side posts no receives */
	enum sim_mischief mischief;
	uint32_t mischief_after;    /**< operations */
	enum sim_sabotage sabotage; /**< an option that does not depend on the seed */
	/** The run uses regions with keys for all peers, see sim_keys.h. */
	bool keys;
	uint32_t yield; /**< per mille of yield points at which a turn pauses, see sim_yield.h */
	bool lack;      /**< Allocations in set-up calls fail, see sim_lack.h. */
	bool faults;    /**< Frames may be lost, duplicated, reordered or corrupted. */
};

/** @param engines engines per adapter, 1..LIMIT_ENGINES; does not change the rest of the plan */
void
sim_plan_make(struct sim_plan *plan, uint64_t seed, enum sim_scenario scenario, uint32_t engines);

/** Add those parts of the plan that depend on the scenario (sim_scenario.c). */
void sim_scenario_add(struct sim_plan *plan, struct sim_random *random);
const char *sim_scenario_name(enum sim_scenario scenario);
/** @return scenario with this name; SIM_SCENARIO_COUNT if the name is unknown */
enum sim_scenario sim_scenario_find(const char *name);
/** @return description in one sentence, for the list of scenarios */
const char *sim_scenario_text(enum sim_scenario scenario);

/** @return sabotage with this name; SIM_SABOTAGE_NONE if the name is unknown */
enum sim_sabotage sim_sabotage_find(const char *name);
const char *sim_mischief_name(enum sim_mischief mischief);

#endif
