/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/loss_window.h"

#include <rte_common.h>

#include "base/limits.h"

/*
 * A window that grows with acknowledgements and shrinks with losses, as that of TCP Reno (RFC
 * 5681), counted in packets. Nothing is known about the path at first, so the window starts small.
 * Below the threshold each acknowledged packet opens it by one: it doubles in a round trip. From
 * the threshold on, a whole window of acknowledged packets opens it by one. A window that is less
 * than half used does not grow, because its use does not show that the path has room for more (RFC
 * 7661).
 *
 * A gap shows that the path still delivers: the window is halved. After a timeout perhaps nothing
 * was delivered: a few packets are sent, the first of which asks for an acknowledgement, and the
 * window grows again, quickly up to half of the window that was too large. The minima are small,
 * because many connections may share one short queue, and their minima together have to fit. They
 * are above one, because the loss of a packet that no other follows is found by the timer only.
 */

#define WINDOW_FIRST   64u /* a usual number of small messages in flight; 256 KiB of large ones */
#define WINDOW_GAP     8u  /* least after a gap */
#define WINDOW_TIMEOUT 4u
#define THRESHOLD_MIN  16u

void
cc_loss_start(struct cc_flow *flow, const struct cc_parameters *parameters)
{
	struct cc_loss_state *state = flow->state;

	(void)parameters;
	flow->window = WINDOW_FIRST;
	*state = (struct cc_loss_state){.threshold = LIMIT_SEND_WINDOW};
}

void
cc_loss_ack_received(
	struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns)
{
	struct cc_loss_state *state = flow->state;

	(void)now_ns;
	flow->acked += packet_count;
	if (outstanding < flow->window / 2 || flow->window >= LIMIT_SEND_WINDOW)
		return;
	if (flow->window < state->threshold) {
		flow->window = RTE_MIN(flow->window + packet_count, state->threshold);
		state->acked_mark = flow->acked;
		return;
	}
	if (flow->acked - state->acked_mark >= flow->window) {
		state->acked_mark = flow->acked;
		flow->window++;
	}
}

static void
lower_threshold(struct cc_flow *flow)
{
	struct cc_loss_state *state = flow->state;

	state->threshold = RTE_MAX(flow->window / 2, THRESHOLD_MIN);
	state->acked_mark = flow->acked;
}

void
cc_loss_gap(struct cc_flow *flow, uint64_t now_ns)
{
	(void)now_ns;
	lower_threshold(flow);
	flow->window = RTE_MIN(flow->window, RTE_MAX(flow->window / 2, WINDOW_GAP));
}

void
cc_loss_timeout(struct cc_flow *flow, uint64_t now_ns)
{
	(void)now_ns;
	lower_threshold(flow);
	flow->window = WINDOW_TIMEOUT;
}

const struct cc_events cc_loss_window = {
	.start = cc_loss_start,
	.ack_received = cc_loss_ack_received,
	.gap = cc_loss_gap,
	.timeout = cc_loss_timeout,
};
