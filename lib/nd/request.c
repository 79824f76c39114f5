/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posting of requests. Each call checks its flags and the scatter/gather list, and queues one
 * request. Unless a batch is open, the request is transmitted before the call returns. These calls
 * are the fast path: they run on the owner's thread, without locks and without allocation.
 */

#include <inttypes.h>

#include <rte_byteorder.h>

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_srq.h>

#include "base/limits.h"
#include "nd/endpoint.h"
#include "nd/queue.h"
#include "nd/refuse.h"
#include "nd/status_map.h"
#include "rc/local.h"

/* Flags for the rights of a window. A bind must have at least one of them. */
#define ALLOW_FLAGS                                                                                \
	(ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_ATOMIC |                \
		ND_OP_FLAG_ALLOW_NOTHING)
#define WINDOW_FLAGS (ALLOW_FLAGS | ND_OP_FLAG_ALLOW_ANY_ENDPOINT)
#define BIND_FLAGS   (RDMA_FLAGS | WINDOW_FLAGS)
#define REFUSE_WINDOW_FLAGS(flags, taken)                                                          \
	REFUSE(6, "flags 0x%x: expected a subset of 0x%x, with at least one of 0x%x", flags,       \
		taken, ALLOW_FLAGS)
/*
 * Factor between a request flag and the right that it grants to a window: flag = right * factor.
 * The flags of Network Direct, READ and WRITE, have the same factor.
 */
#define ND_SCALE     (ND_OP_FLAG_ALLOW_READ / MEM_REMOTE_READ)
#define ATOMIC_SCALE (ND_OP_FLAG_ALLOW_ATOMIC / MEM_REMOTE_ATOMIC)
/*
 * Bits that are reserved for flags of Network Direct v2 and of NDK, such as ND_OP_FLAG_INLINE,
 * 0x20.
 */
#define FLAGS_OF_ND  0xFFFFu

static_assert(ND_OP_FLAG_SILENT_SUCCESS == RC_SILENT, "both layers use the same value");
static_assert(ND_OP_FLAG_READ_FENCE == RC_FENCE, "both layers use the same value");
static_assert(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT == RC_SOLICITED, "both layers use the same value");
static_assert(ND_OP_FLAG_ALLOW_WRITE == MEM_REMOTE_WRITE * ND_SCALE, "see window_rights()");
static_assert(ND_OP_FLAG_ALLOW_ATOMIC == MEM_REMOTE_ATOMIC * ATOMIC_SCALE, "see window_rights()");
static_assert(
	(ND_OP_FLAG_ALLOW_ATOMIC & FLAGS_OF_ND) == 0, "ALLOW_ATOMIC is not one of ND's flags");

const char *
request_function(enum rc_send_opcode opcode)
{
	static const char *const functions[] = {
		[RC_SEND] = "nd_endpoint_send",
		[RC_SEND_INVALIDATE] = "nd_endpoint_send_and_invalidate",
		[RC_SEND_IMMEDIATE] = "nd_endpoint_send_with_imm",
		[RC_WRITE] = "nd_endpoint_write",
		[RC_WRITE_IMMEDIATE] = "nd_endpoint_write_with_imm",
		[RC_READ] = "nd_endpoint_read",
		[RC_FETCH_ADD] = "nd_endpoint_fetch_and_add",
		[RC_COMPARE_SWAP] = "nd_endpoint_compare_and_swap",
	};

	return functions[opcode];
}

nd_status
list_refused(const char *function, nd_status status, size_t count)
{
	if (status != ND_INVALID_PARAMETER_2)
		return status;
	return REFUSE_IN(function, 2, "sgl is NULL, but sge_count is %zu", count);
}

nd_status
request_post_local(struct nd_endpoint *endpoint, const struct rc_send_wr *wr)
{
	return queue_post_checked(endpoint, wr, RC_KIND_LOCAL);
}

nd_status
request_post(struct nd_endpoint *endpoint, const struct nd_sge *sgl, size_t sge_count,
	struct rc_send_wr *wr)
{
	return request_queue(endpoint, sgl, sge_count, wr, rc_opcode_kind(wr->opcode));
}

nd_status
nd_endpoint_send(struct nd_endpoint *endpoint, struct nd_result *result, const struct nd_sge *sgl,
	size_t sge_count, uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_SEND, .flags = flags, .context = result};

	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	if (unlikely(flags & ~SEND_FLAGS))
		return REFUSE_FLAGS(__func__, 4, flags, SEND_FLAGS);
	return request_queue(endpoint, sgl, sge_count, &wr, RC_KIND_MESSAGE);
}

nd_status
nd_endpoint_send_and_invalidate(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_SEND_INVALIDATE, .flags = flags, .context = result};

	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	if (unlikely(remote_descriptor == NULL))
		return REFUSE(4, "remote_descriptor is NULL");
	if (unlikely(flags & ~SEND_FLAGS))
		return REFUSE_FLAGS(__func__, 5, flags, SEND_FLAGS);
	wr.rkey = rte_be_to_cpu_32(remote_descriptor->token);
	return request_post(endpoint, sgl, sge_count, &wr);
}

nd_status
nd_endpoint_receive(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count)
{
	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	return receive_queue(endpoint, result, sgl, sge_count);
}

nd_status
nd_srq_receive(
	struct nd_srq *srq, struct nd_result *result, const struct nd_sge *sgl, size_t sge_count)
{
	struct rc_receive_wr wr = {.context = result};
	nd_status status;
	bool inlined;

	BASE_ASSERT(engine_is_owned(srq->home->engine));
	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	status = list_check(sgl, sge_count, false, &wr.sgl, &inlined);
	if (unlikely(nd_failed(status)))
		return list_refused(__func__, status, sge_count);
	return status_of_call(rc_srq_post(&srq->rc, &wr));
}

static uint32_t
window_rights(uint32_t flags)
{
	return (flags / ND_SCALE & (MEM_REMOTE_READ | MEM_REMOTE_WRITE)) |
		(flags / ATOMIC_SCALE & MEM_REMOTE_ATOMIC);
}

/** Fill the descriptor with the key of the bind, which may not be live yet (ND-020). */
static inline void
descriptor_fill(struct nd_mw_descriptor *descriptor, const struct mem_bind *bind)
{
	*descriptor = (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(bind->address),
		.length = rte_cpu_to_be_64(bind->length_bytes),
		.token = rte_cpu_to_be_32(bind->key),
	};
}

/**
 * Report operations that finished because the posted request was executed at once. In a batch, they
 * are reported at the end of the batch.
 */
static inline void
post_settle(const struct nd_endpoint *endpoint)
{
	if (!endpoint->batching)
		home_settle(endpoint->home);
}

/**
 * Convert the status of a refused bind, and log the reason if an argument is wrong. @return
 * status_of_call(status)
 */
static __rte_noinline __rte_cold nd_status
bind_refused(const char *function, enum rc_status status, const struct mem_bind *bind)
{
	static const char *const texts[] = {"mr is not a region of the adapter",
		"mw is not a window of the adapter",
		"buffer begins outside the region, or mr is a fast region",
		"buffer_size is 0 or reaches beyond the end of the region"};

	if (status < RC_BAD_REGION || status > RC_BAD_END)
		return status_of_call(status);
	return REFUSE_IN(function, 2 + (int)status - RC_BAD_REGION,
		"%s; buffer is %#" PRIx64 ", buffer_size %" PRIu64, texts[status - RC_BAD_REGION],
		bind->address, bind->length_bytes);
}

/** Queue a bind that must wait for earlier requests. @param flags bits of enum rc_send_flags */
static nd_status
bind_queue(struct nd_endpoint *endpoint, const struct mem_bind *bind, struct nd_result *result,
	uint32_t flags, struct nd_mw_descriptor *descriptor)
{
	struct rc_send_wr wr = {
		.opcode = RC_BIND, .flags = flags, .context = result, .bind = *bind};
	nd_status status = queue_check(endpoint);
	enum rc_status prepared;

	/*
	 * Check the queue before mem_bind_prepare(), because mem_bind_cancel() cannot restore the
	 * posted state.
	 */
	if (unlikely(nd_failed(status)))
		return status;
	prepared = mem_bind_prepare(endpoint->home->adapter->mem, &wr.bind, endpoint->slot.qpn);
	if (unlikely(prepared != RC_OK))
		return bind_refused("nd_endpoint_bind", prepared, &wr.bind);
	/* Fill the descriptor now, because callbacks that run during the post may read it. */
	descriptor_fill(descriptor, &wr.bind);
	status = queue_post_checked(endpoint, &wr, RC_KIND_LOCAL);
	BASE_ASSERT(!nd_failed(status));
	return status;
}

/**
 * A bind or an invalidate was executed at once, but its completion has overrun the completion
 * queue: handle the failure of the queue pair (RC-129, ND-141).
 */
static __rte_noinline __rte_cold nd_status
overrun(const struct nd_endpoint *endpoint)
{
	struct nd_engine *home = endpoint->home;

	engine_qp_events(home->engine, endpoint->slot.qp);
	post_settle(endpoint);
	return ND_SUCCESS;
}

/**
 * Handle a bind that did not succeed at once: it was refused, or its completion was lost
 * (RC_INTERNAL).
 */
static __rte_noinline __rte_cold nd_status
bind_not_plain(struct nd_endpoint *endpoint, const struct mem_bind *bind, enum rc_status bound,
	struct nd_mw_descriptor *descriptor)
{
	if (bound != RC_INTERNAL)
		return bind_refused("nd_endpoint_bind", bound, bind);
	descriptor_fill(descriptor, bind);
	return overrun(endpoint);
}

nd_status
nd_endpoint_bind(struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr,
	struct nd_mw *mw, const void *buffer, size_t buffer_size, uint32_t flags,
	struct nd_mw_descriptor *descriptor)
{
	struct mem_bind bind;
	enum rc_status bound;

	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	if (unlikely((flags & ~BIND_FLAGS) || (flags & ALLOW_FLAGS) == 0))
		return REFUSE_WINDOW_FLAGS(flags, BIND_FLAGS);
	if (unlikely(descriptor == NULL))
		return REFUSE(7, "descriptor is NULL");
	/* Check the connection first (ND-008), so that nothing is reserved if it cannot be used. */
	if (unlikely(!endpoint_connected(endpoint)))
		return ND_CONNECTION_INVALID;
	bind.region = region_handle(mr);
	bind.window = window_handle(mw);
	bind.address = (uintptr_t)buffer;
	bind.length_bytes = buffer_size;
	bind.rights = window_rights(flags);
	bind.any_owner = (flags & ND_OP_FLAG_ALLOW_ANY_ENDPOINT) != 0;
	if (!rc_local_ready(endpoint->slot.qp))
		return bind_queue(endpoint, &bind, result, flags & RDMA_FLAGS, descriptor);
	BASE_ASSERT(engine_is_owned(endpoint->home->engine));
	bound = rc_local_bind(endpoint->slot.qp, &bind, result, flags);
	if (unlikely(bound == RC_BIND_FAILED))
		return bind_queue(endpoint, &bind, result, flags & RDMA_FLAGS, descriptor);
	if (unlikely(bound != RC_OK))
		return bind_not_plain(endpoint, &bind, bound, descriptor);
	descriptor_fill(descriptor, &bind);
	post_settle(endpoint);
	return ND_SUCCESS;
}

nd_status
nd_endpoint_bind_early(struct nd_endpoint *endpoint, struct nd_mr *mr, struct nd_mw *mw,
	const void *buffer, size_t buffer_size, uint32_t flags, struct nd_mw_descriptor *descriptor)
{
	const enum connector_state state = __atomic_load_n(&endpoint->state, __ATOMIC_RELAXED);
	struct mem_bind bind = {
		.region = region_handle(mr),
		.window = window_handle(mw),
		.address = (uintptr_t)buffer,
		.length_bytes = buffer_size,
		.rights = window_rights(flags),
		.any_owner = (flags & ND_OP_FLAG_ALLOW_ANY_ENDPOINT) != 0,
	};
	enum rc_status bound;

	BASE_ASSERT(engine_is_owned(endpoint->home->engine));
	if ((flags & ~WINDOW_FLAGS) != 0 || (flags & ALLOW_FLAGS) == 0)
		return REFUSE_WINDOW_FLAGS(flags, WINDOW_FLAGS);
	if (descriptor == NULL)
		return REFUSE(7, "descriptor is NULL");
	if (state != CONNECTOR_IDLE && state != CONNECTOR_ASKED)
		return ND_INVALID_DEVICE_STATE;
	/*
	 * The queue pair is not connected, so a bind cannot wait in its queue: execute the bind at
	 * once.
	 */
	bound = mem_bind_now(endpoint->home->adapter->mem, &bind, endpoint->slot.qpn);
	if (bound == RC_BIND_FAILED)
		return ND_INVALID_DEVICE_STATE;
	if (bound != RC_OK)
		return bind_refused(__func__, bound, &bind);
	descriptor_fill(descriptor, &bind);
	return ND_SUCCESS;
}

/**
 * Queue an invalidate, because it must wait for earlier requests, or because it will fail and must
 * report this in order.
 */
static __rte_noinline nd_status
invalidate_queue(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mw *mw, uint32_t flags)
{
	const struct rc_send_wr wr = {.opcode = RC_INVALIDATE,
		.flags = flags,
		.context = result,
		.window = window_handle(mw)};

	if (unlikely(!mem_window_alive(endpoint->home->adapter->mem, wr.window)))
		return REFUSE_IN("nd_endpoint_invalidate", 2, "mw is not a window of the adapter");
	return queue_post(endpoint, &wr, RC_KIND_LOCAL);
}

nd_status
nd_endpoint_invalidate(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mw *mw, uint32_t flags)
{
	enum rc_status done;

	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 3, flags, RDMA_FLAGS);
	if (unlikely(!endpoint_connected(endpoint)) || !rc_local_ready(endpoint->slot.qp))
		return invalidate_queue(endpoint, result, mw, flags);
	BASE_ASSERT(engine_is_owned(endpoint->home->engine));
	done = rc_local_invalidate(endpoint->slot.qp, window_handle(mw), result, flags);
	if (unlikely(done == RC_INTERNAL))
		return overrun(endpoint);
	if (unlikely(done != RC_OK))
		return invalidate_queue(endpoint, result, mw, flags);
	post_settle(endpoint);
	return ND_SUCCESS;
}

/**
 * Set the remote address and key of a request from a descriptor.
 * @return ND_SUCCESS, or the status that the posting call returns
 */
static __rte_always_inline nd_status
remote_set(const char *function, struct rc_send_wr *wr, const struct nd_mw_descriptor *descriptor,
	uint64_t offset)
{
	if (unlikely(wr->context == NULL))
		return REFUSE_IN(function, 1, "result is NULL");
	if (unlikely(descriptor == NULL))
		return REFUSE_IN(function, 4, "remote_descriptor is NULL");
	if (unlikely(wr->flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(function, 6, wr->flags, RDMA_FLAGS);
	wr->remote_address = rte_be_to_cpu_64(descriptor->base) + offset;
	wr->rkey = rte_be_to_cpu_32(descriptor->token);
	return ND_SUCCESS;
}

static bool
beyond_window(const struct nd_sge *sgl, size_t sge_count, const struct nd_mw_descriptor *descriptor,
	uint64_t offset)
{
	uint64_t length = rte_be_to_cpu_64(descriptor->length);
	uint64_t left = offset <= length ? length - offset : 0;

	if (offset > length)
		return true;
	for (size_t i = 0; i < sge_count; i++) {
		if (sgl[i].length > left)
			return true;
		left -= sgl[i].length;
	}
	return false;
}

/**
 * A READ exceeds the window of its descriptor.
 * @return ND_REMOTE_ERROR if a WRITE with these arguments would be queued, otherwise the status
 *         that this WRITE would have
 */
static __rte_noinline __rte_cold nd_status
read_refused(struct nd_endpoint *endpoint, const struct nd_sge *sgl, size_t sge_count)
{
	struct mem_sgl list;
	nd_status status;
	bool inlined;

	status = list_check(sgl, sge_count, false, &list, &inlined);
	if (!nd_failed(status))
		status = queue_check(endpoint);
	return nd_failed(status) ? status : ND_REMOTE_ERROR;
}

nd_status
nd_endpoint_read(struct nd_endpoint *endpoint, struct nd_result *result, const struct nd_sge *sgl,
	size_t sge_count, const struct nd_mw_descriptor *remote_descriptor, uint64_t offset,
	uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_READ, .flags = flags, .context = result};
	nd_status status;

	status = remote_set(__func__, &wr, remote_descriptor, offset);
	if (unlikely(nd_failed(status)))
		return status;
	/*
	 * As Network Direct documents, a Read beyond the window fails when it is posted. A Write
	 * beyond the window is sent, and the peer refuses it.
	 */
	if (sgl != NULL && sge_count <= LIMIT_SGE &&
		unlikely(beyond_window(sgl, sge_count, remote_descriptor, offset)))
		return read_refused(endpoint, sgl, sge_count);
	return request_queue(endpoint, sgl, sge_count, &wr, RC_KIND_READ);
}

nd_status
nd_endpoint_write(struct nd_endpoint *endpoint, struct nd_result *result, const struct nd_sge *sgl,
	size_t sge_count, const struct nd_mw_descriptor *remote_descriptor, uint64_t offset,
	uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_WRITE, .flags = flags, .context = result};
	nd_status status;

	status = remote_set(__func__, &wr, remote_descriptor, offset);
	if (unlikely(nd_failed(status)))
		return status;
	return request_queue(endpoint, sgl, sge_count, &wr, RC_KIND_MESSAGE);
}
