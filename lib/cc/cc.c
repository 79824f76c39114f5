/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/cc.h"

#include "base/assert.h"
#include "base/limits.h"
#include "cc/dcqcn.h"
#include "cc/loss_window.h"
#include "cc/swift.h"

/*
 * The table of algorithms, and the functions for rare events. These functions are not inline
 * because their speed does not matter.
 */

static const struct cc_events none = {.start = NULL};

static const struct {
	const struct cc_events *events;
	size_t state_bytes;
} algorithms[] = {
	[CC_NONE] = {&none, 0},
	[CC_LOSS_WINDOW] = {&cc_loss_window, sizeof(struct cc_loss_state)},
	[CC_DCQCN] = {&cc_dcqcn, sizeof(struct cc_dcqcn_state)},
	[CC_SWIFT] = {&cc_swift, sizeof(struct cc_swift_state)},
};

size_t
cc_state_bytes(enum cc_algorithm algorithm)
{
	return algorithms[algorithm].state_bytes;
}

void
cc_flow_init(struct cc_flow *flow, const struct cc_parameters *parameters, void *state)
{
	BASE_ASSERT(state != NULL || cc_state_bytes(parameters->algorithm) == 0);
	*flow = (struct cc_flow){
		.events = algorithms[parameters->algorithm].events,
		.window = LIMIT_SEND_WINDOW,
		.state = state,
	};
	if (flow->events->start != NULL)
		flow->events->start(flow, parameters);
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

bool
cc_cnp_received(struct cc_flow *flow, uint64_t now_ns)
{
	return flow->events->cnp_received != NULL && flow->events->cnp_received(flow, now_ns);
}
