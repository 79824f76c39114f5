/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_ENGINES_NET_H
#define NDPDK_E2E_ENGINES_NET_H

#include <pthread.h>
#include <time.h>

#include <rte_ring.h>

#include "nd/adapter.h"
#include "support/nd_pair.h"

/*
 * Two adapters with several engines each. Rings connect the adapters without a driver, so
 * ThreadSanitizer sees every access between the adapters. By default, a frame that is sent on one
 * queue arrives on the next queue of the other side. The wrong engine then receives the frame and
 * hands it over to the right engine.
 */

#define ENGINES        3u
#define ENGINES_MAX    4u
#define ENGINES_BYTES  65536u
#define ENGINES_PMTU   1024u
#define PATIENCE_TURNS 20000000u

struct engines_net;

struct queue {
	struct engines_net *net;
	unsigned int side;
	unsigned int index;
	struct port_io io;
	struct rte_ring *in;
};

/** A function that the thread of an engine calls once per turn. */
typedef void (*worker_fn)(struct nd_engine *engine, void *arg);

struct worker {
	struct nd_engine *engine;
	worker_fn fn; /**< atomic; NULL means no function */
	void *arg;
	bool stop;      /**< atomic */
	uint32_t turns; /**< atomic */
	bool running;   /**< True while the thread exists. Used by the test's thread only. */
	bool absent;    /**< True if no thread polls the engine. Used by the test's thread only. */
	pthread_t thread;
};

struct engines_config {
	unsigned int count;  /**< number of engines of each adapter, up to ENGINES_MAX */
	unsigned int offset; /**< frames sent on queue k arrive on queue (k + offset) % count */
	uint8_t ack_timeout; /**< see struct nd_adapter_config */
	/**
	 * Executes requests of an engine (PORT_INTERRUPT_...). NULL if the port has no interrupts.
	 */
	bool (*interrupt)(void *queue, enum port_interrupt what, int epoll_fd);
	/** Called before an engine polls the queue. NULL means no function. */
	void (*before_receive)(struct queue *queue);
};

struct engines_net {
	struct engines_config config;
	struct queue queues[2][ENGINES_MAX];
	struct nd_adapter *adapters[2];
	uint8_t *memory[2];
	struct nd_mr *mrs[2];
	struct nd_listener *listener; /**< listener of side 1 */
	uint16_t port;                /**< network byte order */
	struct worker workers[2][ENGINES_MAX];
};

/** A connection between two endpoints. The endpoints are on the engines homes[0] and homes[1]. */
struct engines_link {
	struct engines_net *net;
	unsigned int homes[2];
	struct nd_cq *cqs[2];
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
};

/** Open both adapters with ENGINES engines. Each frame arrives on the next queue. */
void engines_open(struct engines_net *net);

void engines_open_as(struct engines_net *net, const struct engines_config *config);

struct nd_engine *
engines_engine(const struct engines_net *net, unsigned int side, unsigned int index);

/**
 * Give one turn to each engine that has no thread and is not marked absent. The caller must own
 * these engines.
 */
void engines_poll(struct engines_net *net);

/**
 * Stop the threads. The caller then becomes the owner of an engine when it polls or closes the
 * engine.
 */
void engines_stop(struct engines_net *net);

void engines_close(struct engines_net *net);

/** Start one thread for each engine. Until this call, the caller owns all engines. */
void engines_run(struct engines_net *net);

/** Start the thread of one engine. The caller must not have polled this engine. */
void engines_run_one(struct engines_net *net, unsigned int side, unsigned int index);

/**
 * Call fn(engine, arg) in each turn of an engine from now on. NULL stops the calls. Returns after a
 * turn has used the new fn.
 */
void engines_work(
	struct engines_net *net, unsigned int side, unsigned int index, worker_fn fn, void *arg);

/**
 * Like engines_work(), but does not wait for a turn, because the engine's thread may be held or
 * asleep.
 */
void engines_give(
	struct engines_net *net, unsigned int side, unsigned int index, worker_fn fn, void *arg);

/**
 * Limit the duration of a loop that waits for other threads.
 * @param since start of the loop; must be 0 before the first call
 * @return false if 30 s have passed; then the test has failed
 */
bool engines_patience(time_t *since);

/**
 * Wait for an operation. Meanwhile, poll the engines without a thread.
 * @return status of the operation
 */
nd_status engines_wait(struct engines_net *net, nd_status status, struct nd_overlapped *overlapped);

/** Connect an endpoint on engine `from` of side 0 to an endpoint on engine `to` of side 1. */
void engines_connect(
	struct engines_net *net, struct engines_link *link, unsigned int from, unsigned int to);

void engines_disconnect(struct engines_link *link);

#endif
