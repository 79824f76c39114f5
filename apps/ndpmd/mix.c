/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mix.h"

#include <string.h>

void
mix_begin(struct mix *mix, const uint8_t weights[OPTIONS_OP_MIX], uint32_t first)
{
	memset(mix, 0, sizeof(*mix));
	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++) {
		mix->weights[op] = weights[op];
		mix->total += weights[op];
	}
	/*
	 * The order repeats after mix->total operations, so advancing by the remainder is
	 * sufficient.
	 */
	for (uint32_t i = first % (uint32_t)mix->total; i > 0; i--)
		mix_next(mix);
	mix->sequence = 0;
}

enum options_op
mix_next(struct mix *mix)
{
	unsigned int next = 0;

	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++) {
		mix->credits[op] += mix->weights[op];
		if (mix->credits[op] > mix->credits[next])
			next = op;
	}
	mix->credits[next] -= mix->total;
	mix->sequence++;
	return (enum options_op)next;
}
