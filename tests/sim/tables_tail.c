/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Table of the duration of a request that no other request follows and of which one frame is lost.
 */

#include <rte_common.h>

#include "tables.h"

/**
 * Number of requests before the request with a loss. They let the adapter measure the round-trip
 * time.
 */
#define REQUESTS_BEFORE 64u
/** Number of turns after which a run counts as hanging. */
#define TURNS_MAX       10000000u

struct tail {
	const char *text;
	enum bed_operation operation;
	uint32_t bytes;
	uint32_t from; /**< index of the node that sends the lost frame */
	uint32_t lose_in;
};

static const struct tail tails[] = {
	{"WRITE of 8 bytes", BED_WRITE, 8, 0, 1},
	{"WRITE of 8 bytes, its acknowledgement", BED_WRITE, 8, 1, 1},
	{"WRITE of 64 KiB, last packet", BED_WRITE, 65536, 0, 16},
	{"SEND of 8 bytes", BED_SEND, 8, 0, 1},
	{"READ of 8 bytes, request", BED_READ, 8, 0, 1},
	{"READ of 8 bytes, response", BED_READ, 8, 1, 1},
	{"READ of 64 KiB, last response", BED_READ, 65536, 1, 16},
};

static uint64_t
request_ns(struct bed_flow *flow)
{
	struct bed *bed = flow->bed;
	uint64_t start_ns = bed->now_ns;

	bed_flow_post(flow);
	for (uint32_t turns = 0; bed_flow_take(flow) == 0; turns++) {
		if (turns > TURNS_MAX)
			bed_fail("request", "does not complete");
		bed_turn(bed);
	}
	return bed->now_ns - start_ns;
}

static void
tail_print(FILE *out, const struct tail *tail, enum nd_recovery recovery)
{
	struct bed_flow flow = {.operation = tail->operation, .bytes = tail->bytes, .depth = 1};
	struct bed_config config = {.recovery = recovery, .seed = 1, .node_count = 2};
	uint64_t usual_ns = 0, tail_ns;
	struct bed bed;

	bed_open(&bed, &config);
	bed_flow_open(&flow, &bed, 0, 1);
	for (uint32_t i = 0; i < REQUESTS_BEFORE; i++)
		usual_ns = request_ns(&flow);
	bed.nodes[1 - tail->from].lose_in = tail->lose_in;
	tail_ns = request_ns(&flow);
	fprintf(out, " %.0f | %.1f |", (double)tail_ns / 1e3, (double)tail_ns / (double)usual_ns);
	bed_close(&bed);
	bed_flow_close(&flow);
}

void
tables_tail(FILE *out)
{
	fprintf(out,
		"\n## Loss of the last packet\n\n"
		"The table shows how long a request takes if one of its frames is lost. Nothing\n"
		"else is outstanding on the connection. %u requests without a loss come before\n"
		"the request. The columns *us* have the time until the result in microseconds.\n"
		"The columns *times* have the ratio to the time without the loss.\n\n"
		"| lost | go-back-N, us | times | selective, us | times |\n"
		"| --- | --- | --- | --- | --- |\n",
		REQUESTS_BEFORE);
	for (uint32_t i = 0; i < RTE_DIM(tails); i++) {
		fprintf(out, "| %s |", tails[i].text);
		tail_print(out, &tails[i], ND_RECOVERY_GO_BACK_N);
		tail_print(out, &tails[i], ND_RECOVERY_SELECTIVE);
		fputs("\n", out);
	}
}
