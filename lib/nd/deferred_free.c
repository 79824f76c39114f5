/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/deferred_free.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include <rte_log.h>

#include "base/list.h"

RTE_LOG_REGISTER(deferred_free_log, lib.ndpdk.parked, NOTICE)

struct deferred_free {
	struct base_list node;
	struct rte_mempool *pool;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct base_list all = {&all, &all};

/** Free a pool if all its packets have been returned. @return whether the pool was freed */
static bool
pool_free(struct rte_mempool *pool)
{
	if (rte_mempool_in_use_count(pool) != 0)
		return false;
	rte_mempool_free(pool);
	return true;
}

void
deferred_free_add(struct rte_mempool *pool)
{
	struct deferred_free *kept;

	if (pool == NULL || pool_free(pool))
		return;
	rte_log(RTE_LOG_INFO, deferred_free_log,
		"the port still holds %u packet buffers: their pool is freed later\n",
		rte_mempool_in_use_count(pool));
	kept = malloc(sizeof(*kept));
	if (kept == NULL) {
		rte_log(RTE_LOG_ERR, deferred_free_log,
			"no memory to free the packet buffer pool later: the pool is never "
			"freed\n");
		return;
	}
	kept->pool = pool;
	pthread_mutex_lock(&lock);
	base_list_append(&all, &kept->node);
	pthread_mutex_unlock(&lock);
}

void
deferred_free_sweep(void)
{
	struct base_list *node, *after;

	pthread_mutex_lock(&lock);
	BASE_LIST_FOREACH_SAFE (node, after, &all) {
		struct deferred_free *entry = base_list_entry(node, struct deferred_free, node);

		if (!pool_free(entry->pool))
			continue;
		base_list_remove(node);
		free(entry);
	}
	pthread_mutex_unlock(&lock);
}
