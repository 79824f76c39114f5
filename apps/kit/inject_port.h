/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_INJECT_PORT_H
#define NDPDK_KIT_INJECT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "kit/inject.h"

/*
 * Faults of the frames of an adapter's port, on both ways. Frames that leave pass through the
 * adapter's transmit function, frames that come through an RX callback of ethdev; both run on the
 * thread of the queue's engine, and each queue has its own state. A capture of the port shows what
 * left in the end, and what came before anything was done to it.
 *
 * Faults are for RoCEv2 only: UDP to port 4791, connection messages included. The delay is for all
 * frames.
 */

/** Ways of frames, as the index of counts. */
enum inject_way {
	INJECT_SENT,
	INJECT_RECEIVED,
	INJECT_WAYS,
};

struct inject_counts {
	uint64_t frames; /**< of RoCEv2 that have been decided on */
	uint64_t faults[INJECT_KINDS];
	uint64_t overflow; /**< frames that were lost because too many were held back */
};

/** Frames that a queue holds back at most, on each way. */
#define INJECT_HELD_MAX 2048u

struct inject;

/** EAL's memory that inject_open() takes, in bytes. */
#define INJECT_BYTES (UINT64_C(8) << 20)

/**
 * @param plan copied
 * @param why on failure, filled with one sentence; >= 256 bytes
 * @return NULL on failure
 */
struct inject *inject_open(const struct inject_plan *plan, char *why, size_t size);

/**
 * Replace the plan while the port is in use. Each lane follows the new plan from its next frame.
 * Call this function from one thread only.
 *
 * @param plan copied
 * @return false: out of memory, the old plan remains
 */
bool inject_change(struct inject *inject, const struct inject_plan *plan);

/** @return seed of the newest plan. Call it on the thread that calls inject_change(). */
uint64_t inject_seed(const struct inject *inject);

/** Let the adapter that is opened with this configuration transmit through it. One adapter only. */
void inject_configure(struct inject *inject, struct nd_adapter_config *config);

/**
 * Begin, when the adapter is open and nothing polls it yet.
 *
 * @param port_id the adapter's
 * @return false: the port takes no callback; why is filled with one sentence, >= 256 bytes
 */
bool inject_begin(struct inject *inject, uint16_t port_id, char *why, size_t size);

/** Sum over all queues, at any time, from any thread. */
void inject_read(const struct inject *inject, struct inject_counts counts[INJECT_WAYS]);

/**
 * End, before the adapter is closed, when no thread polls it any more: frames that are still held
 * back are freed, and later ones pass. NULL is ignored.
 */
void inject_end(struct inject *inject);

/** Free it, when the adapter is closed. The pool of copies stays: drivers may hold some of them. */
void inject_close(struct inject *inject);

#endif
