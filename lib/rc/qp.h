/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_QP_H
#define NDPDK_RC_QP_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/encoded_time.h"
#include "base/list.h"
#include "base/psn.h"
#include "cc/cc.h"
#include "rc/keepalive.h"
#include "rc/out.h"
#include "rc/recovery.h"
#include "rc/reorder.h"
#include "rc/requester.h"
#include "rc/responder.h"
#include "rc/srq.h"
#include "rc/wqe.h"
#include "wire/parse.h"

/*
 * Queue pair of the RC transport. Its two halves share only this struct. The requester (send queue,
 * requester.h) sends requests and processes responses. The responder (receive queue, responder.h)
 * processes requests and sends responses. One lcore owns the queue pair.
 *
 * For each burst, the owner calls rc_qp_input() per packet, then rc_qp_progress() once per queue
 * pair that got a packet, a request or an expired deadline. Nothing is sent before
 * rc_qp_progress(), so that one acknowledgement covers the burst. No call is reentrant.
 */

/**
 * States that Network Direct needs. INIT: only receives can be posted. RTS: the queue pair sends
 * and receives. ERROR: the queue pair answers no packet (RC-120).
 */
enum rc_qp_state {
	RC_QP_INIT,
	RC_QP_RTS,
	RC_QP_ERROR,
};

/** Events that rc_qp_events_take() reports, in the order in which the owner handles them. */
enum rc_event {
	RC_EVENT_FIRST_PACKET = 1 << 0, /**< first valid request or response of the peer (RC-122) */
	/**
	 * A request of the peer was refused because of its key. The NAK and RC_EVENT_ERROR follow
	 * (SEC-031). Not set by duplicate READs, because their keys were valid.
	 */
	RC_EVENT_REFUSED = 1 << 1,
	RC_EVENT_ERROR = 1 << 2, /**< state is ERROR and both queues are flushed; see qp->error */
	/** The peer retransmitted a request: a packet was lost, or our answers do not arrive. */
	RC_EVENT_REPEATED = 1 << 3,
};

struct rc_qp_attr {
	uint32_t qpn; /**< queue pair number, chosen by the caller; see wire_qpn_usable() */
	struct rc_cq *receive_cq;
	struct rc_cq *send_cq; /**< may be receive_cq */
	/**
	 * Shared receive queue with the same owner, which must outlive the queue pair; or NULL. It
	 * requires receive_entries 0 and its own receive_sge_max.
	 */
	struct rc_srq *srq;
	uint32_t receive_entries;
	uint32_t send_entries;
	uint32_t receive_sge_max; /**< 0 .. LIMIT_SGE */
	uint32_t send_sge_max;
	uint32_t inline_max;        /**< maximum inline data in bytes, 0 .. LIMIT_INLINE_BYTES */
	uint32_t inbound_reads_max; /**< maximum inbound READs and atomics, 0 .. LIMIT_READS */
	int socket_id;
	/**
	 * Memory of the queue pair: rc_qp_bytes() zeroed bytes, aligned to a cache line. The caller
	 * owns it; it must outlive the queue pair. NULL: rc_qp_create() allocates the memory.
	 */
	void *memory;
	/** Congestion control; must outlive the queue pair. NULL selects CC_LOSS_WINDOW. */
	const struct cc_parameters *cc;
	void *owner; /**< copied to rc_completion.owner */
};

/** Attributes of a connection. */
struct rc_qp_connect_attr {
	struct wire_path path;
	uint32_t remote_qpn;
	uint16_t pmtu_bytes;    /**< path MTU: 256, 512, 1024, 2048 or 4096 bytes */
	uint32_t send_psn;      /**< first PSN of our requests */
	uint32_t receive_psn;   /**< first PSN of the peer's requests */
	uint8_t outbound_reads; /**< maximum of our READs and atomics in flight (max_rd_atomic) */
	/** maximum READs and atomics of the peer (max_dest_rd_atomic), <= inbound_reads_max */
	uint8_t inbound_reads;
	uint8_t ack_timeout;     /**< exponent for base_timeout_ns(); 0 = no ACK timer */
	uint8_t retry_count;     /**< 0..7, finite (RC-097) */
	uint8_t rnr_retry_count; /**< 0..6, 7 = unlimited */
	uint8_t rnr_timer;       /**< timer code in the RNR NAKs that we send */
	bool remote_read;        /**< peer may READ */
	bool remote_write;       /**< peer may WRITE */
	bool remote_atomic;      /**< true if the peer may use FETCH_ADD and COMPARE_SWAP */
	bool selective;          /**< use selective recovery (recovery.h) */
	/** Maximum distance in PSNs from the expected to a kept packet; 0: keep none (RC-111). */
	uint16_t keep_packets;
};

/**
 * Work for rc_qp_progress(), which accesses requester or responder only if one of the corresponding
 * duties is set. A duty without work is harmless, and is cleared when no work is left.
 */
enum rc_duty {
	RC_DUTY_ANSWERS = 1 << 0,  /**< the peer sent a request, so an answer may be owed */
	RC_DUTY_READS = 1 << 1,    /**< READ responses are pending; requires RC_DUTY_ANSWERS */
	RC_DUTY_REQUESTS = 1 << 2, /**< the send queue is not empty, or its timer runs */
	RC_DUTY_CNP = 1 << 3,      /**< a packet of the peer had a CE mark */
	/** A message waits until other engines stop using its memory (struct rc_ending). */
	RC_DUTY_ENDING = 1 << 4,
};

/**
 * Members are arranged so that one packet needs few adjacent cache lines. A WRITE of one packet
 * over IPv4 touches lines 0 to 4 at the sender, including its acknowledgement, and lines 0, 3 and 5
 * at the receiver. Members for connection set-up come last. Only one thread writes, so the lines
 * need no padding. qp_lines.h asserts the layout.
 */
struct rc_qp {
	/* Line 0: each packet, received or sent. */
	struct rc_context *ctx;
	enum rc_qp_state state;
	uint32_t qpn;
	uint32_t remote_qpn;
	uint16_t pmtu_bytes;
	uint8_t pmtu_shift;   /**< log2 of pmtu_bytes; avoids a division for packet counts */
	bool peer_seen;       /**< RC_EVENT_FIRST_PACKET was reported */
	uint8_t events;       /**< pending events of enum rc_event for rc_qp_events_take() */
	uint8_t duties;       /**< of enum rc_duty */
	uint8_t peer_rights;  /**< remote accesses that the connection allows (enum mem_rights) */
	bool prompt;          /**< true if a request was posted soon after a poll (acks.c) */
	enum rc_status error; /**< first cause of failure; RC_OK before a failure */
	struct wire_gid local_gid;
	struct wire_gid remote_gid;

	/* Lines 1 and 2: each request of this side and its response. */
	alignas(RTE_CACHE_LINE_SIZE) struct rc_requester requester;
	void *timer_slot; /**< used by the engine */

	/* Line 3: each packet sent over IPv4, and once per burst. */
	struct base_list ready; /**< node in the engine's list of queue pairs to progress */
	struct wire_template tmpl;

	/* Line 4: each request of this side. With IPv6, tmpl extends into this line. */
	struct rc_cq *send_cq;
	struct cc_flow cc;

	/* Line 5: requests of the peer. Line 6: its SENDs. Line 7: its READs and atomics. */
	alignas(RTE_CACHE_LINE_SIZE) struct rc_responder responder;

	/* Line 8: each completion. Later members are seldom used. */
	struct rc_cq *receive_cq;    /**< in line 7 */
	void *owner;                 /**< pointer of the upper layer, copied to completions */
	struct rc_srq *srq;          /**< shared receive queue; NULL: the queue pair has its own */
	struct rc_gap *gap;          /**< valid while responder.keeping */
	struct rc_ending ending;     /**< valid while responder.ending */
	struct rc_reorder reorder;   /**< measured reordering of packets from the peer */
	bool memory_own;             /**< true if the queue pair allocated its memory */
	bool own_request;            /**< true if a failed request of this side caused the error */
	struct rc_timer_stuck stuck; /**< of requester.timer */
	struct rc_recovery recovery; /**< state of selective recovery, used by the requester */
	uint64_t next_cnp_ns;        /**< earliest time of the next CNP */
	struct rc_keepalive keepalive;
	/** Attributes of the connection, valid in RTS. The data path uses copies of them. */
	struct rc_qp_connect_attr connection;
};

/** @return size of a queue pair with its queues in bytes, a multiple of the cache line size */
size_t rc_qp_bytes(const struct rc_qp_attr *attr);

/** Create a queue pair in INIT. @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES. */
enum rc_status rc_qp_create(struct rc_context *ctx, const struct rc_qp_attr *attr,
	struct rc_qp **qp) __rte_warn_unused_result;

/**
 * Destroy a queue pair and invalidate its windows. Memory that the caller provided is not freed.
 * Completions stay in the completion queues, and no completion is added.
 */
void rc_qp_destroy(struct rc_qp *qp);

/**
 * INIT -> RTS. @return RC_OK; RC_INVALID_ARGUMENT if not in INIT or an attribute is out of range.
 */
enum rc_status
rc_qp_connect(struct rc_qp *qp, const struct rc_qp_connect_attr *attr) __rte_warn_unused_result;

/**
 * Any state -> ERROR, requested by the owner: flush both queues with RC_FLUSHED in posting order
 * (RC-123), and invalidate windows. No effect in state ERROR. Reports no RC_EVENT_ERROR.
 */
void rc_qp_error(struct rc_qp *qp, enum rc_status why);

/**
 * Return and clear the pending events. The owner calls this after each rc_qp_input(),
 * rc_qp_progress() and rc_local_*(), as soon as it may call functions of rc.
 * @return events of enum rc_event since the last call, ORed; each event is reported once
 */
static inline unsigned int
rc_qp_events_take(struct rc_qp *qp)
{
	unsigned int events = qp->events;

	qp->events = 0;
	return events;
}

/*
 * Requester and responder use these functions to record events and duties, because they never call
 * qp.c. The function of qp.c that called them handles the records after they have returned.
 */

static inline void
rc_qp_note(struct rc_qp *qp, enum rc_event event)
{
	qp->events |= (uint8_t)event;
}

static inline void
rc_qp_owe(struct rc_qp *qp, enum rc_duty duty)
{
	qp->duties |= (uint8_t)duty;
}

static inline void
rc_qp_done(struct rc_qp *qp, enum rc_duty duty)
{
	qp->duties &= (uint8_t)~duty;
}

/**
 * Let the queue pair fail. Only the first cause is recorded. Afterwards the caller may change its
 * own state, which the flush resets, but sends nothing.
 */
static inline void
rc_qp_fail(struct rc_qp *qp, enum rc_status why)
{
	if (qp->error != RC_OK)
		return;
	qp->error = why;
	rc_qp_note(qp, RC_EVENT_ERROR);
}

/** @return true if the queue pair is in ERROR, or enters ERROR at the end of this call */
static inline bool
rc_qp_failed(const struct rc_qp *qp)
{
	return qp->error != RC_OK;
}

/**
 * RTS -> ERROR. Called at the end of each call in which the queue pair failed. The failed request
 * completes with its status. Then both queues are flushed as by rc_qp_error().
 */
void rc_qp_end(struct rc_qp *qp);

/**
 * Process one parsed packet for this QPN. The caller keeps the mbuf; keep.h may take a reference.
 * Checks RC-020 (state, transport) and RC-021 (addresses). Passes requests to the responder,
 * responses to the requester, CNPs to congestion control. Counts dropped packets. Sends nothing,
 * but records owed answers.
 */
void
rc_qp_input(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view, uint64_t now_ns);

/**
 * Send: first the responder (acknowledgement, READ responses), then the requester (retransmissions,
 * new requests).
 * @return true if the caller must call again after transmitting the output queue, because room,
 *         mbufs or the budget of the call were used up, an ACK is delayed, or other engines use
 *         memory
 */
bool rc_qp_progress(struct rc_qp *qp, uint64_t now_ns);

/** Set the MAC address of the peer or its gateway. No effect before rc_qp_connect(). */
void rc_qp_set_destination(struct rc_qp *qp, const struct rte_ether_addr *mac);

/**
 * Queue a request. In ERROR, the request is accepted and completes at once with RC_FLUSHED
 * (RC-123). The caller then calls rc_qp_progress(), at once or at the end of its batch.
 * @return RC_OK; RC_NOT_CONNECTED (INIT); RC_QUEUE_FULL; RC_TOO_MANY_SGE; RC_MESSAGE_TOO_LONG: more
 *         than 2^31 bytes, or more inline data than the limit; RC_NO_READS; RC_BAD_FLAGS;
 *         RC_INVALID_ARGUMENT: unknown opcode; RC_LOCAL_LENGTH: the result buffer of an atomic is
 *         not 8 bytes long. If an RC_BIND is refused, the caller cancels it (mem_bind_cancel()).
 */
enum rc_status rc_post_send(struct rc_qp *qp, const struct rc_send_wr *wr) __rte_warn_unused_result;

/**
 * Queue a receive, in any state. @return RC_OK; RC_QUEUE_FULL, which is the only result with a
 * shared receive queue; RC_TOO_MANY_SGE; RC_MESSAGE_TOO_LONG.
 */
enum rc_status
rc_post_receive(struct rc_qp *qp, const struct rc_receive_wr *wr) __rte_warn_unused_result;

#endif
