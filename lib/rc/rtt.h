/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RTT_H
#define NDPDK_RC_RTT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Estimate of the time from a request to its answer (RC-115), according to RFC 6298, section 2. The
 * estimate includes the processing time of the peer and delays by its application.
 */

struct rc_qp;

struct rc_rtt {
	uint64_t smoothed_ns; /**< 0: no sample yet */
	uint64_t variation_ns;
	uint64_t min_ns;   /**< smallest sample; valid after the first sample */
	uint64_t timed_ns; /**< send time of the packet being timed */
	/** PSN of the packet being timed; like timed_ns, it is valid with RC_WATCH_TIMED */
	uint32_t timed_psn;
	uint8_t samples; /**< number of samples so far; saturates at 16 */
	/** number of remaining samples with a longer wait, after an answer that took too long */
	uint8_t careful;
};

/**
 * Number of packets with AckReq per timed packet: MOVING while the estimate varies, STEADY
 * otherwise. Only one packet is timed at a time. The first packets of a connection, and packets
 * after an answer that took longer than the wait, are all timed.
 */
#define RC_RTT_SPACING_MOVING 4
#define RC_RTT_SPACING_STEADY 16

/**
 * Add a sample. Retransmitted packets must not be sampled, because their answer may belong to any
 * copy (Karn's algorithm).
 *
 * @param sample_ns round-trip time; 0 is treated as 1
 */
void rc_rtt_sample(struct rc_rtt *rtt, uint64_t sample_ns);

/** @return true if there is an estimate, which is the case after the first sample */
static inline bool
rc_rtt_known(const struct rc_rtt *rtt)
{
	return rtt->smoothed_ns != 0;
}

/**
 * @return time to wait for an answer before a probe is sent (RC-104). Usually 2 to 2.25 round
 * trips, but at least 2 round trips plus 10 us, and at least 50 us. After an answer that took
 * longer than this time, at least 2.5 round trips for some samples. Without a sample, 5 ms
 */
uint64_t rc_rtt_probe_ns(const struct rc_rtt *rtt);

/**
 * @return time after which an unanswered packet is considered lost, if a NAK or a later response
 * also indicates its loss
 */
uint64_t rc_rtt_overdue_ns(const struct rc_rtt *rtt);

/**
 * Start to time a packet that rc_requester.time_skip has selected. The packet has AckReq and was
 * just sent for the first time.
 */
void rc_rtt_time(struct rc_qp *qp, uint32_t psn, uint64_t now_ns);

#endif
