/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/request.h"

#include "base/assert.h"
#include "cc/cc.h"
#include "rc/operation.h"
#include "rc/out.h"
#include "rc/request_headers.h"

/*
 * Builds one packet of a started request (struct cut). The distance of the packet's PSN to the
 * first PSN of the request determines all fields of the packet: opcode (RC-001), offset and length
 * of the payload (RC-002), remote address of the rest of a READ (RC-079). So a retransmitted packet
 * is identical (RC-101). A message that is resumed in the middle continues with Middle or Last
 * (RC-103). A failed attempt leaves no state to restore (B-050).
 */

struct cut {
	struct rc_send_wqe *wqe;
	const struct rc_operation *operation;
	uint32_t wqe_index;
	uint32_t psn; /* PSN of the packet */
	uint32_t index;
	/* number of PSNs that the packet uses: 1, or the number of READ responses */
	uint32_t packets;
	uint64_t offset; /* offset of the payload in the message, in bytes */
	uint16_t payload_bytes;
	bool first;
	bool last;
};

/* @param most maximum number of PSNs that a READ requests */
static __rte_always_inline struct cut
cut_at(const struct rc_qp *qp, uint32_t wqe_index, uint32_t psn, uint32_t most)
{
	struct rc_send_wqe *wqe = rc_ring_at(&qp->requester.ring, wqe_index);
	struct cut cut = {
		.wqe = wqe,
		.operation = rc_operation(wqe->opcode),
		.wqe_index = wqe_index,
		.psn = psn,
		.index = psn_distance(psn, wqe->first_psn),
		.packets = 1,
	};

	BASE_ASSERT(cut.index < wqe->packet_count);
	cut.first = cut.index == 0;
	cut.offset = (uint64_t)cut.index << qp->pmtu_shift;
	cut.last = cut.index + 1 == wqe->packet_count;
	if (cut.operation->kind == RC_KIND_MESSAGE) {
		cut.payload_bytes =
			(uint16_t)RTE_MIN(wqe->length_bytes - cut.offset, qp->pmtu_bytes);
	} else if (cut.operation->kind == RC_KIND_READ) {
		cut.packets = RTE_MIN(rc_request_read_packets(wqe, cut.index), most);
		cut.last = true; /* a READ request consists of one packet */
	}
	return cut;
}

/*
 * @return true if the window permits this number of PSNs now. PSNs of READ responses count like
 * PSNs of requests (RC-013). A READ that is longer than the window could never be sent, so it is
 * sent when no other PSN is outstanding.
 */
static bool
window_open(const struct rc_qp *qp, uint32_t packets)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t outstanding = psn_distance(r->send_psn, r->una_psn);

	return outstanding == 0 || outstanding + packets <= cc_window(&qp->cc);
}

/*
 * @return true if AckReq must be set (RC-007): at the end of a message, at intervals in a long
 * message, and when the window allows no further packet
 */
static bool
ack_request_due(const struct rc_qp *qp, const struct cut *cut)
{
	const struct rc_requester *r = &qp->requester;

	return cut->last || r->since_ack_request + 1 >= RC_ACK_REQUEST_SPACING ||
		psn_distance(r->send_psn, r->una_psn) + 1 >= cc_window(&qp->cc);
}

/*
 * Find the payload of a packet. Stores a pointer to bytes that must be copied later; NULL if the
 * bytes are already in the mbuf.
 */
static enum rc_status
payload_find(const struct rc_qp *qp, const struct cut *cut, struct rte_mbuf *mbuf,
	const uint8_t **payload)
{
	const struct rc_send_wqe *wqe = cut->wqe;
	const struct mem_sgl sgl = {.sges = wqe->sges, .count = wqe->sge_count};
	uint8_t *to = rte_pktmbuf_mtod(mbuf, uint8_t *);

	if (cut->payload_bytes == 0)
		return RC_OK;
	if ((wqe->flags & RC_INLINE) != 0) {
		const uint8_t *data = rc_send_extra(&qp->requester, cut->wqe_index)->inlined;

		memcpy(to, data + cut->offset, cut->payload_bytes);
		return RC_OK;
	}
	if (wire_payload_fuses(cut->payload_bytes))
		*payload = mem_sgl_pointer(qp->ctx->mem, &sgl, cut->offset, cut->payload_bytes);
	if (*payload != NULL)
		return RC_OK;
	return mem_sgl_gather(qp->ctx->mem, &sgl, cut->offset, to, cut->payload_bytes);
}

/* A READ or atomic is sent only if the local memory for its result is accessible. */
static enum rc_status
check_sink(const struct rc_qp *qp, const struct cut *cut)
{
	const struct mem_sgl sgl = {.sges = cut->wqe->sges, .count = cut->wqe->sge_count};

	return cut->wqe->length_bytes == 0 ? RC_OK
					   : mem_sgl_check(qp->ctx->mem, &sgl, MEM_READ_SINK);
}

/*
 * Allocate an mbuf for the packet and find the payload (payload_find()). *mbuf is set only for
 * RC_REQUEST_SENT.
 */
static enum rc_request_outcome
payload_make(const struct rc_qp *qp, const struct cut *cut, struct rte_mbuf **mbuf,
	const uint8_t **payload)
{
	enum rc_status status;

	*mbuf = rc_out_reserve(qp->ctx, cut->payload_bytes);
	if (*mbuf == NULL)
		return RC_REQUEST_NO_ROOM;
	status = cut->operation->kind == RC_KIND_MESSAGE ? payload_find(qp, cut, *mbuf, payload)
							 : check_sink(qp, cut);
	if (status != RC_OK) {
		rte_pktmbuf_free(*mbuf);
		return RC_REQUEST_FAILED;
	}
	return RC_REQUEST_SENT;
}

static uint8_t
opcode_of(const struct cut *cut)
{
	return cut->operation
		->wire[(cut->first ? RC_POSITION_FIRST : 0) | (cut->last ? RC_POSITION_LAST : 0)];
}

/* Write the RETH of a READ, which contains the part to be requested (RC-079). */
static void
read_store(const struct rc_qp *qp, const struct cut *cut, uint8_t *to)
{
	const struct rc_send_wqe *wqe = cut->wqe;
	uint64_t end = (uint64_t)(cut->index + cut->packets) << qp->pmtu_shift;
	const struct wire_reth_value reth = {
		.address = wqe->remote_address + cut->offset,
		.rkey = wqe->rkey,
		.length_bytes = (uint32_t)(RTE_MIN(end, (uint64_t)wqe->length_bytes) - cut->offset),
	};

	wire_reth_store((struct wire_reth *)to, &reth);
}

static void
extensions_store(const struct rc_qp *qp, const struct cut *cut,
	const struct wire_opcode_traits *traits, uint8_t *to)
{
	if (cut->operation->kind == RC_KIND_READ)
		read_store(qp, cut, to);
	else if (cut->operation->kind == RC_KIND_ATOMIC)
		rc_request_atomic_store(
			cut->wqe, &rc_send_extra(&qp->requester, cut->wqe_index)->operands, to);
	else
		rc_request_extensions_store(cut->wqe, traits, to);
}

static void
packet_send(const struct rc_qp *qp, const struct cut *cut, const struct wire_opcode_traits *traits,
	bool ack_request, struct rte_mbuf *mbuf, const uint8_t *payload)
{
	/* RC-008: SE is set in the last packet only. */
	const struct wire_bth_value bth = rc_request_bth(qp, opcode_of(cut), cut->psn, ack_request,
		cut->last && (cut->wqe->flags & RC_SOLICITED) != 0);
	uint8_t *extensions = rc_out_begin(qp->ctx, mbuf, &qp->tmpl, bth, traits->header_bytes);

	extensions_store(qp, cut, traits, extensions);
	rc_out_finish_payload(qp->ctx, mbuf, &qp->tmpl, payload, cut->payload_bytes);
}

static void
note_packet(struct rc_qp *qp, const struct cut *cut, const struct wire_opcode_traits *traits,
	uint64_t now_ns)
{
	if (cut->operation->kind == RC_KIND_READ && !cut->first)
		qp->requester.read_restart_psn = cut->psn;
	cc_packet_sent(&qp->cc,
		qp->tmpl.bth_offset + traits->header_bytes +
			RTE_ALIGN_CEIL((uint32_t)cut->payload_bytes, 4u) + WIRE_ICRC_BYTES,
		now_ns);
}

/* Advance the state of the send queue past a queued packet. */
static void
note_sent(struct rc_qp *qp, const struct cut *cut, bool ack_request, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t end_psn = psn_add(r->send_psn, cut->packets);

	if (psn_distance(end_psn, r->una_psn) > psn_distance(r->max_sent_psn, r->una_psn)) {
		r->max_sent_psn = end_psn;
		if (ack_request)
			rc_request_time(qp, cut->psn, now_ns);
	} else {
		qp->ctx->counters.retransmitted_packets++;
	}
	r->send_psn = end_psn;
	if (cut->index + cut->packets == cut->wqe->packet_count)
		r->send_index++;

	r->since_ack_request++;
	if (ack_request) {
		r->since_ack_request = 0;
		r->ack_wanted_psn = end_psn;
		rc_timer_request_sent(&r->timer, now_ns);
	}
}

/*
 * @return true if congestion control allows a packet now. Otherwise the time of the next packet is
 * recorded (RC-102, CC-007)
 */
static bool
pace_open(struct rc_qp *qp, uint64_t now_ns)
{
	uint64_t send_time_ns = cc_send_time_ns(&qp->cc);

	if (send_time_ns <= now_ns)
		return true;
	qp->requester.pace_ns = send_time_ns;
	qp->ctx->counters.tx_paced++;
	return false;
}

enum rc_request_outcome
rc_request_send(struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	const struct cut cut = cut_at(qp, r->send_index, r->send_psn, UINT32_MAX);
	const struct wire_opcode_traits *traits;
	const uint8_t *payload = NULL;
	enum rc_request_outcome outcome;
	struct rte_mbuf *mbuf;
	bool ack_request;

	if (!window_open(qp, cut.packets) || !pace_open(qp, now_ns))
		return RC_REQUEST_BLOCKED;
	outcome = payload_make(qp, &cut, &mbuf, &payload);
	if (outcome != RC_REQUEST_SENT)
		return outcome;
	traits = wire_opcode_traits(opcode_of(&cut));
	ack_request = ack_request_due(qp, &cut);
	packet_send(qp, &cut, traits, ack_request, mbuf, payload);
	note_packet(qp, &cut, traits, now_ns);
	note_sent(qp, &cut, ack_request, now_ns);
	return RC_REQUEST_SENT;
}

/* A retransmission was queued. */
static void
note_resent(struct rc_qp *qp, const struct cut *cut, bool ack_request, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t end_psn = psn_add(cut->psn, cut->packets);

	if (!ack_request)
		return;
	if (psn_distance(end_psn, r->una_psn) > psn_distance(r->ack_wanted_psn, r->una_psn))
		r->ack_wanted_psn = end_psn;
	rc_timer_request_sent(&r->timer, now_ns);
}

enum rc_request_outcome
rc_request_resend(struct rc_qp *qp, const struct rc_request_packet *packet, uint64_t now_ns)
{
	const struct cut cut = cut_at(qp, packet->wqe_index, packet->psn, packet->read_packets);
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode_of(&cut));
	bool ack_request = packet->ack_request || cut.operation->kind != RC_KIND_MESSAGE;
	const uint8_t *payload = NULL;
	enum rc_request_outcome outcome;
	struct rte_mbuf *mbuf;

	if (!pace_open(qp, now_ns))
		return RC_REQUEST_BLOCKED;
	outcome = payload_make(qp, &cut, &mbuf, &payload);
	if (outcome != RC_REQUEST_SENT)
		return outcome;
	packet_send(qp, &cut, traits, ack_request, mbuf, payload);
	note_packet(qp, &cut, traits, now_ns);
	note_resent(qp, &cut, ack_request, now_ns);
	return RC_REQUEST_SENT;
}
