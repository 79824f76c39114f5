/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RTT_H
#define NDPDK_RC_RTT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Estimate of the time from a request to its answer (RC-115), after RFC 6298, section 2. It
 * includes the time that the peer takes, and that its application lets it wait.
 */

struct rc_qp;

struct rc_rtt {
	uint64_t smoothed_ns; /**< 0: there was no sample yet */
	uint64_t variation_ns;
	uint64_t min_ns;    /**< smallest sample; valid with a sample */
	uint64_t timed_ns;  /**< when the packet that is being timed was sent */
	uint32_t timed_psn; /**< valid with RC_WATCH_TIMED, as timed_ns */
	uint8_t samples;    /**< taken so far; no longer counted once they are many */
	uint8_t careful;    /**< samples for which the wait is longer: one took too long */
};

/**
 * One of so many packets that ask for an answer is timed, one at a time: more of them while the
 * estimate moves, and each of the first ones of a connection and behind an answer that took longer
 * than the wait.
 */
#define RC_RTT_SPACING_MOVING 4
#define RC_RTT_SPACING_STEADY 16

/**
 * Add a sample. The caller leaves out packets that were sent more than once: their answer may
 * belong to any of the copies (Karn's rule).
 *
 * @param sample_ns 0 is taken as 1
 */
void rc_rtt_sample(struct rc_rtt *rtt, uint64_t sample_ns);

/** @return whether there is an estimate. */
static inline bool
rc_rtt_known(const struct rc_rtt *rtt)
{
	return rtt->smoothed_ns != 0;
}

/**
 * @return how long to wait for an answer before it is worth a packet to ask for it (RC-104): two
 *         to two and a quarter round trips, but 10 us more than two and 50 us at the least; longer
 *         for a while after an answer that took longer than that; 5 ms while there was no sample
 */
uint64_t rc_rtt_probe_ns(const struct rc_rtt *rtt);

/**
 * @return how long the answer to a packet may take until the packet counts as lost, when there is
 *         another sign of its loss
 */
uint64_t rc_rtt_overdue_ns(const struct rc_rtt *rtt);

/**
 * A packet of this PSN that asks for an answer was sent for the first time, and
 * struct rc_requester.time_skip says that it is its turn to be timed.
 */
void rc_rtt_time(struct rc_qp *qp, uint32_t psn, uint64_t now_ns);

#endif
