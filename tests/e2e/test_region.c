/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test memory that consists of several buffers, in requests and windows. Test calls that query or
 * invalidate the windows of a region. All are extensions of ND and use the public API.
 */

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#include "api_windows.h"
#include "region_chain.h"
#include "support/nd_pair.h"

#define READ_WRITE   (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define MEMORY_BYTES (1 << 18)
#define NOWHERE      ((void *)(uintptr_t)0x1003)

static struct nd_pair pair;
static struct nd_result invalidated[64];
static unsigned int windows_made;

static void
setup(void)
{
	nd_pair_open(
		&pair, &(struct nd_pair_config){.path_mtu = 1024, .memory_bytes = MEMORY_BYTES});
	nd_pair_connect(&pair);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(region, .init = setup, .fini = teardown);

static struct nd_mw *
window_make(void)
{
	struct nd_mw *mw;

	cr_assert_lt(windows_made, RTE_DIM(invalidated));
	cr_assert_eq(nd_adapter_create_memory_window(
			     pair.side[1].adapter, &invalidated[windows_made++], &mw),
		ND_SUCCESS);
	return mw;
}

static struct nd_mw *
window_bind(
	struct nd_mr *mr, const uint8_t *address, size_t bytes, struct nd_mw_descriptor *descriptor)
{
	struct nd_mw *mw = window_make();
	struct nd_result result;

	cr_assert_eq(nd_endpoint_bind(pair.side[1].endpoint, &result, mr, mw, address, bytes,
			     READ_WRITE, descriptor),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &result), ND_SUCCESS);
	return mw;
}

static nd_status
remote(bool write, const struct nd_sge *sgl, size_t count, const struct nd_mw_descriptor *window,
	uint64_t offset)
{
	struct nd_endpoint *endpoint = pair.side[0].endpoint;
	struct nd_result result;

	cr_assert_eq(write ? nd_endpoint_write(endpoint, &result, sgl, count, window, offset, 0)
			   : nd_endpoint_read(endpoint, &result, sgl, count, window, offset, 0),
		ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, &result);
}

/** Write from the start of side 0's plain memory, or read into it. */
static nd_status
remote_plain(bool write, size_t bytes, const struct nd_mw_descriptor *window, uint64_t offset)
{
	struct nd_sge sge = {pair.side[0].memory, bytes, pair.side[0].mr};

	return remote(write, &sge, 1, window, offset);
}

static void
reconnect(void)
{
	pair.side[0].connector = NULL;
	nd_pair_connect(&pair);
}

/**
 * Describe the bytes [offset, offset + bytes) of a chain by three entries. The second entry is
 * empty.
 */
static void
pieces(struct nd_sge sgl[3], const struct chain *chain, size_t offset, size_t bytes, uint32_t seed)
{
	size_t first = seed % (bytes + 1);

	sgl[0] = (struct nd_sge){chain->base + offset, first, chain->mr};
	sgl[1] = (struct nd_sge){NULL, 0, chain->mr};
	sgl[2] = (struct nd_sge){chain->base + offset + first, bytes - first, chain->mr};
}

enum move {
	MOVE_SEND,
	MOVE_WRITE,
	MOVE_READ,
	MOVE_COUNT,
};

static void
move(enum move what, struct nd_sge near[3], struct nd_sge far[3],
	const struct nd_mw_descriptor *window, uint64_t offset)
{
	struct nd_result sent, received;

	if (what != MOVE_SEND) {
		cr_assert_eq(remote(what == MOVE_WRITE, near, 3, window, offset), ND_SUCCESS);
		return;
	}
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, far, 3), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, near, 3, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(received.bytes_transferred, near[0].length + near[2].length);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
}

static void
compare(const struct chain chains[2], uint8_t *const expected[2], unsigned int round)
{
	for (unsigned int i = 0; i < 2; i++) {
		static uint8_t found[MEMORY_BYTES];

		chain_get(&chains[i], 0, found, chains[i].total);
		for (size_t at = 0; at < chains[i].total; at++)
			cr_assert_eq(found[at], expected[i][at],
				"round %u, side %u, byte %zu of %zu: %u instead of %u", round, i,
				at, chains[i].total, found[at], expected[i][at]);
		chain_check_guards(&chains[i]);
	}
}

Test(region, bytes_cross_borders_of_buffers)
{
	static uint8_t bytes[2][MEMORY_BYTES];
	uint8_t *expected[2] = {bytes[0], bytes[1]};
	struct nd_mw_descriptor descriptor;
	struct chain chains[2];
	struct nd_mw *mw;
	uint32_t random = 31;

	for (unsigned int i = 0; i < 2; i++) {
		chain_make(&chains[i], pair.side[i].adapter,
			&(struct chain_plan){.count = 90, .longest = 260 - 90 * i, .seed = 7 + i});
		nd_pair_pattern(expected[i], chains[i].total, 77 + i);
		chain_put(&chains[i], 0, expected[i], chains[i].total);
	}
	mw = window_bind(chains[1].mr, chains[1].base, chains[1].total, &descriptor);
	for (unsigned int round = 0; round < 150; round++) {
		enum move what = chain_random(&random) % MOVE_COUNT;
		size_t length = chain_random(&random) % (round < 75 ? 300 : 5000);
		size_t near = chain_random(&random) % (chains[0].total - length);
		size_t far = chain_random(&random) % (chains[1].total - length);
		struct nd_sge near_sgl[3], far_sgl[3];

		pieces(near_sgl, &chains[0], near, length, chain_random(&random));
		pieces(far_sgl, &chains[1], far, length, chain_random(&random));
		move(what, near_sgl, far_sgl, &descriptor, far);
		if (what == MOVE_READ)
			memcpy(expected[0] + near, expected[1] + far, length);
		else
			memcpy(expected[1] + far, expected[0] + near, length);
		compare(chains, expected, round);
	}
	cr_assert_eq(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
	chain_end(&chains[0]);
	chain_end(&chains[1]);
}

Test(region, most_buffers_are_one_region_and_one_more_is_refused)
{
	struct nd_mw_descriptor descriptor;
	struct chain chain;
	struct nd_mr_info info;
	struct nd_mw *mw;
	struct nd_mr *mr = NULL;
	uint8_t *written = pair.side[0].memory, *found = malloc(MEMORY_BYTES);

	chain_make(&chain, pair.side[1].adapter,
		&(struct chain_plan){.count = ND_REGION_BUFFERS_MAX, .longest = 4, .seed = 3});
	cr_assert_leq(chain.total, MEMORY_BYTES);
	cr_assert_eq(nd_mr_query(pair.side[1].adapter, chain.mr, &info), ND_SUCCESS);
	cr_assert_eq(info.buffer_count, 65536);
	cr_assert_eq(info.length, chain.total);
	nd_pair_pattern(written, chain.total, 9);
	mw = window_bind(chain.mr, chain.base, chain.total, &descriptor);
	cr_assert_eq(remote_plain(true, chain.total, &descriptor, 0), ND_SUCCESS);
	chain_get(&chain, 0, found, chain.total);
	cr_assert_arr_eq(found, written, chain.total);
	memset(written, 0, chain.total);
	cr_assert_eq(remote_plain(false, chain.total, &descriptor, 0), ND_SUCCESS);
	cr_assert_arr_eq(found, written, chain.total);
	ASSERT_ND(nd_adapter_register_memory_chain(pair.side[1].adapter, chain.buffers,
			  ND_REGION_BUFFERS_MAX + 1, NULL, NULL, &mr),
		ND_INVALID_PARAMETER);
	cr_assert_null(mr);
	cr_assert_eq(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
	chain_end(&chain);
	free(found);
}

/**
 * Access one byte before or after the window. Fail unless the access is refused and changes no
 * byte.
 */
static void
expect_beyond_refused(
	bool write, bool before, const struct chain *chain, const struct nd_mw_descriptor *window)
{
	uint64_t refused = nd_pair_counter(&pair, 1, "refused_range");
	uint64_t base = rte_be_to_cpu_64(window->base);
	uint64_t length = rte_be_to_cpu_64(window->length);
	/* Forge a descriptor that claims one byte more. */
	struct nd_mw_descriptor claim = {.base = rte_cpu_to_be_64(before ? base - 1 : base),
		.length = rte_cpu_to_be_64(length + 1),
		.token = window->token};
	uint8_t *was = malloc(chain->total), *is = malloc(chain->total);

	chain_get(chain, 0, was, chain->total);
	memset(pair.side[0].memory, 0x99, length);
	cr_assert_eq(remote_plain(write, 2, &claim, before ? 0 : length - 1), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_range"), refused + 1);
	chain_get(chain, 0, is, chain->total);
	cr_assert_arr_eq(was, is, chain->total);
	for (size_t i = 0; i < 2; i++)
		cr_assert_eq(pair.side[0].memory[i], 0x99, "byte %zu was read", i);
	reconnect();
	free(was);
	free(is);
}

Test(region, window_over_buffers_opens_its_bytes_and_no_more)
{
	struct nd_mw_descriptor descriptor;
	struct chain chain;
	size_t first, length;
	uint8_t *expected;

	chain_make(&chain, pair.side[1].adapter,
		&(struct chain_plan){.count = 40, .longest = 90, .base = NOWHERE, .seed = 5});
	/*
	 * The window starts at the last byte of one buffer and ends at the first byte of another
	 * buffer.
	 */
	first = chain.buffers[0].length + chain.buffers[1].length - 1;
	length = 1 + chain.buffers[2].length + 1;
	for (size_t i = 3; i < 30; i++)
		length += chain.buffers[i].length;
	expected = calloc(1, chain.total);
	memset(expected + first, 0x42, length);
	for (unsigned int i = 0; i < 4; i++) {
		uint8_t *found = malloc(chain.total);

		window_bind(chain.mr, chain.base + first, length, &descriptor);
		memset(pair.side[0].memory, 0x42, length);
		cr_assert_eq(remote_plain(true, length, &descriptor, 0), ND_SUCCESS);
		chain_get(&chain, 0, found, chain.total);
		cr_assert_arr_eq(found, expected, chain.total);
		memset(pair.side[0].memory, 0, length + 1);
		cr_assert_eq(remote_plain(false, length, &descriptor, 0), ND_SUCCESS);
		cr_assert_arr_eq(pair.side[0].memory, expected + first, length);
		cr_assert_eq(pair.side[0].memory[length], 0);
		expect_beyond_refused(i % 2 == 0, i < 2, &chain, &descriptor);
		free(found);
	}
	free(expected);
	chain_end(&chain);
}

Test(region, addresses_are_numbers)
{
	struct nd_side *side = &pair.side[0];
	struct nd_mr_info info;
	struct nd_sge sge;
	struct nd_result sent, received;
	struct chain chain;
	uint8_t bytes[48];

	chain_make(&chain, side->adapter,
		&(struct chain_plan){.count = 12, .longest = 9, .base = NOWHERE, .seed = 11});
	cr_assert_geq(chain.total, sizeof(bytes));
	cr_assert_eq(nd_mr_query(side->adapter, chain.mr, &info), ND_SUCCESS);
	cr_assert_eq(info.base, NOWHERE);
	cr_assert_eq(info.length, chain.total);
	cr_assert_eq(info.buffer_count, 12);
	cr_assert_eq(info.windows_bound, 0);
	nd_pair_pattern(bytes, sizeof(bytes), 1);
	chain_put(&chain, 0, bytes, sizeof(bytes));
	/*
	 * The length is short enough for inline data. But mr is set, so the bytes are read from the
	 * region.
	 */
	nd_endpoint_receive(pair.side[1].endpoint, &received,
		&(struct nd_sge){pair.side[1].memory, 64, pair.side[1].mr}, 1);
	sge = (struct nd_sge){NOWHERE, sizeof(bytes), chain.mr};
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent, &sge, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[1].memory, bytes, sizeof(bytes));
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &sent), ND_SUCCESS);
	/* Without mr, the bytes at the address are copied during the posting call. */
	nd_endpoint_receive(pair.side[1].endpoint, &received,
		&(struct nd_sge){pair.side[1].memory, 64, pair.side[1].mr}, 1);
	bytes[0] ^= 0xFF;
	sge = (struct nd_sge){bytes, sizeof(bytes), NULL};
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent, &sge, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[1].memory, bytes, sizeof(bytes));
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &sent), ND_SUCCESS);
	/* The address of a buffer is not an address within the region, so the request fails. */
	sge = (struct nd_sge){chain.buffers[0].address, 1, chain.mr};
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent, &sge, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &sent), ND_ACCESS_VIOLATION);
	chain_end(&chain);
}

Test(region, chain_mistakes_come_back_from_the_call)
{
	struct nd_adapter *adapter = pair.side[0].adapter;
	struct nd_mr *mr = NULL;
	uint8_t byte[2];
	const struct nd_buffer good[2] = {{byte, 1}, {byte, 2}};
	const struct nd_buffer none[2] = {{byte, 1}, {NULL, 1}};
	const struct nd_buffer empty[2] = {{byte, 1}, {byte, 0}};
	const struct nd_buffer huge[2] = {{byte, 1}, {byte, (size_t)1 << 47}};
	const struct nd_buffer wraps[2] = {{byte, 1}, {(void *)(UINTPTR_MAX - 7), 9}};
	struct nd_mr_info info;

#define REGISTER(buffers, count, base)                                                             \
	nd_adapter_register_memory_chain(adapter, buffers, count, base, NULL, &mr)
	ASSERT_ND(REGISTER(NULL, 1, NULL), ND_INVALID_PARAMETER);
	ASSERT_REFUSED(REGISTER(good, 0, NULL), ND_INVALID_PARAMETER,
		"nd_adapter_register_memory_chain: buffer_count 0: expected 1 to 65536");
	ASSERT_ND(REGISTER(none, 2, NULL), ND_INVALID_PARAMETER);
	cr_assert_eq(REGISTER(empty, 2, NULL), ND_INVALID_BUFFER_SIZE);
	ASSERT_ND(REGISTER(huge, 2, NULL), ND_INVALID_PARAMETER);
	cr_assert_eq(REGISTER(wraps, 2, NULL), ND_ACCESS_VIOLATION);
	cr_assert_eq(REGISTER(good, 2, (void *)(UINTPTR_MAX - 1)), ND_ACCESS_VIOLATION);
	ASSERT_ND(nd_adapter_register_memory_chain(adapter, good, 2, NULL, NULL, NULL),
		ND_INVALID_PARAMETER);
	cr_assert_null(mr);
	/* Register the same buffer twice. The region ends at the end of the address space. */
	cr_assert_eq(REGISTER(good, 2, (void *)(UINTPTR_MAX - 3)), ND_SUCCESS);
	ASSERT_ND(nd_mr_query(adapter, mr, NULL), ND_INVALID_PARAMETER);
	cr_assert_eq(nd_mr_query(pair.side[1].adapter, mr, &info), ND_INVALID_HANDLE);
	cr_assert_eq(nd_adapter_deregister_memory(adapter, mr, NULL), ND_SUCCESS);
	cr_assert_eq(nd_mr_query(adapter, mr, &info), ND_INVALID_HANDLE);
	cr_assert_eq(nd_mr_query(adapter, NULL, &info), ND_INVALID_HANDLE);
#undef REGISTER
	/* A region of one buffer is reported in the same way as a chain of one buffer. */
	cr_assert_eq(nd_mr_query(adapter, pair.side[0].mr, &info), ND_SUCCESS);
	cr_assert_eq(info.base, pair.side[0].memory);
	cr_assert_eq(info.length, MEMORY_BYTES);
	cr_assert_eq(info.buffer_count, 1);
}

/**
 * Query the windows of side 1's memory that overlap the range. All of them must be in any[].
 * @return number of windows
 */
static size_t
windows_found(size_t offset, size_t bytes, struct nd_mw *const any[], size_t any_count)
{
	struct nd_mw *windows[8];
	size_t count = RTE_DIM(windows);

	cr_assert_eq(nd_mr_get_windows(pair.side[1].adapter, pair.side[1].mr,
			     pair.side[1].memory + offset, bytes, windows, &count),
		ND_SUCCESS);
	for (size_t i = 0; i < count; i++) {
		bool known = false;

		for (size_t j = 0; j < any_count; j++)
			known |= windows[i] == any[j];
		cr_assert(known, "window %zu of %zu is none of these", i, count);
	}
	return count;
}

Test(region, windows_of_a_range_are_found)
{
	struct nd_side *side = &pair.side[1];
	struct nd_mw_descriptor descriptors[3];
	struct nd_mw *mw[3], *found[2] = {NULL, NULL};
	struct nd_mw_info info;
	struct nd_mr_info mr_info;
	size_t count = 0;

	mw[0] = window_bind(side->mr, side->memory, 1000, &descriptors[0]);
	mw[1] = window_bind(side->mr, side->memory + 999, 1, &descriptors[1]);
	mw[2] = window_bind(side->mr, side->memory + 2000, 500, &descriptors[2]);
	cr_assert_eq(windows_found(0, MEMORY_BYTES, mw, 3), 3);
	cr_assert_eq(windows_found(0, 999, mw, 1), 1);
	cr_assert_eq(windows_found(998, 2, mw, 2), 2);
	cr_assert_eq(windows_found(1000, 1000, NULL, 0), 0);
	cr_assert_eq(windows_found(1000, 1001, mw + 2, 1), 1);
	cr_assert_eq(windows_found(2499, SIZE_MAX, mw + 2, 1), 1);
	cr_assert_eq(windows_found(2500, SIZE_MAX, NULL, 0), 0);
	cr_assert_eq(windows_found(500, 0, NULL, 0), 0);
	/* First query only the number of windows, then pass a buffer that is too small. */
	cr_assert_eq(nd_mr_get_windows(side->adapter, side->mr, side->memory, 4096, NULL, &count),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(count, 3);
	count = 2;
	cr_assert_eq(nd_mr_get_windows(side->adapter, side->mr, side->memory, 4096, found, &count),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(count, 3);
	cr_assert(found[0] != NULL && found[1] != NULL && found[0] != found[1]);
	ASSERT_ND(nd_mr_get_windows(side->adapter, side->mr, side->memory, 4096, NULL, &count),
		ND_INVALID_PARAMETER);
	ASSERT_ND(nd_mr_get_windows(side->adapter, side->mr, side->memory, 4096, found, NULL),
		ND_INVALID_PARAMETER);
	cr_assert_eq(nd_mr_get_windows(
			     side->adapter, pair.side[0].mr, side->memory, 1, found, &(size_t){2}),
		ND_INVALID_HANDLE);
	cr_assert_eq(nd_mw_query(side->adapter, mw[2], &info), ND_SUCCESS);
	cr_assert(info.bound);
	cr_assert_eq(info.mr, side->mr);
	cr_assert_eq(info.buffer, side->memory + 2000);
	cr_assert_eq(info.length, 500);
	cr_assert_eq(info.flags, READ_WRITE);
	cr_assert_arr_eq(&info.descriptor, &descriptors[2], sizeof(info.descriptor));
	cr_assert_eq(nd_mr_query(side->adapter, side->mr, &mr_info), ND_SUCCESS);
	cr_assert_eq(mr_info.windows_bound, 3);
	cr_assert_eq(nd_mw_release(side->adapter, mw[2]), ND_SUCCESS);
	cr_assert_eq(nd_mw_query(side->adapter, mw[2], &info), ND_INVALID_HANDLE);
	cr_assert_eq(nd_mw_query(side->adapter, NULL, &info), ND_INVALID_HANDLE);
	ASSERT_ND(nd_mw_query(side->adapter, mw[0], NULL), ND_INVALID_PARAMETER);
	cr_assert_eq(windows_found(0, MEMORY_BYTES, mw, 2), 2);
}

/**
 * Run the example of docs/api.md once: side 1 requests, and side 0 writes the answer through the
 * window.
 */
static void
window_round(struct request *request, uint8_t byte)
{
	struct nd_side *owner = &pair.side[1], *peer = &pair.side[0];
	struct nd_result asked, answered, written[2], *results[2];
	struct nd_mw_descriptor *window = (void *)peer->memory;
	uint8_t *buffer = owner->memory + 100 * (size_t)byte;
	struct nd_sge data = {peer->memory + 4096, 100, peer->mr};

	memset(peer->memory + 4096, byte, 100);
	nd_endpoint_receive(owner->endpoint, &answered, NULL, 0);
	nd_endpoint_receive(
		peer->endpoint, &asked, &(struct nd_sge){window, sizeof(*window), peer->mr}, 1);
	cr_assert_eq(request_send(owner->endpoint, request, owner->mr, buffer, 100), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, peer->inbound, &asked), ND_SUCCESS);
	cr_assert_eq(request_answer(peer->endpoint, written, &data, window), ND_SUCCESS);
	nd_pair_take(&pair, owner->inbound, results, 2);
	cr_assert_eq(results[0], &request->invalidated);
	cr_assert_eq(results[1], &answered);
	cr_assert_eq(results[1]->status, ND_SUCCESS);
	for (size_t i = 0; i < 100; i++)
		cr_assert_eq(buffer[i], byte);
	cr_assert_eq(buffer[100], 0);
	cr_assert_eq(nd_pair_result(&pair, owner->outbound, &request->sent), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, peer->outbound, &written[1]), ND_SUCCESS);
}

Test(region, window_for_each_request)
{
	struct nd_mw_descriptor first;
	struct request request;

	cr_assert_eq(nd_adapter_create_memory_window(
			     pair.side[1].adapter, &request.invalidated, &request.mw),
		ND_SUCCESS);
	window_round(&request, 1);
	first = request.descriptor;
	window_round(&request, 2);
	window_round(&request, 3);
	cr_assert_eq(remote_plain(true, 1, &first, 0), ND_REMOTE_ERROR);
}

/** Invalidate all windows of side 1's memory. No request is outstanding. */
static void
invalidate_all(size_t expected)
{
	struct nd_overlapped overlapped = {0};
	struct nd_mr_info info;
	size_t count = 99;

	cr_assert_eq(nd_mr_invalidate_windows(
			     pair.side[1].adapter, pair.side[1].mr, &overlapped, &count),
		ND_SUCCESS);
	cr_assert_eq(count, expected, "%zu windows instead of %zu", count, expected);
	cr_assert_eq(nd_mr_query(pair.side[1].adapter, pair.side[1].mr, &info), ND_SUCCESS);
	cr_assert_eq(info.windows_bound, 0);
}

Test(region, all_windows_end_at_once_and_nobody_is_told)
{
	struct nd_side *side = &pair.side[1];
	struct nd_mw_descriptor old, new;
	struct nd_result result, received;
	struct nd_mw_info info;
	struct nd_mw *mw = window_bind(side->mr, side->memory, 64, &old);

	for (unsigned int i = 0; i < 5; i++)
		window_bind(side->mr, side->memory + i, 64, &new);
	invalidate_all(6);
	invalidate_all(0);
	nd_pair_quiet(&pair, side->inbound);
	nd_pair_quiet(&pair, side->outbound);
	cr_assert_eq(nd_mw_query(side->adapter, mw, &info), ND_SUCCESS);
	cr_assert_not(info.bound);
	cr_assert_null(info.mr);
	cr_assert_eq(info.descriptor.token, 0);
	/* After the call, the window can be bound again on the same connection. */
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &result, side->mr, mw, side->memory, 64,
			     READ_WRITE, &new),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_SUCCESS);
	cr_assert_eq(remote_plain(true, 64, &new, 0), ND_SUCCESS);
	invalidate_all(1);
	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_SUCCESS);
	cr_assert_eq(
		nd_mr_invalidate_windows(side->adapter, side->mr, NULL, NULL), ND_INVALID_HANDLE);
	/* The peer is not notified, so its next access fails. */
	cr_assert_eq(nd_endpoint_receive(side->endpoint, &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(remote_plain(true, 1, &new, 0), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_result(&pair, side->inbound, &received), ND_CANCELED);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
	cr_assert_eq(nd_pair_counter(&pair, 1, "tx_naks_access"), 1);
}

Test(region, peer_that_invalidates_what_is_gone_ends_the_connection)
{
	struct nd_side *side = &pair.side[1];
	struct nd_mw_descriptor descriptor;
	struct nd_result sent, received, next;

	window_bind(side->mr, side->memory, 64, &descriptor);
	invalidate_all(1);
	nd_endpoint_receive(side->endpoint, &received, NULL, 0);
	nd_endpoint_receive(side->endpoint, &next, NULL, 0);
	cr_assert_eq(nd_endpoint_send_and_invalidate(
			     pair.side[0].endpoint, &sent, NULL, 0, &descriptor, 0),
		ND_SUCCESS);
	/* The call produces no result for the window. */
	cr_assert_eq(nd_pair_result(&pair, side->inbound, &received), ND_INVALIDATION_ERROR);
	cr_assert_eq(nd_pair_result(&pair, side->inbound, &next), ND_CANCELED);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_REMOTE_ERROR);
}

Test(region, what_is_queued_meanwhile_keeps_its_turn)
{
	struct nd_side *side = &pair.side[1];
	struct nd_mw_descriptor first, second;
	struct nd_result received, sent, bound, invalidate;
	struct nd_mr_info info;
	struct nd_mw *mw = window_bind(side->mr, side->memory, 64, &first);
	struct nd_mw *other = window_make();

	nd_endpoint_receive(pair.side[0].endpoint, &received, NULL, 0);
	nd_endpoint_start_request_batch(side->endpoint);
	/*
	 * The invalidate waits, because requests after a Send wait until the Send is acknowledged.
	 */
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &bound, side->mr, other, side->memory, 64,
			     READ_WRITE, &second),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_invalidate(side->endpoint, &invalidate, mw, 0), ND_SUCCESS);
	invalidate_all(1);
	cr_assert_eq(nd_mr_query(side->adapter, side->mr, &info), ND_SUCCESS);
	cr_assert_eq(info.binds_queued, 1);
	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_DEVICE_BUSY);
	nd_endpoint_submit_request_batch(side->endpoint);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &bound), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &invalidate), ND_INVALIDATION_ERROR);
}
