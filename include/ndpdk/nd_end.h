/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_END_H
#define NDPDK_ND_END_H

/**
 * @file
 * Beyond Network Direct: the reason why a connection or a connection attempt has ended. Only the
 * first reason is kept; its consequences do not replace it. The adapter counts the ends by reason
 * (nd_adapter_counters(), names that begin with end_). docs/timeouts.md lists the time until each
 * timeout.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_end
 * @{
 */

/** Why a connection or an attempt has ended. New reasons are added at the end. */
enum nd_end_reason {
	ND_END_NONE = 0,         /**< the connection has not ended, or never existed */
	ND_END_LOCAL_DISCONNECT, /**< nd_connector_disconnect(), or the endpoint was released */
	ND_END_PEER_DISCONNECT,  /**< the peer disconnected */
	ND_END_RETRIES,          /**< a request was not acknowledged in all its retries */
	/** RNR retries used up: the peer had no receive, or could not complete an invalidate */
	ND_END_RNR_RETRIES,
	ND_END_KEEPALIVE,       /**< the peer did not answer a keepalive */
	ND_END_PORT_STUCK,      /**< the port took no packet for 5 s */
	ND_END_REFUSED_HERE,    /**< this side refused a request of the peer */
	ND_END_REFUSED_BY_PEER, /**< the peer refused a request of this side */
	ND_END_BAD_RESPONSE,    /**< a response of the peer did not match its request */
	/**
	 * This side failed because of a memory access, a bind, an overrun queue or missing
	 * resources.
	 */
	ND_END_LOCAL_ERROR,
	ND_END_REJECTED,        /**< the peer sent a REJ; see nd_end.reject_reason */
	ND_END_LOCAL_REJECT,    /**< nd_connector_reject() */
	ND_END_CONNECT_TIMEOUT, /**< a message of the handshake was not answered in time */
	ND_END_UNREACHABLE,     /**< no MAC address of the peer, or no route to the peer */
	ND_END_CANCELED,        /**< the attempt was cancelled, or the endpoint was released */
	ND_END_STALE,           /**< the peer uses its queue pair for another connection now */
	ND_END_ADAPTER_CLOSING, /**< nd_adapter_close() */
};

/** Number of reasons. */
#define ND_END_REASONS (ND_END_ADAPTER_CLOSING + 1)

/** Result of nd_connector_get_end_reason(). */
struct nd_end {
	enum nd_end_reason reason; /**< first cause */
	/**
	 * Status of the failed request or of the failed attempt. ND_SUCCESS: one side has
	 * disconnected, or the connection has not ended.
	 */
	nd_status status;
	uint16_t reject_reason; /**< code of a REJ (IBTA volume 1, 12.6.7.2); 0: no REJ */
	/**
	 * Largest path MTU that the peer accepts, in bytes. The value is known only if the REJ has
	 * code 26 (invalid path MTU) and contains the path MTU. 0: not known.
	 */
	uint16_t accepted_path_mtu;
};

nd_status
nd_connector_get_end_reason_sized(struct nd_connector *connector, struct nd_end *end, size_t size);

/**
 * Return why the connection or the last attempt of a connector has ended. The reason is known when
 * nd_connector_notify_disconnect() completes, and when a connect or an accept has failed. With one
 * engine, the reason is also known when a request completes with an error; with several engines,
 * soon after that. For the private data of a REJ, see nd_connector_get_connection_data().
 *
 * @param[out] end unchanged after a failure
 * @return ND_SUCCESS, also if nothing has ended (ND_END_NONE); ND_INVALID_PARAMETER: end is NULL
 * @note Threads: control.
 */
static inline nd_status
nd_connector_get_end_reason(struct nd_connector *connector, struct nd_end *end)
{
	return nd_connector_get_end_reason_sized(connector, end, sizeof(*end));
}

/**
 * @return a short description of the reason, which can be shown to the user; static; never NULL
 * @note Threads: any.
 */
const char *nd_end_reason_text(enum nd_end_reason reason);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
