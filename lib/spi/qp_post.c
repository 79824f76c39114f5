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
	spi_engine_enter(endpoint->engine);
	/* A queue pair of a shared receive queue has no receives. */
	if (requests == NULL)
		return ND_NO_MORE_ENTRIES;
	request = spi_request_next(requests);
	if (request == NULL)
		return ND_NO_MEMORY;
	request->context = context;
	request->type = type;
	request->flags = flags;
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
			mr->native, mw->native, buffer, bytes, bind_flags(flags), &descriptor);
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
		status = nd_endpoint_invalidate(
			posting.endpoint->native, &posting.request->result, mw->native, flags);
	return posting_end(&posting, status);
}

/* ---- requests with a list ---- */

/** A request with a list, as its method got it. */
struct list {
	const ND2_SGE *sge;
	ULONG count;
	ULONG flags;
	ULONG allowed;   /**< flags of its method */
	HRESULT refusal; /**< of other ones */
	ND2_REQUEST_TYPE type;
	const struct nd_mw_descriptor *remote; /**< of a read or write */
};

static inline __attribute__((always_inline)) nd_status
native_post(struct nd_endpoint *endpoint, struct nd_result *result, const struct nd_sge *entries,
	size_t count, const struct list *list, ULONG flags)
{
	if (list->type == Nd2RequestTypeSend)
		return nd_endpoint_send(endpoint, result, entries, count, flags);
	if (list->type == Nd2RequestTypeRead)
		return nd_endpoint_read(endpoint, result, entries, count, list->remote, 0, flags);
	if (list->type == Nd2RequestTypeWrite)
		return nd_endpoint_write(endpoint, result, entries, count, list->remote, 0, flags);
	return nd_endpoint_receive(endpoint, result, entries, count);
}

/** Inline data needs no regions, and becomes one entry. */
static nd_status
any_translate(const struct spi_endpoint *endpoint, struct spi_sgl *sgl, const struct list *list)
{
	if (list->sge == NULL && list->count != 0)
		return ND_INVALID_PARAMETER_2;
	if ((list->flags & ND_OP_FLAG_INLINE) != 0)
		return spi_sgl_inline(sgl, list->sge, list->count, endpoint->inline_max);
	return spi_sgl_take(sgl, endpoint->adapter, list->sge, list->count);
}

/** Post any list. Not inlined: it needs much of the stack, and most lists are simple. */
static __attribute__((noinline)) HRESULT
any_post(IND2QueuePair *self, void *context, const struct list *list)
{
	struct posting posting;
	struct spi_sgl sgl;
	nd_status status;

	if ((list->flags & ~list->allowed) != 0)
		return list->refusal;
	status = posting_begin(&posting, self, list->type, context, list->flags);
	if (status == ND_SUCCESS)
		status = any_translate(posting.endpoint, &sgl, list);
	if (status == ND_SUCCESS)
		status = native_post(posting.endpoint->native, &posting.request->result,
			sgl.entries, sgl.count, list, list->flags & ~(ULONG)ND_OP_FLAG_INLINE);
	return posting_end(&posting, status);
}

/** Whether a list has one entry, which has bytes and is not inline, and its flags are right. */
static inline __attribute__((always_inline)) bool
is_simple(const struct list *list)
{
	return list->count == 1 && list->sge != NULL && list->sge->BufferLength != 0 &&
		(list->flags & ~(list->allowed & ~(ULONG)ND_OP_FLAG_INLINE)) == 0;
}

/** Post a simple list, inside. */
static inline __attribute__((always_inline)) nd_status
simple_post(struct spi_endpoint *endpoint, struct spi_requests *requests, void *context,
	const struct list *list)
{
	struct nd_mr *mr = nd_adapter_find_region(endpoint->adapter, list->sge->MemoryRegionToken);
	const struct nd_sge entry = {list->sge->Buffer, list->sge->BufferLength, mr};
	struct spi_request *request;
	nd_status status;

	if (__builtin_expect(mr == NULL, 0))
		return ND_ACCESS_VIOLATION;
	request = spi_request_next(requests);
	if (__builtin_expect(request == NULL, 0))
		return ND_NO_MEMORY;
	request->context = context;
	request->type = list->type;
	request->flags = list->flags;
	status = native_post(endpoint->native, &request->result, &entry, 1, list, list->flags);
	if (__builtin_expect(status == ND_SUCCESS, 1))
		spi_request_posted(request, endpoint->native);
	return status;
}

static inline __attribute__((always_inline)) HRESULT
list_post(IND2QueuePair *self, void *context, const struct list list)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	const bool receives = list.type == Nd2RequestTypeReceive;
	nd_status status;

	/* The long way refuses what a queue pair of a shared receive queue does not have. */
	if (__builtin_expect(!is_simple(&list) || (receives && endpoint->receives == NULL), 0)) {
		/* A copy: only here the list must be in memory. */
		const struct list any = list;

		return any_post(self, context, &any);
	}
	nd_engine_enter(endpoint->home);
	status = simple_post(
		endpoint, receives ? endpoint->receives : endpoint->initiators, context, &list);
	nd_engine_leave(endpoint->home);
	return status;
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
spi_qp2_send(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, ULONG flags)
{
	return list_post(self, context,
		(struct list){sge, count, flags, SEND_FLAGS, ND_INVALID_PARAMETER_4,
			Nd2RequestTypeSend, NULL});
}

HRESULT
spi_qp2_receive(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count)
{
	return list_post(self, context,
		(struct list){sge, count, 0, 0, ND_SUCCESS, Nd2RequestTypeReceive, NULL});
}

HRESULT
spi_qp2_read(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	const struct nd_mw_descriptor remote = descriptor_of(address, token);

	return list_post(self, context,
		(struct list){sge, count, flags, LOCAL_FLAGS, ND_INVALID_PARAMETER_6,
			Nd2RequestTypeRead, &remote});
}

HRESULT
spi_qp2_write(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	const struct nd_mw_descriptor remote = descriptor_of(address, token);

	return list_post(self, context,
		(struct list){sge, count, flags, WRITE_FLAGS, ND_INVALID_PARAMETER_6,
			Nd2RequestTypeWrite, &remote});
}
