/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_BOUND_SET_H
#define NDPDK_MEM_BOUND_SET_H

#include <stdint.h>

#include "base/list.h"

struct mem_window;

/** The windows bound to one region. Writers only. Intrusive: a window is in at most one set. */
struct mem_bound_set {
	struct base_list windows;
	uint32_t count;
};

void mem_bound_set_init(struct mem_bound_set *set);

/** The window's range must be set before, and stay as it is while the window is in the set. */
void mem_bound_set_insert(struct mem_bound_set *set, struct mem_window *window);
void mem_bound_set_remove(struct mem_bound_set *set, struct mem_window *window);

/** @return any window of the set, or NULL when it is empty. */
struct mem_window *mem_bound_set_first(const struct mem_bound_set *set);

/**
 * Windows that hold at least one byte of [start, end).
 *
 * @param windows filled with up to max of them, in no particular order; may be NULL when max is 0
 * @return how many there are
 */
uint32_t mem_bound_set_covering(const struct mem_bound_set *set, uint64_t start, uint64_t end,
	struct mem_window **windows, uint32_t max);

#endif
