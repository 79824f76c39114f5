/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_BOUND_SET_H
#define NDPDK_MEM_BOUND_SET_H

#include <stdbool.h>
#include <stdint.h>

struct mem_window;

/**
 * The windows bound to one region. For writers only, under the lock of the partition. An all-zero
 * set is empty. The links are in the windows themselves, so a window is in at most one set. Members
 * are named by their index in the table of windows, which every call is given.
 */
struct mem_bound_set {
	uint32_t root;          /**< of the tree, 0: none */
	uint32_t pending_first; /**< oldest of those not in the tree yet, 0: none */
	uint32_t pending_last;
	uint32_t pending_count;
	uint32_t count; /**< in the tree or pending */
};

/**
 * Add a window, which stays pending until mem_bound_set_sort(). Constant cost.
 *
 * @param index of a window in no set; its range, not empty, was set before and stays as it is while
 *              the window is in the set
 */
void mem_bound_set_insert(struct mem_bound_set *set, struct mem_window *windows, uint32_t index);

/**
 * @param index of a member. Constant cost while it is pending, constant on average when it is in
 *              the tree.
 */
void mem_bound_set_remove(struct mem_bound_set *set, struct mem_window *windows, uint32_t index);

/**
 * The member to remove next when all are removed: the one with the lowest start in the tree, which
 * is reached along one edge that stays in the cache, then the oldest pending one.
 *
 * @return its index, 0 when the set is empty
 */
uint32_t mem_bound_set_first(const struct mem_bound_set *set, const struct mem_window *windows);

/**
 * Move pending windows into the tree, oldest first, so that the next queries find them there. The
 * set is whole between calls: others may change it meanwhile.
 *
 * @param batch at most as many
 * @return whether some are left
 */
bool mem_bound_set_sort(struct mem_bound_set *set, struct mem_window *windows, uint32_t batch);

/**
 * Windows that cover at least one byte of [start, end). Cost: at most the depth of the tree for
 * each window found there, and one step for each pending window.
 *
 * @param found filled with up to max of them, in no particular order; may be NULL when max is 0
 * @return how many there are; 0 when start >= end
 */
uint32_t mem_bound_set_covering(const struct mem_bound_set *set, struct mem_window *windows,
	uint64_t start, uint64_t end, struct mem_window **found, uint32_t max);

#endif
