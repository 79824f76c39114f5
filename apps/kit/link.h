/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_LINK_H
#define NDPDK_KIT_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd.h>

/*
 * The set-up and the end of one connection, active or passive side. No function blocks.
 *
 *   active   IDLE > CONNECTING [> PAUSING > CONNECTING] > COMPLETING > CONNECTED
 *   passive  IDLE > LISTENING > REQUESTED > ACCEPTING > CONNECTED
 *   both     CONNECTED > DISCONNECTING > CLOSED
 *
 * and from every state to FAILED, with a sentence in error.
 *
 * The owner calls link_turn() after each poll of the engine; or, to be told when that is of use,
 * gives a function that wakes it.
 */

/** IP protocol TCP: the RDMA port space that Linux' rdma_cm uses by default. */
#define LINK_PROTOCOL 6

enum link_state {
	LINK_IDLE,
	LINK_LISTENING, /**< no request yet */
	LINK_REQUESTED, /**< the owner has to call open and accept, or refuse */
	LINK_ACCEPTING, /**< waits for the client's confirmation */
	LINK_CONNECTING,
	LINK_PAUSING, /**< refused, and tried again soon */
	LINK_COMPLETING,
	LINK_CONNECTED,
	LINK_DISCONNECTING, /**< waits for the peer's answer */
	LINK_CLOSED,
	LINK_FAILED, /**< see error */
};

struct link_shape {
	uint32_t receives, requests; /**< outstanding at most */
	uint32_t inbound_reads, outbound_reads;
};

struct link {
	enum link_state state;
	struct nd_adapter *adapter;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint; /**< link_open() makes it, or the owner */
	struct nd_cq *cq;             /**< of link_open(), both directions */
	struct nd_overlapped step;    /**< of the state */
	struct nd_overlapped disconnected;
	nd_status step_status;
	/** Called when the step or the connection has ended, and when a step begins; or NULL. */
	void (*wake)(void *owner);
	void *owner;
	/** The owner's engine is not the adapter's first one, on whose thread callbacks run: there
	 * are none, and each turn asks. */
	bool asks;
	bool is_connected;      /**< also when it has failed since */
	bool peer_gone;         /**< the peer has ended the connection, or it broke */
	bool gave_up;           /**< FAILED: the client of this passive side did */
	uint64_t deadline_tsc;  /**< of PAUSING and DISCONNECTING */
	uint32_t refusals_left; /**< that mean "not ready yet" */
	/** Active: error text if the server is absent or its application refuses; or NULL. */
	const char *refused;
	/** Private data of the connection request, or of its acceptance; the owner's, or NULL. */
	const void *data;
	size_t data_bytes;
	/** Active: the peer has accepted, and its private data can be read now; or NULL. */
	void (*answered)(void *owner);
	struct sockaddr_storage peer; /**< active: with the port */
	char error[256];              /**< empty = it has not failed */
};

/** Initialise: no connection, makes no object. */
void link_init(struct link *link, struct nd_adapter *adapter);

/** Make the connector, if there is none. */
nd_status link_open_connector(struct link *link);

/** Passive: wait for a request. */
void link_listen(struct link *link, struct nd_listener *listener);

/** Make completion queue and endpoint; receives may be posted then. @return false: see error. */
bool link_open(struct link *link, const struct link_shape *shape);

/** Set the port of an address. */
void link_set_port(struct sockaddr_storage *address, uint16_t port);

/**
 * Active, with an endpoint: connect.
 * @param peer with the port
 * @param refusals how often a refusal means that the server is not ready yet
 */
void link_connect(struct link *link, const struct sockaddr_storage *peer, uint32_t refusals);

/** Passive, REQUESTED, with an endpoint: accept. */
void link_accept(struct link *link);

/** Passive, REQUESTED: refuse, with private data. */
void link_refuse(struct link *link, const void *data, size_t bytes);

/** Advance the state machine. */
void link_turn(struct link *link);

/** @return whether the peer has ended the connection, or it is lost. */
bool link_peer_gone(struct link *link);

/** @return whether this status of posting is success; if not the link has failed. */
bool link_posted(struct link *link, nd_status status, const char *what);

/** Go to FAILED with a sentence in error; a later one does not replace the first. */
void link_fail(struct link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Disconnect, whatever the state; CLOSED when the peer has answered. */
void link_disconnect(struct link *link);

/** @return whether nothing more will happen on it. */
bool link_ended(const struct link *link);

/** Free everything; the connection ends if it has not. Registered memory is the owner's. */
void link_close(struct link *link);

#endif
