/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_TIMER_H
#define NDPDK_RC_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The one timer of a requester. The data path says what happened on the wire; only timer.c decides
 * what that means for the timer, and nothing else reads or writes its fields.
 */

/** What the timer is running for: a send queue never waits for two things. */
enum rc_timer_kind {
	RC_TIMER_IDLE,
	RC_TIMER_ACK, /**< an answer is outstanding (RC-095) */
	RC_TIMER_RNR, /**< the peer asked to wait (RC-086) */
};

struct rc_timer {
	enum rc_timer_kind kind;
	uint8_t doublings; /**< of interval_ns, for each time it ran out without progress */
	uint64_t deadline_ns;
	uint64_t interval_ns; /**< of RC_TIMER_ACK; BASE_TIME_NEVER = none */
};

/** @param ack_timeout exponent of base_timeout_ns(); 0 = answers are waited for without end */
void rc_timer_init(struct rc_timer *timer, uint8_t ack_timeout);

/**
 * A request that will be answered was put on the wire. Not to be told while the peer has us wait.
 */
void rc_timer_request_sent(struct rc_timer *timer, uint64_t now_ns);

/** Requests were newly acknowledged. @param awaiting whether an answer is still outstanding */
void rc_timer_progress(struct rc_timer *timer, bool awaiting, uint64_t now_ns);

/** The peer is busy with a copy of what is waited for: the whole interval from now on. */
void rc_timer_alive(struct rc_timer *timer, uint64_t now_ns);

/** The peer asked to wait. @param code of the RNR NAK, 0..31 */
void rc_timer_rnr_nak(struct rc_timer *timer, uint8_t code, uint64_t now_ns);

/** What is outstanding will be sent again: no answer is waited for before that has happened. */
void rc_timer_go_back(struct rc_timer *timer);

/** The send queue has ended, or is empty. */
void rc_timer_idle(struct rc_timer *timer);

/** @return what has just run out, after which the timer is idle; RC_TIMER_IDLE: nothing. */
enum rc_timer_kind rc_timer_expire(struct rc_timer *timer, uint64_t now_ns);

/** @return whether the peer has us wait: nothing is sent (RC-085). */
bool rc_timer_rnr_waiting(const struct rc_timer *timer);

/** @return when rc_timer_expire() will have something to tell, or BASE_TIME_NEVER. */
uint64_t rc_timer_deadline(const struct rc_timer *timer);

#endif
