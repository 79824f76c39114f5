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
 * Injects faults into the frames of an adapter's port, in both directions. Transmitted frames pass
 * through the adapter's transmit function, received frames through an RX callback of ethdev. Both
 * run on the thread of the queue's engine, and each queue has its own state. A capture of the port
 * shows transmitted frames after the faults, and received frames before the faults.
 *
 * Only RoCEv2 frames are dropped, duplicated, reordered or corrupted: UDP to port 4791, connection
 * messages included. The delay of the plan (inject_plan.delay_ns) applies to all frames.
 */

enum inject_way {
	INJECT_SENT,
	INJECT_RECEIVED,
	INJECT_WAYS,
};

struct inject_counts {
	uint64_t frames; /**< RoCEv2 frames, with or without a fault */
	uint64_t faults[INJECT_KINDS];
	uint64_t overflow; /**< frames dropped because INJECT_HELD_MAX were delayed */
};

/** Highest number of delayed frames of one queue in one direction. */
#define INJECT_HELD_MAX 2048u

struct inject;

/** Memory of EAL that inject_open() allocates, in bytes. */
#define INJECT_BYTES (UINT64_C(8) << 20)

/**
 * @param plan copied
 * @param why on failure, filled with one sentence; >= 256 bytes
 * @return NULL on failure
 */
struct inject *inject_open(const struct inject_plan *plan, char *why, size_t size);

/**
 * Replace the plan while the port is in use. Each queue and direction uses the new plan from its
 * next frame. Call this function from one thread only.
 *
 * @param plan copied
 * @return false: out of memory, the old plan remains
 */
bool inject_change(struct inject *inject, const struct inject_plan *plan);

/** @return seed of the newest plan. Call this function on the thread that calls inject_change(). */
uint64_t inject_seed(const struct inject *inject);

/** Set the transmit function in an adapter's configuration. Open only one adapter with inject. */
void inject_configure(struct inject *inject, struct nd_adapter_config *config);

/**
 * Start the injection. Call this function when the adapter is open and not polled yet.
 *
 * @param port_id port of the adapter
 * @param why on failure, filled with one sentence; >= 256 bytes
 * @return false: the port accepts no callback
 */
bool inject_begin(struct inject *inject, uint16_t port_id, char *why, size_t size);

/** Read the counts, summed over all queues. May be called at any time, from any thread. */
void inject_read(const struct inject *inject, struct inject_counts counts[INJECT_WAYS]);

/**
 * End the injection and free all held frames. Later frames pass without faults. Call this function
 * before the adapter is closed, when no thread polls the adapter. NULL is ignored.
 */
void inject_end(struct inject *inject);

/**
 * Free inject after the adapter is closed. The pool of copied frames is not freed, because drivers
 * may still hold some of the copies.
 */
void inject_close(struct inject *inject);

#endif
