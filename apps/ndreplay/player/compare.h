/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_COMPARE_H
#define NDPDK_PLAYER_COMPARE_H

#include "outcome.h"
#include "play_clock.h"
#include "play_pause.h"
#include "play_recorded.h"
#include "play_search.h"
#include "play_sent.h"

/* Compares the frames that the engine sent with the recorded frames of our side. */

/** A recorded frame of our side. */
struct compare_frame {
	uint64_t number;
	struct nd_model_frame frame;
	struct nd_model_headers headers;
	struct packet packet;
	enum play_kind kind;
};

/** A pair of values that always differ: the recorded value and the value of the engine. */
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
	const struct play_recorded *recorded;
	const struct play_clock *clock;
	const struct play_sent *sent; /**< the frames of the engine */
	const struct play_search *search;
	const struct play_pauses *pauses;
	struct outcome *outcome;
	bool selective;        /**< the replay used selective recovery */
	bool withdrawn;        /**< the application gave up the attempt to connect */
	uint64_t failed_frame; /**< as in struct play_work */
	uint64_t unfinished;   /**< as in struct play_work */
	/* ---- set by play_compare() ---- */
	uint32_t *order; /**< indices of the frames of the engine, sorted by kind and sequence */
	struct compare_pair *pairs;
	size_t pair_count, pair_room;
	/** recorded MSN = MSN of the engine + this; not 0 if the capture begins in the middle */
	uint32_t msn_shift;
	bool msn_known;
	uint64_t asks;     /**< highest PSN of the recorded requests of our side so far, plus 1 */
	uint64_t answered; /**< highest PSN of the recorded answers of our side so far, plus 1 */
	uint64_t asked;    /**< highest PSN of the captured requests of the peer so far, plus 1 */
};

/** Compare the frames that the engine sent with the recorded frames of our side. */
void play_compare(struct compare *compare);

/** Compare two numbers, and record a difference. */
void compare_number(struct compare *compare, uint64_t number, const char *field, uint64_t recorded,
	uint64_t ours, enum outcome_reason reason);
/**
 * @return the MSN of an acknowledgement of this PSN: the number of messages of the peer that end at
 *         or before this PSN
 */
uint32_t compare_messages(const struct compare *compare, uint64_t sequence);
/** @return why the MSN may differ from the number of messages up to this PSN */
enum outcome_reason compare_msn_reason(
	const struct compare *compare, const struct compare_frame *recorded, uint64_t sequence);
/**
 * @return whether the frame belongs to a READ that is repeated from its middle: a request for the
 *         rest, or a response that may have another position in the message
 */
bool compare_is_split(const struct compare *compare, const struct compare_frame *recorded);
/** Compare all fields of two frames of the same kind. */
void compare_fields(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);
/** Compare the headers that do not depend on the content of the packet. */
void compare_envelope(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);
/** Compare messages of the connection manager. */
void compare_cm(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);

#endif
