/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Requests of one entry on shared engines: nd_shared.h. */

#include <ndpdk/nd_shared.h>

#include <rte_byteorder.h>

#include "nd/endpoint.h"
#include "nd/queue.h"

/** A stay in the engine. */
struct stay {
	struct nd_engine *home;
	bool again; /**< by engine_enter_again(): the way out is as short */
};

static __rte_always_inline void
stay_end(const struct stay *stay)
{
	if (!stay->again || unlikely(!engine_leave_again(stay->home->engine)))
		(void)nd_engine_leave(stay->home);
}

/**
 * Be inside, and find the memory. stay_end() follows a success.
 *
 * @param sge filled from entry on success
 */
static __rte_always_inline nd_status
stay_begin(struct stay *stay, struct nd_engine *home, const void *context,
	const struct nd_token_sge *entry, struct nd_sge *sge)
{
	if (unlikely(context == NULL))
		return ND_INVALID_PARAMETER_1;
	if (unlikely(entry == NULL))
		return ND_INVALID_PARAMETER_2;
	*stay = (struct stay){home, engine_enter_again(home->engine)};
	if (unlikely(!stay->again)) {
		nd_status status = nd_engine_enter(home);

		if (nd_failed(status))
			return status;
	}
	*sge = (struct nd_sge){entry->address, entry->length,
		(struct nd_mr *)mem_region_find(home->adapter->mem, entry->token)};
	if (likely(sge->mr != NULL))
		return ND_SUCCESS;
	stay_end(stay);
	return ND_ACCESS_VIOLATION;
}

static __rte_always_inline nd_status
shared_post(struct nd_endpoint *endpoint, const struct nd_token_sge *entry, struct rc_send_wr *wr,
	enum rc_operation_kind kind)
{
	struct stay stay;
	struct nd_sge sge;
	nd_status status = stay_begin(&stay, endpoint->home, wr->context, entry, &sge);

	if (unlikely(nd_failed(status)))
		return status;
	status = request_queue(endpoint, &sge, 1, wr, kind);
	stay_end(&stay);
	return status;
}

nd_status
nd_endpoint_shared_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_SEND, .flags = flags, .context = context};

	if (unlikely(flags & ~SEND_FLAGS))
		return ND_INVALID_PARAMETER_4;
	return shared_post(endpoint, entry, &wr, RC_KIND_MESSAGE);
}

nd_status
nd_endpoint_shared_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry)
{
	struct stay stay;
	struct nd_sge sge;
	nd_status status = stay_begin(&stay, endpoint->home, context, entry, &sge);

	if (unlikely(nd_failed(status)))
		return status;
	status = receive_queue(endpoint, context, &sge, 1);
	stay_end(&stay);
	return status;
}

nd_status
nd_endpoint_shared_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_READ,
		.flags = flags,
		.context = context,
		.remote_address = remote_address,
		.rkey = rte_be_to_cpu_32(remote_token),
	};

	if (unlikely(flags & ~RDMA_FLAGS))
		return ND_INVALID_PARAMETER_6;
	return shared_post(endpoint, entry, &wr, RC_KIND_READ);
}

nd_status
nd_endpoint_shared_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_WRITE,
		.flags = flags,
		.context = context,
		.remote_address = remote_address,
		.rkey = rte_be_to_cpu_32(remote_token),
	};

	if (unlikely(flags & ~RDMA_FLAGS))
		return ND_INVALID_PARAMETER_6;
	return shared_post(endpoint, entry, &wr, RC_KIND_MESSAGE);
}
