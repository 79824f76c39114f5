/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Queries of an adapter's properties. */

#include <string.h>

#include "base/limits.h"
#include "nd/adapter.h"
#include "nd/address.h"
#include "nd/refuse.h"

/** Size of struct nd_adapter_info in the first version of the library. */
#define INFO_BYTES_MIN (offsetof(struct nd_adapter_info, max_srq_entries) + sizeof(size_t))

const char *
nd_adapter_name(const struct nd_adapter *adapter)
{
	return adapter->name;
}

uint16_t
nd_adapter_port_id(const struct nd_adapter *adapter)
{
	return adapter->config.port_id;
}

nd_status
nd_adapter_query(struct nd_adapter *adapter, uint32_t version, struct nd_adapter_info *info,
	size_t *buffer_size)
{
	struct nd_adapter_info own;

	if (version != ND_VERSION_1)
		return ND_NOT_SUPPORTED;
	if (buffer_size == NULL)
		return REFUSE(3, "buffer_size is NULL");
	if (*buffer_size < INFO_BYTES_MIN || info == NULL) {
		*buffer_size = sizeof(own);
		return ND_BUFFER_OVERFLOW;
	}
	own = (struct nd_adapter_info){
		.max_inbound_sge = LIMIT_SGE,
		.max_inbound_requests = ADAPTER_QUEUE_ENTRIES_MAX,
		.max_inbound_length = LIMIT_MESSAGE_BYTES,
		.max_outbound_sge = LIMIT_SGE,
		.max_outbound_requests = ADAPTER_QUEUE_ENTRIES_MAX,
		.max_outbound_length = LIMIT_MESSAGE_BYTES,
		.max_inline_data = LIMIT_INLINE_BYTES,
		.max_inbound_read_limit = LIMIT_READS,
		.max_outbound_read_limit = LIMIT_READS,
		.max_cq_entries = ADAPTER_CQ_ENTRIES_MAX,
		.max_registration_size = LIMIT_REGION_BYTES,
		.max_window_size = LIMIT_REGION_BYTES,
		.large_request_threshold = ADAPTER_LARGE_REQUEST_BYTES,
		.max_caller_data = LIMIT_CALLER_DATA,
		.max_callee_data = LIMIT_CALLEE_DATA,
		.max_srq_entries = ADAPTER_QUEUE_ENTRIES_MAX,
	};
	if (adapter->port != NULL)
		port_pci_ids(adapter->port, &own.vendor_id, &own.device_id);
	*buffer_size = RTE_MIN(*buffer_size, sizeof(own));
	memcpy(info, &own, *buffer_size);
	return ND_SUCCESS;
}

uint16_t
nd_adapter_path_mtu(const struct nd_adapter *adapter)
{
	return adapter->pmtu_bytes;
}

bool
nd_adapter_has_link(const struct nd_adapter *adapter)
{
	return adapter->port == NULL || port_has_link(adapter->port);
}

nd_status
nd_adapter_install_flow_rules(struct nd_adapter *adapter)
{
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	if (adapter->config.input_only)
		return ND_INVALID_DEVICE_STATE;
	if (adapter->port == NULL || !adapter->config.port_configured)
		return ND_SUCCESS;
	return port_make_rules(adapter->port, &adapter->address) ? ND_SUCCESS : ND_NOT_SUPPORTED;
}

nd_status
nd_adapter_get_address(const struct nd_adapter *adapter, struct sockaddr *address, size_t *length)
{
	if (length == NULL)
		return REFUSE(2, "length is NULL");
	return address_store(&adapter->address, 0, address, length);
}
