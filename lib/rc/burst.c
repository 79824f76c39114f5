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
 * Fast path: the usual request is a SEND or WRITE of one packet whose bytes lie in one piece.
 * Several of them are sent together: window, room and mbufs are asked for once, and the state of
 * the send queue is written once behind them.
 *
 * A burst can only accept. It looks at all requests before it changes anything, and ends in front
 * of the first one that is not usual, or whose memory may not be read. That one is cut, refused or
 * left waiting by request.c, which is the specification: it makes the same packets of the same
 * requests. test_burst.c compares the two.
 *
 * The ICRCs are computed when all packets are written: a kernel's wide loads would wait for the
 * narrow stores of headers that were written just before.
 */

/* Packets that window and output allow now. */
static uint32_t
allowed(const struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t outstanding = psn_distance(r->send_psn, r->una_psn);
	uint32_t window = cc_window(&qp->cc);

	/* An algorithm that is told of each packet may change its mind behind each packet. */
	if (outstanding >= window || cc_wants_packets(&qp->cc) || cc_send_time_ns(&qp->cc) > now_ns)
		return 0;
	return RTE_MIN(window - outstanding, rc_out_room(qp->ctx));
}

/* A usual request, and where its bytes are now. */
struct payload {
	struct rc_send_wqe *wqe;
	const uint8_t *from;
	uint32_t bytes;
};

static inline bool
usual(const struct rc_send_wqe *wqe, uint32_t pmtu_bytes)
{
	return rc_opcode_kind(wqe->opcode) == RC_KIND_MESSAGE && (wqe->flags & RC_FENCE) == 0 &&
		wqe->length_bytes <= pmtu_bytes && wqe->sge_count <= 1;
}

/*
 * Usual requests from send_index on, at most so many, and as many as begin in front of so many
 * bytes. Yields where their bytes are.
 */
static __rte_always_inline uint32_t
find(const struct rc_qp *qp, uint32_t most, uint32_t most_bytes, struct payload *payloads)
{
	const struct rc_requester *r = &qp->requester;
	const struct mem_domain *mem = qp->ctx->mem;
	const struct rc_ring ring = r->ring;
	uint32_t index = r->send_index, pmtu_bytes = qp->pmtu_bytes;
	uint32_t end_index = r->halted ? r->start_index : ring.tail;
	uint32_t count = RTE_MIN(most, end_index - index), bytes = 0;

	for (uint32_t i = 0; i < count; i++, index++) {
		struct rc_send_wqe *wqe = rc_ring_at(&ring, index);

		if (unlikely(bytes >= most_bytes || !usual(wqe, pmtu_bytes)))
			return i;
		bytes += wqe->length_bytes;
		payloads[i].wqe = wqe;
		payloads[i].bytes = wqe->length_bytes;
		if (likely(wqe->sge_count != 0 && wqe->length_bytes != 0))
			payloads[i].from = mem_sge_pointer(mem, &wqe->sges[0]);
		else
			payloads[i].from = rc_send_extra(r, index)->inlined; /* or no bytes */
		if (unlikely(payloads[i].from == NULL))
			return i;
	}
	return count;
}

/* Packets with the same headers, but for PSN, IP identification and extension headers. */
struct series {
	struct wire_series wire;
	const struct wire_opcode_traits *traits;
	uint32_t payload_bytes;
	uint8_t opcode; /* of the requests */
	uint8_t flags;
};

static inline bool
continues(const struct series *series, const struct rc_send_wqe *wqe)
{
	return ((wqe->length_bytes ^ series->payload_bytes) |
		       (uint32_t)(wqe->opcode ^ series->opcode) |
		       (uint32_t)(wqe->flags ^ series->flags)) == 0;
}

static inline struct series
series_of(const struct rc_qp *qp, const struct wire_template *tmpl, const struct rc_send_wqe *wqe)
{
	uint8_t opcode = rc_operation(wqe->opcode)->wire[RC_POSITION_ONLY];
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	/* It ends a message, so it asks for an acknowledgement (RC-007). */
	const struct wire_bth_value bth =
		rc_request_bth(qp, opcode, 0, true, (wqe->flags & RC_SOLICITED) != 0);

	return (struct series){
		.wire = wire_series_make(tmpl, bth, traits->header_bytes, wqe->length_bytes),
		.traits = traits,
		.payload_bytes = wqe->length_bytes,
		.opcode = wqe->opcode,
		.flags = wqe->flags,
	};
}

/* Starts a request, and writes all of its packet but payload and ICRC. */
static __rte_always_inline void
request_start(const struct series *series, const struct wire_template *tmpl,
	struct rc_send_wqe *wqe, struct rte_mbuf *mbuf, uint32_t psn, uint16_t ip_id)
{
	uint8_t *extensions;

	wqe->first_psn = psn;
	wqe->packet_count = 1;
	rc_out_prepare(mbuf, (uint16_t)wqe->length_bytes);
	extensions = wire_series_begin(mbuf, tmpl, &series->wire, psn, ip_id);
	rc_request_extensions_store(wqe, series->traits, extensions);
}

static __rte_always_inline void
requests_start(const struct rc_qp *qp, const struct payload *payloads, struct rte_mbuf **mbufs,
	uint32_t count)
{
	const struct wire_template *tmpl = &qp->tmpl;
	uint32_t psn = qp->requester.send_psn;
	uint16_t ip_id = qp->ctx->ip_id;

	for (uint32_t i = 0; i < count;) {
		const struct series series = series_of(qp, tmpl, payloads[i].wqe);

		do {
			struct rc_send_wqe *wqe = payloads[i].wqe;

			BASE_ASSERT(i >= qp->requester.start_index - qp->requester.send_index ||
				(wqe->first_psn == psn && wqe->packet_count == 1));
			request_start(&series, tmpl, wqe, mbufs[i], psn, ip_id++);
			psn = psn_add(psn, 1);
		} while (++i < count && continues(&series, payloads[i].wqe));
	}
}

/* Copies the short payloads. @return bytes of all payloads */
static __rte_always_inline uint64_t
payloads_copy(const struct payload *payloads, struct rte_mbuf **mbufs, uint32_t count)
{
	uint64_t total_bytes = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint8_t *to = (uint8_t *)mbufs[i]->buf_addr + RTE_PKTMBUF_HEADROOM;

		if (!wire_payload_fuses(payloads[i].bytes))
			memcpy(to, payloads[i].from, payloads[i].bytes);
		total_bytes += payloads[i].bytes;
	}
	return total_bytes;
}

/* Copies the long payloads, and adds the ICRCs. */
static __rte_always_inline void
packets_finish(const struct rc_qp *qp, const struct payload *payloads, struct rte_mbuf **mbufs,
	uint32_t count)
{
	const struct wire_template *tmpl = &qp->tmpl;

	for (uint32_t i = 0; i < count; i++) {
		if (wire_payload_fuses(payloads[i].bytes))
			wire_finish_copy(mbufs[i], tmpl, payloads[i].from, payloads[i].bytes);
		else
			wire_finish(mbufs[i], tmpl);
	}
}

/* Builds the packets behind those that are queued, and queues them. */
static __rte_always_inline void
packets_build(const struct rc_qp *qp, const struct payload *payloads, uint32_t count)
{
	struct rc_context *ctx = qp->ctx;
	struct rte_mbuf **mbufs = ctx->packets + ctx->packet_count;

	ctx->counters.tx_bytes += payloads_copy(payloads, mbufs, count);
	ctx->counters.tx_packets += count;
	requests_start(qp, payloads, mbufs, count);
	packets_finish(qp, payloads, mbufs, count);
	ctx->ip_id = (uint16_t)(ctx->ip_id + count);
	ctx->packet_count = (uint16_t)(ctx->packet_count + count);
}

/* Moves the send queue behind the packets. */
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
 * Requests from send_index on. Compiled twice, because a round trip sends one at a time: then there
 * is no loop, and what was made for the packet need not be kept in memory.
 */
static __rte_always_inline uint32_t
send_next(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, struct payload *payloads,
	uint64_t now_ns)
{
	uint32_t count = find(qp, most, most_bytes, payloads);

	if (count == 0)
		return 0;
	if (most == 1)
		count = 1; /* as the compiler does not see */
	if (unlikely(!rc_out_reserve_bulk(qp->ctx, count)))
		return 0;
	packets_build(qp, payloads, count);
	note_sent(qp, count, now_ns);
	return count;
}

static __rte_noinline uint32_t
send_many(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns)
{
	struct payload payloads[RC_BURST_MAX];

	return send_next(qp, most, most_bytes, payloads, now_ns);
}

uint32_t
rc_burst_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns)
{
	uint32_t waiting = qp->requester.ring.tail - qp->requester.send_index;
	struct payload payload;

	BASE_ASSERT(most <= RC_BURST_MAX);
	most = RTE_MIN(RTE_MIN(most, waiting), allowed(qp, now_ns));
	if (unlikely(most == 0))
		return 0;
	if (most == 1)
		return send_next(qp, 1, most_bytes, &payload, now_ns);
	return send_many(qp, most, most_bytes, now_ns);
}
