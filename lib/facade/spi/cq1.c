/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Completion queues of version 1. All queues are on the first engine. */

#include "spi/cq.h"
#include "spi/overlapped1.h"
#include "spi/refuse.h"

SPI_OVERLAPPED1_METHODS(cq, INDCompletionQueue)

HRESULT
spi_cq1_create(INDAdapter *self, SIZE_T entries, INDCompletionQueue **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;

	if (entries == 0 || entries > adapter->device->info.max_cq_entries)
		return SPI_REFUSE("INDAdapter_CreateCompletionQueue", 0,
			"nEntries %zu: expected 1 to %zu", entries,
			(size_t)adapter->device->info.max_cq_entries);
	if (out == NULL)
		return SPI_REFUSE("INDAdapter_CreateCompletionQueue", 2, "ppCq is NULL");
	return spi_cq_make(&spi_cq1_class, adapter, NULL, spi_engine_of(adapter->device, 0),
		entries, (void *)out);
}

static HRESULT
cq_resize(INDCompletionQueue *self, SIZE_T entries)
{
	return nd_cq_resize(((struct spi_cq *)self)->native, entries);
}

static HRESULT
cq_notify(INDCompletionQueue *self, DWORD type, OVERLAPPED *overlapped)
{
	return spi_cq_notify(
		"INDCompletionQueue_Notify", "Type", (struct spi_cq *)self, type, overlapped);
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
	SPI_OVERLAPPED_ROWS(cq),
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
	.cancel = spi_cq_cancel,
	.destroy = spi_cq_destroy,
};
