/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_CLOCK_H
#define NDPDK_PLAYER_PLAY_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/** Virtual time at the start of a replay, in ns. It is not 0, because 0 has a special meaning. */
#define PLAY_BEGIN_NS UINT64_C(1000000000)

/** The virtual clock of a replay. Each time the clock advances, the engine is polled. */
struct play_clock {
	struct nd_engine *engine;
	/** Called after each poll of the engine. */
	void (*polled)(void *arg);
	void *arg;
	uint64_t now_ns;
	uint64_t begin_ns;      /**< capture time of the first frame */
	uint64_t shift_ns;      /**< replay time = capture time - begin_ns + shift_ns */
	uint64_t wall_begin_ns; /**< real time at the start of the replay, for speed */
	uint32_t speed;         /**< factor of the recorded speed; 0 = no limit */
	bool stopped;           /**< the user pressed Ctrl-C */
};

/** Start the clock of a replay. @param begin_ns capture time of the first frame */
void play_clock_begin(struct play_clock *clock, uint64_t begin_ns, uint32_t speed);

/** @return capture time that corresponds to a time of a replay without delays */
static inline uint64_t
play_capture_time(const struct play_clock *clock, uint64_t time_ns)
{
	return clock->begin_ns + time_ns - PLAY_BEGIN_NS;
}

/** Poll the engine until it has nothing to do. The time does not advance. */
void play_settle(struct play_clock *clock);
/** Advance the time to until_ns. The call returns earlier if the user presses Ctrl-C. */
void play_advance(struct play_clock *clock, uint64_t until_ns);
/**
 * Advance the time until done() returns true, but at most by limit_ns.
 *
 * @param of, argument arguments of done()
 * @return the last result of done()
 */
bool play_wait(struct play_clock *clock, bool (*done)(const void *of, uint64_t argument),
	const void *of, uint64_t argument, uint64_t limit_ns);

#endif
