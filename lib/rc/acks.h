/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_ACKS_H
#define NDPDK_RC_ACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/psn.h"
#include "base/status.h"
#include "wire/build.h"

struct rc_qp;

/** Minimum time between two sequence NAKs of a queue pair (SEC-025). */
#define RC_SEQUENCE_NAK_DISTANCE_NS UINT64_C(10000)

/**
 * The acknowledgement or NAK that the responder owes to the peer, in order of strength. Only one is
 * owed at a time: a value replaces the values above it in this list. READ responses are separate.
 */
enum rc_owed {
	RC_OWED_NONE,
	RC_OWED_ACK_LATER, /**< an ACK that is delayed until the next poll of the engine */
	RC_OWED_ACK,
	RC_OWED_SEQUENCE_NAK,
	RC_OWED_RNR_NAK,
	RC_OWED_FATAL_NAK, /**< NAK after which the queue pair goes to ERROR */
};

/**
 * State of the acknowledgements and NAKs of a responder. The responder records the owed answer
 * while it processes a burst, and sends it once at the end of the burst, after all READ responses
 * (RC-060). The answer stays owed until it can be sent (RC-050). The PSN of an ACK or of a sequence
 * NAK is determined when it is sent. The PSN of an RNR or fatal NAK is determined when it is
 * recorded.
 */
struct rc_acks {
	enum rc_owed owed;
	uint8_t syndrome; /**< syndrome of an RNR or fatal NAK */
	/**
	 * True if a sequence NAK for the expected PSN was sent or is owed, so that no second NAK is
	 * sent (RC-023).
	 */
	bool sequence_nak;
	/**
	 * True if an RNR NAK for the expected PSN was sent or is owed. Packets with later PSNs are
	 * then dropped silently (RC-086).
	 */
	bool rnr_nak;
	bool executed;        /**< ack_psn is valid */
	uint32_t nak_psn;     /**< PSN of an RNR or fatal NAK */
	enum rc_status fatal; /**< cause; valid with RC_OWED_FATAL_NAK */
	/** PSN of the newest executed SEND or WRITE packet, never of a READ (RC-047) */
	uint32_t ack_psn;
	/**
	 * Newest PSN that arrived after the expected PSN, whether the packet was kept or dropped.
	 * Valid while a sequence NAK is owed or was sent.
	 */
	uint32_t ahead_psn;
	uint64_t ack_position; /**< number of PSNs from connection set-up to ack_psn */
	/** time at which a delayed sequence NAK is sent; BASE_TIME_NEVER if no NAK is delayed */
	uint64_t deadline_ns;
};

/** Reset the acknowledgement state to its values at connection set-up. */
void rc_acks_reset(struct rc_qp *qp);

/**
 * @return true if a request was refused with a fatal NAK, after which no packet is accepted
 * (RC-035)
 */
static inline bool
rc_acks_refused(const struct rc_acks *acks)
{
	return acks->owed == RC_OWED_FATAL_NAK;
}

/**
 * @return true if an RNR NAK for the expected packet is owed. Until the NAK is sent, the expected
 * packet is not accepted: later packets were already dropped, and the peer retransmits all of them
 * (RC-086)
 */
static inline bool
rc_acks_rnr_owed(const struct rc_acks *acks)
{
	return acks->owed == RC_OWED_RNR_NAK;
}

/** Owe an ACK again, because a duplicate SEND or WRITE packet arrived (RC-055). */
static inline void
rc_acks_repeat(struct rc_acks *acks)
{
	if (acks->owed == RC_OWED_NONE)
		acks->owed = RC_OWED_ACK;
}

/**
 * Called when the expected packet was accepted: clear the marks of its NAKs, so that the next gap
 * can cause a sequence NAK, and the next message without a receive an RNR NAK.
 */
static inline void
rc_acks_gap_closed(struct rc_acks *acks)
{
	acks->sequence_nak = false;
	acks->rnr_nak = false;
}

/**
 * Called when the expected SEND or WRITE packet was executed, before the expected PSN advances. Owe
 * an ACK if the packet has AckReq.
 * @param position value of rc_responder.position for this packet
 */
static inline void
rc_acks_executed(struct rc_acks *acks, uint32_t psn, uint64_t position, bool ack_request)
{
	rc_acks_gap_closed(acks);
	acks->executed = true;
	acks->ack_psn = psn;
	acks->ack_position = position;
	if (ack_request)
		rc_acks_repeat(acks);
}

/**
 * Called when the expected READ or atomic was accepted. An owed ACK is cancelled, because the
 * responses acknowledge all earlier requests (RC-074).
 */
static inline void
rc_acks_read_accepted(struct rc_acks *acks)
{
	rc_acks_gap_closed(acks);
	if (acks->owed <= RC_OWED_ACK)
		acks->owed = RC_OWED_NONE;
}

/**
 * Called when the gap is closed and all kept packets are executed: cancel an owed sequence NAK and
 * owe an ACK. If the last executed request is a READ or atomic, no ACK is owed, because its
 * response acknowledges all requests before it.
 * @param expected_psn expected PSN of the responder
 */
static inline void
rc_acks_all_come(struct rc_acks *acks, uint32_t expected_psn)
{
	if (acks->owed == RC_OWED_SEQUENCE_NAK)
		acks->owed = RC_OWED_NONE;
	if (psn_add(acks->ack_psn, 1) == expected_psn)
		rc_acks_repeat(acks);
}

/** Owe one sequence NAK per gap, because a packet arrived after the expected PSN (RC-023). */
void rc_acks_ahead(struct rc_qp *qp, uint32_t psn);

/** Owe an RNR NAK, because there is no receive for the expected packet (RC-028). */
void rc_acks_owe_rnr_nak(struct rc_qp *qp, uint32_t psn);

/**
 * Owe an RNR NAK with the longest timer code. The peer retransmitted the expected packet, which
 * already waits for other engines (struct rc_ending). The long time keeps the peer from using up
 * its retries.
 */
void rc_acks_owe_wait(struct rc_qp *qp, uint32_t psn);

/**
 * Called when the packet that waited for other engines was executed: owe an ACK, and cancel the RNR
 * NAK of rc_acks_owe_wait().
 */
static inline void
rc_acks_wait_over(struct rc_acks *acks)
{
	if (acks->owed == RC_OWED_RNR_NAK)
		acks->owed = RC_OWED_NONE;
	rc_acks_repeat(acks);
}

/**
 * Refuse a request: owe a fatal NAK with this syndrome for psn. The queue pair goes to ERROR after
 * the NAK is sent (RC-035).
 */
void
rc_acks_owe_fatal_nak(struct rc_acks *acks, uint8_t syndrome, uint32_t psn, enum rc_status why);

/** @return BTH of a response packet */
static inline struct wire_bth_value
rc_response_bth(uint32_t remote_qpn, uint8_t opcode, uint32_t psn)
{
	return (struct wire_bth_value){
		.opcode = opcode,
		.migrated = true, /* the normal value, because paths do not migrate */
		.pkey = WIRE_PKEY_DEFAULT,
		.dest_qp = remote_qpn,
		.psn = psn,
	};
}

/**
 * Write the headers of a response packet before its payload.
 * @return address for the extension headers of the opcode. The caller writes them and then calls
 *         rc_out_finish()
 */
uint8_t *
rc_response_begin(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint8_t opcode, uint32_t psn);

/** Build an acknowledgement and append it to the output queue. Consumes the mbuf. */
void rc_acknowledge_send(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint32_t psn,
	const struct wire_aeth_value *aeth);

/**
 * Send the owed answer. Called when no READ response is pending. After a fatal NAK was sent, the
 * queue pair fails.
 * @return false if the answer is still owed, because there was no mbuf, the output queue was full,
 *         or an ACK is delayed until the next poll
 */
bool rc_acks_progress(struct rc_qp *qp, uint64_t now_ns);

/**
 * Before the queue pair goes to ERROR: if the owner ends it, send an owed ACK, if an mbuf and room
 * are available.
 */
void rc_acks_end(struct rc_qp *qp);

#endif
