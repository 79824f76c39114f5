/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/burst.h"

#include "base/assert.h"
#include "cc/cc.h"
#include "rc/operation.h"
#include "rc/out.h"
#include "rc/qp.h"
#include "rc/request_headers.h"

/*
 * Fast path for requests of one packet, under these conditions: the bytes of a SEND or WRITE are
 * contiguous, a READ is answered by one packet, and READs and atomics are within the limit of
 * outstanding READs. Several requests are sent together: window, room and mbufs are checked once,
 * and the state of the send queue is written once, after the packets.
 *
 * The fast path checks all requests before it changes anything. It stops before the first request
 * that does not meet these conditions, or whose memory is not accessible. The slow path (request.c)
 * sends, refuses or delays that request. request.c is the specification: the fast path builds the
 * same packets as request.c. test_burst.c compares both paths.
 */

/* @return number of packets that window and output queue allow now; 0 to use the slow path */
static uint32_t
allowed(const struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t outstanding = psn_distance(r->send_psn, r->una_psn);
	uint32_t window = cc_window(&qp->cc);

	/* The decision of an algorithm with per-packet events may change after each packet. */
	if (outstanding >= window || cc_wants_packets(&qp->cc) || cc_send_time_ns(&qp->cc) > now_ns)
		return 0;
	return RTE_MIN(window - outstanding, rc_out_room(qp->ctx));
}

static inline bool
usual(const struct rc_send_wqe *wqe, uint32_t pmtu_bytes)
{
	return (wqe->flags & RC_FENCE) == 0 && wqe->length_bytes <= pmtu_bytes &&
		wqe->sge_count <= 1;
}

/*
 * @return number of requests from send_index on. Requests after a failed or waiting local operation
 * are not counted.
 */
static inline uint32_t
waiting(const struct rc_requester *r)
{
	return (r->halted ? r->start_index : r->ring.tail) - r->send_index;
}

/*
 * Find up to `most` messages for the fast path, from send_index on, that begin before most_bytes.
 * Stores pointers to the bytes of the messages in `packets`.
 */
static __rte_always_inline uint32_t
messages_find(const struct rc_qp *qp, uint32_t most, uint32_t most_bytes, struct rc_packet *packets)
{
	const struct rc_requester *r = &qp->requester;
	const struct mem_domain *mem = qp->ctx->mem;
	const struct rc_ring ring = r->ring;
	uint32_t index = r->send_index, pmtu_bytes = qp->pmtu_bytes;
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < most; i++, index++) {
		struct rc_send_wqe *wqe = rc_ring_at(&ring, index);

		if (unlikely(bytes >= most_bytes || !usual(wqe, pmtu_bytes) ||
			    rc_opcode_kind(wqe->opcode) != RC_KIND_MESSAGE))
			return i;
		bytes += wqe->length_bytes;
		packets[i].wqe = wqe;
		packets[i].bytes = wqe->length_bytes;
		if (likely(wqe->sge_count != 0 && wqe->length_bytes != 0))
			packets[i].from = mem_sge_pointer(mem, &wqe->sges[0]);
		else
			packets[i].from = rc_send_extra(r, index)->inlined; /* or no bytes */
		if (unlikely(packets[i].from == NULL))
			return i;
	}
	return most;
}

/*
 * @return true if the request is a READ or an atomic, and the memory for its result is accessible
 */
static inline bool
asks(const struct mem_domain *mem, const struct rc_send_wqe *wqe)
{
	const struct mem_sgl sgl = {.sges = wqe->sges, .count = wqe->sge_count};

	return rc_opcode_is_answered(wqe->opcode) &&
		(wqe->length_bytes == 0 || mem_sgl_check(mem, &sgl, MEM_READ_SINK) == RC_OK);
}

/*
 * Find READs and atomics for the fast path from send_index on, up to the limit of outstanding READs
 * (RC-009).
 */
static uint32_t
asks_find(const struct rc_qp *qp, uint32_t most, struct rc_packet *packets)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t started = r->start_index - r->send_index;
	uint32_t fresh = (uint32_t)r->reads_max - r->reads_outstanding;
	uint32_t count = RTE_MIN(most, started + fresh);

	for (uint32_t i = 0; i < count; i++) {
		struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->send_index + i);

		if (unlikely(!usual(wqe, qp->pmtu_bytes) || !asks(qp->ctx->mem, wqe)))
			return i;
		packets[i].wqe = wqe;
		packets[i].from = (const uint8_t *)wqe; /* and no bytes */
		packets[i].bytes = 0;
	}
	return count;
}

/* Packets with the same headers except PSN, IP identification and extension headers. */
struct series {
	struct wire_series wire;
	const struct wire_opcode_traits *traits;
	uint32_t payload_bytes;
	uint8_t opcode; /* opcode of the requests (enum rc_send_opcode) */
	uint8_t flags;
};

static inline bool
continues(const struct series *series, const struct rc_packet *packet)
{
	return ((packet->bytes ^ series->payload_bytes) |
		       (uint32_t)(packet->wqe->opcode ^ series->opcode) |
		       (uint32_t)(packet->wqe->flags ^ series->flags)) == 0;
}

static inline struct series
series_of(const struct rc_qp *qp, const struct rc_packet *packet)
{
	const struct rc_send_wqe *wqe = packet->wqe;
	uint8_t opcode = rc_operation(wqe->opcode)->wire[RC_POSITION_ONLY];
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	/* AckReq is set, because the packet ends a message (RC-007). */
	const struct wire_bth_value bth =
		rc_request_bth(qp, opcode, 0, true, (wqe->flags & RC_SOLICITED) != 0);

	return (struct series){
		.wire = wire_series_make(&qp->tmpl, bth, traits->header_bytes, packet->bytes),
		.traits = traits,
		.payload_bytes = packet->bytes,
		.opcode = wqe->opcode,
		.flags = wqe->flags,
	};
}

/*
 * Start requests, and write the headers of their packets, but no payloads and ICRCs.
 * @param asking true for READs and atomics, false for messages
 */
static __rte_always_inline void
requests_start(const struct rc_qp *qp, const struct rc_packet *packets, struct rte_mbuf **mbufs,
	uint32_t count, bool asking)
{
	const struct wire_template *tmpl = &qp->tmpl;
	const struct rc_requester *r = &qp->requester;
	uint32_t psn = r->send_psn;
	uint16_t ip_id = qp->ctx->ip_id;

	for (uint32_t i = 0; i < count;) {
		const struct series series = series_of(qp, &packets[i]);

		do {
			struct rc_send_wqe *wqe = packets[i].wqe;
			uint8_t *extensions;

			BASE_ASSERT(i >= r->start_index - r->send_index ||
				(wqe->first_psn == psn && wqe->packet_count == 1));
			wqe->first_psn = psn;
			wqe->packet_count = 1;
			rc_out_prepare(mbufs[i], (uint16_t)packets[i].bytes);
			extensions = wire_series_begin(mbufs[i], tmpl, &series.wire, psn, ip_id++);
			if (asking && series.traits->has_atomic_eth)
				rc_request_atomic_store(wqe,
					&rc_send_extra(r, r->send_index + i)->operands, extensions);
			else
				rc_request_extensions_store(wqe, series.traits, extensions);
			psn = psn_add(psn, 1);
		} while (++i < count && continues(&series, &packets[i]));
	}
}

static __rte_always_inline void
packets_build(const struct rc_qp *qp, const struct rc_packet *packets, uint32_t count, bool asking)
{
	struct rc_context *ctx = qp->ctx;
	struct rte_mbuf **mbufs = ctx->packets + ctx->packet_count;
	uint64_t bytes = rc_packets_copy(packets, mbufs, count);

	requests_start(qp, packets, mbufs, count, asking);
	rc_packets_finish(&qp->tmpl, packets, mbufs, count);
	rc_packets_queue(ctx, count, bytes);
}

static __rte_always_inline void
note_sent(struct rc_qp *qp, uint32_t count, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t end_psn = psn_add(r->send_psn, count);
	uint32_t end = psn_distance(end_psn, r->una_psn);
	uint32_t max_sent = psn_distance(r->max_sent_psn, r->una_psn);

	if (end > max_sent) {
		qp->ctx->counters.retransmitted_packets += count - (end - max_sent);
		r->max_sent_psn = end_psn;
		rc_request_time(qp, psn_add(end_psn, -1), now_ns);
	} else {
		qp->ctx->counters.retransmitted_packets += count;
	}
	if (count > r->start_index - r->send_index) {
		r->start_index = r->send_index + count;
		r->next_psn = end_psn;
	}
	r->send_index += count;
	r->send_psn = end_psn;
	r->since_ack_request = 0;
	r->ack_wanted_psn = end_psn;
	rc_timer_request_sent(&r->timer, now_ns);
}

/*
 * Send messages from send_index on. The function is compiled twice: for one message, and for
 * several. Request-response traffic sends one message at a time. With a constant count of 1, the
 * compiler removes the loop and keeps the packet in registers.
 */
static __rte_always_inline uint32_t
messages_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, struct rc_packet *packets,
	uint64_t now_ns)
{
	uint32_t count = messages_find(qp, most, most_bytes, packets);

	if (count == 0)
		return 0;
	if (most == 1)
		count = 1; /* tells the compiler that count is 1 */
	if (unlikely(!rc_out_reserve_bulk(qp->ctx, count)))
		return 0;
	packets_build(qp, packets, count, false);
	note_sent(qp, count, now_ns);
	return count;
}

static __rte_noinline uint32_t
send_many(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns)
{
	struct rc_packet packets[RC_BURST_MAX];

	return messages_send(qp, most, most_bytes, packets, now_ns);
}

static __rte_noinline uint32_t
asks_send(struct rc_qp *qp, uint32_t most, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t started = r->start_index - r->send_index;
	struct rc_packet packets[RC_BURST_MAX];
	uint32_t count = asks_find(qp, most, packets);

	if (count == 0 || unlikely(!rc_out_reserve_bulk(qp->ctx, count)))
		return 0;
	packets_build(qp, packets, count, true);
	if (count > started)
		r->reads_outstanding = (uint16_t)(r->reads_outstanding + count - started);
	note_sent(qp, count, now_ns);
	return count;
}

/* A burst consists either only of messages, or only of READs and atomics. */
uint32_t
rc_burst_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *first = rc_ring_at(&r->ring, r->send_index);
	struct rc_packet packet;

	BASE_ASSERT(most <= RC_BURST_MAX);
	most = RTE_MIN(RTE_MIN(most, waiting(r)), allowed(qp, now_ns));
	if (unlikely(most == 0 || most_bytes == 0))
		return 0;
	if (rc_opcode_is_answered(first->opcode))
		return asks_send(qp, most, now_ns);
	if (most == 1)
		return messages_send(qp, 1, most_bytes, &packet, now_ns);
	return send_many(qp, most, most_bytes, now_ns);
}
