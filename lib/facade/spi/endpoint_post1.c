/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posts requests of version 1. The caller's list is converted on the stack. The context of the
 * native request is the caller's result structure.
 */

#include "spi/endpoint1.h"
#include "spi/memory1.h"
#include "spi/refuse.h"
#include "spi/sge.h"

#define LOCAL_FLAGS (ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE)
#define SEND_FLAGS  (LOCAL_FLAGS | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT)
#define BIND_FLAGS  (LOCAL_FLAGS | ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

/** Requests with a list. */
enum kind {
	SEND,
	SEND_AND_INVALIDATE,
	RECEIVE,
	READ,
	WRITE,
};

/** A request with a list: the arguments of the method that posts it. */
struct request {
	enum kind kind;
	const char *method;
	ND_RESULT *result;
	const ND_SGE *sge;
	SIZE_T count;
	DWORD flags;
	DWORD allowed; /**< flags that the method accepts */
	int parameter; /**< n of ND_INVALID_PARAMETER_n for wrong flags */
	const ND_MW_DESCRIPTOR *remote;
	ULONGLONG offset; /**< read or write: offset in the window of the peer */
};

/** The list of a request, converted for the native API. */
struct list {
	struct nd_sge entries[SPI_SGE_MAX];
	size_t count;
};

/** Convert a list. An entry without bytes accesses no memory, so its handle is not checked. */
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

static inline __attribute__((always_inline)) HRESULT
arguments_check(const struct request *request)
{
	if (request->result == NULL)
		return SPI_REFUSE(request->method, 1, "pResult is NULL");
	if (request->sge == NULL && request->count != 0)
		return SPI_REFUSE(
			request->method, 2, "pSgl is NULL, but nSge is %zu", request->count);
	if (request->remote == NULL && request->kind != SEND && request->kind != RECEIVE)
		return SPI_REFUSE(request->method, 4, "pRemoteMwDescriptor is NULL");
	if ((request->flags & ~request->allowed) != 0)
		return SPI_REFUSE(request->method, request->parameter,
			"Flags 0x%x: expected a subset of 0x%x", request->flags, request->allowed);
	return ND_SUCCESS;
}

/** Post a request on the native endpoint. The caller has entered the engine. */
static inline __attribute__((always_inline)) nd_status
native_post(struct nd_endpoint *endpoint, const struct request *request, const struct list *list)
{
	struct nd_result *result = spi_context_result(request->result);
	const DWORD flags = request->flags;
	struct nd_mw_descriptor remote;

	if (request->kind == SEND)
		return nd_endpoint_send(endpoint, result, list->entries, list->count, flags);
	if (request->kind == RECEIVE)
		return nd_endpoint_receive(endpoint, result, list->entries, list->count);
	/* Copy the descriptor, because the caller's descriptor may be unaligned. */
	remote = (struct nd_mw_descriptor){
		.base = request->remote->Base,
		.length = request->remote->Length,
		.token = request->remote->Token,
	};
	if (request->kind == SEND_AND_INVALIDATE)
		return nd_endpoint_send_and_invalidate(
			endpoint, result, list->entries, list->count, &remote, flags);
	return (request->kind == READ ? nd_endpoint_read : nd_endpoint_write)(
		endpoint, result, list->entries, list->count, &remote, request->offset, flags);
}

static inline __attribute__((always_inline)) HRESULT
post(INDEndpoint *self, const struct request request)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	nd_status status = arguments_check(&request);
	struct list list;

	if (status == ND_SUCCESS)
		status = list_take(&list, request.sge, request.count);
	if (status != ND_SUCCESS)
		return status;
	spi_engine_enter(endpoint->engine);
	status = native_post(endpoint->native, &request, &list);
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_endpoint1_send(
	INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count, DWORD flags)
{
	return post(self,
		(struct request){SEND, "INDEndpoint_Send", result, sge, count, flags, SEND_FLAGS, 4,
			NULL, 0});
}

HRESULT
spi_endpoint1_send_and_invalidate(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge,
	SIZE_T count, const ND_MW_DESCRIPTOR *remote, DWORD flags)
{
	return post(self,
		(struct request){SEND_AND_INVALIDATE, "INDEndpoint_SendAndInvalidate", result, sge,
			count, flags, SEND_FLAGS, 5, remote, 0});
}

HRESULT
spi_endpoint1_receive(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count)
{
	return post(self,
		(struct request){
			RECEIVE, "INDEndpoint_Receive", result, sge, count, 0, 0, 0, NULL, 0});
}

HRESULT
spi_endpoint1_read(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count,
	const ND_MW_DESCRIPTOR *remote, ULONGLONG offset, DWORD flags)
{
	return post(self,
		(struct request){READ, "INDEndpoint_Read", result, sge, count, flags, LOCAL_FLAGS,
			6, remote, offset});
}

HRESULT
spi_endpoint1_write(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count,
	const ND_MW_DESCRIPTOR *remote, ULONGLONG offset, DWORD flags)
{
	return post(self,
		(struct request){WRITE, "INDEndpoint_Write", result, sge, count, flags, LOCAL_FLAGS,
			6, remote, offset});
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
		return SPI_REFUSE("INDEndpoint_Bind", 3, "pMw is NULL or of another adapter");
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
		return SPI_REFUSE("INDEndpoint_Invalidate", 2, "pMw is NULL or of another adapter");
	if ((flags & ~LOCAL_FLAGS) != 0)
		return SPI_REFUSE("INDEndpoint_Invalidate", 3,
			"Flags 0x%x: expected a subset of 0x%x", flags, LOCAL_FLAGS);
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_invalidate(
		endpoint->native, spi_context_result(result), mw->mw.native, flags);
	spi_engine_leave(endpoint->engine);
	return status;
}
