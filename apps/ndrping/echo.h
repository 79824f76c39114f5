/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_ECHO_H
#define NDPDK_NDRPING_ECHO_H

#include <stdbool.h>
#include <stdint.h>

#include "connection.h"

/*
 * The server's side of one connection, a state machine whose functions do not block.
 *
 *   LISTENING > ACCEPTING > WAITING > READING > READ > DISCONNECTING > ENDED
 *                              ^                  |
 *                              +--- next round ---+
 */

enum echo_state {
	ECHO_LISTENING, /**< waits for a client */
	ECHO_ACCEPTING, /**< has accepted, and waits for the client's RTU */
	ECHO_WAITING,   /**< waits for the client's source */
	ECHO_READING,
	ECHO_READ, /**< has read the source, and waits for the client's sink */
	ECHO_DISCONNECTING,
	ECHO_ENDED,
};

struct echo {
	struct connection connection;
	enum echo_state state;
	uint32_t round;
	uint32_t size_bytes; /**< size in bytes of the source that was read */
	struct request read, write, go_ahead;
	uint64_t deadline_tsc; /**< time limit of ECHO_DISCONNECTING */
	struct echo *next;     /**< next in the server's list */
};

/**
 * Start to listen for a client. The caller must call echo_close() in any case, even after a
 * failure.
 */
void echo_open(struct echo *echo, const struct options *options, struct nd_adapter *adapter,
	struct nd_listener *listener);

/**
 * Advance the state machine. Call this function after each poll of the engine.
 * @return true until the state machine has ended
 */
bool echo_turn(struct echo *echo);

/** End the connection early, after Ctrl-C. */
void echo_stop(struct echo *echo);

/** Free everything. @return true if the connection has not failed. */
bool echo_close(struct echo *echo);

#endif
