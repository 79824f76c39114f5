/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_QP_LINES_H
#define NDPDK_RC_QP_LINES_H

#include <assert.h>
#include <stddef.h>

#include <rte_prefetch.h>

#include "rc/qp.h"
#include "wire/opcode.h"

/*
 * Prefetching of the cache lines of struct rc_qp that a packet needs. With many queue pairs, these
 * lines are often not in the cache.
 */

/** @return index of the cache line that contains a member */
#define RC_QP_LINE(member) (offsetof(struct rc_qp, member) / RTE_CACHE_LINE_SIZE)

static_assert(RC_QP_LINE(requester) == 1 && RC_QP_LINE(timer_slot) == 2,
	"the members before requester fill cache line 0");
static_assert(offsetof(struct rc_qp, ready) == 3 * RTE_CACHE_LINE_SIZE &&
		RC_QP_LINE(tmpl.bytes[WIRE_USUAL_BTH_OFFSET - 1]) == 3,
	"sending a response uses one cache line");
static_assert(RC_QP_LINE(send_cq) == 4 && RC_QP_LINE(cc.send_time_ns) == 4,
	"sending a request uses two cache lines");
static_assert(offsetof(struct rc_qp, responder.write_address) == 6 * RTE_CACHE_LINE_SIZE,
	"a WRITE of one packet uses one cache line of the responder");
static_assert(RC_QP_LINE(responder.next_nak_ns) == 6 && RC_QP_LINE(receive_cq) == 7,
	"a SEND uses two more cache lines");
static_assert(
	RC_QP_LINE(owner) == 8 && RC_QP_LINE(srq) == 8, "a completion uses one more cache line");

/**
 * Number of cache lines of the send queue that are prefetched. An entry with one SGE needs one
 * line.
 */
#define RC_QP_SHALLOW 2

static inline void
rc_qp_prefetch_line(const struct rc_qp *qp, size_t line)
{
	rte_prefetch0((const uint8_t *)qp + line * RTE_CACHE_LINE_SIZE);
}

/**
 * Prefetch the lines that a request of this side or its response needs. The send queue follows the
 * queue pair in memory. The first lines of the send queue contain the request while the queue is
 * short.
 */
static inline void
rc_qp_prefetch_requester(const struct rc_qp *qp)
{
	const size_t queue_line = sizeof(*qp) / RTE_CACHE_LINE_SIZE;

	for (size_t line = 0; line <= RC_QP_LINE(send_cq); line++)
		rc_qp_prefetch_line(qp, line);
	for (size_t line = queue_line; line < queue_line + RC_QP_SHALLOW; line++)
		rc_qp_prefetch_line(qp, line);
}

/** Prefetch the lines that a received packet needs. @param traits traits of the packet's opcode */
static inline void
rc_qp_prefetch_input(const struct rc_qp *qp, const struct wire_opcode_traits *traits)
{
	if (traits->response) {
		rc_qp_prefetch_requester(qp);
		rc_qp_prefetch_line(qp, RC_QP_LINE(owner));
		return;
	}
	rc_qp_prefetch_line(qp, 0);
	rc_qp_prefetch_line(qp, RC_QP_LINE(tmpl));
	rc_qp_prefetch_line(qp, RC_QP_LINE(responder));
	if (traits->kind == WIRE_KIND_WRITE && !traits->needs_receive)
		return;
	rc_qp_prefetch_line(qp, RC_QP_LINE(responder.ring));
	rc_qp_prefetch_line(qp, RC_QP_LINE(responder.reads));
	rc_qp_prefetch_line(qp, RC_QP_LINE(owner));
}

#endif
