/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/parked.h"

#include <pthread.h>
#include <stdlib.h>

#include <rte_log.h>

#include "base/list.h"
#include "mem/attach.h"

RTE_LOG_REGISTER(parked_log, nd.parked, NOTICE)

struct parked {
	struct base_list node;
	struct rte_mempool *pool; /* NULL once it is freed */
	struct mem_domain *mem;   /* likewise */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct base_list all = {&all, &all};

/** Free what has no packets out any more. @return whether both are free now. */
static bool
parked_free(struct parked *parked)
{
	if (parked->pool != NULL && rte_mempool_in_use_count(parked->pool) == 0) {
		rte_mempool_free(parked->pool);
		parked->pool = NULL;
	}
	if (parked->mem != NULL && mem_domain_attached(parked->mem) == 0) {
		mem_domain_destroy(parked->mem);
		parked->mem = NULL;
	}
	return parked->pool == NULL && parked->mem == NULL;
}

static void
report(const struct parked *parked)
{
	if (parked->pool != NULL)
		rte_log(RTE_LOG_INFO, parked_log,
			"%u packet buffers are still with the port: their pool is kept\n",
			rte_mempool_in_use_count(parked->pool));
	if (parked->mem != NULL)
		rte_log(RTE_LOG_NOTICE, parked_log,
			"%llu packet buffers still point into registered memory: it must stay\n",
			(unsigned long long)mem_domain_attached(parked->mem));
}

void
parked_add(struct rte_mempool *pool, struct mem_domain *mem)
{
	struct parked now = {.pool = pool, .mem = mem};
	struct parked *kept;

	if (parked_free(&now))
		return;
	report(&now);
	kept = malloc(sizeof(*kept));
	if (kept == NULL) {
		rte_log(RTE_LOG_ERR, parked_log, "no memory to free it later\n");
		return;
	}
	*kept = now;
	pthread_mutex_lock(&lock);
	base_list_append(&all, &kept->node);
	pthread_mutex_unlock(&lock);
}

void
parked_sweep(void)
{
	struct base_list *node, *after;

	pthread_mutex_lock(&lock);
	BASE_LIST_FOREACH_SAFE (node, after, &all) {
		struct parked *parked = base_list_entry(node, struct parked, node);

		if (!parked_free(parked))
			continue;
		base_list_remove(node);
		free(parked);
	}
	pthread_mutex_unlock(&lock);
}
