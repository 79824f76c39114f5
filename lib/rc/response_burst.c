/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/response_burst.h"

#include "base/assert.h"
#include "cc/cc.h"
#include "rc/acks.h"
#include "rc/qp.h"
#include "rc/read_job.h"

/*
 * Fast path for responses of one packet that are sent for the first time: the response to an
 * atomic, or to a READ of contiguous bytes. Several responses are sent together, like requests in
 * burst.c.
 *
 * The key of each READ is checked again before its bytes are read. The fast path stops before the
 * first response that does not meet these conditions, or whose key is invalid. The slow path
 * (read_response.c) handles this response. read_response.c is the specification: it builds the same
 * packets from the same jobs. test_response_burst.c compares both paths.
 */

/* @return number of packets that output queue and congestion control allow now */
static uint32_t
allowed(const struct rc_qp *qp, uint64_t now_ns)
{
	/* The decision of an algorithm with per-packet events may change after each packet. */
	if (cc_wants_packets(&qp->cc) || cc_send_time_ns(&qp->cc) > now_ns)
		return 0;
	return rc_out_room(qp->ctx);
}

static inline bool
usual(const struct rc_read_job *job)
{
	return job->first && job->packets_left == 1 && !job->replay;
}

/* @return bytes of a READ; NULL if they are not accessible or not contiguous */
static inline const uint8_t *
bytes_find(const struct rc_qp *qp, const struct rc_read_job *job)
{
	struct mem_span span;

	if (rc_read_check(qp, job->rkey, job->address, job->bytes_left, &span) != MEM_ALLOWED)
		return NULL;
	return mem_span_pointer(&span, 0, job->bytes_left);
}

/*
 * Find up to `most` next responses for the fast path that begin before most_bytes. Stores pointers
 * to their bytes in `packets`.
 */
static uint32_t
find(const struct rc_qp *qp, uint32_t most, uint32_t most_bytes, struct rc_packet *packets)
{
	const struct rc_reads *reads = &qp->responder.reads;
	uint32_t count = RTE_MIN(most, reads->job_tail - reads->job_head), bytes = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct rc_read_job *job = rc_reads_job(reads, reads->job_head + i);

		if (unlikely(bytes >= most_bytes || !usual(job)))
			return i;
		bytes += job->bytes_left;
		packets[i].job = job;
		packets[i].bytes = job->bytes_left;
		/* any valid address, because the response has no bytes */
		packets[i].from = (const uint8_t *)job;
		if (job->bytes_left != 0)
			packets[i].from = bytes_find(qp, job);
		if (unlikely(packets[i].from == NULL))
			return i;
	}
	return count;
}

static inline bool
alike(const struct rc_packet *a, const struct rc_packet *b)
{
	return a->bytes == b->bytes && a->job->atomic == b->job->atomic;
}

static inline void
responses_begin(const struct rc_qp *qp, const struct rc_packet *packets, struct rte_mbuf **mbufs,
	uint32_t count)
{
	const struct wire_template *tmpl = &qp->tmpl;
	uint16_t ip_id = qp->ctx->ip_id;

	for (uint32_t i = 0; i < count;) {
		const struct rc_packet *first = &packets[i];
		uint8_t opcode = rc_read_job_opcode(first->job);
		const struct wire_series series =
			wire_series_make(tmpl, rc_response_bth(qp->remote_qpn, opcode, 0),
				wire_opcode_traits(opcode)->header_bytes, first->bytes);

		do {
			const struct rc_read_job *job = packets[i].job;
			uint8_t *extensions;

			rc_out_prepare(mbufs[i], (uint16_t)first->bytes);
			extensions = wire_series_begin(mbufs[i], tmpl, &series, job->psn, ip_id++);
			rc_read_job_extensions_store(job, wire_opcode_traits(opcode), extensions);
		} while (++i < count && alike(first, &packets[i]));
	}
}

uint32_t
rc_response_burst_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns)
{
	struct rc_context *ctx = qp->ctx;
	struct rc_packet packets[RC_BURST_MAX];
	struct rte_mbuf **mbufs = ctx->packets + ctx->packet_count;
	uint32_t count;
	uint64_t bytes;

	BASE_ASSERT(most <= RC_BURST_MAX);
	count = find(qp, RTE_MIN(most, allowed(qp, now_ns)), most_bytes, packets);
	if (count == 0 || unlikely(!rc_out_reserve_bulk(ctx, count)))
		return 0;
	bytes = rc_packets_copy(packets, mbufs, count);
	responses_begin(qp, packets, mbufs, count);
	rc_packets_finish(&qp->tmpl, packets, mbufs, count);
	rc_packets_queue(ctx, count, bytes);
	qp->responder.reads.job_head += count;
	return count;
}
