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
 * Memory that is registered with an adapter, and what should be in it. Each byte is either known
 * (model) or unsure, because a request that failed may or may not have touched it. At the end of a
 * run every byte of every block is compared: nothing but what was posted may have written anywhere.
 *
 * Blocks lie at fixed addresses, because addresses travel in packets and a run must repeat exactly.
 */
struct sim_memory {
	uint8_t *bytes;
	uint8_t *model;
	uint8_t *unsure;     /**< one flag per byte */
	size_t unsure_begin; /**< no flag is set before ... */
	size_t unsure_end;   /**< ... and from here on */
	size_t size;
	struct nd_mr *mr;
};

/** Forget all blocks handed out: the next sim_memory_init() starts at the first address again. */
void sim_memory_reset(void);

/**
 * Fill with random bytes, of a table that is made once: a message costs a copy. Only where it
 * begins in the table is of the dice's choice.
 */
void sim_memory_fill(struct sim_random *random, uint8_t *bytes, size_t count);

/**
 * Bytes of a message, as sim_memory_fill() would write them. Where it can be, they are lent from
 * the table, so that nothing is copied. @return to be released with sim_bytes_free()
 */
const uint8_t *sim_bytes_make(struct sim_random *random, size_t count);
/** @return a copy of others, which may be changed; NULL: nothing is copied. Released likewise */
uint8_t *sim_bytes_copy(const uint8_t *from, size_t count);
/** @param bytes NULL: nothing happens */
void sim_bytes_free(const uint8_t *bytes);

/** Hand out a block with random contents. The process ends when there is none. */
void sim_memory_init(struct sim_memory *memory, size_t size, struct sim_random *random);
void sim_memory_fini(struct sim_memory *memory);

/** Write as the application does: bytes and model. */
void sim_memory_store(struct sim_memory *memory, size_t at, const void *from, size_t count);
/** Note what somebody else is to write. */
void sim_memory_expect(struct sim_memory *memory, size_t at, const void *from, size_t count);
/** From now on nobody knows. */
void sim_memory_doubt(struct sim_memory *memory, size_t at, size_t count);
/** Nobody can write there any more: what was unsure is what is there. */
void sim_memory_settle(struct sim_memory *memory);

/** @return offset of the first byte of [at, at + count) that is not as it should be, or -1. */
ptrdiff_t sim_memory_wrong(const struct sim_memory *memory, size_t at, size_t count);

/*
 * Places of requests in a block, handed out in a circle and given back in the same order.
 */
struct sim_ring {
	struct sim_memory *memory;
	uint64_t head; /**< bytes given back, free-running */
	uint64_t tail; /**< bytes handed out, free-running */
};

/** @return whether there was room; *at is the offset of count bytes in one piece. */
bool sim_ring_take(struct sim_ring *ring, size_t count, size_t *at);

#endif
