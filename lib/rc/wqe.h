/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_WQE_H
#define NDPDK_RC_WQE_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/limits.h"
#include "base/status.h"
#include "mem/fast.h"
#include "mem/mem.h"
#include "rc/cq.h"

/* Work requests (as posted) and work queue elements (as stored in the ring). */

/** Operations of the send queue; their traits are in operation.h. */
enum rc_send_opcode {
	RC_SEND,
	RC_SEND_INVALIDATE,
	RC_SEND_IMMEDIATE,
	RC_WRITE,
	RC_WRITE_IMMEDIATE,
	RC_READ,
	RC_FETCH_ADD,
	RC_COMPARE_SWAP,
	RC_BIND,
	RC_INVALIDATE,
	RC_FAST_REGISTER,
	RC_INVALIDATE_REGION,
};

/** Size of an atomic's operand, and of the local buffer for the original value, in bytes. */
#define RC_ATOMIC_BYTES 8

enum rc_send_flags {
	RC_SILENT = 1 << 0, /**< no completion on success */
	RC_FENCE = 1 << 1,  /**< start after completion of earlier READs and atomics (RC-142) */
	/** set the SE bit of the last packet; only for SEND and WRITE_IMMEDIATE */
	RC_SOLICITED = 1 << 2,
	/** copy the data when posting; SGEs contain plain pointers as addresses, and region NULL */
	RC_INLINE = 1 << 3,
};

/** Operands of an atomic, in host byte order. */
struct rc_operands {
	uint64_t swap_add; /**< FETCH_ADD: value to add; COMPARE_SWAP: value to store */
	/** COMPARE_SWAP: value with which the memory is compared; FETCH_ADD: 0 */
	uint64_t compare;
};

/**
 * A request for the send queue. Posting copies all data that the structure points to, except the
 * buffers of SGEs without RC_INLINE.
 */
struct rc_send_wr {
	enum rc_send_opcode opcode;
	uint32_t flags; /**< of enum rc_send_flags */
	void *context;  /**< returned in the completion */
	struct mem_sgl sgl;
	/** used by WRITE, READ and atomics; a multiple of 8 for atomics */
	uint64_t remote_address;
	/** key for WRITE, READ and atomics; key to invalidate for SEND_INVALIDATE */
	uint32_t rkey;
	uint32_t immediate; /**< used by SEND_IMMEDIATE and WRITE_IMMEDIATE; host byte order */
	struct rc_operands operands; /**< atomics */
	struct mem_bind bind;        /**< BIND: prepared, see mem_bind_prepare() */
	struct mem_window *window;   /**< INVALIDATE */
	struct mem_fast fast;        /**< FAST_REGISTER: prepared; INVALIDATE_REGION: region */
};

struct rc_receive_wr {
	void *context;
	struct mem_sgl sgl;
};

/**
 * Element of the send queue. Posting writes it, and later only the requester. States: posted ->
 * started (PSNs assigned) -> all packets sent -> acknowledged -> completed, in order. Local
 * operations, from BIND on in rc_send_opcode, have no PSN. Instead of being started, local
 * operations are executed. All requests complete in posting order.
 */
struct rc_send_wqe {
	void *context;
	uint64_t remote_address;
	uint32_t rkey;
	uint32_t immediate;
	uint32_t length_bytes;
	uint32_t first_psn;    /**< first PSN of the request; valid after it has started */
	uint32_t packet_count; /**< number of PSNs of the request; 0 for local operations */
	uint8_t opcode;        /**< enum rc_send_opcode */
	uint8_t flags;         /**< of enum rc_send_flags */
	uint8_t sge_count;     /**< number of entries of sges[]; 0 with RC_INLINE */
	bool executed;         /**< local operation: true if it was executed and is not complete */
	struct mem_sge sges[]; /**< array of sge_max entries */
};

static_assert(sizeof(struct rc_send_wqe) + sizeof(struct mem_sge) == RTE_CACHE_LINE_SIZE,
	"a request with one entry fills one cache line");
static_assert(LIMIT_SGE <= UINT8_MAX, "sge_count");

/**
 * Data that few requests need. The array of these unions follows the ring elements and has the same
 * indices (rc_send_extra()).
 */
union rc_send_extra {
	struct {
		struct mem_bind bind;
		enum rc_status status; /**< result of a local operation that was executed */
	};
	struct {
		struct mem_window *window;
		/** mem_window_life() at the time of posting, see mem_invalidate_execute() */
		uint8_t window_life;
	};
	struct mem_fast fast;
	/** Executed local operation: grace period that must end before the operation completes. */
	struct mem_grace grace;
	struct rc_operands operands;
	uint8_t inlined[1]; /**< inline data, up to inline_max bytes */
};

/** @return size of the union rc_send_extra of one request in bytes */
static inline uint32_t
rc_send_extra_bytes(uint32_t inline_max)
{
	return RTE_ALIGN_CEIL(RTE_MAX((uint32_t)sizeof(union rc_send_extra), inline_max),
		(uint32_t)alignof(union rc_send_extra));
}

struct rc_receive_wqe {
	void *context;
	uint64_t capacity_bytes; /**< total length of the SGEs */
	uint32_t sge_count;
	struct mem_sge sges[];
};

/**
 * Ring of equal-sized elements with a single owner. Indices are free-running: the ring contains
 * tail - head elements. The size is a power of two, at least the number of entries that the
 * application requested.
 */
struct rc_ring {
	uint8_t *elements;
	uint32_t stride_bytes;
	uint32_t mask;
	uint32_t entries;
	uint32_t head; /**< oldest element */
	uint32_t tail; /**< next element to post */
};

static inline void *
rc_ring_at(const struct rc_ring *ring, uint32_t index)
{
	return ring->elements + (size_t)(index & ring->mask) * ring->stride_bytes;
}

/**
 * @return extra memory of an element, which is separate so that the elements are close together.
 * @param beside_bytes as for rc_ring_bytes()
 */
static inline void *
rc_ring_beside(const struct rc_ring *ring, uint32_t index, uint32_t beside_bytes)
{
	return ring->elements + ((size_t)ring->mask + 1) * ring->stride_bytes +
		(size_t)(index & ring->mask) * beside_bytes;
}

static inline uint32_t
rc_ring_count(const struct rc_ring *ring)
{
	return ring->tail - ring->head;
}

static inline bool
rc_ring_full(const struct rc_ring *ring)
{
	return rc_ring_count(ring) >= ring->entries;
}

/**
 * @param entries may be 0
 * @param beside_bytes extra memory per element (rc_ring_beside()), in bytes
 * @return size of the memory that rc_ring_init() needs, a multiple of the cache line size
 */
size_t rc_ring_bytes(uint32_t entries, uint32_t stride_bytes, uint32_t beside_bytes);

/**
 * @param memory rc_ring_bytes() bytes for the same arguments, zeroed and aligned to a cache line.
 * The caller owns it. It must outlive the ring
 */
void rc_ring_init(struct rc_ring *ring, void *memory, uint32_t entries, uint32_t stride_bytes);

#endif
