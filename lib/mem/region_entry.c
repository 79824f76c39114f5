/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Entries of the table of regions. States of an entry: free -> live -> resting -> free. A resting
 * region is deregistered and dead for new accesses, but a reader that checked the region before may
 * still copy with its segments. When all readers have been quiescent, the segments are freed and
 * the entry becomes free.
 */

#include <rte_malloc.h>

#include "mem/domain.h"
#include "mem/fast.h"

static void
fifo_append(struct mem_domain *domain, struct mem_index_fifo *fifo, uint32_t index)
{
	domain->regions[index].next = 0;
	if (fifo->first == 0)
		fifo->first = index;
	else
		domain->regions[fifo->last].next = index;
	fifo->last = index;
}

/** Remove the first entry of the list, which must not be empty. @return its index. */
static uint32_t
fifo_take(struct mem_domain *domain, struct mem_index_fifo *fifo)
{
	uint32_t index = fifo->first;

	fifo->first = domain->regions[index].next;
	return index;
}

bool
mem_region_entry_rested(const struct mem_domain *domain, const struct mem_region *region)
{
	return mem_grace_over(domain->qsbr, &region->rest_grace);
}

/**
 * Remove the oldest resting region from its list, if no reader uses it any more. @return this
 * region, or NULL.
 */
static struct mem_region *
rested_region_take(struct mem_domain *domain)
{
	struct mem_region *region = NULL;
	uint32_t oldest;

	mem_domain_lock(domain);
	oldest = domain->regions_resting.first;
	if (oldest != 0 && mem_region_entry_rested(domain, &domain->regions[oldest]))
		region = &domain->regions[fifo_take(domain, &domain->regions_resting)];
	mem_domain_unlock(domain);
	return region;
}

void
mem_region_entry_clear(struct mem_region *region)
{
	/*
	 * The memory of a fast region's bodies is freed with the fast region, which follows its
	 * bodies in the list of resting regions.
	 */
	if (region->fast != NULL)
		rte_free(region->fast);
	else if (region->fast_handle == 0)
		mem_segments_fini(&region->segments);
	region->segments = (struct mem_segments){0};
	__atomic_store_n(&region->fast, NULL, __ATOMIC_RELAXED);
	region->fast_handle = 0;
}

void
mem_regions_reclaim(struct mem_domain *domain)
{
	struct mem_region *region;

	while ((region = rested_region_take(domain)) != NULL) {
		mem_region_entry_clear(region);
		mem_domain_lock(domain);
		__atomic_store_n(&region->generation, region->generation + 1, __ATOMIC_RELAXED);
		fifo_append(domain, &domain->regions_free, mem_region_index(domain, region));
		mem_domain_unlock(domain);
	}
}

uint32_t
mem_region_entry_take(struct mem_domain *domain)
{
	if (domain->region_next < domain->regions_bytes / MEM_REGION_STRIDE)
		return domain->region_next++;
	return fifo_take(domain, &domain->regions_free);
}

void
mem_region_entry_give(struct mem_domain *domain, uint32_t index)
{
	fifo_append(domain, &domain->regions_free, index);
}

void
mem_region_entry_rest(struct mem_domain *domain, struct mem_region *region)
{
	region->rest_grace = mem_grace_begin(domain->qsbr, domain->shared->readers);
	fifo_append(domain, &domain->regions_resting, mem_region_index(domain, region));
}
