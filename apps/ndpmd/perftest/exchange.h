/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_EXCHANGE_H
#define NDPDK_PERFTEST_EXCHANGE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "ndpmd/options.h"

/*
 * The data that ib_write_bw, ib_read_bw, ib_send_bw and the _lat programs of perftest 4.5 exchange
 * with -R, as observed. No socket is used. The client opens a control connection and then one
 * connection for each queue pair of the test. All connections use the same RDMA CM port and no
 * private data. On the control connection, each item is one Send of the item's length. The client
 * always sends first, and the server answers with an item of the same kind. Therefore one receive
 * at each side is enough:
 *
 *   version       16 bytes: text, "6.06" in 4.5; both sides refuse versions before 5.70
 *   cycle         4 bytes: page size; both sides use the larger one
 *   cache line    4 bytes: both sides use the larger one
 *   path MTU      2 bytes: text, '1' = 256 .. '5' = 4096; not used with -R
 *   place         56 bytes, all zero: the server now listens for the queue pairs' connections
 *   ... the client opens the queue pairs' connections
 *   place         56 bytes, all zero
 *   places        key and address of the queue pairs, see perftest_turn_at()
 *   ... the test
 *   [ place, five values: size, iterations, peak, average, messages per second ], place
 *
 * Numbers are in network byte order. The kind of test, sizes, and counts of queue pairs and
 * iterations are not exchanged, because the user starts both programs with the same options.
 */

#define PERFTEST_VERSION       "6.06"
#define PERFTEST_VERSION_BYTES 16u
#define PERFTEST_NUMBER_BYTES  4u
#define PERFTEST_MTU_BYTES     2u
#define PERFTEST_VALUE_BYTES   8u
#define PERFTEST_VALUE_COUNT   5u
#define PERFTEST_CYCLE_BYTES   4096u
#define PERFTEST_CACHE_LINE    64u
/* Size of the longest item. */
#define PERFTEST_ITEM_MAX      56u

/**
 * A "place": key and address of a queue pair's memory. With RDMA CM, only the members key and
 * address are needed.
 */
struct __rte_packed perftest_place {
	rte_be32_t lid;
	rte_be32_t reads;
	rte_be32_t qpn;
	rte_be32_t psn;
	rte_be32_t key;
	uint8_t reserved[4];
	rte_be64_t address;
	uint8_t gid[16];
	rte_be32_t srq;
	rte_be32_t gid_index;
};

static_assert(sizeof(struct perftest_place) == PERFTEST_ITEM_MAX, "bytes of a place");
static_assert(offsetof(struct perftest_place, address) == 24, "aligned as in C");

/** The values that are exchanged after the test, in this order. */
enum perftest_value {
	PERFTEST_VALUE_SIZE,       /**< integer */
	PERFTEST_VALUE_ITERATIONS, /**< integer: messages of all queue pairs together */
	PERFTEST_VALUE_PEAK,       /**< double, MiB/s */
	PERFTEST_VALUE_AVERAGE,    /**< double, MiB/s */
	PERFTEST_VALUE_RATE,       /**< double, 10^6 messages per second */
};

/** The facts that both sides know from their options before they connect. */
struct perftest_plan {
	enum options_op op; /**< send, write or read */
	bool latency;
	uint32_t qps; /**< number of queue pairs; 1 for latency */
};

enum perftest_step {
	PERFTEST_STEP_VERSION,
	PERFTEST_STEP_CYCLE,
	PERFTEST_STEP_CACHE_LINE,
	PERFTEST_STEP_MTU,
	PERFTEST_STEP_BLANK,   /**< a place of zeroes */
	PERFTEST_STEP_CONNECT, /**< no item is exchanged; the client connects the queue pairs */
	PERFTEST_STEP_PLACE,
	PERFTEST_STEP_TEST, /**< no item is exchanged, and the test runs */
	PERFTEST_STEP_VALUE,
	PERFTEST_STEP_END, /**< no item is exchanged, and the exchange is complete */
};

struct perftest_turn {
	enum perftest_step step;
	uint32_t index; /**< PLACE: number of the queue pair; VALUE: an enum perftest_value */
};

/**
 * @return a turn of the exchange (an item of each side, or a step without items). After the last
 *         turn, the result is END.
 * @param number 0 for the first turn
 */
struct perftest_turn perftest_turn_at(const struct perftest_plan *plan, uint32_t number);

/** @return length in bytes of the step's item; 0 = the step has no item. */
uint32_t perftest_step_bytes(enum perftest_step step);

/** @return the 64 bits of a double, in network byte order. */
rte_be64_t perftest_value_of_double(double value);
double perftest_double_of_value(rte_be64_t value);

#endif
