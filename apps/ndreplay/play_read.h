/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_READ_H
#define NDPDK_NDREPLAY_PLAY_READ_H

#include "play.h"

/*
 * A READ that is asked for again is executed again, maybe behind a WRITE that was posted behind it:
 * then its bytes are those of one time or the other.
 */

/** An operation whose data differ. */
struct play_read {
	const struct play *play;
	unsigned side; /**< who has posted it */
	size_t operation;
	uint64_t over; /**< newest frame that brought data; 0: no READ, or answered once */
};

void
play_read_begin(struct play_read *read, const struct play *play, unsigned side, size_t operation);

/** @return whether a request behind the READ has changed a byte of its data before it was over */
bool play_read_is_overtaken(const struct play_read *read, uint64_t offset);

/**
 * Put what the first answer to their READ brought in place of the newest: that is what memory had
 * when it was executed at first.
 *
 * @param bytes of its message, from the start on; known: for each, whether it is known
 */
void play_read_first(
	const struct play *play, size_t operation, uint8_t *bytes, uint8_t *known, size_t count);

#endif
