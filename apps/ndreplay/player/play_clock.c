/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The virtual clock of a replay. */

#include "play_clock.h"

#include <time.h>

#include <ndpdk/nd_virtual.h>

#include "kit/stop.h"

/** Maximum delay of a timer in ns, because the engine counts deadlines in steps of 16.4 us. */
#define TIMER_STEP_NS UINT64_C(16384)
/** Maximum number of polls at the same virtual time. */
#define TURNS_MAX     100000

void
play_settle(struct play_clock *clock)
{
	for (uint32_t turn = 0; turn < TURNS_MAX; turn++) {
		const unsigned int done = nd_engine_poll(clock->engine);

		clock->polled(clock->arg);
		if (done == 0)
			return;
	}
}

static uint64_t
wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void
play_clock_begin(struct play_clock *clock, uint64_t begin_ns, uint32_t speed)
{
	clock->now_ns = clock->shift_ns = PLAY_BEGIN_NS;
	clock->begin_ns = begin_ns;
	clock->wall_begin_ns = wall_ns();
	clock->speed = speed;
}

/** With --speed, wait until the real time has reached the virtual time. */
static void
keep_pace(const struct play_clock *clock)
{
	uint64_t due_ns, now_ns;

	if (clock->speed == 0)
		return;
	due_ns = clock->wall_begin_ns + (clock->now_ns - PLAY_BEGIN_NS) / clock->speed;
	while ((now_ns = wall_ns()) < due_ns && !stop_is_wanted()) {
		const uint64_t left_ns = due_ns - now_ns;
		const struct timespec pause = {
			.tv_nsec = (long)(left_ns > 50000000 ? 50000000 : left_ns)};

		nanosleep(&pause, NULL);
	}
}

/** Advance the virtual time to the engine's next deadline, but not beyond until_ns. */
static void
step(struct play_clock *clock, uint64_t until_ns)
{
	uint64_t next_ns = nd_engine_next_deadline(clock->engine);

	if (next_ns <= clock->now_ns)
		next_ns = clock->now_ns + TIMER_STEP_NS;
	clock->now_ns = next_ns < until_ns ? next_ns : until_ns;
	keep_pace(clock);
	play_settle(clock);
	if (stop_is_wanted())
		clock->stopped = true;
}

void
play_advance(struct play_clock *clock, uint64_t until_ns)
{
	while (clock->now_ns < until_ns && !clock->stopped)
		step(clock, until_ns);
}

bool
play_wait(struct play_clock *clock, bool (*done)(const void *of, uint64_t argument), const void *of,
	uint64_t argument, uint64_t limit_ns)
{
	const uint64_t begin_ns = clock->now_ns, until_ns = begin_ns + limit_ns;

	play_settle(clock);
	while (!done(of, argument) && clock->now_ns < until_ns && !clock->stopped)
		step(clock, until_ns);
	/* Delay all later recorded frames by the virtual duration of this wait. */
	clock->shift_ns += clock->now_ns - begin_ns;
	return done(of, argument);
}
