/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/cq.h"

#include "spi/operation.h"
#include "spi/refuse.h"
#include "spi/status.h"
#include "win/win.h"

char spi_context_null;

SPI_OVERLAPPED2_METHODS(cq, IND2CompletionQueue)

nd_status
spi_cq_cancel(struct spi_object *object)
{
	return nd_cq_cancel_overlapped_requests(((struct spi_cq *)object)->native);
}

void
spi_cq_retire(struct spi_object *object)
{
	struct spi_cq *cq = (struct spi_cq *)object;

	(void)nd_cq_cancel_overlapped_requests(cq->native);
}

void
spi_cq_destroy(struct spi_object *object)
{
	(void)nd_cq_release(((struct spi_cq *)object)->native);
}

nd_status
spi_cq_make(const struct spi_class *class, struct spi_adapter *adapter, HANDLE file,
	struct spi_engine *engine, size_t depth, void *out)
{
	struct spi_cq *cq = spi_object_create(class, &adapter->object, file);

	if (cq == NULL)
		return ND_NO_MEMORY;
	cq->engine = engine;
	return spi_object_finish(&cq->object,
		nd_engine_create_completion_queue(engine->native, depth, &cq->native), out);
}

HRESULT
spi_cq_notify(const char *method, const char *name, struct spi_cq *cq, uint32_t type,
	OVERLAPPED *overlapped)
{
	struct spi_operation *operation;
	nd_status status;

	if (type > ND_CQ_NOTIFY_SOLICITED)
		return SPI_REFUSE(
			method, 1, "%s %u: expected 0 to %u", name, type, ND_CQ_NOTIFY_SOLICITED);
	if (overlapped == NULL)
		return SPI_REFUSE(method, 2, "pOverlapped is NULL");
	status = spi_operation_begin(&cq->object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	return spi_operation_end(operation, nd_cq_notify(cq->native, type, &operation->native));
}

HRESULT
spi_cq2_create(IND2Adapter *self, REFIID iid, HANDLE file, ULONG depth, USHORT group,
	KAFFINITY affinity, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	HRESULT status = spi_create_check("IND2Adapter_CreateCompletionQueue", &spi_cq2_class, iid,
		out, 6, "ppCompletionQueue");

	if (FAILED(status))
		return status;
	if (depth == 0 || depth > adapter->device->info.max_cq_entries)
		return SPI_REFUSE("IND2Adapter_CreateCompletionQueue", 3,
			"queueDepth %u: expected 1 to %zu", depth,
			(size_t)adapter->device->info.max_cq_entries);
	if (group != 0)
		return SPI_REFUSE(
			"IND2Adapter_CreateCompletionQueue", 4, "group %u: expected 0", group);
	if (!win_file_ref(file))
		return ND_INVALID_HANDLE;
	return spi_cq_make(&spi_cq2_class, adapter, file, spi_engine_of(adapter->device, affinity),
		depth, out);
}

static HRESULT
cq_get_notify_affinity(IND2CompletionQueue *self, USHORT *group, KAFFINITY *affinity)
{
	return spi_engine_affinity("IND2CompletionQueue_GetNotifyAffinity",
		((struct spi_cq *)self)->engine, group, affinity);
}

static HRESULT
cq_resize(IND2CompletionQueue *self, ULONG depth)
{
	return nd_cq_resize(((struct spi_cq *)self)->native, depth);
}

static HRESULT
cq_notify(IND2CompletionQueue *self, ULONG type, OVERLAPPED *overlapped)
{
	return spi_cq_notify(
		"IND2CompletionQueue_Notify", "type", (struct spi_cq *)self, type, overlapped);
}

static const uint8_t types[] = {
	[ND_COMPLETION_SEND] = Nd2RequestTypeSend,
	[ND_COMPLETION_WRITE] = Nd2RequestTypeWrite,
	[ND_COMPLETION_READ] = Nd2RequestTypeRead,
	[ND_COMPLETION_BIND] = Nd2RequestTypeBind,
	[ND_COMPLETION_INVALIDATE] = Nd2RequestTypeInvalidate,
	[ND_COMPLETION_RECEIVE] = Nd2RequestTypeReceive,
};

/** spi_cq_store of version 2. */
static inline bool
store(const struct nd_completion *completion, void *results, size_t index)
{
	ND2_RESULT *result = (ND2_RESULT *)results + index;

	/*
	 * A peer that uses NDK may invalidate a window. Version 2 has no result for this, so skip
	 * it.
	 */
	if (__builtin_expect(completion->kind == ND_COMPLETION_WINDOW_INVALIDATED, 0))
		return false;
	result->RequestType = (ND2_REQUEST_TYPE)types[completion->kind];
	result->Status = completion->status;
	if (__builtin_expect(result->Status != ND_SUCCESS, 0))
		result->Status = spi_status_of_result(completion->status, result->RequestType);
	result->BytesTransferred = completion->bytes_transferred;
	result->QueuePairContext = completion->endpoint_context;
	result->RequestContext = spi_context_of(completion->context);
	return true;
}

static ULONG
cq_get_results(IND2CompletionQueue *self, ND2_RESULT results[], ULONG count)
{
	if (results == NULL)
		return 0;
	return (ULONG)spi_cq_take((struct spi_cq *)self, results, count, store);
}

static const IND2CompletionQueueVtbl methods = {
	SPI_OVERLAPPED_ROWS(cq),
	.GetNotifyAffinity = cq_get_notify_affinity,
	.Resize = cq_resize,
	.Notify = cq_notify,
	.GetResults = cq_get_results,
};

const struct spi_class spi_cq2_class = {
	.methods = &methods,
	.iid = &IID_IND2CompletionQueue,
	.base = &IID_IND2Overlapped,
	.size = sizeof(struct spi_cq),
	.retire = spi_cq_retire,
	.cancel = spi_cq_cancel,
	.destroy = spi_cq_destroy,
};
