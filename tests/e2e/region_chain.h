/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_REGION_CHAIN_H
#define NDPDK_E2E_REGION_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * Registered memory that consists of many buffers. The buffers lie in random order in an arena,
 * with guard bytes between them. The functions below access the bytes without the library.
 */
struct chain {
	struct nd_adapter *adapter;
	struct nd_mr *mr;
	uint8_t *base; /**< start address of the region; not necessarily an address of memory */
	size_t total;  /**< length of the region in bytes */
	struct nd_buffer *buffers;
	size_t count;
	uint8_t *arena;
	size_t arena_bytes;
};

struct chain_plan {
	size_t count;
	/**
	 * Largest length of a buffer. Lengths are 1 .. longest bytes, and 1 is the most frequent
	 * length.
	 */
	size_t longest;
	void *base; /**< base address of the region; with NULL the library chooses one */
	uint32_t seed;
};

/** Allocate buffers, fill them with zeros, and register them. */
void chain_make(struct chain *chain, struct nd_adapter *adapter, const struct chain_plan *plan);

void chain_check_guards(const struct chain *chain);

/** Copy bytes into or out of the range [offset, offset + bytes) of the chain. */
void chain_put(const struct chain *chain, size_t offset, const uint8_t *from, size_t bytes);
void chain_get(const struct chain *chain, size_t offset, uint8_t *to, size_t bytes);

/** Check the guard bytes and free the memory. The memory must no longer be registered. */
void chain_free(struct chain *chain);

/**
 * Deregister the memory and call chain_free(). Fail the test if the memory cannot be deregistered.
 */
void chain_end(struct chain *chain);

uint32_t chain_random(uint32_t *state);

#endif
