/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_BOUND_SET_H
#define NDPDK_MEM_BOUND_SET_H

#include <stdbool.h>
#include <stdint.h>

struct mem_window;

/**
 * The set of windows that are bound to one region. Used by writers only, under the lock of the
 * partition. An all-zero set is empty. The links between the windows are members of the windows, so
 * a window is in at most one set. The links are indices in the table of windows, which is a
 * parameter of each function.
 */
struct mem_bound_set {
	uint32_t root; /**< index of the tree's root; 0: the tree is empty */
	/** Index of the oldest window that is not in the tree yet. 0: none. */
	uint32_t pending_first;
	uint32_t pending_last;
	uint32_t pending_count;
	uint32_t tree_count;
};

/** @return number of windows in the set */
static inline uint32_t
mem_bound_set_count(const struct mem_bound_set *set)
{
	return set->pending_count + set->tree_count;
}

/**
 * Add a window to the set. The window is pending until mem_bound_set_sort() moves it into the tree.
 * The cost is constant.
 *
 * @param window window that is in no set. Its range must be set and not empty, and must not change
 *        while the window is in the set
 */
void mem_bound_set_insert(
	struct mem_bound_set *set, struct mem_window *windows, struct mem_window *window);

/**
 * Remove a window. The cost is constant if the window is pending, and constant on average if it is
 * in the tree. @param window window in the set
 */
void mem_bound_set_remove(
	struct mem_bound_set *set, struct mem_window *windows, struct mem_window *window);

/**
 * Return the window to remove next when the caller removes all windows. The windows of the tree
 * come first, in ascending order of start. This order is fast, because it follows one edge of the
 * tree that stays in the cache. Then the pending windows come, oldest first.
 *
 * @return index of the window; 0: the set is empty
 */
uint32_t mem_bound_set_first(const struct mem_bound_set *set, const struct mem_window *windows);

/**
 * Move pending windows into the tree, oldest first, so that later queries find them quickly.
 * Between two calls, the set is consistent, so other threads may change it.
 *
 * @param batch maximum number of windows to move
 * @return whether there are still pending windows
 */
bool mem_bound_set_sort(struct mem_bound_set *set, struct mem_window *windows, uint32_t batch);

/**
 * Find the windows that cover at least one byte of [start, end). The cost is at most the depth of
 * the tree for each window found in the tree, plus one step for each pending window.
 *
 * @param found filled with up to max windows, unordered; may be NULL if max is 0
 * @return number of covering windows; 0 if start >= end
 */
uint32_t mem_bound_set_covering(const struct mem_bound_set *set, struct mem_window *windows,
	uint64_t start, uint64_t end, struct mem_window **found, uint32_t max);

#endif
