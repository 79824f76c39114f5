/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_CONNECT_ERROR_H
#define NDPDK_KIT_CONNECT_ERROR_H

#include <ndpdk/nd.h>

/** Size in bytes of a buffer for the text of connect_error() or connect_refusal(). */
#define CONNECT_ERROR_BYTES 192

struct connect_attempt {
	const struct nd_adapter *adapter;
	struct nd_connector *connector;
	nd_status status; /**< result of the attempt */
};

/**
 * Explain to the user of an application why the server's connection manager refused a connection.
 *
 * @param to buffer of CONNECT_ERROR_BYTES bytes
 * @return to, or a static text; NULL if the server was absent, or if its application refused
 */
const char *connect_refusal(const struct connect_attempt *attempt, char *to);

/**
 * Explain to the user of an application why a connection attempt failed, and suggest a remedy.
 *
 * @param to buffer of CONNECT_ERROR_BYTES bytes
 * @return to, or a static text
 */
const char *connect_error(const struct connect_attempt *attempt, char *to);

#endif
