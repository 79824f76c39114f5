/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/source.h"

#include <string.h>

uint64_t
model_source_noise(struct model_source *source)
{
	uint64_t z = source->tail += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

bool
model_source_next(struct model_source *source)
{
	uint64_t half[2];

	static_assert(sizeof(half) == MEM_MODEL_RECORD_BYTES, "a record is two words");
	if (source->random != NULL) {
		half[0] = base_random_u64(source->random);
		half[1] = base_random_u64(source->random);
		memcpy(source->record, half, sizeof(half));
	} else {
		if (source->byte_count < MEM_MODEL_RECORD_BYTES)
			return false;
		memcpy(source->record, source->bytes, MEM_MODEL_RECORD_BYTES);
		source->bytes += MEM_MODEL_RECORD_BYTES;
		source->byte_count -= MEM_MODEL_RECORD_BYTES;
		memcpy(half, source->record, sizeof(half));
	}
	source->used_bytes = 0;
	source->tail = half[0] ^ (half[1] << 1 | half[1] >> 63);
	return true;
}

static uint32_t
byte_take(struct model_source *source)
{
	if (source->used_bytes < MEM_MODEL_RECORD_BYTES)
		return source->record[source->used_bytes++];
	return (uint32_t)(model_source_noise(source) & UINT8_MAX);
}

uint32_t
model_source_below(struct model_source *source, uint32_t bound)
{
	uint32_t value = 0;

	if (bound <= 1)
		return 0;
	for (uint64_t reach = 1; reach < bound; reach <<= 8)
		value = value << 8 | byte_take(source);
	return value % bound;
}
