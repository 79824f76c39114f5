/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_TIMER_H
#define NDPDK_RC_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/encoded_time.h"

/*
 * The only timer of a requester. The data path reports events. Only timer.c decides how an event
 * changes the timer, and only timer.c accesses the members of the timer.
 */

/** Event that the timer waits for. A send queue never waits for two events at a time. */
enum rc_timer_kind {
	RC_TIMER_IDLE,
	RC_TIMER_ACK, /**< an answer is outstanding (RC-095) */
	/** an early expiry, which is not a try; only returned by rc_timer_expire() */
	RC_TIMER_EARLY,
	RC_TIMER_ROOM, /**< the output queue is full, and no answer is outstanding */
	/* While the timer has one of the kinds below, no request is sent (rc_timer_holds()). */
	RC_TIMER_RNR,   /**< the peer requested a wait (RC-086) */
	RC_TIMER_PROBE, /**< a keepalive must be sent, due since deadline_ns */
};

struct rc_timer {
	enum rc_timer_kind kind;
	uint8_t doublings; /**< the ACK timer waits interval_ns << doublings; 0 after progress */
	bool stuck;        /**< true if the port refused packets at the end of the ACK interval */
	bool early;        /**< true if interval_ns is shorter than the encoded value */
	bool moved;        /**< true if an absence of the engine extended deadline_ns */
	uint64_t deadline_ns;
	uint64_t interval_ns; /**< ACK interval before doublings; BASE_TIME_NEVER: no ACK timer */
};

/**
 * A period of more than RC_AWAY_NS without a poll of the engine. It begins with the start of a
 * poll, or with the end of the sleep after this poll. It ends with the start of the next poll.
 */
struct rc_absence {
	uint64_t from_ns;
	uint64_t to_ns; /**< 0: no absence yet */
};

/** Minimum time between the starts of two polls that counts as an absence, in nanoseconds. */
#define RC_AWAY_NS UINT64_C(25000)

/** Rarely used state of an adaptive timer, separate from struct rc_timer (RC-115). */
struct rc_timer_early {
	uint64_t encoded_ns; /**< ACK interval of the connection */
	uint64_t since_ns;   /**< start of the wait; valid if expiries > 0 */
	uint32_t expiries;   /**< number of early expiries since the last progress */
};

/**
 * Rarely used state, separate from struct rc_timer. For an ACK timer, the members are valid while
 * rc_timer.stuck is set.
 */
struct rc_timer_stuck {
	/**
	 * ACK timer: number of packets that the port must have accepted since its start before a
	 * try counts. RC_TIMER_ROOM, RC_TIMER_PROBE: number of accepted packets at the start of the
	 * wait.
	 */
	uint64_t mark;
	/** ACK timer: time at which `mark` was set. Later expiries of the timer are not tries. */
	uint64_t since_ns;
};

/**
 * Time after which a send queue fails if the port does not accept its packets. The ACK intervals at
 * the start and at the end of this time are added, so the sum is at most 5 s plus eight times the
 * encoded value. The time does not count as a try. Without an ACK timer, the send queue waits for
 * the port without limit.
 */
#define RC_STUCK_NS UINT64_C(5000000000)

/** Reason why an ACK timer has expired. */
enum rc_timer_verdict {
	RC_TIMER_UNANSWERED, /**< the packet was sent and is not answered, so count a try */
	RC_TIMER_STUCK,      /**< the packet may not have been sent, and the timer was restarted */
	RC_TIMER_GIVE_UP,    /**< the port has accepted no packet for RC_STUCK_NS */
};

/**
 * @param ack_timeout exponent of base_timeout_ns(); 0 = no ACK timer, so that answers are awaited
 * without limit
 */
void rc_timer_init(struct rc_timer *timer, uint8_t ack_timeout);

/** Report that a request was sent that needs an answer. Not allowed during an RNR wait. */
void rc_timer_request_sent(struct rc_timer *timer, uint64_t now_ns);

/** Report that requests were acknowledged. @param awaiting true if an answer is outstanding */
void rc_timer_progress(struct rc_timer *timer, bool awaiting, uint64_t now_ns);

/** Restart the whole interval, because the peer is sending responses to the oldest request. */
void rc_timer_alive(struct rc_timer *timer, uint64_t now_ns);

/** Report that the peer sent an RNR NAK. @param code timer code, 0..31 */
void rc_timer_rnr_nak(struct rc_timer *timer, uint8_t code, uint64_t now_ns);

/**
 * Stop the timer until the first retransmission, because the outstanding packets are retransmitted.
 */
void rc_timer_go_back(struct rc_timer *timer);

/** Stop the timer, because the send queue was flushed. */
void rc_timer_idle(struct rc_timer *timer);

/**
 * Wait for room, because the output queue was full or no mbuf was free.
 *
 * @param[out] stuck stores `taken` until the wait ends
 * @param taken number of packets that the port has accepted since its start
 * @param moved true if other packets of the queue pair were queued since the last call
 */
void rc_timer_no_room(struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken,
	bool moved, uint64_t now_ns);

/**
 * Make the timer adaptive: after its next start, its first expiries are early.
 *
 * @param timer initialized with rc_timer_init(), or already adaptive
 * @param early state of this timer; pass the same struct to the other functions
 */
void rc_timer_adapt(struct rc_timer *timer, struct rc_timer_early *early);

/**
 * Set the next interval to delay_ns, after progress or with a new estimate; later intervals double.
 * No effect if delay_ns is not shorter than the encoded interval, or if there is no ACK timer.
 */
void rc_timer_early_begin(struct rc_timer *timer, struct rc_timer_early *early, uint64_t delay_ns);

/**
 * Called after RC_TIMER_EARLY: restart the timer with twice the interval, but not beyond the end of
 * the encoded interval that began with the wait. The expiry at that end is a try (RC-096). Later
 * intervals are those of a timer without early expiries.
 *
 * @return false if the end is reached; the timer is then idle, and this expiry was a try
 */
bool rc_timer_early_next(struct rc_timer *timer, struct rc_timer_early *early, uint64_t now_ns);

/** Stop waiting for room. */
static inline void
rc_timer_room(struct rc_timer *timer)
{
	if (unlikely(timer->kind == RC_TIMER_ROOM))
		timer->kind = RC_TIMER_IDLE;
}

/**
 * Find out why an ACK timer has just expired (rc_timer_expire()). A try counts if the port has
 * accepted the packet, which is certain if the port has refused no packet. If the port has refused
 * packets, the last of them is the mark. When the port has accepted the mark, it has accepted the
 * packet, too. To check the mark, the timer expires again after an eighth of the next interval.
 *
 * @param stuck state of this timer; do not change it until the next call
 * @param taken number of packets that the port has accepted since its start
 * @param refused number of packets that the port refused after the accepted packets
 */
enum rc_timer_verdict rc_timer_judge(struct rc_timer *timer, struct rc_timer_stuck *stuck,
	uint64_t taken, uint32_t refused, uint64_t now_ns);

/**
 * Called when the timer is due. Extends a wait for an answer or for the port by the time during
 * which the engine was absent, because the engine received no packets in that time. Each wait is
 * extended only once, because otherwise a wait of a rarely polled engine would never end.
 *
 * @param absence the newest absence of the engine
 * @return true if the wait continues beyond now_ns
 */
bool rc_timer_move(struct rc_timer *timer, const struct rc_absence *absence, uint64_t now_ns);

/**
 * @return kind of the wait that has just ended; RC_TIMER_IDLE if no wait has ended. The call makes
 * the timer idle, except after RC_TIMER_PROBE
 */
enum rc_timer_kind rc_timer_expire(struct rc_timer *timer, uint64_t now_ns);

/** @return true during an RNR wait, in which no request is sent (RC-085) */
static inline bool
rc_timer_rnr_waiting(const struct rc_timer *timer)
{
	return timer->kind == RC_TIMER_RNR;
}

/** @return true if the expiry counts as a try of the ACK timer, or ends a wait for room */
static inline bool
rc_timer_counts(const struct rc_timer *timer)
{
	return timer->kind != RC_TIMER_RNR && !(timer->kind == RC_TIMER_ACK && timer->early);
}

/** @return true if no request may be sent now: during an RNR wait, or before a keepalive */
static inline bool
rc_timer_holds(const struct rc_timer *timer)
{
	return timer->kind >= RC_TIMER_RNR;
}

/**
 * Called when a keepalive must be sent before any request. The timer stays due until
 * rc_timer_probe_sent().
 */
void rc_timer_probe(struct rc_timer *timer, uint64_t now_ns);

/**
 * Called when the keepalive was sent. The timer waits for its answer as for the answer to a
 * request.
 */
void rc_timer_probe_sent(struct rc_timer *timer, uint64_t now_ns);

/**
 * Called if the output queue had no room for a keepalive.
 *
 * @param stuck state of this timer
 * @param taken number of packets that the port has accepted since its start
 * @return true if the port has accepted no packet for RC_STUCK_NS
 */
bool rc_timer_probe_stuck(
	struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken, uint64_t now_ns);

/** @return time at which the timer expires, or BASE_TIME_NEVER */
static inline uint64_t
rc_timer_deadline(const struct rc_timer *timer)
{
	return timer->kind == RC_TIMER_IDLE ? BASE_TIME_NEVER : timer->deadline_ns;
}

#endif
