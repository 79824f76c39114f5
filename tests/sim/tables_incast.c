/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Table of runs with many senders and one receiver: the switch's queue, and the rates of the flows.
 */

#include <rte_common.h>

#include "tables.h"

#define MESSAGE_BYTES   16384u
#define DEPTH           16u
/** Length of a slot in ms. The rates of the flows are compared per slot. */
#define SLOT_MS         10u
#define MS_NS           UINT64_C(1000000)
#define SLOT_NS         (SLOT_MS * MS_NS)
#define SLOTS           (TABLES_INCAST_MS / SLOT_MS)
/** Number of slots at the end of a run that count as steady state. */
#define STEADY_SLOTS    3u
#define FAIR            0.95
/** Default of swift_target_us. */
#define SWIFT_TARGET_US 50u

/** Times in ms at which the table compares a run with the published models. */
static const uint32_t published_ms[] = {1, 2, 3, 5, 10, 20, 30, 40, 50, 60};

struct control {
	const char *name;
	struct bed_config config;
};

static const struct control controls[] = {
	{"none", {.congestion = ND_CONGESTION_NONE}},
	{"loss window", {.congestion = ND_CONGESTION_LOSS_WINDOW}},
	{"loss window, ECN", {.congestion = ND_CONGESTION_LOSS_WINDOW, .ecn = true}},
	{"DCQCN", {.congestion = ND_CONGESTION_DCQCN, .ecn = true}},
	{"DCQCN, begins with 2 packets",
		{.congestion = ND_CONGESTION_DCQCN, .ecn = true, .initial_window = 2}},
	{"DCQCN, other marks",
		{.congestion = ND_CONGESTION_DCQCN, .ecn = true, .marks = &bed_marks_100g}},
	{"Swift", {.congestion = ND_CONGESTION_SWIFT}},
	{"Swift, target 30 us", {.congestion = ND_CONGESTION_SWIFT, .swift_target_us = 30}},
	{"Swift, target 30 us, begins with 2 packets",
		{.congestion = ND_CONGESTION_SWIFT, .swift_target_us = 30, .initial_window = 2}},
};

/** A run with many senders, which becomes one row of the table. */
struct incast {
	const struct control *control;
	uint32_t senders;
	struct tables_ms series[TABLES_INCAST_MS];
	double queue_mean_bytes;
};

/** Values of one slot, or sums over several slots. The bytes are lengths of the switch's queue. */
struct slot {
	double queue_mean_bytes;
	uint64_t queue_max_bytes;
	uint64_t sent;
	uint64_t drops;
	uint64_t marks;
	uint64_t completed[BED_NODES_MAX]; /**< number of completed requests of each flow */
};

/** @return payload rate of all flows together. @param slots number of elements of `slot` */
static double
slots_gbps(const struct slot *slot, uint32_t slots)
{
	uint64_t completed = 0;

	for (uint32_t i = 0; i < BED_NODES_MAX; i++)
		completed += slot->completed[i];
	return (double)(completed * MESSAGE_BYTES * 8) / (double)(slots * SLOT_NS);
}

/**
 * @return Jain's fairness index: 1 means that all flows have equal shares, 1 / count means that one
 * flow has the whole rate.
 */
static double
fairness(const struct slot *slot, uint32_t count)
{
	double sum = 0, squares = 0;

	for (uint32_t i = 0; i < count; i++) {
		double share = (double)slot->completed[i];

		sum += share;
		squares += share * share;
	}
	return squares == 0 ? 0 : sum * sum / (count * squares);
}

/** @return one slot with the sums of `count` slots */
static struct slot
slots_sum(const struct slot *slots, uint32_t count)
{
	struct slot sum = {0};

	for (uint32_t i = 0; i < count; i++) {
		sum.queue_mean_bytes += slots[i].queue_mean_bytes / count;
		sum.queue_max_bytes = RTE_MAX(sum.queue_max_bytes, slots[i].queue_max_bytes);
		sum.sent += slots[i].sent;
		sum.drops += slots[i].drops;
		sum.marks += slots[i].marks;
		for (uint32_t flow = 0; flow < BED_NODES_MAX; flow++)
			sum.completed[flow] += slots[i].completed[flow];
	}
	return sum;
}

/**
 * Run all flows for the time of a slot. @param series filled with the values of each millisecond
 */
static void
slot_run(struct slot *slot, struct bed *bed, struct bed_flow *flows, struct tables_ms *series)
{
	struct sim_link *queue = bed->bottleneck;
	uint64_t end_ns = bed->now_ns + SLOT_NS, turns = 0, sum = 0;

	queue->queue_max_bytes = 0;
	*slot = (struct slot){
		.sent = queue->sent, .drops = queue->queue_drops, .marks = queue->marked};
	for (; bed->now_ns < end_ns; turns++) {
		struct tables_ms *ms = &series[turns * BED_POLL_NS / MS_NS];

		bed_turn(bed);
		sum += sim_link_queue_bytes(queue);
		ms->queue_bytes += (double)sim_link_queue_bytes(queue) * BED_POLL_NS / MS_NS;
		for (uint32_t i = 0; i < bed->config.node_count - 1; i++) {
			struct bed_flow *flow = &flows[i];
			uint32_t taken = bed_flow_take(flow);

			slot->completed[i] += taken;
			ms->gbps += (double)taken * MESSAGE_BYTES * 8 / MS_NS;
			while (flow->posted - flow->completed < flow->depth)
				bed_flow_post(flow);
		}
	}
	slot->queue_mean_bytes = (double)sum / (double)turns;
	slot->queue_max_bytes = queue->queue_max_bytes;
	slot->sent = queue->sent - slot->sent;
	slot->drops = queue->queue_drops - slot->drops;
	slot->marks = queue->marked - slot->marks;
}

static void
incast_run(const struct bed_config *config, struct slot slots[SLOTS], struct tables_ms *series)
{
	static struct bed bed;
	static struct bed_flow flows[BED_NODES_MAX];
	uint32_t count = config->node_count - 1;

	bed_open(&bed, config);
	for (uint32_t i = 0; i < count; i++) {
		flows[i] = (struct bed_flow){
			.operation = BED_WRITE, .bytes = MESSAGE_BYTES, .depth = DEPTH};
		bed_flow_open(&flows[i], &bed, i + 1, 0);
	}
	for (uint32_t i = 0; i < SLOTS; i++)
		slot_run(&slots[i], &bed, flows, &series[(size_t)i * SLOT_MS]);
	bed_close(&bed);
	for (uint32_t i = 0; i < count; i++)
		bed_flow_close(&flows[i]);
}

static void
fair_print(FILE *out, const struct slot *slots, uint32_t count)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		if (fairness(&slots[i], count) < FAIR)
			continue;
		fprintf(out, " %u |", (i + 1) * SLOT_MS);
		return;
	}
	fputs(" never |", out);
}

static double
per_mille(uint64_t part, uint64_t sent)
{
	return sent == 0 ? 0 : 1000.0 * (double)part / (double)sent;
}

static void
row_print(FILE *out, struct incast *incast)
{
	const struct control *control = incast->control;
	uint32_t count = incast->senders;
	struct bed_config config = control->config;
	static struct slot slots[SLOTS];
	struct slot steady;
	double least = 1;

	config.seed = 1;
	config.node_count = count + 1;
	incast_run(&config, slots, incast->series);
	steady = slots_sum(&slots[SLOTS - STEADY_SLOTS], STEADY_SLOTS);
	incast->queue_mean_bytes = steady.queue_mean_bytes;
	for (uint32_t i = SLOTS - STEADY_SLOTS; i < SLOTS; i++)
		least = RTE_MIN(least, fairness(&slots[i], count));
	fprintf(out, "| %u | %s | %.1f | %.1f |", count, control->name, slots_gbps(&slots[0], 1),
		per_mille(slots[0].drops, slots[0].sent));
	fair_print(out, slots, count);
	fprintf(out, " %.1f | %.3f | %.3f | %.0f | %.0f | %.1f | %.1f |\n",
		slots_gbps(&steady, STEADY_SLOTS), fairness(&steady, count), least,
		steady.queue_mean_bytes / 1000, (double)steady.queue_max_bytes / 1000,
		per_mille(steady.drops, steady.sent), per_mille(steady.marks, steady.sent));
}

static void
introduction_print(FILE *out)
{
	const struct bed_marks *paper = &bed_marks_paper, *other = &bed_marks_100g;

	fprintf(out,
		"\n## Many senders, one receiver\n\n"
		"The table shows throughput and queue if many senders send to one receiver.\n"
		"Each sender has %u WRITEs of %u KiB outstanding. The frames pass through a\n"
		"switch with a queue of %u KB. The switch marks frames (ECN): none if the queue\n"
		"is shorter than Kmin, a part that grows to Pmax at Kmax, and all frames above\n"
		"Kmax. There are two settings:\n\n"
		"* Marks of the DCQCN paper, for 40 Gbit/s: Kmin %u KB, Kmax %u KB, Pmax %u %%.\n"
		"* \"Other marks\": %u KB, %u KB, %u %%. A vendor recommends them for 100 Gbit/s\n"
		"  and round-trip times of 20 us (Huawei, *Configuring Static ECN*).\n\n",
		DEPTH, MESSAGE_BYTES / 1024, BED_QUEUE_BYTES / 1000, paper->kmin_bytes / 1000,
		paper->kmax_bytes / 1000, paper->pmax_per_mille / 10, other->kmin_bytes / 1000,
		other->kmax_bytes / 1000, other->pmax_per_mille / 10);
	fprintf(out,
		"All senders begin at the same time, and send until the end. The columns show:\n\n"
		"* First %u ms: the payload of all flows, and the dropped frames in a thousand.\n"
		"* Fair: the end of the first %u ms in which Jain's index of the shares was\n"
		"  %.2f.\n"
		"* Last %u of %u ms: the payload of all flows, Jain's index, its least value in\n"
		"  any %u ms, the queue, and the dropped and marked frames in a thousand. The\n"
		"  queue does not include %u KB of frames on the way.\n\n",
		SLOT_MS, SLOT_MS, FAIR, STEADY_SLOTS * SLOT_MS, SLOTS * SLOT_MS, SLOT_MS,
		BED_RATE_MBPS * 20 / 8000);
	fputs("| senders | congestion control | first: Gbit/s | dropped | fair, ms |"
	      " last: Gbit/s | Jain | least | mean queue, KB | longest, KB | dropped |"
	      " marked |\n"
	      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
		out);
}

static void
series_print(FILE *out, const struct incast *incast, const char *whose,
	const struct tables_ms series[TABLES_INCAST_MS])
{
	const char *marks = incast->control->config.marks != NULL ? "other" : "paper's";

	fprintf(out, "| %u | %s | Gbit/s, %s |", incast->senders, marks, whose);
	for (size_t i = 0; i < RTE_DIM(published_ms); i++)
		fprintf(out, " %.1f |", series[published_ms[i] - 1].gbps);
	fprintf(out, "\n| %u | %s | queue, KB, %s |", incast->senders, marks, whose);
	for (size_t i = 0; i < RTE_DIM(published_ms); i++)
		fprintf(out, " %.0f |", series[published_ms[i] - 1].queue_bytes / 1000);
	fputs("\n", out);
}

/** Compare the runs with the published model of DCQCN, and print the comparison. */
static void
dcqcn_print(FILE *out, const struct incast *incasts, size_t count)
{
	static struct tables_ms model[TABLES_INCAST_MS];

	fputs("\n### DCQCN beside its published model\n\n"
	      "The table compares DCQCN of ndpdk (\"here\") with its published model. The\n"
	      "authors of DCQCN describe it by differential equations for flows of equal rate\n"
	      "(Zhu et al., *Congestion Control for Large-Scale RDMA Deployments*, SIGCOMM\n"
	      "2015). `sim_tables` solves the equations for this link with the same\n"
	      "parameters. A figure of \"here\" is what the senders did in that millisecond.\n\n"
	      "The model has no losses, no windows and no hyper increase. Therefore the model\n"
	      "loses no frames at the start, recovers more slowly after a deep cut, and has a\n"
	      "shorter queue if flows increase fast.\n\n"
	      "| senders | marks | |",
		out);
	for (size_t i = 0; i < RTE_DIM(published_ms); i++)
		fprintf(out, " %u ms |", published_ms[i]);
	fputs("\n| --- | --- | --- |", out);
	for (size_t i = 0; i < RTE_DIM(published_ms); i++)
		fputs(" --- |", out);
	fputs("\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct incast *incast = &incasts[i];
		const struct bed_config *config = &incast->control->config;

		if (config->congestion != ND_CONGESTION_DCQCN || config->initial_window != 0)
			continue;
		tables_dcqcn_model(config->marks != NULL ? config->marks : &bed_marks_paper,
			incast->senders, model);
		series_print(out, incast, "model", model);
		series_print(out, incast, "here", incast->series);
	}
}

/**
 * Compare the queue in the runs with the queue that Swift's formula gives, and print the
 * comparison.
 */
static void
swift_print(FILE *out, const struct incast *incasts, size_t count)
{
	fputs("\n### Swift beside its published formula\n\n"
	      "The table compares the queue of Swift in ndpdk with the published formula\n"
	      "(Kumar et al., SIGCOMM 2020). Swift's target is longer for a small window. For\n"
	      "equal flows there is therefore one window that fills the link and meets the\n"
	      "target, and one queue that results from this window. The last column is the\n"
	      "mean queue of the last part of the run.\n\n"
	      "| senders | congestion control | queue by the formula, KB | queue here, KB |\n"
	      "| --- | --- | --- | --- |\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct incast *incast = &incasts[i];
		const struct bed_config *config = &incast->control->config;
		uint32_t target_us =
			config->swift_target_us != 0 ? config->swift_target_us : SWIFT_TARGET_US;

		if (config->congestion != ND_CONGESTION_SWIFT)
			continue;
		fprintf(out, "| %u | %s | %.0f | %.0f |\n", incast->senders, incast->control->name,
			tables_swift_queue_bytes(incast->senders, target_us) / 1000,
			incast->queue_mean_bytes / 1000);
	}
	fputs("\nThe paper on Swift reports less than 50 us at the tail of short requests,\n"
	      "which is less than three times the minimum, while nearly all of 100 Gbit/s is\n"
	      "in use. In this simulation, a queue of 125 KB adds 10 us to a round-trip time\n"
	      "of 20 us.\n",
		out);
}

void
tables_incast(FILE *out)
{
	static const uint32_t senders[] = {8, 64};
	static struct incast incasts[RTE_DIM(senders) * RTE_DIM(controls)];

	introduction_print(out);
	for (size_t i = 0; i < RTE_DIM(incasts); i++) {
		incasts[i] = (struct incast){
			.control = &controls[i % RTE_DIM(controls)],
			.senders = senders[i / RTE_DIM(controls)],
		};
		row_print(out, &incasts[i]);
	}
	dcqcn_print(out, incasts, RTE_DIM(incasts));
	swift_print(out, incasts, RTE_DIM(incasts));
}
