/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/attach.h"

#include <rte_eal.h>
#include <rte_memory.h>

#include "base/assert.h"
#include "mem/domain.h"

/*
 * A device can read only memory that EAL manages (rte_malloc, memzones, rte_extmem_register), and
 * only where IO addresses are virtual addresses: there a contiguous range of bytes is contiguous
 * for the device, too, so that no packet needs a translation. Registration finds out once which
 * regions qualify.
 *
 * Counting: readers add to the count, and whoever frees an mbuf subtracts (rte_pktmbuf_detach() and
 * the like). The count never falls to 0, so DPDK never calls its callback; a release is found by
 * reading the count.
 */

/** DPDK counts in 16 bits. Far below that, so that many readers may add before they check again. */
#define ATTACHED_MAX 0x8000

bool
mem_buffers_attachable(const struct mem_buffer *buffers, uint32_t count)
{
	if (rte_eal_iova_mode() != RTE_IOVA_VA)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *first = buffers[i].address;
		const struct rte_memseg_list *list = rte_mem_virt2memseg_list(first);

		/* A memseg list is one range of addresses. */
		if (list == NULL ||
			rte_mem_virt2memseg_list(first + buffers[i].length_bytes - 1) != list)
			return false;
	}
	return true;
}

/** Add [offset, offset + bytes) of a checked entry. @return RC_OK, RC_NO_RESOURCES. */
static enum rc_status
entry_add(const struct mem_domain *domain, const struct mem_sge *sge, uint64_t offset, size_t bytes,
	struct mem_pieces *pieces)
{
	struct mem_region *region = &domain->regions[mem_region_index(domain, sge->region)];
	uint64_t start = sge->address - region->base + offset;

	if (__atomic_load_n(&region->attachable, __ATOMIC_RELAXED) == 0 ||
		rte_mbuf_ext_refcnt_read(&region->shared) > ATTACHED_MAX)
		return RC_NO_RESOURCES;
	for (size_t run; bytes > 0; bytes -= run, start += run) {
		struct mem_piece *piece = &pieces->at[pieces->count];

		if (pieces->count == MEM_PIECES_MAX)
			return RC_NO_RESOURCES;
		piece->region = region;
		piece->address = mem_segments_run(&region->segments, start, bytes, &run);
		piece->bytes = (uint16_t)run;
		pieces->count++;
	}
	return RC_OK;
}

enum rc_status
mem_sgl_pieces(const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset,
	size_t bytes, struct mem_pieces *pieces)
{
	enum rc_status status = RC_OK;

	BASE_ASSERT(bytes > 0 && bytes <= UINT16_MAX);
	pieces->count = 0;
	for (uint32_t i = 0; i < sgl->count && bytes > 0 && status == RC_OK; i++) {
		const struct mem_sgl entry = {.sges = &sgl->sges[i], .count = 1};
		uint64_t length_bytes = entry.sges->length_bytes;
		size_t part;

		if (offset >= length_bytes) {
			offset -= length_bytes;
			continue;
		}
		part = (size_t)RTE_MIN((uint64_t)bytes, length_bytes - offset);
		status = mem_sgl_check(domain, &entry, false);
		if (status == RC_OK)
			status = entry_add(domain, entry.sges, offset, part, pieces);
		bytes -= part;
		offset = 0;
	}
	return status == RC_OK && bytes > 0 ? RC_LOCAL_LENGTH : status;
}

void
mem_piece_attach(const struct mem_piece *piece, struct rte_mbuf *mbuf)
{
	struct rte_mbuf_ext_shared_info *shared = &piece->region->shared;

	/* Not rte_mbuf_ext_refcnt_update(): it takes a count of 1 to mean "no other thread counts",
	 * but two readers may attach to an idle region at the same time. */
	__atomic_add_fetch(&shared->refcnt, 1, __ATOMIC_RELAXED);
	rte_pktmbuf_attach_extbuf(
		mbuf, piece->address, (rte_iova_t)(uintptr_t)piece->address, piece->bytes, shared);
	mbuf->data_off = 0;
	mbuf->data_len = piece->bytes;
	mbuf->pkt_len = piece->bytes;
}

uint64_t
mem_domain_attached(struct mem_domain *domain)
{
	uint64_t count = 0;

	mem_domain_lock(domain);
	for (uint32_t i = 1; i < domain->region_next; i++)
		count += mem_region_attached(&domain->regions[i]);
	mem_domain_unlock(domain);
	return count;
}
