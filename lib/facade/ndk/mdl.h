/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MDL_H
#define NDPDK_NDK_MDL_H

#include <stdbool.h>

#include <ndpdk/nd_types.h>
#include <ndpdk/ndkpi.h>

/** The buffers of a range, in order. */
struct ndk_buffers {
	struct nd_buffer *entries;
	size_t count;
	const void *base; /* virtual address of the first byte */
};

/**
 * Get the buffers of the first length bytes of an MDL chain, which must have contiguous virtual
 * addresses.
 *
 * @param function name of the NDK function, for the log
 * @param[out] buffers to be freed with buffers_free(); unchanged on failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES
 */
NTSTATUS
mdl_buffers(const char *function, const MDL *mdl, SIZE_T length, struct ndk_buffers *buffers);

void buffers_free(struct ndk_buffers *buffers);

#endif
