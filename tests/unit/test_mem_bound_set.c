/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

#include "mem/bound_set.h"
#include "mem/window.h"

/*
 * Test the set of bound windows against a plain list of the same windows, and check its tree node
 * by node. A set of two windows shows which of the two must be the root.
 */

/* limit; with 10^5 nodes and the seeds of this test, the depth is about 40 */
#define DEPTH_MAX 64u
#define POISON    0xa5

struct table {
	struct mem_bound_set set;
	struct mem_window *windows; /**< `slots` entries; entry 0 is filled with POISON */
	uint32_t slots;             /**< number of entries of windows, including entry 0 */
	uint32_t *members;
	/** position of each index in members; UINT32_MAX if it is no member */
	uint32_t *place;
	uint32_t count;
	/** rank of each index in heap order, 0 for the topmost; NULL: not computed */
	uint32_t *rank;
};

static struct base_random source;
static uint64_t seed;

static uint32_t
below(uint32_t bound)
{
	return base_random_below(&source, bound);
}

static void
seed_set(uint64_t value)
{
	seed = value;
	fixture_seed(&source, value);
}

static struct table
table_make(uint32_t windows)
{
	struct table table = {.slots = windows + 1};

	table.windows = aligned_alloc(64, (size_t)table.slots * sizeof(*table.windows));
	table.members = malloc(table.slots * sizeof(*table.members));
	table.place = malloc(table.slots * sizeof(*table.place));
	memset(table.windows, 0, (size_t)table.slots * sizeof(*table.windows));
	memset(&table.windows[0], POISON, sizeof(table.windows[0]));
	memset(table.place, 0xff, table.slots * sizeof(*table.place));
	return table;
}

static void
table_drop(struct table *table)
{
	uint8_t poison[sizeof(struct mem_window)];

	memset(poison, POISON, sizeof(poison));
	cr_assert_arr_eq(&table->windows[0], poison, sizeof(poison), "entry 0 was written");
	free(table->windows);
	free(table->members);
	free(table->place);
	free(table->rank);
}

static void
add(struct table *table, uint32_t index, uint64_t start, uint64_t end)
{
	table->windows[index].start = start;
	table->windows[index].end = end;
	mem_bound_set_insert(&table->set, table->windows, &table->windows[index]);
	table->place[index] = table->count;
	table->members[table->count++] = index;
}

static void
drop(struct table *table, uint32_t index)
{
	uint32_t last = table->members[--table->count];

	mem_bound_set_remove(&table->set, table->windows, &table->windows[index]);
	table->members[table->place[index]] = last;
	table->place[last] = table->place[index];
	table->place[index] = UINT32_MAX;
}

static void
assert_all_zero(const struct table *table)
{
	const struct mem_bound_set *set = &table->set;

	cr_assert(set->root == 0 && set->pending_first == 0 && set->pending_last == 0 &&
			set->pending_count == 0 && set->tree_count == 0,
		"root %u pending %u..%u (%u) tree %u, seed %" PRIu64, set->root, set->pending_first,
		set->pending_last, set->pending_count, set->tree_count, seed);
}

/* ---- structure ---- */

static struct mem_window pair_windows[2001];

/** Comparison for qsort(). The index that is the root in a set of only the two comes first. */
static int
order_of_heap(const void *a, const void *b)
{
	uint32_t first = *(const uint32_t *)a;
	uint32_t second = *(const uint32_t *)b;
	struct mem_bound_set set = {0};

	if (first == second)
		return 0;
	memset(&pair_windows[first], 0, sizeof(pair_windows[first]));
	memset(&pair_windows[second], 0, sizeof(pair_windows[second]));
	pair_windows[first].end = 1;
	pair_windows[second].end = 1;
	mem_bound_set_insert(&set, pair_windows, &pair_windows[first]);
	mem_bound_set_insert(&set, pair_windows, &pair_windows[second]);
	(void)mem_bound_set_sort(&set, pair_windows, 2);
	return set.root == first ? -1 : 1;
}

static void
table_learn_rank(struct table *table)
{
	uint32_t *order = malloc(table->slots * sizeof(*order));

	cr_assert_leq(table->slots, RTE_DIM(pair_windows));
	for (uint32_t i = 0; i + 1 < table->slots; i++)
		order[i] = i + 1;
	qsort(order, table->slots - 1, sizeof(*order), order_of_heap);
	table->rank = malloc(table->slots * sizeof(*table->rank));
	for (uint32_t i = 0; i + 1 < table->slots; i++)
		table->rank[order[i]] = i;
	free(order);
}

struct walk {
	const struct table *table;
	uint32_t depth_max;
	uint32_t nodes;
	uint32_t previous; /**< node before the current node in key order; 0: none */
};

static void
assert_node(struct walk *walk, uint32_t index, uint32_t parent)
{
	const struct table *table = walk->table;
	const struct mem_window *node = &table->windows[index];
	const struct mem_window *before = &table->windows[walk->previous];

	cr_assert(node->in_tree, "node %u, seed %" PRIu64, index, seed);
	cr_assert_neq(
		table->place[index], UINT32_MAX, "%u is in the tree, seed %" PRIu64, index, seed);
	cr_assert_eq(node->parent, parent, "parent of %u is %u, not %u, seed %" PRIu64, index,
		node->parent, parent, seed);
	if (table->rank != NULL && parent != 0)
		cr_assert_lt(table->rank[parent], table->rank[index],
			"%u is below %u, seed %" PRIu64, index, parent, seed);
	if (walk->previous != 0)
		cr_assert(before->start < node->start ||
				(before->start == node->start && walk->previous < index),
			"%u (%#" PRIx64 ") before %u (%#" PRIx64 "), seed %" PRIu64, walk->previous,
			before->start, index, node->start, seed);
	walk->previous = index;
	walk->nodes++;
}

/** Check a subtree. @return largest end in the subtree */
static uint64_t
assert_subtree(struct walk *walk, uint32_t index, uint32_t parent, uint32_t depth)
{
	const struct mem_window *node = &walk->table->windows[index];
	uint64_t left, right, end;

	if (index == 0)
		return 0;
	cr_assert_lt(index, walk->table->slots);
	cr_assert_lt(depth, DEPTH_MAX, "seed %" PRIu64, seed);
	walk->depth_max = RTE_MAX(walk->depth_max, depth + 1);
	left = assert_subtree(walk, node->left, index, depth + 1);
	assert_node(walk, index, parent);
	right = assert_subtree(walk, node->right, index, depth + 1);
	end = RTE_MAX(RTE_MAX(left, right), node->end);
	cr_assert_eq(node->end_max, end,
		"end_max of %u is %#" PRIx64 ", not %#" PRIx64 ", seed %" PRIu64, index,
		node->end_max, end, seed);
	return end;
}

static uint32_t
assert_pending(const struct table *table)
{
	const struct mem_bound_set *set = &table->set;
	uint32_t previous = 0;
	uint32_t count = 0;

	for (uint32_t index = set->pending_first; index != 0;
		index = table->windows[index].pending_next) {
		cr_assert_lt(count, set->pending_count, "seed %" PRIu64, seed);
		cr_assert(!table->windows[index].in_tree, "window %u, seed %" PRIu64, index, seed);
		cr_assert_neq(table->place[index], UINT32_MAX, "%u is pending, seed %" PRIu64,
			index, seed);
		cr_assert_eq(table->windows[index].pending_previous, previous);
		previous = index;
		count++;
	}
	cr_assert_eq(set->pending_last, previous, "%u and %u, seed %" PRIu64, set->pending_last,
		previous, seed);
	cr_assert_eq(set->pending_count, count, "%u and %u, seed %" PRIu64, set->pending_count,
		count, seed);
	return count;
}

/** Check the structure of the whole tree. @return depth of the tree */
static uint32_t
assert_structure(const struct table *table)
{
	struct walk walk = {.table = table};
	uint32_t first = mem_bound_set_first(&table->set, table->windows);

	(void)assert_subtree(&walk, table->set.root, 0, 0);
	cr_assert_eq(walk.nodes + assert_pending(table), table->count, "seed %" PRIu64, seed);
	cr_assert_eq(mem_bound_set_count(&table->set), table->count, "%u of %u, seed %" PRIu64,
		mem_bound_set_count(&table->set), table->count, seed);
	cr_assert_eq(first != 0, table->count != 0, "seed %" PRIu64, seed);
	if (first != 0)
		cr_assert_neq(table->place[first], UINT32_MAX, "seed %" PRIu64, seed);
	return walk.depth_max;
}

/* ---- queries ---- */

static bool
overlaps(const struct mem_window *window, uint64_t start, uint64_t end)
{
	return start < end && window->start < end && window->end > start;
}

static uint32_t
assert_query(const struct table *table, uint64_t start, uint64_t end, uint32_t max)
{
	struct mem_window **found = malloc((max + 1) * sizeof(struct mem_window *));
	bool *seen = calloc(table->slots, sizeof(*seen));
	uint32_t expected = 0;
	uint32_t count;

	for (uint32_t i = 0; i < table->count; i++)
		expected += overlaps(&table->windows[table->members[i]], start, end);
	found[max] = NULL;
	count = mem_bound_set_covering(
		&table->set, table->windows, start, end, max == 0 ? NULL : found, max);
	cr_assert_eq(count, expected, "%u of %u for [%#" PRIx64 ", %#" PRIx64 "), seed %" PRIu64,
		count, expected, start, end, seed);
	for (uint32_t i = 0; i < RTE_MIN(count, max); i++) {
		uint32_t index = (uint32_t)(found[i] - table->windows);

		cr_assert(index > 0 && index < table->slots && !seen[index],
			"%u found twice, seed %" PRIu64, index, seed);
		cr_assert_neq(table->place[index], UINT32_MAX, "%u, seed %" PRIu64, index, seed);
		cr_assert(overlaps(found[i], start, end), "%u, seed %" PRIu64, index, seed);
		seen[index] = true;
	}
	cr_assert_null(found[max], "more than max were filled in");
	free(seen);
	free(found);
	return count;
}

static void
assert_count(const struct table *table, uint64_t start, uint64_t end, uint32_t expected)
{
	uint32_t count = assert_query(table, start, end, 8);

	cr_assert_eq(count, expected, "[%#" PRIx64 ", %#" PRIx64 "): %u, not %u", start, end, count,
		expected);
}

Test(mem_bound_set, empty_set_has_nothing)
{
	struct table table = table_make(1);

	cr_assert_eq(sizeof(struct mem_bound_set), 20);
	cr_assert_eq(mem_bound_set_first(&table.set, table.windows), 0);
	cr_assert(!mem_bound_set_sort(&table.set, table.windows, 0));
	cr_assert(!mem_bound_set_sort(&table.set, table.windows, 1));
	assert_count(&table, 0, UINT64_MAX, 0);
	assert_count(&table, 0, 1, 0);
	assert_structure(&table);
	assert_all_zero(&table);
	table_drop(&table);
}

struct range {
	uint64_t start;
	uint64_t end;
};

struct question {
	struct range range;
	uint32_t hits;
};

/** Query while all windows are pending (not in the tree), and after each move into the tree. */
static void
assert_questions(const struct range *ranges, uint32_t range_count, const struct question *questions,
	uint32_t question_count)
{
	struct table table = table_make(range_count);

	for (uint32_t i = 0; i < range_count; i++)
		add(&table, i + 1, ranges[i].start, ranges[i].end);
	for (uint32_t sorted = 0; sorted <= range_count; sorted++) {
		assert_structure(&table);
		cr_assert_eq(table.set.pending_count, range_count - sorted);
		for (uint32_t i = 0; i < question_count; i++)
			assert_count(&table, questions[i].range.start, questions[i].range.end,
				questions[i].hits);
		cr_assert_eq(
			mem_bound_set_sort(&table.set, table.windows, 1), sorted + 1 < range_count);
	}
	for (uint32_t i = 0; i < range_count; i++)
		drop(&table, i + 1);
	assert_all_zero(&table);
	table_drop(&table);
}

#define ASSERT_QUESTIONS(ranges, questions)                                                        \
	assert_questions(ranges, RTE_DIM(ranges), questions, RTE_DIM(questions))

Test(mem_bound_set, identical_ranges_are_all_found)
{
	static const struct range ranges[] = {{16, 32}, {16, 32}, {16, 32}, {16, 32}, {16, 32}};
	static const struct question questions[] = {
		{{16, 32}, 5}, {{31, 32}, 5}, {{16, 17}, 5}, {{32, 33}, 0}, {{15, 16}, 0}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, nested_ranges_are_found_by_what_they_hold)
{
	static const struct range ranges[] = {
		{0, 100}, {10, 90}, {20, 80}, {20, 30}, {70, 80}, {49, 51}};
	static const struct question questions[] = {{{0, 1}, 1}, {{10, 11}, 2}, {{20, 21}, 4},
		{{50, 51}, 4}, {{51, 52}, 3}, {{79, 80}, 4}, {{80, 81}, 2}, {{99, 200}, 1},
		{{100, 200}, 0}, {{0, 100}, 6}, {{29, 71}, 6}, {{30, 70}, 4}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, touching_ranges_do_not_overlap)
{
	static const struct range ranges[] = {{30, 40}, {10, 20}, {20, 30}, {40, 50}};
	static const struct question questions[] = {{{0, 10}, 0}, {{9, 11}, 1}, {{19, 20}, 1},
		{{20, 21}, 1}, {{19, 21}, 2}, {{20, 30}, 1}, {{19, 31}, 3}, {{10, 50}, 4},
		{{50, 51}, 0}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, overlapping_ranges_are_all_found)
{
	static const struct range ranges[] = {{0, 30}, {10, 40}, {20, 50}, {30, 60}, {5, 100}};
	static const struct question questions[] = {{{0, 5}, 1}, {{5, 6}, 2}, {{29, 30}, 4},
		{{30, 31}, 4}, {{39, 41}, 4}, {{59, 60}, 2}, {{60, 61}, 1}, {{0, 100}, 5}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, one_byte_ranges_are_told_apart)
{
	static const struct range ranges[] = {{7, 8}, {5, 6}, {6, 7}, {9, 10}};
	static const struct question questions[] = {{{4, 5}, 0}, {{5, 6}, 1}, {{6, 7}, 1},
		{{7, 8}, 1}, {{8, 9}, 0}, {{9, 10}, 1}, {{10, 11}, 0}, {{6, 8}, 2}, {{5, 10}, 4}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, ranges_reach_both_ends_of_the_index_space)
{
	static const struct range ranges[] = {{0, 1}, {0, UINT64_MAX}, {UINT64_MAX - 1, UINT64_MAX},
		{UINT64_C(1) << 63, UINT64_MAX}, {0, UINT64_C(1) << 63}};
	static const struct question questions[] = {{{0, 1}, 3}, {{1, 2}, 2},
		{{UINT64_MAX - 1, UINT64_MAX}, 3}, {{UINT64_MAX - 2, UINT64_MAX - 1}, 2},
		{{0, UINT64_MAX}, 5}, {{(UINT64_C(1) << 63) - 1, (UINT64_C(1) << 63) + 1}, 3}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, empty_question_finds_nothing)
{
	static const struct range ranges[] = {{0, 100}, {40, 60}};
	static const struct question questions[] = {
		{{50, 50}, 0}, {{0, 0}, 0}, {{UINT64_MAX, UINT64_MAX}, 0}, {{50, 51}, 2}};

	ASSERT_QUESTIONS(ranges, questions);
}

Test(mem_bound_set, more_hits_than_max_are_counted)
{
	struct table table = table_make(20);

	for (uint32_t i = 1; i <= 20; i++)
		add(&table, i, i, 100);
	for (uint32_t sorted = 0; sorted <= 20; sorted += 4) {
		for (uint32_t max = 0; max <= 21; max++)
			cr_assert_eq(assert_query(&table, 50, 51, max), 20);
		(void)mem_bound_set_sort(&table.set, table.windows, 4);
	}
	table_drop(&table);
}

Test(mem_bound_set, sorting_moves_the_oldest_of_a_batch)
{
	struct table table = table_make(10);

	for (uint32_t i = 1; i <= 10; i++)
		add(&table, i, 100 - i, 100);
	cr_assert(mem_bound_set_sort(&table.set, table.windows, 0));
	cr_assert_eq(table.set.pending_count, 10);
	cr_assert(mem_bound_set_sort(&table.set, table.windows, 4));
	cr_assert_eq(table.set.pending_count, 6);
	for (uint32_t i = 1; i <= 10; i++)
		cr_assert_eq(table.windows[i].in_tree, i <= 4, "window %u", i);
	cr_assert_eq(mem_bound_set_first(&table.set, table.windows), 4, "lowest in the tree");
	cr_assert(!mem_bound_set_sort(&table.set, table.windows, 6));
	cr_assert_eq(table.set.pending_count, 0);
	assert_structure(&table);
	drop(&table, 3);
	cr_assert(!table.windows[3].in_tree);
	add(&table, 3, 7, 9);
	cr_assert_eq(table.set.pending_count, 1);
	assert_count(&table, 8, 9, 1);
	assert_structure(&table);
	table_drop(&table);
}

/* ---- random operations ---- */

/** @return a short or long range, often at one end of the index space */
static struct range
random_range(uint64_t space)
{
	uint64_t a = base_random_u64(&source) & (space - 1);
	uint64_t length_bytes = 1;
	struct range range;

	switch (below(4)) {
	case 0:
		break;
	case 1:
		length_bytes = 1 + below(16);
		break;
	default:
		length_bytes = 1 + (base_random_u64(&source) & (space - 1)) / (1 + below(64));
	}
	if (below(32) == 0)
		a = 0;
	range.start = a;
	range.end = length_bytes > UINT64_MAX - a ? UINT64_MAX : a + length_bytes;
	if (below(32) == 0)
		range.end = UINT64_MAX;
	return range;
}

static uint32_t
random_absent(const struct table *table)
{
	uint32_t index = 1 + below(table->slots - 1);

	while (table->place[index] != UINT32_MAX)
		index = index + 1 < table->slots ? index + 1 : 1;
	return index;
}

static void
random_operation(struct table *table, uint64_t space, bool grow)
{
	struct range range = random_range(space);
	uint32_t choice = below(100);

	if (choice < 20) {
		assert_query(table, range.start, range.end, below(2) == 0 ? table->slots : 3);
	} else if (choice < 30) {
		uint32_t pending = table->set.pending_count;
		uint32_t batch = below(2) == 0 ? below(8) : below(table->slots);
		bool left = mem_bound_set_sort(&table->set, table->windows, batch);

		cr_assert_eq(left, pending > batch, "seed %" PRIu64, seed);
		cr_assert_eq(table->set.pending_count, pending - RTE_MIN(pending, batch));
	} else if (choice < (grow ? 80u : 50u) && table->count + 1 < table->slots) {
		add(table, random_absent(table), range.start, range.end);
	} else if (table->count > 0 && choice % 4 != 0) {
		drop(table, table->members[below(table->count)]);
	} else if (table->count > 0) {
		drop(table, mem_bound_set_first(&table->set, table->windows));
	}
}

/** Alternately add and remove members, then remove all. @return largest number of members */
static uint32_t
random_run(uint32_t windows, uint64_t space, uint32_t operations, uint64_t run_seed)
{
	struct table table = table_make(windows);
	uint32_t check_each = 1 + windows / 8;
	uint32_t most = 0;

	seed_set(run_seed);
	table_learn_rank(&table);
	for (uint32_t i = 0; i < operations; i++) {
		random_operation(&table, space, i / (8 * windows) % 2 == 0);
		if (i % check_each == 0)
			assert_structure(&table);
		most = RTE_MAX(most, table.count);
	}
	while (table.count > 0)
		drop(&table, table.members[below(table.count)]);
	assert_all_zero(&table);
	table_drop(&table);
	return most;
}

Test(mem_bound_set, random_operations_match_a_list)
{
	static const uint32_t sizes[] = {1, 2, 3, 5, 8, 20, 60, 250, 700, 2000};
	static const uint64_t spaces[] = {16, 1024, UINT64_C(1) << 47, UINT64_C(1) << 63};
	uint64_t run_seed = 4100;

	for (uint32_t i = 0; i < RTE_DIM(sizes); i++) {
		uint32_t most = 0;

		for (uint32_t j = 0; j < RTE_DIM(spaces); j++) {
			uint32_t operations = sizes[i] < 2000 ? 4000 : 17000;

			most = RTE_MAX(
				most, random_run(sizes[i], spaces[j], operations, run_seed++));
		}
		cr_assert_eq(most, sizes[i], "only %u of %u were bound, seeds below %" PRIu64, most,
			sizes[i], run_seed);
	}
}

/* ---- large sets ---- */

#define MANY 100000u

enum order { ASCENDING, DESCENDING, SHUFFLED };

static uint32_t *
order_make(enum order order, uint32_t count)
{
	uint32_t *numbers = malloc(count * sizeof(*numbers));

	for (uint32_t i = 0; i < count; i++)
		numbers[i] = order == DESCENDING ? count - 1 - i : i;
	for (uint32_t i = count - 1; order == SHUFFLED && i > 0; i--) {
		uint32_t j = below(i + 1);
		uint32_t number = numbers[i];

		numbers[i] = numbers[j];
		numbers[j] = number;
	}
	return numbers;
}

/** Mark the nodes that a query for [start, end) has to visit. @return number of these nodes */
static uint32_t
mark_visits(const struct table *table, bool *visits, uint32_t index, struct range range)
{
	const struct mem_window *node = &table->windows[index];
	uint32_t count = 1;

	if (index == 0 || node->end_max <= range.start)
		return 0;
	visits[index] = true;
	count += mark_visits(table, visits, node->left, range);
	if (node->start < range.end)
		count += mark_visits(table, visits, node->right, range);
	return count;
}

/**
 * Change all unmarked nodes so that they would match every query (traps). Then query. The query may
 * read end_max of a subtree that it skips, but must not visit the windows in this subtree.
 */
static void
assert_visits(struct table *table, struct mem_window *traps, struct range range, uint32_t most)
{
	bool *visits = calloc(table->slots, sizeof(*visits));
	uint32_t allowed = mark_visits(table, visits, table->set.root, range);
	uint32_t hits = mem_bound_set_covering(
		&table->set, table->windows, range.start, range.end, NULL, 0);
	uint32_t hits_and_trapped;

	cr_assert_leq(allowed, most, "%u visits for %u hits, seed %" PRIu64, allowed, hits, seed);
	memcpy(traps, table->windows, (size_t)table->slots * sizeof(*traps));
	for (uint32_t i = 1; i < table->slots; i++) {
		if (!visits[i]) {
			traps[i].start = 0;
			traps[i].end = UINT64_MAX;
		}
	}
	hits_and_trapped =
		mem_bound_set_covering(&table->set, traps, range.start, range.end, NULL, 0);
	cr_assert_eq(hits_and_trapped, hits,
		"%u windows out of the way were looked at, seed %" PRIu64, hits_and_trapped - hits,
		seed);
	free(visits);
}

static void
assert_many(enum order order, uint64_t run_seed)
{
	struct table table = table_make(MANY);
	size_t bytes = (size_t)table.slots * sizeof(struct mem_window);
	struct mem_window *traps = aligned_alloc(64, bytes);
	uint32_t *numbers;
	uint32_t depth;

	seed_set(run_seed);
	numbers = order_make(order, MANY);
	/* Windows and gaps have 16 bytes. Every 16th window is longer and overlaps the next. */
	for (uint32_t i = 0; i < MANY; i++) {
		uint64_t start = UINT64_C(32) * numbers[i];

		add(&table, i + 1, start, start + (numbers[i] % 16 == 0 ? 64 : 16));
	}
	while (mem_bound_set_sort(&table.set, table.windows, 1000))
		;
	depth = assert_structure(&table);
	cr_assert_gt(depth, 16, "%u windows in %u levels", MANY, depth);
	for (uint32_t i = 0; i < 12; i++) {
		uint64_t point = UINT64_C(32) * below(MANY) + (i % 2 == 0 ? 3 : 20);
		uint64_t start = UINT64_C(32) * below(MANY - 200);

		assert_visits(&table, traps, (struct range){point, point + 1}, 3 * depth);
		assert_visits(&table, traps, (struct range){start, start + 3200}, 2 * depth + 102);
	}
	free(numbers);
	free(traps);
	numbers = order_make(SHUFFLED, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		drop(&table, numbers[i] + 1);
		if (i % 20000 == 0)
			assert_structure(&table);
	}
	assert_all_zero(&table);
	free(numbers);
	table_drop(&table);
}

Test(mem_bound_set, many_in_ascending_order_stay_shallow)
{
	assert_many(ASCENDING, 4201);
}

Test(mem_bound_set, many_in_descending_order_stay_shallow)
{
	assert_many(DESCENDING, 4202);
}

Test(mem_bound_set, many_in_random_order_stay_shallow)
{
	assert_many(SHUFFLED, 4203);
}

Test(mem_bound_set, taking_the_first_until_empty_takes_all)
{
	struct table table = table_make(3000);
	uint32_t taken = 0;
	uint32_t index;

	seed_set(4301);
	for (uint32_t i = 1; i <= 3000; i++) {
		struct range range = random_range(UINT64_C(1) << 20);

		add(&table, i, range.start, range.end);
	}
	(void)mem_bound_set_sort(&table.set, table.windows, 2000);
	for (; (index = mem_bound_set_first(&table.set, table.windows)) != 0; taken++) {
		drop(&table, index);
		if (taken % 100 == 0)
			assert_structure(&table);
	}
	cr_assert_eq(taken, 3000, "%u taken", taken);
	assert_all_zero(&table);
	table_drop(&table);
}
