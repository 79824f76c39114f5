/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_END_H
#define NDPDK_ND_END_H

/**
 * @file
 * Beyond Network Direct: why a connection, or an attempt to make one, has ended. The first cause
 * counts: what follows from it does not replace it. The adapter counts each (nd_adapter_counters(),
 * names that begin with end_). docs/timeouts.md says after what time each comes.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** Why a connection or an attempt has ended. New reasons are added at the end. */
enum nd_end_reason {
	ND_END_NONE = 0,         /**< it has not ended, or there has been none */
	ND_END_LOCAL_DISCONNECT, /**< nd_connector_disconnect(), or its endpoint was released */
	ND_END_PEER_DISCONNECT,  /**< the peer disconnected */
	ND_END_RETRIES,          /**< a request was not acknowledged: retries used up */
	/** RNR retries used up: no receive posted, or the peer could not complete an invalidate */
	ND_END_RNR_RETRIES,
	ND_END_KEEPALIVE,       /**< the peer did not answer a keepalive */
	ND_END_PORT_STUCK,      /**< the port took no packet for 5 s */
	ND_END_REFUSED_HERE,    /**< a request of the peer was refused, which ends a connection */
	ND_END_REFUSED_BY_PEER, /**< the peer refused a request of this side */
	ND_END_BAD_RESPONSE,    /**< a response of the peer did not fit its request */
	ND_END_LOCAL_ERROR,     /**< local memory, a bind, a full completion queue, no resources */
	ND_END_REJECTED,        /**< the peer rejected: reject_reason */
	ND_END_LOCAL_REJECT,    /**< nd_connector_reject() */
	ND_END_CONNECT_TIMEOUT, /**< a message of the handshake was not answered in time */
	ND_END_UNREACHABLE,     /**< no MAC address of the peer, or no route to it */
	ND_END_CANCELED,        /**< the attempt was cancelled, or its endpoint released */
	ND_END_STALE,           /**< the peer uses its queue pair for another connection */
	ND_END_ADAPTER_CLOSING, /**< nd_adapter_close() */
};

/** How many reasons there are. */
#define ND_END_REASONS (ND_END_ADAPTER_CLOSING + 1)

/** What nd_connector_get_end_reason() tells. */
struct nd_end {
	enum nd_end_reason reason; /**< first cause */
	/**
	 * Status of the request that failed, or of the attempt. ND_SUCCESS: one side disconnected,
	 * or nothing has ended.
	 */
	nd_status status;
	uint16_t reject_reason; /**< code of a REJ (IBTA volume 1, 12.6.7.2); 0: there was none */
	/**
	 * Largest path MTU that the peer accepts, in bytes. It is known only if the REJ has code 26
	 * (invalid path MTU) and contains the value. 0: not known.
	 */
	uint16_t accepted_path_mtu;
};

/**
 * Why the connection or the last attempt of a connector has ended. It is known when
 * nd_connector_notify_disconnect() completes, and when a connect or an accept has failed; behind a
 * request that completes with an error, if the adapter has one engine, and else soon afterwards.
 * Private data of a REJ: nd_connector_get_connection_data().
 *
 * @param[out] end unchanged after a failure
 * @return ND_SUCCESS, also when nothing has ended (ND_END_NONE); ND_INVALID_PARAMETER: end is NULL
 * @note Threads: control.
 */
nd_status nd_connector_get_end_reason(struct nd_connector *connector, struct nd_end *end);

/**
 * @return a few words for a message to the user, static text, never NULL
 * @note Threads: any.
 */
const char *nd_end_reason_text(enum nd_end_reason reason);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
