/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posting, version 1. The caller's list is converted on the stack. The caller's result structure is
 * the context of the native request.
 */

#include "spi/endpoint1.h"
#include "spi/memory1.h"
#include "spi/refuse.h"
#include "spi/sge.h"

#define LOCAL_FLAGS (ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE)
#define SEND_FLAGS  (LOCAL_FLAGS | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT)
#define BIND_FLAGS  (LOCAL_FLAGS | ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

/** The list of a request, converted for the native API. */
struct list {
	struct nd_sge entries[SPI_SGE_MAX];
	size_t count;
};

/** Convert a list. Entries without bytes access no memory, so their handles may be anything. */
static inline nd_status
list_take(struct list *list, const ND_SGE *sge, SIZE_T count)
{
	size_t filled = 0;

	if (count > SPI_SGE_MAX)
		return ND_DATA_OVERRUN;
	for (size_t i = 0; i < count; i++) {
		if (sge[i].Length != 0)
			list->entries[filled++] = (struct nd_sge){
				sge[i].pAddr, sge[i].Length, (struct nd_mr *)sge[i].hMr};
	}
	list->count = filled;
	return ND_SUCCESS;
}

/** Check the arguments that all requests with a list share, at positions 1 to 3. */
static inline HRESULT
arguments_check(const char *method, const ND_RESULT *result, const ND_SGE *sge, SIZE_T count)
{
	if (result == NULL)
		return SPI_REFUSE(method, 1, "pResult is NULL");
	if (sge == NULL && count != 0)
		return SPI_REFUSE(method, 2, "pSgl is NULL, but nSge is %zu", count);
	return ND_SUCCESS;
}

/** Copy the descriptor, because the caller's descriptor may be unaligned. */
static inline struct nd_mw_descriptor
descriptor_of(const ND_MW_DESCRIPTOR *remote)
{
	return (struct nd_mw_descriptor){
		.base = remote->Base, .length = remote->Length, .token = remote->Token};
}

HRESULT
spi_endpoint1_send(
	INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count, DWORD flags)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct list list;
	nd_status status = arguments_check("INDEndpoint_Send", result, sge, count);

	if (status != ND_SUCCESS)
		return status;
	if ((flags & ~SEND_FLAGS) != 0)
		return SPI_REFUSE("INDEndpoint_Send", 4, "Flags 0x%x: expected a subset of 0x%x",
			flags, SEND_FLAGS);
	status = list_take(&list, sge, count);
	if (status != ND_SUCCESS)
		return status;
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_send(
		endpoint->native, spi_context_result(result), list.entries, list.count, flags);
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_endpoint1_send_and_invalidate(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge,
	SIZE_T count, const ND_MW_DESCRIPTOR *remote, DWORD flags)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct nd_mw_descriptor descriptor;
	struct list list;
	nd_status status = arguments_check("INDEndpoint_SendAndInvalidate", result, sge, count);

	if (status != ND_SUCCESS)
		return status;
	if (remote == NULL)
		return SPI_REFUSE(
			"INDEndpoint_SendAndInvalidate", 4, "pRemoteMwDescriptor is NULL");
	if ((flags & ~SEND_FLAGS) != 0)
		return SPI_REFUSE("INDEndpoint_SendAndInvalidate", 5,
			"Flags 0x%x: expected a subset of 0x%x", flags, SEND_FLAGS);
	descriptor = descriptor_of(remote);
	status = list_take(&list, sge, count);
	if (status != ND_SUCCESS)
		return status;
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_send_and_invalidate(endpoint->native, spi_context_result(result),
		list.entries, list.count, &descriptor, flags);
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_endpoint1_receive(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct list list;
	nd_status status = arguments_check("INDEndpoint_Receive", result, sge, count);

	if (status != ND_SUCCESS)
		return status;
	status = list_take(&list, sge, count);
	if (status != ND_SUCCESS)
		return status;
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_receive(
		endpoint->native, spi_context_result(result), list.entries, list.count);
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_endpoint1_bind(INDEndpoint *self, ND_RESULT *result, ND_MR_HANDLE region,
	INDMemoryWindow *window, const void *buffer, SIZE_T bytes, DWORD flags,
	ND_MW_DESCRIPTOR *descriptor)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct spi_mw1 *mw = spi_object_cast(
		(IUnknown *)window, &spi_mw1_class, ((struct spi_object *)self)->parent);
	struct nd_mw_descriptor bound;
	nd_status status;

	if (result == NULL)
		return SPI_REFUSE("INDEndpoint_Bind", 1, "pResult is NULL");
	if (mw == NULL)
		return SPI_REFUSE("INDEndpoint_Bind", 3, "pMw is NULL or not of this adapter");
	if ((flags & ~BIND_FLAGS) != 0)
		return SPI_REFUSE("INDEndpoint_Bind", 6, "Flags 0x%x: expected a subset of 0x%x",
			flags, BIND_FLAGS);
	if (descriptor == NULL)
		return SPI_REFUSE("INDEndpoint_Bind", 7, "pMwDescriptor is NULL");
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_bind(endpoint->native, spi_context_result(result),
		(struct nd_mr *)region, mw->mw.native, buffer, bytes, flags, &bound);
	if (status == ND_SUCCESS)
		*descriptor = (ND_MW_DESCRIPTOR){
			.Base = bound.base, .Length = bound.length, .Token = bound.token};
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_endpoint1_invalidate(INDEndpoint *self, ND_RESULT *result, INDMemoryWindow *window, DWORD flags)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct spi_mw1 *mw = spi_object_cast(
		(IUnknown *)window, &spi_mw1_class, ((struct spi_object *)self)->parent);
	nd_status status;

	if (result == NULL)
		return SPI_REFUSE("INDEndpoint_Invalidate", 1, "pResult is NULL");
	if (mw == NULL)
		return SPI_REFUSE(
			"INDEndpoint_Invalidate", 2, "pMw is NULL or not of this adapter");
	if ((flags & ~LOCAL_FLAGS) != 0)
		return SPI_REFUSE("INDEndpoint_Invalidate", 3,
			"Flags 0x%x: expected a subset of 0x%x", flags, LOCAL_FLAGS);
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_invalidate(
		endpoint->native, spi_context_result(result), mw->mw.native, flags);
	spi_engine_leave(endpoint->engine);
	return status;
}

/** Native function for Read or Write, which have the same arguments. */
typedef nd_status (*access_fn)(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count, const struct nd_mw_descriptor *remote,
	uint64_t offset, uint32_t flags);

static inline __attribute__((always_inline)) HRESULT
access_post(const char *method, INDEndpoint *self, access_fn native, ND_RESULT *result,
	const ND_SGE *sge, SIZE_T count, const ND_MW_DESCRIPTOR *remote, ULONGLONG offset,
	DWORD flags)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct nd_mw_descriptor descriptor;
	struct list list;
	nd_status status = arguments_check(method, result, sge, count);

	if (status != ND_SUCCESS)
		return status;
	if (remote == NULL)
		return SPI_REFUSE(method, 4, "pRemoteMwDescriptor is NULL");
	if ((flags & ~LOCAL_FLAGS) != 0)
		return SPI_REFUSE(
			method, 6, "Flags 0x%x: expected a subset of 0x%x", flags, LOCAL_FLAGS);
	descriptor = descriptor_of(remote);
	status = list_take(&list, sge, count);
	if (status != ND_SUCCESS)
		return status;
	spi_engine_enter(endpoint->engine);
	status = native(endpoint->native, spi_context_result(result), list.entries, list.count,
		&descriptor, offset, flags);
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_endpoint1_read(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count,
	const ND_MW_DESCRIPTOR *remote, ULONGLONG offset, DWORD flags)
{
	return access_post("INDEndpoint_Read", self, nd_endpoint_read, result, sge, count, remote,
		offset, flags);
}

HRESULT
spi_endpoint1_write(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count,
	const ND_MW_DESCRIPTOR *remote, ULONGLONG offset, DWORD flags)
{
	return access_post("INDEndpoint_Write", self, nd_endpoint_write, result, sge, count, remote,
		offset, flags);
}
