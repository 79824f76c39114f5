/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_BED_H
#define NDPDK_SIM_BED_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "port/port.h"
#include "sim_net.h"

/*
 * A test bed for measuring: complete adapters in virtual time, whose owners poll them at a fixed
 * interval and post requests. The processor is free: a turn takes no time, so that what is measured
 * is the protocol. The same configuration gives the same figures on each machine. Whatever fails
 * ends the process.
 */

/** How often each adapter is polled. */
#define BED_POLL_NS   UINT64_C(1000)
#define BED_NODES_MAX 65
/** Most requests outstanding of a flow. */
#define BED_DEPTH_MAX 32

/** Rate of each wire. */
#define BED_RATE_MBPS   100000
/** Queue of a switch. */
#define BED_QUEUE_BYTES 1000000

/** ECN marking of a switch: none below Kmin, rising to Pmax at Kmax, and all above. */
struct bed_marks {
	uint32_t kmin_bytes;
	uint32_t kmax_bytes;
	uint32_t pmax_per_mille;
};

/** As in the paper on DCQCN, whose links have 40 Gbit/s. */
extern const struct bed_marks bed_marks_paper;
/** As a vendor recommends for 100 Gbit/s and round trips of 20 us. */
extern const struct bed_marks bed_marks_100g;

enum bed_operation {
	BED_WRITE,
	BED_READ,
	BED_SEND,
};

struct bed_config {
	enum nd_recovery recovery;
	enum nd_congestion congestion;
	bool ecn;
	uint32_t initial_window;  /**< packets; 0 = default */
	uint32_t swift_target_us; /**< 0 = default */
	uint64_t seed;
	/** 2 are joined by a wire, more by a switch; the first one is behind its finite queue. */
	uint32_t node_count;
	uint32_t loss_ppm; /**< frames lost at random, of a million, from bed_lose() on */
	const struct bed_marks *marks; /**< of the switch; NULL = bed_marks_paper */
	uint64_t spread_ns; /**< a frame takes longer by up to so much, at random, likewise */
};

struct bed_node {
	struct bed *bed;
	uint32_t index;
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct rte_mempool *pool;
	struct port_io io;
	char name[SIM_NET_NAME_MAX + 1];
	uint32_t net_port;        /**< number in the network */
	struct sim_random random; /**< decides which frames are lost */
	uint32_t lose_in; /**< this frame for the node from now on is lost; 1 = the next one */
	struct nd_cq *inbound, *outbound;
	struct nd_listener *listener;
	uint16_t port; /**< network byte order */
};

struct bed {
	struct bed_config config;
	uint64_t now_ns;
	bool losing;
	struct sim_link *bottleneck; /**< from the switch to the first node */
	struct sim_net net;
	struct bed_node nodes[BED_NODES_MAX];
};

/** Requests of one kind from the first node to the second one. */
struct bed_flow {
	struct bed *bed;
	struct bed_node *ends[2]; /**< the first one posts */
	enum bed_operation operation;
	uint32_t bytes; /**< of a request */
	uint32_t depth; /**< requests outstanding */
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
	uint8_t *memory[2]; /**< depth requests */
	struct nd_mr *mrs[2];
	struct nd_mw *mw;
	struct nd_mw_descriptor window; /**< of the second node's memory */
	struct nd_result invalidated;
	struct nd_result results[BED_DEPTH_MAX];
	struct nd_result receives[BED_DEPTH_MAX];
	uint64_t posted;
	uint64_t completed;
};

/** Start EAL; once in a process. */
void bed_eal_start(void);

void bed_open(struct bed *bed, const struct bed_config *config);
void bed_close(struct bed *bed);

/** Time moves on by BED_POLL_NS, and each adapter is polled once. */
void bed_turn(struct bed *bed);

/** Connect two nodes; nothing is lost meanwhile. Operation, bytes and depth are set before. */
void bed_flow_open(struct bed_flow *flow, struct bed *bed, uint32_t from, uint32_t to);
void bed_flow_close(struct bed_flow *flow);

/** Post one request; fewer than depth are outstanding. */
void bed_flow_post(struct bed_flow *flow);
/** Take the results that there are, and check what the requests moved. @return how many */
uint32_t bed_flow_take(struct bed_flow *flow);

/** From now on the links lose frames as configured. */
void bed_lose(struct bed *bed);

/** @return counter of a node's adapter */
uint64_t bed_counter(const struct bed *bed, uint32_t node, const char *name);

/** Say what went wrong and end the process. */
void bed_fail(const char *what, const char *detail) __attribute__((noreturn));

#endif
