/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Rights and keys of registered memory (nd_region.h).
 *
 * A region has one key in the memory index. This key is the local token of the region. If rights
 * for peers were requested, the key in network byte order is also its remote token. Otherwise the
 * index refuses every remote access with this key.
 */

#include "nd/region.h"

#include <ndpdk/nd_region.h>

#include <rte_byteorder.h>

#include "mem/query.h"
#include "nd/adapter.h"
#include "nd/refuse.h"

/* The bit that ALLOW_REMOTE_WRITE has in addition to the bit of ALLOW_LOCAL_WRITE. */
#define WRITE_BIT  (ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define ATOMIC_BIT (ND_MR_FLAG_ALLOW_REMOTE_ATOMIC & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)

#define ALL_FLAGS                                                                                  \
	(ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |                             \
		ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK |                        \
		ND_MR_FLAG_ALLOW_REMOTE_ATOMIC)
#define REMOTE_RIGHTS (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

bool
region_flags_valid(uint32_t flags)
{
	if ((flags & ~ALL_FLAGS) != 0)
		return false;
	return (flags & (WRITE_BIT | ATOMIC_BIT)) == 0 ||
		(flags & ND_MR_FLAG_ALLOW_LOCAL_WRITE) != 0;
}

uint32_t
region_rights(uint32_t flags)
{
	return (flags & ND_MR_FLAG_ALLOW_LOCAL_WRITE ? (uint32_t)MEM_LOCAL_WRITE : 0u) |
		(flags & ND_MR_FLAG_ALLOW_REMOTE_READ ? (uint32_t)MEM_REMOTE_READ : 0u) |
		(flags & WRITE_BIT ? (uint32_t)MEM_REMOTE_WRITE : 0u) |
		(flags & ATOMIC_BIT ? (uint32_t)MEM_REMOTE_ATOMIC : 0u) |
		(flags & ND_MR_FLAG_RDMA_READ_SINK ? (uint32_t)MEM_READ_SINK : 0u);
}

uint32_t
region_flags(uint32_t rights)
{
	return (rights & MEM_LOCAL_WRITE ? ND_MR_FLAG_ALLOW_LOCAL_WRITE : 0u) |
		(rights & MEM_REMOTE_READ ? ND_MR_FLAG_ALLOW_REMOTE_READ : 0u) |
		(rights & MEM_REMOTE_WRITE ? ND_MR_FLAG_ALLOW_REMOTE_WRITE : 0u) |
		(rights & MEM_REMOTE_ATOMIC ? ND_MR_FLAG_ALLOW_REMOTE_ATOMIC : 0u) |
		(rights & MEM_READ_SINK ? ND_MR_FLAG_RDMA_READ_SINK : 0u);
}

nd_status
nd_mr_get_remote_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token)
{
	struct mem_region_info region;

	if (token == NULL)
		return REFUSE(0, "token is NULL");
	if (mem_region_query(adapter->mem, region_of(mr), &region) != RC_OK)
		return ND_INVALID_HANDLE;
	if (region.fast)
		return fast_region_token(adapter, mr, token);
	if ((region.rights & REMOTE_RIGHTS) == 0)
		return ND_ACCESS_VIOLATION;
	*token = rte_cpu_to_be_32(region.key);
	return ND_SUCCESS;
}

nd_status
nd_mr_get_local_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token)
{
	struct mem_region_info region;

	if (token == NULL)
		return REFUSE(0, "token is NULL");
	if (mem_region_query(adapter->mem, region_of(mr), &region) != RC_OK)
		return ND_INVALID_HANDLE;
	*token = region.key;
	return ND_SUCCESS;
}

struct nd_mr *
nd_adapter_find_region(struct nd_adapter *adapter, uint32_t local_token)
{
	return (struct nd_mr *)mem_region_find(adapter->mem, local_token);
}
