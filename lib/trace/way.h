/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_WAY_H
#define NDPDK_TRACE_WAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "wire/gid.h"

/*
 * An index of flows by their way: source address, destination address and UDP source port, or port
 * 0 for all ports. A search for flows between two hosts visits only the flows of this way, and not
 * all flows of the capture.
 */

/** All flows between two addresses, with one UDP source port or with any UDP source port. */
struct trace_way {
	struct trace_way *next; /**< next way in its hash bucket */
	struct wire_gid src;
	struct wire_gid dst;
	uint16_t udp_src_port;
	struct base_list loose; /**< list of current flows without a partner */
	uint32_t loose_count;
	/** current flows that are known from CM messages, oldest first; used only for port 0 */
	struct base_list told;
};

#define TRACE_WAY_BUCKETS 16384

struct trace_ways {
	struct trace_way *buckets[TRACE_WAY_BUCKETS];
};

void trace_ways_free(struct trace_ways *ways);

/** @return the way with these addresses and this port; NULL: no flow uses this way. */
struct trace_way *trace_way_find(const struct trace_ways *ways, const struct wire_gid *src,
	const struct wire_gid *dst, uint16_t udp_src_port);

/**
 * @return the way with these addresses and this port, created if there is none; NULL: no memory.
 */
struct trace_way *trace_way_get(struct trace_ways *ways, const struct wire_gid *src,
	const struct wire_gid *dst, uint16_t udp_src_port);

#endif
