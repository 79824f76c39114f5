/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/read_response.h"

#include "base/assert.h"
#include "base/encoded_time.h"
#include "base/psn.h"
#include "rc/acks.h"
#include "rc/payload.h"
#include "rc/qp.h"
#include "rc/read_job.h"
#include "rc/response_burst.h"

/*
 * Responses to READs and atomics. Accepting a READ only creates a job. The packets are built when
 * the output queue has room, a limited number per call. So a READ of 2 GiB does not delay other
 * queue pairs (SEC-047), and no payload is stored. Before each packet, the key is checked for the
 * rest of the READ. So after an invalidate of the key, the memory is not read, even for a duplicate
 * READ (RC-057, RC-157, RC-159, SEC-015).
 *
 * Responses obey the rate of the queue pair, as requests do (CC-006).
 *
 * An atomic is executed when it is accepted (atomic.c). This file sends the recorded result once,
 * and once more for each duplicate. A duplicate reads no memory and needs no valid key (RC-058).
 *
 * Jobs are answered strictly in order of arrival. A replay (the answer to a duplicate) is appended
 * to the queue of jobs and never interrupts another response (RC-060).
 */

static uint32_t
slots_of(uint32_t inbound_max)
{
	return inbound_max == 0 ? 0 : rte_align32pow2(inbound_max);
}

static size_t
records_bytes(uint32_t slots)
{
	return RTE_CACHE_LINE_ROUNDUP(slots * sizeof(struct rc_read_record));
}

size_t
rc_reads_bytes(uint32_t inbound_max)
{
	uint32_t slots = slots_of(inbound_max);

	return records_bytes(slots) +
		RTE_CACHE_LINE_ROUNDUP(2 * slots * sizeof(struct rc_read_job));
}

void
rc_reads_init(struct rc_reads *reads, uint32_t inbound_max, void *memory)
{
	uint32_t slots = slots_of(inbound_max);

	*reads = (struct rc_reads){
		.records = memory,
		.jobs = RTE_PTR_ADD(memory, records_bytes(slots)),
		.inbound_max = inbound_max,
		.slots_max = slots,
		.paced_until_ns = BASE_TIME_NEVER,
	};
}

void
rc_reads_connect(struct rc_reads *reads, uint32_t inbound_reads)
{
	BASE_ASSERT(inbound_reads <= reads->inbound_max);
	reads->slots = inbound_reads == 0 ? 0 : rte_align32pow2(inbound_reads);
	rc_reads_reset(reads);
}

static void
drop_jobs(struct rc_reads *reads)
{
	reads->job_head = reads->job_tail;
	reads->replay_count = 0;
	reads->paced_until_ns = BASE_TIME_NEVER;
}

void
rc_reads_reset(struct rc_reads *reads)
{
	drop_jobs(reads);
	reads->record_count = 0;
}

static uint32_t
job_count(const struct rc_reads *reads)
{
	return reads->job_tail - reads->job_head;
}

static struct rc_read_record *
record_at(const struct rc_reads *reads, uint32_t index)
{
	return &reads->records[index & (reads->slots_max - 1)];
}

static void
add_job(struct rc_qp *qp, const struct rc_read_job *job)
{
	struct rc_reads *reads = &qp->responder.reads;

	BASE_ASSERT(job_count(reads) < 2 * reads->slots_max);
	*rc_reads_job(reads, reads->job_tail++) = *job;
	reads->replay_count += job->replay;
	rc_qp_owe(qp, RC_DUTY_READS);
}

static struct rc_read_job
read_job(const struct rc_qp *qp, const struct wire_view *view)
{
	return (struct rc_read_job){
		.psn = view->bth.psn,
		.packets_left = rc_payload_packets(view->reth.length_bytes, qp->pmtu_shift),
		.address = view->reth.address,
		.rkey = view->reth.rkey,
		.bytes_left = view->reth.length_bytes,
		.msn = qp->responder.msn,
		.first = true,
	};
}

static struct rc_read_job
atomic_job(const struct rc_qp *qp, uint32_t psn, uint64_t original)
{
	return (struct rc_read_job){
		.psn = psn,
		.packets_left = 1,
		.msn = qp->responder.msn,
		.first = true,
		.atomic = true,
		.original = original,
	};
}

uint32_t
rc_reads_accept(struct rc_qp *qp, const struct wire_view *view)
{
	struct rc_reads *reads = &qp->responder.reads;
	uint32_t count = rc_payload_packets(view->reth.length_bytes, qp->pmtu_shift);
	struct rc_read_job job = read_job(qp, view);

	BASE_ASSERT(rc_reads_room(reads));
	*record_at(reads, reads->record_count++) = (struct rc_read_record){
		.position = qp->responder.position,
		.packet_count = count,
		.address = view->reth.address,
		.rkey = view->reth.rkey,
		.length_bytes = view->reth.length_bytes,
		.opcode = view->bth.opcode,
	};
	add_job(qp, &job);
	return count;
}

void
rc_reads_executed(struct rc_qp *qp, const struct wire_view *view, uint64_t original)
{
	struct rc_reads *reads = &qp->responder.reads;
	struct rc_read_job job = atomic_job(qp, view->bth.psn, original);

	BASE_ASSERT(rc_reads_room(reads));
	*record_at(reads, reads->record_count++) = (struct rc_read_record){
		.position = qp->responder.position,
		.packet_count = 1,
		.address = view->atomic.address,
		.rkey = view->atomic.rkey,
		.opcode = view->bth.opcode,
		.operands = {view->atomic.swap_add, view->atomic.compare},
		.original = original,
	};
	add_job(qp, &job);
}

/*
 * @return number of PSNs from connection set-up to a duplicate's PSN. For a PSN before the first
 * PSN of the connection, the result is UINT64_MAX, which no record has
 */
static uint64_t
position_of(const struct rc_qp *qp, const struct wire_view *view)
{
	uint64_t behind = (qp->responder.expected_psn - view->bth.psn) & PSN_MASK;

	return behind <= qp->responder.position ? qp->responder.position - behind : UINT64_MAX;
}

/*
 * @return newest record that contains the position, or NULL. Soft-RoCE (rxe), too, compares only
 * the range.
 */
static const struct rc_read_record *
find_record(const struct rc_reads *reads, uint64_t position)
{
	uint32_t kept = RTE_MIN(reads->record_count, reads->slots);

	for (uint32_t i = 1; i <= kept; i++) {
		const struct rc_read_record *record = record_at(reads, reads->record_count - i);

		if (position >= record->position &&
			position - record->position < record->packet_count)
			return record;
	}
	return NULL;
}

/*
 * @return true if the duplicate requests the recorded READ, or the rest of it from a packet
 * boundary on (RC-057)
 */
static bool
repeats_read(const struct rc_qp *qp, const struct rc_read_record *record, uint64_t position,
	const struct wire_reth_value *reth)
{
	uint64_t offset = (position - record->position) << qp->pmtu_shift;

	return record->opcode == WIRE_RC_READ_REQUEST && reth->rkey == record->rkey &&
		reth->address == record->address + offset &&
		reth->length_bytes <= record->length_bytes - offset &&
		(reth->length_bytes > 0 || record->length_bytes == 0);
}

/* @return true if opcode, key, address and operands are those of the recorded atomic (RC-058) */
static bool
repeats_atomic(const struct rc_read_record *record, const struct wire_view *view)
{
	const struct wire_atomic_value *atomic = &view->atomic;

	return record->opcode == view->bth.opcode && record->rkey == atomic->rkey &&
		record->address == atomic->address &&
		record->operands.swap_add == atomic->swap_add &&
		record->operands.compare == atomic->compare;
}

/* @return true if the same response is already queued */
static bool
job_waits(const struct rc_reads *reads, const struct rc_read_job *wanted)
{
	for (uint32_t i = reads->job_head; i != reads->job_tail; i++) {
		const struct rc_read_job *job = rc_reads_job(reads, i);

		if (job->first && job->psn == wanted->psn && job->bytes_left == wanted->bytes_left)
			return true;
	}
	return false;
}

/*
 * Queue a replay, unless the same response is queued. @return false if too many replays are queued
 * (SEC-025).
 */
static bool
replay(struct rc_qp *qp, struct rc_read_job *job)
{
	const struct rc_reads *reads = &qp->responder.reads;

	if (job_waits(reads, job))
		return true;
	if (reads->replay_count >= reads->slots)
		return false;
	job->replay = true;
	add_job(qp, job);
	return true;
}

void
rc_reads_duplicate(struct rc_qp *qp, const struct wire_view *view)
{
	const struct rc_reads *reads = &qp->responder.reads;
	uint64_t position = position_of(qp, view);
	const struct rc_read_record *record = find_record(reads, position);
	struct rc_read_job job;

	if (record != NULL && repeats_read(qp, record, position, &view->reth)) {
		job = read_job(qp, view);
		if (replay(qp, &job))
			return;
	}
	/* the duplicate differs from its record, or has no record (RC-057, RC-059) */
	qp->ctx->counters.drop_duplicate_read++;
}

void
rc_reads_duplicate_atomic(struct rc_qp *qp, const struct wire_view *view)
{
	const struct rc_reads *reads = &qp->responder.reads;
	const struct rc_read_record *record = find_record(reads, position_of(qp, view));
	struct rc_read_job job;

	if (record != NULL && repeats_atomic(record, view)) {
		job = atomic_job(qp, view->bth.psn, record->original);
		if (replay(qp, &job))
			return;
	}
	/* the duplicate differs from its record, or has no record (RC-058, RC-059) */
	qp->ctx->counters.drop_duplicate_atomic++;
}

/*
 * Send the next packet of a job. @param span memory that was checked for the rest of the job;
 * unused if no bytes are left
 */
static bool
send_response(
	struct rc_qp *qp, struct rc_read_job *job, const struct mem_span *span, uint64_t now_ns)
{
	uint16_t bytes = (uint16_t)RTE_MIN(job->bytes_left, (uint32_t)qp->pmtu_bytes);
	uint8_t opcode = rc_read_job_opcode(job);
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	struct rte_mbuf *mbuf = rc_out_reserve(qp->ctx, bytes);
	const void *payload = NULL; /* not copied yet */
	uint8_t *extensions;

	if (mbuf == NULL)
		return false;
	if (wire_payload_fuses(bytes))
		payload = mem_span_pointer(span, 0, bytes);
	if (payload == NULL && bytes > 0)
		mem_span_read(span, 0, rte_pktmbuf_mtod(mbuf, void *), bytes);
	extensions = rc_response_begin(qp, mbuf, opcode, job->psn);
	rc_read_job_extensions_store(job, traits, extensions);
	rc_out_finish_payload(qp->ctx, mbuf, &qp->tmpl, payload, bytes);
	cc_packet_sent(&qp->cc,
		(uint32_t)qp->tmpl.bth_offset + traits->header_bytes + RTE_ALIGN_CEIL(bytes, 4) +
			WIRE_ICRC_BYTES,
		now_ns);

	job->psn = psn_add(job->psn, 1);
	job->packets_left--;
	job->address += bytes;
	job->bytes_left -= bytes;
	job->first = false;
	return true;
}

/*
 * RC-159: the key became invalid after the request was accepted. A fatal NAK replaces the response.
 * READs that were accepted later get no response.
 */
static void
refuse(struct rc_qp *qp, const struct rc_read_job *job, enum mem_refusal refusal)
{
	qp->ctx->counters.refused[refusal]++;
	rc_observe(qp->ctx, qp, RC_STEP_REFUSED, refusal);
	rc_acks_owe_fatal_nak(
		&qp->responder.acks, WIRE_NAK_REMOTE_ACCESS, job->psn, RC_REMOTE_ACCESS);
	drop_jobs(&qp->responder.reads);
	rc_qp_note(qp, RC_EVENT_REFUSED); /* the peer may have guessed a key (SEC-031) */
}

/*
 * Refuse a replay. The refusal is not fatal for this side, because the network may have delayed the
 * duplicate. Its READ may have been answered long ago, and its memory legitimately invalidated
 * since. If the peer still waits for the answer, the NAK makes the peer's request fail. Otherwise
 * the peer drops the NAK.
 * @return false if no mbuf was free, or the output queue was full
 */
static bool
refuse_replay(struct rc_qp *qp, const struct rc_read_job *job, enum mem_refusal refusal)
{
	const struct wire_aeth_value aeth = {.syndrome = WIRE_NAK_REMOTE_ACCESS, .msn = job->msn};
	struct rte_mbuf *mbuf = rc_out_reserve(qp->ctx, 0);

	if (mbuf == NULL)
		return false;
	rc_acknowledge_send(qp, mbuf, job->psn, &aeth);
	qp->ctx->counters.refused[refusal]++;
	rc_observe(qp->ctx, qp, RC_STEP_REFUSED, refusal);
	qp->ctx->counters.tx_naks_access++;
	return true;
}

static void
job_done(struct rc_reads *reads, const struct rc_read_job *job)
{
	reads->replay_count -= job->replay;
	reads->job_head++;
}

/* Send the next packet of the oldest job, or its NAK. @return false if there was no room */
static bool
step(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_reads *reads = &qp->responder.reads;
	struct rc_read_job *job = rc_reads_job(reads, reads->job_head);
	enum mem_refusal refusal = MEM_ALLOWED;
	struct mem_span span;

	/* An empty READ and an atomic have no memory to check (RC-012, RC-058). */
	if (job->bytes_left != 0)
		refusal = rc_read_check(qp, job->rkey, job->address, job->bytes_left, &span);
	if (refusal != MEM_ALLOWED && !job->replay) {
		refuse(qp, job, refusal);
		return true;
	}
	if (refusal != MEM_ALLOWED) {
		if (!refuse_replay(qp, job, refusal))
			return false;
		job_done(reads, job);
		return true;
	}
	if (!send_response(qp, job, &span, now_ns))
		return false;
	if (job->packets_left == 0)
		job_done(reads, job);
	return true;
}

bool
rc_reads_progress(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_reads *reads = &qp->responder.reads;
	const struct rc_counters *counters = &qp->ctx->counters;
	uint64_t before_bytes = counters->tx_bytes;

	reads->paced_until_ns = BASE_TIME_NEVER;
	for (uint32_t sent = 0; rc_reads_pending(reads);) {
		uint64_t bytes = counters->tx_bytes - before_bytes;
		uint32_t burst;

		if (sent >= RC_READ_BUDGET || bytes >= RC_BYTES_PER_CALL)
			return true;
		burst = rc_response_burst_send(
			qp, RC_READ_BUDGET - sent, RC_BYTES_PER_CALL - (uint32_t)bytes, now_ns);
		sent += burst;
		if (burst != 0)
			continue;
		if (cc_send_time_ns(&qp->cc) > now_ns) {
			reads->paced_until_ns = cc_send_time_ns(&qp->cc);
			qp->ctx->counters.tx_paced++;
			return false;
		}
		if (!step(qp, now_ns))
			return true;
		sent++;
	}
	return false;
}
