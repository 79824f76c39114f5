/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_CONNECT_ERROR_H
#define NDPDK_KIT_CONNECT_ERROR_H

#include <ndpdk/nd.h>

/** Bytes that hold any text of connect_error() and connect_refusal(). */
#define CONNECT_ERROR_BYTES 192

/** A connect that failed. */
struct connect_attempt {
	const struct nd_adapter *adapter;
	struct nd_connector *connector;
	nd_status status; /**< of the connect */
};

/**
 * Why the server's connection manager refused, for the user of an application.
 *
 * @param to CONNECT_ERROR_BYTES bytes
 * @return to, or static text; NULL: the server was not there, or its application refused
 */
const char *connect_refusal(const struct connect_attempt *attempt, char *to);

/**
 * Why a connect failed, and what may help, for the user of an application.
 *
 * @param to CONNECT_ERROR_BYTES bytes
 * @return to, or static text
 */
const char *connect_error(const struct connect_attempt *attempt, char *to);

#endif
