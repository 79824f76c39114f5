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
 * A test bed for measurements of the protocol. It runs complete adapters in virtual time. The bed
 * polls each adapter at a fixed interval, and applications post requests. A poll takes no virtual
 * time, because processing time is not measured. The same configuration gives the same figures on
 * each machine. Every failure ends the process.
 */

#define BED_POLL_NS   UINT64_C(1000)
#define BED_NODES_MAX 65
/** Maximum number of outstanding requests of a flow. */
#define BED_DEPTH_MAX 32

/** Rate of each link. */
#define BED_RATE_MBPS   100000
#define BED_QUEUE_BYTES 1000000

/**
 * ECN marking of a switch. The probability rises from 0 at Kmin to Pmax at Kmax. Above Kmax, all
 * frames are marked.
 */
struct bed_marks {
	uint32_t kmin_bytes;
	uint32_t kmax_bytes;
	uint32_t pmax_per_mille;
};

/** Values in the DCQCN paper, for links of 40 Gbit/s. */
extern const struct bed_marks bed_marks_paper;
/** Values that a vendor recommends for 100 Gbit/s and a round-trip time of 20 us. */
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
	uint32_t initial_window;  /**< initial window in packets; 0 = the library's default */
	uint32_t swift_target_us; /**< 0 = the library's default */
	uint64_t seed;
	/**
	 * Number of nodes. 2 nodes are connected by a cable. More nodes are connected by a switch,
	 * which has a finite queue to node 0.
	 */
	uint32_t node_count;
	uint32_t loss_ppm;             /**< random loss after bed_lose(), in frames per million */
	const struct bed_marks *marks; /**< ECN marking of the switch; NULL = bed_marks_paper */
	/** maximum random delay of a frame after bed_lose(), in ns */
	uint64_t spread_ns;
};

struct bed_node {
	struct bed *bed;
	uint32_t index;
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct rte_mempool *pool;
	struct port_io io;
	char name[SIM_NET_NAME_MAX + 1];
	uint32_t net_port;        /**< number of the node's port in bed.net */
	struct sim_random random; /**< generator that decides which frames are lost */
	/**
	 * number of frames to the node until one is lost: 1 = the next frame is lost; 0 = no loss
	 */
	uint32_t lose_in;
	struct nd_cq *inbound, *outbound;
	struct nd_listener *listener;
	uint16_t port; /**< network byte order */
};

struct bed {
	struct bed_config config;
	uint64_t now_ns;
	bool losing;
	struct sim_link *bottleneck; /**< link from the switch to node 0 */
	struct sim_net net;
	struct bed_node nodes[BED_NODES_MAX];
};

/** A connection. Node ends[0] posts requests, all of one kind. */
struct bed_flow {
	struct bed *bed;
	struct bed_node *ends[2]; /**< ends[0] posts the requests */
	enum bed_operation operation;
	uint32_t bytes; /**< length of a request */
	uint32_t depth; /**< maximum number of outstanding requests */
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
	uint8_t *memory[2]; /**< memory of each node, for `depth` requests */
	struct nd_mr *mrs[2];
	struct nd_mw *mw;
	struct nd_mw_descriptor window; /**< window over the memory of ends[1] */
	struct nd_result invalidated;
	struct nd_result results[BED_DEPTH_MAX];
	struct nd_result receives[BED_DEPTH_MAX];
	uint64_t posted;
	uint64_t completed;
};

void bed_eal_start(void);

void bed_open(struct bed *bed, const struct bed_config *config);
void bed_close(struct bed *bed);

void bed_turn(struct bed *bed);

/**
 * Connect two nodes, without frame loss. The caller must have set the flow's operation, bytes and
 * depth.
 */
void bed_flow_open(struct bed_flow *flow, struct bed *bed, uint32_t from, uint32_t to);
void bed_flow_close(struct bed_flow *flow);

/** Post one request. Fewer than `depth` requests may be outstanding before the call. */
void bed_flow_post(struct bed_flow *flow);
/** Take all available results and check the transferred bytes. @return number of results */
uint32_t bed_flow_take(struct bed_flow *flow);

/** From now on, apply the configured loss and delays (loss_ppm, spread_ns). */
void bed_lose(struct bed *bed);

uint64_t bed_counter(const struct bed *bed, uint32_t node, const char *name);

void bed_fail(const char *what, const char *detail) __attribute__((noreturn));

#endif
