/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/bound_set.h"

#include <rte_common.h>

#include "base/assert.h"
#include "mem/window.h"

/*
 * A deferred interval tree. Binding and invalidating are part of the data path, so their cost must
 * not depend on the number of windows. A query for a range is a control call and may take longer.
 * Therefore a bound window is appended to a list of pending windows, and most windows are
 * invalidated while they are still in this list. Only a control call moves pending windows into the
 * tree, in O(log n) each and in batches, so that other writers can run between two batches.
 *
 * The tree is a treap: it is ordered by (start, index), and the priorities of its nodes form a
 * heap. A priority is a fixed mix of the bits of the index, so the priorities are distinct. The
 * shape of the tree depends only on its members and is that of a tree built in random order: with n
 * members, about 2 ln n deep on average, and at most about 4.3 ln n. An application that knows the
 * mix can bind ranges that make the tree deep; this slows down only its own control calls. Nodes
 * have a link to their parent, so loops need no stack.
 *
 * Each node stores end_max, the largest end in its subtree. A query skips subtrees that end before
 * the range, and, because of the order, nodes that start after the range.
 *
 * Removal costs O(1) on average. The two subtrees of the removed node are joined along the right
 * edge of one and the left edge of the other; together these edges have two nodes on average. Then
 * end_max is corrected in the ancestors in which it equals the end of the removed node. On average
 * this is one ancestor, because each subtree has its end_max from one node.
 */

/**
 * Priority of a window in the treap. Different indices have different priorities, because each step
 * of the mix is a bijection.
 */
static uint32_t
priority(uint32_t index)
{
	index ^= index >> 16;
	index *= UINT32_C(0x9e3779b1);
	index ^= index >> 15;
	return index * UINT32_C(0x85ebca6b);
}

static bool
sorts_before(const struct mem_window *windows, uint32_t a, uint32_t b)
{
	if (windows[a].start != windows[b].start)
		return windows[a].start < windows[b].start;
	return a < b;
}

/** @return the largest end of the node's range and of its two subtrees (their end_max). */
static uint64_t
end_max_of(const struct mem_window *windows, uint32_t index)
{
	const struct mem_window *node = &windows[index];
	uint64_t end = node->end;

	if (node->left != 0 && windows[node->left].end_max > end)
		end = windows[node->left].end_max;
	if (node->right != 0 && windows[node->right].end_max > end)
		end = windows[node->right].end_max;
	return end;
}

/** @return pointer to the link that refers to the node: a link in its parent, or set->root. */
static uint32_t *
link_to(struct mem_bound_set *set, struct mem_window *windows, uint32_t index)
{
	struct mem_window *parent = &windows[windows[index].parent];

	if (windows[index].parent == 0)
		return &set->root;
	BASE_ASSERT(parent->left == index || parent->right == index);
	return parent->left == index ? &parent->left : &parent->right;
}

/**
 * Rotate the tree so that a node takes the place of its parent, and the parent becomes its child.
 */
static void
tree_lift(struct mem_bound_set *set, struct mem_window *windows, uint32_t index)
{
	struct mem_window *node = &windows[index];
	uint32_t lowered = node->parent;
	struct mem_window *parent = &windows[lowered];
	uint32_t moved; /* subtree that the rotation moves from the node to its parent */

	*link_to(set, windows, lowered) = index;
	if (parent->left == index) {
		moved = node->right;
		parent->left = moved;
		node->right = lowered;
	} else {
		moved = node->left;
		parent->right = moved;
		node->left = lowered;
	}
	if (moved != 0)
		windows[moved].parent = lowered;
	node->parent = parent->parent;
	parent->parent = index;
	node->end_max = parent->end_max;
	parent->end_max = end_max_of(windows, lowered);
}

static void
tree_insert(struct mem_bound_set *set, struct mem_window *windows, uint32_t index)
{
	struct mem_window *node = &windows[index];
	uint32_t *link = &set->root;
	uint32_t parent = 0;

	while (*link != 0) {
		parent = *link;
		if (windows[parent].end_max < node->end)
			windows[parent].end_max = node->end;
		link = sorts_before(windows, index, parent) ? &windows[parent].left
							    : &windows[parent].right;
	}
	*link = index;
	node->left = 0;
	node->right = 0;
	node->parent = parent;
	node->end_max = node->end;
	node->in_tree = 1;
	set->tree_count++;
	while (node->parent != 0 && priority(node->parent) < priority(index))
		tree_lift(set, windows, index);
}

/**
 * Join two subtrees and store the result in *link, a link of parent. All nodes of left sort before
 * all nodes of right.
 */
static void
tree_join(
	struct mem_window *windows, uint32_t *link, uint32_t parent, uint32_t left, uint32_t right)
{
	while (left != 0 && right != 0) {
		bool left_above = priority(left) > priority(right);
		uint32_t top = left_above ? left : right;
		uint32_t other = left_above ? right : left;
		struct mem_window *node = &windows[top];

		*link = top;
		node->parent = parent;
		parent = top;
		/* The whole other subtree will be below this node. */
		if (node->end_max < windows[other].end_max)
			node->end_max = windows[other].end_max;
		link = left_above ? &node->right : &node->left;
		left = left_above ? node->right : left;
		right = left_above ? right : node->left;
	}
	*link = left != 0 ? left : right;
	if (*link != 0)
		windows[*link].parent = parent;
}

/**
 * A window with this end was removed below the node: correct end_max of the node and its ancestors.
 */
static void
tree_shrink(struct mem_window *windows, uint32_t index, uint64_t end)
{
	for (; index != 0 && windows[index].end_max == end; index = windows[index].parent) {
		uint64_t end_max = end_max_of(windows, index);

		if (end_max == end)
			return;
		windows[index].end_max = end_max;
	}
}

static __rte_noinline void
tree_remove(struct mem_bound_set *set, struct mem_window *windows, uint32_t index)
{
	struct mem_window *node = &windows[index];
	uint32_t *link = link_to(set, windows, index);

	BASE_ASSERT(*link == index);
	tree_join(windows, link, node->parent, node->left, node->right);
	tree_shrink(windows, node->parent, node->end);
	node->left = 0;
	node->right = 0;
	node->parent = 0;
	node->in_tree = 0;
	set->tree_count--;
}

static void
pending_append(struct mem_bound_set *set, struct mem_window *windows, struct mem_window *window)
{
	uint32_t index = (uint32_t)(window - windows);

	window->pending_next = 0;
	window->pending_previous = set->pending_last;
	if (set->pending_last != 0)
		windows[set->pending_last].pending_next = index;
	else
		set->pending_first = index;
	set->pending_last = index;
	set->pending_count++;
}

static void
pending_remove(struct mem_bound_set *set, struct mem_window *windows, struct mem_window *window)
{
	uint32_t next = window->pending_next;
	uint32_t previous = window->pending_previous;

	BASE_ASSERT(set->pending_count > 0);
	BASE_ASSERT(window ==
		&windows[previous != 0 ? windows[previous].pending_next : set->pending_first]);
	if (previous != 0)
		windows[previous].pending_next = next;
	else
		set->pending_first = next;
	if (next != 0)
		windows[next].pending_previous = previous;
	else
		set->pending_last = previous;
	window->pending_next = 0;
	window->pending_previous = 0;
	set->pending_count--;
}

void
mem_bound_set_insert(
	struct mem_bound_set *set, struct mem_window *windows, struct mem_window *window)
{
	BASE_ASSERT(window > windows && !window->in_tree);
	BASE_ASSERT(window->start < window->end);
	pending_append(set, windows, window);
}

void
mem_bound_set_remove(
	struct mem_bound_set *set, struct mem_window *windows, struct mem_window *window)
{
	BASE_ASSERT(window > windows && mem_bound_set_count(set) > 0);
	if (window->in_tree)
		tree_remove(set, windows, (uint32_t)(window - windows));
	else
		pending_remove(set, windows, window);
}

uint32_t
mem_bound_set_first(const struct mem_bound_set *set, const struct mem_window *windows)
{
	uint32_t index = set->root;

	if (index == 0)
		return set->pending_first;
	while (windows[index].left != 0)
		index = windows[index].left;
	return index;
}

bool
mem_bound_set_sort(struct mem_bound_set *set, struct mem_window *windows, uint32_t batch)
{
	for (; batch > 0 && set->pending_first != 0; batch--) {
		uint32_t index = set->pending_first;

		pending_remove(set, windows, &windows[index]);
		tree_insert(set, windows, index);
	}
	return set->pending_first != 0;
}

struct query {
	uint64_t start;
	uint64_t end;
	struct mem_window **found;
	uint32_t max;
	uint32_t count;
};

static void
query_try(struct query *query, struct mem_window *window)
{
	if (window->start >= query->end || window->end <= query->start)
		return;
	if (query->count < query->max)
		query->found[query->count] = window;
	query->count++;
}

/** @return whether the subtree contains a window that ends after start; false if it is empty. */
static bool
subtree_ends_behind(const struct mem_window *windows, uint32_t index, uint64_t start)
{
	return index != 0 && windows[index].end_max > start;
}

/** @return the first node of the subtree, in order, that may end after start; 0: none. */
static uint32_t
subtree_first(const struct mem_window *windows, uint32_t index, uint64_t start)
{
	if (!subtree_ends_behind(windows, index, start))
		return 0;
	while (subtree_ends_behind(windows, windows[index].left, start))
		index = windows[index].left;
	return index;
}

/** @return the next node in order, after this one, that may end after start; 0: none. */
static uint32_t
tree_next(const struct mem_window *windows, uint32_t index, uint64_t start)
{
	uint32_t next = subtree_first(windows, windows[index].right, start);
	uint32_t parent;

	if (next != 0)
		return next;
	/* Go up to the first ancestor that has this node in its left subtree. */
	while ((parent = windows[index].parent) != 0 && windows[parent].left != index)
		index = parent;
	return parent;
}

uint32_t
mem_bound_set_covering(const struct mem_bound_set *set, struct mem_window *windows, uint64_t start,
	uint64_t end, struct mem_window **found, uint32_t max)
{
	struct query query = {.start = start, .end = end, .found = found, .max = max};
	uint32_t index;

	if (start >= end)
		return 0;
	for (index = subtree_first(windows, set->root, start);
		index != 0 && windows[index].start < end; index = tree_next(windows, index, start))
		query_try(&query, &windows[index]);
	for (index = set->pending_first; index != 0; index = windows[index].pending_next)
		query_try(&query, &windows[index]);
	return query.count;
}
