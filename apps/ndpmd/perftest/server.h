/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_SERVER_H
#define NDPDK_PERFTEST_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "side.h"
#include "ndpmd/report.h"

/*
 * Serves perftest's clients, one after the other; the next one's connection request waits. The
 * server only answers, so it need not know how long a test is: a test has ended when its client
 * sends another place, or, in write latency, disconnects.
 */

enum perftest_server_phase {
	PERFTEST_SERVER_WAITING, /**< for a client */
	PERFTEST_SERVER_TALKING,
	PERFTEST_SERVER_JOINING, /**< queue pairs connect until the next item comes */
	PERFTEST_SERVER_TESTING,
	PERFTEST_SERVER_LEAVING,
};

struct perftest_server {
	struct perftest_side side; /**< of this client */
	enum perftest_server_phase phase;
	struct nd_listener *listener;
	/** NULL = report no rows and no clients that disconnect early */
	struct report *report;
	struct perftest_flow *next; /**< JOINING: waits for its connection; not one of the side's */
	bool has_item;              /**< JOINING: the item that ended it waits in `item` */
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t item_bytes;
	uint32_t value_count;
	bool in_order; /**< TESTING: a disconnect of the client is not an error now */
	uint64_t start_tsc;
	uint64_t clients_done, errors;
	bool stopping;
	char error[320]; /**< why no more clients can be served; empty = they can */
};

/** Listen. @return false: see error. */
bool perftest_server_open(struct perftest_server *server, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter, struct report *report);

/** Advance the state machine. Call it after each poll of the adapter's engine. */
void perftest_server_turn(struct perftest_server *server);

/** Disconnect the client and take no more. perftest_server_is_idle() says when this is done. */
void perftest_server_stop(struct perftest_server *server);

/** @return whether no client is connected. */
bool perftest_server_is_idle(const struct perftest_server *server);

/** Free everything. */
void perftest_server_close(struct perftest_server *server);

#endif
