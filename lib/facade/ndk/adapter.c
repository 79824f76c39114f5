/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Opens adapters of the kernel interface on native adapters, returns their limits, and creates
 * their objects.
 */

#include "ndk/adapter.h"

#include <stdlib.h>

#include "ndk/connector.h"
#include "ndk/listener.h"
#include "ndk/mapping.h"
#include "ndk/pd.h"
#include "ndk/refuse.h"
#include "ndk/shared_endpoint.h"
#include "ndk/status.h"

static_assert(offsetof(struct ndk_adapter, dispatch) == offsetof(NDK_ADAPTER, Dispatch),
	"dispatch has the same offset in both structures");

static ULONG
limited(size_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (ULONG)value;
}

static NDK_ADAPTER_INFO
info_of(const struct ndk_adapter *adapter)
{
	const struct nd_adapter_info *limits = &adapter->limits;
	ULONG engines = nd_adapter_engine_count(adapter->native) > 1
		? NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED
		: 0;

	return (NDK_ADAPTER_INFO){
		.Version = adapter->tree.version,
		.VendorId = limits->vendor_id,
		.DeviceId = limits->device_id,
		.MaxRegistrationSize = limits->max_registration_size,
		.MaxWindowSize = limits->max_window_size,
		.FRMRPageCount = ADAPTER_FAST_PAGES_MAX,
		.MaxInitiatorRequestSge = limited(limits->max_outbound_sge),
		.MaxReceiveRequestSge = limited(limits->max_inbound_sge),
		.MaxReadRequestSge = limited(limits->max_outbound_sge),
		.MaxTransferLength = limited(limits->max_outbound_length),
		.MaxInlineDataSize = limited(limits->max_inline_data),
		.MaxInboundReadLimit = limited(limits->max_inbound_read_limit),
		.MaxOutboundReadLimit = limited(limits->max_outbound_read_limit),
		.MaxReceiveQueueDepth = limited(limits->max_inbound_requests),
		.MaxInitiatorQueueDepth = limited(limits->max_outbound_requests),
		.MaxSrqDepth = limited(limits->max_srq_entries),
		.MaxCqDepth = limited(limits->max_cq_entries),
		.LargeRequestThreshold = limited(limits->large_request_threshold),
		.MaxCallerData = limited(limits->max_caller_data),
		.MaxCalleeData = limited(limits->max_callee_data),
		.AdapterFlags = NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED |
			NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED |
			NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED |
			NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED |
			NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED | engines,
		.RdmaTechnology = NdkRoCEv2,
	};
}

static NTSTATUS
entry_query(NDK_OBJECT_HEADER *header, GUID *id, NDK_VERSION version, NDK_EXTENSION_INTERFACE *out)
{
	const bool good = adapter_from((NDK_ADAPTER *)header) != NULL;
	const NTSTATUS status = ARGUMENTS_CHECK("NdkQueryExtension",
		{"pNdkObject", good, "an NDK_ADAPTER"}, {"ExtensionInterfaceID", id != NULL, NULL},
		{"pExtensionInterface", out != NULL, NULL});

	(void)version;
	return status == STATUS_SUCCESS ? STATUS_NOT_SUPPORTED : status;
}

static NTSTATUS
entry_query_info(NDK_ADAPTER *object, NDK_ADAPTER_INFO *info, ULONG *size)
{
	const struct ndk_adapter *adapter = adapter_from(object);
	ULONG room;

	if (adapter == NULL)
		return NDK_REFUSE("NdkQueryAdapterInfo", "pNdkAdapter: expected an NDK_ADAPTER");
	if (size == NULL)
		return NDK_REFUSE("NdkQueryAdapterInfo", "pBufferSize is NULL");
	room = *size;
	*size = sizeof(*info);
	/* Without a buffer, the call requests the size. */
	if (info == NULL || room == 0)
		return STATUS_BUFFER_TOO_SMALL;
	if (room < sizeof(*info))
		return NDK_REFUSE_AS(STATUS_BUFFER_TOO_SMALL, "NdkQueryAdapterInfo",
			"*pBufferSize is %u, but NDK_ADAPTER_INFO has %zu bytes", room,
			sizeof(*info));
	*info = info_of(adapter);
	return STATUS_SUCCESS;
}

static NTSTATUS
entry_create_cq(NDK_ADAPTER *object, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify,
	PVOID notify_context, GROUP_AFFINITY *affinity, NDK_FN_CREATE_COMPLETION completion,
	PVOID context, NDK_CQ **out)
{
	struct ndk_adapter *adapter = adapter_from(object);
	NTSTATUS status = ARGUMENTS_CHECK("NdkCreateCq",
		{"pNdkAdapter", adapter != NULL, "an NDK_ADAPTER"},
		{"CqNotification", notify != NULL, NULL},
		{"CreateCompletion", completion != NULL, NULL}, {"ppNdkCq", out != NULL, NULL});

	(void)context;
	if (status == STATUS_SUCCESS)
		status = cq_create(adapter, depth, notify, notify_context, affinity, out);
	return status;
}

static NTSTATUS
entry_create_pd(
	NDK_ADAPTER *object, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_PD **out)
{
	struct ndk_adapter *adapter = adapter_from(object);
	const NTSTATUS status = ARGUMENTS_CHECK("NdkCreatePd",
		{"pNdkAdapter", adapter != NULL, "an NDK_ADAPTER"},
		{"CreateCompletion", completion != NULL, NULL}, {"ppNdkPd", out != NULL, NULL});

	(void)context;
	return status == STATUS_SUCCESS ? pd_create(adapter, out) : status;
}

static NTSTATUS
entry_create_shared(NDK_ADAPTER *object, CONST PSOCKADDR address, ULONG length,
	NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_SHARED_ENDPOINT **out)
{
	struct ndk_adapter *adapter = adapter_from(object);
	const NTSTATUS status = ARGUMENTS_CHECK("NdkCreateSharedEndpoint",
		{"pNdkAdapter", adapter != NULL, "an NDK_ADAPTER"},
		{"CreateCompletion", completion != NULL, NULL},
		{"ppNdkSharedEndpoint", out != NULL, NULL});

	(void)context;
	return status == STATUS_SUCCESS ? shared_endpoint_create(adapter, address, length, out)
					: status;
}

static NTSTATUS
entry_create_connector(NDK_ADAPTER *object, NDK_FN_CREATE_COMPLETION completion, PVOID context,
	NDK_CONNECTOR **out)
{
	struct ndk_adapter *adapter = adapter_from(object);
	const NTSTATUS status = ARGUMENTS_CHECK("NdkCreateConnector",
		{"pNdkAdapter", adapter != NULL, "an NDK_ADAPTER"},
		{"CreateCompletion", completion != NULL, NULL},
		{"ppNdkConnector", out != NULL, NULL});

	(void)context;
	return status == STATUS_SUCCESS ? connector_create(adapter, out) : status;
}

static NTSTATUS
entry_create_listener(NDK_ADAPTER *object, NDK_FN_CONNECT_EVENT_CALLBACK asked, PVOID asked_context,
	NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_LISTENER **out)
{
	struct ndk_adapter *adapter = adapter_from(object);
	const NTSTATUS status = ARGUMENTS_CHECK("NdkCreateListener",
		{"pNdkAdapter", adapter != NULL, "an NDK_ADAPTER"},
		{"ConnectEvent", asked != NULL, NULL},
		{"CreateCompletion", completion != NULL, NULL},
		{"ppNdkListener", out != NULL, NULL});

	(void)context;
	return status == STATUS_SUCCESS ? listener_create(adapter, asked, asked_context, out)
					: status;
}

static NTSTATUS
entry_build(NDK_ADAPTER *object, MDL *mdl, SIZE_T length, NDK_FN_REQUEST_COMPLETION completion,
	PVOID context, NDK_LOGICAL_ADDRESS_MAPPING *mapping, ULONG *size, ULONG *offset)
{
	struct ndk_adapter *adapter = adapter_from(object);
	NTSTATUS status =
		ARGUMENTS_CHECK("NdkBuildLAM", {"pNdkAdapter", adapter != NULL, "an NDK_ADAPTER"},
			{"pLAMSize", size != NULL, NULL}, {"pFBO", offset != NULL, NULL});

	(void)completion;
	(void)context;
	if (status == STATUS_SUCCESS)
		status = mapping_build(adapter, mdl, length, mapping, size, offset);
	return status;
}

static VOID
entry_release(NDK_ADAPTER *object, NDK_LOGICAL_ADDRESS_MAPPING *mapping)
{
	struct ndk_adapter *adapter = adapter_from(object);

	if (adapter != NULL && mapping != NULL)
		mapping_release(adapter, mapping);
}

static const NDK_ADAPTER_DISPATCH dispatch = {
	.NdkQueryExtension = entry_query,
	.NdkQueryAdapterInfo = entry_query_info,
	.NdkCreateCq = entry_create_cq,
	.NdkCreatePd = entry_create_pd,
	.NdkCreateSharedEndpoint = entry_create_shared,
	.NdkCreateConnector = entry_create_connector,
	.NdkCreateListener = entry_create_listener,
	.NdkBuildLAM = entry_build,
	.NdkReleaseLAM = entry_release,
};

/** Copy the limits and the address of the native adapter. */
static NTSTATUS
learn(struct ndk_adapter *adapter)
{
	size_t length = sizeof(adapter->address), size = sizeof(adapter->limits);
	nd_status status = nd_adapter_query(adapter->native, ND_VERSION_1, &adapter->limits, &size);

	if (status == ND_SUCCESS)
		status = nd_adapter_get_address(
			adapter->native, (struct sockaddr *)&adapter->address, &length);
	return status_of(status);
}

NTSTATUS
ndk_adapter_open(struct nd_adapter *native, NDK_VERSION version, NDK_ADAPTER **out)
{
	struct ndk_adapter *adapter;
	NTSTATUS status;

	if (native == NULL || out == NULL)
		return NDK_REFUSE(__func__, "%s is NULL", native == NULL ? "native" : "adapter");
	if (version.Major != 1 || version.Minor < 1 || version.Minor > 2)
		return STATUS_NOT_SUPPORTED;
	adapter = calloc(1, sizeof(*adapter));
	if (adapter == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	adapter->header.Version = version;
	adapter->header.ObjectType = NdkObjectTypeAdapter;
	adapter->dispatch = &dispatch;
	adapter->native = native;
	status = learn(adapter);
	if (status != STATUS_SUCCESS) {
		free(adapter);
		return status;
	}
	tree_init(&adapter->tree, version);
	ports_init(&adapter->ports);
	pools_init(&adapter->pools);
	pthread_rwlock_init(&adapter->mappings_lock, NULL);
	*out = (NDK_ADAPTER *)adapter;
	return STATUS_SUCCESS;
}

NTSTATUS
ndk_adapter_close(NDK_ADAPTER *object)
{
	struct ndk_adapter *adapter = adapter_from(object);
	bool ended;
	int state;

	if (adapter == NULL)
		return NDK_REFUSE(__func__, "adapter is NULL or not an NDK_ADAPTER");
	/*
	 * Disable thread cancellation, because a cancelled thread would leave the lock of the tree
	 * locked.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	ended = tree_end(&adapter->tree);
	pthread_setcancelstate(state, NULL);
	if (!ended)
		return STATUS_INVALID_DEVICE_STATE;
	mappings_free(adapter);
	pthread_rwlock_destroy(&adapter->mappings_lock);
	pools_fini(&adapter->pools);
	ports_fini(&adapter->ports);
	tree_fini(&adapter->tree);
	free(adapter);
	return STATUS_SUCCESS;
}

struct nd_adapter *
ndk_adapter_native(const NDK_ADAPTER *object)
{
	const struct ndk_adapter *adapter = adapter_from(object);

	return adapter == NULL ? NULL : adapter->native;
}
