/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_LIVE_PLAYER_H
#define NDPDK_NDREPLAY_LIVE_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "kit/link.h"

#include "live_options.h"
#include "live_report.h"
#include "live_script.h"

/*
 * One connection that plays a script against a live peer. No function blocks: the owner polls the
 * engine and calls player_turn() after it.
 *
 * An operation is posted when the messages that it waited for in the capture have come, the own
 * operations that it waited for are complete, and its time has come.
 */

enum player_state {
	PLAYER_IDLE,       /**< player_start_...() has not been called */
	PLAYER_CONNECTING, /**< or waits for a client */
	PLAYER_PLAYING,
	PLAYER_CLOSING,
	PLAYER_OVER,
};

enum slot_kind { SLOT_OPERATION, SLOT_RECEIVE, SLOT_BIND, SLOT_CLOSE, SLOT_INVALIDATED };

/** A request under way, found from its result. */
struct slot {
	struct nd_result result;
	enum slot_kind kind;
	size_t index; /**< of the operation, the receive buffer, the own key */
	uint64_t posted_tsc;
};

/** Window of an own key. */
struct player_window {
	struct nd_mw *mw; /**< NULL: it has none */
	struct slot bind, close, invalidated;
	struct nd_mw_descriptor descriptor;
	bool bound;
	bool was_invalidated; /**< by the peer, and not compared yet */
};

/** Where keys of the peer are now: the newest announcements of a key. */
#define PLAYER_SPOTS 8u

struct player_spot {
	uint64_t recorded, live;
};

struct player_key {
	bool known; /**< announced, and token is valid */
	uint32_t token;
	uint32_t spot_count;
	struct player_spot spots[PLAYER_SPOTS];
};

struct player_area {
	uint8_t *allocated, *bytes; /**< bytes has the alignment of its address */
	struct nd_mr *mr;
};

struct player {
	struct link link;
	enum player_state state;
	const struct script *script;
	const struct live_options *options;
	struct live_report *report;
	uint64_t number;   /**< of the connection in the run */
	unsigned int copy; /**< that it belongs to */
	uint64_t found;    /**< differences */
	bool stopped;      /**< the user has ended it */
	bool timed_out;    /**< no answer to the connection request within --timeout */
	bool lost;         /**< the connection has ended, no more can be posted */
	char end[160];     /**< how it ended */
	char peer[INET6_ADDRSTRLEN];

	uint8_t *data, *inbox; /**< of operations; of received messages */
	struct nd_mr *data_mr, *inbox_mr;
	struct player_area *areas;
	struct player_window *windows; /**< of own keys */
	struct player_key *keys;       /**< of the peer */
	struct slot *operation_slots, *receive_slots;
	uint8_t private_data[SCRIPT_PRIVATE_BYTES]; /**< to be sent */
	size_t depth, receive_bytes, requests;      /**< receives at a time, bytes of each */

	/** Whether the other connections of the capture are where they were then; or NULL. */
	bool (*others_reached)(const void *others, const struct player *player, uint64_t time_ns);
	const void *others;

	uint64_t start_tsc, progress_tsc;
	size_t next_operation, done_operations; /**< posted, complete */
	size_t next_receive, received;          /**< posted, complete */
	size_t next_poke;
	size_t end_check; /**< first of the checks at the end */
	uint32_t failed;  /**< operations that failed; the first one explains the others */
};

/** Prepare; the caller must call player_close() in any case. */
void player_init(struct player *player, struct nd_adapter *adapter,
	const struct live_options *options, struct live_report *report);

/**
 * Live: begin to connect.
 * @param refusals how often a refusal means that the peer is not ready yet
 */
void player_connect(
	struct player *player, const struct script *script, uint64_t number, uint32_t refusals);

/** Serve: begin to wait for a client. */
void player_listen(struct player *player, struct nd_listener *listener);

/** Serve: a client is there (link.state is LINK_REQUESTED): take it. */
void player_take(struct player *player, const struct script *script, uint64_t number);

/** Advance. */
void player_turn(struct player *player);

/** End early: the user wants it. */
void player_stop(struct player *player);

/** Free everything. */
void player_close(struct player *player);

/* ---- live_objects.c ---- */

/** Memory, windows, endpoint, the first receives. @return false: the link has failed */
bool player_open_objects(struct player *player);

/** Bind the window of an own key. @param early before the connection. @return status of the bind */
nd_status player_bind(struct player *player, size_t key, bool early);

void player_close_objects(struct player *player);

/* ---- live_post.c ---- */

/** Post all that is due. @return whether something waits for its time only */
bool player_post(struct player *player);

/** Post receives, as far as the recorded side had them. */
void player_post_receives(struct player *player);

/** Put the live keys of this side into what it sends. @param places from the first on */
void player_rewrite(struct player *player, size_t place, size_t message, uint8_t *bytes);

/** Learn keys of the peer. */
void player_learn(
	struct player *player, size_t place, size_t message, const uint8_t *bytes, size_t length);

/** @return whether this time of the capture, behind the start of the connection, has come. */
bool player_is_due(const struct player *player, uint64_t due_ns);

/** @return whether the other connections of the capture are where they were at this time of it */
bool player_others_reached(const struct player *player, uint64_t time_ns);

/* ---- live_compare.c ---- */

/** A difference. @param where e.g. "operation 3 (SEND, frame 12)" */
void player_differ(struct player *player, const char *where, const char *field,
	const char *expected, const char *seen);

/** The peer's private data have come. */
void player_compare_private(struct player *player);

/** A receive is complete. */
void player_compare_message(struct player *player, struct slot *slot);

/** An operation is complete. */
void player_compare_operation(struct player *player, struct slot *slot);

/** What can be compared only when all is over. */
void player_compare_rest(struct player *player);

#endif
