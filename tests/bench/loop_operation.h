/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_OPERATION_H
#define NDPDK_BENCH_LOOP_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "loop_pair.h"

/*
 * Kind of request. The requests are posted in a batch at one endpoint of a pair. Then both engines
 * are polled until all results have arrived.
 */

struct loop_operation {
	const char *name;
	bool received; /**< Each request consumes a receive, which is posted before the request. */
	bool singly;   /**< Requests are posted one by one, without a batch. */
	/** Requests use the connection of loop_pair_share(), which has shared receives. */
	bool shared;
	/**
	 * Posts one request with `bytes` bytes. The measured loop contains only calls of this
	 * function.
	 */
	nd_status (*post)(struct loop_pair *pair, struct nd_result *result, uint32_t bytes);
};

extern const struct loop_operation loop_write;
extern const struct loop_operation loop_write_singly;
extern const struct loop_operation loop_send_singly;
extern const struct loop_operation loop_read;
extern const struct loop_operation loop_send;
extern const struct loop_operation loop_send_imm;
extern const struct loop_operation loop_send_srq;  /**< SEND with a shared receive queue */
extern const struct loop_operation loop_fetch_add; /**< bytes must be 8 */

/**
 * Execute an operation `count` times from side 0 to side 1, and wait for the results of both sides.
 * End the process if a request fails.
 * @param bytes number of bytes, at most the pair's memory_bytes
 * @param count 1 to LOOP_DEPTH_MAX
 */
void loop_operation_run(struct loop_pair *pair, const struct loop_operation *operation,
	uint32_t bytes, uint32_t count);

#endif
