/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_TRACE_H
#define NDPDK_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace_frame.h>

#include "trace/cm_follow.h"
#include "trace/connection.h"
#include "trace/frame.h"
#include "trace/violations.h"

/*
 * Internal structure of a trace. A model contains a trace, so both assign frames to connections and
 * sides in the same way.
 */

struct nd_trace {
	struct nd_trace_config config;
	struct nd_trace_totals totals;
	struct trace_violations violations;
	struct trace_violations doubts;
	struct trace_violations damages; /* reports of packets with a wrong ICRC */
	struct trace_table table;
	struct trace_cm cm;
	struct nd_trace_seen seen; /* the newest frame; party has its connection */
	uint8_t scratch[TRACE_FRAME_MAX];
};

/**
 * Process a frame as nd_trace_frame() does, and return its class. If the frame is a good RC packet
 * or CM message, violations.party is then its sender. The connection of the party is NULL if the
 * connection is not known.
 *
 * @param[out] classified its pointer to the bytes is valid until the next frame
 */
void trace_take(struct nd_trace *trace, uint64_t time_ns, const void *frame, size_t captured_bytes,
	size_t wire_bytes, struct trace_frame *classified);

/**
 * Return the final connection and side of a party. Call this after nd_trace_finish(), because
 * until then a connection may be merged into another connection.
 *
 * @param[out] side side in the returned connection
 * @return index of the connection, or ND_TRACE_NO_CONNECTION
 */
size_t trace_party_index(const struct trace_party *party, unsigned *side);

/** @return whether a packet is a datagram to queue pair 1. */
bool trace_is_mad(const struct wire_view *view);

#endif
