/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Many senders and one receiver: what the queue before it and the flows through it do. */

#include <stdlib.h>

#include <rte_common.h>

#include "tables.h"

#define MESSAGE_BYTES 16384u
#define DEPTH         16u
#define START_NS      UINT64_C(10000000)
#define RUN_NS        UINT64_C(10000000)

struct control {
	const char *name;
	enum nd_congestion congestion;
	bool ecn;
};

static const struct control controls[] = {
	{"none", ND_CONGESTION_NONE, false},
	{"loss window", ND_CONGESTION_LOSS_WINDOW, false},
	{"loss window, ECN", ND_CONGESTION_LOSS_WINDOW, true},
	{"DCQCN", ND_CONGESTION_DCQCN, true},
	{"Swift", ND_CONGESTION_SWIFT, false},
};

/** What a run did. Bytes are of the switch's queue. */
struct incast {
	double gbps;
	double fairness;
	double queue_mean_bytes;
	uint64_t queue_max_bytes;
	uint64_t sent;
	uint64_t drops;
	uint64_t marks;
};

/** Let all flows send for a while. @return mean of the queue's length, bytes */
static double
flows_run(struct bed *bed, struct bed_flow *flows, uint32_t count, uint64_t ns)
{
	uint64_t end_ns = bed->now_ns + ns, turns = 0, sum = 0;

	for (; bed->now_ns < end_ns; turns++) {
		bed_turn(bed);
		sum += sim_link_queue_bytes(bed->bottleneck);
		for (uint32_t i = 0; i < count; i++) {
			struct bed_flow *flow = &flows[i];

			bed_flow_take(flow);
			while (flow->posted - flow->completed < flow->depth)
				bed_flow_post(flow);
		}
	}
	return (double)sum / (double)turns;
}

/** Jain's index: 1 = all have the same, 1 / count = one has everything. */
static double
fairness(const struct bed_flow *flows, const uint64_t *before, uint32_t count)
{
	double sum = 0, squares = 0;

	for (uint32_t i = 0; i < count; i++) {
		double share = (double)(flows[i].completed - before[i]);

		sum += share;
		squares += share * share;
	}
	return squares == 0 ? 0 : sum * sum / (count * squares);
}

static struct incast
incast_run(const struct bed_config *config)
{
	static struct bed bed;
	static struct bed_flow flows[BED_NODES_MAX];
	uint64_t before[BED_NODES_MAX] = {0}, completed = 0;
	uint32_t count = config->node_count - 1;
	struct sim_link *queue;
	struct incast incast;

	bed_open(&bed, config);
	for (uint32_t i = 0; i < count; i++) {
		flows[i] = (struct bed_flow){
			.operation = BED_WRITE, .bytes = MESSAGE_BYTES, .depth = DEPTH};
		bed_flow_open(&flows[i], &bed, i + 1, 0);
	}
	queue = bed.bottleneck;
	flows_run(&bed, flows, count, START_NS);
	queue->queue_max_bytes = 0;
	incast = (struct incast){
		.sent = queue->sent, .drops = queue->queue_drops, .marks = queue->marked};
	for (uint32_t i = 0; i < count; i++)
		before[i] = flows[i].completed;
	incast.queue_mean_bytes = flows_run(&bed, flows, count, RUN_NS);
	for (uint32_t i = 0; i < count; i++)
		completed += flows[i].completed - before[i];
	incast.gbps = (double)(completed * MESSAGE_BYTES * 8) / (double)RUN_NS;
	incast.fairness = fairness(flows, before, count);
	incast.queue_max_bytes = queue->queue_max_bytes;
	incast.sent = queue->sent - incast.sent;
	incast.drops = queue->queue_drops - incast.drops;
	incast.marks = queue->marked - incast.marks;
	bed_close(&bed);
	for (uint32_t i = 0; i < count; i++)
		bed_flow_close(&flows[i]);
	return incast;
}

void
tables_incast(FILE *out)
{
	static const uint32_t senders[] = {8, 64};

	fprintf(out,
		"\n## Many senders, one receiver\n\n"
		"Each sender has %u WRITEs of %u KiB outstanding to the same receiver, through a"
		" switch whose queue has %u KB and\nmarks frames (ECN) as in the paper on DCQCN:"
		" none below %u KB, %u %% at %u KB, all above. From %u ms on, for %u ms:\npayload"
		" of all flows, Jain's index of their shares, length of the queue, frames of a"
		" thousand that were dropped\nand marked.\n\n"
		"| senders | congestion control | Gbit/s | Jain | mean queue, KB | longest, KB |"
		" dropped | marked |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
		DEPTH, MESSAGE_BYTES / 1024, BED_QUEUE_BYTES / 1000, BED_MARK_MIN_BYTES / 1000,
		BED_MARK / 10, BED_MARK_MAX_BYTES / 1000, (unsigned)(START_NS / 1000000),
		(unsigned)(RUN_NS / 1000000));
	for (uint32_t i = 0; i < RTE_DIM(senders) * RTE_DIM(controls); i++) {
		const struct control *control = &controls[i % RTE_DIM(controls)];
		struct bed_config config = {.congestion = control->congestion,
			.ecn = control->ecn,
			.seed = 1,
			.node_count = senders[i / RTE_DIM(controls)] + 1};
		struct incast incast = incast_run(&config);

		fprintf(out, "| %u | %s | %.1f | %.3f | %.0f | %.0f | %.1f | %.1f |\n",
			config.node_count - 1, control->name, incast.gbps, incast.fairness,
			incast.queue_mean_bytes / 1000, (double)incast.queue_max_bytes / 1000,
			1000.0 * (double)incast.drops / (double)incast.sent,
			1000.0 * (double)incast.marks / (double)incast.sent);
	}
}
