/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/retry.h"

#include <inttypes.h>

#include <rte_common.h>

#include "base/encoded_time.h"

#define NS_PER_US 1000u

/* Captures of several interfaces may step back in time. */
static uint64_t
elapsed_ns(uint64_t since_ns, const struct trace_packet *packet)
{
	return packet->time_ns > since_ns ? packet->time_ns - since_ns : 0;
}

void
trace_retry_start(struct trace_retry *retry, uint64_t seq)
{
	*retry = (struct trace_retry){
		.grant = {.timeouts = TRACE_RETRY_ANY,
			.rnr = TRACE_RETRY_ANY,
			.ack_timeout_ns = BASE_TIME_NEVER},
		.seq = seq,
	};
}

/* Count from zero, for the request with this PSN. */
static void
count_restart(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_retry_grant grant = retry->grant;

	*retry = (struct trace_retry){.grant = grant, .seq = seq, .sent_ns = packet->time_ns};
}

void
trace_retry_sent(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	if (seq == retry->seq)
		retry->sent_ns = packet->time_ns;
}

/* What is counted was repeated once more than granted: true once, not for each further one. */
static bool
is_exceeded(uint32_t count, uint32_t granted)
{
	return granted != TRACE_RETRY_ANY && count == granted + 1;
}

/* RC-085: a repetition after an RNR NAK comes neither too early nor too often. */
static void
rnr_repeated(struct trace_retry *retry, const struct trace_packet *packet)
{
	uint64_t waited_ns = elapsed_ns(retry->rnr_ns, packet);

	if (waited_ns <= TRACE_REORDER_NS)
		return;
	if (packet->time_ns + TRACE_REORDER_NS < retry->rnr_until_ns)
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_085,
			"PSN %u is sent again %" PRIu64 " us after the RNR NAK in frame %" PRIu64
			", which demands %" PRIu64 " us",
			packet->view.bth.psn, waited_ns / NS_PER_US, retry->rnr_frame,
			(retry->rnr_until_ns - retry->rnr_ns) / NS_PER_US);
	retry->sent_ns = packet->time_ns;
	retry->waits = false;
	retry->asked = false;
	if (is_exceeded(++retry->rnr, retry->grant.rnr))
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_085,
			"PSN %u is sent again after %u RNR NAKs, the peer granted %u repetitions",
			packet->view.bth.psn, retry->rnr, retry->grant.rnr);
}

/* RC-096: repetitions that no NAK asked for are counted. */
static void
timeout_repeated(struct trace_retry *retry, const struct trace_packet *packet)
{
	uint64_t least_ns = RTE_MAX(TRACE_REORDER_NS, retry->grant.ack_timeout_ns);

	if (retry->asked) {
		retry->asked = false;
		retry->sent_ns = packet->time_ns;
		return;
	}
	if (elapsed_ns(retry->sent_ns, packet) <= least_ns)
		return;
	retry->sent_ns = packet->time_ns;
	if (is_exceeded(++retry->timeouts, retry->grant.timeouts))
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_096,
			"PSN %u is sent again after %u timeouts, the REQ granted %u repetitions",
			packet->view.bth.psn, retry->timeouts, retry->grant.timeouts);
}

void
trace_retry_repeated(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	if (seq < retry->seq)
		count_restart(retry, retry->seq, packet);
	else if (seq == retry->seq && retry->waits)
		rnr_repeated(retry, packet);
	else if (seq == retry->seq)
		timeout_repeated(retry, packet);
}

/* Repeated RNR NAKs of one request: the wait counts from the first, and ends with the earliest. */
static void
rnr_take(struct trace_retry *retry, const struct trace_packet *packet)
{
	uint64_t until = packet->time_ns + base_rnr_timer_ns(packet->view.aeth.syndrome);

	if (retry->waits) {
		retry->rnr_until_ns = RTE_MIN(retry->rnr_until_ns, until);
		return;
	}
	retry->waits = true;
	retry->rnr_frame = packet->frame;
	retry->rnr_ns = packet->time_ns;
	retry->rnr_until_ns = until;
}

void
trace_retry_answered(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	enum wire_aeth_type type = WIRE_AETH_ACK;

	if (view->traits->kind == WIRE_KIND_ACKNOWLEDGE)
		type = wire_aeth_type(view->aeth.syndrome);
	/* A NAK acknowledges what is before its PSN. */
	if (type == WIRE_AETH_ACK)
		seq++;
	if (seq > retry->seq)
		count_restart(retry, seq, packet);
	if (seq != retry->seq || type == WIRE_AETH_ACK)
		return;
	if (type == WIRE_AETH_RNR_NAK)
		rnr_take(retry, packet);
	else
		retry->asked = true;
}
