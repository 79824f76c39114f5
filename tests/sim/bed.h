/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_BED_H
#define NDPDK_SIM_BED_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "bed_link.h"
#include "port/port.h"

/*
 * A test bed for measuring: complete adapters in virtual time, whose owners poll them at a fixed
 * interval and post requests. The processor is free: a turn takes no time, so that what is measured
 * is the protocol. The same configuration gives the same figures on each machine. Whatever fails
 * ends the process.
 */

/** How often each adapter is polled. */
#define BED_POLL_NS   UINT64_C(1000)
#define BED_NODES_MAX 2
/** Most requests outstanding of a flow. */
#define BED_DEPTH_MAX 32

/** What decides which packets are sent again, and how many may be outstanding. */
enum bed_mode {
	BED_GO_BACK_N,       /**< with the window that losses shrink */
	BED_GO_BACK_N_NO_CC, /**< with a constant window */
	BED_MODES,
};

enum bed_operation {
	BED_WRITE,
	BED_READ,
	BED_SEND,
};

struct bed_config {
	enum bed_mode mode;
	uint64_t seed;
	struct bed_link_config link; /**< of each direction, from bed_lose() on */
};

struct bed_node {
	struct bed *bed;
	uint32_t index;
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct rte_mempool *pool;
	struct port_io io;
	struct bed_link *in, *out;
	struct nd_cq *inbound, *outbound;
	struct nd_listener *listener;
	uint16_t port; /**< network byte order */
};

struct bed {
	struct bed_config config;
	uint64_t now_ns;
	struct bed_node nodes[BED_NODES_MAX];
	struct bed_link links[BED_NODES_MAX]; /**< [i] carries what node i sends */
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
