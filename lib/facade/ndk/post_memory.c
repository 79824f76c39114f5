/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Posts requests that register, bind and invalidate memory. */

#include "ndk/post_memory.h"

#include <ndpdk/nd_region.h>

#include "ndk/mw.h"
#include "ndk/post.h"
#include "ndk/refuse.h"
#include "ndk/status.h"

#define BIND_RIGHTS     (NDK_OP_FLAG_ALLOW_REMOTE_READ | NDK_OP_FLAG_ALLOW_REMOTE_WRITE)
#define REGISTER_RIGHTS (BIND_RIGHTS | NDK_OP_FLAG_ALLOW_LOCAL_WRITE | NDK_OP_FLAG_RDMA_READ_SINK)

/** The bit of ALLOW_REMOTE_WRITE that ALLOW_LOCAL_WRITE does not have. */
#define REMOTE_WRITE_ONLY (NDK_OP_FLAG_ALLOW_REMOTE_WRITE & ~NDK_OP_FLAG_ALLOW_LOCAL_WRITE)

#define FAST_REGISTER "NdkFastRegister"

static bool
has_remote_write(ULONG flags)
{
	return (flags & NDK_OP_FLAG_ALLOW_REMOTE_WRITE) == NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
}

/** @return true if the flags have the extra bit of remote write without the bit of local write */
static bool
has_half_a_right(ULONG flags)
{
	return (flags & REMOTE_WRITE_ONLY) != 0 && !has_remote_write(flags);
}

static uint32_t
remote_rights(ULONG flags)
{
	uint32_t rights = 0;

	if ((flags & NDK_OP_FLAG_ALLOW_REMOTE_READ) != 0)
		rights |= ND_OP_FLAG_ALLOW_READ;
	if (has_remote_write(flags))
		rights |= ND_OP_FLAG_ALLOW_WRITE;
	return rights;
}

/** @return true if the flags of a bind contain at least one right, and only complete rights */
static bool
bind_flags_good(ULONG flags)
{
	if (has_half_a_right(flags) || remote_rights(flags) == 0)
		return false;
	return (flags & NDK_OP_FLAG_ALLOW_LOCAL_WRITE) == 0 || has_remote_write(flags);
}

/** Check the arguments of NdkBind() that the native function does not check. */
static NTSTATUS
bind_check(const struct ndk_qp *qp, const NDK_MR *region, const NDK_MW *window, ULONG flags)
{
	if (!bind_flags_good(flags))
		return NDK_REFUSE("NdkBind",
			"Flags 0x%x: expected ALLOW_REMOTE_READ (0x%x) or ALLOW_REMOTE_WRITE "
			"(0x%x) or both",
			flags, NDK_OP_FLAG_ALLOW_REMOTE_READ, NDK_OP_FLAG_ALLOW_REMOTE_WRITE);
	if (!object_of(qp->object.tree, region, NdkObjectTypeMr) ||
		mr_native((const struct ndk_mr *)region) == NULL)
		return NDK_REFUSE("NdkBind", "pMr: expected a registered NDK_MR of the adapter");
	if (!object_of(qp->object.tree, window, NdkObjectTypeMw))
		return NDK_REFUSE("NdkBind", "pMw: expected an open NDK_MW of the adapter");
	return STATUS_SUCCESS;
}

NTSTATUS
ndk_bind(NDK_QP *pair, PVOID context, NDK_MR *region, NDK_MW *window, PVOID address, SIZE_T length,
	ULONG flags)
{
	struct ndk_mr *mr = (struct ndk_mr *)region;
	struct ndk_mw *mw = (struct ndk_mw *)window;
	struct nd_mw_descriptor descriptor;
	struct ndk_posting posting = {.function = "NdkBind",
		.context = context,
		.type = NdkOperationTypeBind,
		.flags = flags,
		.allowed = POST_FLAGS | BIND_RIGHTS};
	nd_status posted;
	NTSTATUS status;

	if (!post_begin(&posting, pair, &status))
		return status;
	status = bind_check(posting.qp, region, window, flags);
	if (status != STATUS_SUCCESS)
		return post_refused(posting.qp, status);
	posted = nd_endpoint_bind(posting.qp->endpoint, posting.result, mr_native(mr), mw->native,
		address, length,
		posting.passed | remote_rights(flags) | ND_OP_FLAG_ALLOW_ANY_ENDPOINT, &descriptor);
	if (posted == ND_SUCCESS)
		mw_bound(mw, mr, descriptor.token);
	return post_end(&posting, posted);
}

/**
 * Check that the range fits in the pages, and that base has the same offset in its page as the
 * range.
 */
static NTSTATUS
range_check(ULONG count, const NDK_LOGICAL_ADDRESS *pages, ULONG offset, SIZE_T length,
	const void *base)
{
	const SIZE_T bytes = (SIZE_T)count * NDK_PAGE_SIZE;

	if (pages == NULL)
		return NDK_REFUSE(FAST_REGISTER, "AdapterPageArray is NULL");
	if (count == 0)
		return NDK_REFUSE(FAST_REGISTER, "AdapterPageCount is 0");
	if (offset >= NDK_PAGE_SIZE)
		return NDK_REFUSE(
			FAST_REGISTER, "FBO %u: expected 0 to %u", offset, NDK_PAGE_SIZE - 1);
	if (length == 0 || length > bytes - offset)
		return NDK_REFUSE(
			FAST_REGISTER, "Length %zu: expected 1 to %zu", length, bytes - offset);
	if ((uintptr_t)base % NDK_PAGE_SIZE != offset)
		return NDK_REFUSE(FAST_REGISTER,
			"BaseVirtualAddress %p: expected page offset %u (FBO)", base, offset);
	return STATUS_SUCCESS;
}

static uint32_t
register_rights(ULONG flags)
{
	uint32_t rights = remote_rights(flags);

	if ((flags & NDK_OP_FLAG_ALLOW_LOCAL_WRITE) != 0)
		rights |= ND_OP_FLAG_ALLOW_LOCAL_WRITE;
	if ((flags & NDK_OP_FLAG_RDMA_READ_SINK) != 0)
		rights |= ND_OP_FLAG_RDMA_READ_SINK;
	return rights;
}

/**
 * Check the arguments of NdkFastRegister(). @return STATUS_SUCCESS: the native function may be
 * called
 */
static NTSTATUS
register_check(const struct ndk_qp *qp, const NDK_MR *region, ULONG count, ULONG flags)
{
	const struct ndk_mr *mr = (const struct ndk_mr *)region;

	if (!object_of(qp->object.tree, region, NdkObjectTypeMr) || !mr->fast ||
		mr_native(mr) == NULL)
		return NDK_REFUSE(
			FAST_REGISTER, "pMr: expected an initialized fast NDK_MR of the adapter");
	if (has_half_a_right(flags))
		return NDK_REFUSE(FAST_REGISTER,
			"Flags 0x%x: ALLOW_REMOTE_WRITE requires both bits of 0x%x", flags,
			NDK_OP_FLAG_ALLOW_REMOTE_WRITE);
	if (count > mr->pages_max)
		return STATUS_IMPLEMENTATION_LIMIT;
	return remote_rights(flags) != 0 && !mr->remote_access ? STATUS_ACCESS_VIOLATION
							       : STATUS_SUCCESS;
}

NTSTATUS
ndk_fast_register(NDK_QP *pair, PVOID context, NDK_MR *region, ULONG count,
	const NDK_LOGICAL_ADDRESS *pages, ULONG offset, SIZE_T length, PVOID base, ULONG flags)
{
	const struct ndk_mr *mr = (const struct ndk_mr *)region;
	void *addresses[ADAPTER_FAST_PAGES_MAX];
	struct ndk_posting posting = {.function = FAST_REGISTER,
		.context = context,
		.type = NdkOperationTypeFastRegister,
		.flags = flags,
		.allowed = POST_FLAGS | REGISTER_RIGHTS};
	NTSTATUS status;

	if (!post_begin(&posting, pair, &status))
		return status;
	status = register_check(posting.qp, region, count, flags);
	if (status == STATUS_SUCCESS)
		status = range_check(count, pages, offset, length, base);
	if (status != STATUS_SUCCESS)
		return post_refused(posting.qp, status);
	for (ULONG i = 0; i < count; i++) {
		addresses[i] = (void *)(uintptr_t)pages[i].QuadPart;
		if (addresses[i] == NULL || (uintptr_t)addresses[i] % NDK_PAGE_SIZE != 0)
			return post_refused(posting.qp,
				NDK_REFUSE(FAST_REGISTER,
					"AdapterPageArray[%u] is %p: expected a page of %u bytes",
					i, addresses[i], NDK_PAGE_SIZE));
	}
	return post_end(&posting,
		nd_endpoint_fast_register(posting.qp->endpoint, posting.result, mr_native(mr),
			addresses, count, offset, length, base,
			posting.passed | register_rights(flags)));
}

NTSTATUS
ndk_invalidate(NDK_QP *pair, PVOID context, NDK_OBJECT_HEADER *object, ULONG flags)
{
	const struct ndk_mr *mr = (const struct ndk_mr *)object;
	const struct ndk_mw *mw = (const struct ndk_mw *)object;
	struct ndk_posting posting = {.function = "NdkInvalidate",
		.context = context,
		.type = NdkOperationTypeInvalidate,
		.flags = flags,
		.allowed = POST_FLAGS};
	const struct ndk_tree *tree;
	NTSTATUS status;

	if (!post_begin(&posting, pair, &status))
		return status;
	tree = posting.qp->object.tree;
	if (object_of(tree, object, NdkObjectTypeMw))
		return post_end(&posting,
			nd_endpoint_invalidate(
				posting.qp->endpoint, posting.result, mw->native, posting.passed));
	if (object_of(tree, object, NdkObjectTypeMr) && mr->fast && mr_native(mr) != NULL)
		return post_end(&posting,
			nd_endpoint_invalidate_region(posting.qp->endpoint, posting.result,
				mr_native(mr), posting.passed));
	return post_refused(posting.qp,
		NDK_REFUSE("NdkInvalidate",
			"pNdkMrOrMw: expected an open NDK_MW, or an initialized fast NDK_MR, of "
			"the adapter"));
}
