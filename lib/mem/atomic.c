/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include "base/assert.h"
#include "mem/mem.h"

/*
 * Atomic operations on registered memory. Threads of the application may change the same bytes with
 * atomic instructions at the same time, so the operation is an atomic instruction if the bytes are
 * aligned. The memory order is sequentially consistent, because after the answer the peer may rely
 * on the state of any other byte.
 */

#define ATOMIC_BYTES sizeof(uint64_t)

/**
 * @return pointer to the 8 bytes for an atomic instruction; NULL: not contiguous or not aligned.
 */
static uint64_t *
operand(const struct mem_span *span)
{
	void *bytes = mem_span_pointer(span, 0, ATOMIC_BYTES);

	BASE_ASSERT(span->length_bytes == ATOMIC_BYTES);
	return (uintptr_t)bytes % ATOMIC_BYTES == 0 ? bytes : NULL;
}

static uint64_t
read_operand(const struct mem_span *span)
{
	uint64_t value;

	mem_span_read(span, 0, &value, sizeof(value));
	return value;
}

uint64_t
mem_span_fetch_add(const struct mem_span *span, uint64_t add)
{
	uint64_t *at = operand(span);
	uint64_t before, after;

	if (likely(at != NULL))
		return __atomic_fetch_add(at, add, __ATOMIC_SEQ_CST);
	before = read_operand(span);
	after = before + add;
	mem_span_write(span, 0, &after, sizeof(after));
	return before;
}

uint64_t
mem_span_compare_swap(const struct mem_span *span, uint64_t compare, uint64_t swap)
{
	uint64_t *at = operand(span);
	uint64_t before = compare;

	if (likely(at != NULL)) {
		/*
		 * If the values differ, the instruction stores the current value in `before`. If
		 * they are equal, `before` already has this value.
		 */
		(void)__atomic_compare_exchange_n(
			at, &before, swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return before;
	}
	before = read_operand(span);
	if (before == compare)
		mem_span_write(span, 0, &swap, sizeof(swap));
	return before;
}
