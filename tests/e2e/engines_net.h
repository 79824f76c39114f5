/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_ENGINES_NET_H
#define NDPDK_E2E_ENGINES_NET_H

#include <pthread.h>

#include <rte_ring.h>

#include "nd/adapter.h"
#include "support/nd_pair.h"

/*
 * Two adapters with several engines each, which are joined by rings and no driver: so the sanitizer
 * of threads sees all that happens between them. A frame that is sent on one queue arrives on the
 * next one of the other side, whose engine is not its home.
 */

#define ENGINES        3u
#define ENGINES_BYTES  65536u
#define ENGINES_PMTU   1024u
#define PATIENCE_TURNS 20000000u

struct engines_net;

/** A queue of an adapter, as a port would have it. */
struct queue {
	struct engines_net *net;
	unsigned int side;
	unsigned int index;
	struct port_io io;
	struct rte_ring *in;
};

/** What the thread of an engine does besides its turns; called once per turn. */
typedef void (*worker_fn)(struct nd_engine *engine, void *arg);

struct worker {
	struct nd_engine *engine;
	worker_fn fn; /**< atomic; NULL: nothing */
	void *arg;
	bool stop;      /**< atomic */
	uint32_t turns; /**< atomic */
	pthread_t thread;
};

struct engines_net {
	struct queue queues[2][ENGINES];
	struct nd_adapter *adapters[2];
	uint8_t *memory[2];
	struct nd_mr *mrs[2];
	struct nd_listener *listener; /**< of side 1 */
	uint16_t port;                /**< network byte order */
	struct worker workers[2][ENGINES];
	bool running;
};

/** An endpoint on each side, on the engines with these numbers. */
struct engines_link {
	struct engines_net *net;
	unsigned int homes[2];
	struct nd_cq *cqs[2];
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
};

void engines_open(struct engines_net *net);

/** Stop the threads: the caller owns all engines again when it polls them or closes. */
void engines_stop(struct engines_net *net);

/** Stop the threads and close both adapters. */
void engines_close(struct engines_net *net);

/** Start one thread for each engine; until then the caller owns them all. */
void engines_run(struct engines_net *net);

/** Let fn(engine, arg) be called in each turn of an engine; NULL: no longer. Waits for the turn. */
void engines_work(
	struct engines_net *net, unsigned int side, unsigned int index, worker_fn fn, void *arg);

/** Wait for an operation. The engines run, or are polled here. @return its status */
nd_status engines_wait(struct engines_net *net, nd_status status, struct nd_overlapped *overlapped);

/** Connect an endpoint on engine `from` of side 0 with one on engine `to` of side 1. */
void engines_connect(
	struct engines_net *net, struct engines_link *link, unsigned int from, unsigned int to);

/** Disconnect and release. */
void engines_disconnect(struct engines_link *link);

#endif
