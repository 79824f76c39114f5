/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/adapter1.h"

#include "spi/connector.h"
#include "spi/cq.h"
#include "spi/listener.h"
#include "spi/memory1.h"
#include "spi/overlapped1.h"
#include "spi/refuse.h"
#include "win/win.h"

SPI_OVERLAPPED1_METHODS(adapter, INDAdapter)

static void
adapter_destroy(struct spi_object *object)
{
	struct spi_adapter1 *adapter = (struct spi_adapter1 *)object;

	spi_memory1_end(adapter);
	pthread_mutex_destroy(&adapter->lock);
	if (object->file != NULL)
		CloseHandle(object->file);
	spi_adapter_destroy(object);
}

static HANDLE
adapter_get_file_handle(INDAdapter *self)
{
	return ((struct spi_object *)self)->file;
}

static void
info_fill(const struct nd_adapter_info *native, ND_ADAPTER_INFO *info)
{
	*info = (ND_ADAPTER_INFO){
		.VendorId = native->vendor_id,
		.DeviceId = native->device_id,
		.MaxInboundSge = native->max_inbound_sge,
		.MaxInboundRequests = native->max_inbound_requests,
		.MaxInboundLength = native->max_inbound_length,
		.MaxOutboundSge = native->max_outbound_sge,
		.MaxOutboundRequests = native->max_outbound_requests,
		.MaxOutboundLength = native->max_outbound_length,
		.MaxInlineData = native->max_inline_data,
		.MaxInboundReadLimit = native->max_inbound_read_limit,
		.MaxOutboundReadLimit = native->max_outbound_read_limit,
		.MaxCqEntries = native->max_cq_entries,
		.MaxRegistrationSize = native->max_registration_size,
		.MaxWindowSize = native->max_window_size,
		.LargeRequestThreshold = native->large_request_threshold,
		.MaxCallerData = native->max_caller_data,
		.MaxCalleeData = native->max_callee_data,
	};
}

static HRESULT
adapter_query(INDAdapter *self, DWORD version, ND_ADAPTER_INFO *info, SIZE_T *bytes)
{
	SIZE_T room;

	if (version != ND_VERSION_1)
		return ND_NOT_SUPPORTED;
	if (bytes == NULL)
		return SPI_REFUSE("INDAdapter_Query", 3, "pBufferSize is NULL");
	room = *bytes;
	*bytes = sizeof(*info);
	if (info == NULL || room < sizeof(*info))
		return ND_BUFFER_OVERFLOW;
	info_fill(&((struct spi_adapter *)self)->device->info, info);
	return ND_SUCCESS;
}

static HRESULT
adapter_control(INDAdapter *self, DWORD code, const void *in, SIZE_T in_bytes, void *out,
	SIZE_T out_bytes, SIZE_T *returned, OVERLAPPED *overlapped)
{
	(void)self;
	(void)code;
	(void)in;
	(void)in_bytes;
	(void)out;
	(void)out_bytes;
	(void)returned;
	(void)overlapped;
	return ND_NOT_SUPPORTED;
}

static const INDAdapterVtbl methods = {
	SPI_OVERLAPPED_ROWS(adapter),
	.GetFileHandle = adapter_get_file_handle,
	.Query = adapter_query,
	.Control = adapter_control,
	.CreateCompletionQueue = spi_cq1_create,
	.RegisterMemory = spi_memory1_register,
	.DeregisterMemory = spi_memory1_deregister,
	.CreateMemoryWindow = spi_mw1_create,
	.CreateConnector = spi_connector1_create,
	.Listen = spi_listen1_create,
};

const struct spi_class spi_adapter1_class = {
	.methods = &methods,
	.iid = &IID_INDAdapter,
	.base = &IID_INDOverlapped,
	.size = sizeof(struct spi_adapter1),
	.destroy = adapter_destroy,
};

HRESULT
spi_adapter1_open(struct spi_device *device, INDAdapter **adapter)
{
	struct spi_adapter *made;
	nd_status status = spi_adapter_create(&spi_adapter1_class, device, &made);

	if (nd_failed(status))
		return status;
	pthread_mutex_init(&((struct spi_adapter1 *)made)->lock, NULL);
	/*
	 * The application closes this handle. The adapter takes a reference, so the file stays open
	 * after CloseHandle().
	 */
	made->object.file = win_file_create();
	if (made->object.file == NULL || !win_file_ref(made->object.file))
		status = ND_NO_MEMORY;
	return spi_object_finish(&made->object, status, (void *)adapter);
}
