/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_HANDSHAKE_H
#define NDPDK_PLAYER_PLAY_HANDSHAKE_H

#include "play_engine.h"
#include "play_map.h"
#include "play_recorded.h"

/** How our side opens and ends the connection. */
struct play_handshake {
	const struct play_recorded *recorded;
	struct play_engine *engine;
	const struct play_map *map;
	struct nd_listener *listener;
	struct nd_connector *connector;
	struct nd_overlapped listening, connecting, ending;
	uint32_t stale_comm_id; /**< ID of the REQ that made it stale; 0: none */
	uint64_t refused;       /**< frame of our REJ that was sent early; 0: none */
	bool pauses;            /**< the replay assumes that our host paused */
	bool withdrawn;         /**< the application gave up the attempt */
	bool asked;             /**< the listener has reported the connection request */
	bool pending;           /**< the library is using the member connecting */
	bool answered;          /**< active side: the peer has accepted */
	bool made; /**< the replay generated the handshake, because the capture has none */
};

/** Create the objects for the recorded handshake, and listen on the passive side. */
bool play_handshake_open(struct play_handshake *handshake);
/** Make the handshake that the capture lacks. @return whether the connection is established */
bool play_make_connection(struct play_handshake *handshake);
/** Call the functions of the API that make our side send this recorded message. */
void play_own_cm(struct play_handshake *handshake, uint64_t number);
/**
 * Called before message at of the peer is replayed (index as of play_frame()). If our side refuses
 * immediately after it, its application may have given up before the message arrived.
 */
void
play_before_cm(struct play_handshake *handshake, size_t at, const struct nd_model_frame *frame);
/** @return whether our side missed a REJ of the peer: it sent its first REP after the REJ */
bool play_cm_is_lost(
	const struct play_handshake *handshake, size_t at, const struct nd_model_frame *theirs);
/**
 * Called before a request of the peer is replayed. A request without an earlier RTU replaces the
 * RTU: the replay generates an RTU, so the keys of the request are open.
 */
void play_before_request(struct play_handshake *handshake);
/** Process asynchronous calls that have completed. @return whether the connection is established */
bool play_calls(struct play_handshake *handshake);

#endif
