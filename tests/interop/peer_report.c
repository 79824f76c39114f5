/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Prints one line of JSON per connection, and one line at the end. Texts in the lines need no
 * escapes.
 */
#include <inttypes.h>
#include <stdio.h>

#include <rte_mempool.h>

#include "peer.h"
#include "peer_task.h"

#define COUNTERS_MAX 512u

void
report_conn(const struct conn *conn)
{
	printf("{\"connection\":%u,\"role\":\"%s\",\"scenario\":\"%s\",\"size\":%u,\"count\":%u,"
	       "\"arg\":%u,\"ok\":%s,\"why\":\"%s\",\"outcome\":\"%s\",\"connect\":\"%s\","
	       "\"end\":\"%s\",\"seconds\":%.3f,\"transfer_seconds\":%.3f,\"private_data\":\"",
		conn->number, conn->active ? "client" : "server", conn->name ? conn->name : "",
		conn->asked.size, conn->asked.count, conn->asked.arg,
		conn->why[0] == '\0' ? "true" : "false", conn->why,
		conn->outcome ? conn->outcome : "", nd_status_name(conn->connect_status),
		nd_end_reason_text(conn->end.reason), task_now() - conn->started,
		conn->transfer_seconds);
	for (size_t i = 0; i < conn->peer_data_bytes && i < sizeof(conn->peer_data); i++)
		printf("%02x", conn->peer_data[i]);
	puts("\"}");
	fflush(stdout);
}

static void
add_used(struct rte_mempool *pool, void *arg)
{
	unsigned int *used = arg;

	*used += pool->size - rte_mempool_avail_count(pool);
}

void
report_end(const struct peer *peer)
{
	struct nd_counter counters[COUNTERS_MAX];
	const size_t count = nd_adapter_counters(peer->adapter, counters, COUNTERS_MAX);
	unsigned int used = 0;

	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++)
		if (counters[i].value != 0)
			printf("counter %s %" PRIu64 "\n", counters[i].name, counters[i].value);
	rte_mempool_walk(add_used, &used);
	printf("resources connections=%u endpoints=%u regions=%u windows=%u mbufs=%u\n",
		peer->running, peer->endpoints, peer->regions, peer->windows, used);
	printf("{\"end\":true,\"connections\":%u,\"failed\":%u,\"path_mtu\":%u}\n", peer->begun,
		peer->failed, nd_adapter_path_mtu(peer->adapter));
	fflush(stdout);
}
