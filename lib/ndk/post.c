/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posting: messages, reads and writes. Each request has a record in its queue, whose native result
 * leads back to the caller's context.
 */

#include "ndk/post.h"

#include <endian.h>

#include "ndk/sgl.h"
#include "ndk/status.h"

static_assert(NDK_OP_FLAG_SILENT_SUCCESS == ND_OP_FLAG_SILENT_SUCCESS &&
		NDK_OP_FLAG_READ_FENCE == ND_OP_FLAG_READ_FENCE &&
		NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT == ND_OP_FLAG_SEND_AND_SOLICIT_EVENT,
	"these three pass through, all others have other numbers");

#define PASSING                                                                                    \
	(NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT)

/**
 * Make room for one more record: results are taken early, and then silent requests that are over
 * leave the records of those that are not.
 */
static void
initiator_reclaim(struct ndk_qp *qp)
{
	struct ndk_queue *queue = qp->initiator;
	struct nd_endpoint_info info;

	cq_drain(qp->initiator_cq);
	if (!queue_is_full(queue))
		return;
	if (nd_endpoint_query(qp->endpoint, &info) == ND_SUCCESS)
		queue->tail = queue->head - info.outbound_outstanding;
}

NTSTATUS
post_refused(struct ndk_qp *qp, NTSTATUS status)
{
	if (qp->deferring) {
		qp->deferring = false;
		nd_endpoint_submit_request_batch(qp->endpoint);
	}
	return status;
}

bool
post_begin(struct ndk_posting *posting, NDK_QP *pair, NTSTATUS *status)
{
	struct ndk_qp *qp = (struct ndk_qp *)pair;
	struct ndk_record *record;

	*status = STATUS_INVALID_PARAMETER;
	if (!object_is(pair, NdkObjectTypeQp))
		return false;
	if ((posting->flags & ~posting->allowed) != 0) {
		post_refused(qp, *status);
		return false;
	}
	if (queue_is_full(qp->initiator))
		initiator_reclaim(qp);
	/* Results that nobody takes occupy the completion queue up to its depth. */
	*status = STATUS_INSUFFICIENT_RESOURCES;
	if (queue_is_full(qp->initiator)) {
		post_refused(qp, *status);
		return false;
	}
	record = queue_next(qp->initiator);
	record->context = posting->context;
	record->type = posting->type;
	posting->qp = qp;
	posting->result = &record->completion.result;
	posting->passed = posting->flags & PASSING;
	if ((posting->flags & NDK_OP_FLAG_DEFER) != 0 && !qp->deferring) {
		qp->deferring = true;
		nd_endpoint_start_request_batch(qp->endpoint);
	}
	return true;
}

NTSTATUS
post_end(struct ndk_posting *posting, nd_status status)
{
	struct ndk_qp *qp = posting->qp;

	if (status == ND_SUCCESS)
		qp->initiator->head++;
	if (status == ND_SUCCESS && (posting->flags & NDK_OP_FLAG_DEFER) != 0)
		return STATUS_SUCCESS;
	return post_refused(qp, status_of(status));
}

/** Translate the list of a request. */
static NTSTATUS
list_load(struct ndk_qp *qp, const NDK_SGE *list, ULONG count, ULONG flags, struct ndk_sgl *sgl)
{
	if ((flags & NDK_OP_FLAG_INLINE) != 0)
		return sgl_copy(list, count, qp->inline_limit, sgl);
	return sgl_load(adapter_of(&qp->object), list, count, sgl);
}

/** The peer's memory as the native functions want it. */
static struct nd_mw_descriptor
descriptor_of(UINT64 address, UINT32 token)
{
	return (struct nd_mw_descriptor){
		.base = htobe64(address),
		.length = UINT64_MAX, /* not known here: the peer checks it */
		.token = token,
	};
}

#define SEND_FLAGS (POST_FLAGS | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT | NDK_OP_FLAG_INLINE)

NTSTATUS
ndk_send(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags)
{
	struct ndk_posting posting = {.context = context,
		.type = NdkOperationTypeSend,
		.flags = flags,
		.allowed = SEND_FLAGS};
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!post_begin(&posting, pair, &status))
		return status;
	status = list_load(posting.qp, list, count, flags, &sgl);
	if (status != STATUS_SUCCESS)
		return post_refused(posting.qp, status);
	return post_end(&posting,
		nd_endpoint_send(posting.qp->endpoint, posting.result, sgl.entries, sgl.count,
			posting.passed));
}

NTSTATUS
ndk_send_and_invalidate(
	NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags, UINT32 token)
{
	const struct nd_mw_descriptor descriptor = descriptor_of(0, token);
	struct ndk_posting posting = {.context = context,
		.type = NdkOperationTypeSend,
		.flags = flags,
		.allowed = SEND_FLAGS};
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!post_begin(&posting, pair, &status))
		return status;
	status = list_load(posting.qp, list, count, flags, &sgl);
	if (status != STATUS_SUCCESS)
		return post_refused(posting.qp, status);
	return post_end(&posting,
		nd_endpoint_send_and_invalidate(posting.qp->endpoint, posting.result, sgl.entries,
			sgl.count, &descriptor, posting.passed));
}

NTSTATUS
ndk_receive(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count)
{
	struct ndk_qp *qp = (struct ndk_qp *)pair;
	struct ndk_record *record;
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!object_is(pair, NdkObjectTypeQp) || qp->receives == NULL)
		return STATUS_INVALID_PARAMETER;
	if (queue_is_full(qp->receives))
		cq_drain(qp->receive_cq);
	if (queue_is_full(qp->receives))
		return STATUS_INSUFFICIENT_RESOURCES;
	status = sgl_load(adapter_of(&qp->object), list, count, &sgl);
	if (status != STATUS_SUCCESS)
		return status;
	record = queue_next(qp->receives);
	record->context = context;
	record->type = NdkOperationTypeReceive;
	status = status_of(nd_endpoint_receive(
		qp->endpoint, &record->completion.result, sgl.entries, sgl.count));
	if (status == STATUS_SUCCESS)
		qp->receives->head++;
	return status;
}

NTSTATUS
ndk_read(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	const struct nd_mw_descriptor descriptor = descriptor_of(address, token);
	struct ndk_posting posting = {.context = context,
		.type = NdkOperationTypeRead,
		.flags = flags,
		.allowed = POST_FLAGS | NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE};
	struct ndk_sgl sgl;
	NTSTATUS status;

	/* The adapter does not announce local invalidation: the flag is not looked at. */
	if (!post_begin(&posting, pair, &status))
		return status;
	status = sgl_load(adapter_of(&posting.qp->object), list, count, &sgl);
	if (status != STATUS_SUCCESS)
		return post_refused(posting.qp, status);
	return post_end(&posting,
		nd_endpoint_read(posting.qp->endpoint, posting.result, sgl.entries, sgl.count,
			&descriptor, 0, posting.passed));
}

NTSTATUS
ndk_write(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	const struct nd_mw_descriptor descriptor = descriptor_of(address, token);
	struct ndk_posting posting = {.context = context,
		.type = NdkOperationTypeWrite,
		.flags = flags,
		.allowed = POST_FLAGS | NDK_OP_FLAG_INLINE};
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!post_begin(&posting, pair, &status))
		return status;
	status = list_load(posting.qp, list, count, flags, &sgl);
	if (status != STATUS_SUCCESS)
		return post_refused(posting.qp, status);
	return post_end(&posting,
		nd_endpoint_write(posting.qp->endpoint, posting.result, sgl.entries, sgl.count,
			&descriptor, 0, posting.passed));
}
