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
 * Queue pair of the RC transport. Its two halves know each other only through this struct: the
 * requester (send queue, requester.h) sends requests and takes responses; the responder (receive
 * queue, responder.h) takes requests and sends responses. One owner lcore; no call is reentrant.
 *
 * The owner's duty per burst: rc_qp_input() for each packet, then rc_qp_progress() once for each
 * queue pair that got a packet, a request or an expired deadline. Between the two nothing is sent,
 * so that one acknowledgement covers the burst.
 */

/**
 * States that Network Direct reaches. In INIT only receives can be posted; RTS sends and receives;
 * in ERROR no packet is answered (RC-120).
 */
enum rc_qp_state {
	RC_QP_INIT,
	RC_QP_RTS,
	RC_QP_ERROR,
};

/** What the owner of a queue pair learns from rc_qp_events_take(); acted upon in this order. */
enum rc_event {
	RC_EVENT_FIRST_PACKET = 1 << 0, /**< first valid request or response of the peer (RC-122) */
	/**
	 * A request of the peer was refused for its key; the NAK is still to be sent, and
	 * RC_EVENT_ERROR follows it (SEC-031). Not given for repeated READs: their keys were right.
	 */
	RC_EVENT_REFUSED = 1 << 1,
	RC_EVENT_ERROR = 1 << 2, /**< went to error, everything is flushed; qp->error says why */
	/** The peer repeats a request: a packet was lost, or our answers do not reach the peer. */
	RC_EVENT_REPEATED = 1 << 3,
};

/** What is fixed at creation. */
struct rc_qp_attr {
	uint32_t qpn; /**< as wire_qpn_usable() demands; chosen by the caller */
	struct rc_cq *receive_cq;
	struct rc_cq *send_cq; /**< may be the same */
	/**
	 * Where receives come from; outlives the queue pair, and has the same owner. Then
	 * receive_entries is 0, and receive_sge_max that of the queue. NULL: it has its own
	 */
	struct rc_srq *srq;
	uint32_t receive_entries;
	uint32_t send_entries;
	uint32_t receive_sge_max; /**< 0 .. LIMIT_SGE */
	uint32_t send_sge_max;
	uint32_t inline_max;        /**< bytes, 0 .. LIMIT_INLINE_BYTES */
	uint32_t inbound_reads_max; /**< responder records to provide for, 0 .. LIMIT_READS */
	int socket_id;
	/**
	 * rc_qp_bytes() of zero bytes, aligned to a cache line, that stay the caller's and outlive
	 * the queue pair: it lies at their start. NULL: it has its own
	 */
	void *memory;
	/** Congestion control; outlives the queue pair. NULL: CC_LOSS_WINDOW */
	const struct cc_parameters *cc;
	void *owner; /**< struct rc_completion.owner of its completions */
};

/** What a connection adds. */
struct rc_qp_connect_attr {
	struct wire_path path;
	uint32_t remote_qpn;
	uint16_t pmtu_bytes;    /**< 256, 512, 1024, 2048, 4096 */
	uint32_t send_psn;      /**< first PSN of our requests */
	uint32_t receive_psn;   /**< first PSN expected of the peer */
	uint8_t outbound_reads; /**< READs and atomics we may have in flight (max_rd_atomic) */
	/** Records of READs and atomics we keep (max_dest_rd_atomic), <= inbound_reads_max. */
	uint8_t inbound_reads;
	uint8_t ack_timeout;     /**< exponent, base_timeout_ns(); 0 = none */
	uint8_t retry_count;     /**< 0..7, finite (RC-097) */
	uint8_t rnr_retry_count; /**< 0..6, 7 = for ever */
	uint8_t rnr_timer;       /**< code that our RNR NAKs carry */
	bool remote_read;        /**< peer may READ */
	bool remote_write;       /**< peer may WRITE */
	bool remote_atomic;      /**< peer may FETCH_ADD and COMPARE_SWAP */
	bool selective;          /**< send again only what was lost, of a peer that keeps packets */
	/** Packets ahead of the expected one that are kept, 0..LIMIT_KEEP_PACKETS (RC-111). */
	uint16_t keep_packets;
};

/**
 * What rc_qp_progress() has to look at: of a half without a duty no line is touched. A duty that is
 * noted and is none costs a look; it is taken back when the half has nothing to do, now or later.
 */
enum rc_duty {
	RC_DUTY_ANSWERS = 1 << 0,  /**< the peer has sent a request: acks or reads */
	RC_DUTY_READS = 1 << 1,    /**< reads, too; never without the one before */
	RC_DUTY_REQUESTS = 1 << 2, /**< the send queue is not empty, or its timer runs */
	RC_DUTY_CNP = 1 << 3,      /**< a packet of the peer was marked CE */
	RC_DUTY_ENDING = 1 << 4,   /**< a message of the peer waits for other engines */
};

/**
 * What one packet needs lies in few cache lines, and these lie together: a WRITE of one packet over
 * IPv4 touches lines 0 to 4 where it is sent and acknowledged, and lines 0, 3 and 5 where it is
 * received. What only connection set-up needs comes last. There is one writer, so lines are not
 * guarded against each other. qp_lines.h asserts it.
 */
struct rc_qp {
	/* Line 0: for each packet, received or sent. */
	struct rc_context *ctx;
	enum rc_qp_state state;
	uint32_t qpn;
	uint32_t remote_qpn;
	uint16_t pmtu_bytes;
	uint8_t pmtu_shift;   /**< log2 of pmtu_bytes: packet counts need no division */
	bool peer_seen;       /**< RC_EVENT_FIRST_PACKET was given */
	uint8_t events;       /**< of enum rc_event: what rc_qp_events_take() will give */
	uint8_t duties;       /**< of enum rc_duty */
	uint8_t peer_rights;  /**< of enum mem_rights: what the connection allows the peer */
	bool prompt;          /**< set by the engine: a request was posted soon after a turn */
	enum rc_status error; /**< first cause of its failure; RC_OK: it has not failed */
	struct wire_gid local_gid;
	struct wire_gid remote_gid;

	/* Lines 1 and 2: for each request of our own and its response. */
	alignas(RTE_CACHE_LINE_SIZE) struct rc_requester requester;
	void *timer_slot; /**< for the engine */

	/* Line 3: for each packet sent over IPv4, and once per burst. */
	struct base_list ready; /**< for the engine: queue pairs to progress */
	struct wire_template tmpl;

	/* Line 4, which the template of IPv6 reaches into: for each request of our own. */
	struct rc_cq *send_cq;
	struct cc_flow cc;

	/* Line 5: for each request of the peer. Line 6: for its SENDs. Line 7: READs, atomics. */
	alignas(RTE_CACHE_LINE_SIZE) struct rc_responder responder;

	/* Line 8: for each completion, then seldom. */
	struct rc_cq *receive_cq;    /**< still line 7 */
	void *owner;                 /**< given back in completions; set by the owner at any time */
	struct rc_srq *srq;          /**< NULL: it has receives of its own */
	struct rc_gap *gap;          /**< valid while responder.keeping */
	struct rc_ending ending;     /**< valid while responder.ending */
	struct rc_reorder reorder;   /**< of the path from the peer */
	bool memory_own;             /**< it is freed with the queue pair */
	bool own_request;            /**< a request of our own has the error */
	struct rc_timer_stuck stuck; /**< of requester.timer */
	struct rc_recovery recovery; /**< of the requester, when attributes say selective */
	uint64_t next_cnp_ns;        /**< no CNP is sent before this time */
	struct rc_keepalive keepalive;
	/** Valid in RTS. What is needed for packets is copied to where it is needed. */
	struct rc_qp_connect_attr connection;
};

/** @return bytes of a queue pair and all that its halves keep: whole cache lines */
size_t rc_qp_bytes(const struct rc_qp_attr *attr);

/** Make a queue pair in INIT. @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES. */
enum rc_status rc_qp_create(struct rc_context *ctx, const struct rc_qp_attr *attr,
	struct rc_qp **qp) __rte_warn_unused_result;

/**
 * Free it, but not the caller's memory. Completions of it may stay in its queues; nothing more is
 * added. Windows it bound are invalidated.
 */
void rc_qp_destroy(struct rc_qp *qp);

/** INIT -> RTS. @return RC_OK; RC_INVALID_ARGUMENT: not in INIT, or an attribute out of range. */
enum rc_status
rc_qp_connect(struct rc_qp *qp, const struct rc_qp_connect_attr *attr) __rte_warn_unused_result;

/**
 * Any state -> ERROR at the owner's request: flush both queues with RC_FLUSHED, in posting order
 * (RC-123), and invalidate windows. Does nothing when already in ERROR. There is no RC_EVENT_ERROR,
 * since the owner asked for it.
 */
void rc_qp_error(struct rc_qp *qp, enum rc_status why);

/**
 * The owner asks after each rc_qp_input(), rc_qp_progress() and rc_local_*(), when no function of
 * rc is on the stack, so that it may call any of them for what it learns.
 * @return enum rc_event that happened since the last call, ORed; each is given once
 */
static inline unsigned int
rc_qp_events_take(struct rc_qp *qp)
{
	unsigned int events = qp->events;

	qp->events = 0;
	return events;
}

/*
 * For the halves. What happens in a half is noted here and acted upon by the call that the owner
 * made, when both halves are done: nothing below qp.c calls up into it.
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
 * The queue pair cannot go on. Only the first cause counts. Until the half returns, it may still
 * change its state, which the flush repairs, but it sends nothing more.
 */
static inline void
rc_qp_fail(struct rc_qp *qp, enum rc_status why)
{
	if (qp->error != RC_OK)
		return;
	qp->error = why;
	rc_qp_note(qp, RC_EVENT_ERROR);
}

/** @return whether the queue pair is in ERROR, or goes there at the end of this call. */
static inline bool
rc_qp_failed(const struct rc_qp *qp)
{
	return qp->error != RC_OK;
}

/**
 * The end of every call in which a queue pair may have failed: RTS -> ERROR. The request that
 * failed completes with its status, then both queues are flushed as by rc_qp_error().
 */
void rc_qp_end(struct rc_qp *qp);

/**
 * Take one parsed packet addressed to this QPN. Borrows the mbuf; a request that has come too early
 * is kept, with a reference to its mbuf (keep.h). Answers nothing yet, except that it notes what is
 * owed. Checks RC-020 (state, transport), RC-021 (addresses), then hands requests to the responder
 * and responses to the requester; counts what it drops. CNPs go to cc.
 */
void
rc_qp_input(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view, uint64_t now_ns);

/**
 * Send what is owed and what is allowed: first the responder (acknowledgement, READ responses),
 * then the requester (retransmissions, new requests).
 * @return true when it stopped for want of room or mbufs, or by its per-call budget, or when an ACK
 *         waits (struct rc_context.ack_waits): call again after sending
 */
bool rc_qp_progress(struct rc_qp *qp, uint64_t now_ns);

/**
 * The peer, or the gateway to it, has another MAC address from now on. No effect before
 * rc_qp_connect().
 */
void rc_qp_set_destination(struct rc_qp *qp, const struct rte_ether_addr *mac);

/**
 * Queue a request. In ERROR, it is accepted and completes at once with RC_FLUSHED (RC-123). The
 * caller calls rc_qp_progress() afterwards, at once or at the end of its batch.
 * @return RC_OK; RC_NOT_CONNECTED (INIT); RC_QUEUE_FULL; RC_TOO_MANY_SGE; RC_MESSAGE_TOO_LONG: over
 *         2^31 bytes, or inline over the limit; RC_NO_READS; RC_BAD_FLAGS; RC_INVALID_ARGUMENT:
 *         unknown opcode; RC_LOCAL_LENGTH: not 8 bytes for the result of an atomic. When a RC_BIND
 *         is refused, the caller cancels the prepared bind (mem_bind_cancel()).
 */
enum rc_status rc_post_send(struct rc_qp *qp, const struct rc_send_wr *wr) __rte_warn_unused_result;

/** Queue a receive, in any state. @return RC_OK; RC_QUEUE_FULL, always with a shared receive queue;
 * RC_TOO_MANY_SGE; RC_MESSAGE_TOO_LONG. */
enum rc_status
rc_post_receive(struct rc_qp *qp, const struct rc_receive_wr *wr) __rte_warn_unused_result;

#endif
