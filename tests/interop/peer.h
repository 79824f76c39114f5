/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_H
#define NDPDK_INTEROP_PEER_H

#include "peer_conn.h"
#include "peer_options.h"

/**
 * Number of the scenario ucmatose. The protocol defines no number for this scenario, because
 * ucmatose sends no private data.
 */
#define SCENARIO_UCMATOSE 0x100u

struct peer {
	struct peer_options options;
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct nd_listener *listener;
	uint32_t idle_turns;
	uint32_t begun;   /* connections */
	uint32_t running; /* number of connections that have a task */
	uint32_t failed;
	/* Numbers of objects that could not be released, summed over all connections. */
	uint32_t endpoints;
	uint32_t regions;
	uint32_t windows;
	bool stopped;          /* No more connections are accepted. */
	uint32_t rounds_asked; /* SIGUSR1 */
};

/**
 * A scenario, with functions for each side. A function that fails calls conn_fail() and returns
 * false.
 */
struct scenario {
	const char *name;
	uint32_t number;
	enum { CLIENT_ENDS, SERVER_ENDS, DRIVER_ENDS } ends; /* side that disconnects */
	/** Prepares memory and receives, before the connection is established. */
	bool (*prepare)(struct conn *conn);
	/**
	 * Called after the connection is established; NULL if this program does not implement the
	 * side.
	 */
	bool (*client)(struct conn *conn);
	bool (*server)(struct conn *conn);
};

/** @return the scenario; NULL if it does not exist */
const struct scenario *scenario_by_name(const char *name);
const struct scenario *scenario_by_number(uint32_t number);

/**
 * Task functions. A client's task makes one connection after another. The server's task accepts all
 * connections.
 */
void session_client(void *peer);
void session_listen(void *peer);

void report_conn(const struct conn *conn);
void report_end(const struct peer *peer);

/*
 * peer_offer.c: the begin of a step. offer_drives() returns true if this side is the driver. The
 * other functions send and receive the offer, which is the message that describes the window.
 */
bool offer_drives(const struct conn *conn);
bool offer_wait(struct conn *conn, struct protocol_offer *offer, struct nd_mw_descriptor *window);
bool offer_send(struct conn *conn, const struct nd_mw_descriptor *window, uint32_t size);

/*
 * Both sides of the scenarios that have a driver, in peer_ladder.c, peer_refuse.c, peer_atomics.c
 * and peer_bulk.c.
 */
bool ladder_prepare(struct conn *conn);
bool ladder_play(struct conn *conn);
bool refuse_prepare(struct conn *conn);
bool refuse_play(struct conn *conn);
bool atomics_prepare(struct conn *conn);
bool atomics_play(struct conn *conn);
bool bulk_prepare(struct conn *conn);
bool bulk_play(struct conn *conn);

/* Wait until the connection ends (PROTOCOL_IDLE, in peer_bulk.c). */
bool idle_prepare(struct conn *conn);
bool idle_play(struct conn *conn);

/* ucmatose of librdmacm: peer_ucmatose.c. */
bool ucmatose_prepare(struct conn *conn);
bool ucmatose_client(struct conn *conn);
bool ucmatose_server(struct conn *conn);

#endif
