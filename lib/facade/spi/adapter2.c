/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/adapter.h"

#include "spi/addresses.h"
#include "spi/connector.h"
#include "spi/cq.h"
#include "spi/listener.h"
#include "spi/memory.h"
#include "spi/qp.h"
#include "spi/refuse.h"
#include "spi/srq.h"
#include "spi/status.h"
#include "win/win.h"

SPI_UNKNOWN_METHODS(adapter, IND2Adapter)

static HRESULT
adapter_create_overlapped_file(IND2Adapter *self, HANDLE *file)
{
	HANDLE made;

	(void)self;
	if (file == NULL)
		return SPI_REFUSE(
			"IND2Adapter_CreateOverlappedFile", 1, "phOverlappedFile is NULL");
	made = win_file_create();
	if (made == NULL)
		return ND_NO_MEMORY;
	*file = made;
	return ND_SUCCESS;
}

static ULONG
flags_of(const struct spi_device *device)
{
	ULONG flags = ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED | ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED;

	if (device->engine_count > 1)
		flags |= ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED;
	return flags;
}

static void
info_fill(const struct spi_device *device, ND2_ADAPTER_INFO *info)
{
	const struct nd_adapter_info *native = &device->info;
	size_t message = native->max_outbound_length < native->max_inbound_length
		? native->max_outbound_length
		: native->max_inbound_length;

	*info = (ND2_ADAPTER_INFO){
		.InfoVersion = info->InfoVersion,
		.VendorId = (UINT16)native->vendor_id,
		.DeviceId = (UINT16)native->device_id,
		.AdapterId = device->id,
		.MaxRegistrationSize = native->max_registration_size,
		.MaxWindowSize = native->max_window_size,
		.MaxInitiatorSge = spi_ulong(native->max_outbound_sge),
		.MaxReceiveSge = spi_ulong(native->max_inbound_sge),
		.MaxReadSge = spi_ulong(native->max_outbound_sge),
		.MaxTransferLength = spi_ulong(message),
		.MaxInlineDataSize = spi_ulong(native->max_inline_data),
		.MaxInboundReadLimit = spi_ulong(native->max_inbound_read_limit),
		.MaxOutboundReadLimit = spi_ulong(native->max_outbound_read_limit),
		.MaxReceiveQueueDepth = spi_ulong(native->max_inbound_requests),
		.MaxInitiatorQueueDepth = spi_ulong(native->max_outbound_requests),
		.MaxSharedReceiveQueueDepth = spi_ulong(device->srq_entries_max),
		.MaxCompletionQueueDepth = spi_ulong(native->max_cq_entries),
		.InlineRequestThreshold = spi_ulong(native->max_inline_data),
		.LargeRequestThreshold = spi_ulong(native->large_request_threshold),
		.MaxCallerData = spi_ulong(native->max_caller_data),
		.MaxCalleeData = spi_ulong(native->max_callee_data),
		.AdapterFlags = flags_of(device),
	};
}

static HRESULT
adapter_query(IND2Adapter *self, ND2_ADAPTER_INFO *info, ULONG *bytes)
{
	ULONG room;

	if (bytes == NULL)
		return SPI_REFUSE("IND2Adapter_Query", 2, "pcbInfo is NULL");
	room = *bytes;
	*bytes = sizeof(*info);
	if (info == NULL || room < sizeof(*info))
		return ND_BUFFER_OVERFLOW;
	if (info->InfoVersion != ND_VERSION_1 && info->InfoVersion != ND_VERSION_2)
		return ND_NOT_SUPPORTED;
	info_fill(((struct spi_adapter *)self)->device, info);
	return ND_SUCCESS;
}

static HRESULT
adapter_query_address_list(IND2Adapter *self, SOCKET_ADDRESS_LIST *list, ULONG *bytes)
{
	if (bytes == NULL)
		return SPI_REFUSE("IND2Adapter_QueryAddressList", 2, "pcbAddressList is NULL");
	return spi_address_list_32(((struct spi_adapter *)self)->device, list, bytes);
}

static const IND2AdapterVtbl methods = {
	SPI_UNKNOWN_ROWS(adapter),
	.CreateOverlappedFile = adapter_create_overlapped_file,
	.Query = adapter_query,
	.QueryAddressList = adapter_query_address_list,
	.CreateCompletionQueue = spi_cq2_create,
	.CreateMemoryRegion = spi_mr2_create,
	.CreateMemoryWindow = spi_mw2_create,
	.CreateSharedReceiveQueue = spi_srq2_create,
	.CreateQueuePair = spi_qp2_create,
	.CreateQueuePairWithSrq = spi_qp2_create_with_srq,
	.CreateConnector = spi_connector2_create,
	.CreateListener = spi_listener2_create,
};

const struct spi_class spi_adapter2_class = {
	.methods = &methods,
	.iid = &IID_IND2Adapter,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_adapter),
	.destroy = spi_adapter_destroy,
};

HRESULT
spi_adapter2_open(struct spi_device *device, REFIID iid, VOID **out)
{
	struct spi_adapter *adapter;
	nd_status status;

	if (!spi_class_has(&spi_adapter2_class, iid))
		return E_NOINTERFACE;
	status = spi_adapter_create(&spi_adapter2_class, device, &adapter);
	if (!nd_failed(status))
		*out = adapter;
	return status;
}
