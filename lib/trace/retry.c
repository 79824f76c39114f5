/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/retry.h"

#include <inttypes.h>

#include <rte_common.h>

#include "base/be.h"
#include "base/encoded_time.h"
#include "base/psn.h"
#include "trace/stats.h"
#include "wire/gid.h"

#define NS_PER_US     1000u
/* A timer counts as overdue after this many ACK timeouts. */
#define TIMEOUTS_LATE 4u
/* Queueing may make a path slower than during the CM exchange, by at most this time in ns. */
#define TURN_SPARE_NS UINT64_C(1000000)
#define UDP_BYTES     8u
#define IPV4_BYTES    20u
#define IPV4_ID_AT    4u

void
trace_retry_start(struct trace_retry *retry, uint64_t seq)
{
	*retry = (struct trace_retry){
		.grant = {.timeouts = TRACE_RETRY_ANY,
			.rnr = TRACE_RETRY_ANY,
			.ack_timeout_ns = BASE_TIME_NEVER,
			.turn_ns = BASE_TIME_NEVER},
		.ip_id = TRACE_RETRY_NO_ID,
		.seq = seq,
	};
}

/* Start to count retransmissions of the request with this PSN, from zero. */
static void
count_restart(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_retry before = *retry;

	*retry = (struct trace_retry){
		.grant = before.grant,
		.unjudged = before.unjudged,
		.ip_id = seq == before.seq ? before.ip_id : TRACE_RETRY_NO_ID,
		.seq = seq,
		.sent_ns = packet->time_ns,
	};
}

uint32_t
trace_ip_id(const struct trace_packet *packet)
{
	const uint8_t *ip = packet->bytes + packet->view.bth_offset - UDP_BYTES - IPV4_BYTES;
	const uint32_t id = be_load16(ip + IPV4_ID_AT);

	if (!wire_gid_is_v4(&packet->view.src) || id == 0)
		return TRACE_RETRY_NO_ID;
	return id;
}

/*
 * @return true if a packet is certainly a retransmission of the oldest request, and not a
 * duplicate that the network made. A duplicate does not have a higher IP identification
 * than the newest transmission.
 */
static bool
is_sent_again(const struct trace_retry *retry, const struct trace_packet *packet)
{
	const uint32_t id = trace_ip_id(packet);

	return id != TRACE_RETRY_NO_ID && retry->ip_id != TRACE_RETRY_NO_ID &&
		(int16_t)(id - retry->ip_id) > 0;
}

/*
 * @return longest time in ns for which a requester may send requests after an answer was captured,
 *         before it receives this answer
 */
static uint64_t
crossing_ns(const struct trace_retry *retry)
{
	if (retry->grant.turn_ns >= TRACE_REORDER_NS / 2)
		return TRACE_REORDER_NS;
	return 2 * retry->grant.turn_ns + TURN_SPARE_NS;
}

/*
 * @return true if a breach of a rule has continued for TRACE_REORDER_NS without a pause. Shorter
 *         breaches are not reported, because a side whose thread paused may send requests before
 *         it processes received packets and timers.
 */
static bool
goes_on(struct trace_retry_habit *habit, const struct trace_packet *packet)
{
	if (!habit->begun || trace_elapsed_ns(habit->newest_ns, packet) > TRACE_REORDER_NS) {
		habit->begun = true;
		habit->since_ns = packet->time_ns;
	}
	habit->newest_ns = packet->time_ns;
	return trace_elapsed_ns(habit->since_ns, packet) > TRACE_REORDER_NS;
}

/* RC-098: report a request other than the one that a sequence NAK requests. */
static void
passed_over_check(struct trace_retry *retry, const struct trace_packet *packet)
{
	if (!retry->refused || retry->repeated || retry->waits || retry->told_nak ||
		trace_elapsed_ns(retry->nak_ns, packet) <= TRACE_REORDER_NS ||
		!goes_on(&retry->passes, packet))
		return;
	retry->told_nak = true;
	trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_098,
		"PSN %u is sent, but PSN %u, requested by the sequence NAK in frame %" PRIu64
		", was not retransmitted",
		packet->view.bth.psn, (uint32_t)(retry->seq & PSN_MASK), retry->nak_frame);
}

/* RC-085: report a new request during the wait that an RNR NAK demands. */
static void
wait_check(struct trace_retry *retry, const struct trace_packet *packet)
{
	uint64_t waited_ns = trace_elapsed_ns(retry->rnr_ns, packet);

	if (!retry->waits || retry->told_rnr || waited_ns <= TRACE_REORDER_NS ||
		packet->time_ns + TRACE_REORDER_NS >= retry->rnr_until_ns)
		return;
	retry->told_rnr = true;
	trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_085,
		"PSN %u is sent %" PRIu64 " us after the RNR NAK in frame %" PRIu64
		", which requires a wait of %" PRIu64 " us",
		packet->view.bth.psn, waited_ns / NS_PER_US, retry->rnr_frame,
		(retry->rnr_until_ns - retry->rnr_ns) / NS_PER_US);
}

/*
 * RC-095: report that the timer of the oldest request must have expired, but no retransmission
 * follows.
 */
static void
late_check(struct trace_retry *retry, const struct trace_packet *packet)
{
	const uint64_t timeout_ns = retry->grant.ack_timeout_ns;
	uint64_t since_ns = RTE_MAX(retry->sent_ns, retry->wanted_ns);

	if (timeout_ns == BASE_TIME_NEVER || !retry->wanted || retry->waits || retry->told_late)
		return;
	if (retry->seen)
		since_ns = RTE_MAX(since_ns, retry->seen_ns);
	if (trace_elapsed_ns(since_ns, packet) <=
			RTE_MAX(TIMEOUTS_LATE * timeout_ns, TRACE_RETRY_LATE_NS) +
				TRACE_REORDER_NS ||
		!goes_on(&retry->lags, packet))
		return;
	retry->told_late = true;
	trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_095,
		"PSN %u is sent, but PSN %u, unanswered for %" PRIu64
		" us, was not retransmitted; the ACK timeout is %" PRIu64 " us",
		packet->view.bth.psn, (uint32_t)(retry->seq & PSN_MASK),
		trace_elapsed_ns(since_ns, packet) / NS_PER_US, timeout_ns / NS_PER_US);
}

void
trace_retry_sent(struct trace_retry *retry, uint64_t seq, bool oldest_sent,
	const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;

	if (seq == retry->seq) {
		retry->sent_ns = packet->time_ns;
		retry->seen = true;
		retry->seen_ns = packet->time_ns;
		retry->ip_id = trace_ip_id(packet);
		/* After a NAK for this PSN, the first transmission was lost before the capture. */
		retry->repeated = retry->refused;
	} else if (seq > retry->seq) {
		wait_check(retry, packet);
		passed_over_check(retry, packet);
		if (oldest_sent)
			late_check(retry, packet);
	}
	if (retry->wanted ||
		(!view->bth.ack_request &&
			(view->traits->kind == WIRE_KIND_SEND ||
				view->traits->kind == WIRE_KIND_WRITE)))
		return;
	retry->wanted = true;
	retry->wanted_ns = packet->time_ns;
}

/* @return true if the count exceeds its limit for the first time */
static bool
is_exceeded(uint32_t count, uint32_t granted)
{
	return granted != TRACE_RETRY_ANY && count == granted + 1;
}

/*
 * RC-085: judge a retransmission after an RNR NAK, which must be neither too early nor too often.
 */
static void
rnr_repeated(struct trace_retry *retry, const struct trace_packet *packet)
{
	const uint64_t waited_ns = trace_elapsed_ns(retry->rnr_ns, packet);
	const bool again = is_sent_again(retry, packet);
	const uint64_t crossing = again ? crossing_ns(retry) : TRACE_REORDER_NS;
	const uint64_t early_ns = again ? TRACE_RETRY_TICK_NS : TRACE_REORDER_NS;

	if (waited_ns <= crossing) {
		retry->unjudged.rnr_waits++;
		return;
	}
	if (packet->time_ns + early_ns >= retry->rnr_until_ns)
		retry->unjudged.rnr_waits +=
			retry->rnr_until_ns - retry->rnr_ns <= crossing + early_ns;
	else
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_085,
			"PSN %u is retransmitted %" PRIu64 " us after the RNR NAK in frame %" PRIu64
			", which requires a wait of %" PRIu64 " us",
			packet->view.bth.psn, waited_ns / NS_PER_US, retry->rnr_frame,
			(retry->rnr_until_ns - retry->rnr_ns) / NS_PER_US);
	retry->sent_ns = packet->time_ns;
	retry->waits = false;
	retry->asked = false;
	if (is_exceeded(++retry->rnr, retry->grant.rnr))
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_085,
			"PSN %u is retransmitted after %u RNR NAKs, but the RNR retry count of the "
			"peer is %u",
			packet->view.bth.psn, retry->rnr, retry->grant.rnr);
}

/* RC-096: count retransmissions that were caused by a timeout, and not by a NAK. */
static void
timeout_repeated(struct trace_retry *retry, const struct trace_packet *packet)
{
	uint64_t least_ns = RTE_MAX(TRACE_REORDER_NS, retry->grant.ack_timeout_ns);

	if (retry->asked) {
		retry->asked = false;
		retry->sent_ns = packet->time_ns;
		return;
	}
	if (trace_elapsed_ns(retry->sent_ns, packet) <= least_ns)
		return;
	retry->sent_ns = packet->time_ns;
	if (is_exceeded(++retry->timeouts, retry->grant.timeouts))
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_096,
			"PSN %u is retransmitted after %u timeouts, but the retry count of the REQ "
			"is %u",
			packet->view.bth.psn, retry->timeouts, retry->grant.timeouts);
}

uint64_t
trace_retry_repeated(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	uint64_t waited_ns = BASE_TIME_NEVER;

	if (seq < retry->seq) {
		count_restart(retry, retry->seq, packet);
		return waited_ns;
	}
	if (seq > retry->seq) {
		passed_over_check(retry, packet);
		return waited_ns;
	}
	if (!retry->asked && !retry->waits) {
		waited_ns = trace_elapsed_ns(
			retry->seen ? RTE_MAX(retry->sent_ns, retry->seen_ns) : retry->sent_ns,
			packet);
		retry->unjudged.timeouts +=
			retry->grant.timeouts == TRACE_RETRY_ANY && waited_ns > TRACE_REORDER_NS;
	}
	if (retry->waits)
		rnr_repeated(retry, packet);
	else
		timeout_repeated(retry, packet);
	retry->seen = true;
	retry->seen_ns = packet->time_ns;
	if (retry->ip_id == TRACE_RETRY_NO_ID || is_sent_again(retry, packet))
		retry->ip_id = trace_ip_id(packet);
	retry->repeated = true;
	return waited_ns;
}

/*
 * Process an RNR NAK. If a request gets several RNR NAKs, its wait starts at the first RNR NAK, and
 * ends as soon as one RNR NAK allows a retransmission.
 */
static void
rnr_take(struct trace_retry *retry, const struct trace_packet *packet)
{
	uint64_t until = packet->time_ns + base_rnr_timer_ns(packet->view.aeth.syndrome);

	if (retry->waits) {
		retry->rnr_until_ns = RTE_MIN(retry->rnr_until_ns, until);
		return;
	}
	retry->waits = true;
	retry->timeouts = 0; /* a requester may restart its count at any answer */
	retry->rnr_frame = packet->frame;
	retry->rnr_ns = packet->time_ns;
	retry->rnr_until_ns = until;
}

/*
 * RC-023: the responder sends only one NAK for a gap, until the requested PSN is retransmitted. A
 * retransmission shortly before a NAK may have arrived after the NAK was sent. An RNR NAK shows
 * that the packet arrived.
 */
static void
nak_take(struct trace_retry *retry, const struct trace_packet *packet)
{
	if (!retry->refused) {
		retry->refused = true;
		retry->nak_ns = packet->time_ns;
		retry->nak_frame = packet->frame;
	} else if (!retry->told_again && !retry->waits &&
		trace_elapsed_ns(retry->nak_newest_ns, packet) > TRACE_REORDER_NS &&
		(!retry->repeated || retry->seen_ns + TRACE_REORDER_NS < retry->nak_newest_ns)) {
		retry->told_again = true;
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_023,
			"sequence NAK expects PSN %u, like the NAK in frame %" PRIu64
			", but this PSN was not sent in between",
			packet->view.bth.psn, retry->nak_newest_frame);
	}
	retry->nak_newest_ns = packet->time_ns;
	retry->nak_newest_frame = packet->frame;
}

uint64_t
trace_retry_answered(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	enum wire_aeth_type type = WIRE_AETH_ACK;

	if (view->traits->kind == WIRE_KIND_ACKNOWLEDGE)
		type = wire_aeth_type(view->aeth.syndrome);
	/* An ACK acknowledges its own PSN. A NAK acknowledges only the PSNs before its own PSN. */
	if (type == WIRE_AETH_ACK)
		seq++;
	if (seq > retry->seq)
		count_restart(retry, seq, packet);
	if (seq != retry->seq || type == WIRE_AETH_ACK)
		return seq;
	if (type == WIRE_AETH_RNR_NAK) {
		rnr_take(retry, packet);
		return seq;
	}
	retry->asked = true;
	if (view->aeth.syndrome == WIRE_NAK_SEQUENCE)
		nak_take(retry, packet);
	return seq;
}
