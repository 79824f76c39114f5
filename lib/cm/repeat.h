/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_REPEAT_H
#define NDPDK_CM_REPEAT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Decides when a REQ, REP or DREQ is retransmitted, and when its sender gives up. This module sends
 * nothing and has no timer: fsm.c calls it for each event, and sets the connection's timer to the
 * time returned.
 *
 * Intervals double. With the defaults of struct cm_config (intervals from 250 ms to 2 s, seven
 * retransmissions), the sender of a REQ or DREQ gives up after 11.8 s. A REP is retransmitted as
 * often as both sides permit, and its sender waits as long as the REQ permits, at most 68.7 s.
 *
 * A transmission counts only if the output has accepted the message. While the output is full, the
 * plan is delayed. The delay is at most the duration of the plan, so the sender gives up at the
 * latest after twice this duration.
 */

/**
 * @param code CM response timeout, 0..31
 * @return timeout in nanoseconds, at most 4.3 s (the default of Linux), so that a REQ of an unknown
 *         peer cannot occupy a record for long
 */
uint64_t cm_response_ns(uint8_t code);

/** Number and intervals of the retransmissions of a message. */
struct cm_repeat_plan {
	/** time until the first retransmission; each further interval is twice as long */
	uint64_t first_ns;
	uint64_t longest_ns; /**< maximum interval */
	/** minimum time until the sender gives up, whatever the number of retransmissions */
	uint64_t patience_ns;
	uint8_t repeats; /**< number of retransmissions, at most WIRE_CM_RETRIES_MAX */
};

struct cm_repeat {
	uint64_t interval_ns;
	uint64_t longest_ns;
	uint64_t give_up_ns;
	/** latest possible give_up_ns, which moves while the output is full */
	uint64_t give_up_max_ns;
	uint8_t left; /**< number of retransmissions left */
	bool started; /**< true if the output has accepted the message at least once */
};

/** Begin the retransmissions of a message. The caller then sends it and calls cm_repeat_tried(). */
void cm_repeat_begin(struct cm_repeat *repeat, const struct cm_repeat_plan *plan, uint64_t now_ns);

/**
 * Report an attempt to send the message.
 * @param taken true if the output accepted the message
 * @return time at which the timer must expire next
 */
uint64_t cm_repeat_tried(struct cm_repeat *repeat, bool taken, uint64_t now_ns);

/**
 * Decide what to do when the timer has expired.
 * @return true if the caller must give up; false if the caller must send the message and call
 *         cm_repeat_tried()
 */
bool cm_repeat_over(const struct cm_repeat *repeat, uint64_t now_ns);

/**
 * Delay the retransmission, because an MRA of the peer asks this side to wait until until_ns.
 * @param deadline_ns current deadline of the timer
 * @return new deadline of the timer, never earlier than deadline_ns
 */
uint64_t cm_repeat_pause(struct cm_repeat *repeat, uint64_t deadline_ns, uint64_t until_ns);

#endif
