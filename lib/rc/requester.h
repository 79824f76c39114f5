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

/**
 * Flags of selective recovery. Each flag is a reason to call recovery.c when the requester makes
 * progress.
 */
enum rc_watch {
	/** the round-trip time of a packet is being measured (RC-115) */
	RC_WATCH_TIMED = 1 << 0,
	RC_WATCH_EARLY = 1 << 1,  /**< the timer has expired early (RC-104) */
	RC_WATCH_RESEND = 1 << 2, /**< packets are scheduled for individual retransmission */
	RC_WATCH_REPAIR = 1 << 3, /**< una_psn was retransmitted individually */
	RC_WATCH_NAKED =
		/**
		 * The requester went back after a NAK, so the next progress shows whether the peer
		 * keeps packets.
		 */
	1 << 4,
	RC_WATCH_SKIPPED = 1 << 5, /**< packets were acknowledged before their retransmission */
	RC_WATCH_HOLES = 1 << 6,   /**< responses to READs after una_psn have arrived (RC-113) */
	RC_WATCH_WAITED = 1 << 7,  /**< the newest progress ended a wait with an early expiry */
};

/** Reason why posted requests do not start. */
enum rc_halt {
	RC_HALT_NONE,
	RC_HALT_FAILED, /**< a local operation failed, and the queue pair will end */
	/**
	 * The local operation at start_index waits until other engines have stopped using the
	 * memory that it revokes or replaces. Later requests start after this operation.
	 */
	RC_HALT_WAITS,
};

/**
 * Requester half: state of the send queue.
 *
 *   ring.head <= send_index <= start_index <= ring.tail
 *     [head, start_index)  started: have PSNs, or are executed local operations
 *     send_index           owns send_psn; == start_index if all started requests are sent
 *   una_psn <= send_psn <= max_sent_psn <= next_psn
 *     [una, max_sent)      outstanding; after a go-back, [send, max_sent) is retransmitted
 *     [max_sent, next)     PSNs of the WQE at send_index that are not sent yet
 *
 * PSNs are compared by their distance from una_psn, because next_psn may be 2^23 or more after
 * una_psn. Completely answered requests have left the ring, so a started WQE at head owns una_psn.
 */
struct rc_requester {
	/** Ring of struct rc_send_wqe. Each element contains a union rc_send_extra, too. */
	struct rc_ring ring;
	uint32_t una_psn;        /**< oldest unacknowledged PSN */
	uint32_t send_psn;       /**< next PSN to send */
	uint32_t next_psn;       /**< first PSN that no started WQE owns */
	uint32_t max_sent_psn;   /**< PSN after the newest packet sent (RC-070) */
	uint32_t ack_wanted_psn; /**< PSN after the newest packet sent with AckReq */
	/** first PSN of the newest READ request that continues a READ in the middle (RC-079) */
	uint32_t read_restart_psn;
	/**
	 * PSN after the newest response to the READ request that was sent before the last go-back.
	 * Valid with went_back.
	 */
	uint32_t first_answer_psn;
	uint32_t send_index;
	uint32_t start_index;
	uint16_t reads_outstanding; /**< number of READs and atomics started and not completed */
	/** maximum of reads_outstanding, set by the connection (RC-009) */
	uint16_t reads_max;
	uint16_t since_ack_request; /**< number of packets sent since the last AckReq */
	uint16_t inline_max;
	uint8_t sge_max;
	uint8_t retry_count; /**< value to which retries_left is reset, set by the connection */
	uint8_t rnr_retry_count;
	uint8_t retries_left;
	uint8_t rnr_retries_left;
	bool go_back_pending; /**< true if una_psn got a NAK; later NAKs are ignored (RC-098) */
	bool went_back;       /**< true if the requester went back since the last progress */
	uint8_t halted;       /**< enum rc_halt */
	/** true if the oldest request failed and ended the queue pair; see qp->error */
	bool head_failed;
	uint8_t time_skip; /**< number of packets until a round trip is measured (rtt.h) */
	uint8_t watch;     /**< flags of enum rc_watch; progress calls recovery.c if any is set */
	bool probing;      /**< true if a keepalive may be unanswered (rc_keepalive_waiting()) */
	struct rc_timer timer;
	/**
	 * time at which congestion control allows the next packet; BASE_TIME_NEVER if it is not
	 * awaited
	 */
	uint64_t pace_ns;
};

static_assert(
	LIMIT_SGE <= UINT8_MAX && LIMIT_INLINE_BYTES <= UINT16_MAX && LIMIT_READS <= UINT16_MAX,
	"the members have room for the limits");

/** @return the union rc_send_extra of a request. @param index as for rc_ring_at() */
static inline union rc_send_extra *
rc_send_extra(const struct rc_requester *r, uint32_t index)
{
	return rc_ring_beside(&r->ring, index, rc_send_extra_bytes(r->inline_max));
}

/** @return size of the memory that rc_requester_init() needs, a multiple of the cache line size */
size_t rc_requester_bytes(const struct rc_qp_attr *attr);

/** Initialize. Called by qp.c. @param memory zeroed; owned by the queue pair */
void rc_requester_init(struct rc_qp *qp, const struct rc_qp_attr *attr, void *memory);
void rc_requester_fini(struct rc_qp *qp);
/** Initialize from the attributes of the connection (qp->connection). */
void rc_requester_connect(struct rc_qp *qp);

/**
 * Process a response (traits->response) that passed RC-020..RC-022. The caller keeps the mbuf. The
 * queue pair may fail.
 */
void rc_requester_input(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns);

/**
 * Handle the timer if it is due, then send. The queue pair may fail. @return as rc_qp_progress().
 */
bool rc_requester_progress(struct rc_qp *qp, uint64_t now_ns);

/**
 * Complete all requests of the send queue (rc_complete_flush()) and forget the packets in flight.
 */
void rc_requester_flush(struct rc_qp *qp);

/** @return time of the next rc_requester_progress(); BASE_TIME_NEVER if there is no deadline */
static inline uint64_t
rc_requester_deadline(const struct rc_requester *r)
{
	return RTE_MIN(rc_timer_deadline(&r->timer), r->pace_ns);
}

/** @return true if rc_requester_progress() has nothing to do until a request is posted */
static inline bool
rc_requester_idle(const struct rc_requester *r)
{
	return r->ring.head == r->ring.tail && rc_requester_deadline(r) == BASE_TIME_NEVER;
}

#endif
