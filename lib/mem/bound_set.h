/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_BOUND_SET_H
#define NDPDK_MEM_BOUND_SET_H

#include <stdbool.h>
#include <stdint.h>

struct mem_window;

/**
 * The set of windows that are bound to one region. For writers only, under the lock of the
 * partition. An all-zero set is empty. The links are members of the windows, so a window is in at
 * most one set. A window is identified by its index in the table of windows, which is a parameter
 * of each function.
 */
struct mem_bound_set {
	uint32_t root;          /**< root of the tree, 0: none */
	uint32_t pending_first; /**< oldest window that is not in the tree yet, 0: none */
	uint32_t pending_last;
	uint32_t pending_count;
	uint32_t count; /**< number of windows in the tree or pending */
};

/**
 * Add a window. The window stays pending until mem_bound_set_sort(). Constant cost.
 *
 * @param index of a window that is in no set. Its range is set, not empty, and must not change
 *        while the window is in the set
 */
void mem_bound_set_insert(struct mem_bound_set *set, struct mem_window *windows, uint32_t index);

/**
 * Remove a window. @param index of a member. Constant cost if it is pending, constant average cost
 * if it is in the tree.
 */
void mem_bound_set_remove(struct mem_bound_set *set, struct mem_window *windows, uint32_t index);

/**
 * Return the member to remove next when all are removed: first the tree in ascending order of
 * start, which follows one edge of the tree that stays in the cache, then the pending windows,
 * oldest first.
 *
 * @return its index, 0: the set is empty
 */
uint32_t mem_bound_set_first(const struct mem_bound_set *set, const struct mem_window *windows);

/**
 * Move pending windows into the tree, oldest first, so that later queries find them there. The set
 * is consistent between calls, so other threads may change it then.
 *
 * @param batch maximum number of windows to move
 * @return whether pending windows are left
 */
bool mem_bound_set_sort(struct mem_bound_set *set, struct mem_window *windows, uint32_t batch);

/**
 * Find the windows that cover at least one byte of [start, end). Cost: at most the depth of the
 * tree per window found there, plus one step per pending window.
 *
 * @param found filled with up to max windows, unordered; may be NULL if max is 0
 * @return number of covering windows; 0 if start >= end
 */
uint32_t mem_bound_set_covering(const struct mem_bound_set *set, struct mem_window *windows,
	uint64_t start, uint64_t end, struct mem_window **found, uint32_t max);

#endif
