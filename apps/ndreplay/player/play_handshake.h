/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_HANDSHAKE_H
#define NDPDK_PLAYER_PLAY_HANDSHAKE_H

#include "play_engine.h"
#include "play_map.h"
#include "play_recorded.h"

/** State of establishing and ending the connection of our side. */
struct play_handshake {
	const struct play_recorded *recorded;
	struct play_engine *engine;
	const struct play_map *map;
	struct nd_listener *listener;
	struct nd_connector *connector;
	struct nd_overlapped listening, connecting, ending;
	uint32_t stale_comm_id; /**< ID of the REQ that made the connection stale; 0: none */
	uint64_t refused;       /**< frame number of our REJ, if replayed early; otherwise 0 */
	bool pauses;            /**< true if the replay assumes that our host paused */
	bool withdrawn;         /**< the application gave up the attempt to connect */
	bool asked;             /**< passive side: the listener reported the request */
	bool pending;           /**< true while an asynchronous call uses `connecting` */
	bool answered;          /**< active side: the peer has accepted the connection */
	bool made;              /**< the handshake was created, because it was not captured */
};

/** Create the objects for the recorded handshake. The passive side starts to listen. */
bool play_handshake_open(struct play_handshake *handshake);
/** Create the handshake if the capture has none. @return true if the connection is established */
bool play_make_connection(struct play_handshake *handshake);
/** Call the API functions that make our side send this recorded CM message. */
void play_own_cm(struct play_handshake *handshake, uint64_t number);
/**
 * Called before the CM message of the peer with index `at` (as in play_frame()) is replayed. If our
 * side rejects right after the message, the application of our side may have given up before the
 * message arrived. In this case the REJ is replayed before the message.
 */
void
play_before_cm(struct play_handshake *handshake, size_t at, const struct nd_model_frame *frame);
/**
 * @return true if our side missed this REJ of the peer, because our first REP came after the REJ
 */
bool play_cm_is_lost(
	const struct play_handshake *handshake, size_t at, const struct nd_model_frame *theirs);
/**
 * Called before a request of the peer is replayed. If no RTU came before the request, the replay
 * generates an RTU, so that the keys of our side are bound when the request arrives.
 */
void play_before_request(struct play_handshake *handshake);
/**
 * Process asynchronous calls that have completed.
 *
 * @return true if the connection has just been established
 */
bool play_calls(struct play_handshake *handshake);

#endif
