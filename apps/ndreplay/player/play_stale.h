/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_STALE_H
#define NDPDK_PLAYER_PLAY_STALE_H

#include "packet.h"
#include "play_engine.h"

/**
 * Called when our side sends a DREQ before its connection is established. Finds the REQ of a
 * different connection that caused the DREQ, and passes the REQ to the engine.
 *
 * @param number frame number of the DREQ
 * @param[out] comm_id communication ID of the REQ, filled if true is returned
 * @return false: there is no such REQ
 */
bool play_stale_feed(struct play_engine *engine, const struct play_recorded *recorded,
	uint64_t number, uint64_t time_ns, uint32_t *comm_id);
/**
 * @param comm_id from play_stale_feed(); 0: there was no such REQ
 * @return true if a frame of our side is the REJ that answers the REQ with this ID
 */
bool play_stale_refuses(uint32_t comm_id, const struct packet *packet);

#endif
