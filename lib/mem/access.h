/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_ACCESS_H
#define NDPDK_MEM_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/*
 * Access to registered memory by readers: remote through keys, local through regions. Included by
 * mem.h.
 */

struct mem_domain;
struct mem_region;

/** Why a remote access was refused. For counters only: the peer gets NAK 0x62 for all (SEC-030). */
enum mem_refusal {
	MEM_ALLOWED = 0,
	MEM_REFUSED_KEY,    /**< no such slot, wrong tag, or dead */
	MEM_REFUSED_OWNER,  /**< window of another queue pair */
	MEM_REFUSED_RANGE,  /**< outside, or wrapping */
	MEM_REFUSED_RIGHTS, /**< direction not allowed */
	MEM_REFUSED_COUNT,
};

/** Checked bytes: valid until the reader's next quiescent state. */
struct mem_span {
	const struct mem_region *region;
	uint64_t address; /**< in the region's index space */
	uint64_t length_bytes;
};

/**
 * Check a remote access of length_bytes > 0 (zero-length accesses carry no meaningful key, RC-012).
 *
 * @param key    as in the RETH
 * @param owner  QPN of the queue pair the packet arrived on
 * @param rights exactly one of MEM_REMOTE_READ, MEM_REMOTE_WRITE, MEM_REMOTE_ATOMIC
 */
struct mem_access {
	uint64_t address;
	uint32_t key;
	uint32_t owner;
	uint64_t length_bytes;
	uint32_t rights;
};

/** Ask for the line that mem_check_remote() will read for a key, some time before; any value. */
void mem_prefetch_remote(const struct mem_domain *domain, uint32_t key);

enum mem_refusal mem_check_remote(const struct mem_domain *domain, const struct mem_access *access,
	struct mem_span *span) __rte_warn_unused_result;

/**
 * Check a remote write (MEM_REMOTE_WRITE), and place its bytes if it is allowed: both in one. The
 * parameters, which stay in registers, are those of struct mem_access.
 *
 * @param bytes > 0
 * @return false: refused, for whatever reason, and nothing is placed; mem_check_remote() of the
 *         same access tells the reason
 */
bool mem_remote_write(const struct mem_domain *domain, uint32_t key, uint32_t owner,
	uint64_t address, const void *from, size_t bytes) __rte_warn_unused_result;

/** Copy bytes in or out along the chain of buffers; offset + bytes must lie inside the span. */
void mem_span_write(const struct mem_span *span, uint64_t offset, const void *from, size_t bytes);
void mem_span_read(const struct mem_span *span, uint64_t offset, void *to, size_t bytes);

/** @return pointer to [offset, offset + bytes) of the span if it lies in one buffer, else NULL. */
void *mem_span_pointer(const struct mem_span *span, uint64_t offset, size_t bytes);

/**
 * One atomic operation on a span of 8 bytes, as an integer in the host's order; the span was
 * checked for MEM_REMOTE_ATOMIC, and its address is a multiple of 8 (RC-031).
 *
 * No other access of this reader comes between its read and its write. Against other CPUs and
 * adapters it is atomic when the 8 bytes lie in one buffer and are aligned there, because then it
 * is one atomic instruction (RC-144). That is always so in a buffer that is registered at its own
 * address. In a chain the application chooses the addresses: where 8 bytes cross from one buffer
 * to the next, or are not aligned in memory, they are read and then written, which is not atomic
 * for others.
 *
 * @return the value before
 */
uint64_t mem_span_fetch_add(const struct mem_span *span, uint64_t add);
/** Store swap if the present value equals compare. @return the value before, in both cases */
uint64_t mem_span_compare_swap(const struct mem_span *span, uint64_t compare, uint64_t swap);

/** One scatter/gather entry: [address, address + length) of a region's index space. */
struct mem_sge {
	uint64_t address;
	uint64_t length_bytes;
	const struct mem_region *region;
} __rte_may_alias; /**< laid out as struct nd_sge, so that a caller's list is not converted */

/** A scatter/gather list and its total, as kept in a WQE. */
struct mem_sgl {
	const struct mem_sge *sges;
	uint32_t count;
};

/** @return sum of the lengths; saturates at UINT64_MAX. */
static inline uint64_t
mem_sgl_length(const struct mem_sgl *sgl)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < sgl->count; i++) {
		if (sgl->sges[i].length_bytes > UINT64_MAX - total)
			return UINT64_MAX;
		total += sgl->sges[i].length_bytes;
	}
	return total;
}

/** The right for mem_sgl_check() that every region has. */
#define MEM_LOCAL_READ 0u

/**
 * Check every entry of a list against the index. Entries of no bytes pass, here and below.
 * @param right what the regions need: MEM_LOCAL_READ; MEM_READ_SINK, for own READs and atomics that
 *              will place bytes there; MEM_LOCAL_WRITE, for all else that will
 * @return RC_OK; RC_LOCAL_PROTECTION
 */
enum rc_status mem_sgl_check(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint32_t right) __rte_warn_unused_result;

/**
 * Copy [offset, offset + bytes) of the list's bytes out of registered memory. Each entry touched is
 * checked against the index again (a retransmission reads again from registered memory).
 * @return RC_OK; RC_LOCAL_PROTECTION (then `to` is undefined); RC_LOCAL_LENGTH: list is shorter
 */
enum rc_status mem_sgl_gather(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, void *to, size_t bytes) __rte_warn_unused_result;

/**
 * Check an entry of at least one byte for reading, and find its bytes without copying them.
 * @return pointer, valid until the reader's next quiescent state; NULL: not accessible, or not in
 *         one piece (here: the region has several buffers): mem_sgl_gather() tells these apart
 */
const void *mem_sge_pointer(const struct mem_domain *domain, const struct mem_sge *sge);

/** The same for [offset, offset + bytes) of a list's bytes, which may lie in several entries. */
const void *mem_sgl_pointer(
	const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset, size_t bytes);

/** The other direction; needs MEM_LOCAL_WRITE. All entries touched pass, or nothing is placed. */
enum rc_status mem_sgl_scatter(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, const void *from, size_t bytes) __rte_warn_unused_result;

/** The same for what answers an own READ or atomic; needs MEM_READ_SINK only. */
enum rc_status mem_sgl_scatter_sink(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, const void *from, size_t bytes) __rte_warn_unused_result;

#endif
