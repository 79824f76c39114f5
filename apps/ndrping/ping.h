/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_PING_H
#define NDPDK_NDRPING_PING_H

#include <stdbool.h>
#include <stdint.h>

#include "connection.h"

/*
 * The client: a state machine that never waits.
 *
 *   CONNECTING > COMPLETING > SOURCE_OPEN > SINK_OPEN > SINK_CLOSING > DISCONNECTING > ENDED
 *                                 ^                          |
 *                                 +------ next round --------+
 */

enum ping_state {
	PING_CONNECTING,   /**< the server has been asked */
	PING_COMPLETING,   /**< it has accepted; this side confirms */
	PING_SOURCE_OPEN,  /**< the server may read, and says when it has */
	PING_SINK_OPEN,    /**< the server may write, and says when it has */
	PING_SINK_CLOSING, /**< the window of the sink is being invalidated */
	PING_DISCONNECTING,
	PING_ENDED,
};

/** Memory that the server may reach while the window is bound to it. */
struct ping_window {
	struct nd_mw *mw;
	char *text;
	uint32_t flags; /**< what for */
	struct nd_mw_descriptor descriptor;
	struct request bind, advertise, invalidate;
	struct request invalidated; /**< by the peer; rping never does this */
};

struct ping {
	struct connection connection;
	enum ping_state state;
	uint32_t round;
	struct ping_window source, sink;
	uint64_t deadline_tsc; /**< of PING_DISCONNECTING */
};

/** Begin to connect. The caller must call ping_close() in any case. */
void ping_open(struct ping *ping, const struct options *options, struct nd_adapter *adapter);

/**
 * Advance the state machine. Call it after each poll of the engine. @return whether there is more
 * to do.
 */
bool ping_turn(struct ping *ping);

/** End early. */
void ping_stop(struct ping *ping);

/** Free everything. @return whether all went well. */
bool ping_close(struct ping *ping);

#endif
