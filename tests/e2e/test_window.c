/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test memory, windows, and the errors of their use, through the public API. Names of tests contain
 * the numbers of the ND statements.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "support/engines.h"
#include "support/nd_pair.h"

#define READ_WRITE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_connect(&pair);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(window, .init = setup, .fini = teardown);

static nd_status
write_bytes(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result)
{
	struct nd_sge from = {pair.side[0].memory, bytes, pair.side[0].mr};

	cr_assert_eq(nd_endpoint_write(pair.side[0].endpoint, result, &from, 1, window, offset, 0),
		ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, result);
}

static nd_status
read_bytes(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result)
{
	struct nd_sge to = {pair.side[0].memory, bytes, pair.side[0].mr};

	cr_assert_eq(nd_endpoint_read(pair.side[0].endpoint, result, &to, 1, window, offset, 0),
		ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, result);
}

/**
 * Fail unless the owner's receive was flushed and the connection has ended on both sides, as after
 * a fatal access.
 */
static void
expect_broken(struct nd_result *owner_receive)
{
	struct nd_result result;

	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, owner_receive), ND_CANCELED);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_endpoint_send(pair.side[i].endpoint, &result, NULL, 0, 0),
			ND_CONNECTION_INVALID);
}

Test(window, nd011_read_only_window_can_be_read_and_not_written)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result result, received;

	nd_pair_bind(&pair, 1, 0, 4096, ND_OP_FLAG_ALLOW_READ, &descriptor);
	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	cr_assert_eq(read_bytes(&descriptor, 0, 4096, &result), ND_SUCCESS);
	cr_assert_eq(write_bytes(&descriptor, 0, 1, &result), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_rights"), 1);
	expect_broken(&received);
}

Test(window, nd012_write_only_window_can_be_written_and_not_read)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result result, received;

	nd_pair_bind(&pair, 1, 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &descriptor);
	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	cr_assert_eq(write_bytes(&descriptor, 0, 4096, &result), ND_SUCCESS);
	cr_assert_eq(read_bytes(&descriptor, 0, 1, &result), ND_REMOTE_ERROR);
	expect_broken(&received);
}

Test(window, sec011_bounds_are_those_of_the_window_not_of_its_memory)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result result, received;

	nd_pair_bind(&pair, 1, 100, 1000, READ_WRITE, &descriptor);
	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	memset(pair.side[0].memory, 0x77, 1000);
	cr_assert_eq(write_bytes(&descriptor, 0, 1000, &result), ND_SUCCESS);
	cr_assert_eq(write_bytes(&descriptor, 999, 2, &result), ND_REMOTE_ERROR);
	cr_assert_eq(pair.side[1].memory[99], 0);
	cr_assert_eq(pair.side[1].memory[1099], 0x77);
	cr_assert_eq(pair.side[1].memory[1100], 0);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_range"), 1);
	expect_broken(&received);
}

Test(window, read_beyond_the_window_is_found_when_posting)
{
	struct nd_mw_descriptor descriptor;
	struct nd_sge to = {pair.side[0].memory, 1000, pair.side[0].mr};
	struct nd_result result;

	nd_pair_bind(&pair, 1, 0, 1000, READ_WRITE, &descriptor);
	cr_assert_eq(nd_endpoint_read(pair.side[0].endpoint, &result, &to, 1, &descriptor, 1, 0),
		ND_REMOTE_ERROR);
	cr_assert_eq(nd_endpoint_read(
			     pair.side[0].endpoint, &result, &to, 1, &descriptor, UINT64_MAX, 0),
		ND_REMOTE_ERROR);
	cr_assert_eq(read_bytes(&descriptor, 0, 1000, &result), ND_SUCCESS);
}

/* Post a WRITE and a READ beyond the window. Fail unless both calls return this status. */
static void
read_and_write_return(nd_status expected, struct nd_result *result, const struct nd_sge *sgl,
	size_t count, const struct nd_mw_descriptor *descriptor, uint32_t flags)
{
	struct nd_endpoint *endpoint = pair.side[0].endpoint;

	cr_assert_eq(nd_endpoint_write(endpoint, result, sgl, count, descriptor, 2000, flags),
		expected, "WRITE");
	cr_assert_eq(nd_endpoint_read(endpoint, result, sgl, count, descriptor, 2000, flags),
		expected, "READ");
}

Test(window, parameters_of_a_read_beyond_the_window_are_checked_as_those_of_a_write)
{
	const struct nd_sge good = {pair.side[0].memory, 1000, pair.side[0].mr};
	const struct nd_sge mixed[2] = {good, {pair.side[0].memory, 1, NULL}};
	struct nd_mw_descriptor descriptor;
	struct nd_result result, received;

	nd_pair_bind(&pair, 1, 0, 1000, READ_WRITE, &descriptor);
	read_and_write_return(ND_INVALID_PARAMETER_1, NULL, &good, 1, &descriptor, 0);
	read_and_write_return(ND_INVALID_PARAMETER_2, &result, NULL, 1, &descriptor, 0);
	read_and_write_return(ND_INVALID_PARAMETER_4, &result, &good, 1, NULL, 0);
	read_and_write_return(ND_INVALID_PARAMETER_6, &result, &good, 1, &descriptor, 1U << 31);
	read_and_write_return(ND_ACCESS_VIOLATION, &result, mixed, 2, &descriptor, 0);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(write_bytes(&descriptor, 2000, 1, &result), ND_REMOTE_ERROR);
	expect_broken(&received);
	read_and_write_return(ND_CONNECTION_INVALID, &result, &good, 1, &descriptor, 0);
}

Test(window, nd049_use_after_invalidate_ends_the_connection)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result result, received;
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 4096, READ_WRITE, &descriptor);

	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	cr_assert_eq(write_bytes(&descriptor, 0, 64, &result), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_invalidate(pair.side[1].endpoint, &result, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	cr_assert_eq(write_bytes(&descriptor, 0, 64, &result), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
	expect_broken(&received);
}

Test(window, nd007_rebound_window_has_a_new_key_and_the_old_one_is_dead)
{
	struct nd_mw_descriptor first, second;
	struct nd_result result;
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 4096, READ_WRITE, &first);

	cr_assert_eq(nd_endpoint_invalidate(pair.side[1].endpoint, &result, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(pair.side[1].endpoint, &result, pair.side[1].mr, mw,
			     pair.side[1].memory + 8192, 100, READ_WRITE, &second),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	cr_assert_neq(first.token, second.token);
	cr_assert_eq(write_bytes(&second, 0, 100, &result), ND_SUCCESS);
	cr_assert_eq(write_bytes(&first, 0, 1, &result), ND_REMOTE_ERROR);
}

Test(window, invalidate_and_bind_in_one_batch_follow_each_other)
{
	struct nd_mw_descriptor first, second;
	struct nd_result invalidated, bound, result;
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 64, READ_WRITE, &first);
	struct nd_endpoint *endpoint = pair.side[1].endpoint;

	nd_endpoint_start_request_batch(endpoint);
	cr_assert_eq(nd_endpoint_invalidate(endpoint, &invalidated, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(endpoint, &bound, pair.side[1].mr, mw, pair.side[1].memory,
			     128, READ_WRITE, &second),
		ND_SUCCESS);
	nd_endpoint_submit_request_batch(endpoint);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &invalidated), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &bound), ND_SUCCESS);
	cr_assert_eq(write_bytes(&second, 0, 128, &result), ND_SUCCESS);
}

Test(window, nd023_overlapping_windows_enforce_only_their_own_rights)
{
	struct nd_mw_descriptor reading, writing;
	struct nd_result result;

	nd_pair_bind(&pair, 1, 0, 4096, ND_OP_FLAG_ALLOW_READ, &reading);
	nd_pair_bind(&pair, 1, 2048, 4096, ND_OP_FLAG_ALLOW_WRITE, &writing);
	cr_assert_eq(write_bytes(&writing, 0, 2048, &result), ND_SUCCESS);
	cr_assert_eq(read_bytes(&reading, 2048, 2048, &result), ND_SUCCESS);
	cr_assert_eq(read_bytes(&writing, 0, 1, &result), ND_REMOTE_ERROR);
}

Test(window, nd021_descriptor_is_big_endian_and_names_the_range)
{
	struct nd_mw_descriptor descriptor;
	const uint8_t *bytes = (const uint8_t *)&descriptor;
	uint64_t base = 0, length = 0;

	nd_pair_bind(&pair, 1, 16, 4660, READ_WRITE, &descriptor);
	for (unsigned int i = 0; i < 8; i++) {
		base = base << 8 | bytes[i];
		length = length << 8 | bytes[8 + i];
	}
	cr_assert_eq(base, (uintptr_t)pair.side[1].memory + 16);
	cr_assert_eq(length, 4660);
}

Test(window, bind_mistakes_come_back_from_the_call)
{
	struct nd_side *side = &pair.side[1];
	struct nd_mw_descriptor descriptor;
	struct nd_result result, invalidate;
	struct nd_mw *mw, *foreign, *bound;
	struct nd_mr *stale;
	uint8_t *memory = side->memory;

	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidate, &mw), ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_memory_window(pair.side[0].adapter, &invalidate, &foreign),
		ND_SUCCESS);
	bound = nd_pair_bind(&pair, 1, 0, 64, READ_WRITE, &descriptor);
	cr_assert_eq(
		nd_adapter_register_memory(side->adapter, memory, 64, NULL, &stale), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, stale, NULL), ND_SUCCESS);
#define BIND(mr, mw, buffer, size, flags)                                                          \
	nd_endpoint_bind(side->endpoint, &result, mr, mw, buffer, size, flags, &descriptor)
	ASSERT_ND(BIND(stale, mw, memory, 64, READ_WRITE), ND_INVALID_PARAMETER_2);
	ASSERT_ND(BIND(NULL, mw, memory, 64, READ_WRITE), ND_INVALID_PARAMETER_2);
	ASSERT_ND(BIND(side->mr, foreign, memory, 64, READ_WRITE), ND_INVALID_PARAMETER_3);
	ASSERT_REFUSED(BIND(side->mr, NULL, NULL, 64, READ_WRITE), ND_INVALID_PARAMETER_3,
		"nd_endpoint_bind: parameter 3, mw is not a window of the adapter; buffer is 0, "
		"buffer_size 64");
	ASSERT_ND(BIND(side->mr, mw, memory - 1, 64, READ_WRITE), ND_INVALID_PARAMETER_4);
	ASSERT_ND(BIND(side->mr, mw, memory + side->memory_bytes, 1, READ_WRITE),
		ND_INVALID_PARAMETER_4);
	ASSERT_ND(BIND(side->mr, mw, memory + 1, side->memory_bytes, READ_WRITE),
		ND_INVALID_PARAMETER_5);
	ASSERT_ND(BIND(side->mr, mw, memory, SIZE_MAX, READ_WRITE), ND_INVALID_PARAMETER_5);
	ASSERT_ND(BIND(side->mr, mw, memory, 0, READ_WRITE), ND_INVALID_PARAMETER_5);
	ASSERT_ND(BIND(side->mr, mw, memory, 64, 0), ND_INVALID_PARAMETER_6);
	ASSERT_ND(BIND(side->mr, mw, memory, 64, READ_WRITE | 0x40), ND_INVALID_PARAMETER_6);
	/* ND_OP_FLAG_INLINE (0x20) of v2 is no right, so a bind refuses it. */
	ASSERT_ND(BIND(side->mr, mw, memory, 64, READ_WRITE | 0x20), ND_INVALID_PARAMETER_6);
	cr_assert_eq(BIND(side->mr, bound, memory, 64, READ_WRITE), ND_INVALID_DEVICE_STATE);
	/* ND-093: the refused binds had no effect, so the window can still be bound. */
	cr_assert_eq(BIND(side->mr, mw, memory, 64, READ_WRITE), ND_SUCCESS);
#undef BIND
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_SUCCESS);
}

static bool
is_bound(const struct nd_mw *mw)
{
	struct nd_mw_info info;

	cr_assert_eq(nd_mw_query(pair.side[1].adapter, mw, &info), ND_SUCCESS);
	return info.bound;
}

/*
 * A bind allocates its key before it finds that the queue is full. The key must then be invalid,
 * and must not leak.
 */
Test(window, nd009_bind_that_a_full_queue_refuses_leaves_nothing)
{
	struct nd_mw_descriptor descriptor = {.token = 0x12345678}, as_it_was = descriptor;
	struct nd_side *side = &pair.side[1];
	struct nd_result sent[64], result, invalidate;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidate, &mw), ND_SUCCESS);
	for (unsigned int i = 0; i < 64; i++)
		cr_assert_eq(nd_endpoint_send(side->endpoint, &sent[i], NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &result, side->mr, mw, side->memory, 64,
			     READ_WRITE, &descriptor),
		ND_NO_MORE_ENTRIES);
	cr_assert_arr_eq(&descriptor, &as_it_was, sizeof(descriptor));
	cr_assert(!is_bound(mw));
	cr_assert_eq(nd_mw_release(side->adapter, mw), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_SUCCESS);
}

/*
 * The window is still bound to the first connection, where its invalidate waits for a read. A bind
 * on the second connection returns a descriptor and fails later, when it is executed. The
 * descriptor must not give access.
 */
Test(window, descriptor_of_a_bind_that_fails_in_its_turn_opens_nothing)
{
	struct nd_mw_descriptor source, bound, failed;
	struct nd_result read, invalidated, result, *got;
	struct nd_side *owner = &pair.side[1];
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 64, READ_WRITE, &bound);
	struct nd_sge to = {owner->memory + 4096, 64, owner->mr};
	struct nd_pair first;

	nd_pair_bind(&pair, 0, 4096, 64, READ_WRITE, &source);
	first = pair;
	pair.side[0].connector = NULL;
	nd_pair_connect(&pair);
	cr_assert_eq(
		nd_endpoint_read(first.side[1].endpoint, &read, &to, 1, &source, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_invalidate(
			     first.side[1].endpoint, &invalidated, mw, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(owner->endpoint, &result, owner->mr, mw, owner->memory, 64,
			     READ_WRITE, &failed),
		ND_SUCCESS);
	test_poll(owner->adapter);
	cr_assert_eq(nd_cq_get_results(owner->outbound, &got, 1), 1);
	cr_assert_eq(got, &result);
	cr_assert_eq(got->status, ND_INVALID_DEVICE_REQUEST, "%s", nd_status_name(got->status));
	cr_assert_neq(failed.token, bound.token);
	cr_assert(is_bound(mw));
	cr_assert_eq(nd_pair_result(&pair, owner->outbound, &read), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, owner->outbound, &invalidated), ND_SUCCESS);
	cr_assert(!is_bound(mw));
	pair.side[0].endpoint = first.side[0].endpoint;
	cr_assert_eq(write_bytes(&failed, 0, 64, &result), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_owner"), 0);
}

/*
 * The connection ends while a bind is queued. The descriptor of this bind must be invalid on the
 * next connection.
 */
Test(window, descriptor_of_a_bind_that_was_flushed_opens_nothing)
{
	struct nd_mw_descriptor flushed, bound;
	struct nd_side *side = &pair.side[1];
	struct nd_result result, sent, invalidate;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidate, &mw), ND_SUCCESS);
	nd_endpoint_start_request_batch(side->endpoint);
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent, NULL, 0, ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &result, side->mr, mw, side->memory, 64,
			     READ_WRITE, &flushed),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_flush(side->endpoint), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &sent), ND_CANCELED);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_CANCELED);
	cr_assert(!is_bound(mw));
	pair.side[0].connector = NULL;
	nd_pair_connect(&pair);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &result, side->mr, mw, side->memory, 64,
			     READ_WRITE, &bound),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_SUCCESS);
	cr_assert_eq(write_bytes(&bound, 0, 64, &result), ND_SUCCESS);
	cr_assert_eq(write_bytes(&flushed, 0, 64, &result), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
}

Test(window, nd005_nd006_one_endpoint_at_a_time)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result result;
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 64, READ_WRITE, &descriptor);
	struct nd_pair first = pair;

	/* A second connection between the same adapters replaces the pair's connection. */
	pair.side[0].connector = NULL;
	nd_pair_connect(&pair);
	cr_assert_eq(nd_endpoint_bind(pair.side[1].endpoint, &result, pair.side[1].mr, mw,
			     pair.side[1].memory, 64, READ_WRITE, &descriptor),
		ND_INVALID_DEVICE_STATE);
	cr_assert_eq(nd_endpoint_invalidate(first.side[1].endpoint, &result, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(pair.side[1].endpoint, &result, pair.side[1].mr, mw,
			     pair.side[1].memory, 64, READ_WRITE, &descriptor),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	/* RC-152: a peer can access the window only through the endpoint that bound it. */
	cr_assert_eq(write_bytes(&descriptor, 0, 64, &result), ND_SUCCESS);
	pair.side[0].endpoint = first.side[0].endpoint;
	cr_assert_eq(write_bytes(&descriptor, 0, 64, &result), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_owner"), 1);
}

Test(window, nd025_memory_with_a_bound_window_is_busy)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result result;
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 64, READ_WRITE, &descriptor);
	struct nd_side *side = &pair.side[1];

	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_DEVICE_BUSY);
	cr_assert_eq(nd_endpoint_invalidate(side->endpoint, &result, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_SUCCESS);
	cr_assert_eq(
		nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_INVALID_HANDLE);
}

Test(window, nd052_invalidate_of_an_unbound_window_ends_the_connection)
{
	struct nd_result result, invalidate;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(pair.side[1].adapter, &invalidate, &mw),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_invalidate(
			     pair.side[1].endpoint, &result, mw, ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_INVALIDATION_ERROR);
	cr_assert_eq(nd_endpoint_send(pair.side[1].endpoint, &result, NULL, 0, 0),
		ND_CONNECTION_INVALID);
}

Test(window, nd056_nd057_peer_invalidates)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result bound, invalidated, received, sent, *results[2];
	struct nd_side *side = &pair.side[1];
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidated, &mw), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &bound, side->mr, mw, side->memory, 64,
			     READ_WRITE, &descriptor),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &bound), ND_SUCCESS);
	nd_endpoint_receive(side->endpoint, &received, NULL, 0);
	cr_assert_eq(nd_endpoint_send_and_invalidate(
			     pair.side[0].endpoint, &sent, NULL, 0, &descriptor, 0),
		ND_SUCCESS);
	nd_pair_take(&pair, side->inbound, results, 2);
	cr_assert_eq(results[0], &invalidated);
	cr_assert_eq(results[1], &received);
	cr_assert_eq(invalidated.status, ND_SUCCESS);
	cr_assert_eq(invalidated.bytes_transferred, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	/*
	 * ND-060: the peer has invalidated the window, so the local invalidate fails and ends the
	 * connection.
	 */
	cr_assert_eq(nd_endpoint_invalidate(side->endpoint, &bound, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &bound), ND_INVALIDATION_ERROR);
}

Test(window, nd065_invalidating_what_is_not_bound_ends_the_connection)
{
	struct nd_mw_descriptor nothing = {.token = 0x12345678};
	struct nd_result received[2], sent;
	struct nd_overlapped notify = {0};

	nd_endpoint_receive(pair.side[1].endpoint, &received[0], NULL, 0);
	nd_endpoint_receive(pair.side[1].endpoint, &received[1], NULL, 0);
	cr_assert_eq(nd_connector_notify_disconnect(pair.side[0].connector, &notify), ND_PENDING);
	cr_assert_eq(
		nd_endpoint_send_and_invalidate(pair.side[0].endpoint, &sent, NULL, 0, &nothing, 0),
		ND_SUCCESS);
	cr_assert_eq(
		nd_pair_result(&pair, pair.side[1].inbound, &received[0]), ND_INVALIDATION_ERROR);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received[1]), ND_CANCELED);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_SUCCESS);
}

Test(window, nd204_to_nd206_registration_mistakes)
{
	struct nd_adapter *adapter = pair.side[0].adapter;
	struct nd_mr *mr;
	uint8_t byte;

	ASSERT_ND(nd_adapter_register_memory(adapter, NULL, 0, NULL, &mr), ND_INVALID_PARAMETER);
	cr_assert_eq(
		nd_adapter_register_memory(adapter, &byte, 0, NULL, &mr), ND_INVALID_BUFFER_SIZE);
	ASSERT_ND(nd_adapter_register_memory(adapter, &byte, SIZE_MAX, NULL, &mr),
		ND_INVALID_PARAMETER);
	cr_assert_eq(nd_adapter_deregister_memory(adapter, (struct nd_mr *)(void *)&byte, NULL),
		ND_INVALID_HANDLE);
	cr_assert_eq(nd_adapter_deregister_memory(adapter, NULL, NULL), ND_INVALID_HANDLE);
}

Test(window, nd112_local_memory_that_is_not_registered_fails_the_request)
{
	struct nd_side *side = &pair.side[0];
	struct nd_sge beyond = {side->memory + 1, side->memory_bytes, side->mr};
	struct nd_result result;

	cr_assert_eq(nd_endpoint_send(side->endpoint, &result, &beyond, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_ACCESS_VIOLATION);
	cr_assert_eq(nd_endpoint_send(side->endpoint, &result, NULL, 0, 0), ND_CONNECTION_INVALID);
}

/*
 * Keys are reused only after a quiescent state of the engine. Here the posting calls must report
 * this state, because no other thread polls the engine.
 */
Test(window, binding_for_ever_without_a_turn_of_the_engine_never_runs_out_of_keys)
{
	struct nd_side *side = &pair.side[1];
	struct nd_mw_descriptor descriptor;
	struct nd_result result, invalidate;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidate, &mw), ND_SUCCESS);
	for (unsigned int i = 0; i < 600000; i++) {
		nd_status bound = nd_endpoint_bind(side->endpoint, &result, side->mr, mw,
			side->memory, 64, READ_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &descriptor);

		cr_assert_eq(bound, ND_SUCCESS, "%u: %s", i, nd_status_name(bound));
		cr_assert_eq(nd_endpoint_invalidate(
				     side->endpoint, &result, mw, ND_OP_FLAG_SILENT_SUCCESS),
			ND_SUCCESS);
	}
	cr_assert_eq(nd_mw_release(side->adapter, mw), ND_SUCCESS);
}
