/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_LINK_H
#define NDPDK_PERFTEST_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd.h>

#include "ndpmd/stopwatch.h"

/*
 * One connection of a perftest, active or passive side, for control or for a queue pair of the
 * test: set-up and end. No function blocks.
 *
 *   active   IDLE > CONNECTING [> PAUSING > CONNECTING] > COMPLETING > CONNECTED
 *   passive  IDLE > LISTENING > REQUESTED > ACCEPTING > CONNECTED
 *   both     CONNECTED > DISCONNECTING > CLOSED
 *
 * and from every state to FAILED, with a sentence in error.
 */

enum perftest_link_state {
	PERFTEST_LINK_IDLE,
	PERFTEST_LINK_LISTENING, /**< no request yet */
	PERFTEST_LINK_REQUESTED, /**< the owner has to call open and accept, or refuse */
	PERFTEST_LINK_ACCEPTING, /**< waits for the client's confirmation */
	PERFTEST_LINK_CONNECTING,
	PERFTEST_LINK_PAUSING, /**< refused, and tried again soon */
	PERFTEST_LINK_COMPLETING,
	PERFTEST_LINK_CONNECTED,
	PERFTEST_LINK_DISCONNECTING, /**< waits for the peer's answer */
	PERFTEST_LINK_CLOSED,
	PERFTEST_LINK_FAILED, /**< see error */
};

struct perftest_link_shape {
	uint32_t receives, requests; /**< outstanding at most */
	uint32_t inbound_reads, outbound_reads;
};

struct perftest_link {
	enum perftest_link_state state;
	struct nd_adapter *adapter;
	const struct stopwatch *stopwatch;
	struct nd_cq *cq; /**< both directions */
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped step; /**< of the state */
	struct nd_overlapped closing;
	struct nd_overlapped disconnected;
	nd_status step_status;
	bool is_connected;      /**< also when it has failed since */
	bool peer_gone;         /**< the peer has ended the connection, or it broke */
	uint64_t deadline_tsc;  /**< of PAUSING and DISCONNECTING */
	uint32_t refusals_left; /**< that mean "not ready yet" */
	struct sockaddr_storage peer;
	char error[256]; /**< empty = it has not failed */
};

/** Initialise: no connection, makes no object. */
void perftest_link_init(
	struct perftest_link *link, struct nd_adapter *adapter, const struct stopwatch *stopwatch);

/** Passive: wait for a request. */
void perftest_link_listen(struct perftest_link *link, struct nd_listener *listener);

/** Make completion queue and endpoint; receives may be posted then. @return false: see error. */
bool perftest_link_open(struct perftest_link *link, const struct perftest_link_shape *shape);

/**
 * Active, open: connect.
 * @param peer with the port
 * @param refusals how often a refusal means that the server is not ready yet
 */
void perftest_link_connect(
	struct perftest_link *link, const struct sockaddr_storage *peer, uint32_t refusals);

/** Passive, REQUESTED and open: accept. */
void perftest_link_accept(struct perftest_link *link);

/** Passive, REQUESTED: refuse. */
void perftest_link_refuse(struct perftest_link *link);

/** Advance the state machine. Call it after each poll of the adapter's engine. */
void perftest_link_turn(struct perftest_link *link);

/** @return whether this status of posting is success; if not the link has failed. */
bool perftest_link_posted(struct perftest_link *link, nd_status status, const char *what);

/** Go to FAILED with a sentence in error; a later one does not replace the first. */
void perftest_link_fail(struct perftest_link *link, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Disconnect, whatever the state; CLOSED when the peer has answered. */
void perftest_link_disconnect(struct perftest_link *link);

/** @return whether nothing more will happen on it. */
bool perftest_link_ended(const struct perftest_link *link);

/** Free everything; the connection ends if it has not. Registered memory is the owner's. */
void perftest_link_close(struct perftest_link *link);

#endif
