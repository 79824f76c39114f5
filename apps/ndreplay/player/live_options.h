/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_OPTIONS_H
#define NDPDK_PLAYER_LIVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "kit/network.h"
#include "kit/transport.h"
#include "kit/value.h"

#include "ndreplay/capture/reader.h"

/** Options of live and serve. */
struct live_options {
	struct reader_config reader;
	struct network network;
	struct transport transport;
	struct value_port port;
	struct sockaddr_storage to; /**< live: the peer */
	uint16_t service;           /**< 0 = as recorded */
	bool one;                   /**< only recorded connection number connection */
	uint32_t connection;
	uint32_t copies;     /**< number of concurrent copies */
	uint32_t loops;      /**< 0 = until Ctrl-C */
	uint32_t speed;      /**< 0 = as fast as possible */
	uint32_t memory_mb;  /**< limit for the frames of the capture, in MB */
	uint64_t timeout_ns; /**< longest wait for a message or answer of the peer */
	/** serve: longest wait while no client is connected, in nanoseconds; 0: no limit */
	uint64_t client_timeout_ns;
	bool ignore_payload; /**< do not compare the bytes of messages and WRITEs */
	bool json, counters;
	const char *plot; /**< a name that value_picture() takes; NULL = no picture */
};

#endif
