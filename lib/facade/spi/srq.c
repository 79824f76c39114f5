/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/srq.h"

#include <ndpdk/nd_srq.h>

#include "spi/context.h"
#include "spi/operation.h"
#include "spi/refuse.h"
#include "spi/sge.h"
#include "win/win.h"

SPI_OVERLAPPED2_METHODS(srq, IND2SharedReceiveQueue)

static nd_status
srq_cancel(struct spi_object *object)
{
	return nd_srq_cancel_overlapped_requests(((struct spi_srq *)object)->native);
}

static void
srq_retire(struct spi_object *object)
{
	(void)srq_cancel(object);
}

static void
srq_destroy(struct spi_object *object)
{
	/*
	 * Queued receives are discarded. Completion queues may still contain results of other
	 * receives.
	 */
	(void)nd_srq_release(((struct spi_srq *)object)->native);
}

static HRESULT
create_check(const struct spi_device *device, ULONG depth, ULONG sge_max, USHORT group)
{
	static const char method[] = "IND2Adapter_CreateSharedReceiveQueue";

	if (device->srq_entries_max == 0)
		return ND_NOT_SUPPORTED;
	if (depth == 0 || depth > device->srq_entries_max)
		return SPI_REFUSE(method, 3, "queueDepth %u: expected 1 to %zu", depth,
			(size_t)device->srq_entries_max);
	if (sge_max > device->info.max_inbound_sge)
		return SPI_REFUSE(method, 4, "maxRequestSge %u: expected 0 to %zu", sge_max,
			(size_t)device->info.max_inbound_sge);
	if (group != 0)
		return SPI_REFUSE(method, 6, "group %u: expected 0", group);
	return ND_SUCCESS;
}

HRESULT
spi_srq2_create(IND2Adapter *self, REFIID iid, HANDLE file, ULONG depth, ULONG sge_max,
	ULONG threshold, USHORT group, KAFFINITY affinity, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	struct spi_device *device = adapter->device;
	HRESULT status = spi_create_check("IND2Adapter_CreateSharedReceiveQueue", &spi_srq2_class,
		iid, out, 8, "ppSharedReceiveQueue");
	struct spi_srq *srq;

	if (SUCCEEDED(status))
		status = create_check(device, depth, sge_max, group);
	if (FAILED(status))
		return status;
	if (!win_file_ref(file))
		return ND_INVALID_HANDLE;
	srq = spi_object_create(&spi_srq2_class, &adapter->object, file);
	if (srq == NULL)
		return ND_NO_MEMORY;
	srq->engine = spi_engine_of(device, affinity);
	srq->sge_max = sge_max;
	status = nd_adapter_create_srq(
		device->native, srq->engine->index, depth, sge_max, threshold, &srq->native);
	return spi_object_finish(&srq->object, status, (void *)out);
}

static HRESULT
srq_get_notify_affinity(IND2SharedReceiveQueue *self, USHORT *group, KAFFINITY *affinity)
{
	return spi_engine_affinity("IND2SharedReceiveQueue_GetNotifyAffinity",
		((struct spi_srq *)self)->engine, group, affinity);
}

static HRESULT
srq_modify(IND2SharedReceiveQueue *self, ULONG depth, ULONG threshold)
{
	nd_status status = nd_srq_modify(((struct spi_srq *)self)->native, depth, threshold);

	return status == ND_INVALID_PARAMETER_1 ? ND_INVALID_PARAMETER : status;
}

static HRESULT
srq_notify(IND2SharedReceiveQueue *self, OVERLAPPED *overlapped)
{
	struct spi_srq *srq = (struct spi_srq *)self;
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE("IND2SharedReceiveQueue_Notify", 1, "pOverlapped is NULL");
	status = spi_operation_begin(&srq->object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	return spi_operation_end(operation, nd_srq_notify(srq->native, &operation->native));
}

/** Post a receive. The caller has entered the engine. */
static nd_status
receive_post(struct spi_srq *srq, void *context, const ND2_SGE sge[], ULONG count)
{
	struct spi_sgl sgl;
	nd_status status;

	status = spi_sgl_take(&sgl, spi_device_of(&srq->object)->native, sge, count);
	/* Unlike in other lists, entries without bytes count for the limit here. */
	if (status == ND_SUCCESS && count > srq->sge_max)
		status = ND_DATA_OVERRUN;
	if (status != ND_SUCCESS)
		return status;
	return nd_srq_receive(srq->native, spi_context_result(context), sgl.entries, sgl.count);
}

static HRESULT
srq_receive(IND2SharedReceiveQueue *self, VOID *context, const ND2_SGE sge[], ULONG count)
{
	struct spi_srq *srq = (struct spi_srq *)self;
	nd_status status;

	if (sge == NULL && count != 0)
		return SPI_REFUSE(
			"IND2SharedReceiveQueue_Receive", 2, "sge is NULL, but nSge is %u", count);
	spi_engine_enter(srq->engine);
	status = receive_post(srq, context, sge, count);
	spi_engine_leave(srq->engine);
	return status;
}

static const IND2SharedReceiveQueueVtbl methods = {
	SPI_OVERLAPPED_ROWS(srq),
	.GetNotifyAffinity = srq_get_notify_affinity,
	.Modify = srq_modify,
	.Notify = srq_notify,
	.Receive = srq_receive,
};

const struct spi_class spi_srq2_class = {
	.methods = &methods,
	.iid = &IID_IND2SharedReceiveQueue,
	.base = &IID_IND2Overlapped,
	.size = sizeof(struct spi_srq),
	.retire = srq_retire,
	.cancel = srq_cancel,
	.destroy = srq_destroy,
};
