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

/* Common part of the client and the server of a perftest: control connection, flows, items. */

/** Time limit in s for the peer's next item. Longer than a perftest of one minute. */
#define PERFTEST_ANSWER_SECONDS 90u

struct perftest_side {
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct nd_adapter *adapter;
	struct perftest_plan plan; /**< server: qps is known only after the client has connected */
	struct perftest_control control;
	struct perftest_flow *flows[OPTIONS_PERFTEST_QPS_MAX];
	uint32_t flow_count;
	uint32_t turn;
	uint64_t deadline_tsc;
	uint32_t cycle_bytes; /**< cycle (page size): the larger of both sides' values */
	/**
	 * Values for perftest's table. A client stores its own values, a server the received
	 * values.
	 */
	rte_be64_t values[PERFTEST_VALUE_COUNT];
	char error[320]; /**< reason of a failure; empty = no failure */
};

/** Initialise; makes no object. */
void perftest_side_init(struct perftest_side *side, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter);

/**
 * Create a flow and add it to side.
 * @param setup parameters; span_bytes is increased to at least the size of a cycle
 * @return NULL on failure: see error
 */
struct perftest_flow *
perftest_side_add_flow(struct perftest_side *side, const struct perftest_flow_setup *setup);

/** Send this side's item for a turn of the exchange. */
void perftest_side_send(struct perftest_side *side, struct perftest_turn turn);

/**
 * Evaluate the item that the peer has sent in a turn of the exchange.
 * @param item buffer of PERFTEST_CONTROL_BYTES bytes
 * @param bytes length of the item in the buffer
 * @return false: the item is not valid, and error has the reason
 */
bool perftest_side_take(
	struct perftest_side *side, struct perftest_turn turn, const uint8_t *item, size_t bytes);

/** Advance all connections. Call this function after each poll of the adapter's engine. */
void perftest_side_turn(struct perftest_side *side);

void perftest_side_wait(struct perftest_side *side, uint32_t seconds);
bool perftest_side_is_late(const struct perftest_side *side);

bool perftest_side_ready(const struct perftest_side *side);

/** @return true if a connection has failed. Copies the reason of the failure into error. */
bool perftest_side_failed(struct perftest_side *side);

/** Fail, and write a sentence into error. A later failure does not replace the sentence. */
void perftest_side_fail(struct perftest_side *side, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** @return true if the peer has ended a connection, or a connection was lost. */
bool perftest_side_peer_gone(const struct perftest_side *side);

/**
 * Fail because the peer has ended a connection.
 * @param what beginning of the sentence, to which the reason of the end is appended
 * @param question appended instead of the reason if the peer has disconnected
 */
void perftest_side_fail_gone(struct perftest_side *side, const char *what, const char *question);

/** Disconnect the flows, then the control connection. @return true when all are disconnected. */
bool perftest_side_leave(struct perftest_side *side);

void perftest_side_close(struct perftest_side *side);

#endif
