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
 * Random calls on two adapters, legal and illegal, in every state. What the API forbids because it
 * cannot be found out (a handle after its release, but for memory and windows) is not done.
 *
 * Every operation and every request has memory of its own, given back as soon as the API says that
 * it may be, so that a sanitizer sees what is touched too late.
 */

#define MONKEY_CONNECTORS  6
#define MONKEY_CQS         4
#define MONKEY_LISTENERS   3
#define MONKEY_REGIONS     6
#define MONKEY_WINDOWS     8
#define MONKEY_DESCRIPTORS 8
#define MONKEY_STALE       4
#define MONKEY_REGION_MAX  20000
/** Endpoints made in one run at most. */
#define MONKEY_STREAMS     4096

enum monkey_direction {
	MONKEY_INBOUND,
	MONKEY_OUTBOUND,
};

/** A request or a window's invalidate result: result is what the adapter knows. */
struct monkey_item {
	struct nd_result result;
	uint32_t magic;
	bool window;
	bool silent;
	enum monkey_direction direction;
	uint32_t stream;       /**< number of the endpoint it was posted to */
	uint32_t number;       /**< in the order of posting */
	struct base_list node; /**< of its queue's items; a window's is in no list */
};

/** What is known of the results of one endpoint in one direction. */
struct monkey_stream {
	uint32_t last; /**< number of the newest result */
	bool broken;   /**< a result without success has come */
};

/** An overlapped operation. */
struct monkey_op {
	struct nd_overlapped overlapped;
	struct monkey *monkey;
	struct base_list node; /**< of the pending ones */
	unsigned int told;
};

struct monkey_cq {
	struct nd_cq *cq;
	struct base_list items; /**< posted, without result yet; silent ones stay */
};

struct monkey_connector {
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct monkey_cq *cqs[2]; /**< by direction */
	uint32_t stream;
	/** What it was connected to, perhaps long ago; NULL = nothing, or not by connect_all. */
	struct monkey_connector *peer;
	struct nd_mw_descriptor bound; /**< of the newest bind posted to the endpoint */
	bool busy;                     /**< a call on it is under way: callbacks leave it alone */
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
		descriptors[MONKEY_DESCRIPTORS]; /**< of own windows, old ones too */
	struct nd_mr *stale_mr[MONKEY_STALE];
	struct nd_mw *stale_mw[MONKEY_STALE];
};

struct monkey {
	struct nd_pair pair;
	struct monkey_side sides[2];
	uint64_t seed;
	uint64_t state;        /**< of the generator */
	const uint8_t *script; /**< read in place of the generator, as long as it lasts */
	size_t script_bytes;
	uint32_t calls;
	uint32_t streams_used;
	uint32_t posted;
	uint32_t connected;
	unsigned int depth; /**< callbacks on the stack */
	bool closing;       /**< callbacks only count */
	int event_fd;
	uint64_t events;   /**< that event_fd must have been told of */
	uint32_t op_count; /**< pending */
	struct base_list ops;
	struct monkey_stream streams[2][MONKEY_STREAMS];
};

/* ---- the run ---- */

/** Open two adapters, on the ports of monkey->pair if that was open before; else zero it first. */
void monkey_open(struct monkey *monkey, uint64_t seed);

/** One call, and a few turns of both engines. */
void monkey_turn(struct monkey *monkey);

/**
 * Close the adapters, and check that everything is over and given back.
 * @param release first everything on them, in order, so that the buffers must be back, too
 */
void monkey_close(struct monkey *monkey, bool release);

/** @return 0 .. bound - 1. */
uint32_t monkey_below(struct monkey *monkey, uint32_t bound);

/** @return true once in so many. */
bool monkey_once_in(struct monkey *monkey, uint32_t count);

/** One call of a kind that callbacks may make, too. */
void monkey_step(struct monkey *monkey, bool in_callback);

/** Fail the test: prints seed and number of the call. */
_Noreturn void monkey_fail(const struct monkey *monkey, const char *what, nd_status status);

/* ---- monkey_check.c: what must hold ---- */

/** @return a fresh operation, with or without callback and eventfd. */
struct monkey_op *monkey_op_new(struct monkey *monkey);

/** The call that took it has returned this. */
void monkey_op_returned(struct monkey_op *op, nd_status status);

/** Check and free operations that are over; not from a callback. */
void monkey_ops_sweep(struct monkey *monkey);

/** @return a pending operation, or NULL. */
struct monkey_op *monkey_op_any(struct monkey *monkey);

/** @return a request about to be posted to the connector's endpoint. */
struct monkey_item *monkey_item_new(struct monkey *monkey, const struct monkey_connector *connector,
	enum monkey_direction direction, bool silent);

/** The posting call has returned this. */
void monkey_item_posted(struct monkey *monkey, const struct monkey_connector *connector,
	struct monkey_item *item, nd_status status);

/** Take up to max results and check each. @return how many came. */
size_t monkey_cq_take(struct monkey *monkey, struct monkey_cq *cq, size_t max);

/** The queue is about to be released, no endpoint uses it: everything posted must have come. */
void monkey_cq_settled(struct monkey *monkey, struct monkey_cq *cq);

/** Free what a queue has not given back. */
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
/** The way from nothing to a connection, without detours. */
void monkey_connect_all(struct monkey *monkey, struct monkey_side *side);

void monkey_post(struct monkey *monkey, struct monkey_side *side);
/** Flush or batch. */
void monkey_endpoint_use(struct monkey *monkey, struct monkey_side *side);

/** Release one connector with its endpoint. */
void monkey_connector_finish(struct monkey *monkey, struct monkey_connector *connector);
void
monkey_region_finish(struct monkey *monkey, struct monkey_side *side, struct monkey_region *region);

#endif
