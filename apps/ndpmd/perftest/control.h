/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_CONTROL_H
#define NDPDK_PERFTEST_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exchange.h"
#include "kit/link.h"

/*
 * The control connection of a perftest. Items are sent as inline data. A received item is copied,
 * and its receive is posted again. perftest has only one receive. Therefore a side may send an item
 * only after the answer to its previous item has arrived.
 */

#define PERFTEST_CONTROL_RECEIVES 4u
#define PERFTEST_CONTROL_SENDS    4u
/*
 * Size of a receive in bytes. A receive is longer than any item, so that an item of wrong length
 * can be received and reported.
 */
#define PERFTEST_CONTROL_BYTES    128u

/* Error text if the server refuses the control connection or a queue pair's connection. */
#define PERFTEST_REFUSED                                                                           \
	"connection refused: check that the peer runs perftest with -R and the same number of "    \
	"queue pairs"

struct perftest_control {
	struct link link;
	uint8_t *memory; /**< memory of the receives */
	struct nd_mr *mr;
	struct nd_result receives[PERFTEST_CONTROL_RECEIVES];
	struct nd_result sends[PERFTEST_CONTROL_SENDS];
	struct nd_result probe;
	uint64_t sent, acknowledged;
	bool probing;          /**< the peer has not answered the probe yet */
	uint32_t next_receive; /**< receive whose item is taken next */
	uint32_t arrived;      /**< items that have arrived and that were not taken yet */
};

/** Initialise the control connection without creating an object of the adapter. */
void perftest_control_init(struct perftest_control *control, struct nd_adapter *adapter);

/** Create the objects and connect. The link's state shows whether the connection is established. */
void
perftest_control_connect(struct perftest_control *control, const struct sockaddr_storage *peer);

/** In state LINK_REQUESTED: create the objects and accept the request. */
void perftest_control_accept(struct perftest_control *control);

/** Advance the state machine. Call this function after each poll of the adapter's engine. */
void perftest_control_turn(struct perftest_control *control);

void perftest_control_send(struct perftest_control *control, const void *item, uint32_t bytes);

/**
 * Send a WRITE without data. When the peer has answered, `probing` is false. Without an answer,
 * `probing` stays true, and the link fails or its `peer_gone` becomes true.
 */
void perftest_control_probe(struct perftest_control *control);

/**
 * Take the next item that has arrived.
 * @param item buffer of PERFTEST_CONTROL_BYTES bytes
 * @return false: no item has arrived
 */
bool perftest_control_take(struct perftest_control *control, void *item, size_t *bytes);

void perftest_control_close(struct perftest_control *control);

#endif
