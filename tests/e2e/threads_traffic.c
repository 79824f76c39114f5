/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "threads_traffic.h"

#include <sched.h>
#include <string.h>

#include <criterion/criterion.h>

#include "nd/adapter.h"
#include "support/engines.h"

#define STOPPED ((struct nd_endpoint *)-1)

/**
 * Number of messages in flight. The answering side needs the other half of the slots for its
 * answers.
 */
#define PINGS (TRAFFIC_SLOTS / 2)

void
traffic_init(struct traffic *traffic, struct nd_side *side, bool pings)
{
	memset(traffic, 0, sizeof(*traffic));
	traffic->side = side;
	traffic->pings = pings;
	cr_assert_geq(side->memory_bytes, 2 * TRAFFIC_SLOTS * TRAFFIC_BYTES);
	for (unsigned int i = 0; i < TRAFFIC_SLOTS; i++) {
		traffic->slots[i].out = side->memory + (size_t)(2 * i) * TRAFFIC_BYTES;
		traffic->slots[i].in = side->memory + (size_t)(2 * i + 1) * TRAFFIC_BYTES;
	}
}

void
traffic_start(struct traffic *traffic, struct nd_endpoint *endpoint)
{
	__atomic_store_n(&traffic->endpoint, endpoint, __ATOMIC_RELEASE);
}

void
traffic_stop(struct traffic *traffic)
{
	/*
	 * After the owner of the engine has seen STOPPED, it sets endpoint to NULL. Store STOPPED
	 * first, then wake the owner.
	 */
	__atomic_store_n(&traffic->endpoint, STOPPED, __ATOMIC_RELEASE);
	nd_engine_wake(test_home(traffic->side->adapter));
	while (__atomic_load_n(&traffic->endpoint, __ATOMIC_ACQUIRE) != NULL)
		sched_yield();
}

uint64_t
traffic_messages(const struct traffic *traffic)
{
	const char *failure = __atomic_load_n(&traffic->failure, __ATOMIC_ACQUIRE);

	cr_assert(failure == NULL, "after %llu messages: %s",
		(unsigned long long)__atomic_load_n(&traffic->messages, __ATOMIC_RELAXED), failure);
	return __atomic_load_n(&traffic->messages, __ATOMIC_ACQUIRE);
}

void
traffic_wait(const struct traffic *traffic, uint64_t count)
{
	uint64_t until = traffic_messages(traffic) + count;

	while (traffic_messages(traffic) < until)
		sched_yield();
}

static void
fail(struct traffic *traffic, const char *why)
{
	if (traffic->failure == NULL)
		__atomic_store_n(&traffic->failure, why, __ATOMIC_RELEASE);
}

static void
receive_post(struct traffic *traffic, struct nd_endpoint *endpoint, struct traffic_slot *slot)
{
	struct nd_sge sge = {slot->in, TRAFFIC_BYTES, traffic->side->mr};

	if (nd_endpoint_receive(endpoint, &slot->received, &sge, 1) != ND_SUCCESS)
		fail(traffic, "a receive cannot be posted");
}

static void
send_post(struct traffic *traffic, struct nd_endpoint *endpoint, struct traffic_slot *slot)
{
	struct nd_sge sge = {
		traffic->pings ? slot->out : slot->in, TRAFFIC_BYTES, traffic->side->mr};

	if (traffic->pings)
		nd_pair_pattern(slot->out, TRAFFIC_BYTES, traffic->sequence_out++);
	slot->owed = false;
	slot->sending = true;
	if (nd_endpoint_send(endpoint, &slot->sent, &sge, 1, 0) != ND_SUCCESS)
		fail(traffic, "a send cannot be posted");
}

static void
message_check(struct traffic *traffic, const struct traffic_slot *slot)
{
	uint8_t expected[TRAFFIC_BYTES];

	nd_pair_pattern(expected, sizeof(expected), traffic->sequence_in++);
	if (slot->received.bytes_transferred != TRAFFIC_BYTES ||
		memcmp(slot->in, expected, sizeof(expected)) != 0)
		fail(traffic, "a message is not what was sent");
	else
		__atomic_store_n(&traffic->messages, traffic->messages + 1, __ATOMIC_RELEASE);
}

static struct traffic_slot *
slot_of(struct traffic *traffic, const struct nd_result *result)
{
	size_t offset = (size_t)((const char *)result - (const char *)traffic->slots);

	return &traffic->slots[offset / sizeof(struct traffic_slot)];
}

static bool
receives_take(struct traffic *traffic, struct nd_endpoint *endpoint)
{
	struct nd_result *results[TRAFFIC_SLOTS];
	size_t count = nd_cq_get_results(traffic->side->inbound, results, TRAFFIC_SLOTS);

	for (size_t i = 0; i < count; i++) {
		struct traffic_slot *slot = slot_of(traffic, results[i]);

		if (results[i]->status != ND_SUCCESS) {
			fail(traffic, nd_status_name(results[i]->status));
			continue;
		}
		message_check(traffic, slot);
		if (traffic->pings)
			receive_post(traffic, endpoint, slot);
		slot->owed = true;
		if (!slot->sending)
			send_post(traffic, endpoint, slot);
	}
	return count != 0;
}

static bool
sends_take(struct traffic *traffic, struct nd_endpoint *endpoint)
{
	struct nd_result *results[TRAFFIC_SLOTS];
	size_t count = nd_cq_get_results(traffic->side->outbound, results, TRAFFIC_SLOTS);

	for (size_t i = 0; i < count; i++) {
		struct traffic_slot *slot = slot_of(traffic, results[i]);

		if (results[i]->status != ND_SUCCESS) {
			fail(traffic, nd_status_name(results[i]->status));
			continue;
		}
		slot->sending = false;
		if (!traffic->pings)
			receive_post(traffic, endpoint, slot);
		else if (slot->owed)
			send_post(traffic, endpoint, slot);
	}
	return count != 0;
}

static void
begin(struct traffic *traffic, struct nd_endpoint *endpoint)
{
	traffic->started = true;
	for (unsigned int i = 0; i < TRAFFIC_SLOTS; i++)
		receive_post(traffic, endpoint, &traffic->slots[i]);
	for (unsigned int i = 0; traffic->pings && i < PINGS; i++)
		send_post(traffic, endpoint, &traffic->slots[i]);
}

void
traffic_loop(struct nd_engine *engine, void *arg)
{
	struct traffic *traffic = arg;
	struct nd_endpoint *endpoint = __atomic_load_n(&traffic->endpoint, __ATOMIC_ACQUIRE);
	bool busy;

	(void)engine;
	if (endpoint == STOPPED) {
		__atomic_store_n(&traffic->endpoint, NULL, __ATOMIC_RELEASE);
		return;
	}
	if (endpoint == NULL || traffic->failure != NULL) {
		sched_yield();
		return;
	}
	if (!traffic->started)
		begin(traffic, endpoint);
	busy = receives_take(traffic, endpoint);
	busy |= sends_take(traffic, endpoint);
	if (!busy)
		sched_yield();
}

static void *
runner_main(void *arg)
{
	struct runner *runner = arg;

	while (!__atomic_load_n(&runner->stop, __ATOMIC_ACQUIRE)) {
		test_poll(runner->engine->adapter);
		if (runner->loop != NULL)
			runner->loop(runner->engine, runner->arg);
		else
			sched_yield();
	}
	return NULL;
}

void
runner_start(struct runner *runner, struct nd_engine *engine, nd_engine_loop_fn loop, void *arg)
{
	*runner = (struct runner){.engine = engine, .loop = loop, .arg = arg};
	cr_assert_eq(pthread_create(&runner->thread, NULL, runner_main, runner), 0);
}

void
runner_stop(struct runner *runner)
{
	__atomic_store_n(&runner->stop, true, __ATOMIC_RELEASE);
	pthread_join(runner->thread, NULL);
}
