/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RECOVERY_H
#define NDPDK_RC_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "rc/request.h"
#include "rc/rtt.h"
#include "rc/timer.h"

struct rc_qp;

/*
 * Selective recovery of the requester, on the standard wire; go-back-N (retransmit.h) is what
 * remains when it does not help. Without struct rc_qp_connect_attr.selective nothing here has an
 * effect.
 */

/** Whether the peer keeps packets that arrive behind a gap (RC-114). */
enum rc_keeps {
	RC_KEEPS_UNKNOWN,
	RC_KEEPS_YES,
	RC_KEEPS_NO, /**< standard: it drops them */
};

struct rc_recovery {
	struct rc_rtt rtt;
	struct rc_timer_early early; /**< of requester.timer */
	uint64_t probe_ns;           /**< the newest probe; valid with RC_WATCH_EARLY */
	/** PSN after the last packet that was outstanding when the newest probe was sent. */
	uint32_t probe_end_psn;
	uint8_t probes_open; /**< probes that may still get a duplicate response */
	bool resend_probe;   /**< the packets of RC_WATCH_RESEND are a probe */
	/** With RC_WATCH_RESEND: packets to be sent again, una_psn or the newest one among them. */
	uint32_t resend_psn;
	uint32_t resend_packets;
	/** With RC_WATCH_REPAIR: una_psn and so many packets were sent again ... */
	uint32_t repair_packets;
	uint32_t repair_psn;
	uint32_t repair_end_psn; /**< ... when all before this had been sent */
	uint64_t repair_ns;      /**< when */
	bool repair_nak;         /**< for a NAK: progress tells what the peer does */
	bool repair_read;        /**< they are responses of a READ, or of an atomic */
	bool repair_next;        /**< the last repair ended at una_psn: more is missing behind it */
	bool resend_part;        /**< the peer knows the READ: a part of it may be asked for */
	bool reads_cut;          /**< a part of a READ was asked for: places of responses vary */
	/**
	 * With RC_WATCH_HOLES: the peer has answered everything before known_psn, so that what is
	 * missing of it is lost; what came of it is in the map, if there is one.
	 */
	uint32_t known_psn;
	struct rc_holes *holes;
	uint8_t keeps; /**< enum rc_keeps */
	uint8_t gaps;  /**< with RC_KEEPS_NO: since a trial; RC_KEEPS_YES: in doubt */
};

/** Start from the connection's attributes; the timer is initialised. */
void rc_recovery_connect(struct rc_qp *qp);

/** PSNs were newly acknowledged. @param count of them, in front of una_psn; 0: a keepalive's */
void rc_recovery_progress(struct rc_qp *qp, uint32_t count, uint64_t now_ns);

/**
 * The progress that has just ended a wait with early expiries (RC-104) is a response that goes on
 * with an answer to a READ. It is no answer to a probe, which begins anew: the peer answers slowly,
 * or something slows it down, and no response was lost. The next response gets more time than this
 * one has taken.
 */
void rc_recovery_slow_answer(struct rc_qp *qp, uint64_t now_ns);

/** The timer has expired early (RC-104, RC-115). The queue pair may fail. */
void rc_recovery_early(struct rc_qp *qp, uint64_t now_ns);

/**
 * A NAK says that the peer misses una_psn (RC-098): send it again, alone (RC-114) or with all that
 * follows. The queue pair may fail.
 */
void rc_recovery_nak(struct rc_qp *qp, uint64_t now_ns);

/**
 * Process a response to a PSN that was answered before. After a probe, such a response shows that
 * the peer received both the original packet and the probe, so the probe was spurious.
 */
void rc_recovery_duplicate_response(struct rc_qp *qp);

/**
 * The peer has answered everything before a PSN that is outstanding, READs from una_psn on among
 * it, and not all of this has come (RC-113).
 */
void rc_recovery_known(struct rc_qp *qp, uint32_t psn);

/** @return how many responses from una_psn on were placed already; with RC_WATCH_HOLES */
uint32_t rc_recovery_placed(const struct rc_qp *qp);

/**
 * Ask again for what is missing from una_psn on, up to the next response that has come: the oldest
 * hole only, since some peers forget what lies before a part that was asked for (Q8). With
 * RC_WATCH_HOLES; the oldest request is a READ. The queue pair may fail.
 */
void rc_recovery_ask(struct rc_qp *qp, uint64_t now_ns);

/**
 * Have the newest packet on its way, one of a message, sent again by itself: it asks for an
 * acknowledgement (RC-007). At least one packet is on its way.
 */
void rc_recovery_ask_newest(struct rc_qp *qp);

/** Forget which responses have come. */
void rc_recovery_forget(struct rc_qp *qp);

/**
 * Send what RC_WATCH_RESEND stands for. The queue pair may fail.
 * @return RC_REQUEST_SENT, RC_REQUEST_FAILED: nothing is left of it; the others as from
 *         rc_request_resend()
 */
enum rc_request_outcome rc_recovery_resend(struct rc_qp *qp, uint64_t now_ns);

#endif
