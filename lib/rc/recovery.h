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
 * Selective recovery of the requester: retransmits only lost packets, with standard packets only.
 * If it does not succeed, go-back-N is used (retransmit.h). If rc_qp_connect_attr.selective is
 * false, this module has no effect.
 */

/** Whether the peer keeps packets that arrive after a gap (RC-114). */
enum rc_keeps {
	RC_KEEPS_UNKNOWN,
	RC_KEEPS_YES,
	RC_KEEPS_NO, /**< the peer drops them, which is the behaviour of the standard */
};

struct rc_recovery {
	struct rc_rtt rtt;
	struct rc_timer_early early; /**< state of the adaptive requester.timer */
	uint64_t probe_ns;           /**< time of the newest probe; valid with RC_WATCH_EARLY */
	/** PSN after the last packet that was outstanding when the newest probe was sent. */
	uint32_t probe_end_psn;
	uint8_t probes_open; /**< probes that may still cause a duplicate response */
	bool resend_probe;   /**< the packets to retransmit (RC_WATCH_RESEND) are a probe */
	/**
	 * Next PSN to retransmit, and number of PSNs: from una_psn on, or only the newest PSN in
	 * flight. Valid with RC_WATCH_RESEND.
	 */
	uint32_t resend_psn;
	uint32_t resend_packets;
	/**
	 * Number of packets retransmitted, starting at repair_psn. The repair_ members are valid
	 * with RC_WATCH_REPAIR.
	 */
	uint32_t repair_packets;
	uint32_t repair_psn;
	uint32_t repair_end_psn; /**< max_sent_psn at the time of the repair */
	uint64_t repair_ns;      /**< time of the repair */
	/** repair after a NAK: the next progress shows whether the peer keeps packets */
	bool repair_nak;
	bool repair_read; /**< the repaired PSNs are of a READ or an atomic */
	bool repair_next; /**< the last repair ended at una_psn, and later packets are missing */
	bool resend_part; /**< the peer knows the READ, so a part of it may be requested */
	/** a part of a READ was requested: First and Last may occur at any response */
	bool reads_cut;
	/**
	 * The peer has answered all requests before this PSN, so READ responses before it that have
	 * not arrived are lost. Valid with RC_WATCH_HOLES. `holes` marks the responses that have
	 * arrived; NULL: none.
	 */
	uint32_t known_psn;
	struct rc_holes *holes;
	uint8_t keeps; /**< enum rc_keeps */
	/**
	 * RC_KEEPS_NO: gaps since the last trial; RC_KEEPS_YES: consecutive gaps that cast doubt
	 */
	uint8_t gaps;
};

/** Initialize from the attributes of the connection. The timer is already initialized. */
void rc_recovery_connect(struct rc_qp *qp);

/**
 * PSNs were newly acknowledged.
 * @param count number of these PSNs; una_psn is after them. 0: a keepalive was answered
 */
void rc_recovery_progress(struct rc_qp *qp, uint32_t count, uint64_t now_ns);

/**
 * Called when the progress that ended a wait with early expiries (RC-104) is a further response of
 * a READ, not the answer to a probe, which would start with a new First response. So the peer is
 * slow, and no response was lost. The next response gets more time than this one took.
 */
void rc_recovery_slow_answer(struct rc_qp *qp, uint64_t now_ns);

/** The timer expired early (RC-104, RC-115). The queue pair may fail. */
void rc_recovery_early(struct rc_qp *qp, uint64_t now_ns);

/**
 * Process a sequence NAK for una_psn (RC-098): retransmit una_psn alone (RC-114) or with all later
 * packets. The queue pair may fail.
 */
void rc_recovery_nak(struct rc_qp *qp, uint64_t now_ns);

/**
 * Process a response to a PSN that was answered before. After a probe, such a response shows that
 * the peer received both the original packet and the probe, so the probe was spurious.
 */
void rc_recovery_duplicate_response(struct rc_qp *qp);

/**
 * The peer has answered all requests before this outstanding PSN, but responses to READs from
 * una_psn on are missing (RC-113).
 */
void rc_recovery_known(struct rc_qp *qp, uint32_t psn);

/**
 * @return number of consecutive responses from una_psn on that were already placed. Valid with
 *         RC_WATCH_HOLES
 */
uint32_t rc_recovery_placed(const struct rc_qp *qp);

/**
 * Request the missing responses from una_psn to the next response that has arrived. Only the oldest
 * hole is requested, because some peers forget the responses before the requested part (Q8).
 * Requires RC_WATCH_HOLES, and a READ as the oldest request. The queue pair may fail.
 */
void rc_recovery_ask(struct rc_qp *qp, uint64_t now_ns);

/**
 * Schedule the newest packet in flight for retransmission with AckReq set (RC-007). At least one
 * packet, of a message, must be in flight.
 */
void rc_recovery_ask_newest(struct rc_qp *qp);

/** Free the map of responses that have arrived. */
void rc_recovery_forget(struct rc_qp *qp);

/**
 * Retransmit the packets of RC_WATCH_RESEND. The queue pair may fail.
 * @return RC_REQUEST_SENT, RC_REQUEST_FAILED: no packet is left; other values as
 *         rc_request_resend()
 */
enum rc_request_outcome rc_recovery_resend(struct rc_qp *qp, uint64_t now_ns);

#endif
