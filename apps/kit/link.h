/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_LINK_H
#define NDPDK_KIT_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd.h>

/*
 * State machine that sets up and ends one connection, active or passive side. No function blocks.
 *
 *   active   IDLE > CONNECTING [> PAUSING > CONNECTING] > COMPLETING > CONNECTED
 *   passive  IDLE > LISTENING > REQUESTED > ACCEPTING > CONNECTED
 *   both     CONNECTED > DISCONNECTING > CLOSED
 *
 * Each state can change to FAILED, with a sentence in error.
 *
 * The owner calls link_turn() after each poll of the engine, or only after calls of the function
 * wake.
 */

/** IP protocol TCP: the RDMA port space that Linux' rdma_cm uses by default. */
#define LINK_PROTOCOL 6

enum link_state {
	LINK_IDLE,
	LINK_LISTENING, /**< no request yet */
	LINK_REQUESTED, /**< the owner must call link_open() and link_accept(), or link_refuse() */
	LINK_ACCEPTING, /**< waits for the client's confirmation */
	LINK_CONNECTING,
	LINK_PAUSING, /**< refused; connects again after a pause */
	LINK_COMPLETING,
	LINK_CONNECTED,
	LINK_DISCONNECTING, /**< waits for the peer's answer */
	LINK_CLOSED,
	LINK_FAILED, /**< see error */
};

struct link_shape {
	uint32_t receives, requests; /**< highest numbers of outstanding receives and requests */
	uint32_t inbound_reads, outbound_reads;
};

struct link {
	enum link_state state;
	struct nd_adapter *adapter;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint; /**< created by link_open() or by the owner */
	struct nd_cq *cq;             /**< created by link_open(), for both directions */
	struct nd_overlapped step;    /**< operation of the current state */
	struct nd_overlapped disconnected;
	nd_status step_status;
	/** Called when a step begins or ends, and when the connection has ended; may be NULL. */
	void (*wake)(void *owner);
	void *owner;
	/**
	 * The owner's engine is not the adapter's first engine. Callbacks run on the thread of the
	 * first engine, so no callbacks are used, and each link_turn() polls step.
	 */
	bool asks;
	bool is_connected;      /**< was connected; stays set after a failure */
	bool peer_gone;         /**< the peer has ended the connection, or it broke */
	bool gave_up;           /**< FAILED: the client of this passive side gave up */
	uint64_t deadline_tsc;  /**< end of PAUSING and DISCONNECTING */
	uint32_t refusals_left; /**< refusals that still count as "not ready yet" */
	/** Active: error text if the server is absent or its application refuses; or NULL. */
	const char *refused;
	/** Private data of the request or of the accept; belongs to the link's owner. Or NULL. */
	const void *data;
	size_t data_bytes;
	/** Active: called after the peer's accept; its private data can be read then. Or NULL. */
	void (*answered)(void *owner);
	struct sockaddr_storage peer; /**< active: address and port of the peer */
	char error[256];              /**< why the link has failed; empty = it has not failed */
};

/** Initialise without creating an object. */
void link_init(struct link *link, struct nd_adapter *adapter);

/** Create the connector if it does not exist. */
nd_status link_open_connector(struct link *link);

/** Passive: wait for a request. */
void link_listen(struct link *link, struct nd_listener *listener);

/** Create completion queue and endpoint. Then receives may be posted. @return false: see error */
bool link_open(struct link *link, const struct link_shape *shape);

/** Set the port of an address. */
void link_set_port(struct sockaddr_storage *address, uint16_t port);

/**
 * Active side, with an endpoint: connect.
 * @param peer address and port
 * @param refusals number of refusals after which the link connects again, because the server may
 *        not be ready yet
 */
void link_connect(struct link *link, const struct sockaddr_storage *peer, uint32_t refusals);

/** Passive side in state REQUESTED, with an endpoint: accept. */
void link_accept(struct link *link);

/** Passive side in state REQUESTED: refuse with private data. */
void link_refuse(struct link *link, const void *data, size_t bytes);

/** Advance the state machine. */
void link_turn(struct link *link);

/** @return whether the peer has ended the connection, or the connection is lost. */
bool link_peer_gone(struct link *link);

/** @return whether status, the result of posting a request, is success. If not, the link fails. */
bool link_posted(struct link *link, nd_status status, const char *what);

/** Change to FAILED with a sentence in error. Later sentences do not replace the first sentence. */
void link_fail(struct link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Disconnect in any state. The state is CLOSED when the peer has answered. */
void link_disconnect(struct link *link);

/** @return whether the link is in a final state. */
bool link_ended(const struct link *link);

/** Free everything, and end the connection. The owner keeps registered memory. */
void link_close(struct link *link);

#endif
