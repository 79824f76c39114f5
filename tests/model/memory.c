/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

/*
 * All buffers of a region are in one block of memory, with gaps between them. Their order in memory
 * differs from their order in the region, so that consecutive buffers of the region are never
 * adjacent in memory. Therefore a misplaced byte hits a gap or a wrong buffer.
 */

#define GAP_BYTE  0xa5
#define GAP_BYTES 3u

/*
 * Slots for pages. Three slots are unused: before all pages, after all pages, and between two
 * pages. All other pages are adjacent.
 */
#define PAGE_SLOTS (MODEL_PAGES + 3)

static void *
taken(struct model *m, size_t bytes)
{
	void *memory = malloc(bytes);

	MODEL_EXPECT(m, memory != NULL, true, "memory for the model");
	return memory;
}

static uint64_t
buffer_bytes(struct model *m, uint32_t buffer_count)
{
	uint32_t kind = model_below(m, 16);

	if (buffer_count > 100)
		return 1 + model_source_noise(&m->source) % 4;
	if (kind == 0)
		return 1 + model_below(m, buffer_count == 1 ? 70000 : 5000);
	return kind < 4 ? 1 : 1 + model_below(m, 32);
}

/** Place the buffers in the block. In memory, each buffer follows its successor in the region. */
static void
buffers_place(struct model *m, struct model_memory *memory)
{
	uint32_t first = model_below(m, memory->buffer_count);
	size_t position = GAP_BYTES;

	memory->block = taken(m, memory->block_bytes);
	memset(memory->block, GAP_BYTE, memory->block_bytes);
	for (uint32_t i = 0; i < memory->buffer_count; i++) {
		struct mem_buffer *buffer =
			&memory->buffers[(2 * memory->buffer_count - 1 + first - i) %
				memory->buffer_count];

		buffer->address = memory->block + position;
		position += buffer->length_bytes + GAP_BYTES;
	}
}

static void
places_take(struct model *m, struct model_memory *memory)
{
	memory->byte_at = taken(m, memory->length_bytes * sizeof(*memory->byte_at));
	memory->value_at = taken(m, memory->length_bytes * sizeof(*memory->value_at));
}

static void
memory_fill(struct model *m, struct model_memory *memory)
{
	uint64_t offset = 0;

	places_take(m, memory);
	memory->values = taken(m, memory->length_bytes);
	for (uint32_t i = 0; i < memory->buffer_count; i++) {
		uint8_t *bytes = memory->buffers[i].address;

		for (uint64_t j = 0; j < memory->buffers[i].length_bytes; j++, offset++) {
			bytes[j] = (uint8_t)model_source_noise(&m->source);
			memory->byte_at[offset] = &bytes[j];
			memory->value_at[offset] = &memory->values[offset];
			memory->values[offset] = bytes[j];
		}
	}
}

struct model_memory *
model_memory_create(struct model *m, uint32_t buffer_count)
{
	struct model_memory *memory = taken(m, sizeof(*memory));

	*memory = (struct model_memory){.buffer_count = buffer_count, .block_bytes = GAP_BYTES};
	memory->buffers = taken(m, buffer_count * sizeof(*memory->buffers));
	for (uint32_t i = 0; i < buffer_count; i++) {
		memory->buffers[i].length_bytes = buffer_bytes(m, buffer_count);
		memory->length_bytes += memory->buffers[i].length_bytes;
		memory->block_bytes += memory->buffers[i].length_bytes + GAP_BYTES;
	}
	buffers_place(m, memory);
	memory_fill(m, memory);
	return memory;
}

struct model_memory *
model_memory_pages(struct model *m)
{
	struct model_memory *memory = taken(m, sizeof(*memory));
	uint32_t slot = 1, hole = model_below(m, MODEL_PAGES);

	*memory = (struct model_memory){.buffer_count = MODEL_PAGES,
		.length_bytes = MODEL_PAGES * MEM_PAGE_BYTES,
		.block_bytes = PAGE_SLOTS * MEM_PAGE_BYTES};
	memory->buffers = taken(m, MODEL_PAGES * sizeof(*memory->buffers));
	memory->block = aligned_alloc(MEM_PAGE_BYTES, memory->block_bytes);
	MODEL_EXPECT(m, memory->block != NULL, true, "memory for pages");
	memset(memory->block, GAP_BYTE, memory->block_bytes);
	for (uint32_t i = 0; i < MODEL_PAGES; i++) {
		memory->buffers[i] =
			(struct mem_buffer){memory->block + slot * MEM_PAGE_BYTES, MEM_PAGE_BYTES};
		slot += i == hole ? 2 : 1;
	}
	memory_fill(m, memory);
	return memory;
}

struct model_memory *
model_memory_view(struct model *m, const struct model_memory *pages, const uint8_t *order,
	uint32_t offset, uint64_t length_bytes)
{
	struct model_memory *view = taken(m, sizeof(*view));

	*view = (struct model_memory){.length_bytes = length_bytes};
	places_take(m, view);
	for (uint64_t i = 0; i < length_bytes; i++) {
		uint64_t at = offset + i;
		uint64_t place = order[at / MEM_PAGE_BYTES] * MEM_PAGE_BYTES + at % MEM_PAGE_BYTES;

		view->byte_at[i] = pages->byte_at[place];
		view->value_at[i] = pages->value_at[place];
	}
	return view;
}

void
model_memory_destroy(struct model *m, struct model_memory *memory)
{
	if (memory == NULL)
		return;
	for (uint64_t i = 0; i < memory->length_bytes && memory->values != NULL; i++) {
		MODEL_EXPECT(
			m, *memory->byte_at[i], memory->values[i], "byte of a region at its end");
		*memory->byte_at[i] = GAP_BYTE;
	}
	/*
	 * The buffers now contain the gap value. So every byte of the block must have this value.
	 */
	for (size_t i = 0; i < memory->block_bytes; i++)
		MODEL_EXPECT(m, memory->block[i], GAP_BYTE, "byte beside the buffers");
	free(memory->byte_at);
	free(memory->value_at);
	free(memory->values);
	free(memory->block);
	free(memory->buffers);
	free(memory);
}

void
model_memory_compare(struct model *m, const struct model_memory *memory, uint64_t offset,
	const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		MODEL_EXPECT(m, bytes[i], *memory->value_at[offset + i], "byte read");
}

void
model_memory_renew(
	struct model *m, struct model_memory *memory, uint64_t offset, uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bytes[i] = (uint8_t)model_source_noise(&m->source);
		*memory->value_at[offset + i] = bytes[i];
	}
}

void
model_memory_check(
	struct model *m, const struct model_memory *memory, uint64_t offset, size_t count)
{
	uint64_t first = offset - (offset > 0);
	uint64_t end = RTE_MIN(offset + count + 1, memory->length_bytes);

	for (uint64_t i = first; i < end; i++)
		MODEL_EXPECT(m, *memory->byte_at[i], *memory->value_at[i], "byte in memory");
}

uint8_t *
model_memory_pointer(const struct model_memory *memory, uint64_t offset, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (memory->byte_at[offset + i] != memory->byte_at[offset] + i)
			return NULL;
	return memory->byte_at[offset];
}

void
model_span_use(struct model *m, const struct mem_span *span, struct model_memory *memory,
	uint64_t offset, bool writable)
{
	uint64_t from = model_below(m, (uint32_t)RTE_MIN(span->length_bytes, 70000u));
	uint64_t left = span->length_bytes - from;
	size_t count = 1 + model_below(m, (uint32_t)RTE_MIN(left, MODEL_COPY_BYTES));
	uint8_t bytes[MODEL_COPY_BYTES];

	mem_span_read(span, from, bytes, count);
	model_memory_compare(m, memory, offset + from, bytes, count);
	MODEL_EXPECT(m,
		mem_span_pointer(span, from, count) ==
			model_memory_pointer(memory, offset + from, count),
		true, "pointer of a span");
	if (!writable)
		return;
	model_memory_renew(m, memory, offset + from, bytes, count);
	mem_span_write(span, from, bytes, count);
	model_memory_check(m, memory, offset + from, count);
}
