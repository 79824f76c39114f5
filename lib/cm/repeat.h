/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_REPEAT_H
#define NDPDK_CM_REPEAT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Decides when a REQ, REP or DREQ is sent again, and when its sender gives up. It sends nothing and
 * has no timer: fsm.c reports what happened and sets the connection's timer to the time returned.
 *
 * Intervals double. With the defaults of struct cm_config, 250 ms up to 2 s and seven repeats, a
 * REQ or DREQ is given up after 11.8 s. A REP is repeated as often as both sides allow and waited
 * for as long as the REQ grants, at most 68.7 s.
 *
 * A try counts when the output has taken the message. While the output takes nothing, the plan is
 * delayed by the time lost, at most by its own length: the sender gives up after twice the length
 * of the plan in any case.
 */

/**
 * @param code a CM response timeout, 0..31
 * @return nanoseconds; never more than 4.3 s, Linux' default, so that the REQ of a stranger cannot
 *         occupy a record for long
 */
uint64_t cm_response_ns(uint8_t code);

/** How a state repeats its message. */
struct cm_repeat_plan {
	uint64_t first_ns;    /**< to the first repeat; doubles with each one */
	uint64_t longest_ns;  /**< interval at most */
	uint64_t patience_ns; /**< wait so long, even when no repeat is left */
	uint8_t repeats;      /**< at most WIRE_CM_RETRIES_MAX */
};

/** Part of a connection: where it is in the plan. */
struct cm_repeat {
	uint64_t interval_ns; /**< to the next repeat */
	uint64_t longest_ns;
	uint64_t give_up_ns;
	uint64_t give_up_max_ns; /**< a port that takes nothing moves give_up_ns up to here */
	uint8_t left;            /**< repeats */
	bool started;            /**< the output has taken the message once */
};

/** Begin a plan. The caller sends the message now and calls cm_repeat_tried(). */
void cm_repeat_begin(struct cm_repeat *repeat, const struct cm_repeat_plan *plan, uint64_t now_ns);

/**
 * The message was given to the output. @param taken whether the output took it
 * @return when the timer shall fire
 */
uint64_t cm_repeat_tried(struct cm_repeat *repeat, bool taken, uint64_t now_ns);

/** The timer fired. @return true: give up; false: send the message, then cm_repeat_tried(). */
bool cm_repeat_over(const struct cm_repeat *repeat, uint64_t now_ns);

/**
 * The peer asks to wait until a time (MRA).
 * @param deadline_ns of the timer now
 * @return when the timer shall fire: never earlier than deadline_ns
 */
uint64_t cm_repeat_pause(struct cm_repeat *repeat, uint64_t deadline_ns, uint64_t until_ns);

#endif
