/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Posting of requests that Network Direct does not have (nd_extension.h). These functions check
 * their arguments and then post the request like any other request (request.c).
 */

#include <ndpdk/nd_extension.h>

#include <inttypes.h>

#include <rte_byteorder.h>

#include "nd/endpoint.h"
#include "nd/refuse.h"
#include "nd/request.h"

static void
remote_set(struct rc_send_wr *wr, const struct nd_mw_descriptor *descriptor, uint64_t offset)
{
	wr->remote_address = rte_be_to_cpu_64(descriptor->base) + offset;
	wr->rkey = rte_be_to_cpu_32(descriptor->token);
}

nd_status
nd_endpoint_send_with_imm(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count, uint32_t imm_data, uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_SEND_IMMEDIATE,
		.flags = flags,
		.context = result,
		.immediate = rte_be_to_cpu_32(imm_data),
	};

	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	if (unlikely(flags & ~SEND_FLAGS))
		return REFUSE_FLAGS(__func__, 5, flags, SEND_FLAGS);
	return request_post(endpoint, sgl, sge_count, &wr);
}

nd_status
nd_endpoint_write_with_imm(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t imm_data,
	uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_WRITE_IMMEDIATE,
		.flags = flags,
		.context = result,
		.immediate = rte_be_to_cpu_32(imm_data),
	};

	if (unlikely(result == NULL))
		return REFUSE(1, "result is NULL");
	if (unlikely(remote_descriptor == NULL))
		return REFUSE(4, "remote_descriptor is NULL");
	if (unlikely(flags & ~SEND_FLAGS))
		return REFUSE_FLAGS(__func__, 7, flags, SEND_FLAGS);
	remote_set(&wr, remote_descriptor, offset);
	return request_post(endpoint, sgl, sge_count, &wr);
}

/* Post a fetch-and-add or a compare-and-swap. The caller has checked the flags. */
static nd_status
atomic_post(struct nd_endpoint *endpoint, const struct nd_sge *original,
	const struct nd_mw_descriptor *descriptor, uint64_t offset, struct rc_send_wr *wr)
{
	if (unlikely(wr->context == NULL))
		return REFUSE_IN(request_function(wr->opcode), 1, "result is NULL");
	if (unlikely(original == NULL || original->length != RC_ATOMIC_BYTES))
		return REFUSE_IN(request_function(wr->opcode), 2,
			"original is NULL or does not have 8 bytes");
	if (unlikely(descriptor == NULL))
		return REFUSE_IN(request_function(wr->opcode), 3, "remote_descriptor is NULL");
	remote_set(wr, descriptor, offset);
	/* The peer would refuse an unaligned atomic, which ends the connection (RC-031). */
	if (unlikely(wr->remote_address % RC_ATOMIC_BYTES != 0))
		return REFUSE_IN(request_function(wr->opcode), 4,
			"offset %" PRIu64 ": remote address 0x%" PRIx64 " is not a multiple of 8",
			offset, wr->remote_address);
	return request_post(endpoint, original, 1, wr);
}

nd_status
nd_endpoint_fetch_and_add(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *original, const struct nd_mw_descriptor *remote_descriptor,
	uint64_t offset, uint64_t add, uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_FETCH_ADD,
		.flags = flags,
		.context = result,
		.operands = {.swap_add = add},
	};

	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 6, flags, RDMA_FLAGS);
	return atomic_post(endpoint, original, remote_descriptor, offset, &wr);
}

nd_status
nd_endpoint_compare_and_swap(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *original, const struct nd_mw_descriptor *remote_descriptor,
	uint64_t offset, uint64_t compare, uint64_t swap, uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_COMPARE_SWAP,
		.flags = flags,
		.context = result,
		.operands = {.swap_add = swap, .compare = compare},
	};

	if (unlikely(flags & ~RDMA_FLAGS))
		return REFUSE_FLAGS(__func__, 7, flags, RDMA_FLAGS);
	return atomic_post(endpoint, original, remote_descriptor, offset, &wr);
}
