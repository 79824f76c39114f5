/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Protection domains. A native adapter has only one domain, so these objects only keep a reference
 * count.
 */

#include "ndk/pd.h"

#include "ndk/mr.h"
#include "ndk/mw.h"
#include "ndk/qp.h"
#include "ndk/refuse.h"
#include "ndk/srq.h"

/**
 * Check the arguments that all create functions have in common.
 * @param out_name name of the parameter for the created object
 */
static NTSTATUS
creation_check(const char *function, const NDK_PD *pd, NDK_FN_CREATE_COMPLETION completion,
	const void *out, const char *out_name)
{
	return ARGUMENTS_CHECK(function,
		{"pNdkPd", object_is(pd, NdkObjectTypePd), "an open NDK_PD"},
		{"CreateCompletion", completion != NULL, NULL}, {out_name, out != NULL, NULL});
}

static NTSTATUS
entry_create_mr(
	NDK_PD *pd, BOOLEAN fast, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_MR **out)
{
	const NTSTATUS status = creation_check("NdkCreateMr", pd, completion, out, "ppNdkMr");

	(void)context;
	return status == STATUS_SUCCESS ? mr_create((struct ndk_object *)pd, fast != 0, out)
					: status;
}

static NTSTATUS
entry_create_mw(NDK_PD *pd, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_MW **out)
{
	const NTSTATUS status = creation_check("NdkCreateMw", pd, completion, out, "ppNdkMw");

	(void)context;
	return status == STATUS_SUCCESS ? mw_create((struct ndk_object *)pd, out) : status;
}

static NTSTATUS
entry_create_srq(NDK_PD *pd, ULONG depth, ULONG sge, ULONG threshold,
	NDK_FN_SRQ_NOTIFICATION_CALLBACK notify, PVOID notify_context, GROUP_AFFINITY *affinity,
	NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_SRQ **out)
{
	const struct ndk_srq_config config = {
		depth, sge, threshold, notify, notify_context, affinity};
	const NTSTATUS status = creation_check("NdkCreateSrq", pd, completion, out, "ppNdkSrq");

	(void)context;
	return status == STATUS_SUCCESS ? srq_create((struct ndk_object *)pd, &config, out)
					: status;
}

static NTSTATUS
entry_create_qp(NDK_PD *pd, NDK_CQ *receive_cq, NDK_CQ *initiator_cq, PVOID qp_context,
	ULONG receive_depth, ULONG initiator_depth, ULONG receive_sge, ULONG initiator_sge,
	ULONG inline_bytes, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_QP **out)
{
	const struct ndk_qp_config config = {receive_cq, initiator_cq, NULL, qp_context,
		receive_depth, initiator_depth, receive_sge, initiator_sge, inline_bytes};
	const NTSTATUS status = creation_check("NdkCreateQp", pd, completion, out, "ppNdkQp");

	(void)context;
	return status == STATUS_SUCCESS ? qp_create((struct ndk_object *)pd, &config, out) : status;
}

static NTSTATUS
entry_create_qp_with_srq(NDK_PD *pd, NDK_CQ *receive_cq, NDK_CQ *initiator_cq, NDK_SRQ *srq,
	PVOID qp_context, ULONG initiator_depth, ULONG initiator_sge, ULONG inline_bytes,
	NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_QP **out)
{
	const struct ndk_qp_config config = {receive_cq, initiator_cq, srq, qp_context, 0,
		initiator_depth, 0, initiator_sge, inline_bytes};
	const char *function = "NdkCreateQpWithSrq";
	const NTSTATUS status = creation_check(function, pd, completion, out, "ppNdkQp");

	(void)context;
	if (status != STATUS_SUCCESS)
		return status;
	if (!object_of(((struct ndk_object *)pd)->tree, srq, NdkObjectTypeSrq))
		return NDK_REFUSE(function, "pSrq: expected an open NDK_SRQ of the adapter");
	return qp_create((struct ndk_object *)pd, &config, out);
}

static VOID
entry_token(NDK_PD *pd, UINT32 *token)
{
	if (object_is(pd, NdkObjectTypePd) && token != NULL)
		*token = PRIVILEGED_TOKEN;
}

OBJECT_ENTRIES(Pd)

static const NDK_PD_DISPATCH dispatch = {
	.NdkClosePd = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkCreateMr = entry_create_mr,
	.NdkCreateMw = entry_create_mw,
	.NdkCreateSrq = entry_create_srq,
	.NdkCreateQp = entry_create_qp,
	.NdkCreateQpWithSrq = entry_create_qp_with_srq,
	.NdkGetPrivilegedMemoryRegionToken = entry_token,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypePd,
	.size = sizeof(struct ndk_object),
	.dispatch = &dispatch,
};

NTSTATUS
pd_create(struct ndk_adapter *adapter, NDK_PD **out)
{
	struct ndk_object *pd = object_create(&adapter->tree, &kind);

	if (pd == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	*out = (NDK_PD *)pd;
	return STATUS_SUCCESS;
}
