/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/yield.h"
#include "mem/domain.h"
#include "mem/mem.h"

/*
 * Access to local buffers by scatter/gather lists. An entry contains the handle of its region, so
 * no key is looked up: the handle must be a live region of the domain, and the range must be inside
 * it. The application may have deregistered the region since posting, so each use checks again.
 * Entries of no bytes pass unchecked. The handle of a fast region covers no memory, so its live
 * registration is checked instead.
 */

/** @return whether the entry's range is inside the region, and the region has the right */
static __rte_always_inline bool
region_allows(const struct mem_region *region, const struct mem_sge *sge, uint32_t right)
{
	uint64_t offset = sge->address - region->base;

	return sge->address >= region->base && offset < region->length_bytes &&
		sge->length_bytes <= region->length_bytes - offset &&
		(region->rights & right) == right;
}

/**
 * Slow path of sge_region(): the entry's region does not allow the access. If it is a fast region,
 * check its live registration (fast.c).
 */
static __rte_noinline const struct mem_region *
body_allowing(const struct mem_domain *domain, const struct mem_sge *sge, uint32_t right)
{
	/* Acquire: pairs with the release in mem_fast_execute(). */
	uint32_t index = __atomic_load_n(&sge->region->body, __ATOMIC_ACQUIRE);
	const struct mem_region *body = &domain->regions[index];

	BASE_YIELD();
	return index != 0 && region_allows(body, sge, right) ? body : NULL;
}

/**
 * Check an entry of at least one byte.
 *
 * @param right right that the region must have: MEM_LOCAL_WRITE, MEM_READ_SINK or MEM_LOCAL_READ
 * @return region that contains the bytes, valid until the reader's next quiescent state; NULL: the
 *         access is refused
 */
static __rte_always_inline const struct mem_region *
sge_region(const struct mem_domain *domain, const struct mem_sge *sge, uint32_t right)
{
	if (unlikely(!mem_domain_has_region(domain, sge->region)))
		return NULL;
	if (unlikely(!region_allows(sge->region, sge, right)))
		return body_allowing(domain, sge, right);
	BASE_YIELD();
	return sge->region;
}

enum rc_status
mem_sgl_check(const struct mem_domain *domain, const struct mem_sgl *sgl, uint32_t right)
{
	for (uint32_t i = 0; i < sgl->count; i++)
		if (sgl->sges[i].length_bytes != 0 &&
			sge_region(domain, &sgl->sges[i], right) == NULL)
			return RC_LOCAL_PROTECTION;
	return RC_OK;
}

/** The part [offset, offset + bytes) of one entry, which a copy reads or writes. */
struct piece {
	const struct mem_sge *sge;
	uint64_t offset;
	size_t bytes;
};

/** Iterator over the entries that contain [offset, offset + bytes) of a list. */
struct walk {
	const struct mem_sge *next;
	const struct mem_sge *end;
	uint64_t offset; /**< offset from the start of `next` */
	size_t bytes;    /**< bytes left */
};

static struct walk
walk_start(const struct mem_sgl *sgl, uint64_t offset, size_t bytes)
{
	/*
	 * Do not add to sges if the list is empty, because the pointer may be NULL, and adding to
	 * NULL is undefined.
	 */
	const struct mem_sge *end = sgl->count == 0 ? sgl->sges : sgl->sges + sgl->count;

	return (struct walk){.next = sgl->sges, .end = end, .offset = offset, .bytes = bytes};
}

/**
 * Take the next piece, without checking the region of its entry. @return false: no entry is left
 */
static bool
walk_take(struct walk *walk, struct piece *piece)
{
	const struct mem_sge *sge = walk->next;

	for (; sge < walk->end && walk->offset >= sge->length_bytes; sge++)
		walk->offset -= sge->length_bytes;
	if (sge == walk->end)
		return false;
	piece->sge = sge;
	piece->offset = walk->offset;
	piece->bytes = (size_t)RTE_MIN((uint64_t)walk->bytes, sge->length_bytes - walk->offset);
	walk->bytes -= piece->bytes;
	walk->next = sge + 1;
	walk->offset = 0;
	return true;
}

/** @return offset of the piece in its region. The entry must have been checked. */
static uint64_t
piece_offset(const struct piece *piece, const struct mem_region *region)
{
	return piece->sge->address - region->base + piece->offset;
}

const void *
mem_sge_pointer(const struct mem_domain *domain, const struct mem_sge *sge)
{
	const struct mem_region *region = sge_region(domain, sge, MEM_LOCAL_READ);

	BASE_ASSERT(sge->length_bytes > 0);
	if (region == NULL || region->segments.tree != NULL)
		return NULL;
	return region->segments.first + (sge->address - region->base);
}

const void *
mem_sgl_pointer(
	const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset, size_t bytes)
{
	struct walk walk = walk_start(sgl, offset, bytes);
	const struct mem_region *region;
	struct piece piece;

	if (bytes == 0 || !walk_take(&walk, &piece) || walk.bytes != 0)
		return NULL;
	region = sge_region(domain, piece.sge, MEM_LOCAL_READ);
	return region == NULL ? NULL
			      : mem_segments_pointer(&region->segments,
					piece_offset(&piece, region), piece.bytes);
}

enum rc_status
mem_sgl_gather(const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset,
	void *to, size_t bytes)
{
	struct walk walk = walk_start(sgl, offset, bytes);
	const struct mem_region *region;
	uint8_t *next = to;
	struct piece piece;

	while (walk.bytes > 0) {
		if (!walk_take(&walk, &piece))
			return RC_LOCAL_LENGTH;
		region = sge_region(domain, piece.sge, MEM_LOCAL_READ);
		if (region == NULL)
			return RC_LOCAL_PROTECTION;
		mem_segments_read(
			&region->segments, piece_offset(&piece, region), next, piece.bytes);
		next += piece.bytes;
	}
	return RC_OK;
}

/** Slow path of mem_sgl_scatter(), for any number of entries. */
static __rte_noinline enum rc_status
scatter_list(const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset,
	const uint8_t *from, size_t bytes, uint32_t right)
{
	const struct mem_region *regions[LIMIT_SGE];
	struct walk check = walk_start(sgl, offset, bytes);
	struct walk place = check;
	struct piece piece;
	uint32_t count = 0;

	for (; check.bytes > 0; count++) {
		if (!walk_take(&check, &piece))
			return RC_LOCAL_LENGTH;
		regions[count] = sge_region(domain, piece.sge, right);
		if (regions[count] == NULL)
			return RC_LOCAL_PROTECTION;
	}
	/*
	 * Do not check again, because either all bytes or none must be stored. A region that is
	 * deregistered now stays usable until this reader is quiescent.
	 */
	for (uint32_t i = 0; i < count && walk_take(&place, &piece); i++) {
		mem_segments_write(
			&regions[i]->segments, piece_offset(&piece, regions[i]), from, piece.bytes);
		from += piece.bytes;
	}
	return RC_OK;
}

static __rte_always_inline enum rc_status
scatter(const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset,
	const void *from, size_t bytes, uint32_t right)
{
	const struct mem_sge *sge = sgl->sges;
	const struct mem_region *region;

	/* Fast path: most lists have one entry with room for all bytes. */
	if (unlikely(sgl->count != 1 || offset != 0 || bytes == 0 || bytes > sge->length_bytes))
		return scatter_list(domain, sgl, offset, from, bytes, right);
	region = sge_region(domain, sge, right);
	if (unlikely(region == NULL))
		return RC_LOCAL_PROTECTION;
	mem_segments_write(&region->segments, sge->address - region->base, from, bytes);
	return RC_OK;
}

enum rc_status
mem_sgl_scatter(const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset,
	const void *from, size_t bytes)
{
	return scatter(domain, sgl, offset, from, bytes, MEM_LOCAL_WRITE);
}

enum rc_status
mem_sgl_scatter_sink(const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset,
	const void *from, size_t bytes)
{
	return scatter(domain, sgl, offset, from, bytes, MEM_READ_SINK);
}
