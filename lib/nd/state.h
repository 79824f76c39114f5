/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_STATE_H
#define NDPDK_ND_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_status.h>

/*
 * States of a Network Direct connection, active and passive:
 *
 *   IDLE -> RESOLVING -> REQUESTING -> ANSWERED -> CONNECTED
 *   IDLE -> ASKED -> ACCEPTING -> CONNECTED
 *   CONNECTED -> DISCONNECTING -> DEAD      nd_connector_disconnect()
 *   CONNECTED -> BROKEN -> DEAD             the peer disconnected, or a request failed
 *
 * An active attempt that fails before the peer's answer returns to IDLE. Other attempts that fail
 * end in FAILED. The tables in state.c list all transitions and the result of each call in each
 * state.
 */
enum connector_state {
	CONNECTOR_IDLE,
	CONNECTOR_RESOLVING,  /**< connect is resolving the peer's MAC address */
	CONNECTOR_REQUESTING, /**< REQ sent */
	CONNECTOR_ANSWERED,   /**< REP received; waits for complete_connect or reject */
	CONNECTOR_ASKED,      /**< REQ received; waits for accept or reject */
	CONNECTOR_ACCEPTING,  /**< REP sent */
	CONNECTOR_CONNECTED,
	CONNECTOR_DISCONNECTING, /**< DREQ sent because the application disconnects */
	CONNECTOR_BROKEN,        /**< ended, but the application has not called disconnect yet */
	CONNECTOR_DEAD,          /**< connection over; the connector can only be released */
	CONNECTOR_FAILED,        /**< attempt failed; the connector can only be released */
};

/** Status that each connector call returns in a state. ND_SUCCESS: the call is executed. */
struct connector_answers {
	nd_status create_endpoint;
	nd_status connect;
	nd_status complete_connect;
	nd_status accept;
	nd_status reject;
	/** ND_PENDING: the call is executed; ND_SUCCESS: the connection has already ended */
	nd_status notify_disconnect;
	nd_status disconnect; /**< as for notify_disconnect */
	nd_status local_address;
	nd_status peer_address;
};

const struct connector_answers *connector_answers(enum connector_state state);

/**
 * @return the state after an attempt has failed in `state`; `state` itself if there is no attempt
 */
enum connector_state connector_state_failed(enum connector_state state);

/** @return name of a state, static text. */
const char *connector_state_name(enum connector_state state);

/** Change the state. The table in state.c must contain the transition. */
void connector_enter(enum connector_state *state, enum connector_state next);

#endif
