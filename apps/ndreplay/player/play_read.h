/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_READ_H
#define NDPDK_PLAYER_PLAY_READ_H

#include "play_recorded.h"

/*
 * A retransmitted READ is executed again, possibly after a WRITE that was posted later. Its bytes
 * are then those of the first or of the second execution.
 */

/** A READ, or another operation, whose data differ from the capture. */
struct play_read {
	const struct play_recorded *recorded;
	unsigned side; /**< index of the side that posted the operation */
	size_t operation;
	/** number of the newest frame with its data; 0: no READ, or answered only once */
	uint64_t over;
};

void play_read_begin(struct play_read *read, const struct play_recorded *recorded, unsigned side,
	size_t operation);

/** @return whether a later request changed this byte before the last answer to the READ */
bool play_read_is_overtaken(const struct play_read *read, uint64_t offset);

/**
 * Replace the bytes of the newest answer to a READ of the peer by those of its first answer: the
 * memory at the first execution.
 *
 * @param bytes of the message, from the start on; known: for each, whether it is known
 */
void play_read_first(const struct play_recorded *recorded, size_t operation, uint8_t *bytes,
	uint8_t *known, size_t count);

#endif
