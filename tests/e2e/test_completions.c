/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test nd_shared.h: results by value, and requests that any thread posts in one call. */

#include <pthread.h>
#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_region.h>
#include <ndpdk/nd_shared.h>

#include <rte_byteorder.h>

#include "support/nd_pair.h"

#define BYTES     64u
#define TURNS_MAX 100000u
#define FLAGS_BAD 0x80000000u

static struct nd_pair pair;
/*
 * The addresses of these elements are contexts of requests. The library does not dereference
 * contexts.
 */
static char contexts[16];
static uint32_t tokens[2];

static void
open_pair(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_connect(&pair);
	for (unsigned int side = 0; side < 2; side++) {
		struct nd_side *at = &pair.side[side];

		nd_endpoint_set_context(at->endpoint, at);
		cr_assert_eq(nd_mr_get_local_token(at->adapter, at->mr, &tokens[side]), ND_SUCCESS);
		nd_pair_pattern(at->memory, BYTES, side);
	}
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(completions, .init = open_pair, .fini = teardown);

/** After this call, only a thread that has entered an engine owns it. */
static void
share(void)
{
	for (unsigned int side = 0; side < 2; side++) {
		struct nd_engine *engine = nd_adapter_engine(pair.side[side].adapter);

		cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
		cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	}
}

static void
turn(void)
{
	for (unsigned int side = 0; side < 2; side++) {
		struct nd_engine *engine = nd_adapter_engine(pair.side[side].adapter);

		cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
		nd_engine_poll(engine);
		cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	}
}

static size_t
take(unsigned int side, struct nd_cq *cq, struct nd_completion *completions, size_t count)
{
	struct nd_engine *engine = nd_adapter_engine(pair.side[side].adapter);
	size_t taken;

	cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
	taken = nd_cq_get_completions(cq, completions, count);
	cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	return taken;
}

static struct nd_completion
next(unsigned int side, struct nd_cq *cq)
{
	/*
	 * Fill the completion with a pattern, so that the test notices members that are not
	 * written.
	 */
	struct nd_completion completion;

	memset(&completion, 0xA5, sizeof(completion));
	for (unsigned int i = 0; i < TURNS_MAX; i++) {
		turn();
		if (take(side, cq, &completion, 1) == 1)
			return completion;
	}
	cr_assert(false, "no completion");
	return completion;
}

static void
expect(unsigned int side, struct nd_cq *cq, unsigned int context, enum nd_completion_kind kind,
	nd_status status, uint32_t bytes)
{
	const struct nd_completion completion = next(side, cq);

	cr_assert_eq(completion.context, &contexts[context]);
	cr_assert_eq(completion.endpoint_context, &pair.side[side]);
	cr_assert_eq(completion.kind, kind, "%u", completion.kind);
	cr_assert_eq(completion.status, status, "%s", nd_status_name(completion.status));
	/* bytes_transferred is undefined after a failure. */
	if (status == ND_SUCCESS)
		cr_assert_eq(completion.bytes_transferred, bytes);
	cr_assert_eq(completion.flags, 0);
	cr_assert_eq(completion.imm_data, 0);
}

/** Convert a context to the type that the calls of nd_endpoint.h require. */
static struct nd_result *
context(unsigned int i)
{
	return (void *)&contexts[i];
}

static struct nd_token_sge
memory(unsigned int side, size_t offset)
{
	return (struct nd_token_sge){pair.side[side].memory + offset, BYTES, tokens[side]};
}

static struct nd_mw *
window(struct nd_result *invalidated, struct nd_mw_descriptor *descriptor, unsigned int i)
{
	struct nd_side *side = &pair.side[1];
	struct nd_engine *engine = nd_adapter_engine(side->adapter);
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, invalidated, &mw), ND_SUCCESS);
	cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, context(i), side->mr, mw, side->memory,
			     4 * BYTES, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, descriptor),
		ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	expect(1, side->outbound, i, ND_COMPLETION_BIND, ND_SUCCESS, 0);
	return mw;
}

Test(completions, each_kind_comes_back_with_its_context)
{
	const struct nd_token_sge from = memory(0, 0), to = memory(0, BYTES),
				  in = memory(1, 2 * BYTES);
	struct nd_side *active = &pair.side[0], *passive = &pair.side[1];
	struct nd_mw_descriptor descriptor;
	uint64_t base;

	share();
	(void)window(context(0), &descriptor, 1);
	base = rte_be_to_cpu_64(descriptor.base);
	cr_assert_eq(nd_endpoint_shared_receive(passive->endpoint, context(2), &in), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_shared_send(active->endpoint, context(3), &from, 0), ND_SUCCESS);
	expect(1, passive->inbound, 2, ND_COMPLETION_RECEIVE, ND_SUCCESS, BYTES);
	expect(0, active->outbound, 3, ND_COMPLETION_SEND, ND_SUCCESS, BYTES);
	cr_assert_arr_eq(passive->memory + 2 * BYTES, active->memory, BYTES);
	cr_assert_eq(nd_endpoint_shared_read(
			     active->endpoint, context(4), &to, base, descriptor.token, 0),
		ND_SUCCESS);
	expect(0, active->outbound, 4, ND_COMPLETION_READ, ND_SUCCESS, BYTES);
	cr_assert_arr_eq(active->memory + BYTES, passive->memory, BYTES);
	cr_assert_eq(nd_endpoint_shared_write(active->endpoint, context(5), &from, base + 3 * BYTES,
			     descriptor.token, 0),
		ND_SUCCESS);
	expect(0, active->outbound, 5, ND_COMPLETION_WRITE, ND_SUCCESS, BYTES);
	cr_assert_arr_eq(passive->memory + 3 * BYTES, active->memory, BYTES);
}

/*
 * A failed request has the same status as in nd_cq_get_results(). The requests after it are
 * cancelled.
 */
Test(completions, failures_have_their_status)
{
	const struct nd_token_sge from = memory(0, 0), in = memory(1, 0);
	struct nd_side *active = &pair.side[0], *passive = &pair.side[1];
	struct nd_mw_descriptor descriptor;

	share();
	(void)window(context(0), &descriptor, 1);
	cr_assert_eq(nd_endpoint_shared_receive(passive->endpoint, context(2), &in), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_shared_write(active->endpoint, context(3), &from,
			     rte_be_to_cpu_64(descriptor.base) + 4 * BYTES, descriptor.token, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_shared_send(active->endpoint, context(4), &from, 0), ND_SUCCESS);
	expect(0, active->outbound, 3, ND_COMPLETION_WRITE, ND_REMOTE_ERROR, 0);
	expect(0, active->outbound, 4, ND_COMPLETION_SEND, ND_CANCELED, 0);
	expect(1, passive->inbound, 2, ND_COMPLETION_RECEIVE, ND_CANCELED, 0);
}

/**
 * Let the peer invalidate the window. The queue then has the window's result and the receive's
 * result.
 */
static void
invalidate(const struct nd_mw_descriptor *descriptor)
{
	const struct nd_token_sge in = memory(1, 0);
	struct nd_engine *engine = nd_adapter_engine(pair.side[0].adapter);

	cr_assert_eq(
		nd_endpoint_shared_receive(pair.side[1].endpoint, context(6), &in), ND_SUCCESS);
	cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send_and_invalidate(
			     pair.side[0].endpoint, context(7), NULL, 0, descriptor, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	expect(0, pair.side[0].outbound, 7, ND_COMPLETION_SEND, ND_SUCCESS, 0);
}

Test(completions, window_that_the_peer_invalidates)
{
	struct nd_mw_descriptor descriptor;
	struct nd_completion completion;

	share();
	(void)window(context(0), &descriptor, 1);
	invalidate(&descriptor);
	expect(1, pair.side[1].inbound, 0, ND_COMPLETION_WINDOW_INVALIDATED, ND_SUCCESS, 0);
	completion = next(1, pair.side[1].inbound);
	cr_assert_eq(completion.context, context(6));
	cr_assert_eq(completion.kind, ND_COMPLETION_RECEIVE);
	cr_assert_eq(completion.flags, ND_RESULT_INVALIDATED);
	cr_assert_eq(completion.imm_data, descriptor.token);
}

Test(completions, released_window_is_left_out)
{
	struct nd_mw_descriptor descriptor;
	struct nd_mw *mw;

	share();
	mw = window(context(0), &descriptor, 1);
	invalidate(&descriptor);
	cr_assert_eq(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
	cr_assert_eq(next(1, pair.side[1].inbound).context, context(6));
}

Test(completions, no_more_than_asked_for)
{
	const struct nd_token_sge from = memory(0, 0);
	struct nd_completion completions[4];
	struct nd_mw_descriptor descriptor;
	size_t taken = 0;

	share();
	(void)window(context(0), &descriptor, 1);
	for (unsigned int i = 0; i < 5; i++)
		cr_assert_eq(nd_endpoint_shared_write(pair.side[0].endpoint, context(i), &from,
				     rte_be_to_cpu_64(descriptor.base), descriptor.token, 0),
			ND_SUCCESS);
	for (unsigned int i = 0; i < 1000; i++)
		turn();
	memset(completions, 0, sizeof(completions));
	cr_assert_eq(take(0, pair.side[0].outbound, completions, 0), 0);
	taken = take(0, pair.side[0].outbound, completions, 3);
	cr_assert_eq(taken, 3);
	cr_assert_null(completions[3].context);
	taken += take(0, pair.side[0].outbound, completions + 1, 3);
	cr_assert_eq(taken, 5);
	cr_assert_eq(completions[1].context, context(3));
	cr_assert_eq(completions[2].context, context(4));
	cr_assert_eq(take(0, pair.side[0].outbound, completions, 4), 0);
}

static void
turns(unsigned int count)
{
	while (count-- != 0)
		nd_pair_poll(&pair);
}

static void
writes(unsigned int first, unsigned int count, const struct nd_mw_descriptor *descriptor)
{
	const struct nd_token_sge from = memory(0, 0);

	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(
			nd_endpoint_token_write(pair.side[0].endpoint, context(first + i), &from,
				rte_be_to_cpu_64(descriptor->base), descriptor->token, 0),
			ND_SUCCESS);
	turns(1000);
}

/** Peek at and drop each completion. @return number of times that the ring wrapped */
static unsigned int
walk(struct nd_cq *cq, unsigned int first, unsigned int count)
{
	const struct nd_completion *ready, *before = NULL;
	unsigned int wraps = 0;

	for (unsigned int i = 0; i < count; i++) {
		size_t present = nd_cq_peek_completions(cq, &ready);

		cr_assert(present >= 1 && present <= count - i, "%zu", present);
		cr_assert_eq(ready->context, context(first + i));
		cr_assert_eq(ready->endpoint_context, &pair.side[0]);
		cr_assert_eq(ready->status, ND_SUCCESS);
		cr_assert_eq(ready->kind, ND_COMPLETION_WRITE);
		cr_assert_eq(ready->bytes_transferred, BYTES);
		/* The next completion is adjacent in memory. */
		if (present > 1)
			cr_assert_eq(ready[1].context, context(first + i + 1));
		wraps += ready < before;
		before = ready;
		nd_cq_drop_completions(cq, 1);
	}
	cr_assert_eq(nd_cq_peek_completions(cq, &ready), 0);
	return wraps;
}

/*
 * A program can read completions in place, also when the ring wraps. Only nd_cq_drop() removes
 * them.
 */
Test(completions, read_where_they_lie)
{
	struct nd_cq *cq = pair.side[0].outbound;
	struct nd_mw_descriptor descriptor;
	struct nd_completion completion;
	const struct nd_completion *ready = NULL;
	unsigned int wraps = 0;

	(void)nd_pair_bind(&pair, 1, 0, 4 * BYTES, ND_OP_FLAG_ALLOW_WRITE, &descriptor);
	cr_assert_eq(nd_cq_peek_completions(cq, &ready), 0);
	cr_assert_null(ready);
	nd_cq_drop_completions(cq, 0);
	for (unsigned int i = 0; i < 200; i++) {
		writes(i % 8, 7, &descriptor);
		wraps += walk(cq, i % 8, 7);
	}
	cr_assert_gt(wraps, 0);
	writes(0, 3, &descriptor);
	nd_cq_drop_completions(cq, 2);
	cr_assert_eq(nd_cq_get_completions(cq, &completion, 1), 1);
	cr_assert_eq(completion.context, context(2));
}

Test(completions, failures_are_not_read_in_place)
{
	struct nd_cq *cq = pair.side[0].outbound;
	struct nd_mw_descriptor descriptor;
	struct nd_completion completion;
	const struct nd_completion *ready;

	(void)nd_pair_bind(&pair, 1, 0, 4 * BYTES, ND_OP_FLAG_ALLOW_WRITE, &descriptor);
	writes(0, 1, &descriptor);
	descriptor.token = ~descriptor.token;
	writes(1, 1, &descriptor);
	cr_assert_eq(nd_cq_peek_completions(cq, &ready), 2);
	cr_assert_eq(ready[0].status, ND_SUCCESS);
	cr_assert_neq(ready[1].status, ND_SUCCESS);
	nd_cq_drop_completions(cq, 1);
	cr_assert_eq(nd_cq_get_completions(cq, &completion, 1), 1);
	cr_assert_eq(completion.context, context(1));
	cr_assert_eq(completion.status, ND_REMOTE_ERROR, "%s", nd_status_name(completion.status));
}

Test(completions, owner_posts_by_token)
{
	const struct nd_token_sge from = memory(0, 0), to = memory(0, BYTES),
				  in = memory(1, 2 * BYTES);
	struct nd_side *active = &pair.side[0], *passive = &pair.side[1];
	struct nd_mw_descriptor descriptor;
	struct nd_completion completion;
	static const enum nd_completion_kind kinds[] = {
		ND_COMPLETION_SEND, ND_COMPLETION_READ, ND_COMPLETION_WRITE};

	(void)nd_pair_bind(&pair, 1, 0, 4 * BYTES, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE,
		&descriptor);
	cr_assert_eq(nd_endpoint_token_receive(passive->endpoint, context(0), &in), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_token_send(active->endpoint, context(1), &from, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_token_read(active->endpoint, context(2), &to,
			     rte_be_to_cpu_64(descriptor.base), descriptor.token, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_token_write(active->endpoint, context(3), &from,
			     rte_be_to_cpu_64(descriptor.base) + 3 * BYTES, descriptor.token, 0),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 3; i++) {
		while (nd_cq_get_completions(active->outbound, &completion, 1) == 0)
			nd_pair_poll(&pair);
		cr_assert_eq(completion.status, ND_SUCCESS);
		cr_assert_eq(completion.context, context(1 + i));
		cr_assert_eq(completion.kind, kinds[i]);
	}
	cr_assert_eq(nd_cq_get_completions(passive->inbound, &completion, 1), 1);
	cr_assert_eq(completion.context, context(0));
	cr_assert_arr_eq(passive->memory + 2 * BYTES, active->memory, BYTES);
	cr_assert_arr_eq(active->memory + BYTES, passive->memory, BYTES);
	cr_assert_arr_eq(passive->memory + 3 * BYTES, active->memory, BYTES);
}

/** Fail unless the call returned this status and the thread is outside the engine. */
static void
refused(nd_status status, nd_status expected)
{
	cr_assert_eq(status, expected, "%s", nd_status_name(status));
	cr_assert_eq(
		nd_engine_leave(nd_adapter_engine(pair.side[0].adapter)), ND_INVALID_DEVICE_STATE);
}

Test(completions, arguments_are_checked)
{
	struct nd_endpoint *endpoint = pair.side[0].endpoint;
	const struct nd_token_sge good = memory(0, 0);
	struct nd_token_sge stranger = memory(0, 0);

	share();
	stranger.token = ~tokens[0];
	refused(nd_endpoint_shared_send(endpoint, NULL, &good, 0), ND_INVALID_PARAMETER_1);
	refused(nd_endpoint_shared_send(endpoint, context(0), NULL, 0), ND_INVALID_PARAMETER_2);
	refused(nd_endpoint_shared_send(endpoint, context(0), &good, FLAGS_BAD),
		ND_INVALID_PARAMETER_4);
	refused(nd_endpoint_shared_send(endpoint, context(0), &stranger, 0), ND_ACCESS_VIOLATION);
	refused(nd_endpoint_shared_receive(endpoint, NULL, &good), ND_INVALID_PARAMETER_1);
	refused(nd_endpoint_shared_receive(endpoint, context(0), NULL), ND_INVALID_PARAMETER_2);
	refused(nd_endpoint_shared_receive(endpoint, context(0), &stranger), ND_ACCESS_VIOLATION);
	refused(nd_endpoint_shared_read(endpoint, context(0), &good, 0, 0, FLAGS_BAD),
		ND_INVALID_PARAMETER_6);
	refused(nd_endpoint_shared_write(endpoint, context(0), &good, 0, 0, FLAGS_BAD),
		ND_INVALID_PARAMETER_6);
	cr_assert_eq(nd_engine_enter(nd_adapter_engine(pair.side[0].adapter)), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_token_send(endpoint, context(0), &good, FLAGS_BAD),
		ND_INVALID_PARAMETER_4);
	cr_assert_eq(
		nd_endpoint_token_receive(endpoint, context(0), &stranger), ND_ACCESS_VIOLATION);
	ASSERT_ND(nd_endpoint_token_read(endpoint, context(0), &good, 0, 0, FLAGS_BAD),
		ND_INVALID_PARAMETER_6);
	ASSERT_ND(nd_endpoint_token_write(endpoint, context(0), &good, 0, 0, FLAGS_BAD),
		ND_INVALID_PARAMETER_6);
	cr_assert_eq(nd_engine_leave(nd_adapter_engine(pair.side[0].adapter)), ND_SUCCESS);
	cr_assert_eq(nd_pair_counter(&pair, 0, "tx_packets"), 0);
}

static void *
send_from_elsewhere(void *arg)
{
	const struct nd_token_sge from = memory(0, 0);

	*(nd_status *)arg = nd_endpoint_shared_send(pair.side[0].endpoint, context(0), &from, 0);
	return NULL;
}

Test(completions, engine_of_another_thread_is_left_alone)
{
	nd_status status = ND_SUCCESS;
	pthread_t thread;

	nd_engine_poll(nd_adapter_engine(pair.side[0].adapter));
	cr_assert_eq(pthread_create(&thread, NULL, send_from_elsewhere, &status), 0);
	pthread_join(thread, NULL);
	cr_assert_eq(status, ND_INVALID_DEVICE_STATE);
}
