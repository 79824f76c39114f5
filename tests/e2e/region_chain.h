/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_REGION_CHAIN_H
#define NDPDK_E2E_REGION_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * Registered memory of many buffers, which lie shuffled in an arena with guard bytes between them.
 * Its bytes are found without the library.
 */
struct chain {
	struct nd_adapter *adapter;
	struct nd_mr *mr;
	uint8_t *base; /**< a number */
	size_t total;  /**< bytes */
	struct nd_buffer *buffers;
	size_t count;
	uint8_t *arena;
	size_t arena_bytes;
};

struct chain_plan {
	size_t count;
	size_t longest; /**< lengths are 1 .. longest, more ones than others */
	void *base;     /**< NULL: the library's choice */
	uint32_t seed;
};

/** Make buffers of zeros and register them. */
void chain_make(struct chain *chain, struct nd_adapter *adapter, const struct chain_plan *plan);

/** Fail the test when a byte between the buffers has changed. */
void chain_check_guards(const struct chain *chain);

/** Copy [offset, offset + bytes) in and out. */
void chain_put(const struct chain *chain, size_t offset, const uint8_t *from, size_t bytes);
void chain_get(const struct chain *chain, size_t offset, uint8_t *to, size_t bytes);

/** Check the guards and free everything; the registration has ended. */
void chain_free(struct chain *chain);

/** Deregister, which must succeed, then chain_free(). */
void chain_end(struct chain *chain);

/** @return next number of a sequence. */
uint32_t chain_random(uint32_t *state);

#endif
