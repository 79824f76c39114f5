/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "mem/domain.h"
#include "mem/mem.h"

/*
 * Remote access: one line of the key table answers everything. All four tests are made whatever
 * their outcome, on values that are in that one line, so that how long a refusal takes does not
 * tell which of them failed (SEC-030); which it was is worked out afterwards, for counters.
 *
 * Runs on readers, without a lock; token.c explains why the fields belong to the key. What was
 * checked stays readable and writable until the reader's next quiescent state; checking again for
 * each packet of a message (RC-030, RC-057) is the caller's part.
 */

enum mem_refusal
mem_check_remote(
	const struct mem_domain *domain, const struct mem_access *access, struct mem_span *span)
{
	const struct mem_token *token = mem_token_line(&domain->tokens, access->key);
	/* Pairs with the release in mem_token_publish(). */
	uint32_t key = __atomic_load_n(&token->key, __ATOMIC_ACQUIRE);
	uint32_t owner = __atomic_load_n(&token->owner, __ATOMIC_RELAXED);
	uint32_t rights = __atomic_load_n(&token->rights, __ATOMIC_RELAXED);
	uint64_t start = __atomic_load_n(&token->start, __ATOMIC_RELAXED);
	uint64_t end = __atomic_load_n(&token->end, __ATOMIC_RELAXED);
	bool key_right = key == access->key;
	bool owner_right = (owner == MEM_OWNER_ANY) | (owner == access->owner);
	bool rights_right = (access->rights & ~rights) == 0;
	/* No sum of the peer's numbers: they may wrap (RC-151). */
	bool range_right = (access->address >= start) & (access->address < end) &
		(access->length_bytes <= end - access->address);

	BASE_ASSERT(rte_is_power_of_2(access->rights));
	if (likely(key_right & owner_right & rights_right & range_right)) {
		span->region = __atomic_load_n(&token->region, __ATOMIC_RELAXED);
		span->address = access->address;
		span->length_bytes = access->length_bytes;
		return MEM_ALLOWED;
	}
	if (!key_right)
		return MEM_REFUSED_KEY;
	if (!owner_right)
		return MEM_REFUSED_OWNER;
	return rights_right ? MEM_REFUSED_RANGE : MEM_REFUSED_RIGHTS;
}

/** @return offset in the region's bytes. */
static uint64_t
span_offset(const struct mem_span *span, uint64_t offset, size_t bytes)
{
	BASE_ASSERT(offset <= span->length_bytes && bytes <= span->length_bytes - offset);
	return span->address - span->region->base + offset;
}

void
mem_span_write(const struct mem_span *span, uint64_t offset, const void *from, size_t bytes)
{
	mem_segments_write(&span->region->segments, span_offset(span, offset, bytes), from, bytes);
}

void
mem_span_read(const struct mem_span *span, uint64_t offset, void *to, size_t bytes)
{
	mem_segments_read(&span->region->segments, span_offset(span, offset, bytes), to, bytes);
}

void *
mem_span_pointer(const struct mem_span *span, uint64_t offset, size_t bytes)
{
	return mem_segments_pointer(
		&span->region->segments, span_offset(span, offset, bytes), bytes);
}
