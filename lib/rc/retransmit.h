/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RETRANSMIT_H
#define NDPDK_RC_RETRANSMIT_H

#include <stdbool.h>
#include <stdint.h>

struct rc_qp;
struct rc_requester;

/*
 * Go-back-N: when to retransmit from una_psn on, how often, and when to give up. When retries are
 * used up, the oldest request and the queue pair fail.
 *
 * Callers first process the PSNs that a response acknowledges, so the NAK or gap is at una_psn.
 */

/** Handle an expiry of the ACK timer (RC-096). */
void rc_retransmit_timeout(struct rc_qp *qp, uint64_t now_ns);

/**
 * Called if the peer lacks una_psn, or this side lacks the READ response with PSN una_psn. Ignored
 * while una_psn is already being retransmitted (RC-098), and during an RNR wait (RC-086).
 *
 * @param counter counter of the cause in qp->ctx->counters, incremented when the requester goes
 *         back
 */
void rc_retransmit_gap(struct rc_qp *qp, uint64_t *counter, uint64_t now_ns);

/** Called if the peer has no receive for una_psn (RC-085). @param code RNR timer code */
void rc_retransmit_rnr(struct rc_qp *qp, uint8_t code, uint64_t now_ns);

/**
 * Count a retry for a gap at una_psn, and report the gap to congestion control.
 * @return false if no retry was left, and the oldest request has failed
 */
bool rc_retransmit_take(struct rc_qp *qp, uint64_t now_ns);

/** Schedule the retransmission of all packets from una_psn on. The caller has counted the retry. */
void rc_retransmit_go_back(struct rc_requester *r);

/** Reset the retry counters, because packets were newly acknowledged (RC-085, RC-097). */
void rc_retransmit_progress(struct rc_qp *qp);

#endif
