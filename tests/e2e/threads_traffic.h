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
 * Work for the threads that own engines, while the test's thread makes control calls: messages that
 * go to and fro with their data checked. What goes wrong there is noted, and found by the test's
 * thread: only that one may fail a test.
 */

#define TRAFFIC_SLOTS 16
#define TRAFFIC_BYTES 1024

/** One buffer that goes out and one that comes in. */
struct traffic_slot {
	struct nd_result sent;
	struct nd_result received;
	uint8_t *out;
	uint8_t *in;
	bool sending; /**< sent has not come yet */
	bool owed;    /**< to be sent as soon as sending is over */
};

/** One end. All but the atomic members belong to the owner of its engine. */
struct traffic {
	struct nd_side *side;
	bool pings;                   /**< begins; the other end sends back what it gets */
	struct nd_endpoint *endpoint; /**< atomic: NULL = nothing to do */
	const char *failure;          /**< atomic */
	uint64_t messages;            /**< atomic: received, and as they should be */
	bool started;
	uint32_t sequence_out;
	uint32_t sequence_in;
	struct traffic_slot slots[TRAFFIC_SLOTS];
};

void traffic_init(struct traffic *traffic, struct nd_side *side, bool pings);

/** Let it begin, on a connected endpoint with the side's queues. */
void traffic_start(struct traffic *traffic, struct nd_endpoint *endpoint);

/** Let it touch the endpoint no more; its owner polls, or sleeps in nd_engine_wait(). */
void traffic_stop(struct traffic *traffic);

/** @return messages received so far; fails the test when something was wrong. */
uint64_t traffic_messages(const struct traffic *traffic);

/** Wait until count more messages have come; for a thread that owns no engine. */
void traffic_wait(const struct traffic *traffic, uint64_t count);

/** An nd_engine_loop_fn: arg is the struct traffic. */
void traffic_loop(struct nd_engine *engine, void *arg);

/** A thread that is no lcore and polls an engine. */
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
