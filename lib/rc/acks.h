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

/** Shortest time between two sequence NAKs of a queue pair (SEC-025). */
#define RC_SEQUENCE_NAK_DISTANCE_NS UINT64_C(10000)

/**
 * The answer that is owed to the peer besides READ responses: one at a time. A kind that is later
 * in this list replaces one that is earlier.
 */
enum rc_owed {
	RC_OWED_NONE,
	RC_OWED_ACK_LATER, /**< an ACK that waits for the engine's next turn */
	RC_OWED_ACK,
	RC_OWED_SEQUENCE_NAK,
	RC_OWED_RNR_NAK,
	RC_OWED_FATAL_NAK, /**< the queue pair goes to error when it has been sent */
};

/**
 * What the responder owes the peer: noted while a burst is taken, sent once at its end, behind all
 * READ responses (RC-060), and kept as long as it cannot be sent (RC-050). The PSN of an ACK or of
 * a sequence NAK is determined when it is sent, that of the other NAKs when they are noted.
 */
struct rc_acks {
	enum rc_owed owed;
	uint8_t syndrome;  /**< of a RNR or fatal NAK */
	bool sequence_nak; /**< owed or sent for the expected PSN: no other one (RC-023) */
	/** owed or sent for the expected PSN: packets ahead are dropped silently (RC-086) */
	bool rnr_nak;
	bool executed;        /**< ack_psn is valid */
	uint32_t nak_psn;     /**< of a RNR or fatal NAK */
	enum rc_status fatal; /**< why, with RC_OWED_FATAL_NAK */
	uint32_t ack_psn;     /**< newest SEND or WRITE packet executed, never a READ's (RC-047) */
	/** newest PSN that came ahead, kept or dropped; valid with a sequence NAK owed or sent */
	uint32_t ahead_psn;
	uint64_t ack_position; /**< ack_psn, counted since connecting */
	uint64_t deadline_ns; /**< the NAK owed is held back until then; BASE_TIME_NEVER: none is */
};

/** Forget everything, as at connecting. */
void rc_acks_reset(struct rc_qp *qp);

/**
 * @return whether a request was refused with a fatal NAK: no packet is accepted any more (RC-035).
 */
static inline bool
rc_acks_refused(const struct rc_acks *acks)
{
	return acks->owed == RC_OWED_FATAL_NAK;
}

/**
 * @return whether an RNR NAK for the expected packet waits to be sent. The packet is not accepted
 *         before that: packets behind it were dropped already, and the peer will send all of them
 *         again (RC-086).
 */
static inline bool
rc_acks_rnr_owed(const struct rc_acks *acks)
{
	return acks->owed == RC_OWED_RNR_NAK;
}

/** A duplicate SEND or WRITE packet came: an ACK is owed again (RC-055). */
static inline void
rc_acks_repeat(struct rc_acks *acks)
{
	if (acks->owed == RC_OWED_NONE)
		acks->owed = RC_OWED_ACK;
}

/**
 * The expected packet came and was accepted: the next gap, or the next lack of a receive, is a new
 * one.
 */
static inline void
rc_acks_gap_closed(struct rc_acks *acks)
{
	acks->sequence_nak = false;
	acks->rnr_nak = false;
}

/**
 * The expected SEND or WRITE packet was executed; called before the responder moves on.
 * @param position of the responder
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
 * The expected READ or atomic was accepted; its responses acknowledge everything before it
 * (RC-074).
 */
static inline void
rc_acks_read_accepted(struct rc_acks *acks)
{
	rc_acks_gap_closed(acks);
	if (acks->owed <= RC_OWED_ACK)
		acks->owed = RC_OWED_NONE;
}

/**
 * What was missing has come, and everything that came ahead of it is executed: an ACK is owed, and
 * no sequence NAK any more. Behind a READ its responses are the answer.
 * @param expected_psn of the responder
 */
static inline void
rc_acks_all_come(struct rc_acks *acks, uint32_t expected_psn)
{
	if (acks->owed == RC_OWED_SEQUENCE_NAK)
		acks->owed = RC_OWED_NONE;
	if (psn_add(acks->ack_psn, 1) == expected_psn)
		rc_acks_repeat(acks);
}

/** A packet came ahead of the expected one: one sequence NAK per gap is owed (RC-023). */
void rc_acks_ahead(struct rc_qp *qp, uint32_t psn);

/** There is no receive for the expected packet: an RNR NAK is owed (RC-028). */
void rc_acks_owe_rnr_nak(struct rc_qp *qp, uint32_t psn);

/**
 * The expected packet was repeated while it waits for other engines: an RNR NAK is owed, with the
 * longest timer, so that the peer's retries last until they have left.
 */
void rc_acks_owe_wait(struct rc_qp *qp, uint32_t psn);

/** That packet is executed now: an ACK tells the peer, and no RNR NAK. */
static inline void
rc_acks_wait_over(struct rc_acks *acks)
{
	if (acks->owed == RC_OWED_RNR_NAK)
		acks->owed = RC_OWED_NONE;
	rc_acks_repeat(acks);
}

/**
 * The request is refused: a fatal NAK of psn with the syndrome is owed, then error state (RC-035).
 */
void
rc_acks_owe_fatal_nak(struct rc_acks *acks, uint8_t syndrome, uint32_t psn, enum rc_status why);

/** @return BTH of a response packet */
static inline struct wire_bth_value
rc_response_bth(uint32_t remote_qpn, uint8_t opcode, uint32_t psn)
{
	return (struct wire_bth_value){
		.opcode = opcode,
		.migrated = true, /* the normal state without path migration */
		.pkey = WIRE_PKEY_DEFAULT,
		.dest_qp = remote_qpn,
		.psn = psn,
	};
}

/**
 * Begin a response packet around its payload.
 * @return where the extension headers of the opcode go; the caller ends it with rc_out_finish()
 */
uint8_t *
rc_response_begin(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint8_t opcode, uint32_t psn);

/** Build an acknowledgement without payload and queue it. Consumes the mbuf. */
void rc_acknowledge_send(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint32_t psn,
	const struct wire_aeth_value *aeth);

/**
 * Send what is owed; called when no READ response waits any more. A fatal NAK that was sent makes
 * the queue pair fail.
 * @return false when it is still owed: for want of an mbuf or room, or because it waits
 */
bool rc_acks_progress(struct rc_qp *qp, uint64_t now_ns);

/** The queue pair is about to end: send an ACK that waits, if there are an mbuf and room. */
void rc_acks_end(struct rc_qp *qp);

#endif
