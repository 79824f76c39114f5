/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test registered memory with rights and keys, and windows that any endpoint may use, through the
 * public API (nd_region.h).
 */

#include <stdalign.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_region.h>

#include "region_chain.h"
#include "support/nd_pair.h"

#define BYTES  4096u
#define ALL    (ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE)
#define ATOMIC ND_MR_FLAG_ALLOW_REMOTE_ATOMIC

static struct nd_pair pair;
static struct nd_result invalidated;
/** Memory of the test's regions: memory[0] for side 0, memory[1] for side 1. */
static alignas(8) uint8_t memory[2][BYTES];

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_connect(&pair);
	nd_pair_pattern(memory[0], BYTES, 1);
	nd_pair_pattern(memory[1], BYTES, 2);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(region_key, .init = setup, .fini = teardown);

static struct nd_mr *
region_make(unsigned int side, uint32_t flags)
{
	const struct nd_buffer buffer = {memory[side], BYTES};
	struct nd_mr *mr = NULL;

	ASSERT_ND(nd_adapter_register_region(
			  pair.side[side].adapter, &buffer, 1, NULL, flags, NULL, &mr),
		ND_SUCCESS);
	return mr;
}

/** @return a descriptor with this token that covers the whole region of a side */
static struct nd_mw_descriptor
descriptor_of(unsigned int side, const struct nd_mr *mr, uint32_t token)
{
	struct nd_mr_info info;

	ASSERT_ND(nd_mr_query(pair.side[side].adapter, mr, &info), ND_SUCCESS);
	return (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64((uintptr_t)info.base),
		.length = rte_cpu_to_be_64(info.length),
		.token = token,
	};
}

static struct nd_mw_descriptor
key_of(unsigned int side, const struct nd_mr *mr)
{
	uint32_t token = 0;

	ASSERT_ND(nd_mr_get_remote_token(pair.side[side].adapter, mr, &token), ND_SUCCESS);
	return descriptor_of(side, mr, token);
}

enum request {
	READ,
	WRITE,
	FETCH_ADD,
	REQUESTS,
};

/** Transfer 8 bytes between the region and side 0's plain memory. @return status of the request */
static nd_status
ask(enum request request, const struct nd_mw_descriptor *descriptor, uint64_t offset)
{
	struct nd_endpoint *endpoint = pair.side[0].endpoint;
	struct nd_sge sge = {pair.side[0].memory, 8, pair.side[0].mr};
	struct nd_result result;
	nd_status status;

	if (request == READ)
		status = nd_endpoint_read(endpoint, &result, &sge, 1, descriptor, offset, 0);
	else if (request == WRITE)
		status = nd_endpoint_write(endpoint, &result, &sge, 1, descriptor, offset, 0);
	else
		status = nd_endpoint_fetch_and_add(
			endpoint, &result, &sge, descriptor, offset, 1, 0);
	ASSERT_ND(status, ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, &result);
}

/** Make a new connection. The earlier connection may have ended or may still exist. */
static void
connect_again(void)
{
	pair.side[0].connector = NULL;
	nd_pair_connect(&pair);
}

static void
expect_refused(enum request request, const struct nd_mw_descriptor *descriptor, const char *why)
{
	uint64_t refused = nd_pair_counter(&pair, 1, why);
	uint8_t before[2][BYTES];

	memcpy(before[1], memory[1], BYTES);
	memcpy(before[0], pair.side[0].memory, BYTES);
	ASSERT_ND(ask(request, descriptor, 0), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, why), refused + 1, "not counted as %s", why);
	cr_assert_arr_eq(memory[1], before[1], BYTES);
	cr_assert_arr_eq(pair.side[0].memory, before[0], BYTES);
	connect_again();
}

static void
deregister(unsigned int side, struct nd_mr *mr)
{
	ASSERT_ND(nd_adapter_deregister_memory(pair.side[side].adapter, mr, NULL), ND_SUCCESS);
}

Test(region_key, flags_are_whole_known_and_told)
{
	static const struct {
		uint32_t flags, told;
	} good[] = {{0, 0}, {1, 9}, {2, 2}, {3, 11}, {5, 13}, {7, 15}, {8, 8}, {9, 9}, {10, 10},
		{0x10001, 0x10009}, {0x1000F, 0x1000F}};
	static const uint32_t bad[] = {4, 6, 0x10000, 0x10008, 0x10, 0x20, 0x20000, 0x80000000};
	const struct nd_buffer buffer = {memory[1], BYTES};
	struct nd_adapter *adapter = pair.side[1].adapter;
	struct nd_mr_info info;
	struct nd_mr *mr = NULL;

	for (size_t i = 0; i < RTE_DIM(bad); i++)
		cr_assert_eq(
			nd_adapter_register_region(adapter, &buffer, 1, NULL, bad[i], NULL, &mr),
			ND_INVALID_PARAMETER, "flags 0x%x", bad[i]);
	cr_assert_null(mr);
	for (size_t i = 0; i < RTE_DIM(good); i++) {
		mr = region_make(1, good[i].flags);
		ASSERT_ND(nd_mr_query(adapter, mr, &info), ND_SUCCESS);
		cr_assert_eq(
			info.flags, good[i].told, "flags 0x%x: 0x%x", good[i].flags, info.flags);
		deregister(1, mr);
	}
	/* The call of nd_memory.h that registered the region has set these flags. */
	ASSERT_ND(nd_mr_query(adapter, pair.side[1].mr, &info), ND_SUCCESS);
	cr_assert_eq(info.flags, 9);
}

Test(region_key, tokens_are_of_living_regions)
{
	struct nd_adapter *adapter = pair.side[1].adapter;
	struct nd_mr *open = region_make(1, ALL), *closed = region_make(1, 1);
	uint32_t remote = 7, local[2] = {0, 0}, again = 0;

	ASSERT_ND(nd_mr_get_remote_token(adapter, closed, &remote), ND_ACCESS_VIOLATION);
	cr_assert_eq(remote, 7);
	ASSERT_ND(nd_mr_get_remote_token(adapter, pair.side[1].mr, &remote), ND_ACCESS_VIOLATION);
	ASSERT_ND(nd_mr_get_remote_token(adapter, open, &remote), ND_SUCCESS);
	ASSERT_ND(nd_mr_get_remote_token(adapter, open, &again), ND_SUCCESS);
	cr_assert_eq(remote, again);
	ASSERT_ND(nd_mr_get_local_token(adapter, open, &local[0]), ND_SUCCESS);
	ASSERT_ND(nd_mr_get_local_token(adapter, closed, &local[1]), ND_SUCCESS);
	cr_assert(local[0] != local[1] && local[0] != 0 && local[1] != 0);
	cr_assert_eq(nd_adapter_find_region(adapter, local[0]), open);
	cr_assert_eq(nd_adapter_find_region(adapter, local[1]), closed);
	cr_assert_null(nd_adapter_find_region(adapter, 0));
	cr_assert_null(nd_adapter_find_region(adapter, local[0] ^ 1));
	cr_assert_null(nd_adapter_find_region(adapter, local[0] ^ 0x80000000));
	cr_assert_null(nd_adapter_find_region(pair.side[0].adapter, local[0]));
	ASSERT_ND(nd_mr_get_remote_token(adapter, open, NULL), ND_INVALID_PARAMETER);
	ASSERT_ND(nd_mr_get_local_token(adapter, open, NULL), ND_INVALID_PARAMETER);
	ASSERT_ND(nd_mr_get_local_token(pair.side[0].adapter, open, &again), ND_INVALID_HANDLE);
	ASSERT_ND(nd_mr_get_remote_token(adapter, NULL, &again), ND_INVALID_HANDLE);
	deregister(1, open);
	cr_assert_null(nd_adapter_find_region(adapter, local[0]));
	ASSERT_ND(nd_mr_get_remote_token(adapter, open, &again), ND_INVALID_HANDLE);
	ASSERT_ND(nd_mr_get_local_token(adapter, open, &again), ND_INVALID_HANDLE);
	/* Each registration has a new token, even if the handle is reused. */
	for (unsigned int i = 0; i < 100; i++) {
		open = region_make(1, ALL);
		ASSERT_ND(nd_mr_get_local_token(adapter, open, &again), ND_SUCCESS);
		cr_assert(again != local[0] && again != local[1], "token again after %u", i);
		deregister(1, open);
	}
}

Test(region_key, windows_are_not_found_by_their_keys)
{
	struct nd_mw_descriptor descriptor;

	nd_pair_bind(&pair, 1, 0, 64, ND_OP_FLAG_ALLOW_READ, &descriptor);
	cr_assert_null(
		nd_adapter_find_region(pair.side[1].adapter, rte_be_to_cpu_32(descriptor.token)));
}

Test(region_key, key_grants_what_was_asked_for)
{
	static const uint32_t rights[REQUESTS] = {
		ND_MR_FLAG_ALLOW_REMOTE_READ, ND_MR_FLAG_ALLOW_REMOTE_WRITE, ATOMIC};

	for (uint32_t granted = 1; granted < 1 << REQUESTS; granted++) {
		struct nd_mw_descriptor key;
		uint32_t flags = 0;
		struct nd_mr *mr;

		for (unsigned int i = 0; i < REQUESTS; i++)
			flags |= granted & 1u << i ? rights[i] : 0;
		mr = region_make(1, flags);
		key = key_of(1, mr);
		for (enum request i = READ; i < REQUESTS; i++)
			if (granted & 1u << i)
				ASSERT_ND(ask(i, &key, BYTES - 8), ND_SUCCESS);
			else
				expect_refused(i, &key, "refused_rights");
		deregister(1, mr);
		expect_refused(READ, &key, "refused_key");
	}
}

Test(region_key, whole_region_and_no_byte_more)
{
	struct nd_mr *mr = region_make(1, ALL);
	struct nd_mw_descriptor key = key_of(1, mr), before = key;

	ASSERT_ND(ask(WRITE, &key, 0), ND_SUCCESS);
	cr_assert_arr_eq(memory[1], pair.side[0].memory, 8);
	ASSERT_ND(ask(WRITE, &key, BYTES - 8), ND_SUCCESS);
	cr_assert_arr_eq(memory[1] + BYTES - 8, pair.side[0].memory, 8);
	ASSERT_ND(ask(READ, &key, 8), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[0].memory, memory[1] + 8, 8);
	ASSERT_ND(ask(WRITE, &key, BYTES - 7), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_range"), 1);
	connect_again();
	before.base = rte_cpu_to_be_64((uintptr_t)memory[1] - 1);
	expect_refused(READ, &before, "refused_range");
}

/**
 * A region does not belong to an endpoint, so each peer that has the token may access the region.
 */
Test(region_key, peers_of_all_endpoints_may_use_it)
{
	struct nd_mr *mr = region_make(1, ALL);
	struct nd_mw_descriptor key = key_of(1, mr);
	struct nd_side first[2];

	ASSERT_ND(ask(WRITE, &key, 0), ND_SUCCESS);
	memcpy(first, pair.side, sizeof(first));
	connect_again();
	ASSERT_ND(ask(READ, &key, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_release(pair.side[1].endpoint), ND_SUCCESS);
	memcpy(pair.side, first, sizeof(first));
	ASSERT_ND(ask(READ, &key, 0), ND_SUCCESS);
}

Test(region_key, without_a_remote_flag_no_key_works)
{
	static const uint32_t flags[] = {0, 1, 8, 9};

	for (size_t i = 0; i <= RTE_DIM(flags); i++) {
		struct nd_mr *mr = i < RTE_DIM(flags) ? region_make(1, flags[i]) : pair.side[1].mr;
		struct nd_mw_descriptor guess;
		uint32_t local;

		ASSERT_ND(nd_mr_get_local_token(pair.side[1].adapter, mr, &local), ND_SUCCESS);
		guess = descriptor_of(1, mr, rte_cpu_to_be_32(local));
		expect_refused(READ, &guess, "refused_rights");
		expect_refused(WRITE, &guess, "refused_rights");
		expect_refused(FETCH_ADD, &guess, "refused_rights");
	}
}

Test(region_key, key_of_one_adapter_is_none_of_another)
{
	struct nd_mr *near = region_make(0, ALL), *far = region_make(1, ALL);
	struct nd_mw_descriptor key = key_of(1, far);

	key.token = key_of(0, near).token;
	cr_assert_neq(key.token, key_of(1, far).token);
	expect_refused(READ, &key, "refused_key");
	expect_refused(WRITE, &key, "refused_key");
}

Test(region_key, buffers_are_one_piece_for_a_key)
{
	struct chain chain;
	struct nd_mw_descriptor key;
	struct nd_mr *mr;
	struct nd_result result;
	struct nd_sge sge;
	uint8_t found[900];

	chain_make(&chain, pair.side[1].adapter,
		&(struct chain_plan){.count = 60, .longest = 70, .base = (void *)4099, .seed = 3});
	cr_assert_gt(chain.total, sizeof(found) + 5);
	ASSERT_ND(nd_adapter_register_region(pair.side[1].adapter, chain.buffers, chain.count,
			  (void *)4099, ALL, NULL, &mr),
		ND_SUCCESS);
	key = key_of(1, mr);
	sge = (struct nd_sge){pair.side[0].memory, sizeof(found), pair.side[0].mr};
	nd_pair_pattern(pair.side[0].memory, sizeof(found), 9);
	ASSERT_ND(
		nd_endpoint_write(pair.side[0].endpoint, &result, &sge, 1, &key, 5, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	chain_get(&chain, 5, found, sizeof(found));
	cr_assert_arr_eq(found, pair.side[0].memory, sizeof(found));
	memset(pair.side[0].memory, 0, sizeof(found));
	ASSERT_ND(
		nd_endpoint_read(pair.side[0].endpoint, &result, &sge, 1, &key, 5, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	cr_assert_arr_eq(found, pair.side[0].memory, sizeof(found));
	deregister(1, mr);
	chain_end(&chain);
}

/**
 * Send a message from side 0. The receive of side 1 uses memory of mr.
 * @return status of the receive's result
 */
static nd_status
receive_into(struct nd_mr *mr, nd_status *sent)
{
	struct nd_sge from = {pair.side[0].memory, 64, pair.side[0].mr};
	struct nd_sge to = {memory[1], 64, mr};
	struct nd_result results[2];
	nd_status received;

	nd_pair_pattern(pair.side[0].memory, 64, 31);
	ASSERT_ND(nd_endpoint_receive(pair.side[1].endpoint, &results[1], &to, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(pair.side[0].endpoint, &results[0], &from, 1, 0), ND_SUCCESS);
	received = nd_pair_result(&pair, pair.side[1].inbound, &results[1]);
	*sent = nd_pair_result(&pair, pair.side[0].outbound, &results[0]);
	return received;
}

Test(region_key, receives_need_the_right_to_write)
{
	for (uint32_t flags = 0; flags < 16; flags++) {
		bool allowed = flags & ND_MR_FLAG_ALLOW_LOCAL_WRITE;
		uint8_t before[64];
		struct nd_mr *mr;
		nd_status sent;

		if ((flags & 5) == 4)
			continue;
		mr = region_make(1, flags);
		memcpy(before, memory[1], sizeof(before));
		ASSERT_ND(receive_into(mr, &sent), allowed ? ND_SUCCESS : ND_ACCESS_VIOLATION);
		ASSERT_ND(sent, allowed ? ND_SUCCESS : ND_REMOTE_ERROR);
		if (allowed) {
			cr_assert_arr_eq(memory[1], pair.side[0].memory, 64);
			nd_pair_pattern(memory[1], 64, flags);
		} else {
			cr_assert_arr_eq(memory[1], before, 64);
			connect_again();
		}
		deregister(1, mr);
	}
}

Test(region_key, reads_need_the_right_to_write_or_a_sink)
{
	struct nd_mr *source = region_make(1, ALL | ATOMIC);
	struct nd_mw_descriptor key = key_of(1, source);

	for (uint32_t flags = 0; flags < 16; flags++) {
		bool allowed = flags & (ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK);
		struct nd_mr *plain = pair.side[0].mr;
		uint8_t *address = pair.side[0].memory;

		if ((flags & 5) == 4)
			continue;
		pair.side[0].mr = region_make(0, flags);
		pair.side[0].memory = memory[0];
		for (enum request request = READ; request < REQUESTS; request++) {
			uint8_t before[8];

			nd_pair_pattern(memory[0], 8, 40 + flags);
			memcpy(before, memory[0], 8);
			if (request == WRITE || allowed) {
				/* A write only reads the local memory, so it requires no right. */
				ASSERT_ND(ask(request, &key, 0), ND_SUCCESS);
				continue;
			}
			ASSERT_ND(ask(request, &key, 0), ND_ACCESS_VIOLATION);
			cr_assert_arr_eq(memory[0], before, 8);
			connect_again();
		}
		deregister(0, pair.side[0].mr);
		pair.side[0].mr = plain;
		pair.side[0].memory = address;
	}
}

/** Bind a new window to a region of side 1. @return status of the posting call */
static nd_status
bind_new(struct nd_mr *mr, uint32_t flags, struct nd_mw **mw, struct nd_mw_descriptor *descriptor)
{
	struct nd_side *side = &pair.side[1];
	struct nd_result result;
	nd_status status;

	ASSERT_ND(nd_adapter_create_memory_window(side->adapter, &invalidated, mw), ND_SUCCESS);
	status = nd_endpoint_bind(
		side->endpoint, &result, mr, *mw, memory[1], 64, flags, descriptor);
	if (status == ND_SUCCESS)
		ASSERT_ND(nd_pair_result(&pair, side->outbound, &result), ND_SUCCESS);
	else
		ASSERT_ND(nd_mw_release(side->adapter, *mw), ND_SUCCESS);
	return status;
}

/**
 * A window can only give rights that the local side has on the memory. The remote flags of the
 * memory do not matter.
 */
Test(region_key, windows_need_the_rights_of_their_memory)
{
	for (uint32_t flags = 0; flags < 16; flags++) {
		bool writable = flags & ND_MR_FLAG_ALLOW_LOCAL_WRITE;
		struct nd_mw_descriptor descriptor;
		struct nd_mw *mw;
		struct nd_mr *mr;

		if ((flags & 5) == 4)
			continue;
		mr = region_make(1, flags);
		ASSERT_ND(bind_new(mr, ND_OP_FLAG_ALLOW_READ, &mw, &descriptor), ND_SUCCESS);
		ASSERT_ND(ask(READ, &descriptor, 0), ND_SUCCESS);
		ASSERT_ND(nd_adapter_deregister_memory(pair.side[1].adapter, mr, NULL),
			ND_DEVICE_BUSY);
		ASSERT_ND(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
		ASSERT_ND(bind_new(mr, ND_OP_FLAG_ALLOW_WRITE, &mw, &descriptor),
			writable ? ND_SUCCESS : ND_ACCESS_VIOLATION);
		if (writable) {
			ASSERT_ND(ask(WRITE, &descriptor, 0), ND_SUCCESS);
			ASSERT_ND(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
		}
		ASSERT_ND(bind_new(mr, ND_OP_FLAG_ALLOW_ATOMIC, &mw, &descriptor),
			writable ? ND_SUCCESS : ND_ACCESS_VIOLATION);
		if (writable)
			ASSERT_ND(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
		deregister(1, mr);
	}
}

Test(region_key, lists_name_memory_by_tokens)
{
	struct nd_mr *mr = region_make(1, ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	nd_status sent;
	uint32_t token;

	ASSERT_ND(nd_mr_get_local_token(pair.side[1].adapter, mr, &token), ND_SUCCESS);
	ASSERT_ND(receive_into(nd_adapter_find_region(pair.side[1].adapter, token), &sent),
		ND_SUCCESS);
	cr_assert_arr_eq(memory[1], pair.side[0].memory, 64);
}

Test(region_key, no_peer_invalidates_a_region)
{
	struct nd_mr *mr = region_make(1, ALL);
	struct nd_mw_descriptor key = key_of(1, mr);
	struct nd_result sent, received;

	ASSERT_ND(nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send_and_invalidate(pair.side[0].endpoint, &sent, NULL, 0, &key, 0),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_INVALIDATION_ERROR);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_REMOTE_ERROR);
	connect_again();
	ASSERT_ND(ask(READ, &key, 0), ND_SUCCESS);
}

#define ANY (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_ANY_ENDPOINT)

/** Open a second connection. @param first is set to the first connection, which remains open */
static void
second(struct nd_side first[2])
{
	memcpy(first, pair.side, 2 * sizeof(first[0]));
	connect_again();
}

Test(region_key, window_for_one_endpoint_is_for_that_alone)
{
	struct nd_mw_descriptor descriptor;
	struct nd_side first[2];
	struct nd_mw *mw;

	ASSERT_ND(bind_new(region_make(1, 0), ND_OP_FLAG_ALLOW_READ, &mw, &descriptor), ND_SUCCESS);
	second(first);
	expect_refused(READ, &descriptor, "refused_owner");
	memcpy(pair.side, first, sizeof(first));
	ASSERT_ND(ask(READ, &descriptor, 0), ND_SUCCESS);
}

Test(region_key, window_for_any_endpoint_is_used_through_each)
{
	struct nd_mw_descriptor descriptor;
	struct nd_mr *mr = region_make(1, 0);
	struct nd_result result;
	struct nd_side first[2];
	struct nd_mw_info info;
	struct nd_mw *mw;

	ASSERT_ND(bind_new(mr, ANY, &mw, &descriptor), ND_SUCCESS);
	ASSERT_ND(nd_mw_query(pair.side[1].adapter, mw, &info), ND_SUCCESS);
	cr_assert_eq(info.flags, ANY, "0x%x", info.flags);
	ASSERT_ND(ask(READ, &descriptor, 0), ND_SUCCESS);
	second(first);
	ASSERT_ND(ask(READ, &descriptor, 0), ND_SUCCESS);
	/*
	 * The window remains bound after its endpoint was released, and another endpoint
	 * invalidates it.
	 */
	ASSERT_ND(nd_endpoint_release(first[1].endpoint), ND_SUCCESS);
	ASSERT_ND(ask(READ, &descriptor, 0), ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(pair.side[1].adapter, mr, NULL), ND_DEVICE_BUSY);
	ASSERT_ND(nd_endpoint_invalidate(pair.side[1].endpoint, &result, mw, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	expect_refused(READ, &descriptor, "refused_key");
	deregister(1, mr);
}

Test(region_key, window_for_any_endpoint_is_invalidated_by_any_peer)
{
	struct nd_result *results[2], sent, received;
	struct nd_mw_descriptor descriptor;
	struct nd_mr *mr = region_make(1, 0);
	struct nd_side first[2];
	struct nd_mw *mw;

	ASSERT_ND(bind_new(mr, ANY, &mw, &descriptor), ND_SUCCESS);
	second(first);
	ASSERT_ND(nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send_and_invalidate(
			  pair.side[0].endpoint, &sent, NULL, 0, &descriptor, 0),
		ND_SUCCESS);
	nd_pair_take(&pair, pair.side[1].inbound, results, 2);
	cr_assert_eq(results[0], &invalidated);
	cr_assert_eq(results[1], &received);
	ASSERT_ND(invalidated.status, ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	deregister(1, mr);
	memcpy(pair.side, first, sizeof(first));
	expect_refused(READ, &descriptor, "refused_key");
}

/** Bind many windows that any endpoint may use. Each of them can be invalidated separately. */
Test(region_key, windows_for_any_endpoint_come_and_go)
{
	struct nd_mw_descriptor descriptors[40];
	struct nd_mr *mr = region_make(1, 0);
	struct nd_mw *windows[40];
	struct nd_side first[2];
	size_t count = 0;

	for (unsigned int i = 0; i < 40; i++)
		ASSERT_ND(bind_new(mr, i % 2 ? ANY : ND_OP_FLAG_ALLOW_READ, &windows[i],
				  &descriptors[i]),
			ND_SUCCESS);
	second(first);
	ASSERT_ND(nd_endpoint_release(first[1].endpoint), ND_SUCCESS);
	for (unsigned int i = 0; i < 40; i++) {
		struct nd_mw_info info;

		ASSERT_ND(nd_mw_query(pair.side[1].adapter, windows[i], &info), ND_SUCCESS);
		cr_assert_eq(info.bound, i % 2 != 0, "window %u", i);
	}
	for (unsigned int i = 1; i < 20; i += 2)
		ASSERT_ND(nd_mw_release(pair.side[1].adapter, windows[i]), ND_SUCCESS);
	ASSERT_ND(ask(READ, &descriptors[39], 0), ND_SUCCESS);
	ASSERT_ND(nd_mr_invalidate_windows(pair.side[1].adapter, mr, NULL, &count), ND_SUCCESS);
	cr_assert_eq(count, 10);
	deregister(1, mr);
	expect_refused(READ, &descriptors[39], "refused_key");
}

Test(region_key, window_for_any_endpoint_is_bound_early)
{
	struct nd_mw_descriptor descriptor;
	struct nd_mr *mr = region_make(1, 0);
	struct nd_side connected = pair.side[1];
	struct nd_mw *mw;

	pair.side[1].connector = NULL;
	nd_pair_endpoint(&pair, 1);
	ASSERT_ND(nd_adapter_create_memory_window(pair.side[1].adapter, &invalidated, &mw),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_bind_early(pair.side[1].endpoint, mr, mw, memory[1], 64,
			  ND_OP_FLAG_ALLOW_ANY_ENDPOINT, &descriptor),
		ND_INVALID_PARAMETER_6);
	ASSERT_ND(nd_endpoint_bind_early(
			  pair.side[1].endpoint, mr, mw, memory[1], 64, ANY, &descriptor),
		ND_SUCCESS);
	pair.side[1] = connected;
	ASSERT_ND(ask(READ, &descriptor, 0), ND_SUCCESS);
}

/** ND v2 allows a window without rights. The window can be bound, but gives the peer no access. */
Test(region_key, window_that_allows_nothing_grants_nothing)
{
	struct nd_mr *mr = region_make(1, 0);
	struct nd_mw_descriptor descriptor;
	struct nd_mw_info info;
	struct nd_mw *mw;

	ASSERT_ND(bind_new(mr, 0, &mw, &descriptor), ND_INVALID_PARAMETER_6);
	ASSERT_ND(bind_new(mr, ND_OP_FLAG_ALLOW_ANY_ENDPOINT, &mw, &descriptor),
		ND_INVALID_PARAMETER_6);
	ASSERT_ND(bind_new(mr, ND_OP_FLAG_ALLOW_NOTHING, &mw, &descriptor), ND_SUCCESS);
	ASSERT_ND(nd_mw_query(pair.side[1].adapter, mw, &info), ND_SUCCESS);
	cr_assert(info.bound && info.flags == 0);
	for (enum request request = READ; request < REQUESTS; request++) {
		expect_refused(request, &descriptor, "refused_rights");
		/*
		 * The refused access has ended the connection, and the end has unbound the window.
		 */
		ASSERT_ND(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
		ASSERT_ND(bind_new(mr, ND_OP_FLAG_ALLOW_NOTHING, &mw, &descriptor), ND_SUCCESS);
	}
}
