/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_ATTACH_H
#define NDPDK_MEM_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#include "base/limits.h"
#include "base/status.h"
#include "mem/mem.h"

/*
 * Registered memory as the payload of packets, without a copy: a packet buffer is attached to the
 * bytes and counted in the region. The region is released when the last such buffer has been freed,
 * whichever driver or thread frees it. The count is the reference count of the region's shared
 * info, which is 1 when nothing is attached.
 */

/** Most pieces of one packet. */
#define MEM_PIECES_MAX (LIMIT_OUT_SEGMENTS - 2)

/** Contiguous bytes of one region. */
struct mem_piece {
	struct mem_region *region;
	uint8_t *address;
	uint16_t bytes;
};

struct mem_pieces {
	struct mem_piece at[MEM_PIECES_MAX];
	uint32_t count;
};

/** @return whether packets may be attached to all of these buffers. */
bool mem_buffers_attachable(const struct mem_buffer *buffers, uint32_t count);

/**
 * Where [offset, offset + bytes) of a list lies, checked as mem_sgl_gather() does; 0 < bytes <=
 * UINT16_MAX. Readers only; the answer holds until the reader's next quiescent state, and what was
 * attached by then holds until it is freed.
 *
 * @return RC_OK; RC_LOCAL_PROTECTION; RC_LOCAL_LENGTH: list is shorter; RC_NO_RESOURCES: bytes that
 *         can only be copied, because they are in too many pieces, too many packets are attached to
 *         the region already, its memory is not EAL's, or the domain does not attach
 */
enum rc_status mem_sgl_pieces(const struct mem_domain *domain, const struct mem_sgl *sgl,
	uint64_t offset, size_t bytes, struct mem_pieces *pieces) __rte_warn_unused_result;

/** Make a fresh direct mbuf one segment that consists of the piece. Borrows the mbuf. */
void mem_piece_attach(const struct mem_piece *piece, struct rte_mbuf *mbuf);

/**
 * @return mbufs that are attached to regions of the domain, live ones and others. While there are
 *         any, the domain must not be destroyed, even if no reader is left.
 */
uint64_t mem_domain_attached(struct mem_domain *domain);

#endif
