/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Posting of requests with one entry, for memory that is identified by a token (nd_shared.h). */

#include <ndpdk/nd_shared.h>

#include <rte_byteorder.h>

#include "mem/domain.h"
#include "nd/endpoint.h"
#include "nd/queue.h"
#include "nd/refuse.h"

/** State of a call while it is inside an engine. */
struct stay {
	struct nd_engine *home;
	bool again; /**< true: entered by engine_enter_again(), so leave by engine_leave_again() */
};

/** Enter the engine. @return as nd_engine_enter() */
static __rte_always_inline nd_status
stay_begin(struct stay *stay, struct nd_engine *home)
{
	*stay = (struct stay){home, engine_enter_again(home->engine)};
	return likely(stay->again) ? ND_SUCCESS : nd_engine_enter(home);
}

static __rte_always_inline void
stay_end(const struct stay *stay)
{
	if (!stay->again || unlikely(!engine_leave_again(stay->home->engine)))
		(void)nd_engine_leave(stay->home);
}

/**
 * Address and length of an entry. They are stored as one 16-byte word, because the transport soon
 * loads them as one. A load that is wider than the preceding stores must wait until the store
 * buffer is drained.
 */
typedef uint64_t two_words __attribute__((vector_size(16), may_alias));

/**
 * Fill in a scatter/gather entry. The caller must be inside the engine. @return as
 * nd_endpoint_token_send()
 */
static __rte_always_inline nd_status
entry_take(const char *function, const struct nd_endpoint *endpoint, const void *context,
	const struct nd_token_sge *entry, struct nd_sge *sge)
{
	BASE_ASSERT(engine_is_owned(endpoint->home->engine));
	if (unlikely(context == NULL))
		return REFUSE_IN(function, 1, "context is NULL");
	if (unlikely(entry == NULL))
		return REFUSE_IN(function, 2, "entry is NULL");
	*(two_words *)(void *)sge = (two_words){(uint64_t)(uintptr_t)entry->address, entry->length};
	sge->mr = (struct nd_mr *)mem_region_of_key(endpoint->home->adapter->mem, entry->token);
	return likely(sge->mr != NULL) ? ND_SUCCESS : ND_ACCESS_VIOLATION;
}

static __rte_always_inline nd_status
token_post(const char *function, struct nd_endpoint *endpoint, const struct nd_token_sge *entry,
	struct rc_send_wr wr, enum rc_operation_kind kind)
{
	struct nd_sge sge;
	nd_status status = entry_take(function, endpoint, wr.context, entry, &sge);

	if (unlikely(nd_failed(status)))
		return status;
	return request_queue(endpoint, &sge, 1, &wr, kind);
}

static __rte_always_inline nd_status
shared_post(const char *function, struct nd_endpoint *endpoint, const struct nd_token_sge *entry,
	struct rc_send_wr wr, enum rc_operation_kind kind)
{
	struct stay stay;
	nd_status status = stay_begin(&stay, endpoint->home);

	if (unlikely(nd_failed(status)))
		return status;
	status = token_post(function, endpoint, entry, wr, kind);
	stay_end(&stay);
	return status;
}

static __rte_always_inline nd_status
token_receive(const char *function, struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry)
{
	struct nd_sge sge;
	nd_status status = entry_take(function, endpoint, context, entry, &sge);

	if (unlikely(nd_failed(status)))
		return status;
	return receive_queue(endpoint, context, &sge, 1);
}

static __rte_always_inline struct rc_send_wr
send_of(void *context, uint32_t flags)
{
	return (struct rc_send_wr){.opcode = RC_SEND, .flags = flags, .context = context};
}

static __rte_always_inline struct rc_send_wr
access_of(
	enum rc_send_opcode opcode, void *context, uint64_t address, uint32_t token, uint32_t flags)
{
	return (struct rc_send_wr){
		.opcode = opcode,
		.flags = flags,
		.context = context,
		.remote_address = address,
		.rkey = rte_be_to_cpu_32(token),
	};
}

nd_status
nd_endpoint_token_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags)
{
	const struct rc_send_wr wr = send_of(context, flags);

	if (unlikely(flags & ~SEND_FLAGS))
		return REFUSE_FLAGS(__func__, 4, flags, SEND_FLAGS);
	return token_post(__func__, endpoint, entry, wr, RC_KIND_MESSAGE);
}

nd_status
nd_endpoint_token_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry)
{
	return token_receive(__func__, endpoint, context, entry);
}

nd_status
nd_endpoint_token_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags)
{
	const struct rc_send_wr wr =
		access_of(RC_READ, context, remote_address, remote_token, flags);

	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 6, flags, RDMA_FLAGS);
	return token_post(__func__, endpoint, entry, wr, RC_KIND_READ);
}

nd_status
nd_endpoint_token_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags)
{
	const struct rc_send_wr wr =
		access_of(RC_WRITE, context, remote_address, remote_token, flags);

	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 6, flags, RDMA_FLAGS);
	return token_post(__func__, endpoint, entry, wr, RC_KIND_MESSAGE);
}

nd_status
nd_endpoint_shared_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags)
{
	const struct rc_send_wr wr = send_of(context, flags);

	if (unlikely(flags & ~SEND_FLAGS))
		return REFUSE_FLAGS(__func__, 4, flags, SEND_FLAGS);
	return shared_post(__func__, endpoint, entry, wr, RC_KIND_MESSAGE);
}

nd_status
nd_endpoint_shared_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry)
{
	struct stay stay;
	nd_status status = stay_begin(&stay, endpoint->home);

	if (unlikely(nd_failed(status)))
		return status;
	status = token_receive(__func__, endpoint, context, entry);
	stay_end(&stay);
	return status;
}

nd_status
nd_endpoint_shared_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags)
{
	const struct rc_send_wr wr =
		access_of(RC_READ, context, remote_address, remote_token, flags);

	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 6, flags, RDMA_FLAGS);
	return shared_post(__func__, endpoint, entry, wr, RC_KIND_READ);
}

nd_status
nd_endpoint_shared_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags)
{
	const struct rc_send_wr wr =
		access_of(RC_WRITE, context, remote_address, remote_token, flags);

	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 6, flags, RDMA_FLAGS);
	return shared_post(__func__, endpoint, entry, wr, RC_KIND_MESSAGE);
}
