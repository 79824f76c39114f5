/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_REQUESTER_H
#define NDPDK_RC_REQUESTER_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/limits.h"
#include "base/status.h"
#include "rc/timer.h"
#include "rc/wqe.h"
#include "wire/parse.h"

struct rc_qp;
struct rc_qp_attr;

/** What waits for progress of the requester; of selective recovery only. */
enum rc_watch {
	RC_WATCH_TIMED = 1 << 0,  /**< a packet is being timed (RC-115) */
	RC_WATCH_EARLY = 1 << 1,  /**< the timer has expired early (RC-104) */
	RC_WATCH_RESEND = 1 << 2, /**< packets are to be sent again by themselves */
	RC_WATCH_REPAIR = 1 << 3, /**< una_psn was sent again by itself */
	RC_WATCH_NAKED =
		1 << 4, /**< went back for a NAK: the next progress tells what the peer does */
	RC_WATCH_SKIPPED = 1 << 5, /**< progress beyond what was sent again */
	RC_WATCH_HOLES = 1 << 6,   /**< responses to READs are ahead of una_psn (RC-113) */
	RC_WATCH_WAITED = 1 << 7,  /**< the newest progress ended a wait with RC_WATCH_EARLY */
};

/** Why no request starts although requests are posted. */
enum rc_halt {
	RC_HALT_NONE,
	RC_HALT_FAILED, /**< a local operation failed: the queue pair ends */
	/**
	 * The local operation at start_index waits until other engines have stopped using what it
	 * ends or replaces: later requests start after it, as after a READ with a fence.
	 */
	RC_HALT_WAITS,
};

/**
 * Requester half: state of the send queue.
 *
 *   ring.head <= send_index <= start_index <= ring.tail
 *     [head, start_index)  started: own PSNs, or are executed binds and invalidates
 *     send_index           owns send_psn; == start_index when everything started is on the wire
 *   una_psn <= send_psn <= max_sent_psn <= next_psn
 *     [una, max_sent)      outstanding; [send, max_sent) of it to be sent again after a go-back
 *     [max_sent, next)     of the WQE at send_index, not sent yet
 *
 * PSNs are compared by their distance from una_psn, because next_psn may be 2^23 or more ahead of
 * it. The WQE at head, if it is started, owns una_psn: requests that are answered completely have
 * left the ring.
 */
struct rc_requester {
	struct rc_ring ring;       /**< of struct rc_send_wqe; beside it, union rc_send_extra */
	uint32_t una_psn;          /**< oldest unacknowledged PSN */
	uint32_t send_psn;         /**< next PSN to put on the wire */
	uint32_t next_psn;         /**< first PSN that no started WQE owns */
	uint32_t max_sent_psn;     /**< one past the newest PSN ever sent (RC-070) */
	uint32_t ack_wanted_psn;   /**< one past the newest PSN sent that asks for an answer */
	uint32_t read_restart_psn; /**< from where a READ was last asked for again (RC-079) */
	uint32_t first_answer_psn; /**< with went_back: one past its newest packet seen since */
	uint32_t send_index;
	uint32_t start_index;
	uint16_t reads_outstanding; /**< READs and atomics started and not complete */
	uint16_t reads_max;         /**< of the connection (RC-009) */
	uint16_t since_ack_request; /**< packets sent since the last AckReq */
	uint16_t inline_max;
	uint8_t sge_max;
	uint8_t retry_count; /**< of the connection, as rnr_retry_count */
	uint8_t rnr_retry_count;
	uint8_t retries_left;
	uint8_t rnr_retries_left;
	bool go_back_pending; /**< una_psn was NAKed: more NAKs are ignored (RC-098) */
	bool went_back;       /**< since the last progress */
	uint8_t halted;       /**< enum rc_halt */
	bool head_failed;     /**< the request at head is why the queue pair ends: qp->error */
	uint8_t time_skip;    /**< of packets that may be timed (rtt.h): those before the next */
	uint8_t watch;        /**< of enum rc_watch; with any, progress is told to recovery.c */
	bool probing;         /**< a keepalive may be unanswered: rc_keepalive_waiting() */
	struct rc_timer timer;
	uint64_t pace_ns; /**< when congestion control lets a packet go; BASE_TIME_NEVER: unpaced */
};

static_assert(
	LIMIT_SGE <= UINT8_MAX && LIMIT_INLINE_BYTES <= UINT16_MAX && LIMIT_READS <= UINT16_MAX,
	"limits of a queue pair fit their members");

/** @return what a request has beside its WQE. @param index as for rc_ring_at() */
static inline union rc_send_extra *
rc_send_extra(const struct rc_requester *r, uint32_t index)
{
	return rc_ring_beside(&r->ring, index, rc_send_extra_bytes(r->inline_max));
}

/** @return memory that rc_requester_init() needs: whole cache lines */
size_t rc_requester_bytes(const struct rc_qp_attr *attr);

/** Called by qp.c. @param memory zeroed; stays the queue pair's */
void rc_requester_init(struct rc_qp *qp, const struct rc_qp_attr *attr, void *memory);
void rc_requester_fini(struct rc_qp *qp);
/** Start from the connection's attributes (qp->connection). */
void rc_requester_connect(struct rc_qp *qp);

/**
 * Take a response (traits->response) that passed RC-020..RC-022. Borrows the mbuf. The queue pair
 * may fail.
 */
void rc_requester_input(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns);

/** Fire the timer if it is due, then send. The queue pair may fail. @return as rc_qp_progress(). */
bool rc_requester_progress(struct rc_qp *qp, uint64_t now_ns);

/** Complete everything in the send queue, see rc_complete_flush(), and forget what was sent. */
void rc_requester_flush(struct rc_qp *qp);

/** @return when rc_requester_progress() has something to do for the sake of time, or NEVER. */
static inline uint64_t
rc_requester_deadline(const struct rc_requester *r)
{
	return RTE_MIN(rc_timer_deadline(&r->timer), r->pace_ns);
}

/** @return whether rc_requester_progress() has nothing to do before a request is posted. */
static inline bool
rc_requester_idle(const struct rc_requester *r)
{
	return r->ring.head == r->ring.tail && rc_requester_deadline(r) == BASE_TIME_NEVER;
}

#endif
