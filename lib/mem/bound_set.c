/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/bound_set.h"

#include <stddef.h>

#include "base/assert.h"
#include "mem/window.h"

/*
 * A list: inserting and removing, which the data path does, cost the same however many windows
 * there are; asking for a range, which only control calls do, walks them all.
 */

void
mem_bound_set_init(struct mem_bound_set *set)
{
	base_list_init(&set->windows);
	set->count = 0;
}

void
mem_bound_set_insert(struct mem_bound_set *set, struct mem_window *window)
{
	BASE_ASSERT(base_list_empty(&window->region_link) && window->start < window->end);
	base_list_append(&set->windows, &window->region_link);
	set->count++;
}

void
mem_bound_set_remove(struct mem_bound_set *set, struct mem_window *window)
{
	BASE_ASSERT(set->count > 0 && !base_list_empty(&window->region_link));
	base_list_remove(&window->region_link);
	set->count--;
}

struct mem_window *
mem_bound_set_first(const struct mem_bound_set *set)
{
	struct base_list *node = base_list_first(&set->windows);

	return node == NULL ? NULL : base_list_entry(node, struct mem_window, region_link);
}

uint32_t
mem_bound_set_covering(const struct mem_bound_set *set, uint64_t start, uint64_t end,
	struct mem_window **windows, uint32_t max)
{
	const struct base_list *head = &set->windows;
	struct base_list *node;
	uint32_t found = 0;

	BASE_LIST_FOREACH (node, head) {
		struct mem_window *window = base_list_entry(node, struct mem_window, region_link);

		if (window->start >= end || start >= window->end)
			continue;
		if (found < max)
			windows[found] = window;
		found++;
	}
	return found;
}
