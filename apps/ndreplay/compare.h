/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_COMPARE_H
#define NDPDK_NDREPLAY_COMPARE_H

#include "play.h"

/* The comparison of what our side has sent with what was recorded of it. */

/** Frames are compared with frames of the same kind. */
enum compare_kind {
	COMPARE_REQUEST,
	COMPARE_ACK, /**< no NAK */
	COMPARE_NAK,
	COMPARE_RNR_NAK,
	COMPARE_READ_RESPONSE,
	COMPARE_ATOMIC,
	COMPARE_CM,
	COMPARE_CNP,
	COMPARE_OTHER,
};

/** A recorded frame of our side. */
struct compare_frame {
	uint64_t number;
	struct nd_model_frame frame;
	struct nd_model_headers headers;
	struct packet packet;
	enum compare_kind kind;
};

/** Values that differ by nature, each recorded one with that of the engine. */
struct compare_pair {
	enum {
		COMPARE_COMM_ID,
		COMPARE_QPN,
		COMPARE_TRANSACTION,
		COMPARE_MIGRATION,
	} what;
	uint64_t recorded, ours;
};

struct compare {
	struct play *play;
	uint32_t *order; /**< our frames, by kind and sequence */
	size_t count;
	struct compare_pair *pairs;
	size_t pair_count, pair_room;
	uint32_t msn_shift; /**< ours + this = recorded, where the capture begins in the middle */
	bool msn_known;
	uint64_t sent; /**< PSN behind the highest that the recorded requests of our side have */
	uint64_t answered; /**< PSN behind the highest that recorded answers of our side have */
	uint64_t asked;    /**< PSN behind the highest that their captured requests have */
};

enum compare_kind compare_kind_of(const struct nd_model_headers *headers);

/** Note a difference of numbers, if there is one. */
void compare_number(struct compare *compare, uint64_t number, const char *field, uint64_t recorded,
	uint64_t ours, enum outcome_reason reason);
/** @return MSN of an acknowledgement of this PSN: their messages that end up to it */
uint32_t compare_messages(const struct compare *compare, uint64_t sequence);
/** @return why the MSN may be another one than the count of messages up to this PSN */
enum outcome_reason compare_msn_reason(
	const struct compare *compare, const struct compare_frame *recorded, uint64_t sequence);
/**
 * @return whether it repeats a READ from its middle on: the rest of its range, or a response that
 *         may have another position in the message
 */
bool compare_is_split(const struct compare *compare, const struct compare_frame *recorded);
/** Compare all that two frames of one kind have. */
void compare_fields(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);
/** Compare headers that do not depend on what the packet says. */
void compare_envelope(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);
/** Compare messages of the connection manager. */
void compare_cm(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);

#endif
