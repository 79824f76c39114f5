/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_FLOW_H
#define NDPDK_PERFTEST_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ndpmd/histogram.h"
#include "ndpmd/stopwatch.h"
#include "exchange.h"
#include "kit/link.h"

/*
 * A queue pair of a perftest, either side of it: its connection, memory, window, and the traffic of
 * the test. The initiator is the client, the target the server:
 *
 *   send, write, read      the initiator keeps `depth` requests outstanding
 *   send latency           the target answers each message with one of its size
 *   write latency          the last byte of a message is its number; the target writes number 1,
 *                          and from then on each side answers number n of the other, the target
 *                          with n + 1 and the initiator with n
 *   read latency           the initiator has one request outstanding
 *
 * A target knows neither how many messages come nor, but for write latency, how long they are.
 */

struct perftest_request {
	struct nd_result result;
	uint64_t sequence;
	uint64_t posted_tsc;
	bool busy;
};

/** What the owner decides. */
struct perftest_flow_setup {
	struct nd_adapter *adapter;
	const struct stopwatch *stopwatch;
	struct histogram *histogram; /**< initiator: of latencies */
	enum options_op op;
	bool latency, initiator;
	uint32_t index;      /**< number of the queue pair */
	uint32_t size_bytes; /**< of own messages */
	uint32_t depth;      /**< initiator */
	uint64_t span_bytes; /**< what the peer may reach, or send at once */
};

struct perftest_flow {
	struct link link;
	struct perftest_flow_setup setup;

	/*
	 * memory: exposed to the peer; all receives share its start. local: own messages, after it.
	 */
	uint8_t *memory, *local;
	size_t memory_bytes;
	struct nd_mr *mr;
	struct nd_mw *window;
	struct nd_result bound;
	bool is_bound;
	struct nd_mw_descriptor exposed; /**< all zero without a window */
	struct nd_mw_descriptor remote;  /**< set by the owner before the test */
	struct perftest_request *requests, *receives;
	uint32_t request_count, receive_count;

	/* Progress, in messages. */
	bool testing;
	uint64_t posted, completed;
	uint64_t arrived; /**< received, or seen in memory */
	uint64_t limit;   /**< initiator: post no more; set by the owner */
	/** posting ended before the number of messages that the target expects */
	bool cut;
	uint64_t measured_from; /**< initiator: first one that counts; set by the owner */
	uint64_t measured;
	uint64_t round_tsc;           /**< latency: when the last own message was posted */
	uint32_t arrived_bytes;       /**< of the last one */
	uint64_t reported;            /**< target: arrivals that the owner has put into rows */
	uint64_t first_tsc, last_tsc; /**< target: of arrivals since then */
};

/** Initialise; makes no object. */
void perftest_flow_init(struct perftest_flow *flow, const struct perftest_flow_setup *setup);

/** Make the objects and connect; or, with the link REQUESTED, accept. The link has the result. */
void perftest_flow_connect(struct perftest_flow *flow, const struct sockaddr_storage *peer);
void perftest_flow_accept(struct perftest_flow *flow);

/** @return whether it is connected, and its window, if it has one, is open. */
bool perftest_flow_ready(const struct perftest_flow *flow);

/** The peer is ready: begin. Initiators post up to the limit. */
void perftest_flow_start(struct perftest_flow *flow);

/** Initiator: post nothing more. */
void perftest_flow_stop(struct perftest_flow *flow);

/** Initiator: @return whether what was posted is complete and answered. */
bool perftest_flow_complete(const struct perftest_flow *flow);

/** Initiator: what was posted is complete, as the owner knows from elsewhere. */
void perftest_flow_finish(struct perftest_flow *flow);

/** Advance the state machine. Call it after each poll of the adapter's engine. */
void perftest_flow_turn(struct perftest_flow *flow);

/** Free everything. */
void perftest_flow_close(struct perftest_flow *flow);

/* traffic.c: the test itself. */

/** Post what can be posted, look at memory. */
void perftest_traffic_turn(struct perftest_flow *flow);

/** A request of this side has succeeded. */
void perftest_traffic_completed(
	struct perftest_flow *flow, struct perftest_request *request, uint64_t now);

/** A message has arrived in a receive. */
void perftest_traffic_received(struct perftest_flow *flow, size_t bytes, uint64_t now);

#endif
