/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_SOURCE_H
#define NDPDK_MODEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "model/mem_model.h"

/** Source of all random decisions: records from a random generator, or records from given bytes. */
struct model_source {
	struct base_random *random; /**< NULL if decisions come from given bytes */
	const uint8_t *bytes;
	size_t byte_count;

	uint8_t record[MEM_MODEL_RECORD_BYTES];
	uint32_t used_bytes;
	uint64_t tail; /**< state of the generator that continues after the end of the record */
};

/** Take the next record. @return false if no more records exist */
bool model_source_next(struct model_source *source);

/** @return a decision in the range 0 .. bound - 1. The bound must be at least 1. */
uint32_t model_source_below(struct model_source *source, uint32_t bound);

/**
 * @return 64 random bits from the generator of the record. They are used for contents, not for
 * decisions.
 */
uint64_t model_source_noise(struct model_source *source);

#endif
