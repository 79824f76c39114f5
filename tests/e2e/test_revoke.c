/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A thread that owns no engine invalidates all windows of a region. Meanwhile the peer writes long
 * messages through the windows. The memory is a chain of buffers.
 */

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_common.h>

#include "region_chain.h"
#include "support/engines.h"
#include "threads_link.h"
#include "threads_traffic.h"

#define PATIENCE_SECONDS 120
#define ROUNDS           30
#define WINDOWS          8
#define DEPTH            3
#define MESSAGE_BYTES    (192 * 1024)
/**
 * Number of values. All bytes of a message have the same value, and messages use the values in
 * turn.
 */
#define KINDS            2
static const uint8_t kinds[KINDS] = {0xA5, 0x5A};

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair,
		&(struct nd_pair_config){.path_mtu = 1024, .memory_bytes = KINDS * MESSAGE_BYTES});
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(revoke, .init = setup, .fini = teardown, .timeout = PATIENCE_SECONDS);

/**
 * One round of the test. While a round is the current one, its members that are not atomic belong
 * to the thread that polls both engines.
 */
struct raid {
	/** Atomic. Endpoint on which the engine's thread binds. NULL at first. */
	struct nd_endpoint *victim;
	/** Atomic. Endpoint on which the engine's thread posts writes. NULL at first. */
	struct nd_endpoint *attacker;
	uint32_t bound;       /**< atomic; number of windows */
	uint32_t written;     /**< atomic; number of messages */
	uint32_t outstanding; /**< atomic; number of outstanding writes */
	bool over;
	const char *failure; /**< atomic; error message, or NULL */
	uint32_t posts;
	struct chain chain;
	struct nd_mw *mw[WINDOWS];
	struct nd_mw_descriptor descriptors[WINDOWS];
	struct nd_result invalidated[WINDOWS];
	struct nd_result binds[WINDOWS];
	struct nd_result writes[DEPTH];
};

static struct raid rounds[ROUNDS];
static struct raid *current; /**< atomic */

static void
raid_fail(struct raid *raid, const char *why)
{
	__atomic_store_n(&raid->failure, why, __ATOMIC_RELEASE);
}

static void
windows_bind(struct raid *raid, struct nd_endpoint *endpoint)
{
	nd_endpoint_start_request_batch(endpoint);
	for (unsigned int i = 0; i < WINDOWS; i++)
		if (nd_endpoint_bind(endpoint, &raid->binds[i], raid->chain.mr, raid->mw[i],
			    raid->chain.base, raid->chain.total, ND_OP_FLAG_ALLOW_WRITE,
			    &raid->descriptors[i]) != ND_SUCCESS)
			raid_fail(raid, "a window cannot be bound");
	nd_endpoint_submit_request_batch(endpoint);
}

static void
victim_turn(struct raid *raid)
{
	struct nd_endpoint *endpoint = __atomic_exchange_n(&raid->victim, NULL, __ATOMIC_ACQ_REL);
	struct nd_result *results[WINDOWS];
	size_t count;

	if (endpoint != NULL)
		windows_bind(raid, endpoint);
	count = nd_cq_get_results(pair.side[1].outbound, results, WINDOWS);
	for (size_t i = 0; i < count; i++)
		if (results[i]->status != ND_SUCCESS)
			raid_fail(raid, "a window was not bound");
	__atomic_store_n(&raid->bound, raid->bound + (uint32_t)count, __ATOMIC_RELEASE);
	if (nd_cq_get_results(pair.side[1].inbound, results, 1) != 0)
		raid_fail(raid, "the victim was told something");
}

static void
write_post(struct raid *raid, struct nd_endpoint *endpoint, struct nd_result *result)
{
	uint32_t number = raid->posts++;
	struct nd_sge sge = {pair.side[0].memory + (size_t)(number % KINDS) * MESSAGE_BYTES,
		RTE_MIN(raid->chain.total, (size_t)MESSAGE_BYTES), pair.side[0].mr};
	nd_status status = nd_endpoint_write(
		endpoint, result, &sge, 1, &raid->descriptors[number % WINDOWS], 0, 0);

	if (status == ND_SUCCESS)
		__atomic_store_n(&raid->outstanding, raid->outstanding + 1, __ATOMIC_RELEASE);
	else if (status == ND_CONNECTION_INVALID)
		__atomic_store_n(&raid->over, true, __ATOMIC_RELEASE);
	else
		raid_fail(raid, "a write cannot be posted");
}

static void
attacker_turn(struct raid *raid)
{
	struct nd_endpoint *endpoint = __atomic_load_n(&raid->attacker, __ATOMIC_ACQUIRE);
	struct nd_result *results[DEPTH];
	size_t count;

	for (unsigned int i = 0; endpoint != NULL && raid->posts < DEPTH && i < DEPTH; i++)
		write_post(raid, endpoint, &raid->writes[i]);
	count = nd_cq_get_results(pair.side[0].outbound, results, DEPTH);
	for (size_t i = 0; i < count; i++) {
		if (results[i]->status == ND_SUCCESS) {
			__atomic_store_n(&raid->written, raid->written + 1, __ATOMIC_RELEASE);
			write_post(raid, endpoint, results[i]);
			continue;
		}
		if (results[i]->status != ND_REMOTE_ERROR && results[i]->status != ND_CANCELED)
			raid_fail(raid, nd_status_name(results[i]->status));
		__atomic_store_n(&raid->over, true, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&raid->outstanding, raid->outstanding - (uint32_t)count, __ATOMIC_RELEASE);
}

static void
both_turn(struct nd_engine *engine, void *arg)
{
	struct raid *raid = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

	(void)engine;
	(void)arg;
	test_poll(pair.side[0].adapter);
	if (raid != NULL) {
		victim_turn(raid);
		attacker_turn(raid);
	}
	sched_yield();
}

static void
check_failure(const struct raid *raid)
{
	const char *failure = __atomic_load_n(&raid->failure, __ATOMIC_ACQUIRE);

	cr_assert(failure == NULL, "%s", failure);
	sched_yield();
}

static void
written_wait(const struct raid *raid, uint32_t count)
{
	while (__atomic_load_n(&raid->written, __ATOMIC_ACQUIRE) < count)
		check_failure(raid);
}

/**
 * Query the windows while the engine's thread binds and unbinds them. The results must be
 * consistent.
 */
static void
windows_look(const struct raid *raid, struct nd_adapter *adapter)
{
	struct nd_mw *windows[WINDOWS];
	size_t count = WINDOWS;
	struct nd_mw_info info;

	cr_assert_eq(
		nd_mr_get_windows(adapter, raid->chain.mr, raid->chain.base, 1, windows, &count),
		ND_SUCCESS);
	cr_assert_leq(count, WINDOWS);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(nd_mw_query(adapter, windows[i], &info), ND_SUCCESS);
		cr_assert(info.bound && info.mr == raid->chain.mr);
		cr_assert_eq(info.length, raid->chain.total);
		cr_assert_eq(info.flags, ND_OP_FLAG_ALLOW_WRITE);
	}
}

static void
round_begin(uint32_t round, struct link *link)
{
	struct raid *raid = &rounds[round];
	struct nd_adapter *victim = pair.side[1].adapter;

	/*
	 * The chain is about as long as a message. If it is longer, its last bytes are not written.
	 */
	chain_make(&raid->chain, victim,
		&(struct chain_plan){.count = 300, .longest = 1600, .seed = round});
	for (unsigned int i = 0; i < WINDOWS; i++)
		cr_assert_eq(nd_adapter_create_memory_window(
				     victim, &raid->invalidated[i], &raid->mw[i]),
			ND_SUCCESS);
	__atomic_store_n(&current, raid, __ATOMIC_RELEASE);
	link_connect(link, &pair, NULL);
	__atomic_store_n(&raid->victim, link->endpoint[1], __ATOMIC_RELEASE);
	while (__atomic_load_n(&raid->bound, __ATOMIC_ACQUIRE) < WINDOWS) {
		check_failure(raid);
		windows_look(raid, victim);
	}
	__atomic_store_n(&raid->attacker, link->endpoint[0], __ATOMIC_RELEASE);
}

/**
 * End the access, and check that no byte changes afterwards.
 * @return whether the windows were invalidated in the middle of a message
 */
static bool
round_end(struct raid *raid, struct link *link)
{
	struct nd_adapter *victim = pair.side[1].adapter;
	const size_t bytes = RTE_MIN(raid->chain.total, (size_t)MESSAGE_BYTES);
	uint8_t *then = malloc(bytes), *now = malloc(bytes);
	size_t count = 0;
	bool middle;

	cr_assert_eq(nd_adapter_deregister_memory(victim, raid->chain.mr, NULL), ND_DEVICE_BUSY);
	cr_assert_eq(nd_mr_invalidate_windows(victim, raid->chain.mr, NULL, &count), ND_SUCCESS);
	chain_get(&raid->chain, 0, then, bytes);
	cr_assert_eq(count, WINDOWS);
	cr_assert_eq(nd_adapter_deregister_memory(victim, raid->chain.mr, NULL), ND_SUCCESS);
	while (!__atomic_load_n(&raid->over, __ATOMIC_ACQUIRE))
		check_failure(raid);
	while (__atomic_load_n(&raid->outstanding, __ATOMIC_ACQUIRE) != 0)
		check_failure(raid);
	check_failure(raid);
	chain_get(&raid->chain, 0, now, bytes);
	cr_assert_eq(memcmp(then, now, bytes), 0, "bytes changed behind the end of the windows");
	middle = then[0] != then[bytes - 1];
	for (unsigned int i = 0; i < WINDOWS; i++)
		cr_assert_eq(nd_mw_release(victim, raid->mw[i]), ND_SUCCESS);
	link_disconnect(link);
	chain_free(&raid->chain);
	free(then);
	free(now);
	return middle;
}

Test(revoke, windows_end_while_the_peer_writes_through_them)
{
	unsigned int middle_count = 0;
	struct runner runner;
	struct link link;

	for (unsigned int i = 0; i < KINDS; i++)
		memset(pair.side[0].memory + (size_t)i * MESSAGE_BYTES, kinds[i], MESSAGE_BYTES);
	runner_start(&runner, test_home(pair.side[1].adapter), both_turn, NULL);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		round_begin(round, &link);
		written_wait(&rounds[round], 1 + round % 5);
		middle_count += round_end(&rounds[round], &link);
	}
	runner_stop(&runner);
	cr_assert_gt(middle_count, 0, "no message was under way");
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), ROUNDS);
}
