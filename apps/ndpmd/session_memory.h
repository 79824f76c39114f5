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
 * One block of memory with one registration, and the requests that use the block. The block has
 * local slots, exposed slots, control messages, receives and standing windows.
 */
struct session_memory {
	struct workload_plan plan;
	uint8_t *block;
	size_t bytes; /**< size of block */
	struct nd_mr *mr;
	size_t slot_bytes;
	uint32_t slots; /**< number of slots for operations; at least depth */
	uint8_t *local, *exposed, *controls, *receives;
	uint32_t control_count, control_bytes, control_free_count;
	uint32_t receive_count, receive_bytes;
	struct request *requests; /**< requests of the kinds data, control, receive and window */
	struct request *control_requests, *receive_requests, *window_request;
	uint32_t *control_free; /**< stack of the free control messages' slots */
	struct nd_mw **windows;
};

/**
 * Allocate and register memory, and create requests and windows.
 * @return false: the session has failed
 */
bool session_memory_open(struct session *session);
void session_memory_close(struct session *session);

#endif
