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
 * Selective recovery of the requester. It retransmits only lost packets, with standard packets
 * only. If it does not succeed, go-back-N follows (retransmit.h). If rc_qp_connect_attr.selective
 * is false, this module has no effect.
 */

/** Behaviour of the peer: whether it keeps packets that arrive after a gap (RC-114). */
enum rc_keeps {
	RC_KEEPS_UNKNOWN,
	RC_KEEPS_YES,
	RC_KEEPS_NO, /**< the peer drops packets after a gap, which is the standard behaviour */
};

struct rc_recovery {
	struct rc_rtt rtt;
	struct rc_timer_early early;
	uint64_t probe_ns; /**< time of the newest probe; valid with RC_WATCH_EARLY */
	/** PSN after the newest packet in flight when the newest probe was sent. */
	uint32_t probe_end_psn;
	uint8_t probes_open; /**< number of probes that may still cause a duplicate response */
	/** true if the packets to retransmit (RC_WATCH_RESEND) are a probe */
	bool resend_probe;
	/**
	 * Next PSN to retransmit, and number of PSNs to retransmit. The PSNs start at una_psn, or
	 * consist of only the newest PSN in flight. Valid with RC_WATCH_RESEND.
	 */
	uint32_t resend_psn;
	uint32_t resend_packets;
	/**
	 * Number of packets retransmitted alone, from repair_psn on. All repair_ members are valid
	 * with RC_WATCH_REPAIR.
	 */
	uint32_t repair_packets;
	uint32_t repair_psn;
	uint32_t repair_end_psn; /**< value of max_sent_psn when the packets were retransmitted */
	uint64_t repair_ns;      /**< time of the repair */
	/**
	 * True if a NAK caused the repair, so that the next progress shows whether the peer keeps
	 * packets.
	 */
	bool repair_nak;
	bool repair_read; /**< true if the retransmitted PSNs are of a READ or an atomic */
	/** true if the peer acknowledged exactly the last repair, and later packets are missing */
	bool repair_next;
	bool resend_part; /**< true if a part of the READ may be requested */
	/** True if a part of a READ was requested, so that any response may be a First or Last. */
	bool reads_cut;
	/**
	 * PSN before which the peer has answered all requests. READ responses before this PSN that
	 * have not arrived are lost. Valid with RC_WATCH_HOLES. `holes` marks the responses that
	 * have arrived; NULL if no response is marked.
	 */
	uint32_t known_psn;
	struct rc_holes *holes;
	uint8_t keeps; /**< enum rc_keeps */
	/**
	 * With RC_KEEPS_NO: number of gaps since the last trial. With RC_KEEPS_YES: number of
	 * consecutive gaps at which the peer seemed to drop packets.
	 */
	uint8_t gaps;
};

/** Initialize from the attributes of the connection. The timer is already initialized. */
void rc_recovery_connect(struct rc_qp *qp);

/**
 * Called when PSNs were newly acknowledged.
 * @param count number of newly acknowledged PSNs, which are before una_psn; 0 if a keepalive was
 *         answered
 */
void rc_recovery_progress(struct rc_qp *qp, uint32_t count, uint64_t now_ns);

/**
 * Called when a wait with early expiries (RC-104) ends with a Middle response of a READ. The answer
 * to a probe would start with a First response. So the peer is slow, and no response was lost. The
 * next response gets more time than this response took.
 */
void rc_recovery_slow_answer(struct rc_qp *qp, uint64_t now_ns);

/** Handle an early expiry of the timer (RC-104, RC-115). The queue pair may fail. */
void rc_recovery_early(struct rc_qp *qp, uint64_t now_ns);

/**
 * Process a sequence NAK for una_psn (RC-098): retransmit una_psn alone (RC-114) or with all later
 * packets. The queue pair may fail.
 */
void rc_recovery_nak(struct rc_qp *qp, uint64_t now_ns);

/**
 * Process a duplicate response, whose PSN was answered earlier. A duplicate after a probe shows
 * that the peer received both the original packet and the probe, so the probe was spurious.
 */
void rc_recovery_duplicate_response(struct rc_qp *qp);

/**
 * Called if the peer has answered all requests before the outstanding PSN psn, but responses to
 * READs from una_psn on are missing (RC-113).
 */
void rc_recovery_known(struct rc_qp *qp, uint32_t psn);

/**
 * @return number of consecutive responses from una_psn on that were already placed; valid with
 * RC_WATCH_HOLES
 */
uint32_t rc_recovery_placed(const struct rc_qp *qp);

/**
 * Request the missing responses from una_psn to the next response that has arrived. Only the first
 * gap is requested, because some peers forget the responses before the requested part (Q8).
 * Requires RC_WATCH_HOLES, and a READ as the oldest request. The queue pair may fail.
 */
void rc_recovery_ask(struct rc_qp *qp, uint64_t now_ns);

/**
 * Schedule the newest packet in flight for retransmission with AckReq set (RC-007). The caller has
 * at least one packet of a message in flight.
 */
void rc_recovery_ask_newest(struct rc_qp *qp);

/** Free the map that marks the responses that have arrived. */
void rc_recovery_forget(struct rc_qp *qp);

/**
 * Send the packets that are scheduled for retransmission (RC_WATCH_RESEND). The queue pair may
 * fail.
 * @return RC_REQUEST_SENT or RC_REQUEST_FAILED if no packet is left to retransmit; other values as
 *         rc_request_resend()
 */
enum rc_request_outcome rc_recovery_resend(struct rc_qp *qp, uint64_t now_ns);

#endif
