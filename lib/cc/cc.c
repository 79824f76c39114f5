/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/cc.h"

#include "base/limits.h"
#include "cc/loss_window.h"

/* The table of algorithms, and the events that are rare enough not to be inline. */

static const struct cc_events none = {.start = NULL};

static const struct cc_events *const algorithms[] = {
	[CC_NONE] = &none,
	[CC_LOSS_WINDOW] = &cc_loss_window,
};

void
cc_flow_init(struct cc_flow *flow, enum cc_algorithm algorithm)
{
	*flow = (struct cc_flow){
		.events = algorithms[algorithm],
		.window = LIMIT_SEND_WINDOW,
	};
	if (flow->events->start != NULL)
		flow->events->start(flow);
}

void
cc_gap(struct cc_flow *flow, uint64_t now_ns)
{
	if (flow->events->gap != NULL)
		flow->events->gap(flow, now_ns);
}

void
cc_timeout(struct cc_flow *flow, uint64_t now_ns)
{
	if (flow->events->timeout != NULL)
		flow->events->timeout(flow, now_ns);
}

void
cc_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns)
{
	if (flow->events->rtt_sample != NULL)
		flow->events->rtt_sample(flow, rtt_ns, now_ns);
}

void
cc_cnp_received(struct cc_flow *flow, uint64_t now_ns)
{
	flow->cnp_count++;
	if (flow->events->cnp_received != NULL)
		flow->events->cnp_received(flow, now_ns);
}
