/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RESPONDER_H
#define NDPDK_RC_RESPONDER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/encoded_time.h"
#include "base/status.h"
#include "rc/acks.h"
#include "rc/read_response.h"
#include "rc/wqe.h"
#include "wire/parse.h"

struct rc_qp;
struct rc_qp_attr;

enum rc_message_kind {
	RC_MESSAGE_NONE,
	RC_MESSAGE_SEND,
	RC_MESSAGE_WRITE,
};

/**
 * A SEND with Invalidate that waits for a grace period. Its last packet is the expected packet. The
 * payload is placed and the key is invalid, but other engines may still use the memory. When the
 * grace period is over, the receive completes and the expected PSN advances. Before this, later
 * packets are kept, as after a gap.
 */
struct rc_ending {
	struct mem_grace grace;   /**< ends when no other engine uses the memory */
	void *cookie;             /**< cookie of the window; valid if `window` is set */
	uint32_t window_id;       /**< ID of the window; valid if `window` is set */
	uint32_t invalidate_rkey; /**< key to be invalidated, from the message's last packet */
	bool window;              /**< true for the key of a window, false for a fast region */
	bool solicited;
	bool ack_request;
	bool ahead; /**< true if later packets arrived; the newest of them is acks.ahead_psn */
};

/** Responder half: state of the receive queue and of the peer's requests. */
struct rc_responder {
	uint32_t expected_psn;
	uint32_t msn;
	uint64_t position; /**< number of PSNs accepted since connection set-up */
	enum rc_message_kind message;
	uint16_t sge_max;
	bool keeping; /**< true if out-of-order packets are kept, in rc_qp.gap */
	bool ending;  /**< true if the expected packet waits for other engines (rc_qp.ending) */
	struct rc_acks acks;
	/* WRITE in progress. */
	uint64_t write_address; /**< remote address of the next byte to be written */
	uint32_t write_rkey;
	uint32_t write_bytes_left;
	uint32_t write_bytes; /**< length of the whole message */
	/* SEND in progress. */
	uint32_t receive_offset; /**< number of bytes placed in the receive at ring.head */
	struct rc_ring ring;     /**< ring of struct rc_receive_wqe */
	uint64_t next_nak_ns;    /**< earliest time of the next sequence NAK */
	struct rc_reads reads;
};

/** @return size of the memory that rc_responder_init() needs, a multiple of the cache line size */
size_t rc_responder_bytes(const struct rc_qp_attr *attr);

/** Initialize. Called by qp.c. @param memory zeroed; owned by the queue pair */
void rc_responder_init(struct rc_qp *qp, const struct rc_qp_attr *attr, void *memory);
void rc_responder_connect(struct rc_qp *qp);

/** Release resources. Called by qp.c when the queue pair is destroyed, in any state. */
void rc_responder_fini(struct rc_qp *qp);

/**
 * Process a request (traits->request, or a reserved RC opcode) that passed RC-020..RC-022. The
 * caller keeps the mbuf. Takes a reference to the mbuf of an out-of-order packet that is kept.
 */
void rc_responder_input(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view);

/** Send the owed answers and READ responses in PSN order. @return as rc_qp_progress() */
bool rc_responder_progress(struct rc_qp *qp, uint64_t now_ns);

/**
 * Complete the message that waits for other engines (struct rc_ending) if its grace period is over.
 * The queue pair may fail.
 * @return false if the grace period is not over, or if a kept packet now waits for its own
 */
bool rc_responder_ending_progress(struct rc_qp *qp);

/**
 * @return time of the next rc_responder_progress(); BASE_TIME_NEVER if there is no deadline. While
 * congestion control delays READ responses, later acknowledgements wait with them, even if their
 * own deadline is earlier
 */
static inline uint64_t
rc_responder_deadline(const struct rc_responder *responder)
{
	if (unlikely(responder->reads.paced_until_ns != BASE_TIME_NEVER))
		return responder->reads.paced_until_ns;
	return responder->acks.deadline_ns;
}

/** Complete all receives with RC_FLUSHED, in order, and cancel owed answers. */
void rc_responder_flush(struct rc_qp *qp);

#endif
