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
 * How readers (engines) access registered memory: remote access by key, local access by region.
 * Included by mem.h.
 */

struct mem_domain;
struct mem_region;

/**
 * Reason of a refused remote access. For counters only: the peer always gets NAK 0x62 (SEC-030).
 */
enum mem_refusal {
	MEM_ALLOWED = 0,
	MEM_REFUSED_KEY,    /**< the key has an unknown slot or a wrong tag, or is not live */
	MEM_REFUSED_OWNER,  /**< the key's window is bound to another queue pair */
	MEM_REFUSED_RANGE,  /**< the access is outside of the range, or address + length wraps */
	MEM_REFUSED_RIGHTS, /**< access right missing */
	MEM_REFUSED_COUNT,
};

/**
 * A range of a region's bytes that passed a check. Valid until the reader's next quiescent state.
 */
struct mem_span {
	const struct mem_region *region;
	uint64_t address; /**< first address, in the region's address range */
	uint64_t length_bytes;
};

/**
 * A remote access to check with mem_check_remote(). The number of bytes must be > 0, because an
 * access of no bytes carries no meaningful key (RC-012).
 *
 * @param key from the RETH
 * @param owner QPN of the queue pair on which the packet arrived
 * @param rights exactly one of MEM_REMOTE_READ, MEM_REMOTE_WRITE, MEM_REMOTE_ATOMIC
 */
struct mem_access {
	uint64_t address;
	uint32_t key;
	uint32_t owner;
	uint64_t length_bytes;
	uint32_t rights;
};

/** Prefetch the cache line that mem_check_remote() will read for this key. Any value is safe. */
void mem_prefetch_remote(const struct mem_domain *domain, uint32_t key);

enum mem_refusal mem_check_remote(const struct mem_domain *domain, const struct mem_access *access,
	struct mem_span *span) __rte_warn_unused_result;

/**
 * Check a remote write (MEM_REMOTE_WRITE), and copy its bytes if it is allowed. The parameters are
 * the members of struct mem_access, passed separately so that they stay in registers.
 *
 * @param bytes > 0
 * @return false: the access was refused and nothing was copied; mem_check_remote() returns the
 *         reason
 */
bool mem_remote_write(const struct mem_domain *domain, uint32_t key, uint32_t owner,
	uint64_t address, const void *from, size_t bytes) __rte_warn_unused_result;

/**
 * Copy bytes to or from the buffers of a span. [offset, offset + bytes) must be inside the span.
 */
void mem_span_write(const struct mem_span *span, uint64_t offset, const void *from, size_t bytes);
void mem_span_read(const struct mem_span *span, uint64_t offset, void *to, size_t bytes);

/**
 * @return pointer to [offset, offset + bytes) of the span if this range is in one buffer, else
 *         NULL.
 */
void *mem_span_pointer(const struct mem_span *span, uint64_t offset, size_t bytes);

/**
 * Atomic operation on a span of 8 bytes, as an integer in host byte order. The span was checked for
 * MEM_REMOTE_ATOMIC, and its address is a multiple of 8 (RC-031).
 *
 * No other access of this reader occurs between the read and the write. The operation is atomic for
 * other CPUs and adapters if the 8 bytes are in one buffer and aligned in memory, because then it
 * is one atomic instruction (RC-144). This is always true in a buffer that is registered at its own
 * address. In a chain, the application chooses the addresses. If 8 bytes cross from one buffer to
 * the next, or are not aligned in memory, they are read and then written, which is not atomic for
 * others.
 *
 * @return the previous value
 */
uint64_t mem_span_fetch_add(const struct mem_span *span, uint64_t add);
/**
 * Store swap if the value equals compare. @return the previous value, whether swap was stored or
 * not
 */
uint64_t mem_span_compare_swap(const struct mem_span *span, uint64_t compare, uint64_t swap);

/** One scatter/gather entry: the range [address, address + length) of a region's addresses. */
struct mem_sge {
	uint64_t address;
	uint64_t length_bytes;
	const struct mem_region *region;
} __rte_may_alias; /**< struct nd_sge has the same layout, so lists need no conversion */

/** A scatter/gather list, as stored in a WQE, with the number of its entries. */
struct mem_sgl {
	const struct mem_sge *sges;
	uint32_t count;
};

/** @return sum of the entries' lengths in bytes; UINT64_MAX if the sum would wrap */
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

/** Value for mem_sgl_check() if only reading is needed, which every region allows. */
#define MEM_LOCAL_READ 0u

/**
 * Check all entries of a list. Entries of no bytes always pass, here and in the functions below.
 * @param right right that the regions must have: MEM_LOCAL_READ; MEM_READ_SINK, to store responses
 *        to own READs and atomics; MEM_LOCAL_WRITE to store other data
 * @return RC_OK; RC_LOCAL_PROTECTION
 */
enum rc_status mem_sgl_check(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint32_t right) __rte_warn_unused_result;

/**
 * Copy [offset, offset + bytes) of the list's bytes from registered memory. Each entry that
 * contains some of these bytes is checked again, because a retransmission reads the memory again.
 * @return RC_OK; RC_LOCAL_PROTECTION: the contents of `to` are undefined; RC_LOCAL_LENGTH: the list
 *         is shorter than offset + bytes
 */
enum rc_status mem_sgl_gather(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, void *to, size_t bytes) __rte_warn_unused_result;

/**
 * Check an entry of at least one byte for reading, and return a pointer to its bytes.
 * @return pointer, valid until the reader's next quiescent state; NULL: not accessible, or not
 *         contiguous because the region has several buffers; mem_sgl_gather() handles both cases
 */
const void *mem_sge_pointer(const struct mem_domain *domain, const struct mem_sge *sge);

/**
 * As mem_sge_pointer(), for [offset, offset + bytes) of a list's bytes, which may span several
 * entries.
 */
const void *mem_sgl_pointer(
	const struct mem_domain *domain, const struct mem_sgl *sgl, uint64_t offset, size_t bytes);

/**
 * Copy bytes into the list's memory. The regions must have MEM_LOCAL_WRITE. If the check of an
 * entry fails, nothing is copied.
 */
enum rc_status mem_sgl_scatter(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, const void *from, size_t bytes) __rte_warn_unused_result;

/** As mem_sgl_scatter(), for responses to own READs and atomics: MEM_READ_SINK suffices. */
enum rc_status mem_sgl_scatter_sink(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, const void *from, size_t bytes) __rte_warn_unused_result;

#endif
