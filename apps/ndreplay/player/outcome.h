/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_OUTCOME_H
#define NDPDK_PLAYER_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ndpdk/nd_model_types.h>

/* Results of replays: differences, explained differences by reason, and items not judged. */

/** Why a difference is allowed. docs/replay.md describes the reasons. */
enum outcome_reason {
	OUTCOME_UNEXPLAINED,
	OUTCOME_ACK_COALESCING, /**< another packet acknowledges the same PSNs */
	OUTCOME_CREDITS,        /**< end-to-end credits in the syndrome */
	OUTCOME_ACK_REQUEST,    /**< the sender decides which packets request an acknowledgement */
	OUTCOME_REPEAT,         /**< when and how often a packet is retransmitted */
	OUTCOME_LOST,           /**< the network lost the packet before the place of the capture */
	OUTCOME_UNCAPTURED,     /**< the capture lacks frames that explain it */
	OUTCOME_CM_SETTING,     /**< each connection manager chooses this value */
	OUTCOME_CM_REPEAT,      /**< number of transmissions of a CM message; MRAs */
	OUTCOME_MEMORY,         /**< the application may have changed its memory */
	OUTCOME_NAK_CODE,       /**< Soft-RoCE sends another NAK code */
	OUTCOME_RNR_TIMER,      /**< the RNR timer is a setting of the queue pair */
	OUTCOME_CONGESTION,     /**< marks and notifications of congestion */
	OUTCOME_READ_SPLIT,     /**< READ retransmitted from its middle */
	OUTCOME_HEADER,         /**< fields of IP and UDP that each stack chooses */
	OUTCOME_RESERVED,       /**< reserved bits that a receiver ignores */
	OUTCOME_EARLIER,        /**< answer to messages of an attempt that was given up */
	OUTCOME_AFTER_END,      /**< after one side has ended the connection */
	OUTCOME_MSN,            /**< messages are counted at another time */
	OUTCOME_NAK_RNR,        /**< NAK after an RNR NAK for the same PSN */
	OUTCOME_NAK_DELAY,      /**< the NAK of a gap is delayed or omitted */
	OUTCOME_CORRUPTED,      /**< the network changed bits of the recorded frame */
	OUTCOME_PEER_DEFECT,    /**< known behaviour of Soft-RoCE that the specification forbids */
	OUTCOME_REASONS,        /**< number of values */
};

/** Kinds of faults of enum nd_model_fault_kind. */
#define OUTCOME_FAULTS (ND_MODEL_FAULT_UNCAPTURED + 1)

struct outcome_difference {
	uint64_t frame;    /**< number of the recorded frame; 0: only the engine sent a frame */
	size_t connection; /**< index in the model; printed numbers are index + 1 */
	const char *field; /**< name of the field; static text */
	char expected[48]; /**< recorded value */
	char seen[48];     /**< value of the engine */
	enum outcome_reason reason;
	/* Only for a frame that only the engine sent: */
	uint64_t time_ns;  /**< time, as a time of the capture; 0: not known */
	uint64_t sequence; /**< valid with has_psn: PSN, extended to 64 bits as in the model */
	bool has_psn;
	bool is_answer; /**< the PSN is that of a request of the other side */
};

/** Results of one connection. */
struct outcome_connection {
	size_t connection;
	unsigned ours;
	bool selective; /**< the replay used selective recovery, not go-back-N */
	char address[48], peer[48];
	uint64_t fed;      /**< number of frames of the other side that the engine received */
	uint64_t sent;     /**< number of frames that the engine sent */
	uint64_t compared; /**< number of recorded frames of our side that were compared */
	uint64_t fields;   /**< number of fields that were compared */
	uint64_t unexplained;
	uint64_t explained[OUTCOME_REASONS];
	/** number of frames or other items that were not replayed or compared */
	uint64_t unjudged;
	const char *why[8]; /**< reasons of unjudged; static texts, NULL after the last */
	uint64_t why_count[8];
	uint64_t why_frame[8]; /**< first frame with this reason; 0: not a frame */
};

struct outcome {
	struct outcome_connection *connections;
	size_t connection_count;
	/** unexplained; with keep_explained also explained */
	struct outcome_difference *differences;
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

/** Add a connection. @return NULL: no memory */
struct outcome_connection *outcome_add(struct outcome *outcome, size_t connection, unsigned ours);
/** @return the connection that was added last */
struct outcome_connection *outcome_last(struct outcome *outcome);

/**
 * Replace the last connection, and the differences from index first_difference on, by the last
 * connection and all differences of other.
 */
void outcome_replace(struct outcome *outcome, size_t first_difference, const struct outcome *other);
/**
 * Record a difference of the last connection.
 *
 * @return the stored difference, valid until the next call; NULL: only counted
 */
struct outcome_difference *outcome_difference(struct outcome *outcome, uint64_t frame,
	const char *field, enum outcome_reason reason, const char *expected, const char *seen);
/** Record an item that was not judged. @param frame 0: none. @param why static */
void outcome_unjudged(struct outcome *outcome, uint64_t frame, const char *why);
void outcome_free(struct outcome *outcome);

/** @return a word for tables and JSON, static */
const char *outcome_reason_name(enum outcome_reason reason);
/** @return the rule that allows the difference, one sentence, static */
const char *outcome_reason_rule(enum outcome_reason reason);

struct json_object;
void outcome_print(FILE *out, const char *file, const struct outcome *outcome, bool explained);
struct json_object *
outcome_json(const char *file, const char *command, const struct outcome *outcome);

#endif
