/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/mw.h"

#include "ndk/status.h"

static void
destroy(struct ndk_object *object)
{
	struct ndk_mw *mw = (struct ndk_mw *)object;

	if (mw->native != NULL)
		nd_mw_release(adapter_of(object)->native, mw->native);
}

void
mw_bound(struct ndk_mw *mw, struct ndk_mr *region, uint32_t token)
{
	__atomic_store_n(&mw->token, token, __ATOMIC_RELAXED);
	/* Atomic, because queue pairs of several engines may bind the same window. */
	object_lean_instead(&mw->object, &mw->region, &region->object);
}

static UINT32
entry_token(NDK_MW *window)
{
	const struct ndk_mw *mw = (struct ndk_mw *)window;

	return object_is(window, NdkObjectTypeMw) ? __atomic_load_n(&mw->token, __ATOMIC_RELAXED)
						  : 0;
}

OBJECT_ENTRIES(Mw)

static const NDK_MW_DISPATCH dispatch = {
	.NdkCloseMw = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkGetRemoteTokenFromMw = entry_token,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeMw,
	.size = sizeof(struct ndk_mw),
	.dispatch = &dispatch,
	.destroy = destroy,
};

NTSTATUS
mw_create(struct ndk_object *pd, NDK_MW **out)
{
	struct ndk_mw *mw = object_create(pd->tree, &kind);
	NTSTATUS status;

	if (mw == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	status = status_of(
		nd_adapter_create_memory_window(adapter_of(pd)->native, (void *)mw, &mw->native));
	if (status != STATUS_SUCCESS) {
		object_discard(&mw->object);
		return status;
	}
	object_lean(&mw->object, pd);
	*out = (NDK_MW *)mw;
	return STATUS_SUCCESS;
}
