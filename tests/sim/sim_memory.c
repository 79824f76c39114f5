/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Far from where programs, sanitizers and EAL put things. */
#define ARENA_ADDRESS UINT64_C(0x200000000000)
#define ARENA_BYTES   (UINT64_C(64) << 20)
#define ARENA_ALIGN   64

static uint8_t *arena;
static size_t arena_used;

void
sim_memory_reset(void)
{
	arena_used = 0;
	if (arena != NULL)
		return;
	arena = mmap((void *)(uintptr_t)ARENA_ADDRESS, ARENA_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
	if (arena != (uint8_t *)(uintptr_t)ARENA_ADDRESS) {
		perror("sim: memory at a fixed address");
		exit(2);
	}
}

static uint8_t *
plane(size_t size)
{
	uint8_t *bytes = calloc(1, size);

	if (bytes == NULL)
		abort();
	return bytes;
}

void
sim_memory_init(struct sim_memory *memory, size_t size, struct sim_random *random)
{
	if (ARENA_BYTES - arena_used < size + ARENA_ALIGN) {
		fprintf(stderr, "sim: the plan asks for too much memory\n");
		exit(2);
	}
	memory->size = size;
	memory->mr = NULL;
	/* Odd start addresses are as good as others. */
	memory->bytes = arena + arena_used + sim_random_below(random, 8);
	arena_used += (size + 2 * ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	memory->model = plane(size);
	memory->unsure = plane(size);
	sim_random_fill(random, memory->bytes, size);
	memcpy(memory->model, memory->bytes, size);
}

void
sim_memory_fini(struct sim_memory *memory)
{
	free(memory->model);
	free(memory->unsure);
	memory->model = NULL;
	memory->unsure = NULL;
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
	memset(memory->unsure + at, 0, count);
}

void
sim_memory_doubt(struct sim_memory *memory, size_t at, size_t count)
{
	memset(memory->unsure + at, 1, count);
}

void
sim_memory_settle(struct sim_memory *memory)
{
	for (size_t i = 0; i < memory->size; i++) {
		if (memory->unsure[i] != 0)
			sim_memory_expect(memory, i, memory->bytes + i, 1);
	}
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
