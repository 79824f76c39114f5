/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Table of goodput (application payload rate) of a flow of large messages, with random loss or
 * reordering.
 */

#include <rte_common.h>

#include "tables.h"

#define MESSAGE_BYTES  65536u
#define DEPTH          32u
#define SEEDS          3u
/** Number of unmeasured messages at the start of a run. */
#define MESSAGES_START 100u
/** Time limit in ns (virtual time) of each phase of a run. */
#define RUN_NS         UINT64_C(100000000)

struct loss {
	const char *text;
	uint32_t ppm;
	uint32_t messages;
};

static const struct loss losses[] = {
	{"0", 0, 200},
	{"0.01 %", 100, 1000},
	{"0.1 %", 1000, 600},
	{"1 %", 10000, 600},
	{"5 %", 50000, 300},
};

static void
turn(struct bed *bed, struct bed_flow *flow)
{
	bed_turn(bed);
	bed_flow_take(flow);
	while (flow->posted - flow->completed < flow->depth)
		bed_flow_post(flow);
}

struct tables_run
tables_flow_run(const struct bed_config *config, enum bed_operation operation, uint32_t messages)
{
	struct bed_flow flow = {.operation = operation, .bytes = MESSAGE_BYTES, .depth = DEPTH};
	uint32_t sender = operation == BED_READ;
	struct tables_run run;
	uint64_t start_ns, moved;
	struct bed bed;

	bed_open(&bed, config);
	bed_flow_open(&flow, &bed, 0, 1);
	bed_lose(&bed);
	start_ns = bed.now_ns;
	while (flow.completed < MESSAGES_START && bed.now_ns < start_ns + RUN_NS)
		turn(&bed, &flow);
	moved = flow.completed;
	start_ns = bed.now_ns;
	run.packets = bed_counter(&bed, sender, "tx_frames");
	run.naks = bed_counter(&bed, 1 - sender, "tx_naks_sequence");
	while (flow.completed < moved + messages && bed.now_ns < start_ns + RUN_NS)
		turn(&bed, &flow);
	moved = flow.completed - moved;
	run.gbps = (double)(moved * MESSAGE_BYTES * 8) / (double)(bed.now_ns - start_ns);
	run.packets = bed_counter(&bed, sender, "tx_frames") - run.packets;
	run.naks = bed_counter(&bed, 1 - sender, "tx_naks_sequence") - run.naks;
	bed_close(&bed);
	bed_flow_close(&flow);
	return run;
}

/** Run with different seeds. @return mean rate, and total numbers of packets and NAKs */
static struct tables_run
seeds_run(struct bed_config *config, enum bed_operation operation, uint32_t messages)
{
	struct tables_run sum = {0};

	config->node_count = 2;
	for (config->seed = 1; config->seed <= SEEDS; config->seed++) {
		struct tables_run run = tables_flow_run(config, operation, messages);

		sum.gbps += run.gbps / SEEDS;
		sum.packets += run.packets;
		sum.naks += run.naks;
	}
	return sum;
}

static const struct bed_config modes[] = {
	{.recovery = ND_RECOVERY_GO_BACK_N},
	{.recovery = ND_RECOVERY_GO_BACK_N, .congestion = ND_CONGESTION_NONE},
	{.recovery = ND_RECOVERY_SELECTIVE},
	{.recovery = ND_RECOVERY_SELECTIVE, .congestion = ND_CONGESTION_NONE},
};

static void
goodput_table(FILE *out, enum bed_operation operation)
{
	fputs("\n| lost | ideal | go-back-N | the same, constant window | selective |"
	      " the same, constant window |\n| --- | --- | --- | --- | --- | --- |\n",
		out);
	for (uint32_t i = 0; i < RTE_DIM(losses); i++) {
		const struct loss *loss = &losses[i];
		double ideal_gbps = tables_ideal_gbps(operation) * (1 - loss->ppm / 1e6);

		fprintf(out, "| %s | %.1f |", loss->text, ideal_gbps);
		for (uint32_t k = 0; k < RTE_DIM(modes); k++) {
			struct bed_config config = modes[k];
			struct tables_run run;

			config.loss_ppm = loss->ppm;
			run = seeds_run(&config, operation, loss->messages);
			fprintf(out, " %.1f (%.0f %%) |", run.gbps, 100 * run.gbps / ideal_gbps);
		}
		fputs("\n", out);
	}
}

void
tables_goodput(FILE *out)
{
	fprintf(out,
		"\n## Goodput with random loss\n\n"
		"The tables show the goodput in Gbit/s if frames of both directions are lost at\n"
		"random. The load is messages of %u KiB, %u outstanding. Each figure is the\n"
		"mean of %u seeds.\n\n"
		"The percentage in brackets compares with the ideal goodput, which is the rate\n"
		"of the wire without headers and lost frames. Go-back-N and selective recovery\n"
		"are measured with the default congestion window of adapters, and with a\n"
		"constant window that nothing reduces.\n\n"
		"WRITE:\n",
		MESSAGE_BYTES / 1024, DEPTH, SEEDS);
	goodput_table(out, BED_WRITE);
	fputs("\nREAD:\n", out);
	goodput_table(out, BED_READ);
	fputs("\nPublished figures for comparison:\n\n"
	      "* Plain go-back-N on RoCEv2 has nearly no throughput if more than 1 % of the\n"
	      "  packets are lost (*Error Recovery of RDMA Packets in Data Center Networks*).\n"
	      "* At 1 % loss, selective retransmission in an FPGA has 13.5 times (WRITE) and\n"
	      "  15.6 times (READ) the throughput of go-back-N (Zhang et al., *RoSR*, IEEE\n"
	      "  CAL 2025).\n",
		out);
}

void
tables_reorder(FILE *out)
{
	static const uint32_t spreads_us[] = {0, 1, 2, 5, 10};

	fputs("\n## Frames that overtake each other\n\n"
	      "The table shows the goodput of WRITE if frames overtake each other. The load\n"
	      "is as above, without loss. Each frame is delayed by an additional random time\n"
	      "between 0 and the spread, as if each packet chose one of many routes. The\n"
	      "columns have the goodput in Gbit/s, and the NAKs for each thousand packets.\n\n"
	      "| spread | go-back-N | NAKs | selective | NAKs |\n"
	      "| --- | --- | --- | --- | --- |\n",
		out);
	for (uint32_t i = 0; i < RTE_DIM(spreads_us); i++) {
		fprintf(out, "| %u us |", spreads_us[i]);
		for (uint32_t k = 0; k < RTE_DIM(modes); k++) {
			struct bed_config config = modes[k];
			struct tables_run run;

			if (config.congestion == ND_CONGESTION_NONE)
				continue;
			config.spread_ns = spreads_us[i] * UINT64_C(1000);
			run = seeds_run(&config, BED_WRITE, 200);
			fprintf(out, " %.1f | %.1f |", run.gbps,
				1000.0 * (double)run.naks / (double)run.packets);
		}
		fputs("\n", out);
	}
}
