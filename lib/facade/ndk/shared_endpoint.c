/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/shared_endpoint.h"

#include "ndk/address.h"
#include "ndk/refuse.h"

static void
destroy(struct ndk_object *object)
{
	port_drop(((struct ndk_shared_endpoint *)object)->port);
}

static NTSTATUS
entry_address(NDK_SHARED_ENDPOINT *endpoint, PSOCKADDR address, ULONG *length)
{
	const struct ndk_shared_endpoint *shared = (struct ndk_shared_endpoint *)endpoint;

	if (!object_is(endpoint, NdkObjectTypeSharedEndpoint))
		return NDK_REFUSE(ADDRESS_GETTER,
			"pNdkSharedEndpoint is NULL, closed, or not an NDK_SHARED_ENDPOINT");
	return address_tell(adapter_of(&shared->object), shared->port->number, address, length);
}

OBJECT_ENTRIES(SharedEndpoint)

static const NDK_SHARED_ENDPOINT_DISPATCH dispatch = {
	.NdkCloseSharedEndpoint = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkGetLocalAddress = entry_address,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeSharedEndpoint,
	.size = sizeof(struct ndk_shared_endpoint),
	.dispatch = &dispatch,
	.destroy = destroy,
};

NTSTATUS
shared_endpoint_create(struct ndk_adapter *adapter, const struct sockaddr *address, ULONG length,
	NDK_SHARED_ENDPOINT **out)
{
	struct ndk_shared_endpoint *shared;
	uint16_t number;
	NTSTATUS status =
		address_own(adapter, "NdkCreateSharedEndpoint", "", address, length, &number);

	if (status != STATUS_SUCCESS)
		return status;
	shared = object_create(&adapter->tree, &kind);
	if (shared == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	status = port_take(&adapter->ports, number, &shared->port);
	if (status != STATUS_SUCCESS) {
		object_discard(&shared->object);
		return status;
	}
	*out = (NDK_SHARED_ENDPOINT *)shared;
	return STATUS_SUCCESS;
}
