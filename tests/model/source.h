/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_SOURCE_H
#define NDPDK_MODEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "model/mem_model.h"

/** Where decisions come from: records made by a generator, or cut from bytes. */
struct model_source {
	struct base_random *random; /**< NULL: bytes */
	const uint8_t *bytes;
	size_t byte_count;

	uint8_t record[MEM_MODEL_RECORD_BYTES];
	uint32_t used_bytes;
	uint64_t tail; /**< generator behind the record */
};

/** Go on to the next record. @return false: there is none. */
bool model_source_next(struct model_source *source);

/** @return a decision of 0 .. bound - 1; bound >= 1. */
uint32_t model_source_below(struct model_source *source, uint32_t bound);

/** @return 64 bits of the generator behind the record, for contents that decide nothing. */
uint64_t model_source_noise(struct model_source *source);

#endif
