/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Completion queues of version 1. All queues are on the first engine. */

#include "spi/cq1.h"

#include "spi/overlapped1.h"
#include "spi/refuse.h"

SPI_UNKNOWN_METHODS(cq, INDCompletionQueue)
SPI_RESULT1_METHOD(cq, INDCompletionQueue)

HRESULT
spi_cq1_create(INDAdapter *self, SIZE_T entries, INDCompletionQueue **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	struct spi_cq *cq;
	nd_status status;

	if (entries == 0 || entries > adapter->device->info.max_cq_entries)
		return SPI_REFUSE("INDAdapter_CreateCompletionQueue", 0,
			"nEntries %zu: expected 1 to %zu", entries,
			(size_t)adapter->device->info.max_cq_entries);
	if (out == NULL)
		return SPI_REFUSE("INDAdapter_CreateCompletionQueue", 2, "ppCq is NULL");
	cq = spi_object_create(&spi_cq1_class, &adapter->object);
	if (cq == NULL)
		return ND_NO_MEMORY;
	status = spi_cq_open(cq, spi_engine_of(adapter->device, 0), entries);
	if (nd_failed(status)) {
		spi_object_discard(&cq->object);
		return status;
	}
	*out = (INDCompletionQueue *)cq;
	return ND_SUCCESS;
}

static HRESULT
cq_cancel_overlapped_requests(INDCompletionQueue *self)
{
	return nd_cq_cancel_overlapped_requests(((struct spi_cq *)self)->native);
}

static HRESULT
cq_resize(INDCompletionQueue *self, SIZE_T entries)
{
	return nd_cq_resize(((struct spi_cq *)self)->native, entries);
}

static HRESULT
cq_notify(INDCompletionQueue *self, DWORD type, OVERLAPPED *overlapped)
{
	struct spi_cq *cq = (struct spi_cq *)self;
	struct spi_operation *operation;
	nd_status status;

	if (type > ND_CQ_NOTIFY_SOLICITED)
		return SPI_REFUSE("INDCompletionQueue_Notify", 1, "Type %u: expected 0 to %u", type,
			ND_CQ_NOTIFY_SOLICITED);
	if (overlapped == NULL)
		return SPI_REFUSE("INDCompletionQueue_Notify", 2, "pOverlapped is NULL");
	status = spi_operation_begin(
		&cq->object, spi_adapter_of(&cq->object)->file, overlapped, &operation);
	if (nd_failed(status))
		return status;
	return spi_operation_end(operation, nd_cq_notify(cq->native, type, &operation->native));
}

/** spi_cq_store of version 1: fill in the caller's result structure, and return its pointer. */
static inline bool
store(const struct nd_completion *completion, void *results, size_t index)
{
	ND_RESULT *result = completion->context;

	if (__builtin_expect(completion->kind == ND_COMPLETION_WINDOW_INVALIDATED, 0))
		result = ((const struct spi_window_context *)completion->context)->result;
	if (__builtin_expect(result == NULL, 0))
		return false;
	result->Status = spi_status1(completion->status);
	result->BytesTransferred = completion->bytes_transferred;
	((ND_RESULT **)results)[index] = result;
	return true;
}

static SIZE_T
cq_get_results(INDCompletionQueue *self, ND_RESULT *results[], SIZE_T count)
{
	if (results == NULL)
		return 0;
	return spi_cq_take((struct spi_cq *)self, (void *)results, count, store);
}

static const INDCompletionQueueVtbl methods = {
	SPI_UNKNOWN_ROWS(cq),
	.CancelOverlappedRequests = cq_cancel_overlapped_requests,
	.GetOverlappedResult = cq_get_overlapped_result,
	.Resize = cq_resize,
	.Notify = cq_notify,
	.GetResults = cq_get_results,
};

const struct spi_class spi_cq1_class = {
	.methods = &methods,
	.iid = &IID_INDCompletionQueue,
	.base = &IID_INDOverlapped,
	.size = sizeof(struct spi_cq),
	.retire = spi_cq_retire,
	.destroy = spi_cq_destroy,
};
