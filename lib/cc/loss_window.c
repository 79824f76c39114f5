/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/loss_window.h"

#include <rte_common.h>

#include "base/limits.h"
#include "cc/peer.h"

/*
 * A window that grows with acknowledgements and shrinks with losses, as that of TCP Reno (RFC
 * 5681), counted in packets. Nothing is known about the path at first, so the window starts small.
 * Below the threshold each acknowledged packet opens it by one: it doubles in a round trip. From
 * the threshold on, a whole window of acknowledged packets opens it by one. A window that is less
 * than half used does not grow, because its use does not show that the path has room for more (RFC
 * 7661).
 *
 * A gap shows that the path still delivers: the window is halved, unless the gap has nothing to do
 * with congestion (below). It is halved for a CNP, too. After a timeout perhaps nothing was
 * delivered: a few packets are sent, the first of which asks for an acknowledgement, and the window
 * grows again, quickly up to half of the window that was too large.
 *
 * The minima are small, because many connections may share one short queue, and their minima
 * together have to fit. They are above one, because the loss of a packet that no other follows is
 * found by a timer only. Where round trip times show a queue, they are smaller: those of 64
 * connections, 8 packets each, would be more than most queues hold, and the losses would never end.
 * A CNP is no loss, so that one packet may be left.
 *
 * Bits break, and a path that loses one packet in a thousand by that would be left unused: halving
 * for each loss allows 1.2 / sqrt(0.001) = 39 packets in flight. As in TCP Veno (Fu and Liew, 2003)
 * the round trip time tells such losses from those of a queue: while it is near the least that was
 * seen, there is no queue, and the window stays. As in BBRv2, which allows 2 %, that is so only
 * while few packets are lost, since a queue that is too short to be felt as a delay loses many. Our
 * limit is 10 %, because a loss costs one packet. While fewer than 3 % are lost, and the round trip
 * is at most twice the least, the window even doubles behind such a loss: the path has room. Of a
 * peer that goes back, a loss costs the whole window: the limit is 3 %, and nothing doubles.
 *
 * Where round trip times are known, the losses of one window count once, as in NewReno (RFC 6582):
 * gaps are found one after the other. Without them, the requester goes back, each gap is reported
 * once, and each halves the window.
 */

#define WINDOW_TIMEOUT 4u

#define RTT_NOISE_NS      25000u /* polling, and acknowledgements that are coalesced */
#define GAP_PACKETS_MIN   10u
#define GAP_PACKETS_FEW   32u  /* losses are few; least of a peer that goes back */
#define GAP_PACKETS_FIRST 64u  /* taken for the distance before the first gap */
#define GAP_PACKETS_MAX   128u /* a long time without loss must not hide many losses */

/* The least that a reduction leaves, packets. */
struct least {
	uint32_t window;
	uint32_t threshold;
};

static const struct least usual = {8, 16};
static const struct least in_queue = {2, 2}; /* round trip times show a queue */
static const struct least marked = {1, 2};   /* a queue has marked a packet, and lost none */

void
cc_loss_start(struct cc_flow *flow, const struct cc_parameters *parameters)
{
	struct cc_loss_state *state = flow->state;

	flow->window = cc_window_first(parameters);
	*state = (struct cc_loss_state){
		.threshold = LIMIT_SEND_WINDOW,
		.gap_packets = GAP_PACKETS_FIRST,
	};
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

/* Whether round trips take so long that there is a queue. */
static bool
queue_seen(const struct cc_loss_state *state)
{
	uint64_t noise_ns = RTE_MAX(state->rtt.least_ns / 4, RTT_NOISE_NS);

	return state->rtt.now_ns > state->rtt.least_ns + noise_ns;
}

static const struct least *
least_of(const struct cc_loss_state *state)
{
	return queue_seen(state) ? &in_queue : &usual;
}

static void
lower_threshold(struct cc_flow *flow, const struct least *least)
{
	struct cc_loss_state *state = flow->state;

	state->threshold = RTE_MAX(flow->window / 2, least->threshold);
	state->acked_mark = flow->acked;
}

static void
halve(struct cc_flow *flow, const struct least *least)
{
	struct cc_loss_state *state = flow->state;

	state->cut_mark = flow->acked;
	state->cut_packets = flow->window;
	lower_threshold(flow, least);
	flow->window = RTE_MIN(flow->window, RTE_MAX(flow->window / 2, least->window));
}

/* Whether the window has been reduced for what was in flight then, which is still on its way. */
static bool
recovering(const struct cc_flow *flow)
{
	const struct cc_loss_state *state = flow->state;

	return flow->acked - state->cut_mark < state->cut_packets;
}

static void
gap_count(struct cc_flow *flow)
{
	struct cc_loss_state *state = flow->state;
	uint32_t packets = RTE_MIN(flow->acked - state->gap_mark, GAP_PACKETS_MAX);

	state->gap_mark = flow->acked;
	state->gap_packets = (7 * state->gap_packets + packets) / 8;
}

/* Whether losses are no sign of congestion: there is no queue, and they are few. */
static bool
losses_harmless(const struct cc_loss_state *state)
{
	return !queue_seen(state) &&
		state->gap_packets >= (state->goes_back ? GAP_PACKETS_FEW : GAP_PACKETS_MIN);
}

/* Whether the path has room in spite of harmless losses. */
static bool
may_double(const struct cc_loss_state *state)
{
	return !state->goes_back && state->gap_packets >= GAP_PACKETS_FEW &&
		state->rtt.now_ns / 2 <= state->rtt.least_ns;
}

void
cc_loss_gap(struct cc_flow *flow, uint64_t now_ns)
{
	struct cc_loss_state *state = flow->state;

	(void)now_ns;
	gap_count(flow);
	if (state->rtt.now_ns == 0) {
		halve(flow, &usual);
		return;
	}
	if (recovering(flow))
		return;
	if (!losses_harmless(state))
		halve(flow, least_of(state));
	else if (may_double(state))
		state->threshold = LIMIT_SEND_WINDOW;
	else /* but this is no time to double it */
		state->threshold = RTE_MIN(state->threshold, flow->window);
}

void
cc_peer_goes_back(struct cc_flow *flow, bool goes_back)
{
	struct cc_loss_state *state = flow->state;

	if (flow->events->gap == cc_loss_gap)
		state->goes_back = goes_back;
}

static bool
cnp_received(struct cc_flow *flow, uint64_t now_ns)
{
	(void)now_ns;
	if (recovering(flow))
		return false;
	halve(flow, &marked);
	return true;
}

void
cc_loss_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns)
{
	struct cc_loss_state *state = flow->state;

	cc_rtt_add(&state->rtt, rtt_ns, now_ns);
}

void
cc_loss_timeout(struct cc_flow *flow, uint64_t now_ns)
{
	(void)now_ns;
	lower_threshold(flow, least_of(flow->state));
	flow->window = WINDOW_TIMEOUT;
}

const struct cc_events cc_loss_window = {
	.start = cc_loss_start,
	.ack_received = cc_loss_ack_received,
	.gap = cc_loss_gap,
	.timeout = cc_loss_timeout,
	.cnp_received = cnp_received,
	.rtt_sample = cc_loss_rtt_sample,
};
