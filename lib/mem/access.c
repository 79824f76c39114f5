/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>

#include <rte_branch_prediction.h>
#include <rte_prefetch.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/yield.h"
#include "mem/domain.h"
#include "mem/mem.h"

/*
 * Check of a remote access. One cache line of the key table contains all data for the check: key,
 * owner, rights, range. The check always executes all four tests, so that the time of a refusal
 * does not show the peer which test failed (SEC-030). The failed test is determined afterwards, for
 * the counters.
 *
 * Readers call this without a lock. token.c explains why all members that a reader loads belong to
 * the key that it loads. The bytes stay accessible until the reader's next quiescent state. The
 * caller checks each packet of a message again (RC-030, RC-057).
 */

/* Limit of range_wrong(): lengths of regions and requests are below 2^48 bytes. */
#define RANGE_BITS 48
static_assert(LIMIT_REGION_BYTES <= UINT64_C(1) << (RANGE_BITS - 1), "see range_wrong()");
static_assert(MEM_REGION_STRIDE == 1 << MEM_PLACE_REGION_SHIFT, "see MEM_PLACE_REGION_MASK");

/**
 * Range test without branches and without a sum that can wrap (RC-151). Three byte counts are
 * computed: from the start of the range to the access, of the access, and from the access to the
 * end of the range. If the access is inside, all three are below 2^48. If it is outside, at least
 * one of them is negative, which is an unsigned number near 2^64.
 *
 * @return 0 if [address, address + length) is inside [start, end), else not 0
 */
static inline uint64_t
range_wrong(uint64_t start, uint64_t end, uint64_t address, uint64_t length)
{
	return ((address - start) | length | (end - address - length)) >> RANGE_BITS;
}

/**
 * Table of the first failed test. The index has one bit each for key, owner and rights, which is
 * set if the test passed.
 */
static const uint8_t first_wrong[8] = {
	MEM_REFUSED_KEY,
	MEM_REFUSED_KEY,
	MEM_REFUSED_KEY,
	MEM_REFUSED_KEY,
	MEM_REFUSED_OWNER,
	MEM_REFUSED_OWNER,
	MEM_REFUSED_RIGHTS,
	MEM_REFUSED_RANGE,
};

/**
 * Determine which test failed, in the order key, owner, rights, range. Only the counters use the
 * result. The token is loaded again, because an allowed access then need not keep values for this
 * function. If the token has changed since the check, the result may name another test, but the
 * access stays refused.
 */
static __rte_noinline __rte_cold enum mem_refusal
refusal(const struct mem_domain *domain, const struct mem_access *access)
{
	const struct mem_token *token = mem_token_line(&domain->tokens, access->key);
	uint32_t place = __atomic_load_n(&token->place, __ATOMIC_RELAXED);
	uint32_t owner = __atomic_load_n(&token->owner, __ATOMIC_RELAXED);
	bool key_right = __atomic_load_n(&token->key, __ATOMIC_RELAXED) == access->key;
	bool owner_right = ((place & MEM_PLACE_OWNER_ANY) != 0) | (owner == access->owner);
	bool rights_right = (access->rights & ~place) == 0;

	/*
	 * Use a table instead of branches: with branches, the time would depend on the branch
	 * predictor (SEC-030).
	 */
	return first_wrong[key_right << 2 | owner_right << 1 | rights_right];
}

void
mem_prefetch_remote(const struct mem_domain *domain, uint32_t key)
{
	rte_prefetch0(mem_token_line(&domain->tokens, key));
}

/** Execute the check. @return whether the access is allowed; if so, span is set */
static __rte_always_inline bool
allowed(const struct mem_domain *domain, const struct mem_access *access, struct mem_span *span)
{
	const struct mem_token *token = mem_token_line(&domain->tokens, access->key);
	/* Acquire: pairs with the release store of the key in mem_token_publish(). */
	uint32_t wrong = __atomic_load_n(&token->key, __ATOMIC_ACQUIRE) ^ access->key;
	uint32_t place = __atomic_load_n(&token->place, __ATOMIC_RELAXED);
	uint32_t any_owner = (uint32_t)((int32_t)place >> 31); /* all ones, or 0 */
	uint64_t start, end;

	BASE_ASSERT(rte_is_power_of_2(access->rights) && access->length_bytes > 0);
	BASE_YIELD();
	wrong |= access->rights & ~place;
	wrong |= (__atomic_load_n(&token->owner, __ATOMIC_RELAXED) ^ access->owner) & ~any_owner;
	start = __atomic_load_n(&token->start, __ATOMIC_RELAXED);
	end = __atomic_load_n(&token->end, __ATOMIC_RELAXED);
	if (unlikely((range_wrong(start, end, access->address, access->length_bytes) | wrong) != 0))
		return false;
	span->region = RTE_PTR_ADD(domain->regions, place & MEM_PLACE_REGION_MASK);
	span->address = access->address;
	span->length_bytes = access->length_bytes;
	BASE_YIELD();
	return true;
}

enum mem_refusal
mem_check_remote(
	const struct mem_domain *domain, const struct mem_access *access, struct mem_span *span)
{
	return likely(allowed(domain, access, span)) ? MEM_ALLOWED : refusal(domain, access);
}

/** @return offset in the region of a span's byte `offset`; all `bytes` are in the span */
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

bool
mem_remote_write(const struct mem_domain *domain, uint32_t key, uint32_t owner, uint64_t address,
	const void *from, size_t bytes)
{
	const struct mem_access access = {
		.address = address,
		.key = key,
		.owner = owner,
		.length_bytes = bytes,
		.rights = MEM_REMOTE_WRITE,
	};
	struct mem_span span = {0};

	if (unlikely(!allowed(domain, &access, &span)))
		return false;
	mem_span_write(&span, 0, from, bytes);
	return true;
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
