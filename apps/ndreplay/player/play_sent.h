/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_SENT_H
#define NDPDK_PLAYER_PLAY_SENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

#include "packet.h"

struct rte_mbuf;

/** Kind of a frame. A frame is compared only with frames of the same kind. */
enum play_kind {
	PLAY_REQUEST,
	PLAY_ACK, /**< an acknowledgement that is not a NAK */
	PLAY_NAK,
	PLAY_RNR_NAK,
	PLAY_READ_RESPONSE,
	PLAY_ATOMIC,
	PLAY_CM,
	PLAY_CNP,
	PLAY_OTHER,
};

struct play_frame {
	uint64_t time_ns;
	uint8_t *bytes; /**< allocated with malloc() */
	uint32_t count;
	struct nd_model_headers headers;
	struct packet packet;
	uint64_t sequence; /**< PSN, extended to 64 bits as in the model */
	uint64_t behind;   /**< number of the recorded frame that was replayed just before */
	bool matched;      /**< a recorded frame matches this frame */
};

/** The frames that the engine sent, and the PSNs of its requests. */
struct play_sent {
	struct play_frame *frames;
	size_t count, room;
	uint64_t end;          /**< highest PSN that our requests have used (64 bits), plus 1 */
	uint64_t end_now;      /**< PSN after the newest request, or PSN of a newer NAK */
	uint64_t answers_near; /**< newest PSN of the peer; PSNs of our answers are near it */
};

enum play_kind play_kind_of(const struct nd_model_headers *headers);

/**
 * Copy a frame that the engine sends. Frames of ARP and neighbour discovery are not copied, because
 * they do not belong to the conversation.
 *
 * @param[out] frame filled if true is returned. Pass the frame to play_sent_add(), or free its
 *         bytes
 * @param[out] no_memory set if memory is exhausted
 * @return true if the frame was copied
 */
bool play_sent_copy(const struct rte_mbuf *mbuf, struct play_frame *frame, bool *no_memory);

/** Add a frame. Its sequence must be set. @return false: out of memory; the bytes are freed */
bool play_sent_add(struct play_sent *sent, const struct play_frame *frame);

/** Called for a request that the engine sends. @param end last PSN of the request, plus 1 */
void play_sent_request(struct play_sent *sent, uint64_t end);

/** @return the 64-bit PSN that is nearest to `near` and has psn as its lower 24 bits */
uint64_t play_unwrap(uint64_t near, uint32_t psn);

void play_sent_clear(struct play_sent *sent);

#endif
