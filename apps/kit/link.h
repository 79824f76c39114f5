/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_LINK_H
#define NDPDK_KIT_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd.h>

/*
 * State machine that sets up and ends one connection, on the active or the passive side. No
 * function blocks.
 *
 *   active   IDLE > CONNECTING [> PAUSING > CONNECTING] > COMPLETING > CONNECTED
 *   passive  IDLE > LISTENING > REQUESTED > ACCEPTING > CONNECTED
 *   both     CONNECTED > DISCONNECTING > CLOSED
 *
 * Each state can change to FAILED. Then the member error has a sentence about the cause.
 *
 * The owner calls link_turn() after each poll of the engine. An owner that sets the function wake
 * needs to call link_turn() only after wake was called.
 */

/** IP protocol TCP: the RDMA port space that Linux' rdma_cm uses by default. */
#define LINK_PROTOCOL 6

enum link_state {
	LINK_IDLE,
	LINK_LISTENING, /**< the passive side waits for a request */
	LINK_REQUESTED, /**< the owner must call link_open() and link_accept(), or link_refuse() */
	LINK_ACCEPTING, /**< the passive side waits for the client's RTU */
	LINK_CONNECTING,
	LINK_PAUSING, /**< the server refused, so the link connects again at deadline_tsc */
	LINK_COMPLETING,
	LINK_CONNECTED,
	LINK_DISCONNECTING, /**< waits until the peer has answered the request to disconnect */
	LINK_CLOSED,
	LINK_FAILED, /**< see the member error */
};

struct link_shape {
	uint32_t receives, requests; /**< limits of outstanding receives and requests */
	uint32_t inbound_reads, outbound_reads;
};

struct link {
	enum link_state state;
	struct nd_adapter *adapter;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint; /**< created by link_open() or by the owner */
	struct nd_cq *cq;             /**< created by link_open(), for receives and requests */
	struct nd_overlapped step;    /**< overlapped operation that ends the current state */
	struct nd_overlapped disconnected;
	nd_status step_status;
	/**
	 * Called when an operation of the link begins or ends, and when the connection has ended.
	 * May be NULL.
	 */
	void (*wake)(void *owner);
	void *owner;
	/**
	 * True if the owner's engine is not the adapter's first engine. Callbacks run on the thread
	 * of the first engine. Therefore this link uses no callbacks, and each link_turn() polls
	 * step.
	 */
	bool asks;
	bool is_connected;      /**< stays true if an established connection fails later */
	bool peer_gone;         /**< the peer has disconnected, or the connection has failed */
	bool gave_up;           /**< in FAILED, passive side: the client gave up */
	uint64_t deadline_tsc;  /**< end of the states PAUSING and DISCONNECTING */
	uint32_t refusals_left; /**< active: allowed refusals left */
	/**
	 * Active side: error text for a server that is absent or refuses. NULL = a general text.
	 */
	const char *refused;
	/**
	 * Private data of the connect request or of the accept. Owned by the link's owner. May be
	 * NULL.
	 */
	const void *data;
	size_t data_bytes;
	/**
	 * Active side: called after the peer's accept, when the accept's private data can be read.
	 * May be NULL.
	 */
	void (*answered)(void *owner);
	struct sockaddr_storage peer; /**< active side: address and port of the peer */
	char error[256];              /**< reason why the link has failed; empty = no failure */
};

/** Initialise the link without creating an object of the adapter. */
void link_init(struct link *link, struct nd_adapter *adapter);

/** Create the link's connector, unless it exists. */
nd_status link_open_connector(struct link *link);

/** Passive side: wait for a connection request. */
void link_listen(struct link *link, struct nd_listener *listener);

/** Create the CQ and the endpoint, so that the owner can post receives. @return false: see error */
bool link_open(struct link *link, const struct link_shape *shape);

void link_set_port(struct sockaddr_storage *address, uint16_t port);

/**
 * Active side: connect. The link must have an endpoint.
 * @param peer address and port
 * @param refusals highest number of refusals after which the link connects again, because the
 *        server may not be ready yet
 */
void link_connect(struct link *link, const struct sockaddr_storage *peer, uint32_t refusals);

/** Passive side in state REQUESTED: accept. The link must have an endpoint. */
void link_accept(struct link *link);

/** Passive side in state REQUESTED: refuse with private data. */
void link_refuse(struct link *link, const void *data, size_t bytes);

/** Advance the state machine. */
void link_turn(struct link *link);

/** @return true if the peer has disconnected or the connection is lost. */
bool link_peer_gone(struct link *link);

/** Fail the link if status, which a post has returned, is an error. @return true on success */
bool link_posted(struct link *link, nd_status status, const char *what);

/**
 * Change to FAILED and write a sentence into error. A later failure does not replace the sentence.
 */
void link_fail(struct link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Disconnect, in any state. The state becomes CLOSED when the peer has answered. */
void link_disconnect(struct link *link);

/** @return true if the link is in a final state: CLOSED or FAILED. */
bool link_ended(const struct link *link);

/**
 * End the connection and free all objects of the link, but no memory registrations of the owner.
 */
void link_close(struct link *link);

#endif
