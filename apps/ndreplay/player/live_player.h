/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_PLAYER_H
#define NDPDK_PLAYER_LIVE_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "kit/link.h"

#include "live_options.h"
#include "live_report.h"
#include "live_script.h"

/*
 * A connection that replays a script against a live peer. No function blocks: the owner polls the
 * engine, then calls player_turn().
 *
 * An operation is posted when three conditions hold: the messages that it waited for in the
 * capture have arrived, the own operations that it waited for are complete, and its time has come.
 */

enum player_state {
	PLAYER_IDLE,       /**< no player_start function was called yet */
	PLAYER_CONNECTING, /**< connecting (live), or waiting for a client (serve) */
	PLAYER_PLAYING,
	PLAYER_CLOSING,
	PLAYER_OVER,
};

enum slot_kind { SLOT_OPERATION, SLOT_RECEIVE, SLOT_BIND, SLOT_CLOSE, SLOT_INVALIDATED };

/** A posted request. Its result leads back to the slot when the request has completed. */
struct slot {
	struct nd_result result;
	enum slot_kind kind;
	size_t index; /**< index of the operation, receive buffer or own key, depending on kind */
	uint64_t posted_tsc;
};

/** The memory window that gives the peer access with an own key. */
struct player_window {
	struct nd_mw *mw; /**< NULL: no window */
	struct slot bind, close, invalidated;
	struct nd_mw_descriptor descriptor;
	bool bound;
	bool was_invalidated; /**< the peer has invalidated the window; not compared yet */
};

/** Number of the newest announcements that are stored for a key. */
#define PLAYER_SPOTS 8u

struct player_spot {
	uint64_t recorded, live;
};

struct player_key {
	bool known; /**< true if the key was announced, so that token is valid */
	uint32_t token;
	uint32_t spot_count;
	struct player_spot spots[PLAYER_SPOTS];
};

struct player_area {
	uint8_t *allocated, *bytes; /**< bytes: part of allocated, aligned as recorded */
	struct nd_mr *mr;
};

struct player {
	struct link link;
	enum player_state state;
	const struct script *script;
	const struct live_options *options;
	struct live_report *report;
	uint64_t number;   /**< number of the connection in this run */
	unsigned int copy; /**< index of the copy of the capture that this player replays */
	uint64_t found;    /**< number of differences */
	bool stopped;      /**< true if the user has ended the run */
	bool timed_out;    /**< live: the server did not answer within --timeout */
	bool lost;         /**< the connection has ended, so nothing can be posted */
	char end[160];
	char peer[INET6_ADDRSTRLEN];

	uint8_t *data, *inbox; /**< data of operations; buffers for received messages */
	struct nd_mr *data_mr, *inbox_mr;
	struct player_area *areas;
	struct player_window *windows; /**< windows of own keys */
	struct player_key *keys;       /**< keys of the peer */
	struct slot *operation_slots, *receive_slots;
	uint8_t private_data[SCRIPT_PRIVATE_BYTES]; /**< private data to send */
	/** Number of posted receives, bytes of each receive, and length of the request queue. */
	size_t depth, receive_bytes, requests;

	/**
	 * Returns true if the other connections of the capture have progressed to this capture
	 * time. NULL = do not wait for other connections.
	 */
	bool (*others_reached)(const void *others, const struct player *player, uint64_t time_ns);
	const void *others;

	uint64_t start_tsc, progress_tsc;
	size_t next_operation, done_operations; /**< operations: posted, completed */
	size_t next_receive, received;          /**< receives: posted, completed */
	size_t next_poke;
	uint32_t failed; /**< number of failed operations; only the first failure is reported */
};

/** Initialize a player. The caller must call player_close() in any case. */
void player_init(struct player *player, struct nd_adapter *adapter,
	const struct live_options *options, struct live_report *report);

/**
 * For live: start to connect.
 * @param number number of the connection in the run
 * @param refusals maximum number of retries after a refusal, because the peer may not be ready
 */
void player_connect(
	struct player *player, const struct script *script, uint64_t number, uint32_t refusals);

/** For serve: start to wait for a client. */
void player_listen(struct player *player, struct nd_listener *listener);

/** For serve: accept the request of a client (link.state is LINK_REQUESTED). */
void player_take(struct player *player, const struct script *script, uint64_t number);

/** Make progress without blocking. Call this function after each poll of the engine. */
void player_turn(struct player *player);

/** End the replay early, because the user has ended the run. */
void player_stop(struct player *player);

void player_close(struct player *player);

/* ---- live_objects.c ---- */

/** Create memory, windows and endpoint. @return false: link has the reason */
bool player_open_objects(struct player *player);

/**
 * Bind the window of an own key.
 *
 * @param early true if the connection is not established yet
 * @return status of the bind
 */
nd_status player_bind(struct player *player, size_t key, bool early);

void player_close_objects(struct player *player);

/* ---- live_keys.c ---- */

/**
 * Replace recorded own keys in a message by the keys of the live connection.
 *
 * @param place index in own_places of the first announcement of the message
 */
void player_rewrite(struct player *player, size_t place, size_t message, uint8_t *bytes);

/** Store the keys that the peer announces in a received message. */
void player_learn(
	struct player *player, size_t place, size_t message, const uint8_t *bytes, size_t length);

/** @return live address and key of the peer's memory that an operation accesses */
struct nd_mw_descriptor
player_target(const struct player *player, const struct script_operation *operation);

/* ---- live_post.c ---- */

/**
 * Post all operations that can be posted.
 *
 * @return true if the next operation waits only for its time
 */
bool player_post(struct player *player);

/** Post the receives that the recorded side had posted at this point of the capture. */
void player_post_receives(struct player *player);

/**
 * @return true if due_ns (recorded time since the connection was established, scaled by --speed)
 *         has passed
 */
bool player_is_due(const struct player *player, uint64_t due_ns);

/** @return true if the other connections of the capture have progressed to this capture time */
bool player_others_reached(const struct player *player, uint64_t time_ns);

/* ---- live_compare.c ---- */

/** Report a difference from the capture. @param where e.g. "operation 3 (SEND, frame 12)" */
void player_differ(struct player *player, const char *where, const char *field,
	const char *expected, const char *seen);

/** Compare the private data of the peer with the capture. */
void player_compare_private(struct player *player);

/** Compare a received message. */
void player_compare_message(struct player *player, struct slot *slot);

/** Compare a completed operation. */
void player_compare_operation(struct player *player, struct slot *slot);

/** Compare the items that can be compared only at the end of the connection. */
void player_compare_rest(struct player *player);

#endif
