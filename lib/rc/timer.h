/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_TIMER_H
#define NDPDK_RC_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/encoded_time.h"

/*
 * The one timer of a requester. The data path reports what happened on the wire; only timer.c
 * decides what that means for the timer, and no other file reads or writes its fields.
 */

/** What the timer is running for: a send queue never waits for two things. */
enum rc_timer_kind {
	RC_TIMER_IDLE,
	RC_TIMER_ACK,   /**< an answer is outstanding (RC-095) */
	RC_TIMER_EARLY, /**< of rc_timer_expire(): the same, but it is too early for a try */
	RC_TIMER_ROOM,  /**< packets wait for room in the output, and no answer is outstanding */
	/* From here on no request is sent: rc_timer_holds(). */
	RC_TIMER_RNR,   /**< the peer asked to wait (RC-086) */
	RC_TIMER_PROBE, /**< a keepalive is to be sent, since deadline_ns */
};

struct rc_timer {
	enum rc_timer_kind kind;
	uint8_t doublings; /**< of interval_ns, for each time it ran out without progress */
	bool stuck;        /**< the port refused packets when the ACK interval ended */
	bool early;        /**< interval_ns is shorter than the encoded value */
	bool moved;        /**< deadline_ns was extended by an absence */
	uint64_t deadline_ns;
	uint64_t interval_ns; /**< of RC_TIMER_ACK; BASE_TIME_NEVER = none */
};

/**
 * Time of more than RC_AWAY_NS in which the engine was not polled: from the start of a turn, or the
 * end of a sleep after it, to the start of the next turn.
 */
struct rc_absence {
	uint64_t from_ns;
	uint64_t to_ns; /**< 0: no absence yet */
};

/** Longest time between the starts of two turns that is no absence, in nanoseconds. */
#define RC_AWAY_NS UINT64_C(25000)

/**
 * What an adaptive timer (RC-115) also knows; seldom needed, so kept apart from struct rc_timer.
 */
struct rc_timer_early {
	uint64_t encoded_ns; /**< the interval of the connection */
	uint64_t since_ns;   /**< begin of the wait; valid with expiries */
	uint32_t expiries;   /**< early ones since the last progress */
};

/**
 * What the timer also waits for while struct rc_timer.stuck is set; seldom needed, so kept apart
 * from struct rc_timer.
 */
struct rc_timer_stuck {
	/**
	 * Number of packets taken by the port. Before a try counts: to be reached. RC_TIMER_ROOM,
	 * RC_TIMER_PROBE: when the wait began.
	 */
	uint64_t mark;
	uint64_t since_ns; /**< when mark was set, before a try counts */
};

/**
 * A send queue whose packets the port does not take fails after this time plus the ACK intervals
 * that run at its start and at its end: at most 5 s plus eight times the encoded value. This time
 * is not counted as a try. Without an ACK timer the send queue waits for the port without end.
 */
#define RC_STUCK_NS UINT64_C(5000000000)

/** What an expired ACK timer means. */
enum rc_timer_verdict {
	RC_TIMER_UNANSWERED, /**< the packet left, and was not answered: this was a try */
	RC_TIMER_STUCK,      /**< it may not have left; the timer runs again */
	RC_TIMER_GIVE_UP,    /**< the port has not taken it for RC_STUCK_NS */
};

/** @param ack_timeout exponent of base_timeout_ns(); 0 = no timer: wait for answers without end */
void rc_timer_init(struct rc_timer *timer, uint8_t ack_timeout);

/**
 * A request that will be answered was sent. Not to be called during an RNR wait.
 */
void rc_timer_request_sent(struct rc_timer *timer, uint64_t now_ns);

/** Requests were newly acknowledged. @param awaiting whether an answer is still outstanding */
void rc_timer_progress(struct rc_timer *timer, bool awaiting, uint64_t now_ns);

/** The peer is answering a copy of the awaited request: restart the whole interval now. */
void rc_timer_alive(struct rc_timer *timer, uint64_t now_ns);

/** The peer asked to wait. @param code of the RNR NAK, 0..31 */
void rc_timer_rnr_nak(struct rc_timer *timer, uint8_t code, uint64_t now_ns);

/** The outstanding packets will be sent again: the timer is idle until the first one is sent. */
void rc_timer_go_back(struct rc_timer *timer);

/** The send queue has ended, or is empty. */
void rc_timer_idle(struct rc_timer *timer);

/**
 * Packets could not be queued because there was no room or no mbuf: wait for room.
 *
 * @param[out] stuck keeps taken until the wait ends
 * @param taken number of packets that the port took since the start
 * @param moved whether other packets of the queue pair were queued since the last time
 */
void rc_timer_no_room(struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken,
	bool moved, uint64_t now_ns);

/**
 * Make the timer adaptive: from the next start on, it first expires early.
 *
 * @param timer of which rc_timer_init() was called, or that is adaptive already
 * @param early of this timer; kept for it
 */
void rc_timer_adapt(struct rc_timer *timer, struct rc_timer_early *early);

/**
 * There was progress, or another estimate: the next interval is delay_ns, and those behind it
 * double. No effect when delay_ns is not shorter than the encoded interval, or that is none.
 */
void rc_timer_early_begin(struct rc_timer *timer, struct rc_timer_early *early, uint64_t delay_ns);

/**
 * The timer has expired early (RC_TIMER_EARLY): run it again, for twice the interval, but not
 * beyond the end of the encoded interval that has begun with the wait. What expires there is a try
 * (RC-096); the intervals behind it are those of a timer that is not adaptive.
 *
 * @return false: that end has been reached; the timer is idle, and this was a try
 */
bool rc_timer_early_next(struct rc_timer *timer, struct rc_timer_early *early, uint64_t now_ns);

/** Nothing waits for room any more. */
static inline void
rc_timer_room(struct rc_timer *timer)
{
	if (unlikely(timer->kind == RC_TIMER_ROOM))
		timer->kind = RC_TIMER_IDLE;
}

/**
 * Judge an ACK timer that has just expired (rc_timer_expire()). A try counts when the port has
 * taken the packet, which is certain when it has taken all packets it was given. If it refused
 * some, the last of these is the mark: once the port has taken it, it has taken the packet, too.
 * The timer expires again after an eighth of the next interval, to look whether it has.
 *
 * @param stuck of this timer; kept for it until the next call
 * @param taken packets that the port took since the start
 * @param refused packets behind them that it refused
 */
enum rc_timer_verdict rc_timer_judge(struct rc_timer *timer, struct rc_timer_stuck *stuck,
	uint64_t taken, uint32_t refused, uint64_t now_ns);

/**
 * Called when the timer is due. Extends a wait for an answer or for the port by the part of the
 * wait that lies in an absence, because the engine did not receive packets in that time. Each wait
 * is extended only once: with repeated extensions, a wait of a rarely polled engine would never
 * end.
 *
 * @param absence the newest absence of the engine
 * @return whether the wait continues beyond now_ns
 */
bool rc_timer_move(struct rc_timer *timer, const struct rc_absence *absence, uint64_t now_ns);

/**
 * @return which wait has just ended; the timer is idle then, but for RC_TIMER_PROBE.
 *         RC_TIMER_IDLE: none has.
 */
enum rc_timer_kind rc_timer_expire(struct rc_timer *timer, uint64_t now_ns);

/** @return whether this is an RNR wait, in which no request is sent (RC-085). */
static inline bool
rc_timer_rnr_waiting(const struct rc_timer *timer)
{
	return timer->kind == RC_TIMER_RNR;
}

/** @return whether a deadline that has passed is a try of the ACK timer, or a wait for room. */
static inline bool
rc_timer_counts(const struct rc_timer *timer)
{
	return timer->kind != RC_TIMER_RNR && !(timer->kind == RC_TIMER_ACK && timer->early);
}

/** @return whether no request may be sent now: an RNR wait, or a keepalive goes first. */
static inline bool
rc_timer_holds(const struct rc_timer *timer)
{
	return timer->kind >= RC_TIMER_RNR;
}

/** A keepalive is to be sent, before any request: the timer is due until it has been sent. */
void rc_timer_probe(struct rc_timer *timer, uint64_t now_ns);

/** The keepalive was sent, and waits for its answer as a request does. */
void rc_timer_probe_sent(struct rc_timer *timer, uint64_t now_ns);

/**
 * Called when there was no room for a keepalive.
 *
 * @param stuck of this timer
 * @param taken number of packets that the port took since the start
 * @return whether the port has taken no packet for RC_STUCK_NS
 */
bool rc_timer_probe_stuck(
	struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken, uint64_t now_ns);

/** @return when the timer expires, or BASE_TIME_NEVER. */
static inline uint64_t
rc_timer_deadline(const struct rc_timer *timer)
{
	return timer->kind == RC_TIMER_IDLE ? BASE_TIME_NEVER : timer->deadline_ns;
}

#endif
