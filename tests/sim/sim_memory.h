/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_MEMORY_H
#define NDPDK_SIM_SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

#include "sim_random.h"

/*
 * Memory that is registered with an adapter, and a model of its expected contents. Each byte is
 * either known (its value must equal the model) or unsure (a failed request may have written it).
 * At the end of a run, every byte of every block is compared, to prove that only posted requests
 * have written.
 *
 * Blocks have fixed addresses, because packets contain addresses and runs must be repeatable.
 */
struct sim_memory {
	uint8_t *bytes;
	uint8_t *model;
	uint8_t *unsure;     /**< one flag per byte */
	size_t unsure_begin; /**< offset of the first byte that may be unsure */
	size_t unsure_end;   /**< offset after the last byte that may be unsure */
	size_t size;
	struct nd_mr *mr;
};

/** Free all blocks. The next sim_memory_init() allocates from the first address again. */
void sim_memory_reset(void);

/**
 * Fill memory with random bytes. The bytes are copied from a random offset of a table, because a
 * copy is faster than generating each byte. The table is generated once.
 */
void sim_memory_fill(struct sim_random *random, uint8_t *bytes, size_t count);

/**
 * Make the same bytes that sim_memory_fill() would write. If possible, the result points into the
 * table, which saves a copy.
 * @return the bytes; release them with sim_bytes_free()
 */
const uint8_t *sim_bytes_make(struct sim_random *random, size_t count);
/** @return a copy that may be modified; release it with sim_bytes_free(). NULL if `from` is NULL */
uint8_t *sim_bytes_copy(const uint8_t *from, size_t count);
/** Release the bytes. @param bytes may be NULL */
void sim_bytes_free(const uint8_t *bytes);

/** Allocate a block, and fill it with random bytes. End the process if the arena has no room. */
void sim_memory_init(struct sim_memory *memory, size_t size, struct sim_random *random);
void sim_memory_fini(struct sim_memory *memory);

/** Write bytes into the memory and the model, as the application does. */
void sim_memory_store(struct sim_memory *memory, size_t at, const void *from, size_t count);
/** Write bytes into the model only, because a request will write them into the memory. */
void sim_memory_expect(struct sim_memory *memory, size_t at, const void *from, size_t count);
/** Mark bytes as unsure. */
void sim_memory_doubt(struct sim_memory *memory, size_t at, size_t count);
/**
 * Accept the current values of all unsure bytes. No request may still be able to write these bytes.
 */
void sim_memory_settle(struct sim_memory *memory);

/**
 * @return offset of the first byte in [at, at + count) that differs from the model; -1 if no byte
 * differs
 */
ptrdiff_t sim_memory_wrong(const struct sim_memory *memory, size_t at, size_t count);

/*
 * A ring allocator for the memory of requests, within a block. Memory is freed in the order of its
 * allocation.
 */
struct sim_ring {
	struct sim_memory *memory;
	uint64_t head; /**< bytes freed, free-running */
	uint64_t tail; /**< bytes allocated, free-running */
};

/** Allocate contiguous bytes, and set *at to their offset. @return false if the ring has no room */
bool sim_ring_take(struct sim_ring *ring, size_t count, size_t *at);

#endif
