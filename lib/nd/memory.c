/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Registered memory and windows. Handles are pointers into the memory index, which detects every
 * pointer that is not a valid handle. The index is thread safe, so the calls here do not require
 * that an engine is polled. A call that closes memory returns after the last engine has stopped
 * using this memory.
 *
 * The index stores the number of buffers as the cookie of a region.
 */

#include <ndpdk/nd_region.h>

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>

#include <rte_byteorder.h>

#include "base/limits.h"
#include "base/sized.h"
#include "mem/query.h"
#include "nd/adapter.h"
#include "nd/call.h"
#include "nd/cq.h"
#include "nd/refuse.h"
#include "nd/region.h"
#include "nd/status_map.h"

/*
 * Flags of a registration by ND v1, whose call has no flags: windows on the region may grant all
 * rights, and a peer has no access without a window.
 */
#define FLAGS_OF_V1 ND_MR_FLAG_ALLOW_LOCAL_WRITE

static_assert(ND_REGION_BUFFERS_MAX == LIMIT_REGION_BUFFERS, "both limits are equal");

static nd_status
region_register(struct nd_adapter *adapter, const void *base, const struct mem_buffer *buffers,
	size_t buffer_count, uint32_t flags, struct nd_mr **mr)
{
	struct mem_region_attr attr = {
		.base = (uintptr_t)base,
		.buffers = buffers,
		.buffer_count = (uint32_t)buffer_count,
		.rights = region_rights(flags) | MEM_WINDOW_BIND,
		.cookie = (void *)(uintptr_t)buffer_count,
	};
	struct mem_region *region;
	enum rc_status status;

	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	status = mem_region_register(adapter->mem, &attr, &region);
	if (status != RC_OK)
		return status_of_call(status);
	*mr = (struct nd_mr *)region;
	return ND_SUCCESS;
}

/** Check one buffer. @param names names of its address and of its length, for the log */
static nd_status
buffer_check(const char *function, const char *const names[2], const void *address, size_t length)
{
	if (address == NULL)
		return REFUSE_IN(function, 0, "%s is NULL", names[0]);
	if (length == 0)
		return ND_INVALID_BUFFER_SIZE;
	if (length > LIMIT_REGION_BYTES)
		return REFUSE_IN(function, 0, "%s %zu: expected 1 to %" PRIu64, names[1], length,
			LIMIT_REGION_BYTES);
	if ((uintptr_t)address + length < (uintptr_t)address)
		return ND_ACCESS_VIOLATION;
	return ND_SUCCESS;
}

nd_status
nd_adapter_register_memory(struct nd_adapter *adapter, const void *buffer, size_t size,
	struct nd_overlapped *overlapped, struct nd_mr **mr)
{
	static const char *const names[] = {"buffer", "size"};
	struct mem_buffer one = {.address = (void *)(uintptr_t)buffer, .length_bytes = size};
	nd_status status;

	(void)overlapped;
	if (mr == NULL)
		return REFUSE(0, "mr is NULL");
	status = buffer_check(__func__, names, buffer, size);
	return nd_failed(status) ? status
				 : region_register(adapter, buffer, &one, 1, FLAGS_OF_V1, mr);
}

static nd_status
buffers_convert(const char *function, const struct nd_buffer *buffers, size_t count, uintptr_t base,
	struct mem_buffer *converted)
{
	static const char *const names[] = {"buffers[].address", "buffers[].length"};
	uint64_t total = 0;

	for (size_t i = 0; i < count; i++) {
		nd_status status =
			buffer_check(function, names, buffers[i].address, buffers[i].length);

		if (nd_failed(status))
			return status;
		converted[i] = (struct mem_buffer){buffers[i].address, buffers[i].length};
		/*
		 * The sum does not overflow: there are at most 2^16 buffers of at most 2^47 bytes.
		 */
		total += buffers[i].length;
	}
	if (total > LIMIT_REGION_BYTES)
		return REFUSE_IN(function, 0,
			"buffers with %" PRIu64 " bytes in all: expected 1 to %" PRIu64, total,
			LIMIT_REGION_BYTES);
	return base + total < base ? ND_ACCESS_VIOLATION : ND_SUCCESS;
}

/** Arguments of a registration. */
struct registration {
	const char *function; /**< name of the public function, for the log */
	const struct nd_buffer *buffers;
	size_t buffer_count;
	const void *base;
	uint32_t flags;
};

/** Check all arguments except the address and the length of each buffer. */
static nd_status
registration_check(const struct registration *made, struct nd_mr **mr)
{
	if (mr == NULL || made->buffers == NULL)
		return REFUSE_IN(made->function, 0, "%s is NULL", mr == NULL ? "mr" : "buffers");
	if (made->buffer_count == 0 || made->buffer_count > ND_REGION_BUFFERS_MAX)
		return REFUSE_IN(made->function, 0, "buffer_count %zu: expected 1 to %u",
			made->buffer_count, ND_REGION_BUFFERS_MAX);
	if (!region_flags_valid(made->flags))
		return REFUSE_IN(made->function, 0,
			"flags 0x%x: unknown bits, or REMOTE_WRITE or _ATOMIC without LOCAL_WRITE",
			made->flags);
	return ND_SUCCESS;
}

static nd_status
buffers_register(struct nd_adapter *adapter, const struct registration *made, struct nd_mr **mr)
{
	const size_t count = made->buffer_count;
	const void *base = made->base;
	nd_status status = registration_check(made, mr);
	struct mem_buffer *converted;

	if (nd_failed(status))
		return status;
	converted = malloc(count * sizeof(*converted));
	if (converted == NULL)
		return ND_INSUFFICIENT_RESOURCES;
	if (base == NULL)
		base = made->buffers[0].address;
	status = buffers_convert(made->function, made->buffers, count, (uintptr_t)base, converted);
	if (!nd_failed(status))
		status = region_register(adapter, base, converted, count, made->flags, mr);
	free(converted);
	return status;
}

nd_status
nd_adapter_register_memory_chain(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, struct nd_overlapped *overlapped, struct nd_mr **mr)
{
	const struct registration made = {__func__, buffers, buffer_count, base, FLAGS_OF_V1};

	(void)overlapped;
	return buffers_register(adapter, &made, mr);
}

nd_status
nd_adapter_register_region(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, uint32_t flags, struct nd_overlapped *overlapped,
	struct nd_mr **mr)
{
	const struct registration made = {__func__, buffers, buffer_count, base, flags};

	(void)overlapped;
	return buffers_register(adapter, &made, mr);
}

nd_status
nd_mr_query_sized(
	struct nd_adapter *adapter, const struct nd_mr *mr, struct nd_mr_info *info, size_t size)
{
	struct nd_mr_info own;
	struct mem_region_info region;

	if (info == NULL)
		return REFUSE_IN("nd_mr_query", 0, "info is NULL");
	if (mem_region_query(adapter->mem, region_of(mr), &region) != RC_OK)
		return ND_INVALID_HANDLE;
	own = (struct nd_mr_info){
		.base = (const void *)(uintptr_t)region.base,
		.length = region.length_bytes,
		.buffer_count = (uintptr_t)region.cookie,
		.windows_bound = region.windows_bound,
		.binds_queued = region.binds_queued,
		.flags = region_flags(region.rights),
	};
	base_sized_write(info, size, &own, sizeof(own));
	return ND_SUCCESS;
}

nd_status
nd_mr_get_windows(struct nd_adapter *adapter, struct nd_mr *mr, const void *buffer, size_t size,
	struct nd_mw **windows, size_t *count)
{
	struct mem_region *region = region_handle(mr);
	size_t room;

	if (count == NULL || (windows == NULL && *count != 0))
		return REFUSE(0, "count is NULL, or windows is NULL and *count is not 0");
	if (!mem_region_alive(adapter->mem, region))
		return ND_INVALID_HANDLE;
	room = RTE_MIN(*count, (size_t)UINT32_MAX);
	*count = mem_region_windows(adapter->mem, region, (uintptr_t)buffer, size,
		(struct mem_window **)windows, (uint32_t)room);
	return *count > room ? ND_BUFFER_OVERFLOW : ND_SUCCESS;
}

/*
 * Wait for accesses that began before a call in this file closed memory. An engine that is between
 * two turns, sleeping or not polled has no access in progress. While it waits, the thread executes
 * the commands of other threads for engines that it owns.
 */

static void
others_serve(void)
{
	engine_serve_owned();
	sched_yield();
}

static void
accesses_end(const struct nd_adapter *adapter, const struct mem_grace *grace)
{
	while (!mem_domain_quiescent(adapter->mem, grace))
		others_serve();
}

nd_status
nd_adapter_deregister_memory(
	struct nd_adapter *adapter, struct nd_mr *mr, struct nd_overlapped *overlapped)
{
	enum rc_status status;
	uint64_t token;

	if (overlapped != NULL && !overlapped_usable(overlapped))
		return REFUSE(0, "overlapped is used by a pending operation");
	status = mem_region_deregister(adapter->mem, region_handle(mr), &token);
	if (status == RC_BAD_REGION)
		return ND_INVALID_HANDLE;
	if (status != RC_OK)
		return status_of_call(status);
	while (!mem_region_released(adapter->mem, token))
		others_serve();
	return ND_SUCCESS;
}

nd_status
nd_mr_invalidate_windows(struct nd_adapter *adapter, struct nd_mr *mr,
	struct nd_overlapped *overlapped, size_t *count)
{
	struct mem_region *region = region_handle(mr);
	struct mem_grace grace;
	size_t revoked;

	if (overlapped != NULL && !overlapped_usable(overlapped))
		return REFUSE(0, "overlapped is used by a pending operation");
	if (!mem_region_alive(adapter->mem, region))
		return ND_INVALID_HANDLE;
	/*
	 * The calling thread itself ends the keys, so they become invalid at once even if the
	 * engine is busy.
	 */
	revoked = mem_region_invalidate_windows(adapter->mem, region, &grace);
	if (count != NULL)
		*count = revoked;
	accesses_end(adapter, &grace);
	return ND_SUCCESS;
}

nd_status
nd_adapter_create_memory_window(
	struct nd_adapter *adapter, struct nd_result *invalidate_result, struct nd_mw **mw)
{
	struct mem_window *window;
	enum rc_status status;

	if (invalidate_result == NULL || mw == NULL)
		return REFUSE(0, "%s is NULL", mw == NULL ? "mw" : "invalidate_result");
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	status = mem_window_create(adapter->mem, invalidate_result, &window);
	if (status != RC_OK)
		return status_of_call(status);
	*mw = (struct nd_mw *)window;
	return ND_SUCCESS;
}

nd_status
nd_mw_release(struct nd_adapter *adapter, struct nd_mw *mw)
{
	struct mem_grace grace;
	enum rc_status status;

	if (mw == NULL)
		return ND_SUCCESS;
	/*
	 * After this call, completion queues discard results of this window; see
	 * cq_forget_windows().
	 */
	status = mem_window_destroy(adapter->mem, window_handle(mw), &grace);
	if (status == RC_BAD_WINDOW)
		return ND_INVALID_HANDLE;
	if (status != RC_OK)
		return status_of_call(status);
	accesses_end(adapter, &grace);
	return ND_SUCCESS;
}

/** @return the flags of a bind that grant these rights */
static uint32_t
window_flags(uint32_t rights)
{
	return (rights & MEM_REMOTE_READ ? ND_OP_FLAG_ALLOW_READ : 0u) |
		(rights & MEM_REMOTE_WRITE ? ND_OP_FLAG_ALLOW_WRITE : 0u) |
		(rights & MEM_REMOTE_ATOMIC ? ND_OP_FLAG_ALLOW_ATOMIC : 0u);
}

nd_status
nd_mw_query_sized(
	struct nd_adapter *adapter, const struct nd_mw *mw, struct nd_mw_info *info, size_t size)
{
	struct nd_mw_info own;
	struct mem_window_info window;

	if (info == NULL)
		return REFUSE_IN("nd_mw_query", 0, "info is NULL");
	if (mem_window_query(adapter->mem, (const struct mem_window *)mw, &window) != RC_OK)
		return ND_INVALID_HANDLE;
	own = (struct nd_mw_info){
		.bound = window.key != 0,
		.mr = (struct nd_mr *)window.region,
		.buffer = (const void *)(uintptr_t)window.address,
		.length = window.length_bytes,
		.flags = window_flags(window.rights) |
			(window.any_owner ? ND_OP_FLAG_ALLOW_ANY_ENDPOINT : 0u),
		.descriptor = {.base = rte_cpu_to_be_64(window.address),
			.length = rte_cpu_to_be_64(window.length_bytes),
			.token = rte_cpu_to_be_32(window.key)},
	};
	base_sized_write(info, size, &own, sizeof(own));
	return ND_SUCCESS;
}
