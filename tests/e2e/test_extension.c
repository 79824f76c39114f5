/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test immediate data and atomics through the public API. Both are extensions of ND. */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#include <ndpdk/nd_extension.h>

#include "support/nd_pair.h"

#define ATOMIC ND_OP_FLAG_ALLOW_ATOMIC
#define WRITE  ND_OP_FLAG_ALLOW_WRITE
#define IMM    rte_cpu_to_be_32(0xCAFE0001)

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

TestSuite(extension, .init = setup, .fini = teardown);

static struct nd_sge
sge_of(unsigned int side, size_t offset, size_t length)
{
	return (struct nd_sge){pair.side[side].memory + offset, length, pair.side[side].mr};
}

/* @return a result that is filled with values that no call writes */
static struct nd_result
fresh(void)
{
	return (struct nd_result){ND_PENDING, 1, UINT32_MAX, UINT32_MAX, NULL};
}

static void
expect(const struct nd_result *result, size_t bytes, uint32_t flags, uint32_t imm_data)
{
	cr_assert_eq(result->bytes_transferred, bytes, "%zu bytes, %zu expected",
		result->bytes_transferred, bytes);
	cr_assert_eq(result->flags, flags, "flags 0x%x, 0x%x expected", result->flags, flags);
	cr_assert_eq(
		result->imm_data, imm_data, "0x%08x, 0x%08x expected", result->imm_data, imm_data);
}

static uint64_t
value(unsigned int side, size_t offset)
{
	uint64_t value;

	memcpy(&value, pair.side[side].memory + offset, sizeof(value));
	return value;
}

static void
set_value(unsigned int side, size_t offset, uint64_t value)
{
	memcpy(pair.side[side].memory + offset, &value, sizeof(value));
}

Test(extension, send_with_imm_of_all_sizes)
{
	static const size_t sizes[] = {0, 1, 1024, 1025, 5000};

	for (unsigned int i = 0; i < 5; i++) {
		struct nd_result received = fresh(), sent = fresh();
		struct nd_sge to = sge_of(1, 0, 8192), from = sge_of(0, 0, sizes[i]);

		nd_pair_pattern(pair.side[0].memory, 8192, i);
		nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1);
		cr_assert_eq(nd_endpoint_send_with_imm(
				     pair.side[0].endpoint, &sent, &from, sizes[i] != 0, IMM, 0),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
		expect(&sent, sizes[i], 0, 0);
		expect(&received, sizes[i], ND_RESULT_WITH_IMM, IMM);
		cr_assert_arr_eq(pair.side[1].memory, pair.side[0].memory, sizes[i]);
	}
}

Test(extension, write_with_imm_of_all_sizes)
{
	static const size_t sizes[] = {0, 1, 1024, 1025, 5000};
	struct nd_mw_descriptor window;

	nd_pair_bind(&pair, 1, 8192, 8192, WRITE, &window);
	for (unsigned int i = 0; i < 5; i++) {
		struct nd_result received = fresh(), written = fresh();
		struct nd_sge to = sge_of(1, 0, 16), from = sge_of(0, 0, sizes[i]);

		nd_pair_pattern(pair.side[0].memory, 8192, i);
		memset(pair.side[1].memory, 0, 16384);
		nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1);
		cr_assert_eq(nd_endpoint_write_with_imm(pair.side[0].endpoint, &written, &from,
				     sizes[i] != 0, &window, 3, IMM + i, 0),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
		cr_assert_arr_eq(pair.side[1].memory + 8195, pair.side[0].memory, sizes[i],
			"in place when the receive says so");
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_SUCCESS);
		expect(&written, sizes[i], 0, 0);
		expect(&received, sizes[i], ND_RESULT_WITH_IMM | ND_RESULT_WRITE, IMM + i);
		for (unsigned int n = 0; n < 16; n++)
			cr_assert_eq(pair.side[1].memory[n], 0, "the receive's own memory");
	}
}

/*
 * A result without immediate data reports no immediate data, even if its structure held data
 * before.
 */
Test(extension, results_without_have_none)
{
	struct nd_result received = fresh(), sent = fresh();

	for (unsigned int i = 0; i < 4; i++) {
		bool with = i % 2 == 0;

		nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
		if (with)
			nd_endpoint_send_with_imm(pair.side[0].endpoint, &sent, NULL, 0, IMM, 0);
		else
			nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0);
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
		expect(&received, 0, with ? ND_RESULT_WITH_IMM : 0, with ? IMM : 0);
		expect(&sent, 0, 0, 0);
	}
	/* A cancelled receive has no immediate data. */
	received = fresh();
	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	nd_endpoint_flush(pair.side[1].endpoint);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_CANCELED);
	expect(&received, 0, 0, 0);
}

/*
 * A write with immediate data waits for a receive. When its result is returned, earlier writes are
 * complete as well.
 */
Test(extension, write_with_imm_waits_for_receive)
{
	struct nd_result received = fresh(), written[2] = {fresh(), fresh()};
	struct nd_sge from = sge_of(0, 0, 4);
	struct nd_mw_descriptor window;

	nd_pair_bind(&pair, 1, 0, 64, WRITE, &window);
	set_value(0, 0, 0x11111111);
	nd_endpoint_write(pair.side[0].endpoint, &written[0], &from, 1, &window, 0, 0);
	nd_endpoint_write_with_imm(
		pair.side[0].endpoint, &written[1], &from, 1, &window, 8, IMM, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written[0]), ND_SUCCESS);
	for (unsigned int i = 0; i < 50; i++)
		nd_pair_poll(&pair);
	cr_assert_eq(value(1, 8), 0, "no byte without a receive");
	cr_assert_gt(nd_pair_counter(&pair, 1, "tx_rnr_naks"), 0);
	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written[1]), ND_SUCCESS);
	expect(&received, 4, ND_RESULT_WITH_IMM | ND_RESULT_WRITE, IMM);
	cr_assert_eq(value(1, 8), 0x11111111);
}

Test(extension, solicited_event)
{
	struct nd_result received[2] = {fresh(), fresh()}, written[2];
	struct nd_overlapped event = {0};
	struct nd_mw_descriptor window;

	nd_pair_bind(&pair, 1, 0, 64, WRITE, &window);
	cr_assert_eq(
		nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_SOLICITED, &event), ND_PENDING);
	for (unsigned int i = 0; i < 2; i++) {
		nd_endpoint_receive(pair.side[1].endpoint, &received[i], NULL, 0);
		nd_endpoint_write_with_imm(pair.side[0].endpoint, &written[i], NULL, 0, &window, 0,
			IMM, i == 1 ? ND_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written[i]), ND_SUCCESS);
		cr_assert_eq(nd_overlapped_get_result(&event, NULL, false),
			i == 1 ? ND_SUCCESS : ND_PENDING, "write %u", i);
	}
}

Test(extension, atomics)
{
	struct nd_endpoint *endpoint = pair.side[0].endpoint;
	struct nd_sge original = sge_of(0, 64, 8);
	struct nd_mw_descriptor window;
	struct nd_result result = fresh();

	nd_pair_bind(&pair, 1, 512, 64, ATOMIC, &window);
	set_value(1, 520, UINT64_MAX - 1);
	cr_assert_eq(nd_endpoint_fetch_and_add(endpoint, &result, &original, &window, 8, 3, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	expect(&result, 8, 0, 0);
	cr_assert_eq(value(0, 64), UINT64_MAX - 1);
	cr_assert_eq(value(1, 520), 1, "modulo 2^64");

	cr_assert_eq(nd_endpoint_compare_and_swap(endpoint, &result, &original, &window, 8, 2,
			     UINT64_C(0x0102030405060708), 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	cr_assert_eq(value(0, 64), 1);
	cr_assert_eq(value(1, 520), 1, "another value was there");
	cr_assert_eq(nd_endpoint_compare_and_swap(endpoint, &result, &original, &window, 8, 1,
			     UINT64_C(0x0102030405060708), 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	cr_assert_eq(value(0, 64), 1);
	cr_assert_eq(value(1, 520), UINT64_C(0x0102030405060708), "in the order of this machine");
	cr_assert_eq(value(1, 512), 0);
	cr_assert_eq(value(1, 528), 0);
	cr_assert_eq(nd_pair_counter(&pair, 1, "rx_atomics"), 3);
}

/* The peer and a local CPU add to the same word concurrently. No addition is lost. */
Test(extension, many_from_both_sides)
{
	struct nd_result results[2][16], *got[16];
	struct nd_mw_descriptor window;
	uint64_t *word = (uint64_t *)(void *)(pair.side[1].memory + 1024);

	nd_pair_bind(&pair, 1, 1024, 8, ATOMIC, &window);
	for (unsigned int round = 0; round < 50; round++) {
		for (unsigned int i = 0; i < 16; i++) {
			struct nd_sge original = sge_of(0, 8 * i, 8);

			cr_assert_eq(nd_endpoint_fetch_and_add(pair.side[0].endpoint,
					     &results[0][i], &original, &window, 0, 1, 0),
				ND_SUCCESS);
			__atomic_fetch_add(word, UINT64_C(1) << 32, __ATOMIC_RELAXED);
		}
		nd_pair_take(&pair, pair.side[0].outbound, got, 16);
		for (unsigned int i = 0; i < 16; i++) {
			cr_assert_eq(got[i], &results[0][i]);
			cr_assert_eq(got[i]->status, ND_SUCCESS);
			cr_assert_eq(value(0, 8 * i) & UINT32_MAX, 16 * round + i,
				"each once, in order");
		}
	}
	cr_assert_eq(*word, UINT64_C(800) << 32 | 800, "0x%lx", *word);
}

Test(extension, atomic_across_border_of_chain)
{
	static uint8_t first[12], second[12];
	struct nd_buffer buffers[] = {{first, sizeof(first)}, {second, sizeof(second)}};
	struct nd_sge original = sge_of(0, 0, 8);
	struct nd_mw_descriptor window;
	struct nd_result invalidated, bound, result;
	struct nd_mr *mr;
	struct nd_mw *mw;
	uint8_t joined[8];
	uint64_t sum;

	cr_assert_eq(nd_adapter_register_memory_chain(pair.side[1].adapter, buffers, 2,
			     (void *)(uintptr_t)0x10000, NULL, &mr),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_memory_window(pair.side[1].adapter, &invalidated, &mw),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(pair.side[1].endpoint, &bound, mr, mw,
			     (void *)(uintptr_t)0x10000, 24, ATOMIC, &window),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &bound), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(nd_endpoint_fetch_and_add(pair.side[0].endpoint, &result, &original,
				     &window, 8, UINT64_C(0x0102030405060708), 0),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	}
	memcpy(joined, first + 8, 4);
	memcpy(joined + 4, second, 4);
	memcpy(&sum, joined, 8);
	cr_assert_eq(value(0, 0), UINT64_C(0x0102030405060708));
	cr_assert_eq(sum, UINT64_C(0x020406080A0C0E10));
}

/* Atomics require a right of their own. An atomic without this right ends the connection. */
Test(extension, right_is_its_own)
{
	struct nd_sge original = sge_of(0, 0, 8);
	struct nd_mw_descriptor window;
	struct nd_result result, received;
	struct nd_mw_info info;
	struct nd_mw *mw;

	mw = nd_pair_bind(&pair, 1, 0, 64, ATOMIC | WRITE, &window);
	cr_assert_eq(nd_mw_query(pair.side[1].adapter, mw, &info), ND_SUCCESS);
	cr_assert_eq(info.flags, ATOMIC | WRITE, "0x%x", info.flags);
	nd_pair_bind(&pair, 1, 0, 64, ND_OP_FLAG_ALLOW_READ | WRITE, &window);
	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	cr_assert_eq(nd_endpoint_fetch_and_add(
			     pair.side[0].endpoint, &result, &original, &window, 0, 1, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_CANCELED);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_rights"), 1);
	cr_assert_eq(value(1, 0), 0);
}

Test(extension, includes_no_right_to_write)
{
	struct nd_sge bytes = sge_of(0, 0, 8);
	struct nd_mw_descriptor window;
	struct nd_result result;

	nd_pair_bind(&pair, 1, 0, 64, ATOMIC, &window);
	set_value(0, 0, 5);
	nd_endpoint_write(pair.side[0].endpoint, &result, &bytes, 1, &window, 0, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_REMOTE_ERROR);
	cr_assert_eq(value(1, 0), 0);
}

Test(extension, refused_calls)
{
	struct nd_endpoint *endpoint = pair.side[0].endpoint;
	struct nd_sge eight = sge_of(0, 0, 8), nine = sge_of(0, 0, 9);
	struct nd_sge inlined = {pair.side[0].memory, 8, NULL};
	struct nd_mw_descriptor w;
	struct nd_result r;

	nd_pair_bind(&pair, 1, 4, 60, ATOMIC | WRITE, &w);
	ASSERT_ND(nd_endpoint_send_with_imm(endpoint, NULL, NULL, 0, 0, 0), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_endpoint_send_with_imm(endpoint, &r, NULL, 1, 0, 0), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_endpoint_send_with_imm(endpoint, &r, NULL, 0, 0, 8), ND_INVALID_PARAMETER_5);
	ASSERT_ND(nd_endpoint_write_with_imm(endpoint, NULL, NULL, 0, &w, 0, 0, 0),
		ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_endpoint_write_with_imm(endpoint, &r, NULL, 0, NULL, 0, 0, 0),
		ND_INVALID_PARAMETER_4);
	ASSERT_ND(nd_endpoint_write_with_imm(endpoint, &r, NULL, 0, &w, 0, 0, 8),
		ND_INVALID_PARAMETER_7);
	ASSERT_ND(nd_endpoint_fetch_and_add(endpoint, NULL, &eight, &w, 4, 1, 0),
		ND_INVALID_PARAMETER_1);
	ASSERT_ND(
		nd_endpoint_fetch_and_add(endpoint, &r, NULL, &w, 4, 1, 0), ND_INVALID_PARAMETER_2);
	ASSERT_REFUSED(nd_endpoint_fetch_and_add(endpoint, &r, &nine, &w, 4, 1, 0),
		ND_INVALID_PARAMETER_2,
		"nd_endpoint_fetch_and_add: parameter 2, original is NULL or does not have 8 "
		"bytes");
	ASSERT_ND(nd_endpoint_fetch_and_add(endpoint, &r, &eight, NULL, 4, 1, 0),
		ND_INVALID_PARAMETER_3);
	for (uint64_t offset = 0; offset < 16; offset++)
		if (offset % 8 != 4)
			ASSERT_ND(nd_endpoint_compare_and_swap(
					  endpoint, &r, &eight, &w, offset, 1, 2, 0),
				ND_INVALID_PARAMETER_4);
	ASSERT_ND(nd_endpoint_fetch_and_add(
			  endpoint, &r, &eight, &w, 4, 1, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT),
		ND_INVALID_PARAMETER_6);
	ASSERT_ND(nd_endpoint_compare_and_swap(endpoint, &r, &eight, &w, 4, 1, 2, 8),
		ND_INVALID_PARAMETER_7);
	cr_assert_eq(nd_endpoint_fetch_and_add(endpoint, &r, &inlined, &w, 4, 1, 0),
		ND_ACCESS_VIOLATION);
	cr_assert_eq(nd_endpoint_fetch_and_add(endpoint, &r, &eight, &w, 4, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &r), ND_SUCCESS);
	cr_assert_eq(value(1, 8), 1);
	nd_pair_quiet(&pair, pair.side[0].outbound);
}

/*
 * Atomics accept two flags of other requests: silent success and the fence. The fence waits for
 * atomics and reads.
 */
Test(extension, silent_and_fenced)
{
	struct nd_sge original = sge_of(0, 64, 8), relay = sge_of(0, 64, 8);
	struct nd_sge to = sge_of(1, 2048, 8);
	struct nd_mw_descriptor window;
	struct nd_result added, sent, received;

	nd_pair_bind(&pair, 1, 0, 64, ATOMIC, &window);
	set_value(1, 0, 77);
	nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1);
	nd_endpoint_start_request_batch(pair.side[0].endpoint);
	nd_endpoint_fetch_and_add(
		pair.side[0].endpoint, &added, &original, &window, 0, 1, ND_OP_FLAG_SILENT_SUCCESS);
	nd_endpoint_send_with_imm(
		pair.side[0].endpoint, &sent, &relay, 1, IMM, ND_OP_FLAG_READ_FENCE);
	nd_endpoint_submit_request_batch(pair.side[0].endpoint);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(value(1, 2048), 77, "what the atomic brought, sent on");
}

static void
setup_without_reads(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .reads = SIZE_MAX});
	nd_pair_connect(&pair);
}

TestSuite(extension_no_reads, .init = setup_without_reads, .fini = teardown);

Test(extension_no_reads, atomics_refused)
{
	struct nd_sge original = sge_of(0, 0, 8);
	struct nd_mw_descriptor window;
	struct nd_result result;

	nd_pair_bind(&pair, 1, 0, 64, ATOMIC, &window);
	cr_assert_eq(nd_endpoint_fetch_and_add(
			     pair.side[0].endpoint, &result, &original, &window, 0, 1, 0),
		ND_INVALID_DEVICE_REQUEST);
}
