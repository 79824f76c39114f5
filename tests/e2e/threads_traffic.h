/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_THREADS_TRAFFIC_H
#define NDPDK_E2E_THREADS_TRAFFIC_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "support/nd_pair.h"

/*
 * Work for the threads that own engines, while the test's thread makes control calls. Messages go
 * back and forth, and their data is checked. These threads record errors, and the test's thread
 * reports them, because only the test's thread may fail a test.
 */

#define TRAFFIC_SLOTS 16
#define TRAFFIC_BYTES 1024

struct traffic_slot {
	struct nd_result sent;
	struct nd_result received;
	uint8_t *out;
	uint8_t *in;
	bool sending; /**< true while the result of the send is pending */
	bool owed;    /**< true if a message must be sent as soon as sending is false */
};

/** One end of the traffic. All members except the atomic ones belong to the owner of the engine. */
struct traffic {
	struct nd_side *side;
	bool pings; /**< true on the side that sends first; the other side returns each message */
	struct nd_endpoint *endpoint; /**< atomic; NULL while idle */
	const char *failure;          /**< atomic */
	uint64_t messages;            /**< atomic; number of correct messages received */
	bool started;
	uint32_t sequence_out;
	uint32_t sequence_in;
	struct traffic_slot slots[TRAFFIC_SLOTS];
};

void traffic_init(struct traffic *traffic, struct nd_side *side, bool pings);

/** Start traffic on a connected endpoint that uses the completion queues of its side. */
void traffic_start(struct traffic *traffic, struct nd_endpoint *endpoint);

/** End the use of the endpoint. The engine's owner must poll or sleep in nd_engine_wait(). */
void traffic_stop(struct traffic *traffic);

/** @return number of messages received so far; fails the test if a thread has recorded an error */
uint64_t traffic_messages(const struct traffic *traffic);

/** Wait until count more messages have arrived. The calling thread must not own an engine. */
void traffic_wait(const struct traffic *traffic, uint64_t count);

/** An nd_engine_loop_fn that makes the traffic. arg is the struct traffic. */
void traffic_loop(struct nd_engine *engine, void *arg);

/** A thread that polls an engine and is not an lcore of DPDK. */
struct runner {
	struct nd_engine *engine;
	nd_engine_loop_fn loop; /**< may be NULL */
	void *arg;
	bool stop; /**< atomic */
	pthread_t thread;
};

void
runner_start(struct runner *runner, struct nd_engine *engine, nd_engine_loop_fn loop, void *arg);
void runner_stop(struct runner *runner);

#endif
