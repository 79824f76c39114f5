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
 * One side of a queue pair of a perftest: connection, memory, window, and the traffic of the test.
 * The initiator is the client, the target is the server:
 *
 *   send, write, read      the initiator keeps `depth` requests outstanding
 *   send latency           the target answers each message with a message of the same size
 *   write latency          the last byte of a message is its number; the target writes number 1
 *                          first; then the initiator answers number n with n, and the target
 *                          answers number n with n + 1
 *   read latency           the initiator has one request outstanding
 *
 * A target does not know the number of messages. It knows their length only in write latency.
 */

struct perftest_request {
	struct nd_result result;
	uint64_t sequence;
	uint64_t posted_tsc;
	bool busy;
};

/** Parameters from the owner. */
struct perftest_flow_setup {
	struct nd_adapter *adapter;
	const struct stopwatch *stopwatch;
	struct histogram *histogram; /**< initiator: records latencies */
	enum options_op op;
	bool latency, initiator;
	uint32_t index;
	uint32_t size_bytes; /**< size in bytes of this side's messages */
	uint32_t depth;      /**< initiator */
	uint64_t span_bytes; /**< bytes that the peer can access, or size of its longest message */
};

struct perftest_flow {
	struct link link;
	struct perftest_flow_setup setup;

	/*
	 * memory: memory that the peer can access; all receives use its first bytes. local: buffer
	 * for the messages of this side, in the same registration after memory.
	 */
	uint8_t *memory, *local;
	size_t memory_bytes;
	struct nd_mr *mr;
	struct nd_mw *window;
	struct nd_result bound;
	bool is_bound;
	struct nd_mw_descriptor exposed; /**< this side's window; all zero = no window */
	struct nd_mw_descriptor remote;  /**< the peer's window; set by the owner before the test */
	struct perftest_request *requests, *receives;
	uint32_t request_count, receive_count;

	/* Progress, in messages. */
	bool testing;
	uint64_t posted, completed;
	uint64_t arrived; /**< messages received, or detected in memory after a write */
	uint64_t limit;   /**< initiator: highest value of posted; set by the owner */
	/** True if posting was stopped before the number of messages that the target expects. */
	bool cut;
	uint64_t measured_from; /**< number of the first message that is measured */
	uint64_t measured;
	uint64_t round_tsc;     /**< latency: time of this side's newest post */
	uint32_t arrived_bytes; /**< size in bytes of the last message that arrived */
	uint64_t reported; /**< target: number of arrived messages that were reported in rows */
	uint64_t first_tsc, last_tsc; /**< target: first and last arrival after the last row */
};

/** Initialise the flow without creating an object of the adapter. */
void perftest_flow_init(struct perftest_flow *flow, const struct perftest_flow_setup *setup);

/**
 * Create the objects. In state LINK_REQUESTED, accept the connection; in other states, connect. The
 * state of the link shows the result.
 */
void perftest_flow_connect(struct perftest_flow *flow, const struct sockaddr_storage *peer);
void perftest_flow_accept(struct perftest_flow *flow);

/** @return true if the flow is connected and its window, if it has one, is bound. */
bool perftest_flow_ready(const struct perftest_flow *flow);

/** Start the test. The peer must be ready. Initiators post messages up to limit. */
void perftest_flow_start(struct perftest_flow *flow);

/** Initiator: post no more messages. */
void perftest_flow_stop(struct perftest_flow *flow);

/** Initiator: @return true if all posted messages are complete and have been answered. */
bool perftest_flow_complete(const struct perftest_flow *flow);

/** Initiator: treat all posted messages as complete, after the server has ended the test. */
void perftest_flow_finish(struct perftest_flow *flow);

/** Advance the state machine. Call this function after each poll of the adapter's engine. */
void perftest_flow_turn(struct perftest_flow *flow);

void perftest_flow_close(struct perftest_flow *flow);

/* traffic.c: the test itself. */

/** Post messages, and detect messages that the peer has written into memory. */
void perftest_traffic_turn(struct perftest_flow *flow);

/** A request of this side has succeeded. */
void perftest_traffic_completed(
	struct perftest_flow *flow, struct perftest_request *request, uint64_t now);

/** A message has arrived in a receive. */
void perftest_traffic_received(struct perftest_flow *flow, size_t bytes, uint64_t now);

#endif
