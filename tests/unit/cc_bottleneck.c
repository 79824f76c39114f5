/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc_bottleneck.h"

#include <stdlib.h>

#include <criterion/criterion.h>

#define QUEUE_SIZE (1u << 16)
/* round-trip propagation delay in steps (20 us) */
#define PATH_STEPS 25u
#define CNP_NS     UINT64_C(50000)
#define START_NS   UINT64_C(1000000)

/*
 * RED parameters from section 5 of the DCQCN paper: 5 KB, 200 KB, 1 %. MIN and MAX are in packets,
 * PART is in 1/1000000.
 */
#define RED_MIN  5u
#define RED_MAX  200u
#define RED_PART 10000u

struct packet {
	uint64_t sent_ns;
	uint64_t answer_ns; /* time of its ACK */
	uint8_t flow;
	bool marked;
	bool lost;
};

struct bottleneck {
	struct bottleneck_flow flows[BOTTLENECK_FLOWS];
	uint32_t count;
	struct bottleneck_options options;
	uint8_t first; /* index of the flow that may send first in the current step */
	uint64_t sent;
	uint64_t now_ns;
	/* sum of marking probabilities in 1/1000000; each mark subtracts 1000000 */
	uint64_t chance;
	uint32_t length; /* number of packets in the queue, without packets that were lost */
	/*
	 * Packets answered .. served - 1 are on the path, and packets served .. queued - 1 are in
	 * the queue. Both ranges include lost packets.
	 */
	struct packet packets[QUEUE_SIZE];
	uint32_t answered;
	uint32_t served;
	uint32_t queued;
};

struct bottleneck *
bottleneck_new(const struct cc_parameters *parameters, uint32_t count,
	const struct bottleneck_options *options)
{
	struct bottleneck *bottleneck = calloc(1, sizeof(*bottleneck));

	bottleneck->count = count;
	bottleneck->options = *options;
	bottleneck->now_ns = START_NS;
	for (uint32_t i = 0; i < count; i++) {
		struct bottleneck_flow *flow = &bottleneck->flows[i];

		cr_assert_leq(cc_state_bytes(parameters->algorithm), sizeof(flow->state));
		cc_flow_init(&flow->flow, parameters, flow->state);
	}
	return bottleneck;
}

void
bottleneck_free(struct bottleneck *bottleneck)
{
	free(bottleneck);
}

struct bottleneck_flow *
bottleneck_flow(struct bottleneck *bottleneck, uint32_t index)
{
	return &bottleneck->flows[index];
}

uint32_t
bottleneck_queue(const struct bottleneck *bottleneck)
{
	return bottleneck->length;
}

uint32_t
bottleneck_mbps(struct bottleneck *bottleneck, uint32_t index, uint64_t ns)
{
	struct bottleneck_flow *flow = &bottleneck->flows[index];
	uint64_t bits = (uint64_t)flow->acked * BOTTLENECK_BYTES * 8;

	flow->acked = 0;
	return (uint32_t)(bits * 1000 / ns);
}

static struct packet *
packet_at(struct bottleneck *bottleneck, uint32_t index)
{
	return &bottleneck->packets[index % QUEUE_SIZE];
}

static bool
marks(struct bottleneck *bottleneck)
{
	uint32_t length = bottleneck_queue(bottleneck);

	if (!bottleneck->options.ecn)
		return false;
	if (length > RED_MAX)
		return true;
	if (length > RED_MIN)
		bottleneck->chance += (length - RED_MIN) * RED_PART / (RED_MAX - RED_MIN);
	if (bottleneck->chance < 1000000)
		return false;
	bottleneck->chance -= 1000000;
	return true;
}

static bool
loses(struct bottleneck *bottleneck)
{
	const struct bottleneck_options *options = &bottleneck->options;

	bottleneck->sent++;
	return (options->queue_max != 0 && bottleneck_queue(bottleneck) >= options->queue_max) ||
		(options->loss_every != 0 && bottleneck->sent % options->loss_every == 0);
}

/* A flow sends at most one packet in a step, because its link is as fast as the bottleneck. */
static void
flow_send(struct bottleneck *bottleneck, uint8_t index)
{
	struct bottleneck_flow *flow = &bottleneck->flows[index];

	if (bottleneck->now_ns < START_NS + flow->begin_ns ||
		flow->outstanding >= cc_window(&flow->flow) ||
		cc_send_time_ns(&flow->flow) > bottleneck->now_ns)
		return;
	cr_assert_lt(bottleneck->queued - bottleneck->answered, QUEUE_SIZE);
	*packet_at(bottleneck, bottleneck->queued) = (struct packet){.sent_ns = bottleneck->now_ns,
		.flow = index,
		.marked = marks(bottleneck),
		.lost = loses(bottleneck)};
	bottleneck->length += !packet_at(bottleneck, bottleneck->queued)->lost;
	bottleneck->queued++;
	flow->outstanding++;
	cc_packet_sent(&flow->flow, BOTTLENECK_BYTES, bottleneck->now_ns);
}

static void
answer(struct bottleneck *bottleneck, const struct packet *packet)
{
	struct bottleneck_flow *flow = &bottleneck->flows[packet->flow];
	uint64_t now_ns = bottleneck->now_ns;

	if (packet->lost) {
		cc_gap(&flow->flow, now_ns);
		flow->outstanding--;
		return;
	}
	if (now_ns >= flow->next_sample_ns) {
		cc_rtt_sample(&flow->flow, now_ns - packet->sent_ns, now_ns);
		flow->next_sample_ns = now_ns + (now_ns - packet->sent_ns);
	}
	if (packet->marked && now_ns >= flow->next_cnp_ns) {
		cc_cnp_received(&flow->flow, now_ns);
		flow->next_cnp_ns = now_ns + CNP_NS;
	}
	cc_ack_received(&flow->flow, 1, flow->outstanding--, now_ns);
	flow->acked++;
}

/* Send the oldest packet that is not lost. Lost packets take no time. */
static void
serve(struct bottleneck *bottleneck)
{
	bool sent = false;

	while (!sent && bottleneck->served != bottleneck->queued) {
		struct packet *packet = packet_at(bottleneck, bottleneck->served++);

		packet->answer_ns = bottleneck->now_ns + PATH_STEPS * BOTTLENECK_STEP_NS;
		sent = !packet->lost;
		bottleneck->length -= sent;
	}
}

static void
step(struct bottleneck *bottleneck)
{
	bottleneck->now_ns += BOTTLENECK_STEP_NS;
	while (bottleneck->answered != bottleneck->served &&
		packet_at(bottleneck, bottleneck->answered)->answer_ns <= bottleneck->now_ns)
		answer(bottleneck, packet_at(bottleneck, bottleneck->answered++));
	/*
	 * Begin with a different flow in each step. Otherwise the first flow would always get the
	 * last free place in a full queue.
	 */
	bottleneck->first = (uint8_t)((bottleneck->first + 1) % bottleneck->count);
	for (uint32_t i = 0; i < bottleneck->count; i++)
		flow_send(bottleneck, (uint8_t)((bottleneck->first + i) % bottleneck->count));
	serve(bottleneck);
}

void
bottleneck_run(struct bottleneck *bottleneck, uint64_t ns)
{
	for (uint64_t end_ns = bottleneck->now_ns + ns; bottleneck->now_ns < end_ns;)
		step(bottleneck);
}
