/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posts requests of version 2. A list with one entry is passed in one native call, which finds
 * the region inside the engine. Other lists are converted on the stack.
 */

#include <assert.h>
#include <endian.h>
#include <stddef.h>

#include "spi/memory.h"
#include "spi/qp.h"
#include "spi/refuse.h"
#include "spi/sge.h"

#define SEND_FLAGS                                                                                 \
	(ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT |   \
		ND_OP_FLAG_INLINE)
#define LOCAL_FLAGS (ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE)
#define WRITE_FLAGS (LOCAL_FLAGS | ND_OP_FLAG_INLINE)
#define BIND_FLAGS  (LOCAL_FLAGS | ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

/** Convert the flags of a bind. Natively, a bind without a right needs ND_OP_FLAG_ALLOW_NOTHING. */
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
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct nd_mr *registered =
		mr == NULL ? NULL : __atomic_load_n(&mr->native, __ATOMIC_ACQUIRE);
	struct nd_mw_descriptor descriptor;
	nd_status status;

	if (registered == NULL)
		return SPI_REFUSE("IND2QueuePair_Bind", 2,
			"pMemoryRegion is NULL, of another adapter, or not registered");
	if (mw == NULL)
		return SPI_REFUSE(
			"IND2QueuePair_Bind", 3, "pMemoryWindow is NULL or of another adapter");
	if ((flags & ~BIND_FLAGS) != 0)
		return SPI_REFUSE("IND2QueuePair_Bind", 6, "flags 0x%x: expected a subset of 0x%x",
			flags, BIND_FLAGS);
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_bind(endpoint->native, spi_context_result(context), registered,
		mw->native, buffer, bytes, bind_flags(flags), &descriptor);
	if (status == ND_SUCCESS)
		__atomic_store_n(&mw->token, descriptor.token, __ATOMIC_RELAXED);
	spi_engine_leave(endpoint->engine);
	return status;
}

HRESULT
spi_qp2_invalidate(IND2QueuePair *self, VOID *context, IUnknown *window, ULONG flags)
{
	const struct spi_object *parent = ((struct spi_object *)self)->parent;
	struct spi_mw *mw = spi_object_cast(window, &spi_mw2_class, parent);
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	nd_status status;

	if (mw == NULL)
		return SPI_REFUSE("IND2QueuePair_Invalidate", 2,
			"pMemoryWindow is NULL or of another adapter");
	if ((flags & ~LOCAL_FLAGS) != 0)
		return SPI_REFUSE("IND2QueuePair_Invalidate", 3,
			"flags 0x%x: expected a subset of 0x%x", flags, LOCAL_FLAGS);
	spi_engine_enter(endpoint->engine);
	status = nd_endpoint_invalidate(
		endpoint->native, spi_context_result(context), mw->native, flags);
	spi_engine_leave(endpoint->engine);
	return status;
}

/* ---- Requests with a list ---- */

/** A request with a list: the arguments of the method that posts it. */
struct list {
	const ND2_SGE *sge;
	ULONG count;
	ULONG flags;
	ULONG allowed; /**< flags that the method accepts */
	int parameter; /**< n of ND_INVALID_PARAMETER_n for wrong flags */
	ND2_REQUEST_TYPE type;
	UINT64 address; /**< read or write: address in the memory of the peer */
	UINT32 token;   /**< read or write: remote token */
};

/**
 * @return a descriptor of the peer's memory, which the native API requires. The descriptor begins
 *         at the address of the request, and has no end.
 */
static struct nd_mw_descriptor
descriptor_of(const struct list *list)
{
	return (struct nd_mw_descriptor){
		.base = htobe64(list->address),
		.length = htobe64(UINT64_MAX - list->address),
		.token = list->token,
	};
}

static nd_status
sgl_post(struct nd_endpoint *endpoint, void *context, const struct spi_sgl *sgl,
	const struct list *list)
{
	const struct nd_mw_descriptor remote = descriptor_of(list);
	struct nd_result *result = spi_context_result(context);
	const ULONG flags = list->flags & ~(ULONG)ND_OP_FLAG_INLINE;

	if (list->type == Nd2RequestTypeSend)
		return nd_endpoint_send(endpoint, result, sgl->entries, sgl->count, flags);
	if (list->type == Nd2RequestTypeRead)
		return nd_endpoint_read(
			endpoint, result, sgl->entries, sgl->count, &remote, 0, flags);
	if (list->type == Nd2RequestTypeWrite)
		return nd_endpoint_write(
			endpoint, result, sgl->entries, sgl->count, &remote, 0, flags);
	return nd_endpoint_receive(endpoint, result, sgl->entries, sgl->count);
}

static const char *
method_of(const struct list *list)
{
	static const char *const methods[] = {
		[Nd2RequestTypeReceive] = "IND2QueuePair_Receive",
		[Nd2RequestTypeSend] = "IND2QueuePair_Send",
		[Nd2RequestTypeRead] = "IND2QueuePair_Read",
		[Nd2RequestTypeWrite] = "IND2QueuePair_Write",
	};

	return methods[list->type];
}

/** Convert a list. Inline data needs no registered memory, and becomes one entry. */
static nd_status
any_translate(const struct spi_endpoint *endpoint, struct spi_sgl *sgl, const struct list *list)
{
	if (list->sge == NULL && list->count != 0)
		return SPI_REFUSE(method_of(list), 2, "sge is NULL, but nSge is %u", list->count);
	if ((list->flags & ND_OP_FLAG_INLINE) != 0)
		return spi_sgl_inline(sgl, list->sge, list->count, endpoint->inline_max);
	return spi_sgl_take(sgl, endpoint->adapter, list->sge, list->count);
}

/**
 * Post a request with any list. Not inlined, because it needs much stack, and most lists are
 * simple.
 */
static __attribute__((noinline)) HRESULT
any_post(IND2QueuePair *self, void *context, const struct list *list)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;
	struct spi_sgl sgl;
	nd_status status;

	if ((list->flags & ~list->allowed) != 0)
		return SPI_REFUSE(method_of(list), list->parameter,
			"flags 0x%x: expected a subset of 0x%x", list->flags, list->allowed);
	/* A queue pair with a shared receive queue accepts no receives. */
	if (list->type == Nd2RequestTypeReceive && endpoint->srq != NULL)
		return ND_NO_MORE_ENTRIES;
	spi_engine_enter(endpoint->engine);
	status = any_translate(endpoint, &sgl, list);
	if (status == ND_SUCCESS)
		status = sgl_post(endpoint->native, context, &sgl, list);
	spi_engine_leave(endpoint->engine);
	return status;
}

/** @return whether a list has one entry with bytes, no inline data, and valid flags */
static inline __attribute__((always_inline)) bool
is_simple(const struct list *list)
{
	return list->count == 1 && list->sge != NULL && list->sge->BufferLength != 0 &&
		(list->flags & ~(list->allowed & ~(ULONG)ND_OP_FLAG_INLINE)) == 0;
}

static_assert(offsetof(ND2_SGE, Buffer) == offsetof(struct nd_token_sge, address) &&
		offsetof(ND2_SGE, BufferLength) == offsetof(struct nd_token_sge, length) &&
		offsetof(ND2_SGE, MemoryRegionToken) == offsetof(struct nd_token_sge, token),
	"ND2_SGE and nd_token_sge have the same layout");

/** Post a request with a simple list by one native call. */
static inline __attribute__((always_inline)) nd_status
simple_post(struct spi_endpoint *endpoint, void *context, const struct list *list)
{
	const struct nd_token_sge *entry = (const struct nd_token_sge *)list->sge;

	context = spi_context_native(context);
	if (list->type == Nd2RequestTypeSend)
		return nd_endpoint_shared_send(endpoint->native, context, entry, list->flags);
	if (list->type == Nd2RequestTypeRead)
		return nd_endpoint_shared_read(
			endpoint->native, context, entry, list->address, list->token, list->flags);
	if (list->type == Nd2RequestTypeWrite)
		return nd_endpoint_shared_write(
			endpoint->native, context, entry, list->address, list->token, list->flags);
	return nd_endpoint_shared_receive(endpoint->native, context, entry);
}

static inline __attribute__((always_inline)) HRESULT
list_post(IND2QueuePair *self, void *context, const struct list list)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;

	if (__builtin_expect(!is_simple(&list) ||
			    (list.type == Nd2RequestTypeReceive && endpoint->srq != NULL),
		    0)) {
		/*
		 * Copy the arguments, so that the compiler keeps them in memory only on this slow
		 * path.
		 */
		const struct list any = list;

		return any_post(self, context, &any);
	}
	return simple_post(endpoint, context, &list);
}

HRESULT
spi_qp2_send(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, ULONG flags)
{
	return list_post(self, context,
		(struct list){sge, count, flags, SEND_FLAGS, 4, Nd2RequestTypeSend, 0, 0});
}

HRESULT
spi_qp2_receive(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count)
{
	return list_post(
		self, context, (struct list){sge, count, 0, 0, 0, Nd2RequestTypeReceive, 0, 0});
}

HRESULT
spi_qp2_read(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	return list_post(self, context,
		(struct list){
			sge, count, flags, LOCAL_FLAGS, 6, Nd2RequestTypeRead, address, token});
}

HRESULT
spi_qp2_write(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, UINT64 address,
	UINT32 token, ULONG flags)
{
	return list_post(self, context,
		(struct list){
			sge, count, flags, WRITE_FLAGS, 6, Nd2RequestTypeWrite, address, token});
}
