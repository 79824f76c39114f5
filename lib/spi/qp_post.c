/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posting, version 2. The caller's list is translated on the stack, and the request takes the next
 * place of its ring; all of that inside the engine.
 */

#include <endian.h>
#include <string.h>

#include "spi/memory.h"
#include "spi/qp.h"
#include "spi/sge.h"

#define SEND_FLAGS                                                                                 \
	(ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT |   \
		ND_OP_FLAG_INLINE)
#define LOCAL_FLAGS (ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE)
#define WRITE_FLAGS (LOCAL_FLAGS | ND_OP_FLAG_INLINE)
#define BIND_FLAGS  (LOCAL_FLAGS | ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

/** One request on its way to the native API. */
struct posting {
	struct spi_endpoint *endpoint;
	struct spi_request *request;
	struct spi_sgl sgl;
	uint32_t flags; /**< the native API's */
};

/** Be inside, and take a place in the ring. posting_end() follows in any case. */
static inline nd_status
posting_begin(struct posting *posting, IND2QueuePair *self, ND2_REQUEST_TYPE type, void *context,
	ULONG flags)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct spi_requests *requests =
		type == Nd2RequestTypeReceive ? endpoint->receives : endpoint->initiators;
	struct spi_request *request;

	posting->endpoint = endpoint;
	posting->flags = flags & ~ND_OP_FLAG_INLINE;
	spi_engine_enter(endpoint->engine);
	/* A queue pair of a shared receive queue has no receives. */
	if (requests == NULL)
		return ND_NO_MORE_ENTRIES;
	request = spi_request_next(requests);
	if (request == NULL)
		return ND_NO_MEMORY;
	request->context = context;
	request->type = type;
	request->silent = (flags & ND_OP_FLAG_SILENT_SUCCESS) != 0;
	posting->request = request;
	return ND_SUCCESS;
}

static inline HRESULT
posting_end(struct posting *posting, nd_status status)
{
	if (status == ND_SUCCESS)
		spi_request_posted(posting->request, posting->endpoint->native);
	spi_engine_leave(posting->endpoint->engine);
	return status;
}

/**
 * posting_begin() of a request with a list, which is translated; inline data needs no regions, and
 * becomes one entry.
 */
static inline nd_status
list_begin(struct posting *posting, IND2QueuePair *self, ND2_REQUEST_TYPE type, void *context,
	const ND2_SGE *sge, ULONG count, ULONG flags)
{
	nd_status status = posting_begin(posting, self, type, context, flags);
	struct spi_endpoint *endpoint = posting->endpoint;

	if (status != ND_SUCCESS)
		return status;
	if (sge == NULL && count != 0)
		return ND_INVALID_PARAMETER_2;
	if ((flags & ND_OP_FLAG_INLINE) != 0)
		return spi_sgl_inline(&posting->sgl, sge, count, endpoint->inline_max);
	return spi_sgl_take(&posting->sgl, spi_device_of(&endpoint->object)->native, sge, count);
}

HRESULT
spi_qp2_send(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, ULONG flags)
{
	struct posting posting;
	nd_status status;

	if ((flags & ~SEND_FLAGS) != 0)
		return ND_INVALID_PARAMETER_4;
	status = list_begin(&posting, self, Nd2RequestTypeSend, context, sge, count, flags);
	if (status == ND_SUCCESS)
		status = nd_endpoint_send(posting.endpoint->native, &posting.request->result,
			posting.sgl.entries, posting.sgl.count, posting.flags);
	return posting_end(&posting, status);
}

HRESULT
spi_qp2_receive(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count)
{
	struct posting posting;
	nd_status status;

	status = list_begin(&posting, self, Nd2RequestTypeReceive, context, sge, count, 0);
	if (status == ND_SUCCESS)
		status = nd_endpoint_receive(posting.endpoint->native, &posting.request->result,
			posting.sgl.entries, posting.sgl.count);
	return posting_end(&posting, status);
}

/** Flags of a bind: without a right the window opens nothing. */
static uint32_t
bind_flags(ULONG flags)
{
	if ((flags & (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)) == 0)
		flags |= ND_OP_FLAG_ALLOW_NOTHING;
	return flags;
}

HRESULT
spi_qp2_bind(IND2QueuePair *self, VOID *context, IUnknown *region, IUnknown *window,
	const VOID *buffer, SIZE_T bytes, ULONG flags)
{
	const struct spi_object *parent = ((struct spi_object *)self)->parent;
	struct spi_mr *mr = spi_object_cast(region, &spi_mr2_class, parent);
	struct spi_mw *mw = spi_object_cast(window, &spi_mw2_class, parent);
	struct nd_mw_descriptor descriptor;
	struct posting posting;
	nd_status status;

	if (mr == NULL || mr->native == NULL)
		return ND_INVALID_PARAMETER_2;
	if (mw == NULL)
		return ND_INVALID_PARAMETER_3;
	if ((flags & ~BIND_FLAGS) != 0)
		return ND_INVALID_PARAMETER_6;
	status = posting_begin(&posting, self, Nd2RequestTypeBind, context, flags);
	if (status == ND_SUCCESS)
		status = nd_endpoint_bind(posting.endpoint->native, &posting.request->result,
			mr->native, mw->native, buffer, bytes, bind_flags(posting.flags),
			&descriptor);
	if (status == ND_SUCCESS)
		__atomic_store_n(&mw->token, descriptor.token, __ATOMIC_RELAXED);
	return posting_end(&posting, status);
}

HRESULT
spi_qp2_invalidate(IND2QueuePair *self, VOID *context, IUnknown *window, ULONG flags)
{
	const struct spi_object *parent = ((struct spi_object *)self)->parent;
	struct spi_mw *mw = spi_object_cast(window, &spi_mw2_class, parent);
	struct posting posting;
	nd_status status;

	if (mw == NULL)
		return ND_INVALID_PARAMETER_2;
	if ((flags & ~LOCAL_FLAGS) != 0)
		return ND_INVALID_PARAMETER_3;
	status = posting_begin(&posting, self, Nd2RequestTypeInvalidate, context, flags);
	if (status == ND_SUCCESS)
		status = nd_endpoint_invalidate(posting.endpoint->native, &posting.request->result,
			mw->native, posting.flags);
	return posting_end(&posting, status);
}

/** The native API names the peer's memory by a descriptor: from this address on, without an end. */
static inline struct nd_mw_descriptor
descriptor_of(UINT64 address, UINT32 token)
{
	return (struct nd_mw_descriptor){
		.base = htobe64(address),
		.length = htobe64(UINT64_MAX - address),
		.token = token,
	};
}

HRESULT
spi_qp2_read(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	const struct nd_mw_descriptor remote = descriptor_of(address, token);
	struct posting posting;
	nd_status status;

	if ((flags & ~LOCAL_FLAGS) != 0)
		return ND_INVALID_PARAMETER_6;
	status = list_begin(&posting, self, Nd2RequestTypeRead, context, sge, count, flags);
	if (status == ND_SUCCESS)
		status = nd_endpoint_read(posting.endpoint->native, &posting.request->result,
			posting.sgl.entries, posting.sgl.count, &remote, 0, posting.flags);
	return posting_end(&posting, status);
}

HRESULT
spi_qp2_write(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	const struct nd_mw_descriptor remote = descriptor_of(address, token);
	struct posting posting;
	nd_status status;

	if ((flags & ~WRITE_FLAGS) != 0)
		return ND_INVALID_PARAMETER_6;
	status = list_begin(&posting, self, Nd2RequestTypeWrite, context, sge, count, flags);
	if (status == ND_SUCCESS)
		status = nd_endpoint_write(posting.endpoint->native, &posting.request->result,
			posting.sgl.entries, posting.sgl.count, &remote, 0, posting.flags);
	return posting_end(&posting, status);
}
