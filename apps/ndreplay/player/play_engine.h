/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_ENGINE_H
#define NDPDK_PLAYER_PLAY_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd.h>

#include "ndreplay/history.h"
#include "outcome.h"
#include "play_clock.h"
#include "play_recorded.h"

#define PLAY_MTU_DEFAULT   4096
/** Code of the ACK timeout if the capture has no REQ. */
#define PLAY_ACK_TIMEOUT   14
#define PLAY_QUEUE_ENTRIES 32768

struct rte_mempool;

/** The engine's adapter and connection that replay our side, and the outcome of the replay. */
struct play_engine {
	struct play_clock clock;
	struct rte_mempool *pool;
	struct nd_adapter *adapter;
	struct nd_cq *cq;
	struct nd_endpoint *endpoint;
	bool connected;          /**< requests may be posted */
	bool ended;              /**< the connection has ended, so no more frames are replayed */
	size_t completed;        /**< number of our completed operations */
	struct history *history; /**< receives the frames of both sides; NULL = no picture */
	struct outcome *outcome;
	uint64_t number; /**< number of the recorded frame that is being replayed */
};

/**
 * Open the adapter of our side, and create a completion queue.
 *
 * @param keep maximum number of packets that our side keeps while an earlier packet is missing;
 *             0 = go-back-N
 * @param transmit called with arg for each frame that our side sends
 */
bool play_engine_open(struct play_engine *engine, const struct play_recorded *recorded,
	uint16_t keep, nd_transmit_fn transmit, void *arg);
/** @return number of packets that the engine keeps because an earlier packet is missing */
uint64_t play_engine_kept(const struct play_engine *engine);
/** Write a socket address to `to`. @return length of the socket address */
socklen_t play_address(const uint8_t ip[16], uint16_t port, void *to);
/** Add a frame of the replay to the picture. */
void play_show(const struct play_engine *engine, const uint8_t *bytes, size_t count);
/** Let the engine receive a frame at the current time. */
void play_input(struct play_engine *engine, const uint8_t *bytes, size_t count);
/** Report that a part of the connection cannot be replayed. */
void play_unjudged(struct play_engine *engine, const char *what);

#endif
