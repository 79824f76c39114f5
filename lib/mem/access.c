/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "base/limits.h"
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

/* The values, all of them as they were before the first test. */
struct found {
	uint32_t key_wrong; /**< 0: right; so are the others */
	uint32_t owner_wrong;
	uint32_t rights_wrong;
	uint64_t range_wrong;
};

/* No value of a region or a request has so many bits, and no difference of two can fake one. */
#define RANGE_BITS 48
static_assert(LIMIT_REGION_BYTES <= UINT64_C(1) << (RANGE_BITS - 1), "see range_wrong");

/**
 * @return 0 when [address, address + length) lies in [start, start + size), else not 0. Of the
 *         three numbers in the sum below the first two are taken as they come from the peer: if
 *         both have at most RANGE_BITS bits, then what is left behind the range, size - offset -
 *         length, is negative, with its top bits set, or right. No sum of the peer's numbers wraps
 *         unseen (RC-151).
 */
static inline uint64_t
range_wrong(uint64_t start, uint64_t size, uint64_t address, uint64_t length)
{
	uint64_t offset = address - start;

	return (offset | length | (size - offset - length)) >> RANGE_BITS;
}

/** Which of the tests failed, in the order key, owner, rights, range. */
static enum mem_refusal
refusal(const struct found *found)
{
	if (found->key_wrong != 0)
		return MEM_REFUSED_KEY;
	if (found->owner_wrong != 0)
		return MEM_REFUSED_OWNER;
	return found->rights_wrong != 0 ? MEM_REFUSED_RIGHTS : MEM_REFUSED_RANGE;
}

enum mem_refusal
mem_check_remote(
	const struct mem_domain *domain, const struct mem_access *access, struct mem_span *span)
{
	const struct mem_token *token = mem_token_line(&domain->tokens, access->key);
	/* Pairs with the release in mem_token_publish(). */
	uint32_t key = __atomic_load_n(&token->key, __ATOMIC_ACQUIRE);
	uint32_t owner = __atomic_load_n(&token->owner, __ATOMIC_RELAXED);
	uint32_t place = __atomic_load_n(&token->place, __ATOMIC_RELAXED);
	uint64_t start = __atomic_load_n(&token->start, __ATOMIC_RELAXED);
	uint64_t size = __atomic_load_n(&token->length_bytes, __ATOMIC_RELAXED);
	uint32_t any_owner = 0 - (place / MEM_PLACE_OWNER_ANY & 1);
	const struct found found = {
		.key_wrong = key ^ access->key,
		.owner_wrong = (owner ^ access->owner) & ~any_owner,
		.rights_wrong = access->rights & ~place,
		.range_wrong = range_wrong(start, size, access->address, access->length_bytes),
	};

	BASE_ASSERT(rte_is_power_of_2(access->rights) && access->length_bytes > 0);
	if (unlikely((found.key_wrong | found.owner_wrong | found.rights_wrong |
			     found.range_wrong) != 0))
		return refusal(&found);
	span->region = &domain->regions[place >> MEM_PLACE_REGION_SHIFT];
	span->address = access->address;
	span->length_bytes = access->length_bytes;
	return MEM_ALLOWED;
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
