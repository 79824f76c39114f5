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

/*
 * Compares the frames that the engine sent with the recorded frames of our side (the replayed
 * side).
 */

struct compare_frame {
	uint64_t number;
	struct nd_model_frame frame;
	struct nd_model_headers headers;
	struct packet packet;
	enum play_kind kind;
};

/** An identifier that differs in each run: the recorded value, and the engine's value. */
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
	const struct play_sent *sent;
	const struct play_search *search;
	const struct play_pauses *pauses;
	struct outcome *outcome;
	bool selective;        /**< true if the replay used selective recovery */
	bool withdrawn;        /**< true if the application gave up the attempt to connect */
	uint64_t failed_frame; /**< as in struct play_work */
	uint64_t unfinished;   /**< as in struct play_work */
	/* ---- set by play_compare() ---- */
	uint32_t *order; /**< indices into sent->frames, sorted by kind and sequence */
	struct compare_pair *pairs;
	size_t pair_count, pair_room;
	/**
	 * Recorded MSN minus the engine's MSN. The difference is not 0 if the capture begins in the
	 * middle of a connection.
	 */
	uint32_t msn_shift;
	bool msn_known;
	uint64_t asks;     /**< highest PSN + 1 of our recorded requests so far */
	uint64_t answered; /**< highest PSN + 1 of our recorded answers so far */
	uint64_t asked;    /**< highest PSN + 1 of the peer's captured requests so far */
};

/**
 * Compare the frames of the engine with the recorded frames, and add the differences to the
 * outcome.
 */
void play_compare(struct compare *compare);

/** Compare two numbers. If they are not equal, record a difference with this reason. */
void compare_number(struct compare *compare, uint64_t number, const char *field, uint64_t recorded,
	uint64_t ours, enum outcome_reason reason);
/**
 * @return the MSN that an acknowledgement of this PSN should have: the number of messages of the
 *         peer that end at or before this PSN
 */
uint32_t compare_messages(const struct compare *compare, uint64_t sequence);
/** @return the reason why a frame's MSN may differ from the number of messages up to its PSN */
enum outcome_reason compare_msn_reason(
	const struct compare *compare, const struct compare_frame *recorded, uint64_t sequence);
/**
 * @return true if the frame belongs to a READ that was retransmitted from its middle. Such a frame
 *         is a request for the rest, or a response whose position in the message (FIRST, MIDDLE,
 *         ...) may differ.
 */
bool compare_is_split(const struct compare *compare, const struct compare_frame *recorded);
/** Compare all fields of a recorded frame with a frame of the engine of the same kind. */
void compare_fields(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);
/** Compare the fields of Ethernet, IP, UDP and BTH that do not depend on the kind of the packet. */
void compare_envelope(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);
void compare_cm(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours);

#endif
