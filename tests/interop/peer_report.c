/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* One line of JSON per connection, and one at the end. No text in them needs an escape. */
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
	       "\"seconds\":%.3f,\"private_data\":\"",
		conn->number, conn->active ? "client" : "server", conn->name ? conn->name : "",
		conn->asked.size, conn->asked.count, conn->asked.arg,
		conn->why[0] == '\0' ? "true" : "false", conn->why,
		conn->outcome ? conn->outcome : "", nd_status_name(conn->connect_status),
		task_now() - conn->started);
	for (size_t i = 0; i < conn->peer_data_bytes && i < sizeof(conn->peer_data); i++)
		printf("%02x", conn->peer_data[i]);
	puts("\"}");
	fflush(stdout);
}

static void
print_pool(struct rte_mempool *pool, void *arg)
{
	const char **separator = arg;

	printf("%s\"%s\":[%u,%u]", *separator, pool->name, rte_mempool_avail_count(pool),
		pool->size);
	*separator = ",";
}

void
report_end(const struct peer *peer)
{
	struct nd_counter counters[COUNTERS_MAX];
	const size_t count = nd_adapter_counters(peer->adapter, counters, COUNTERS_MAX);
	const char *separator = "";

	printf("{\"end\":true,\"connections\":%u,\"failed\":%u,\"path_mtu\":%u,\"pools\":{",
		peer->begun, peer->failed, nd_adapter_path_mtu(peer->adapter));
	rte_mempool_walk(print_pool, &separator);
	fputs("},\"counters\":{", stdout);
	separator = "";
	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++) {
		if (counters[i].value == 0)
			continue;
		printf("%s\"%s\":%" PRIu64, separator, counters[i].name, counters[i].value);
		separator = ",";
	}
	puts("}}");
	fflush(stdout);
}
