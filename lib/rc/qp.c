/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/qp.h"

#include <rte_branch_prediction.h>
#include <rte_malloc.h>

#include "base/assert.h"
#include "base/dpdk_compat.h"
#include "rc/cnp.h"
#include "rc/qp_lines.h"
#include "rc/qp_time.h"
#include "wire/cm_msg.h"

/*
 * Functions that requester and responder share: creation, connection, the first checks of each
 * packet (RC-020, RC-021), the order of sending, and the transition to ERROR. Only the states that
 * Network Direct needs exist. In INIT, only receives can be posted. In RTS, the queue pair sends
 * and receives. In ERROR, it answers no packet (RC-120, RC-121). A queue pair never leaves ERROR.
 */

static bool
attr_valid(const struct rc_qp_attr *attr)
{
	return wire_qpn_usable(attr->qpn) && attr->receive_cq != NULL && attr->send_cq != NULL &&
		attr->receive_entries <= LIMIT_QUEUE_ENTRIES &&
		attr->send_entries <= LIMIT_QUEUE_ENTRIES && attr->receive_sge_max <= LIMIT_SGE &&
		attr->send_sge_max <= LIMIT_SGE && attr->inline_max <= LIMIT_INLINE_BYTES &&
		attr->inbound_reads_max <= LIMIT_READS &&
		(attr->srq == NULL ||
			(attr->receive_entries == 0 &&
				attr->receive_sge_max == attr->srq->sge_max));
}

static const struct cc_parameters *
cc_parameters(const struct rc_qp_attr *attr)
{
	static const struct cc_parameters usual = {.algorithm = CC_LOSS_WINDOW};

	return attr->cc != NULL ? attr->cc : &usual;
}

/*
 * One block of memory contains the queue pair, then the send queue, then the other data of
 * requester and responder. So the first requests are in the cache lines after the queue pair. If
 * the queues are short, all data that a packet needs is in one page.
 */
size_t
rc_qp_bytes(const struct rc_qp_attr *attr)
{
	return sizeof(struct rc_qp) + rc_requester_bytes(attr) + rc_responder_bytes(attr) +
		RTE_CACHE_LINE_ROUNDUP(cc_state_bytes(cc_parameters(attr)->algorithm));
}

static struct rc_qp *
memory_take(const struct rc_qp_attr *attr)
{
	struct rc_qp *qp = attr->memory;

	if (qp != NULL)
		return qp;
	qp = rte_zmalloc_socket("rc_qp", rc_qp_bytes(attr), RTE_CACHE_LINE_SIZE, attr->socket_id);
	if (qp != NULL)
		qp->memory_own = true;
	return qp;
}

static void
parts_init(struct rc_qp *qp, const struct rc_qp_attr *attr)
{
	void *memory = qp + 1;

	static_assert(sizeof(*qp) % RTE_CACHE_LINE_SIZE == 0, "the queues begin at a cache line");
	rc_requester_init(qp, attr, memory);
	memory = RTE_PTR_ADD(memory, rc_requester_bytes(attr));
	rc_responder_init(qp, attr, memory);
	cc_flow_init(&qp->cc, cc_parameters(attr), RTE_PTR_ADD(memory, rc_responder_bytes(attr)));
}

enum rc_status
rc_qp_create(struct rc_context *ctx, const struct rc_qp_attr *attr, struct rc_qp **out)
{
	struct rc_qp *qp;

	if (!attr_valid(attr))
		return RC_INVALID_ARGUMENT;
	qp = memory_take(attr);
	if (qp == NULL)
		return RC_NO_RESOURCES;
	qp->ctx = ctx;
	qp->state = RC_QP_INIT;
	qp->qpn = attr->qpn;
	qp->receive_cq = attr->receive_cq;
	qp->send_cq = attr->send_cq;
	qp->srq = attr->srq;
	qp->owner = attr->owner;
	qp->keepalive.deadline_ns = BASE_TIME_NEVER;
	base_list_init(&qp->ready);
	parts_init(qp, attr);
	*out = qp;
	return RC_OK;
}

void
rc_qp_destroy(struct rc_qp *qp)
{
	mem_owner_invalidate(qp->ctx->mem, qp->qpn); /* windows (RC-158) */
	rc_requester_fini(qp);
	rc_responder_fini(qp);
	if (qp->memory_own)
		rte_free(qp);
}

static bool
pmtu_valid(uint16_t bytes)
{
	return bytes >= LIMIT_PMTU_MIN && bytes <= LIMIT_PMTU_MAX && rte_is_power_of_2(bytes);
}

static bool
connect_attr_valid(const struct rc_qp *qp, const struct rc_qp_connect_attr *attr)
{
	return wire_qpn_usable(attr->remote_qpn) && pmtu_valid(attr->pmtu_bytes) &&
		attr->send_psn <= PSN_MASK && attr->receive_psn <= PSN_MASK &&
		attr->outbound_reads <= LIMIT_READS &&
		attr->inbound_reads <= qp->responder.reads.inbound_max &&
		attr->ack_timeout <= WIRE_TIMEOUT_CODE_MAX &&
		attr->retry_count <= WIRE_RETRY_COUNT_MAX &&
		attr->rnr_retry_count <= WIRE_RETRY_COUNT_MAX &&
		attr->rnr_timer <= WIRE_TIMEOUT_CODE_MAX &&
		attr->keep_packets <= LIMIT_KEEP_PACKETS &&
		wire_gid_is_v4(&attr->path.src) == wire_gid_is_v4(&attr->path.dst);
}

enum rc_status
rc_qp_connect(struct rc_qp *qp, const struct rc_qp_connect_attr *attr)
{
	if (qp->state != RC_QP_INIT || !connect_attr_valid(qp, attr))
		return RC_INVALID_ARGUMENT;
	qp->connection = *attr;
	qp->remote_qpn = attr->remote_qpn;
	qp->pmtu_bytes = attr->pmtu_bytes;
	qp->pmtu_shift = (uint8_t)rte_bsf32(attr->pmtu_bytes);
	qp->peer_rights = (uint8_t)((attr->remote_read ? MEM_REMOTE_READ : 0) |
		(attr->remote_write ? MEM_REMOTE_WRITE : 0) |
		(attr->remote_atomic ? MEM_REMOTE_ATOMIC : 0));
	qp->local_gid = attr->path.src;
	qp->remote_gid = attr->path.dst;
	wire_template_make(&qp->tmpl, &attr->path);
	rc_responder_connect(qp);
	rc_requester_connect(qp);
	qp->state = RC_QP_RTS;
	rc_observe(qp->ctx, qp, RC_STEP_STATE, 0);
	return RC_OK;
}

__rte_cold void
rc_qp_end(struct rc_qp *qp)
{
	BASE_ASSERT(rc_qp_failed(qp) && qp->state != RC_QP_ERROR);
	rc_acks_end(qp);
	qp->state = RC_QP_ERROR;
	rc_observe(qp->ctx, qp, RC_STEP_STATE, 0);
	rc_requester_flush(qp);
	rc_responder_flush(qp);
	/* keys of this queue pair must not be usable any more (SEC-011) */
	mem_owner_invalidate(qp->ctx->mem, qp->qpn);
}

void
rc_qp_error(struct rc_qp *qp, enum rc_status why)
{
	if (qp->state == RC_QP_ERROR)
		return;
	BASE_ASSERT(!rc_qp_failed(qp));
	qp->error = why;
	rc_qp_end(qp);
}

/*
 * RC-021, SEC-021: IP addresses must be those of the peer. UDP ports and MAC addresses may differ.
 */
static bool
from_peer(const struct rc_qp *qp, const struct wire_view *view)
{
	return wire_gid_equal(&view->src, &qp->remote_gid) &&
		wire_gid_equal(&view->dst, &qp->local_gid);
}

/* Process a packet of a transport other than RC. Only CNPs are accepted. */
static __rte_noinline void
other_input(struct rc_qp *qp, const struct wire_view *view, uint64_t now_ns)
{
	struct rc_counters *counters = &qp->ctx->counters;

	if (view->traits->kind != WIRE_KIND_CNP) {
		counters->drop_transport++; /* the transport is UC, RD, UD or XRC (RC-166) */
	} else if (!from_peer(qp, view)) {
		counters->drop_address++;
	} else {
		rc_cnp_input(qp, view, now_ns);
	}
}

void
rc_qp_input(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view, uint64_t now_ns)
{
	struct rc_counters *counters = &qp->ctx->counters;

	if (unlikely(qp->state != RC_QP_RTS)) {
		/* RC-020, RC-121: no packet is answered in INIT and ERROR */
		counters->drop_state++;
		return;
	}
	if (unlikely(wire_opcode_transport(view->bth.opcode) != WIRE_TRANSPORT_RC)) {
		other_input(qp, view, now_ns);
		return;
	}
	if (unlikely(!from_peer(qp, view))) {
		counters->drop_address++;
		return;
	}
	counters->rx_packets++;
	counters->rx_bytes += view->payload_bytes;
	if (unlikely((view->tos & WIRE_ECN_MASK) == WIRE_ECN_CE)) {
		counters->rx_ce++;
		rc_qp_owe(qp, RC_DUTY_CNP);
	}
	if (unlikely(!qp->peer_seen)) {
		qp->peer_seen = true;
		/* the event replaces a lost RTU (RC-122) */
		rc_qp_note(qp, RC_EVENT_FIRST_PACKET);
	}
	if (view->traits->response)
		rc_requester_input(qp, mbuf, view, now_ns);
	else
		rc_responder_input(qp, mbuf, view);
	if (unlikely(rc_qp_failed(qp)))
		rc_qp_end(qp);
}

/* Let the requester send. If all requests are acknowledged, do nothing. */
static inline bool
requests_progress(struct rc_qp *qp, uint64_t now_ns)
{
	if (!rc_requester_idle(&qp->requester))
		return rc_requester_progress(qp, now_ns);
	rc_qp_done(qp, RC_DUTY_REQUESTS);
	return false;
}

/* Do the work of the duties that are set rarely. @return as rc_qp_progress() */
static __rte_noinline bool
rare_progress(struct rc_qp *qp, uint64_t now_ns)
{
	bool again = (qp->duties & RC_DUTY_CNP) != 0 && !rc_cnp_progress(qp, now_ns);

	if ((qp->duties & RC_DUTY_ENDING) == 0)
		return again;
	if (!rc_responder_ending_progress(qp))
		return true;
	rc_qp_done(qp, RC_DUTY_ENDING);
	return again;
}

bool
rc_qp_progress(struct rc_qp *qp, uint64_t now_ns)
{
	bool again = false;

	if (qp->state != RC_QP_RTS)
		return false;
	if (unlikely((qp->duties & (RC_DUTY_CNP | RC_DUTY_ENDING)) != 0))
		again = rare_progress(qp, now_ns);
	if ((qp->duties & RC_DUTY_ANSWERS) != 0 && likely(!rc_qp_failed(qp)))
		again |= rc_responder_progress(qp, now_ns);
	if ((qp->duties & RC_DUTY_REQUESTS) != 0 && likely(!rc_qp_failed(qp)))
		again |= requests_progress(qp, now_ns);
	if (likely(!rc_qp_failed(qp)))
		return again;
	rc_qp_end(qp);
	return false;
}

void
rc_qp_set_destination(struct rc_qp *qp, const struct rte_ether_addr *mac)
{
	if (qp->state == RC_QP_INIT)
		return;
	qp->connection.path.dst_mac = *mac;
	wire_template_set_destination(&qp->tmpl, mac);
}

bool
rc_qp_unanswered(const struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_timer *timer = &qp->requester.timer;

	return qp->state == RC_QP_RTS && !rc_timer_holds(timer) && rc_timer_counts(timer) &&
		rc_timer_deadline(timer) <= now_ns;
}
