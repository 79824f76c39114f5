/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_SIDE_H
#define NDPDK_PERFTEST_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ndpmd/options.h"
#include "control.h"
#include "exchange.h"
#include "flow.h"
#include "ndpmd/stopwatch.h"

/* Common part of client and server of a perftest: control connection, flows, items. */

/** Time limit in s for the peer's next item. It exceeds perftest's tests of a minute. */
#define PERFTEST_ANSWER_SECONDS 90u

struct perftest_side {
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct nd_adapter *adapter;
	struct perftest_plan plan; /**< a server gets the number of queue pairs from the client */
	struct perftest_control control;
	struct perftest_flow *flows[OPTIONS_PERFTEST_QPS_MAX];
	uint32_t flow_count;
	uint32_t turn; /**< turn of the exchange */
	uint64_t deadline_tsc;
	uint32_t cycle_bytes; /**< the larger value of both sides */
	/** Values of the client: its own values, or the values that a server received. */
	rte_be64_t values[PERFTEST_VALUE_COUNT];
	char error[320]; /**< empty = it has not failed */
};

/** Initialise; makes no object. */
void perftest_side_init(struct perftest_side *side, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter);

/**
 * Create another flow.
 * @param span_bytes lowest size of the exposed memory
 * @return NULL: see error
 */
struct perftest_flow *
perftest_side_add_flow(struct perftest_side *side, const struct perftest_flow_setup *setup);

/** Send this side's item of a turn. */
void perftest_side_send(struct perftest_side *side, struct perftest_turn turn);

/**
 * Take the peer's item of a turn.
 * @param item PERFTEST_CONTROL_BYTES of which the first `bytes` have come @return false: the item
 * is not valid, see error
 */
bool perftest_side_take(
	struct perftest_side *side, struct perftest_turn turn, const uint8_t *item, size_t bytes);

/** Advance all connections. Call it after each poll of the adapter's engine. */
void perftest_side_turn(struct perftest_side *side);

/** Set the time limit. */
void perftest_side_wait(struct perftest_side *side, uint32_t seconds);
bool perftest_side_is_late(const struct perftest_side *side);

/** @return whether all flows are ready for the test. */
bool perftest_side_ready(const struct perftest_side *side);

/** @return whether a connection has failed. Copies its sentence into error. */
bool perftest_side_failed(struct perftest_side *side);

/** Fail with a sentence in error. Later sentences do not replace the first sentence. */
void perftest_side_fail(struct perftest_side *side, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** @return whether a connection has ended that this side has not ended. */
bool perftest_side_peer_gone(const struct perftest_side *side);

/**
 * Fail because the peer has gone.
 * @param what the beginning of the sentence; why the connection has ended follows
 * @param question follows instead if the peer has disconnected
 */
void perftest_side_fail_gone(struct perftest_side *side, const char *what, const char *question);

/** Disconnect the flows, then the control connection. @return whether all are disconnected. */
bool perftest_side_leave(struct perftest_side *side);

/** Free everything. */
void perftest_side_close(struct perftest_side *side);

#endif
