/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posts messages, reads and writes. Each request has a record in its queue, with the caller's
 * context. The context of the native request is the address of the record.
 */

#include "ndk/post.h"

#include <assert.h>
#include <endian.h>
#include <stddef.h>

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_shared.h>

#include "ndk/mr.h"
#include "ndk/refuse.h"
#include "ndk/results.h"
#include "ndk/sgl.h"
#include "ndk/status.h"

static_assert(NDK_OP_FLAG_SILENT_SUCCESS == ND_OP_FLAG_SILENT_SUCCESS &&
		NDK_OP_FLAG_READ_FENCE == ND_OP_FLAG_READ_FENCE &&
		NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT == ND_OP_FLAG_SEND_AND_SOLICIT_EVENT,
	"these three flags have the same values in both APIs");

#define PASSING                                                                                    \
	(NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT)

/** Fill in the record of the next request, which is not yet posted. The queue must not be full. */
static inline struct ndk_record *
record_begin(struct ndk_queue *queue, PVOID context, NDK_OPERATION_TYPE type, enum record_part part)
{
	struct ndk_record *record = queue_next(queue);

	record->context = context;
	record->type = type;
	record->part = part;
	return record;
}

NTSTATUS
post_refused(struct ndk_qp *qp, NTSTATUS status)
{
	/* Submitting runs callbacks, which may close the queue pair. Do not use qp afterwards. */
	if (qp->deferring) {
		qp->deferring = false;
		nd_endpoint_submit_request_batch(qp->endpoint);
	}
	return status;
}

/**
 * Called when all records are in use. Takes results early, because this also frees the records of
 * completed silent requests. Callbacks may run meanwhile.
 *
 * @return STATUS_SUCCESS: a record is free; otherwise the status of the posting call, and the
 *         queue pair may have been freed
 */
static __attribute__((noinline)) NTSTATUS
initiator_reclaim(struct ndk_qp *qp)
{
	struct ndk_queue *queue = qp->initiator;
	struct nd_endpoint_info info;
	NTSTATUS status = STATUS_SUCCESS;

	object_hold(&qp->object);
	results_drain(qp->initiator_cq);
	/*
	 * Unless results are withheld, ask the native library how many requests are outstanding.
	 * The native library counts requests with withheld results as complete, but their records
	 * are still in use.
	 */
	if (queue_is_full(queue) && queue->withheld == 0 &&
		nd_endpoint_query(qp->endpoint, &info) == ND_SUCCESS)
		queue->tail = queue->head - info.outbound_outstanding;
	/* The queue stays full if the consumer does not take its results. */
	if (queue_is_full(queue))
		status = post_refused(qp, STATUS_INSUFFICIENT_RESOURCES);
	else if (!object_is(qp, NdkObjectTypeQp))
		/*
		 * A callback closed the queue pair. Log nothing, because the arguments are valid.
		 */
		status = STATUS_INVALID_PARAMETER;
	object_drop(&qp->object);
	return status;
}

static __attribute__((cold, noinline)) NTSTATUS
pair_refuse(const char *function)
{
	return NDK_REFUSE(function, "pNdkQp is NULL, closed, or not an NDK_QP");
}

/** Inline version of post_begin(), for the requests that move data. */
static inline __attribute__((always_inline)) bool
begin(struct ndk_posting *posting, NDK_QP *pair, NTSTATUS *status)
{
	struct ndk_qp *qp = (struct ndk_qp *)pair;
	struct ndk_record *record;

	if (!object_is(pair, NdkObjectTypeQp)) {
		*status = pair_refuse(posting->function);
		return false;
	}
	if ((posting->flags & ~posting->allowed) != 0) {
		*status = NDK_REFUSE(posting->function, "Flags 0x%x: expected a subset of 0x%x",
			posting->flags, posting->allowed);
		post_refused(qp, *status);
		return false;
	}
	if (queue_is_full(qp->initiator)) {
		*status = initiator_reclaim(qp);
		if (*status != STATUS_SUCCESS)
			return false;
	}
	record = record_begin(qp->initiator, posting->context, posting->type, RECORD_WHOLE);
	posting->qp = qp;
	posting->result = (void *)record;
	posting->passed = posting->flags & PASSING;
	/* In a batch, callbacks, which may close the queue pair, run only at the end. */
	if (!qp->deferring) {
		qp->deferring = true;
		nd_endpoint_start_request_batch(qp->endpoint);
	}
	return true;
}

bool
post_begin(struct ndk_posting *posting, NDK_QP *pair, NTSTATUS *status)
{
	return begin(posting, pair, status);
}

/** Inline version of post_end(), for the requests that move data. */
static inline __attribute__((always_inline)) NTSTATUS
finish(struct ndk_posting *posting, nd_status status)
{
	struct ndk_qp *qp = posting->qp;

	if (status == ND_SUCCESS)
		qp->initiator->head++;
	if (status == ND_SUCCESS && (posting->flags & NDK_OP_FLAG_DEFER) != 0)
		return STATUS_SUCCESS;
	return post_refused(qp, status_of(status));
}

NTSTATUS
post_end(struct ndk_posting *posting, nd_status status)
{
	return finish(posting, status);
}

/**
 * Begin to post a request with a list, and convert the list.
 *
 * @param[out] status as for post_begin()
 * @return true: continue with the native call
 */
static inline __attribute__((always_inline)) bool
list_begin(struct ndk_posting *posting, NDK_QP *pair, const NDK_SGE *list, ULONG count,
	struct ndk_sgl *sgl, NTSTATUS *status)
{
	if (!begin(posting, pair, status))
		return false;
	if ((posting->flags & NDK_OP_FLAG_INLINE) != 0)
		*status = sgl_copy(list, count, posting->qp->inline_limit, sgl);
	else
		*status = sgl_load(adapter_of(&posting->qp->object), list, count, sgl);
	if (*status == STATUS_SUCCESS)
		return true;
	post_refused(posting->qp, sgl_refused(posting->function, list, count, *status));
	return false;
}

static struct nd_mw_descriptor
descriptor_of(UINT64 address, UINT32 token)
{
	return (struct nd_mw_descriptor){
		.base = htobe64(address),
		.length = UINT64_MAX, /* unknown here; the peer checks the length */
		.token = token,
	};
}

#define SEND_FLAGS (POST_FLAGS | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT | NDK_OP_FLAG_INLINE)

/* ---- Most requests ---- */

static_assert(offsetof(NDK_SGE, VirtualAddress) == offsetof(struct nd_token_sge, address) &&
		offsetof(NDK_SGE, Length) == offsetof(struct nd_token_sge, length) &&
		offsetof(NDK_SGE, MemoryRegionToken) == offsetof(struct nd_token_sge, token),
	"NDK_SGE and nd_token_sge have the same layout");

/** @return true if a list has one entry, with the token of a region */
static inline bool
list_is_simple(const NDK_SGE *list, ULONG count)
{
	return count == 1 && list != NULL && list->MemoryRegionToken != PRIVILEGED_TOKEN;
}

/**
 * @return true if a request needs no special treatment: its list is simple, a record is free, and
 *         the request neither begins nor ends a batch of deferred requests
 */
static inline __attribute__((always_inline)) bool
is_simple(const NDK_QP *pair, const NDK_SGE *list, ULONG count, ULONG flags, ULONG allowed)
{
	const struct ndk_qp *qp = (const struct ndk_qp *)pair;

	return object_is(pair, NdkObjectTypeQp) && list_is_simple(list, count) &&
		(flags & ~(allowed & (PASSING | NDK_OP_FLAG_DEFER))) == 0 &&
		((flags & NDK_OP_FLAG_DEFER) != 0) == qp->deferring &&
		!queue_is_full(qp->initiator);
}

/**
 * Fill in the record of a simple request, and count the request as posted. The request must be
 * counted before the native call, because callbacks in this call may post more requests or close
 * the queue pair.
 */
static inline struct ndk_record *
simple_begin(struct ndk_qp *qp, PVOID context, NDK_OPERATION_TYPE type)
{
	struct ndk_record *record = record_begin(qp->initiator, context, type, RECORD_WHOLE);

	qp->initiator->head++;
	return record;
}

/**
 * Called after the native call of a simple request. A native call that failed ran no callbacks, so
 * the request can be uncounted.
 */
static inline NTSTATUS
simple_end(struct ndk_qp *qp, nd_status status)
{
	if (__builtin_expect(status == ND_SUCCESS, true))
		return STATUS_SUCCESS;
	qp->initiator->head--;
	return post_refused(qp, status_of(status));
}

static NTSTATUS
simple_send(struct ndk_qp *qp, PVOID context, const NDK_SGE *list, ULONG flags)
{
	struct ndk_record *record = simple_begin(qp, context, NdkOperationTypeSend);

	return simple_end(qp,
		nd_endpoint_token_send(
			qp->endpoint, record, (const struct nd_token_sge *)list, flags & PASSING));
}

static NTSTATUS
simple_read(struct ndk_qp *qp, PVOID context, const NDK_SGE *list, UINT64 address, UINT32 token,
	ULONG flags)
{
	struct ndk_record *record = simple_begin(qp, context, NdkOperationTypeRead);

	return simple_end(qp,
		nd_endpoint_token_read(qp->endpoint, record, (const struct nd_token_sge *)list,
			address, token, flags & PASSING));
}

static NTSTATUS
simple_write(struct ndk_qp *qp, PVOID context, const NDK_SGE *list, UINT64 address, UINT32 token,
	ULONG flags)
{
	struct ndk_record *record = simple_begin(qp, context, NdkOperationTypeWrite);

	return simple_end(qp,
		nd_endpoint_token_write(qp->endpoint, record, (const struct nd_token_sge *)list,
			address, token, flags & PASSING));
}

static NTSTATUS
simple_receive(struct ndk_qp *qp, PVOID context, const NDK_SGE *list)
{
	struct ndk_record *record =
		record_begin(qp->receives, context, NdkOperationTypeReceive, RECORD_WHOLE);
	nd_status status =
		nd_endpoint_token_receive(qp->endpoint, record, (const struct nd_token_sge *)list);

	if (__builtin_expect(status != ND_SUCCESS, false))
		return status_of(status);
	qp->receives->head++;
	return STATUS_SUCCESS;
}

/* ---- All requests ---- */

static __attribute__((noinline)) NTSTATUS
any_send(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags)
{
	struct ndk_posting posting = {.function = "NdkSend",
		.context = context,
		.type = NdkOperationTypeSend,
		.flags = flags,
		.allowed = SEND_FLAGS};
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!list_begin(&posting, pair, list, count, &sgl, &status))
		return status;
	return finish(&posting,
		nd_endpoint_send(posting.qp->endpoint, posting.result, sgl.entries, sgl.count,
			posting.passed));
}

NTSTATUS
ndk_send_and_invalidate(
	NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags, UINT32 token)
{
	const struct nd_mw_descriptor descriptor = descriptor_of(0, token);
	struct ndk_posting posting = {.function = "NdkSendAndInvalidate",
		.context = context,
		.type = NdkOperationTypeSend,
		.flags = flags,
		.allowed = SEND_FLAGS};
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!list_begin(&posting, pair, list, count, &sgl, &status))
		return status;
	return finish(&posting,
		nd_endpoint_send_and_invalidate(posting.qp->endpoint, posting.result, sgl.entries,
			sgl.count, &descriptor, posting.passed));
}

static __attribute__((noinline)) NTSTATUS
any_receive(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count)
{
	struct ndk_qp *qp = (struct ndk_qp *)pair;
	struct ndk_record *record;
	struct ndk_sgl sgl;
	nd_status posted;
	NTSTATUS status;

	if (!object_is(pair, NdkObjectTypeQp))
		return pair_refuse("NdkReceive");
	if (qp->receives == NULL)
		return NDK_REFUSE("NdkReceive",
			"pNdkQp uses a shared receive queue: call NdkSrqReceive() instead");
	if (queue_is_full(qp->receives))
		results_drain(qp->receive_cq);
	if (queue_is_full(qp->receives))
		return STATUS_INSUFFICIENT_RESOURCES;
	status = sgl_load(adapter_of(&qp->object), list, count, &sgl);
	if (status != STATUS_SUCCESS)
		return sgl_refused("NdkReceive", list, count, status);
	record = record_begin(qp->receives, context, NdkOperationTypeReceive, RECORD_WHOLE);
	posted = nd_endpoint_receive(qp->endpoint, (void *)record, sgl.entries, sgl.count);
	if (posted != ND_SUCCESS)
		return status_of(posted);
	qp->receives->head++;
	return STATUS_SUCCESS;
}

/** Check that two more requests can be posted. @return STATUS_SUCCESS: they can */
static NTSTATUS
room_for_two(struct ndk_qp *qp)
{
	struct nd_endpoint_info info = {.state = ND_ENDPOINT_IDLE};

	nd_endpoint_query(qp->endpoint, &info);
	if (info.state != ND_ENDPOINT_CONNECTED)
		return STATUS_CONNECTION_INVALID;
	if (info.outbound_free < 2 ||
		qp->initiator->head - qp->initiator->tail + 2 > qp->initiator->count)
		return STATUS_INSUFFICIENT_RESOURCES;
	return STATUS_SUCCESS;
}

/**
 * Post a READ, followed by a fenced invalidate of its first entry. Natively, the READ and the
 * invalidate are two requests. The consumer gets one result: from the READ if it fails, otherwise
 * from the invalidate.
 */
static NTSTATUS
read_and_invalidate(struct ndk_posting *posting, const struct ndk_sgl *sgl,
	const struct nd_mw_descriptor *descriptor)
{
	struct ndk_qp *qp = posting->qp;
	struct ndk_record *second;
	nd_status posted;
	NTSTATUS status;

	if (sgl->count == 0 || !mr_is_fast(qp->object.tree, sgl->entries[0].mr))
		return post_refused(qp,
			NDK_REFUSE("NdkRead",
				"pSgl: RDMA_READ_LOCAL_INVALIDATE requires a first entry with the "
				"token of a fast region"));
	status = room_for_two(qp);
	if (status != STATUS_SUCCESS)
		return post_refused(qp, status);
	/* Post both requests in a batch, because then no callback runs between them. */
	if (!qp->deferring)
		nd_endpoint_start_request_batch(qp->endpoint);
	qp->deferring = true;
	/* Callbacks may have posted other requests since post_begin(), so fill in a new record. */
	posting->result =
		(void *)record_begin(qp->initiator, posting->context, posting->type, RECORD_FIRST);
	posted = nd_endpoint_read(qp->endpoint, posting->result, sgl->entries, sgl->count,
		descriptor, 0, posting->passed | ND_OP_FLAG_SILENT_SUCCESS);
	if (posted != ND_SUCCESS)
		return post_end(posting, posted);
	qp->initiator->head++;
	second = record_begin(qp->initiator, posting->context, posting->type, RECORD_SECOND);
	return post_end(posting,
		nd_endpoint_invalidate_region(qp->endpoint, (void *)second, sgl->entries[0].mr,
			(posting->passed & ND_OP_FLAG_SILENT_SUCCESS) | ND_OP_FLAG_READ_FENCE));
}

static __attribute__((noinline)) NTSTATUS
any_read(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count,
	const struct nd_mw_descriptor *descriptor, ULONG flags)
{
	struct ndk_posting posting = {.function = "NdkRead",
		.context = context,
		.type = NdkOperationTypeRead,
		.flags = flags,
		.allowed = POST_FLAGS | NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE};
	struct ndk_qp *qp = (struct ndk_qp *)pair;
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!list_begin(&posting, pair, list, count, &sgl, &status))
		return status;
	if ((flags & NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE) != 0) {
		object_hold(&qp->object);
		status = read_and_invalidate(&posting, &sgl, descriptor);
		object_drop(&qp->object);
		return status;
	}
	return finish(&posting,
		nd_endpoint_read(posting.qp->endpoint, posting.result, sgl.entries, sgl.count,
			descriptor, 0, posting.passed));
}

static __attribute__((noinline)) NTSTATUS
any_write(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count,
	const struct nd_mw_descriptor *descriptor, ULONG flags)
{
	struct ndk_posting posting = {.function = "NdkWrite",
		.context = context,
		.type = NdkOperationTypeWrite,
		.flags = flags,
		.allowed = POST_FLAGS | NDK_OP_FLAG_INLINE};
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!list_begin(&posting, pair, list, count, &sgl, &status))
		return status;
	return finish(&posting,
		nd_endpoint_write(posting.qp->endpoint, posting.result, sgl.entries, sgl.count,
			descriptor, 0, posting.passed));
}

/* ---- Entries ---- */

NTSTATUS
ndk_send(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags)
{
	if (__builtin_expect(is_simple(pair, list, count, flags, SEND_FLAGS), true))
		return simple_send((struct ndk_qp *)pair, context, list, flags);
	return any_send(pair, context, list, count, flags);
}

NTSTATUS
ndk_receive(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count)
{
	struct ndk_qp *qp = (struct ndk_qp *)pair;

	if (__builtin_expect(object_is(pair, NdkObjectTypeQp) && qp->receives != NULL &&
			    list_is_simple(list, count) && !queue_is_full(qp->receives),
		    true))
		return simple_receive(qp, context, list);
	return any_receive(pair, context, list, count);
}

NTSTATUS
ndk_read(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	struct nd_mw_descriptor descriptor;

	if (__builtin_expect(is_simple(pair, list, count, flags, POST_FLAGS), true))
		return simple_read((struct ndk_qp *)pair, context, list, address, token, flags);
	descriptor = descriptor_of(address, token);
	return any_read(pair, context, list, count, &descriptor, flags);
}

NTSTATUS
ndk_write(NDK_QP *pair, PVOID context, const NDK_SGE *list, ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	struct nd_mw_descriptor descriptor;

	if (__builtin_expect(is_simple(pair, list, count, flags, POST_FLAGS), true))
		return simple_write((struct ndk_qp *)pair, context, list, address, token, flags);
	descriptor = descriptor_of(address, token);
	return any_write(pair, context, list, count, &descriptor, flags);
}
