/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test adapters with several engines, each with its own thread. Suite `engines` runs the other
 * tests of this folder with several engines on one thread. If the tests are built with
 * ThreadSanitizer, as in .ci/run, they fail if an engine accesses a packet after it has handed the
 * packet over to another engine (B-070).
 */

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "engines_net.h"
#include "nd/connector.h"
#include "support/engines.h"

#define ROUNDS 300u
#define SLOT   64u

static struct engines_net net;

static void
open_net(void)
{
	engines_open(&net);
}

static void
close_net(void)
{
	engines_close(&net);
}

TestSuite(engines, .init = open_net, .fini = close_net, .timeout = 120);

static uint64_t
counter(unsigned int side, const char *name)
{
	return nd_pair_adapter_counter(net.adapters[side], name);
}

/* ---- placement ---- */

Test(engines, endpoint_lives_where_its_completion_queues_are)
{
	struct nd_adapter *adapter = net.adapters[0];
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_cq *cqs[ENGINES];

	cr_assert_eq(nd_adapter_engine_count(adapter), ENGINES);
	cr_assert_eq(nd_adapter_get_engine(adapter, 0), nd_adapter_engine(adapter));
	cr_assert_null(nd_adapter_get_engine(adapter, ENGINES));
	for (unsigned int i = 0; i < ENGINES; i++)
		cr_assert_eq(nd_engine_create_completion_queue(
				     nd_adapter_get_engine(adapter, i), 8, &cqs[i]),
			ND_SUCCESS);
	for (unsigned int i = 0; i < ENGINES; i++) {
		cr_assert_eq(nd_adapter_create_connector(adapter, &connector), ND_SUCCESS);
		cr_assert_eq(nd_connector_create_endpoint(connector, cqs[i], cqs[(i + 1) % ENGINES],
				     1, 1, 1, 1, 0, 0, NULL, &endpoint),
			ND_INVALID_PARAMETER_2);
		cr_assert_eq(nd_connector_create_endpoint(
				     connector, cqs[i], cqs[i], 1, 1, 1, 1, 0, 0, NULL, &endpoint),
			ND_SUCCESS);
		/* With three engines, two bits of a queue pair number select the engine. */
		cr_assert_eq(endpoint->slot.qpn & 3, i);
		cr_assert_eq(nd_cq_release(cqs[i]), ND_DEVICE_BUSY);
		cr_assert_eq(nd_endpoint_release(endpoint), ND_SUCCESS);
		cr_assert_eq(nd_connector_release(connector), ND_SUCCESS);
	}
}

Test(engines, number_of_engines_has_limits)
{
	struct nd_adapter_config config = {.address = {.ss_family = AF_INET}, .engines = 17};
	char why[192];

	((struct sockaddr_in *)&config.address)->sin_addr.s_addr = htonl(0xC0000201);
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_INVALID_PARAMETER);
	cr_assert_not_null(strstr(why, "engines is 17, but must be 1 to 16"), "%s", why);
	config.engines = 3;
	config.endpoints_max = (1u << 18) + 1;
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_INVALID_PARAMETER);
	cr_assert_not_null(strstr(why, "endpoints_max"), "%s", why);
	config.endpoints_max = 1u << 18;
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS, "%s", why);
}

/* ---- traffic ---- */

/** One conversation. The two ends send numbers in turn, each one more than the number before. */
struct talk {
	struct engines_link link;
	struct end {
		struct nd_endpoint *endpoint;
		struct nd_cq *cq;
		struct nd_mr *mr;
		uint64_t *out;
		uint64_t *in;
		struct nd_result sent;
		struct nd_result received;
		uint64_t expected;
		bool started;
		bool begins;
		bool wrong; /* atomic, like rounds */
		uint32_t rounds;
	} ends[2];
};

static void
receive_post(struct end *end)
{
	struct nd_sge sge = {end->in, sizeof(uint64_t), end->mr};

	if (nd_endpoint_receive(end->endpoint, &end->received, &sge, 1) != ND_SUCCESS)
		__atomic_store_n(&end->wrong, true, __ATOMIC_RELEASE);
}

static void
value_send(struct end *end, uint64_t value)
{
	struct nd_sge sge = {end->out, sizeof(uint64_t), end->mr};

	*end->out = value;
	if (nd_endpoint_send(end->endpoint, &end->sent, &sge, 1, ND_OP_FLAG_SILENT_SUCCESS) !=
		ND_SUCCESS)
		__atomic_store_n(&end->wrong, true, __ATOMIC_RELEASE);
}

static void
talk_turn(struct nd_engine *engine, void *arg)
{
	struct end *end = arg;
	struct nd_result *result;

	(void)engine;
	if (!end->started) {
		end->started = true;
		receive_post(end);
		if (end->begins)
			value_send(end, 0);
	}
	while (nd_cq_get_results(end->cq, &result, 1) != 0) {
		if (result != &end->received || result->status != ND_SUCCESS ||
			*end->in != end->expected) {
			__atomic_store_n(&end->wrong, true, __ATOMIC_RELEASE);
			return;
		}
		end->expected += 2;
		receive_post(end);
		value_send(end, *end->in + 1);
		__atomic_fetch_add(&end->rounds, 1, __ATOMIC_RELEASE);
	}
}

static void
talk_start(struct talk *talk, unsigned int number, unsigned int from, unsigned int to)
{
	memset(talk, 0, sizeof(*talk));
	engines_connect(&net, &talk->link, from, to);
	for (unsigned int side = 0; side < 2; side++) {
		struct end *end = &talk->ends[side];
		uint8_t *place = net.memory[side] + (size_t)number * 2 * SLOT;

		end->endpoint = talk->link.endpoints[side];
		end->cq = talk->link.cqs[side];
		end->mr = net.mrs[side];
		end->out = (uint64_t *)place;
		end->in = (uint64_t *)(place + SLOT);
		end->begins = side == 0;
		/* The end that begins sends even values. */
		end->expected = side == 0 ? 1 : 0;
	}
	/* Post the receive of the answering end first, to avoid an RNR NAK. */
	engines_work(&net, 1, to, talk_turn, &talk->ends[1]);
	engines_work(&net, 0, from, talk_turn, &talk->ends[0]);
}

static void
talk_wait(const struct talk *talk, uint32_t rounds)
{
	for (unsigned int i = 0; i < 2; i++) {
		const struct end *end = &talk->ends[i];

		for (unsigned int turn = 0;
			__atomic_load_n(&end->rounds, __ATOMIC_ACQUIRE) < rounds; turn++) {
			cr_assert_not(__atomic_load_n(&end->wrong, __ATOMIC_ACQUIRE));
			cr_assert_lt(turn, PATIENCE_TURNS, "they stand still");
			sched_yield();
		}
	}
}

static void
talk_end(struct talk *talk)
{
	engines_work(&net, 0, talk->link.homes[0], NULL, NULL);
	engines_work(&net, 1, talk->link.homes[1], NULL, NULL);
	engines_disconnect(&talk->link);
}

/** Make control calls to all engines of a side, from a thread that owns no engine. */
static void
controls(unsigned int side)
{
	struct nd_adapter *adapter = net.adapters[side];
	static uint8_t memory[4096];
	struct nd_result invalidated;
	struct nd_overlapped notify = {0};
	struct nd_connector *connector;
	struct nd_mr *mr;
	struct nd_mw *mw;
	struct nd_cq *cq;

	cr_assert_eq(
		nd_adapter_register_memory(adapter, memory, sizeof(memory), NULL, &mr), ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_memory_window(adapter, &invalidated, &mw), ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(adapter, &connector), ND_SUCCESS);
	for (unsigned int i = 0; i < ENGINES; i++) {
		cr_assert_eq(nd_engine_create_completion_queue(
				     nd_adapter_get_engine(adapter, i), 8, &cq),
			ND_SUCCESS);
		cr_assert_eq(nd_cq_notify(cq, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
		cr_assert_eq(nd_cq_resize(cq, 16), ND_SUCCESS);
		cr_assert_eq(nd_cq_release(cq), ND_SUCCESS);
		cr_assert_eq(engines_wait(&net, ND_PENDING, &notify), ND_CANCELED);
	}
	cr_assert_eq(nd_connector_release(connector), ND_SUCCESS);
	cr_assert_eq(nd_mw_release(adapter, mw), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(adapter, mr, NULL), ND_SUCCESS);
}

Test(engines, all_talk_while_control_calls_run)
{
	struct talk talks[ENGINES];

	engines_run(&net);
	for (unsigned int i = 0; i < ENGINES; i++)
		talk_start(&talks[i], i, i, ENGINES - 1 - i);
	for (unsigned int i = 0; i < 20; i++)
		controls(i % 2);
	for (unsigned int i = 0; i < ENGINES; i++)
		talk_wait(&talks[i], ROUNDS);
	for (unsigned int i = 0; i < ENGINES; i++)
		talk_end(&talks[i]);
	engines_stop(&net);
	cr_assert_gt(counter(0, "handed_over"), ROUNDS);
	cr_assert_gt(counter(1, "handed_over"), ROUNDS);
	cr_assert_eq(counter(0, "drop_hand_over") + counter(1, "drop_hand_over"), 0);
	cr_assert_eq(counter(0, "drop_unknown_qp") + counter(1, "drop_unknown_qp"), 0);
}

/* ---- threads that wait for each other ---- */

struct caller {
	struct nd_engine *other;
	uint32_t calls;
	bool failed;
};

static void
other_call(struct nd_engine *engine, void *arg)
{
	struct caller *caller = arg;
	struct nd_cq *cq;

	(void)engine;
	if (nd_engine_create_completion_queue(caller->other, 8, &cq) != ND_SUCCESS ||
		nd_cq_release(cq) != ND_SUCCESS)
		__atomic_store_n(&caller->failed, true, __ATOMIC_RELEASE);
	__atomic_fetch_add(&caller->calls, 1, __ATOMIC_RELEASE);
}

static void
callers_wait(const struct caller *callers, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int turn = 0;
			__atomic_load_n(&callers[i].calls, __ATOMIC_ACQUIRE) < ROUNDS; turn++) {
			cr_assert_lt(turn, PATIENCE_TURNS, "they wait for each other for ever");
			sched_yield();
		}
		cr_assert_not(__atomic_load_n(&callers[i].failed, __ATOMIC_ACQUIRE));
	}
}

Test(engines, owners_may_call_each_other)
{
	struct caller callers[ENGINES] = {{0}};

	engines_run(&net);
	for (unsigned int i = 0; i < ENGINES; i++) {
		callers[i].other = nd_adapter_get_engine(net.adapters[0], (i + 1) % ENGINES);
		engines_work(&net, 0, i, other_call, &callers[i]);
	}
	callers_wait(callers, ENGINES);
	for (unsigned int i = 0; i < ENGINES; i++)
		engines_work(&net, 0, i, NULL, NULL);
}

/** Two threads may call each other's engines, even if the engines belong to different adapters. */
Test(engines, owners_of_two_adapters_may_call_each_other)
{
	struct caller callers[2] = {{0}};

	engines_run(&net);
	for (unsigned int side = 0; side < 2; side++) {
		callers[side].other = nd_adapter_engine(net.adapters[1 - side]);
		engines_work(&net, side, 0, other_call, &callers[side]);
	}
	callers_wait(callers, 2);
	for (unsigned int side = 0; side < 2; side++)
		engines_work(&net, side, 0, NULL, NULL);
}

/* ---- memory ---- */

struct writer {
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	struct nd_mr *mr;
	uint8_t *memory;
	struct nd_mw_descriptor window;
	struct nd_result result;
	bool pending;
	uint32_t written; /* atomic, like refused */
	bool refused;
};

static void
write_turn(struct nd_engine *engine, void *arg)
{
	struct writer *writer = arg;
	struct nd_sge sge = {writer->memory, 4 * ENGINES_PMTU, writer->mr};
	struct nd_result *result;

	(void)engine;
	if (writer->pending && nd_cq_get_results(writer->cq, &result, 1) != 0) {
		writer->pending = false;
		if (result->status == ND_SUCCESS)
			__atomic_fetch_add(&writer->written, 1, __ATOMIC_RELEASE);
		else
			__atomic_store_n(&writer->refused, true, __ATOMIC_RELEASE);
	}
	if (!writer->pending && !writer->refused)
		writer->pending = nd_endpoint_write(writer->endpoint, &writer->result, &sge, 1,
					  &writer->window, 0, 0) == ND_SUCCESS;
}

struct binder {
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	struct nd_mr *mr;
	struct nd_mw *mw;
	uint8_t *memory;
	struct nd_mw_descriptor window;
	struct nd_result result;
	bool posted;
	bool bound; /* atomic */
};

static void
bind_turn(struct nd_engine *engine, void *arg)
{
	struct binder *binder = arg;
	struct nd_result *result;

	(void)engine;
	if (!binder->posted)
		binder->posted = nd_endpoint_bind(binder->endpoint, &binder->result, binder->mr,
					 binder->mw, binder->memory, 4 * ENGINES_PMTU,
					 ND_OP_FLAG_ALLOW_WRITE, &binder->window) == ND_SUCCESS;
	else if (nd_cq_get_results(binder->cq, &result, 1) != 0 && result == &binder->result)
		__atomic_store_n(&binder->bound, result->status == ND_SUCCESS, __ATOMIC_RELEASE);
}

static void
until(const bool *flag, const uint32_t *count, uint32_t enough)
{
	for (unsigned int turn = 0; turn < PATIENCE_TURNS; turn++) {
		if (flag != NULL && __atomic_load_n(flag, __ATOMIC_ACQUIRE))
			return;
		if (count != NULL && __atomic_load_n(count, __ATOMIC_ACQUIRE) >= enough)
			return;
		sched_yield();
	}
	cr_assert_fail("it does not come");
}

/*
 * After nd_mr_invalidate_windows() has returned, no engine places a byte, whichever engine bound
 * the window and whichever thread made the call.
 */
Test(engines, no_byte_is_placed_after_the_invalidate)
{
	engines_run(&net);
	for (unsigned int round = 0; round < 2 * ENGINES; round++) {
		struct engines_link link;
		static struct nd_result invalidated;
		struct binder binder = {.mr = net.mrs[1], .memory = net.memory[1]};
		struct writer writer = {.mr = net.mrs[0], .memory = net.memory[0]};
		unsigned int home = round % ENGINES;
		size_t count;

		engines_connect(&net, &link, (home + 1) % ENGINES, home);
		cr_assert_eq(
			nd_adapter_create_memory_window(net.adapters[1], &invalidated, &binder.mw),
			ND_SUCCESS);
		binder.endpoint = link.endpoints[1];
		binder.cq = link.cqs[1];
		engines_work(&net, 1, home, bind_turn, &binder);
		until(&binder.bound, NULL, 0);
		engines_work(&net, 1, home, NULL, NULL);
		memset(net.memory[0], 0x11, ENGINES_BYTES);
		writer.endpoint = link.endpoints[0];
		writer.cq = link.cqs[0];
		writer.window = binder.window;
		engines_work(&net, 0, (home + 1) % ENGINES, write_turn, &writer);
		until(NULL, &writer.written, 3);
		cr_assert_eq(nd_mr_invalidate_windows(net.adapters[1], net.mrs[1], NULL, &count),
			ND_SUCCESS);
		cr_assert_eq(count, 1);
		memset(net.memory[1], 0x22, 4 * ENGINES_PMTU);
		until(&writer.refused, NULL, 0);
		for (unsigned int i = 0; i < 4 * ENGINES_PMTU; i++)
			cr_assert_eq(net.memory[1][i], 0x22, "byte %u of round %u", i, round);
		engines_work(&net, 0, (home + 1) % ENGINES, NULL, NULL);
		engines_disconnect(&link);
		cr_assert_eq(nd_mw_release(net.adapters[1], binder.mw), ND_SUCCESS);
	}
}

/* ---- an engine that is not polled ---- */

static void
poll_without(unsigned int index)
{
	test_poll(net.adapters[0]);
	for (unsigned int i = 0; i < ENGINES; i++)
		if (i != index)
			nd_engine_poll(nd_adapter_get_engine(net.adapters[1], i));
}

#define STANDING 12u

Test(engines, frames_for_an_engine_that_stands_still_are_dropped_and_counted)
{
	static struct nd_result results[STANDING], receives[STANDING];
	struct engines_link links[STANDING];
	struct nd_result *result;
	uint64_t before;

	/*
	 * Frames leave side 0 on queue 0 and arrive at side 1 on queue 1. The endpoints of side 1
	 * belong to engine 2.
	 */
	for (unsigned int i = 0; i < STANDING; i++)
		engines_connect(&net, &links[i], 0, 2);
	for (unsigned int i = 0; i < STANDING; i++) {
		struct nd_sge from = {net.memory[0], ENGINES_BYTES, net.mrs[0]};
		struct nd_sge to = {net.memory[1], ENGINES_BYTES, net.mrs[1]};

		cr_assert_eq(nd_endpoint_receive(links[i].endpoints[1], &receives[i], &to, 1),
			ND_SUCCESS);
		before = counter(1, "handed_over");
		cr_assert_eq(nd_endpoint_send(links[i].endpoints[0], &results[i], &from, 1, 0),
			ND_SUCCESS);
		for (unsigned int turn = 0; turn < 100; turn++)
			poll_without(2);
		if (i == 0)
			cr_assert_eq(
				counter(1, "handed_over") - before, ENGINES_BYTES / ENGINES_PMTU);
	}
	/*
	 * The rings for engines 0 and 2 may each hold at most half of the buffers of the receiving
	 * queue.
	 */
	cr_assert_eq(rte_ring_count(net.adapters[1]->group->frames[1][2]),
		net.adapters[1]->engines[1].pool->size / (2 * ENGINES));
	cr_assert_gt(counter(1, "drop_hand_over"), 0);
	/* After the engine is polled again, side 0 retransmits all lost packets. */
	for (unsigned int i = 0; i < STANDING; i++) {
		for (unsigned int turn = 0; nd_cq_get_results(links[i].cqs[0], &result, 1) == 0;
			turn++) {
			cr_assert_lt(turn, PATIENCE_TURNS);
			test_poll(net.adapters[0]);
			test_poll(net.adapters[1]);
		}
		cr_assert_eq(result, &results[i]);
		cr_assert_eq(result->status, ND_SUCCESS);
	}
	for (unsigned int i = 0; i < STANDING; i++)
		engines_disconnect(&links[i]);
}

Test(engines, end_of_a_connection_flushes_on_its_engine)
{
	struct nd_overlapped disconnect = {0}, ended = {0};
	struct nd_result received = {0}, *result = NULL;
	struct engines_link link;

	engines_connect(&net, &link, 1, 2);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[0], &ended), ND_PENDING);
	/*
	 * The calling thread owns all engines, so nd_connector_disconnect() flushes before it
	 * returns.
	 */
	cr_assert_eq(nd_endpoint_receive(link.endpoints[1], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_connector_disconnect(link.connectors[1], &disconnect), ND_PENDING);
	cr_assert_eq(nd_cq_get_results(link.cqs[1], &result, 1), 1);
	cr_assert_eq(result->status, ND_CANCELED);
	cr_assert_eq(engines_wait(&net, ND_PENDING, &ended), ND_SUCCESS);
	test_poll(net.adapters[0]);
	cr_assert_eq(nd_cq_get_results(link.cqs[0], &result, 1), 1);
	cr_assert_eq(result->status, ND_CANCELED);
	cr_assert_eq(engines_wait(&net, ND_PENDING, &disconnect), ND_SUCCESS);
}

/**
 * A disconnect flushes an endpoint even if the endpoint's engine does not know yet that the peer
 * has disconnected. Only the first engine has received the DREQ.
 */
Test(engines, disconnect_flushes_when_the_engine_has_not_heard_of_the_end)
{
	struct nd_overlapped disconnect = {0}, ended = {0}, last = {0};
	struct nd_result received = {0}, *result = NULL;
	struct engines_link link;

	engines_connect(&net, &link, 1, 2);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[0], &ended), ND_PENDING);
	cr_assert_eq(nd_connector_disconnect(link.connectors[1], &disconnect), ND_PENDING);
	for (unsigned int turn = 0; ended.status == ND_PENDING; turn++) {
		cr_assert_lt(turn, PATIENCE_TURNS, "the end is not noticed");
		test_poll(net.adapters[1]);
		/*
		 * Poll the first engine last, so that it processes the DREQ only after the turns of
		 * the other engines.
		 */
		for (unsigned int i = ENGINES; i-- > 0;)
			nd_engine_poll(nd_adapter_get_engine(net.adapters[0], i));
	}
	cr_assert_eq(nd_cq_get_results(link.cqs[0], &result, 1), 0);
	cr_assert_eq(nd_connector_disconnect(link.connectors[0], &last), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(link.cqs[0], &result, 1), 1);
	cr_assert_eq(result->status, ND_CANCELED);
	cr_assert_eq(engines_wait(&net, ND_PENDING, &disconnect), ND_SUCCESS);
}
