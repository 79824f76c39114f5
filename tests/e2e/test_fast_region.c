/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test fast regions, which are registered and invalidated by requests, through the public API. */

#include <stdalign.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <ndpdk/nd_region.h>

#include "support/nd_pair.h"

#define PAGE   ND_FAST_PAGE_BYTES
#define PAGES  8u
#define OFFSET 24u
#define BASE   ((uint8_t *)(uintptr_t)(0x7000000 + OFFSET))
#define LENGTH (3 * PAGE)
#define REMOTE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

static struct nd_pair pair;
static alignas(PAGE) uint8_t memory[PAGES][PAGE];
/** The pages of a registration, in an order that differs from their order in memory. */
static void *const pages[PAGES] = {
	memory[5], memory[2], memory[7], memory[0], memory[1], memory[6], memory[3], memory[4]};
static struct nd_mr *mr;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_connect(&pair);
	nd_pair_pattern(memory[0], sizeof(memory), 3);
	ASSERT_ND(
		nd_adapter_create_fast_region(pair.side[1].adapter, PAGES, true, &mr), ND_SUCCESS);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(fast_region, .init = setup, .fini = teardown);

static uint8_t *
byte_at(size_t offset)
{
	return (uint8_t *)pages[(OFFSET + offset) / PAGE] + (OFFSET + offset) % PAGE;
}

static nd_status
post_register(struct nd_result *result, uint32_t flags)
{
	return nd_endpoint_fast_register(
		pair.side[1].endpoint, result, mr, pages, 4, OFFSET, LENGTH, BASE, flags);
}

static struct nd_mw_descriptor
key_now(void)
{
	struct nd_mw_descriptor key = {
		.base = rte_cpu_to_be_64((uintptr_t)BASE), .length = rte_cpu_to_be_64(LENGTH)};
	uint32_t token;

	ASSERT_ND(nd_mr_get_remote_token(pair.side[1].adapter, mr, &token), ND_SUCCESS);
	key.token = token;
	return key;
}

/** Register the fast region and wait for the result. @return descriptor for the peer */
static struct nd_mw_descriptor
enter(uint32_t flags)
{
	struct nd_result result;

	ASSERT_ND(post_register(&result, flags), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	return key_now();
}

static void
invalidate(void)
{
	struct nd_result result;

	ASSERT_ND(nd_endpoint_invalidate_region(pair.side[1].endpoint, &result, mr, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
}

static nd_status
remote(bool write, const struct nd_mw_descriptor *key, size_t bytes)
{
	struct nd_sge sge = {pair.side[0].memory, bytes, pair.side[0].mr};
	struct nd_endpoint *endpoint = pair.side[0].endpoint;
	struct nd_result result;

	ASSERT_ND(write ? nd_endpoint_write(endpoint, &result, &sge, 1, key, 0, 0)
			: nd_endpoint_read(endpoint, &result, &sge, 1, key, 0, 0),
		ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, &result);
}

static void
connect_again(void)
{
	pair.side[0].connector = NULL;
	nd_pair_connect(&pair);
}

Test(fast_region, peer_reads_and_writes_pages_wherever_they_lie)
{
	struct nd_mw_descriptor key = enter(REMOTE);

	ASSERT_ND(remote(false, &key, LENGTH), ND_SUCCESS);
	for (size_t i = 0; i < LENGTH; i++)
		cr_assert_eq(pair.side[0].memory[i], *byte_at(i), "byte %zu", i);
	nd_pair_pattern(pair.side[0].memory, LENGTH, 17);
	ASSERT_ND(remote(true, &key, LENGTH), ND_SUCCESS);
	for (size_t i = 0; i < LENGTH; i++)
		cr_assert_eq(pair.side[0].memory[i], *byte_at(i), "byte %zu", i);
	ASSERT_ND(remote(true, &key, LENGTH + 1), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_range"), 1);
}

/** The key is known when the posting call returns, so the next message may contain it. */
Test(fast_region, key_travels_behind_its_registration)
{
	struct nd_mw_descriptor key, told;
	struct nd_result registered, sent, received;
	struct nd_sge to = {pair.side[0].memory, sizeof(told), pair.side[0].mr};
	struct nd_sge from = {&key, sizeof(key), NULL};

	ASSERT_ND(nd_endpoint_receive(pair.side[0].endpoint, &received, &to, 1), ND_SUCCESS);
	nd_endpoint_start_request_batch(pair.side[1].endpoint);
	ASSERT_ND(post_register(&registered, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	key = key_now();
	ASSERT_ND(nd_endpoint_send(pair.side[1].endpoint, &sent, &from, 1, 0), ND_SUCCESS);
	nd_endpoint_submit_request_batch(pair.side[1].endpoint);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].inbound, &received), ND_SUCCESS);
	memcpy(&told, pair.side[0].memory, sizeof(told));
	ASSERT_ND(remote(false, &told, 64), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &sent), ND_SUCCESS);
}

Test(fast_region, each_registration_has_a_key_of_its_own)
{
	uint32_t local, again, tokens[60];
	struct nd_mw_descriptor key;

	ASSERT_ND(nd_mr_get_local_token(pair.side[1].adapter, mr, &local), ND_SUCCESS);
	for (size_t i = 0; i < RTE_DIM(tokens); i++) {
		key = enter(ND_OP_FLAG_ALLOW_READ);
		tokens[i] = key.token;
		for (size_t j = 0; j < i; j++)
			cr_assert_neq(tokens[j], tokens[i], "%zu again after %zu", j, i);
		ASSERT_ND(nd_mr_get_local_token(pair.side[1].adapter, mr, &again), ND_SUCCESS);
		cr_assert_eq(local, again);
		cr_assert_eq(nd_adapter_find_region(pair.side[1].adapter, local), mr);
		invalidate();
	}
	ASSERT_ND(remote(false, &key, 8), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
}

/**
 * An SGE of a local request refers to the registered memory by the region. The request needs the
 * rights of the registration.
 */
Test(fast_region, lists_name_what_is_registered)
{
	struct nd_sge here = {BASE + PAGE - OFFSET - 8, 16, mr};
	struct nd_sge there = {pair.side[0].memory, 16, pair.side[0].mr};
	struct nd_result sent, received;

	enter(ND_OP_FLAG_ALLOW_LOCAL_WRITE);
	ASSERT_ND(nd_endpoint_receive(pair.side[0].endpoint, &received, &there, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(pair.side[1].endpoint, &sent, &here, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &sent), ND_SUCCESS);
	for (size_t i = 0; i < 16; i++)
		cr_assert_eq(pair.side[0].memory[i], *byte_at(PAGE - OFFSET - 8 + i));
	nd_pair_pattern(pair.side[0].memory, 16, 99);
	ASSERT_ND(nd_endpoint_receive(pair.side[1].endpoint, &received, &here, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(pair.side[0].endpoint, &sent, &there, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	for (size_t i = 0; i < 16; i++)
		cr_assert_eq(pair.side[0].memory[i], *byte_at(PAGE - OFFSET - 8 + i));
	/*
	 * A receive fails in both rounds: first without the right to write, then without a
	 * registration.
	 */
	for (unsigned int round = 0; round < 2; round++) {
		invalidate();
		if (round == 0)
			enter(ND_OP_FLAG_RDMA_READ_SINK);
		ASSERT_ND(nd_endpoint_receive(pair.side[1].endpoint, &received, &here, 1),
			ND_SUCCESS);
		ASSERT_ND(nd_endpoint_send(pair.side[0].endpoint, &sent, &there, 1, 0), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&pair, pair.side[1].inbound, &received),
			ND_ACCESS_VIOLATION);
		ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_REMOTE_ERROR);
		connect_again();
	}
}

/**
 * The peer of any endpoint can invalidate the registration. The result of the receive contains the
 * key.
 */
Test(fast_region, peer_invalidates_it)
{
	struct nd_mw_descriptor key = enter(ND_OP_FLAG_ALLOW_READ);
	struct nd_result sent, received;

	connect_again();
	ASSERT_ND(remote(false, &key, 64), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send_and_invalidate(pair.side[0].endpoint, &sent, NULL, 0, &key, 0),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(received.flags, ND_RESULT_INVALIDATED);
	cr_assert_eq(received.imm_data, key.token);
	ASSERT_ND(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	/* The invalidated region can be registered again. The old key remains invalid. */
	enter(ND_OP_FLAG_ALLOW_READ);
	ASSERT_ND(remote(false, &key, 64), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
}

Test(fast_region, invalidating_nothing_ends_the_connection)
{
	struct nd_result result;

	ASSERT_ND(nd_endpoint_invalidate_region(pair.side[1].endpoint, &result, mr, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_INVALIDATION_ERROR);
	ASSERT_ND(post_register(&result, REMOTE), ND_CONNECTION_INVALID);
	connect_again();
	enter(REMOTE);
}

Test(fast_region, flushed_requests_leave_nothing)
{
	struct nd_result sent, results[2];
	struct nd_mr_info info;

	nd_endpoint_start_request_batch(pair.side[1].endpoint);
	ASSERT_ND(nd_endpoint_send(pair.side[1].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	ASSERT_ND(post_register(&results[0], REMOTE), ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(pair.side[1].adapter, mr, NULL), ND_DEVICE_BUSY);
	ASSERT_ND(nd_endpoint_invalidate_region(pair.side[1].endpoint, &results[1], mr, 0),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_flush(pair.side[1].endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &sent), ND_CANCELED);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &results[0]), ND_CANCELED);
	ASSERT_ND(nd_pair_result(&pair, pair.side[1].outbound, &results[1]), ND_CANCELED);
	ASSERT_ND(nd_mr_query(pair.side[1].adapter, mr, &info), ND_SUCCESS);
	cr_assert(info.binds_queued == 0 && info.length == 0);
	connect_again();
	enter(REMOTE);
	ASSERT_ND(nd_mr_query(pair.side[1].adapter, mr, &info), ND_SUCCESS);
	cr_assert(info.base == BASE && info.length == LENGTH);
	cr_assert_eq(info.flags,
		ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE |
			ND_MR_FLAG_RDMA_READ_SINK);
}

Test(fast_region, deregistering_ends_the_key)
{
	struct nd_mw_descriptor key = enter(REMOTE);
	struct nd_result result;

	ASSERT_ND(nd_adapter_deregister_memory(pair.side[1].adapter, mr, NULL), ND_SUCCESS);
	ASSERT_ND(post_register(&result, REMOTE), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_endpoint_invalidate_region(pair.side[1].endpoint, &result, mr, 0),
		ND_INVALID_PARAMETER_2);
	ASSERT_ND(remote(true, &key, 64), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
}

/**
 * Register and invalidate in a loop without a turn of the engine. Neither keys nor internal
 * registrations run out.
 */
Test(fast_region, loops_without_turns)
{
	for (unsigned int i = 0; i < 300; i++) {
		struct nd_result results[2], *taken[2];

		ASSERT_ND(post_register(&results[0], REMOTE), ND_SUCCESS);
		ASSERT_ND(nd_endpoint_invalidate_region(pair.side[1].endpoint, &results[1], mr, 0),
			ND_SUCCESS);
		cr_assert_eq(nd_cq_get_results(pair.side[1].outbound, taken, 2), 2);
		ASSERT_ND(taken[0]->status, ND_SUCCESS);
		ASSERT_ND(taken[1]->status, ND_SUCCESS);
		/* With several engines, a grace period requires a turn of each engine. */
		if (i % 2 == 1)
			nd_pair_poll(&pair);
	}
}

Test(fast_region, mistakes_come_back_from_the_call)
{
	struct nd_endpoint *endpoint = pair.side[1].endpoint;
	void *const holes[2] = {memory[0], NULL}, *const odd[1] = {memory[0] + 64};
	struct nd_mr *made = NULL, *local;
	struct nd_result r;

#define REGISTER(pages_, count, offset, length, base)                                              \
	nd_endpoint_fast_register(endpoint, &r, mr, pages_, count, offset, length,                 \
		(void *)(uintptr_t)(base), REMOTE)
	ASSERT_ND(nd_endpoint_fast_register(endpoint, NULL, mr, pages, 1, 0, 1, NULL, 0),
		ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_endpoint_fast_register(endpoint, &r, NULL, pages, 1, 0, 1, NULL, 0),
		ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_endpoint_fast_register(endpoint, &r, pair.side[1].mr, pages, 1, 0, 1, NULL, 0),
		ND_INVALID_PARAMETER_2);
	ASSERT_ND(REGISTER(NULL, 1, 0, 1, 0), ND_INVALID_PARAMETER_3);
	ASSERT_ND(REGISTER(holes, 2, 0, 1, 0), ND_INVALID_PARAMETER_3);
	ASSERT_ND(REGISTER(odd, 1, 0, 1, 0), ND_INVALID_PARAMETER_3);
	ASSERT_ND(REGISTER(pages, 0, 0, 1, 0), ND_INVALID_PARAMETER_4);
	ASSERT_ND(REGISTER(pages, (size_t)ND_REGION_BUFFERS_MAX + 1, 0, 1, 0),
		ND_INVALID_PARAMETER_4);
	ASSERT_REFUSED(REGISTER(pages, 1, PAGE, 1, 0), ND_INVALID_PARAMETER_5,
		"nd_endpoint_fast_register: parameter 5, first_byte_offset 4096: expected less "
		"than "
		"4096");
	ASSERT_ND(REGISTER(pages, 1, 8, 0, 8), ND_INVALID_PARAMETER_6);
	ASSERT_ND(REGISTER(pages, 2, 8, 2 * PAGE - 7, 8), ND_INVALID_PARAMETER_6);
	ASSERT_ND(REGISTER(pages, 2, 8, SIZE_MAX, 8), ND_INVALID_PARAMETER_6);
	ASSERT_ND(REGISTER(pages, 2, 8, 64, 16), ND_INVALID_PARAMETER_7);
	ASSERT_ND(REGISTER(pages, 2, 8, PAGE + 64, UINTPTR_MAX - PAGE + 9), ND_INVALID_PARAMETER_7);
	ASSERT_ND(post_register(&r, REMOTE | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT),
		ND_INVALID_PARAMETER_8);
	ASSERT_ND(nd_endpoint_invalidate_region(endpoint, NULL, mr, 0), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_endpoint_invalidate_region(endpoint, &r, pair.side[1].mr, 0),
		ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_endpoint_invalidate_region(endpoint, &r, mr, 8), ND_INVALID_PARAMETER_3);
	ASSERT_ND(nd_adapter_create_fast_region(pair.side[1].adapter, 0, true, &made),
		ND_INVALID_PARAMETER);
	ASSERT_ND(nd_adapter_create_fast_region(pair.side[1].adapter, 1, true, NULL),
		ND_INVALID_PARAMETER);
	cr_assert_null(made);
	/* The region was created without remote access, so remote rights are refused. */
	ASSERT_ND(
		nd_adapter_create_fast_region(pair.side[1].adapter, 1, false, &local), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_fast_register(
			  endpoint, &r, local, pages, 1, 0, 64, NULL, ND_OP_FLAG_ALLOW_READ),
		ND_ACCESS_VIOLATION);
	ASSERT_ND(nd_endpoint_fast_register(endpoint, &r, local, pages, 2, 0, 64, NULL, 0),
		ND_INVALID_PARAMETER_4);
	/*
	 * The region is still registered, so a second registration without an invalidate is
	 * refused.
	 */
	enter(REMOTE);
	ASSERT_ND(post_register(&r, REMOTE), ND_INVALID_DEVICE_STATE);
	nd_pair_quiet(&pair, pair.side[1].outbound);
}
