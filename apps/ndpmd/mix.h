/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_MIX_H
#define NDPDK_NDPMD_MIX_H

#include <stdint.h>

#include "options.h"

/*
 * The order of the operations of a mix, computed by smooth weighted round robin. In each step,
 * every operation gets its weight as credit. The operation with the most credit is next, and its
 * credit is reduced by the sum of all weights. After sum-of-weights steps, each operation has been
 * next as often as its weight says, evenly spread. Both ends of a connection know the weights and
 * compute the same order.
 */

struct mix {
	uint64_t sequence; /**< number of the operation that the next mix_next() returns */
	int32_t total;     /**< sum of the weights */
	int32_t weights[OPTIONS_OP_MIX], credits[OPTIONS_OP_MIX];
};

/**
 * Start the order of a mix.
 *
 * @param weights weight of each enum options_op below OPTIONS_OP_MIX. A weight of 0 means that the
 *        operation is not in the mix. Not all weights are 0.
 * @param first position of the first operation in the order. Queue pairs begin at different
 *        positions, so that they do not all execute the same operation at the same time.
 */
void mix_begin(struct mix *mix, const uint8_t weights[OPTIONS_OP_MIX], uint32_t first);

/** @return operation number mix->sequence. Increments mix->sequence. */
enum options_op mix_next(struct mix *mix);

#endif
