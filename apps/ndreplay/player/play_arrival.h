/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_ARRIVAL_H
#define NDPDK_PLAYER_PLAY_ARRIVAL_H

#include "play_recorded.h"

/** Maximum number of packets that a side can keep while an earlier packet is missing. */
#define PLAY_AHEAD 1024u

/** A request packet of the peer that arrived after a gap in the PSNs. */
struct play_ahead {
	uint64_t sequence;
	size_t operation;
	uint32_t packet;
	bool there;
	bool lacks; /**< the packet found no posted receive when it arrived */
};

/**
 * Records which requests of the peer our side has accepted, and which packets our side keeps
 * because an earlier packet is missing.
 */
struct play_arrival {
	uint64_t expected; /**< next PSN of the peer that our side accepts */
	uint16_t keep;     /**< maximum number of kept packets; 0: go-back-N */
	bool waits;        /**< an RNR NAK was sent for PSN `expected`, so no packet is kept */
	struct play_ahead ahead[PLAY_AHEAD]; /**< kept packets, indexed by PSN % PLAY_AHEAD */
};

enum play_order {
	PLAY_DUPLICATE,
	PLAY_NEXT,  /**< executed now: call play_arrival_execute() */
	PLAY_LATER, /**< not executed yet: the packet is kept, was dropped, or has no receive */
};

/**
 * Decide whether a request packet of the peer is a duplicate, is executed now, or is executed
 * later.
 *
 * @param there true if our side had posted a receive for its operation
 */
enum play_order play_arrival_take(struct play_arrival *arrival,
	const struct play_recorded *recorded, const struct nd_model_frame *frame, bool there);

/** Advance the expected PSN after a packet that our side executes. */
void play_arrival_execute(
	struct play_arrival *arrival, const struct play_recorded *recorded, size_t operation);

/** @return the kept packet with the expected PSN; NULL: no such packet is kept */
struct play_ahead *play_arrival_kept(struct play_arrival *arrival);

/**
 * Drop the kept packets, because our side sends an RNR NAK. Keep no packet until the expected
 * packet is retransmitted.
 */
void play_arrival_await(struct play_arrival *arrival);

/** Forget all kept packets. */
void play_arrival_drop(struct play_arrival *arrival);

/**
 * @param at index of an answer that our side sent
 * @return a PSN. The answer shows that all packets before this PSN have arrived. 0: it shows
 *         nothing
 */
uint64_t play_arrival_shown(const struct play_arrival *arrival,
	const struct play_recorded *recorded, size_t at, const struct nd_model_frame *answer);

/**
 * Find the newest captured request with the expected PSN.
 *
 * @param before index of a frame; only earlier frames are searched
 * @return number of the request's frame; 0: not found
 */
uint64_t play_arrival_find(const struct play_arrival *arrival, const struct play_recorded *recorded,
	size_t before, struct nd_model_frame *frame);

#endif
