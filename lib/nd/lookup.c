/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Look-up of open adapters by address, for a program that has no handle of the adapter. */

#include <ndpdk/nd_lookup.h>

#include <string.h>

#include "base/sized.h"
#include "nd/address.h"
#include "nd/refuse.h"
#include "nd/registry.h"

static_assert(ND_ADAPTER_NAME_BYTES == NAME_BYTES, "an entry has room for each name");

static void
entry_fill(void *to, size_t size, struct nd_adapter *adapter)
{
	struct nd_adapter_entry entry = {.adapter = adapter,
		.number = adapter->number,
		.prefix_length = adapter->config.prefix_length};
	size_t length = sizeof(entry.address);

	memcpy(entry.name, adapter->name, sizeof(entry.name));
	(void)address_store(&adapter->address, 0, (struct sockaddr *)&entry.address, &length);
	base_sized_write(to, size, &entry, sizeof(entry));
}

size_t
nd_adapter_list_sized(struct nd_adapter_entry *entries, size_t size, size_t count)
{
	struct nd_adapter *adapter;
	size_t there = 0;

	registry_lock();
	REGISTRY_FOREACH (adapter) {
		if (there < count)
			entry_fill((uint8_t *)entries + there * size, size, adapter);
		there++;
	}
	registry_unlock();
	return there;
}

nd_status
nd_adapter_find_by_address(
	const struct sockaddr *address, size_t length, struct nd_adapter **adapter)
{
	struct nd_adapter *found;
	struct wire_gid gid;

	if (adapter == NULL)
		return REFUSE(0, "adapter is NULL");
	if (!address_load(address, length, &gid, NULL))
		return ND_INVALID_ADDRESS;
	registry_lock();
	REGISTRY_FOREACH (found)
		if (wire_gid_equal(&found->address, &gid))
			break;
	registry_unlock();
	if (found == NULL)
		return ND_INVALID_ADDRESS;
	*adapter = found;
	return ND_SUCCESS;
}

/**
 * @return the adapter with the best route to a peer; NULL: no route. The registry must be locked.
 */
static struct nd_adapter *
reaching(const struct wire_gid *peer)
{
	struct nd_adapter *adapter, *best = NULL;
	uint32_t best_rank = 0;

	REGISTRY_FOREACH (adapter) {
		uint32_t rank = engine_route_rank(adapter->engine, peer);

		if (rank > best_rank) {
			best = adapter;
			best_rank = rank;
		}
	}
	return best;
}

nd_status
nd_adapter_resolve_address(const struct sockaddr *remote, size_t remote_length,
	struct nd_adapter **adapter, struct sockaddr *local, size_t *local_length)
{
	nd_status status = ND_SUCCESS;
	struct nd_adapter *found;
	struct wire_gid peer;

	if (local != NULL && local_length == NULL)
		return REFUSE(5, "local_length is NULL, but local is not");
	if (!address_load(remote, remote_length, &peer, NULL) || !wire_gid_is_unicast(&peer))
		return ND_INVALID_ADDRESS;
	registry_lock();
	found = reaching(&peer);
	if (found == NULL)
		status = ND_NETWORK_UNREACHABLE;
	else if (local_length != NULL)
		status = address_store(&found->address, 0, local, local_length);
	registry_unlock();
	if (status == ND_SUCCESS && adapter != NULL)
		*adapter = found;
	return status;
}
