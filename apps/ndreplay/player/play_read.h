/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_READ_H
#define NDPDK_PLAYER_PLAY_READ_H

#include "play_recorded.h"

/*
 * A retransmitted READ is executed again, possibly after a later WRITE. Therefore each byte of the
 * result may be the content at the first or at the second execution.
 */

/** An operation, usually a READ, with data that differ from the capture. */
struct play_read {
	const struct play_recorded *recorded;
	unsigned side; /**< index of the side that posted the operation */
	size_t operation;
	/**
	 * Number of the newest frame with data of the READ. 0 = the operation is no READ, or was
	 * answered only once.
	 */
	uint64_t over;
};

void play_read_begin(struct play_read *read, const struct play_recorded *recorded, unsigned side,
	size_t operation);

/** @return true if a later request changed this byte before the last answer to the READ */
bool play_read_is_overtaken(const struct play_read *read, uint64_t offset);

/**
 * Replace the recorded bytes of a READ of the peer by the bytes of the first answer, which show the
 * memory at the first execution. The recorded bytes come from the newest answer.
 *
 * @param bytes, known the whole message, and a flag for each byte that tells whether its content is
 *         known
 */
void play_read_first(const struct play_recorded *recorded, size_t operation, uint8_t *bytes,
	uint8_t *known, size_t count);

#endif
