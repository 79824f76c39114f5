/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/way.h"

#include <stdlib.h>

static uint32_t
bucket_of(const struct wire_gid *src, const struct wire_gid *dst, uint16_t udp_src_port)
{
	uint32_t hash = udp_src_port;

	for (size_t i = 0; i < sizeof(src->raw); i++) {
		hash = hash * 31 + src->raw[i];
		hash = hash * 31 + dst->raw[i];
	}
	return (hash ^ hash >> 16) % TRACE_WAY_BUCKETS;
}

void
trace_ways_free(struct trace_ways *ways)
{
	for (size_t i = 0; i < TRACE_WAY_BUCKETS; i++) {
		struct trace_way *way = ways->buckets[i];

		while (way != NULL) {
			struct trace_way *next = way->next;

			free(way);
			way = next;
		}
	}
}

struct trace_way *
trace_way_find(const struct trace_ways *ways, const struct wire_gid *src,
	const struct wire_gid *dst, uint16_t udp_src_port)
{
	struct trace_way *way = ways->buckets[bucket_of(src, dst, udp_src_port)];

	while (way != NULL &&
		(way->udp_src_port != udp_src_port || !wire_gid_equal(&way->src, src) ||
			!wire_gid_equal(&way->dst, dst)))
		way = way->next;
	return way;
}

struct trace_way *
trace_way_get(struct trace_ways *ways, const struct wire_gid *src, const struct wire_gid *dst,
	uint16_t udp_src_port)
{
	struct trace_way *way = trace_way_find(ways, src, dst, udp_src_port);
	uint32_t bucket = bucket_of(src, dst, udp_src_port);

	if (way != NULL)
		return way;
	way = calloc(1, sizeof(*way));
	if (way == NULL)
		return NULL;
	way->src = *src;
	way->dst = *dst;
	way->udp_src_port = udp_src_port;
	base_list_init(&way->loose);
	base_list_init(&way->told);
	way->next = ways->buckets[bucket];
	ways->buckets[bucket] = way;
	return way;
}
