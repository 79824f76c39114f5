/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/loss_window.h"

#include <rte_common.h>

#include "base/limits.h"
#include "cc/peer.h"

/*
 * The window, in packets, grows with acknowledgements and shrinks with losses, as in TCP Reno (RFC
 * 5681). The window starts small, because the path is not known. Below the threshold, each
 * acknowledged packet increases it by one, so it doubles per round trip. Above the threshold, it
 * increases by one per window of acknowledged packets. A window that is less than half used does
 * not grow, because its use does not show that the path has more room (RFC 7661).
 *
 * A gap shows that the path still delivers packets: the window is halved, unless the gap is no sign
 * of congestion (below). A CNP halves the window, too. After a timeout, possibly nothing was
 * delivered, so only a few packets are sent, the first with AckReq. The window then grows quickly
 * up to half of the old window.
 *
 * The minimum windows are small, because many connections may share one short queue, and the sum of
 * their minimum windows must fit into it. They are larger than one, because only a timer finds the
 * loss of the last packet in flight. If round trip times show a queue, the minimum is smaller: 64
 * connections with 8 packets each would overflow most queues, and losses would never end. A CNP is
 * no loss, so the minimum is one packet.
 *
 * A path with bit errors that loses one packet in a thousand would be poorly used: halving at each
 * loss allows only 1.2 / sqrt(0.001) = 39 packets in flight. As in TCP Veno (Fu and Liew, 2003),
 * the round trip time distinguishes such losses from queue overflows: while it is near the minimum,
 * there is no queue, and the window stays. As in BBRv2, which allows 2 %, this applies only while
 * few packets are lost, because a queue that is too short to cause a noticeable delay loses many
 * packets. Our limit is 10 %, because a loss costs one packet. If less than 3 % are lost and the
 * round trip time is at most twice the minimum, the path has room, and the window even doubles
 * after such a loss. If the peer discards all packets after a gap, a loss costs the whole window:
 * then the limit is 3 %, and the window does not double.
 *
 * If round trip times are known, all losses of one window count once, as in NewReno (RFC 6582),
 * because gaps are found one after the other. If they are not known, the requester retransmits
 * everything after a gap. Each gap is then reported once and halves the window.
 */

#define WINDOW_TIMEOUT 4u

#define RTT_NOISE_NS      25000u /* variation of RTTs caused by polling and coalesced ACKs */
/*
 * Limits and first value of cc_loss_state.gap_packets, the mean number of packets between two gaps.
 */
#define GAP_PACKETS_MIN   10u
#define GAP_PACKETS_FEW   32u  /* losses are few if the mean number is larger */
#define GAP_PACKETS_FIRST 64u  /* assumed value before the first gap */
#define GAP_PACKETS_MAX   128u /* limits the effect of a long time without a gap */

/* Minimum window and threshold that a reduction may set, in packets. */
struct least {
	uint32_t window;
	uint32_t threshold;
};

static const struct least usual = {8, 16};
static const struct least in_queue = {2, 2}; /* minimum if round trip times show a queue */
/* minimum after a CNP, which shows a queue that is long but has not overflowed */
static const struct least marked = {1, 2};

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

/* @return true if the round trip times show that packets wait in a queue */
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

/* @return true if the window was already reduced for the packets that are in flight */
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

/* @return true if losses are no sign of congestion, because there is no queue and losses are few */
static bool
losses_harmless(const struct cc_loss_state *state)
{
	return !queue_seen(state) &&
		state->gap_packets >= (state->goes_back ? GAP_PACKETS_FEW : GAP_PACKETS_MIN);
}

/* @return true if the path has room for a larger window despite harmless losses */
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
	else /* keep the window, but leave slow start */
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
