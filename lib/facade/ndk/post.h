/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_POST_H
#define NDPDK_NDK_POST_H

#include <ndpdk/ndkpi.h>

#include "ndk/qp.h"

/** Flags that all requests except receives accept. */
#define POST_FLAGS (NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_DEFER)

struct ndk_posting {
	const char *function; /* name of the NDK function, for the log */
	PVOID context;
	NDK_OPERATION_TYPE type;
	ULONG flags;   /* NDK_OP_FLAG_..., from the caller */
	ULONG allowed; /* flags that this request accepts */

	/* Set by post_begin(). */
	struct ndk_qp *qp;
	struct nd_result *result; /* context of the native request: address of its record */
	uint32_t passed; /* native flags for silent success, read fence and solicited event */
};

/**
 * Begin to post a request that is not a receive.
 *
 * @param[out] status if false is returned: return value of the posting call
 * @return true: the caller converts the arguments, calls the native function, and calls post_end()
 */
bool post_begin(struct ndk_posting *posting, NDK_QP *pair, NTSTATUS *status);

/**
 * Complete posting after the native call.
 * @param status status that the native call returned
 * @return return value of the posting call
 */
NTSTATUS post_end(struct ndk_posting *posting, nd_status status);

/**
 * Called if a request is refused before the native call: post the deferred requests. @return status
 */
NTSTATUS post_refused(struct ndk_qp *qp, NTSTATUS status);

NTSTATUS ndk_send(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags);
NTSTATUS ndk_send_and_invalidate(
	NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags, UINT32 token);
NTSTATUS ndk_receive(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count);
NTSTATUS ndk_read(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, UINT64 address,
	UINT32 token, ULONG flags);
NTSTATUS ndk_write(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, UINT64 address,
	UINT32 token, ULONG flags);

#endif
