/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/owner.h"

#include "base/assert.h"
#include "mem/window.h"

/*
 * The bits of a QPN above the engine's index are random (SEC-004), so these bits serve as hash
 * value. There is one bucket for each window that can exist, at most BUCKETS_MAX. So few queue
 * pairs share a bucket.
 */

#define BUCKETS_MIN 16u
#define BUCKETS_MAX 65536u

enum rc_status
mem_owner_table_init(
	struct mem_owner_table *table, uint32_t window_max, uint32_t shift, int socket_id)
{
	enum rc_status status;
	uint32_t count = BUCKETS_MIN;
	uint64_t bytes;

	while (count < window_max && count < BUCKETS_MAX)
		count *= 2;
	bytes = (uint64_t)count * sizeof(*table->buckets);
	status = mem_table_init(&table->memory, bytes, socket_id);
	if (status == RC_OK)
		status = mem_table_commit(&table->memory, bytes);
	table->buckets = (uint32_t *)table->memory.entries;
	table->mask = count - 1;
	table->shift = shift;
	return status;
}

void
mem_owner_table_fini(struct mem_owner_table *table)
{
	mem_table_fini(&table->memory);
}

void
mem_owner_table_insert(struct mem_owner_table *table, struct mem_window *windows,
	struct mem_window *window, uint32_t owner)
{
	uint32_t *first = mem_owner_bucket(table, owner);
	uint32_t index = (uint32_t)(window - windows);

	window->owner_prev = 0;
	window->owner_next = *first;
	if (*first != 0)
		windows[*first].owner_prev = index;
	*first = index;
}

void
mem_owner_table_remove(struct mem_owner_table *table, struct mem_window *windows,
	const struct mem_window *window, uint32_t owner)
{
	uint32_t next = window->owner_next;
	uint32_t previous = window->owner_prev;

	if (next != 0)
		windows[next].owner_prev = previous;
	if (previous != 0) {
		BASE_ASSERT(&windows[windows[previous].owner_next] == window);
		windows[previous].owner_next = next;
	} else {
		BASE_ASSERT(&windows[*mem_owner_bucket(table, owner)] == window);
		*mem_owner_bucket(table, owner) = next;
	}
}
