/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk_scene.h"

#include <string.h>

uintptr_t
scene_at(size_t offset)
{
	return (uintptr_t)OWNER->memory + offset;
}

NTSTATUS
scene_bind_post(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags)
{
	return OWNER->qp->Dispatch->NdkBind(
		OWNER->qp, mw, OWNER->mr, mw, (PVOID)scene_at(offset), length, flags);
}

UINT32
scene_bind(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags)
{
	ASSERT_NT(scene_bind_post(mw, offset, length, flags), STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	return mw->Dispatch->NdkGetRemoteTokenFromMw(mw);
}

UINT32
scene_window(NDK_MW **mw, size_t offset, SIZE_T length, ULONG flags)
{
	NDK_MW *made = side_mw(OWNER);

	if (mw != NULL)
		*mw = made;
	return scene_bind(made, offset, length, flags);
}

void
scene_invalidate_post(NDK_MW *mw, ULONG flags)
{
	ASSERT_NT(OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, mw, &mw->Header, flags),
		STATUS_SUCCESS);
}

NTSTATUS
scene_invalidate(NDK_MW *mw)
{
	NDK_RESULT_EX result;

	scene_invalidate_post(mw, 0);
	result = side_result(OWNER);
	cr_assert_eq(result.RequestContext, mw);
	return result.Status;
}

void
scene_write_post(UINT32 token, size_t offset, ULONG length, PVOID context)
{
	NDK_SGE sge = side_sge(PEER, 0, length);

	ASSERT_NT(PEER->qp->Dispatch->NdkWrite(
			  PEER->qp, context, &sge, 1, scene_at(offset), token, 0),
		STATUS_SUCCESS);
}

void
scene_read_post(UINT32 token, size_t offset, ULONG length, PVOID context)
{
	NDK_SGE sge = side_sge(PEER, 0, length);

	ASSERT_NT(
		PEER->qp->Dispatch->NdkRead(PEER->qp, context, &sge, 1, scene_at(offset), token, 0),
		STATUS_SUCCESS);
}

NTSTATUS
scene_write(UINT32 token, size_t offset, ULONG length)
{
	scene_write_post(token, offset, length, NULL);
	return side_result(PEER).Status;
}

NTSTATUS
scene_read(UINT32 token, size_t offset, ULONG length)
{
	scene_read_post(token, offset, length, NULL);
	return side_result(PEER).Status;
}

bool
scene_arrived(size_t offset, size_t length)
{
	return memcmp(OWNER->memory + offset, PEER->memory, length) == 0;
}

void
scene_hold(PVOID context)
{
	static NDK_MR *source;
	static const NDK_ADAPTER *of;
	NDK_SGE sge = side_sge(OWNER, 0, 64);

	if (of != PEER->adapter)
		source = side_mr(
			PEER, PEER->memory, PEER->memory, 4096, NDK_MR_FLAG_ALLOW_REMOTE_READ);
	of = PEER->adapter;
	ASSERT_NT(OWNER->qp->Dispatch->NdkRead(OWNER->qp, context, &sge, 1, (uintptr_t)PEER->memory,
			  source->Dispatch->NdkGetRemoteTokenFromMr(source), 0),
		STATUS_SUCCESS);
	side_poll(OWNER);
}

void
scene_reconnect(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		NDK_RESULT results[8];
		struct ndk_side *side = &pair.side[i];

		if (side->qp != NULL)
			side->qp->Dispatch->NdkFlush(side->qp);
		pair_quiet();
		while (side->cq->Dispatch->NdkGetCqResults(side->cq, results, 8) != 0)
			;
		side->qp = side_qp(side, side->cq, NDK_DEPTH, side);
		side->disconnected = 0;
	}
	pair_connect();
}
