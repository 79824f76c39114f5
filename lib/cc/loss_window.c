/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/loss_window.h"

#include <rte_common.h>

#include "base/limits.h"

/*
 * A window that shrinks with losses: packets may have been lost because too many were sent at once,
 * and a peer whose queue is full of copies does not get to anything new. A gap halves the window, a
 * timeout leaves a small one, and each packet that is acknowledged opens it by one.
 */

#define WINDOW_MIN 32u

static void
start(struct cc_flow *flow)
{
	flow->window = LIMIT_SEND_WINDOW;
}

static void
ack_received(struct cc_flow *flow, uint32_t packet_count, uint64_t now_ns)
{
	(void)now_ns;
	flow->window = RTE_MIN(flow->window + packet_count, (uint32_t)LIMIT_SEND_WINDOW);
}

static void
gap(struct cc_flow *flow, uint64_t now_ns)
{
	(void)now_ns;
	flow->window = RTE_MAX(flow->window / 2, WINDOW_MIN);
}

static void
timeout(struct cc_flow *flow, uint64_t now_ns)
{
	(void)now_ns;
	flow->window = WINDOW_MIN;
}

const struct cc_events cc_loss_window = {
	.start = start,
	.ack_received = ack_received,
	.gap = gap,
	.timeout = timeout,
};
