/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_MIX_H
#define NDPDK_NDPMD_MIX_H

#include <stdint.h>

#include "options.h"

/*
 * The order of the operations of a mix: smooth weighted round robin. Each turn gives every
 * operation its weight as credit; the one with the most credit is next, and pays the sum of all
 * weights. So after as many turns as this sum each operation was next as often as its weight says,
 * spread evenly. Both ends of a connection know the weights, and compute the same order.
 */

/** A place in the order. All zero but the weights is its begin. */
struct mix {
	uint64_t sequence; /**< number of the operation that mix_next() tells next */
	int32_t total;     /**< of the weights */
	int32_t weights[OPTIONS_OP_MIX], credits[OPTIONS_OP_MIX];
};

/**
 * @param weights of each enum options_op below OPTIONS_OP_MIX; 0 = not in the mix; not all are 0
 * @param first queue pairs begin at different places, so that not all of them do the same at once:
 *        number of the first operation, counted from the begin of the order
 */
void mix_begin(struct mix *mix, const uint8_t weights[OPTIONS_OP_MIX], uint32_t first);

/** @return what operation number mix->sequence is, which grows by one. */
enum options_op mix_next(struct mix *mix);

#endif
