/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Fast regions (nd_region.h): regions that get their memory by requests. A control call creates a
 * fast region. Requests of the send queue, posted like binds, register and invalidate pages. The
 * memory index stores the maximum number of pages as the cookie of a fast region.
 */

#include <ndpdk/nd_region.h>

#include <rte_byteorder.h>

#include "base/limits.h"
#include "mem/fast.h"
#include "mem/query.h"
#include "nd/endpoint.h"
#include "nd/queue.h"
#include "nd/refuse.h"
#include "nd/region.h"
#include "nd/request.h"
#include "nd/status_map.h"

#define REGISTER_FLAGS                                                                             \
	(RDMA_FLAGS | ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_ATOMIC |   \
		ND_OP_FLAG_ALLOW_LOCAL_WRITE | ND_OP_FLAG_RDMA_READ_SINK)
#define WRITES (ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_ATOMIC | ND_OP_FLAG_ALLOW_LOCAL_WRITE)

#define FAST_UNKNOWN "mr is not a fast region of the adapter"

static_assert(ND_FAST_PAGE_BYTES == MEM_PAGE_BYTES, "both page sizes are equal");

nd_status
nd_adapter_create_fast_region(
	struct nd_adapter *adapter, size_t max_pages, bool remote_access, struct nd_mr **mr)
{
	struct mem_region *region;
	enum rc_status status;

	if (mr == NULL)
		return REFUSE(0, "mr is NULL");
	if (max_pages == 0 || max_pages > ND_REGION_BUFFERS_MAX)
		return REFUSE(
			0, "max_pages %zu: expected 1 to %u", max_pages, ND_REGION_BUFFERS_MAX);
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	status = mem_fast_create(adapter->mem, (uint32_t)max_pages, remote_access,
		(void *)(uintptr_t)max_pages, &region);
	if (status != RC_OK)
		return status_of_call(status);
	*mr = (struct nd_mr *)region;
	return ND_SUCCESS;
}

nd_status
fast_region_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token)
{
	struct mem_fast_info info;

	if (mem_fast_query(adapter->mem, region_of(mr), &info) != RC_OK)
		return ND_INVALID_HANDLE;
	if (!info.remote)
		return ND_ACCESS_VIOLATION;
	*token = rte_cpu_to_be_32(info.key);
	return ND_SUCCESS;
}

static uint32_t
rights_of(uint32_t flags)
{
	return (flags & ND_OP_FLAG_ALLOW_READ ? (uint32_t)MEM_REMOTE_READ : 0u) |
		(flags & ND_OP_FLAG_ALLOW_WRITE ? (uint32_t)MEM_REMOTE_WRITE : 0u) |
		(flags & ND_OP_FLAG_ALLOW_ATOMIC ? (uint32_t)MEM_REMOTE_ATOMIC : 0u) |
		(flags & ND_OP_FLAG_RDMA_READ_SINK ? (uint32_t)MEM_READ_SINK : 0u) |
		(flags & WRITES ? (uint32_t)MEM_LOCAL_WRITE : 0u);
}

/**
 * Check the arguments of a registration. Whether the region has room for the pages is checked
 * later. @return ND_SUCCESS, or which argument is wrong
 */
static nd_status
pages_check(const char *function, void *const pages[], size_t page_count, size_t first_byte_offset,
	size_t length, uintptr_t base)
{
	size_t most;

	if (pages == NULL)
		return REFUSE_IN(function, 3, "pages is NULL");
	if (page_count == 0 || page_count > ND_REGION_BUFFERS_MAX)
		return REFUSE_IN(function, 4, "page_count %zu: expected 1 to %u", page_count,
			ND_REGION_BUFFERS_MAX);
	for (size_t i = 0; i < page_count; i++)
		if (pages[i] == NULL || (uintptr_t)pages[i] % ND_FAST_PAGE_BYTES != 0)
			return REFUSE_IN(function, 3,
				"pages[%zu] is %p: expected a multiple of %u, not 0", i, pages[i],
				ND_FAST_PAGE_BYTES);
	if (first_byte_offset >= ND_FAST_PAGE_BYTES)
		return REFUSE_IN(function, 5, "first_byte_offset %zu: expected less than %u",
			first_byte_offset, ND_FAST_PAGE_BYTES);
	most = page_count * ND_FAST_PAGE_BYTES - first_byte_offset;
	if (length == 0 || length > most)
		return REFUSE_IN(function, 6,
			"length %zu: expected 1 to %zu, the bytes in the pages", length, most);
	if (base % ND_FAST_PAGE_BYTES != first_byte_offset || base + length < base)
		return REFUSE_IN(function, 7,
			"base 0x%zx: expected page offset %zu (first_byte_offset), and no overflow",
			(size_t)base, first_byte_offset);
	return ND_SUCCESS;
}

static nd_status
prepare(const char *function, const struct nd_endpoint *endpoint, const struct mem_fast_attr *attr,
	struct mem_fast *fast)
{
	enum rc_status status = mem_fast_prepare(endpoint->home->adapter->mem, attr, fast);

	/* All other arguments have been checked before, so these are the only causes left. */
	if (status == RC_BAD_REGION)
		return REFUSE_IN(function, 2, FAST_UNKNOWN);
	if (status == RC_INVALID_ARGUMENT)
		return REFUSE_IN(function, 4, "page_count %u: expected at most max_pages of mr",
			attr->page_count);
	return status_of_call(status);
}

nd_status
nd_endpoint_fast_register(struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr,
	void *const pages[], size_t page_count, size_t first_byte_offset, size_t length,
	const void *base, uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_FAST_REGISTER, .flags = flags & RDMA_FLAGS, .context = result};
	struct mem_fast_attr attr = {
		.region = region_handle(mr),
		.pages = pages,
		.page_count = (uint32_t)page_count,
		.offset = (uint32_t)first_byte_offset,
		.length_bytes = length,
		.base = (uintptr_t)base,
		.rights = rights_of(flags),
	};
	nd_status status;

	if (result == NULL)
		return REFUSE(1, "result is NULL");
	status = pages_check(
		__func__, pages, page_count, first_byte_offset, length, (uintptr_t)base);
	if (nd_failed(status))
		return status;
	if ((flags & ~REGISTER_FLAGS) != 0)
		return REFUSE_FLAGS(__func__, 8, flags, REGISTER_FLAGS);
	if (!endpoint_connected(endpoint))
		return ND_CONNECTION_INVALID;
	/*
	 * Check the queue before the reservation, as for a bind, because a reservation is hard to
	 * undo.
	 */
	status = queue_check(endpoint);
	if (!nd_failed(status))
		status = prepare(__func__, endpoint, &attr, &wr.fast);
	if (nd_failed(status))
		return status;
	status = request_post_local(endpoint, &wr);
	BASE_ASSERT(!nd_failed(status));
	return status;
}

nd_status
nd_endpoint_invalidate_region(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr, uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_INVALIDATE_REGION,
		.flags = flags,
		.context = result,
		.fast = {.region = region_handle(mr)}};
	nd_status status;

	if (result == NULL)
		return REFUSE(1, "result is NULL");
	if ((flags & ~RDMA_FLAGS) != 0)
		return REFUSE_FLAGS(__func__, 3, flags, RDMA_FLAGS);
	if (!mem_fast_alive(endpoint->home->adapter->mem, region_of(mr)))
		return REFUSE(2, FAST_UNKNOWN);
	status = queue_check(endpoint);
	return nd_failed(status) ? status : request_post_local(endpoint, &wr);
}
