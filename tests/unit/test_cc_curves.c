/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "cc/dcqcn.h"
#include "cc_bottleneck.h"
#include "support/golden.h"

/*
 * Test the algorithms over time against golden tables (support/golden.h). Also check that the flows
 * share the bottleneck fairly and use all of it.
 */

#define US UINT64_C(1000)
#define MS (1000 * US)

static struct golden_text text;

static struct cc_parameters
parameters_of(enum cc_algorithm algorithm)
{
	struct cc_parameters parameters = {
		.algorithm = algorithm, .line_rate_mbps = BOTTLENECK_MBPS};

	cc_dcqcn_defaults(&parameters.dcqcn);
	return parameters;
}

Test(cc_curves, dcqcn_after_one_cnp)
{
	struct cc_parameters parameters = parameters_of(CC_DCQCN);
	static struct cc_dcqcn_state state;
	struct cc_flow flow;

	cc_flow_init(&flow, &parameters, &state);
	cc_cnp_received(&flow, MS);
	golden_print(&text, "# us after the CNP | rate, Mb/s | target, Mb/s | alpha, 1/1000\n");
	for (uint64_t us = 0; us <= 3300; us += 55) {
		cc_packet_sent(&flow, 0, MS + us * US);
		golden_print(&text, "%4lu %5u %5u %4u\n", (unsigned long)us,
			cc_dcqcn_rate_kbps(&flow) / 1000, state.target_kbps / 1000,
			(unsigned int)((uint64_t)state.alpha * 1000 >> 20));
	}
	golden_check(GOLDEN_FOLDER "/dcqcn_cnp.txt", &text);
}

/* Sums over all flows in the last part of a run: throughputs in Mb/s, and their squares. */
struct share {
	uint64_t sum;
	uint64_t squares;
	uint32_t count;
};

static void
share_add(struct share *share, uint64_t mbps)
{
	share->sum += mbps;
	share->squares += mbps * mbps;
	share->count++;
}

/* Run two flows. The second flow begins 10 ms after the first. */
static void
two_flows(enum cc_algorithm algorithm, const struct bottleneck_options *options, const char *path,
	uint32_t ms)
{
	struct cc_parameters parameters = parameters_of(algorithm);
	struct bottleneck *bottleneck = bottleneck_new(&parameters, 2, options);
	uint64_t total[2] = {0};
	struct share share = {0};

	bottleneck_flow(bottleneck, 1)->begin_ns = 10 * MS;
	golden_print(&text, "# ms | first flow, Mb/s | second flow, Mb/s | queue, packets\n");
	for (uint32_t now_ms = 1; now_ms <= ms; now_ms++) {
		uint32_t mbps[2];

		bottleneck_run(bottleneck, MS);
		for (uint32_t i = 0; i < 2; i++) {
			mbps[i] = bottleneck_mbps(bottleneck, i, MS);
			total[i] += now_ms > ms / 2 ? mbps[i] : 0;
		}
		golden_print(&text, "%3u %5u %5u %4u\n", now_ms, mbps[0], mbps[1],
			bottleneck_queue(bottleneck));
	}
	golden_check(path, &text);
	for (uint32_t i = 0; i < 2; i++)
		share_add(&share, total[i] / (ms - ms / 2));
	cr_assert_gt(share.sum, BOTTLENECK_MBPS * 9 / 10, "%lu Mb/s", (unsigned long)share.sum);
	/* Jain's index > 0.9 */
	cr_assert_gt(share.sum * share.sum * 10, share.squares * share.count * 9);
	bottleneck_free(bottleneck);
}

Test(cc_curves, dcqcn_two_flows_converge)
{
	two_flows(CC_DCQCN, &(struct bottleneck_options){.ecn = true},
		GOLDEN_FOLDER "/dcqcn_two_flows.txt", 100);
}

Test(cc_curves, swift_two_flows_converge)
{
	two_flows(CC_SWIFT, &(struct bottleneck_options){.ecn = false},
		GOLDEN_FOLDER "/swift_two_flows.txt", 50);
}

/* The queue is shorter than the path, so it overflows before the flows notice a longer delay. */
Test(cc_curves, loss_window_two_flows_converge)
{
	two_flows(CC_LOSS_WINDOW, &(struct bottleneck_options){.queue_max = 20},
		GOLDEN_FOLDER "/loss_window_two_flows.txt", 100);
}

/* @return throughput of one flow in Mb/s if one of `every` packets is lost */
static uint32_t
mbps_with_loss(enum cc_algorithm algorithm, uint32_t every)
{
	const struct bottleneck_options options = {.loss_every = every};
	struct cc_parameters parameters = parameters_of(algorithm);
	struct bottleneck *bottleneck = bottleneck_new(&parameters, 1, &options);
	uint32_t mbps;

	bottleneck_run(bottleneck, 20 * MS);
	bottleneck_mbps(bottleneck, 0, 1);
	bottleneck_run(bottleneck, 50 * MS);
	mbps = bottleneck_mbps(bottleneck, 0, 50 * MS);
	bottleneck_free(bottleneck);
	return mbps;
}

/*
 * Packets are lost at random places without congestion. With up to 5 % loss, the flow uses all of
 * the bottleneck. 10 % loss counts as congestion.
 */
Test(cc_curves, one_flow_with_losses)
{
	static const uint32_t every[] = {0, 1000, 300, 100, 50, 20, 10};

	golden_print(&text, "# lost, 1/1000 | loss window, Mb/s | Swift, Mb/s\n");
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
		uint32_t mbps = mbps_with_loss(CC_LOSS_WINDOW, every[i]);

		golden_print(&text, "%3u %5u %5u\n", every[i] == 0 ? 0 : 1000 / every[i], mbps,
			mbps_with_loss(CC_SWIFT, every[i]));
		if (every[i] == 0 || every[i] >= 20)
			cr_expect_gt(
				mbps, BOTTLENECK_MBPS * 9 / 10, "1/%u: %u Mb/s", every[i], mbps);
		else
			cr_expect_lt(
				mbps, BOTTLENECK_MBPS * 7 / 10, "1/%u: %u Mb/s", every[i], mbps);
	}
	golden_check(GOLDEN_FOLDER "/one_flow_with_losses.txt", &text);
}
