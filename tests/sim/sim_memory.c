/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <rte_common.h>

/* Address that is far from the mappings of programs, sanitizers and EAL. */
#define ARENA_ADDRESS UINT64_C(0x200000000000)
#define ARENA_BYTES   (UINT64_C(64) << 20)
#define ARENA_ALIGN   64

/*
 * Size of the table of random bytes. The table is longer than any block, so two messages rarely
 * have equal bytes.
 */
#define TABLE_BYTES (UINT64_C(512) << 10)
/* Maximum number of random bytes that are generated. Longer sequences are copied from the table. */
#define DICE_BYTES  64

#define SETTLE_BYTES 256

static uint8_t *arena;
static size_t arena_used;
/*
 * Expected value of each byte of the arena, and a flag for each byte that is set if this value is
 * unsure.
 */
static uint8_t *models;
static uint8_t *unsures; /* all zero outside of blocks */
static uint8_t table[TABLE_BYTES];

static uint8_t *
plane_map(void *address, int flags)
{
	uint8_t *plane = mmap(address, ARENA_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	if (plane == MAP_FAILED || (address != NULL && plane != address)) {
		perror("sim: memory of applications");
		exit(2);
	}
	return plane;
}

void
sim_memory_reset(void)
{
	struct sim_random random = sim_random_stream(0, 0);

	arena_used = 0;
	if (arena != NULL)
		return;
	arena = plane_map((void *)(uintptr_t)ARENA_ADDRESS, MAP_FIXED_NOREPLACE);
	models = plane_map(NULL, 0);
	unsures = plane_map(NULL, 0);
	sim_random_fill(&random, table, sizeof(table));
}

void
sim_memory_fill(struct sim_random *random, uint8_t *bytes, size_t count)
{
	while (count > DICE_BYTES) {
		size_t part = RTE_MIN(count, sizeof(table) / 2);

		memcpy(bytes, table + sim_random_below(random, sizeof(table) - part), part);
		bytes += part;
		count -= part;
	}
	sim_random_fill(random, bytes, count);
}

uint8_t *
sim_bytes_copy(const uint8_t *from, size_t count)
{
	uint8_t *bytes = malloc(count + 1);

	if (bytes == NULL)
		abort();
	if (from != NULL && count != 0)
		memcpy(bytes, from, count);
	return bytes;
}

const uint8_t *
sim_bytes_make(struct sim_random *random, size_t count)
{
	uint8_t *bytes;

	if (count > DICE_BYTES && count <= sizeof(table) / 2)
		return table + sim_random_below(random, (uint32_t)(sizeof(table) - count));
	bytes = sim_bytes_copy(NULL, count);
	sim_memory_fill(random, bytes, count);
	return bytes;
}

void
sim_bytes_free(const uint8_t *bytes)
{
	bool lent = (uintptr_t)bytes - (uintptr_t)table < sizeof(table);

	if (!lent)
		free((void *)(uintptr_t)bytes);
}

void
sim_memory_init(struct sim_memory *memory, size_t size, struct sim_random *random)
{
	size_t at;

	if (ARENA_BYTES - arena_used < size + ARENA_ALIGN) {
		fprintf(stderr, "sim: the plan requires too much memory\n");
		exit(2);
	}
	/* Start at a random address, because requests need no alignment. */
	at = arena_used + sim_random_below(random, 8);
	arena_used += (size + 2 * ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	*memory = (struct sim_memory){
		.bytes = arena + at,
		.model = models + at,
		.unsure = unsures + at,
		.size = size,
	};
	sim_memory_fill(random, memory->bytes, size);
	memcpy(memory->model, memory->bytes, size);
}

void
sim_memory_fini(struct sim_memory *memory)
{
	memset(memory->unsure + memory->unsure_begin, 0, memory->unsure_end - memory->unsure_begin);
	memory->unsure_begin = 0;
	memory->unsure_end = 0;
}

void
sim_memory_store(struct sim_memory *memory, size_t at, const void *from, size_t count)
{
	if (count != 0)
		memcpy(memory->bytes + at, from, count);
	sim_memory_expect(memory, at, from, count);
}

void
sim_memory_expect(struct sim_memory *memory, size_t at, const void *from, size_t count)
{
	if (count == 0)
		return;
	memcpy(memory->model + at, from, count);
	if (at < memory->unsure_end)
		memset(memory->unsure + at, 0, count);
}

void
sim_memory_doubt(struct sim_memory *memory, size_t at, size_t count)
{
	if (count == 0)
		return;
	memset(memory->unsure + at, 1, count);
	memory->unsure_begin = memory->unsure_end == 0 ? at : RTE_MIN(memory->unsure_begin, at);
	memory->unsure_end = RTE_MAX(memory->unsure_end, at + count);
}

/** Copy the unsure bytes of a piece from memory to the model, and mark them as known. */
static void
piece_settle(struct sim_memory *memory, size_t at, size_t count)
{
	const uint8_t *restrict bytes = memory->bytes + at;
	uint8_t *restrict unsure = memory->unsure + at, *restrict model = memory->model + at;

	/* The loop has no branches, so that the compiler can vectorise it. */
	for (size_t i = 0; i < count; i++)
		model[i] = unsure[i] != 0 ? bytes[i] : model[i];
	memset(unsure, 0, count);
}

void
sim_memory_settle(struct sim_memory *memory)
{
	static const uint8_t sure[SETTLE_BYTES];

	/*
	 * Skip ranges without set flags, because most bytes between the first and the last unsure
	 * byte are known.
	 */
	for (size_t at = memory->unsure_begin; at < memory->unsure_end; at += SETTLE_BYTES) {
		size_t count = RTE_MIN(memory->unsure_end - at, sizeof(sure));

		if (memcmp(memory->unsure + at, sure, count) != 0)
			piece_settle(memory, at, count);
	}
	memory->unsure_begin = 0;
	memory->unsure_end = 0;
}

ptrdiff_t
sim_memory_wrong(const struct sim_memory *memory, size_t at, size_t count)
{
	if (memcmp(memory->bytes + at, memory->model + at, count) == 0)
		return -1;
	for (size_t i = at; i < at + count; i++) {
		if (memory->bytes[i] != memory->model[i] && memory->unsure[i] == 0)
			return (ptrdiff_t)i;
	}
	return -1;
}

bool
sim_ring_take(struct sim_ring *ring, size_t count, size_t *at)
{
	size_t size = ring->memory->size;
	size_t offset = ring->tail % size;
	size_t skip = offset + count > size ? size - offset : 0;

	if (ring->tail + skip + count - ring->head > size)
		return false;
	*at = (offset + skip) % size;
	ring->tail += skip + count;
	return true;
}
