/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Regions: registration of memory, and fast regions, which requests of a queue pair register
 * (post_memory.c).
 */

#include "ndk/mr.h"

#include <ndpdk/nd_region.h>

#include "ndk/mdl.h"
#include "ndk/refuse.h"
#include "ndk/status.h"

#define MR_FLAGS                                                                                   \
	(NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE |                          \
		NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_RDMA_READ_SINK)

static_assert(NDK_MR_FLAG_ALLOW_LOCAL_WRITE == ND_MR_FLAG_ALLOW_LOCAL_WRITE &&
		NDK_MR_FLAG_ALLOW_REMOTE_READ == ND_MR_FLAG_ALLOW_REMOTE_READ &&
		NDK_MR_FLAG_ALLOW_REMOTE_WRITE == ND_MR_FLAG_ALLOW_REMOTE_WRITE &&
		NDK_MR_FLAG_RDMA_READ_SINK == ND_MR_FLAG_RDMA_READ_SINK,
	"both APIs use the same values");

static void
destroy(struct ndk_object *object)
{
	struct ndk_mr *mr = (struct ndk_mr *)object;

	/* The windows of the region were freed before, so no window is bound to the region. */
	if (mr->native != NULL)
		nd_adapter_deregister_memory(adapter_of(object)->native, mr->native, NULL);
}

/**
 * Begin to register, deregister or prepare a region. Only one of several concurrent calls
 * succeeds.
 *
 * @param from state that the region must have
 */
static bool
change_begin(struct ndk_mr *mr, uint32_t from)
{
	return __atomic_compare_exchange_n(
		&mr->state, &from, MR_CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/** End a change that change_begin() began. @param native new native region; NULL: none */
static void
change_end(struct ndk_mr *mr, struct nd_mr *native)
{
	__atomic_store_n(&mr->native, native, __ATOMIC_RELEASE);
	__atomic_store_n(&mr->state, native == NULL ? MR_EMPTY : MR_FILLED, __ATOMIC_RELEASE);
}

/** Register memory natively. @param[out] native unchanged on failure */
static NTSTATUS
register_run(struct ndk_adapter *adapter, const MDL *mdl, SIZE_T length, ULONG flags,
	struct nd_mr **native)
{
	struct ndk_buffers buffers;
	NTSTATUS status = LIMITS_CHECK(
		"NdkRegisterMr", {"Length", length, 1, adapter->limits.max_registration_size});

	if (status == STATUS_SUCCESS)
		status = mdl_buffers("NdkRegisterMr", mdl, length, &buffers);
	if (status != STATUS_SUCCESS)
		return status;
	status = status_of(nd_adapter_register_region(adapter->native, buffers.entries,
		buffers.count, buffers.base, flags, NULL, native));
	buffers_free(&buffers);
	return status;
}

static NTSTATUS
region_check(const char *function, const NDK_MR *region, NDK_FN_REQUEST_COMPLETION completion)
{
	return ARGUMENTS_CHECK(function,
		{"pNdkMr", object_is(region, NdkObjectTypeMr), "an open NDK_MR"},
		{"RequestCompletion", completion != NULL, NULL});
}

static NTSTATUS
entry_register(NDK_MR *region, MDL *mdl, SIZE_T length, ULONG flags,
	NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_mr *mr = (struct ndk_mr *)region;
	struct nd_mr *native = NULL;
	NTSTATUS status = region_check("NdkRegisterMr", region, completion);

	(void)context;
	if (status != STATUS_SUCCESS)
		return status;
	if (mr->fast)
		return NDK_REFUSE("NdkRegisterMr", "pNdkMr was created with FastRegister");
	if ((flags & ~MR_FLAGS) != 0)
		return NDK_REFUSE(
			"NdkRegisterMr", "Flags 0x%x: expected a subset of 0x%x", flags, MR_FLAGS);
	if (!change_begin(mr, MR_EMPTY))
		return STATUS_INVALID_DEVICE_STATE;
	status = register_run(adapter_of(&mr->object), mdl, length, flags, &native);
	change_end(mr, native);
	return status;
}

static NTSTATUS
entry_deregister(NDK_MR *region, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_mr *mr = (struct ndk_mr *)region;
	struct nd_mr *native;
	NTSTATUS status = region_check("NdkDeregisterMr", region, completion);

	(void)context;
	if (status != STATUS_SUCCESS)
		return status;
	if (!change_begin(mr, MR_FILLED))
		return STATUS_INVALID_DEVICE_STATE;
	native = mr_native(mr);
	status = status_of(
		nd_adapter_deregister_memory(adapter_of(&mr->object)->native, native, NULL));
	change_end(mr, status == STATUS_SUCCESS ? NULL : native);
	return status;
}

static NTSTATUS
entry_initialize(NDK_MR *region, ULONG pages, BOOLEAN remote_access,
	NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_mr *mr = (struct ndk_mr *)region;
	struct nd_mr *native = NULL;
	const char *function = "NdkInitializeFastRegisterMr";
	NTSTATUS status = region_check(function, region, completion);

	(void)context;
	if (status != STATUS_SUCCESS)
		return status;
	if (!mr->fast)
		return NDK_REFUSE(function, "pNdkMr was created without FastRegister");
	if (pages == 0)
		return NDK_REFUSE(
			function, "AdapterPageCount 0: expected 1 to %u", ADAPTER_FAST_PAGES_MAX);
	if (!change_begin(mr, MR_EMPTY))
		return STATUS_INVALID_DEVICE_STATE;
	if (pages > ADAPTER_FAST_PAGES_MAX) {
		change_end(mr, NULL);
		return STATUS_IMPLEMENTATION_LIMIT;
	}
	status = status_of(nd_adapter_create_fast_region(
		adapter_of(&mr->object)->native, pages, remote_access != 0, &native));
	if (status == STATUS_SUCCESS) {
		mr->pages_max = pages;
		mr->remote_access = remote_access != 0;
	}
	change_end(mr, native);
	return status;
}

static UINT32
entry_remote_token(NDK_MR *region)
{
	const struct ndk_mr *mr = (struct ndk_mr *)region;
	uint32_t token = 0;

	if (!object_is(region, NdkObjectTypeMr) || mr_native(mr) == NULL)
		return 0;
	return nd_mr_get_remote_token(adapter_of(&mr->object)->native, mr_native(mr), &token) ==
			ND_SUCCESS
		? token
		: 0;
}

static UINT32
entry_local_token(NDK_MR *region)
{
	const struct ndk_mr *mr = (struct ndk_mr *)region;
	uint32_t token = 0;

	if (!object_is(region, NdkObjectTypeMr) || mr_native(mr) == NULL)
		return 0;
	return nd_mr_get_local_token(adapter_of(&mr->object)->native, mr_native(mr), &token) ==
			ND_SUCCESS
		? token
		: 0;
}

OBJECT_ENTRIES(Mr)

static const NDK_MR_DISPATCH dispatch = {
	.NdkCloseMr = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkRegisterMr = entry_register,
	.NdkDeregisterMr = entry_deregister,
	.NdkInitializeFastRegisterMr = entry_initialize,
	.NdkGetRemoteTokenFromMr = entry_remote_token,
	.NdkGetLocalTokenFromMr = entry_local_token,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeMr,
	.size = sizeof(struct ndk_mr),
	.dispatch = &dispatch,
	.destroy = destroy,
};

bool
mr_is_fast(struct ndk_tree *tree, const struct nd_mr *native)
{
	bool found = false;

	pthread_mutex_lock(&tree->lock);
	for (const struct ndk_object *object = tree->first; object != NULL && !found;
		object = object->next) {
		const struct ndk_mr *mr = (const struct ndk_mr *)object;

		found = object->kind == &kind && mr->fast && mr_native(mr) == native;
	}
	pthread_mutex_unlock(&tree->lock);
	return found;
}

NTSTATUS
mr_create(struct ndk_object *pd, bool fast, NDK_MR **out)
{
	struct ndk_mr *mr = object_create(pd->tree, &kind);

	if (mr == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	mr->fast = fast;
	object_lean(&mr->object, pd);
	*out = (NDK_MR *)mr;
	return STATUS_SUCCESS;
}
