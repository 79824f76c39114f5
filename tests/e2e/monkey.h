/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_MONKEY_H
#define NDPDK_E2E_MONKEY_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "base/list.h"
#include "support/nd_pair.h"

/*
 * These functions make random calls on two adapters, legal and illegal, in every state. Released
 * handles of memory and windows are used again, because the library detects them. Other released
 * handles are never used, because the API forbids their use and the library cannot detect it.
 *
 * Each operation and each request has its own memory, which is freed as soon as the API allows it,
 * so that a sanitizer detects late accesses.
 */

#define MONKEY_CONNECTORS  6
#define MONKEY_CQS         4
#define MONKEY_LISTENERS   3
#define MONKEY_REGIONS     6
#define MONKEY_WINDOWS     8
#define MONKEY_DESCRIPTORS 8
#define MONKEY_STALE       4
#define MONKEY_REGION_MAX  20000
/** Maximum number of endpoints that one run creates. */
#define MONKEY_STREAMS     4096

enum monkey_direction {
	MONKEY_INBOUND,
	MONKEY_OUTBOUND,
};

/** A request, or the invalidate result of a window. Once posted, the adapter writes to result. */
struct monkey_item {
	struct nd_result result;
	uint32_t magic;
	bool window;
	bool silent;
	enum monkey_direction direction;
	uint32_t stream; /**< number of the endpoint to which the request was posted */
	uint32_t number; /**< position of the request in the order of posting */
	/** node in the list `items` of a completion queue; unused for a window */
	struct base_list node;
};

/** Results seen so far for one endpoint in one direction. */
struct monkey_stream {
	uint32_t last; /**< number of the newest result */
	bool broken;   /**< true if a result with an error was returned */
};

struct monkey_op {
	struct nd_overlapped overlapped;
	struct monkey *monkey;
	struct base_list node;
	unsigned int told;
};

struct monkey_cq {
	struct nd_cq *cq;
	/** Requests without a result so far. Silent requests that succeeded stay in the list. */
	struct base_list items;
};

struct monkey_connector {
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct monkey_cq *cqs[2]; /**< completion queues, indexed by enum monkey_direction */
	uint32_t stream;
	/**
	 * Peer of the last connection that monkey_connect_all() made, even if it was disconnected
	 * since. NULL if no connection was made.
	 */
	struct monkey_connector *peer;
	struct nd_mw_descriptor bound;
	/**
	 * True while a call on this connector runs. Callbacks do not use the connector meanwhile.
	 */
	bool busy;
};

struct monkey_region {
	struct nd_mr *mr;
	uint8_t *memory;
	size_t bytes;
};

struct monkey_window {
	struct nd_mw *mw;
	struct monkey_item *invalidated;
};

struct monkey_listener {
	struct nd_listener *listener;
	uint16_t port; /**< network byte order */
};

struct monkey_side {
	struct nd_adapter *adapter;
	struct monkey_connector connectors[MONKEY_CONNECTORS];
	struct monkey_cq cqs[MONKEY_CQS];
	struct monkey_listener listeners[MONKEY_LISTENERS];
	struct monkey_region regions[MONKEY_REGIONS];
	struct monkey_window windows[MONKEY_WINDOWS];
	struct nd_mw_descriptor
		/** Descriptors of this side's windows, also of closed windows. */
		descriptors[MONKEY_DESCRIPTORS];
	struct nd_mr *stale_mr[MONKEY_STALE];
	struct nd_mw *stale_mw[MONKEY_STALE];
};

struct monkey {
	struct nd_pair pair;
	struct monkey_side sides[2];
	uint64_t seed;
	uint64_t state;
	/**
	 * Bytes that replace the random numbers until all bytes are used. NULL if there are none.
	 */
	const uint8_t *script;
	size_t script_bytes;
	uint32_t calls;
	uint32_t streams_used;
	uint32_t posted;
	uint32_t connected;
	unsigned int depth; /**< number of callbacks on the stack */
	bool closing;       /**< true if callbacks only count and make no calls */
	int event_fd;
	uint64_t events; /**< number of events that event_fd must have received */
	uint32_t op_count;
	struct base_list ops;
	struct monkey_stream streams[2][MONKEY_STREAMS];
};

/* ---- the run ---- */

/**
 * Open two adapters. If monkey was open before, the ports of monkey->pair are used again. Otherwise
 * the caller zeroes monkey first.
 */
void monkey_open(struct monkey *monkey, uint64_t seed);

/** Make one random call, then give both engines a few turns. */
void monkey_turn(struct monkey *monkey);

/**
 * Close the adapters. Fails the test unless all operations have ended and all memory was returned.
 * @param release true to release all objects in order first; all packet buffers must then be free
 */
void monkey_close(struct monkey *monkey, bool release);

/** @return a random number from 0 to bound - 1 */
uint32_t monkey_below(struct monkey *monkey, uint32_t bound);

/** @return true with a probability of 1 / count */
bool monkey_once_in(struct monkey *monkey, uint32_t count);

/** Make one random call. In a callback, choose only among the calls that callbacks may make. */
void monkey_step(struct monkey *monkey, bool in_callback);

/** Fail the test and print the seed and the number of the call. */
_Noreturn void monkey_fail(const struct monkey *monkey, const char *what, nd_status status);

/* ---- monkey_check.c: checks ---- */

/** @return a new operation, with or without callback and eventfd */
struct monkey_op *monkey_op_new(struct monkey *monkey);

void monkey_op_returned(struct monkey_op *op, nd_status status);

/** Check and free operations that have ended. Callbacks must not call this function. */
void monkey_ops_sweep(struct monkey *monkey);

struct monkey_op *monkey_op_any(struct monkey *monkey);

/** @return a new request for the connector's endpoint, not posted yet */
struct monkey_item *monkey_item_new(struct monkey *monkey, const struct monkey_connector *connector,
	enum monkey_direction direction, bool silent);

void monkey_item_posted(struct monkey *monkey, const struct monkey_connector *connector,
	struct monkey_item *item, nd_status status);

/** Take up to max results and check each result. @return number of results */
size_t monkey_cq_take(struct monkey *monkey, struct monkey_cq *cq, size_t max);

/**
 * Fail if a posted request has no result. To be called before the release of a queue that no
 * endpoint uses.
 */
void monkey_cq_settled(struct monkey *monkey, struct monkey_cq *cq);

void monkey_cq_drop(struct monkey_cq *cq);

/* ---- monkey_objects.c, monkey_connect.c, monkey_post.c: calls ---- */

typedef void (*monkey_call)(struct monkey *monkey, struct monkey_side *side);

void monkey_region_make(struct monkey *monkey, struct monkey_side *side);
void monkey_region_end(struct monkey *monkey, struct monkey_side *side);
void monkey_window_make(struct monkey *monkey, struct monkey_side *side);
void monkey_window_end(struct monkey *monkey, struct monkey_side *side);
void monkey_cq_make(struct monkey *monkey, struct monkey_side *side);
void monkey_cq_use(struct monkey *monkey, struct monkey_side *side);
void monkey_cq_end(struct monkey *monkey, struct monkey_side *side);
void monkey_adapter_ask(struct monkey *monkey, struct monkey_side *side);
void monkey_op_use(struct monkey *monkey, struct monkey_side *side);

void monkey_listener_make(struct monkey *monkey, struct monkey_side *side);
void monkey_listener_use(struct monkey *monkey, struct monkey_side *side);
void monkey_listener_end(struct monkey *monkey, struct monkey_side *side);
void monkey_connector_make(struct monkey *monkey, struct monkey_side *side);
void monkey_connector_use(struct monkey *monkey, struct monkey_side *side);
void monkey_connector_end(struct monkey *monkey, struct monkey_side *side);
void monkey_endpoint_make(struct monkey *monkey, struct monkey_side *side);
void monkey_endpoint_end(struct monkey *monkey, struct monkey_side *side);
void monkey_connect_all(struct monkey *monkey, struct monkey_side *side);

void monkey_post(struct monkey *monkey, struct monkey_side *side);
/** Flush, or start or end a batch. */
void monkey_endpoint_use(struct monkey *monkey, struct monkey_side *side);

void monkey_connector_finish(struct monkey *monkey, struct monkey_connector *connector);
void
monkey_region_finish(struct monkey *monkey, struct monkey_side *side, struct monkey_region *region);

#endif
