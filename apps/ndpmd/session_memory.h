/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_MEMORY_H
#define NDPDK_NDPMD_SESSION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "workload.h"

struct request;
struct session;

/**
 * Memory for local slots, exposed slots, control messages, receives and standing windows, with one
 * registration, and the requests that use it.
 */
struct session_memory {
	struct workload_plan plan;
	uint8_t *block;
	size_t bytes; /**< of block */
	struct nd_mr *mr;
	size_t slot_bytes;
	uint32_t slots; /**< slots for operations; >= depth */
	uint8_t *local, *exposed, *controls, *receives;
	uint32_t control_count, control_bytes, control_free_count;
	uint32_t receive_count, receive_bytes;
	struct request *requests; /**< data, control, receive and window requests */
	struct request *control_requests, *receive_requests, *window_request;
	uint32_t *control_free; /**< stack of free slots for control messages */
	struct nd_mw **windows;
};

/** Allocate memory, requests and windows, and register. @return false: session has failed */
bool session_memory_open(struct session *session);
void session_memory_close(struct session *session);

#endif
