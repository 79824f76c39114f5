/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_PING_H
#define NDPDK_NDRPING_PING_H

#include <stdbool.h>
#include <stdint.h>

#include "connection.h"

/*
 * The client, a state machine whose functions do not block.
 *
 *   CONNECTING > COMPLETING > SOURCE_OPEN > SINK_OPEN > SINK_CLOSING > DISCONNECTING > ENDED
 *                                 ^                          |
 *                                 +------ next round --------+
 */

enum ping_state {
	PING_CONNECTING,   /**< the connection request was sent to the server */
	PING_COMPLETING,   /**< the server has accepted; the client sends its RTU */
	PING_SOURCE_OPEN,  /**< the server may read the source; it sends a message afterwards */
	PING_SINK_OPEN,    /**< the server may write the sink; it sends a message afterwards */
	PING_SINK_CLOSING, /**< the window over the sink is being invalidated */
	PING_DISCONNECTING,
	PING_ENDED,
};

/** Memory that the server can access while the window is bound to it. */
struct ping_window {
	struct nd_mw *mw;
	char *text;
	uint32_t flags; /**< ND_OP_FLAG_ALLOW_* of the bind */
	struct nd_mw_descriptor descriptor;
	struct request bind, advertise, invalidate;
	/** result of an invalidate by the peer; never used by rping */
	struct request invalidated;
};

struct ping {
	struct connection connection;
	enum ping_state state;
	uint32_t round;
	struct ping_window source, sink;
	uint64_t deadline_tsc; /**< time limit of PING_DISCONNECTING */
};

/** Begin to connect. The caller must call ping_close() in any case, even after a failure. */
void ping_open(struct ping *ping, const struct options *options, struct nd_adapter *adapter);

/**
 * Advance the state machine. Call this function after each poll of the engine.
 * @return true until the state machine has ended
 */
bool ping_turn(struct ping *ping);

/** End the connection early, after Ctrl-C. */
void ping_stop(struct ping *ping);

/** Free everything. @return true if the connection has not failed. */
bool ping_close(struct ping *ping);

#endif
