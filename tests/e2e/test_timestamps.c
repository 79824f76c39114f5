/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test nd_cq_get_results_with_timestamps(). The time of a message must lie within the turn that
 * received the message's burst. The tests write hardware timestamps into mbufs between the port and
 * the adapter, as a driver does.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_mbuf_dyn.h>

#include <ndpdk/nd_extension.h>

#include "support/nd_pair.h"

#define PATH_MTU      1024u
#define MESSAGE_BYTES 2500u /* three packets */
#define MESSAGES      16u
#define TURNS_MAX     100000u

static struct nd_pair pair;
static struct nd_result received[MESSAGES], sent[MESSAGES];

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(timestamps, .fini = teardown);

static void
open_pair(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = PATH_MTU});
	nd_pair_connect(&pair);
}

static struct nd_sge
sge_of(unsigned int side, size_t bytes)
{
	return (struct nd_sge){pair.side[side].memory, bytes, pair.side[side].mr};
}

static void
post(size_t bytes, unsigned int i)
{
	const struct nd_sge in = sge_of(1, MESSAGE_BYTES), out = sge_of(0, bytes);

	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received[i], &in, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent[i], &out, 1, 0), ND_SUCCESS);
}

static struct nd_timestamp
zeroes(void)
{
	return (struct nd_timestamp){0};
}

static bool
none(const struct nd_timestamp *stamp)
{
	return stamp->tsc == 0 && stamp->hardware == 0 && !stamp->has_hardware;
}

/* Poll until there is a result. Fail unless its time is within the turn that produced it. */
static struct nd_timestamp
take_within(struct nd_cq *cq, struct nd_result *expected)
{
	struct nd_timestamp stamp = {1, 1, true};
	struct nd_result *result;

	for (unsigned int i = 0; i < TURNS_MAX; i++) {
		const uint64_t before = rte_rdtsc();

		nd_pair_poll(&pair);
		if (nd_cq_get_results_with_timestamps(cq, &result, &stamp, 1) == 0)
			continue;
		cr_assert_eq(result, expected);
		cr_assert_eq(result->status, ND_SUCCESS);
		cr_assert_geq(stamp.tsc, before);
		cr_assert_leq(stamp.tsc, rte_rdtsc());
		return stamp;
	}
	cr_assert(false, "no result");
	return zeroes();
}

Test(timestamps, within_the_turn_and_never_back)
{
	uint64_t last = 0;

	open_pair();
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	for (unsigned int i = 0; i < MESSAGES; i++) {
		struct nd_timestamp stamp;

		post(i % 2 == 0 ? 64 : MESSAGE_BYTES, i);
		stamp = take_within(pair.side[1].inbound, &received[i]);
		cr_assert_gt(stamp.tsc, last);
		cr_assert_not(stamp.has_hardware);
		last = stamp.tsc;
	}
}

Test(timestamps, messages_of_a_burst)
{
	struct nd_timestamp stamps[MESSAGES];
	struct nd_result *results[MESSAGES];
	size_t taken = 0;

	open_pair();
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	nd_endpoint_start_request_batch(pair.side[0].endpoint);
	for (unsigned int i = 0; i < MESSAGES; i++)
		post(64, i);
	nd_endpoint_submit_request_batch(pair.side[0].endpoint);
	for (unsigned int i = 0; taken == 0 && i < TURNS_MAX; i++) {
		nd_pair_poll(&pair);
		taken = nd_cq_get_results_with_timestamps(
			pair.side[1].inbound, results, stamps, MESSAGES);
	}
	cr_assert_eq(taken, MESSAGES);
	for (unsigned int i = 0; i < MESSAGES; i++) {
		cr_assert_eq(results[i], &received[i]);
		cr_assert_neq(stamps[i].tsc, 0);
		cr_assert_eq(stamps[i].tsc, stamps[0].tsc);
	}
}

Test(timestamps, none_without_asking)
{
	struct nd_timestamp stamp = {1, 1, true};
	struct nd_result *result;

	open_pair();
	post(64, 0);
	while (nd_cq_get_results_with_timestamps(pair.side[1].inbound, &result, &stamp, 1) == 0)
		nd_pair_poll(&pair);
	cr_assert(none(&stamp));
	/* A result that was in the queue before timestamps were enabled has no time. */
	post(64, 1);
	for (unsigned int i = 0; i < 100; i++)
		nd_pair_poll(&pair);
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	stamp = (struct nd_timestamp){1, 1, true};
	cr_assert_eq(
		nd_cq_get_results_with_timestamps(pair.side[1].inbound, &result, &stamp, 1), 1);
	cr_assert_eq(result, &received[1]);
	cr_assert(none(&stamp));
	post(64, 2);
	take_within(pair.side[1].inbound, &received[2]);
}

Test(timestamps, only_receives_that_succeed)
{
	struct nd_timestamp stamps[2] = {{1, 1, true}, {1, 1, true}};
	struct nd_result *results[2];
	struct nd_overlapped bye = {0};

	open_pair();
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[0].outbound), ND_SUCCESS);
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	post(64, 0);
	take_within(pair.side[1].inbound, &received[0]);
	while (nd_cq_get_results_with_timestamps(pair.side[0].outbound, results, stamps, 1) == 0)
		nd_pair_poll(&pair);
	cr_assert(none(&stamps[0]));
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received[1], NULL, 0), ND_SUCCESS);
	nd_pair_finish(&pair, nd_connector_disconnect(pair.side[1].connector, &bye), &bye);
	cr_assert_eq(
		nd_cq_get_results_with_timestamps(pair.side[1].inbound, results, stamps + 1, 2), 1);
	cr_assert_eq(results[0]->status, ND_CANCELED);
	cr_assert(none(&stamps[1]));
}

Test(timestamps, write_with_immediate)
{
	struct nd_mw_descriptor window;
	struct nd_sge out;

	open_pair();
	out = sge_of(0, 64);
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	nd_pair_bind(&pair, 1, 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &window);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received[0], NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_write_with_imm(
			     pair.side[0].endpoint, &sent[0], &out, 1, &window, 0, 7, 0),
		ND_SUCCESS);
	take_within(pair.side[1].inbound, &received[0]);
	cr_assert_eq(received[0].flags, ND_RESULT_WITH_IMM | ND_RESULT_WRITE);
}

Test(timestamps, queue_that_changes_its_size)
{
	struct nd_timestamp stamps[3];
	struct nd_result *results[3];
	struct nd_overlapped told = {0};
	uint64_t between;

	open_pair();
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	post(64, 0);
	take_within(pair.side[1].inbound, &received[0]);
	post(64, 1);
	for (unsigned int i = 0; i < 100; i++)
		nd_pair_poll(&pair);
	between = rte_rdtsc();
	cr_assert_eq(nd_cq_resize(pair.side[1].inbound, 1000), ND_SUCCESS);
	/* With timestamps enabled, a completion still completes notifications. */
	cr_assert_eq(nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &told), ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &told), ND_PENDING);
	post(64, 2);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &told), ND_SUCCESS);
	cr_assert_eq(
		nd_cq_get_results_with_timestamps(pair.side[1].inbound, results, stamps, 3), 2);
	cr_assert_lt(stamps[0].tsc, between);
	cr_assert_neq(stamps[0].tsc, 0);
	cr_assert_gt(stamps[1].tsc, between);
}

static int stamp_offset;
static uint64_t stamp_flag, stamp_next;

/*
 * This function acts as a driver with a clock that counts frames. Every third frame has no
 * timestamp.
 */
static uint16_t
stamp_frames(uint16_t port, uint16_t queue, struct rte_mbuf **mbufs, uint16_t count, uint16_t max,
	void *arg)
{
	(void)port, (void)queue, (void)max, (void)arg;
	for (uint16_t i = 0; i < count; i++) {
		stamp_next++;
		*RTE_MBUF_DYNFIELD(mbufs[i], stamp_offset, uint64_t *) = stamp_next;
		if (stamp_next % 3 != 0)
			mbufs[i]->ol_flags |= stamp_flag;
		else
			mbufs[i]->ol_flags &= ~stamp_flag;
	}
	return count;
}

Test(timestamps, of_the_hardware)
{
	const struct rte_eth_rxtx_callback *callbacks[16];
	struct rte_eth_dev_info info;
	unsigned int with = 0;

	open_pair();
	cr_assert_eq(rte_mbuf_dyn_rx_timestamp_register(&stamp_offset, &stamp_flag), 0);
	cr_assert_eq(rte_eth_dev_info_get(pair.ports[1], &info), 0);
	for (uint16_t i = 0; i < info.nb_rx_queues; i++)
		callbacks[i] = rte_eth_add_rx_callback(pair.ports[1], i, stamp_frames, NULL);
	cr_assert_eq(nd_cq_enable_timestamps(pair.side[1].inbound), ND_SUCCESS);
	stamp_next = 0;
	for (unsigned int i = 0; i < MESSAGES; i++) {
		/*
		 * A message has one packet or three. Its ACKs do not count, because they go to side
		 * 0.
		 */
		const size_t bytes = i % 2 == 0 ? 64 : MESSAGE_BYTES;
		const uint64_t last = stamp_next + (i % 2 == 0 ? 1 : 3);
		struct nd_timestamp stamp;

		post(bytes, i);
		stamp = take_within(pair.side[1].inbound, &received[i]);
		cr_assert_eq(stamp_next, last, "%lu", stamp_next);
		cr_assert_eq(stamp.has_hardware, last % 3 != 0);
		cr_assert_eq(stamp.hardware, stamp.has_hardware ? last : 0);
		with += stamp.has_hardware;
	}
	cr_assert(with > 0 && with < MESSAGES);
	for (uint16_t i = 0; i < info.nb_rx_queues; i++)
		rte_eth_remove_rx_callback(pair.ports[1], i, callbacks[i]);
}
