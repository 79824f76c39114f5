/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_ARRIVAL_H
#define NDPDK_PLAYER_PLAY_ARRIVAL_H

#include "play_recorded.h"

/** Maximum number of packets after a gap that a side keeps. */
#define PLAY_AHEAD 1024u

/** A request packet of the peer that arrived after a gap in the PSNs. */
struct play_ahead {
	uint64_t sequence;
	size_t operation;
	uint32_t packet;
	bool there;
	bool lacks; /**< no receive was posted for it when it arrived */
};

/** Which requests of the peer our side has accepted, and which it keeps after a gap. */
struct play_arrival {
	uint64_t expected; /**< next PSN of the peer that our side accepts */
	uint16_t keep;     /**< packets after a gap that our side keeps; 0: go-back-N */
	bool waits;        /**< our side sent an RNR NAK for PSN expected, so it keeps no packets */
	struct play_ahead ahead[PLAY_AHEAD]; /**< kept packets, indexed by PSN % PLAY_AHEAD */
};

enum play_order {
	PLAY_DUPLICATE,
	PLAY_NEXT,  /**< executed now: call play_arrival_execute() */
	PLAY_LATER, /**< kept, dropped, or without a receive */
};

/**
 * Classify a request packet of the peer.
 *
 * @param there whether our side had posted a receive for its operation
 */
enum play_order play_arrival_take(struct play_arrival *arrival,
	const struct play_recorded *recorded, const struct nd_model_frame *frame, bool there);

/** Advance past a packet that our side executes. */
void play_arrival_execute(
	struct play_arrival *arrival, const struct play_recorded *recorded, size_t operation);

/** @return the kept packet that is expected now, or NULL */
struct play_ahead *play_arrival_kept(struct play_arrival *arrival);

/** Accept and keep no request until the expected request is retransmitted. */
void play_arrival_await(struct play_arrival *arrival);

/** Forget all kept packets. */
void play_arrival_drop(struct play_arrival *arrival);

/**
 * @param at index of an answer that our side sent
 * @return PSN up to which packets must have arrived; 0: the capture does not show it
 */
uint64_t play_arrival_shown(const struct play_arrival *arrival,
	const struct play_recorded *recorded, size_t at, const struct nd_model_frame *answer);

/**
 * Find the newest captured request with the expected PSN.
 *
 * @param before index of the frame before which the request is searched
 * @return its number; 0: it was not captured
 */
uint64_t play_arrival_find(const struct play_arrival *arrival, const struct play_recorded *recorded,
	size_t before, struct nd_model_frame *frame);

#endif
