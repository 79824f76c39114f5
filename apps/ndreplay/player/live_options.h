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

struct live_options {
	struct reader_config reader;
	struct network network;
	struct transport transport;
	struct value_port port;
	struct sockaddr_storage to; /**< live: the peer */
	uint16_t service;           /**< 0 = as recorded */
	bool one;                   /**< true = replay only the recorded connection `connection` */
	uint32_t connection;
	uint32_t copies;     /**< number of concurrent copies */
	uint32_t loops;      /**< 0 = until Ctrl-C */
	uint32_t speed;      /**< factor of the recorded speed; 0 = as fast as possible */
	uint32_t memory_mb;  /**< memory limit for the frames of the capture, in MB */
	uint64_t timeout_ns; /**< maximum time to wait for a message or answer of the peer */
	/** serve: maximum time in ns to wait while no client is connected; 0 = no limit */
	uint64_t client_timeout_ns;
	bool ignore_payload; /**< if set, the bytes of messages and WRITEs are not compared */
	bool json, counters;
	const char *plot; /**< name of a picture file that value_picture() accepts; or NULL */
};

#endif
