/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_OUTCOME_H
#define NDPDK_PLAYER_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ndpdk/nd_model_types.h>

/*
 * Results of replays: unexplained differences, explained differences with reasons, and items that
 * were not judged.
 */

/** Reasons why a difference from the capture is allowed. docs/replay.md describes them. */
enum outcome_reason {
	OUTCOME_UNEXPLAINED,
	OUTCOME_ACK_COALESCING, /**< a different packet acknowledges the same PSNs */
	OUTCOME_CREDITS,        /**< credits in the syndrome, which each stack chooses */
	OUTCOME_ACK_REQUEST,    /**< AckReq bit: the sender chooses which packets request an ACK */
	OUTCOME_REPEAT,         /**< time or number of retransmissions, which depends on timers */
	OUTCOME_LOST,           /**< the packet was lost before it reached the capture point */
	OUTCOME_UNCAPTURED,     /**< frames that were not captured contain the explanation */
	OUTCOME_CM_SETTING,     /**< value that each connection manager chooses */
	OUTCOME_CM_REPEAT,      /**< a CM message was repeated, or an MRA was sent */
	OUTCOME_MEMORY,         /**< payload: the application may have changed its memory */
	OUTCOME_NAK_CODE,       /**< Soft-RoCE sends a different NAK code */
	OUTCOME_RNR_TIMER,      /**< RNR timer, which is a setting of the queue pair */
	OUTCOME_CONGESTION,     /**< ECN marks and CNPs, which depend on congestion */
	OUTCOME_READ_SPLIT,     /**< a READ was retransmitted from its middle */
	OUTCOME_HEADER,         /**< field of IP or UDP that each stack chooses */
	OUTCOME_RESERVED,       /**< reserved bits, which a receiver ignores */
	OUTCOME_EARLIER,        /**< part of an attempt to connect that was given up */
	OUTCOME_AFTER_END,      /**< difference after one side has ended the connection */
	OUTCOME_MSN,            /**< a message counts in the MSN at a different time */
	OUTCOME_NAK_RNR,        /**< sequence NAK for a PSN with an earlier RNR NAK */
	OUTCOME_NAK_DELAY,      /**< the sender may delay or omit a sequence NAK */
	OUTCOME_CORRUPTED,      /**< the network changed bits of the recorded frame */
	OUTCOME_PEER_DEFECT,    /**< known defect of Soft-RoCE */
	OUTCOME_REASONS,        /**< number of values */
};

#define OUTCOME_FAULTS (ND_MODEL_FAULT_UNCAPTURED + 1)

struct outcome_difference {
	uint64_t frame;    /**< number of the recorded frame; 0 = only the engine sent it */
	size_t connection; /**< index in the model; the printed number is index + 1 */
	const char *field;
	char expected[48]; /**< recorded value */
	char seen[48];     /**< value of the engine */
	enum outcome_reason reason;
	/* The next members are for a frame of the engine without a recorded counterpart. */
	uint64_t time_ns;  /**< time of sending, as capture time; 0 = not known */
	uint64_t sequence; /**< PSN, extended to 64 bits as in the model; valid if has_psn */
	bool has_psn;
	bool is_answer; /**< `sequence` is the PSN of a peer's request, which the frame answers */
};

struct outcome_connection {
	size_t connection;
	unsigned ours;
	bool selective; /**< true = the replay used selective recovery; false = go-back-N */
	char address[48], peer[48];
	uint64_t fed; /**< number of the peer's frames that the engine received */
	uint64_t sent;
	uint64_t compared; /**< number of our recorded frames that were compared */
	uint64_t fields;
	uint64_t unexplained;
	uint64_t explained[OUTCOME_REASONS];
	/** Number of frames and other items that were not replayed or not compared. */
	uint64_t unjudged;
	const char *why[8]; /**< reasons of unjudged items; static texts; unused: NULL */
	uint64_t why_count[8];
	uint64_t why_frame[8]; /**< first frame with this reason; 0 = the item is not a frame */
};

struct outcome {
	struct outcome_connection *connections;
	size_t connection_count;
	/** Unexplained differences, and if keep_explained is set, explained differences. */
	struct outcome_difference *differences;
	size_t difference_count, difference_room;
	uint64_t faults[OUTCOME_FAULTS]; /**< counts by nd_model_fault_kind */
	uint64_t strays;                 /**< RoCEv2 frames that belong to no connection */
	uint64_t stray_frame;            /**< number of the first stray frame */
	uint64_t copies;                 /**< number of frames that were left out as copies */
	/**
	 * backwards: number of frames whose time is before that of the previous frame.
	 * backwards_frame: number in the file of the first of these frames.
	 */
	uint64_t backwards, backwards_frame;
	bool memory_exhausted;
	bool keep_explained;
};

/** Add the results of a connection. @return NULL: out of memory */
struct outcome_connection *outcome_add(struct outcome *outcome, size_t connection, unsigned ours);
/** @return results of the connection that was added last */
struct outcome_connection *outcome_last(struct outcome *outcome);

/**
 * Replace the results of the last connection by the results of the last connection in `other`.
 * Remove the differences of `outcome` from index first_difference on, and append all differences of
 * `other`.
 */
void outcome_replace(struct outcome *outcome, size_t first_difference, const struct outcome *other);
/**
 * Record a difference of the last connection.
 *
 * @return the stored difference, valid until the next call; NULL: the difference was only counted
 */
struct outcome_difference *outcome_difference(struct outcome *outcome, uint64_t frame,
	const char *field, enum outcome_reason reason, const char *expected, const char *seen);
/**
 * Record an item that was not judged.
 *
 * @param frame number of the frame; 0 = the item has no frame
 * @param why static text
 */
void outcome_unjudged(struct outcome *outcome, uint64_t frame, const char *why);
void outcome_free(struct outcome *outcome);

struct json_object;
void outcome_print(FILE *out, const char *file, const struct outcome *outcome, bool explained);
struct json_object *
outcome_json(const char *file, const char *command, const struct outcome *outcome);

#endif
