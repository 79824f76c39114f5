/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_OUTCOME_H
#define NDPDK_NDREPLAY_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ndpdk/nd_model_types.h>

/* What plays have found: differences, explained ones by kind, and what was not judged. */

/** Why a difference is allowed; the rule is that of docs/replay.md. */
enum outcome_reason {
	OUTCOME_UNEXPLAINED,
	OUTCOME_ACK_COALESCING, /**< another packet acknowledges the same */
	OUTCOME_CREDITS,        /**< end-to-end credits in the syndrome */
	OUTCOME_ACK_REQUEST,    /**< the sender decides which packet asks for an acknowledgement */
	OUTCOME_REPEAT,         /**< how often, and when, a packet is sent again */
	OUTCOME_LOST,           /**< sent, but the network lost it before the capture */
	OUTCOME_UNCAPTURED,     /**< the capture lacks frames that explain it */
	OUTCOME_CM_SETTING,     /**< each connection manager chooses this value */
	OUTCOME_CM_REPEAT,      /**< how often a CM message is sent, and whether an MRA is */
	OUTCOME_MEMORY,         /**< the application may have changed its memory meanwhile */
	OUTCOME_NAK_CODE,       /**< Soft-RoCE names another reason */
	OUTCOME_RNR_TIMER,      /**< a setting of the queue pair */
	OUTCOME_CONGESTION,     /**< marks and notifications of congestion */
	OUTCOME_READ_SPLIT,     /**< READ answered, or asked for, again from its middle */
	OUTCOME_HEADER,         /**< fields of IP and UDP that each stack chooses */
	OUTCOME_RESERVED,       /**< reserved bits that a receiver ignores */
	OUTCOME_EARLIER,        /**< an attempt that is over: remembered, or not */
	OUTCOME_AFTER_END,      /**< behind the end of the connection at one of the two */
	OUTCOME_MSN,            /**< counted at another moment */
	OUTCOME_NAK_RNR,        /**< NAK behind an RNR NAK, for the same PSN */
	OUTCOME_NAK_DELAY,      /**< how long the NAK of a gap waits */
	OUTCOME_CORRUPTED,      /**< the network changed bits of the recorded frame */
	OUTCOME_PEER_DEFECT,    /**< known behaviour of Soft-RoCE that the specification forbids */
	OUTCOME_REASONS,        /**< how many */
};

/** Kinds of faults of enum nd_model_fault_kind. */
#define OUTCOME_FAULTS (ND_MODEL_FAULT_UNCAPTURED + 1)

struct outcome_difference {
	uint64_t frame;    /**< recorded; 0: only the engine sent it */
	size_t connection; /**< index; texts count from 1 */
	const char *field; /**< static */
	char expected[48]; /**< recorded */
	char seen[48];     /**< of the engine */
	enum outcome_reason reason;
	/* Of a frame that only the engine sent. */
	uint64_t time_ns;  /**< in the time of the capture; 0: not known */
	uint64_t sequence; /**< with has_psn: PSN, unwrapped as those of the model */
	bool has_psn;
	bool is_answer; /**< the PSN is that of a request of the other side */
};

/** Of one connection. */
struct outcome_connection {
	size_t connection;
	unsigned ours;
	bool selective; /**< our side recovers selectively, not by go-back-N */
	char address[48], peer[48];
	uint64_t fed;      /**< frames of the other side that the engine got */
	uint64_t sent;     /**< frames that the engine sent */
	uint64_t compared; /**< recorded frames of our side that were compared */
	uint64_t fields;   /**< compared in them */
	uint64_t unexplained;
	uint64_t explained[OUTCOME_REASONS];
	uint64_t unjudged;  /**< frames, or other things, that could not be played or compared */
	const char *why[8]; /**< of these; static, NULL behind the last one */
	uint64_t why_count[8];
	uint64_t why_frame[8]; /**< the first; 0: it is none of a frame */
};

struct outcome {
	struct outcome_connection *connections;
	size_t connection_count;
	struct outcome_difference *differences; /**< unexplained ones, and explained if wanted */
	size_t difference_count, difference_room;
	uint64_t faults[OUTCOME_FAULTS]; /**< of the capture, by enum nd_model_fault_kind */
	uint64_t strays;      /**< RoCEv2 frames of no connection: nothing can be said of them */
	uint64_t stray_frame; /**< first of them */
	uint64_t copies;      /**< packets of the capture that were left out as copies */
	/**
	 * backwards: frames with an earlier time than the previous frame. backwards_frame: number
	 * of the first such frame.
	 */
	uint64_t backwards, backwards_frame;
	bool memory_exhausted;
	bool keep_explained;
};

/** Begin the next connection. @return NULL: no memory */
struct outcome_connection *outcome_add(struct outcome *outcome, size_t connection, unsigned ours);
/** @return the one that was begun last */
struct outcome_connection *outcome_last(struct outcome *outcome);

/**
 * Take the last connection of another outcome in place of the last one of this, and its differences
 * in place of those from this index on.
 */
void outcome_replace(struct outcome *outcome, size_t first_difference, const struct outcome *other);
/**
 * Note a difference of the last connection.
 *
 * @return what is kept of it, until the next one is noted; NULL: it is counted only
 */
struct outcome_difference *outcome_difference(struct outcome *outcome, uint64_t frame,
	const char *field, enum outcome_reason reason, const char *expected, const char *seen);
/** Note something of it that could not be judged. @param frame 0: none. @param why static */
void outcome_unjudged(struct outcome *outcome, uint64_t frame, const char *why);
void outcome_free(struct outcome *outcome);

/** @return a word for tables and JSON, static */
const char *outcome_reason_name(enum outcome_reason reason);
/** @return the rule that allows it, one sentence, static */
const char *outcome_reason_rule(enum outcome_reason reason);

struct json_object;
void outcome_print(FILE *out, const char *file, const struct outcome *outcome, bool explained);
struct json_object *
outcome_json(const char *file, const char *command, const struct outcome *outcome);

#endif
