/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/segment.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "mem/mem.h"

/*
 * Finds the buffer of a region that contains a byte, with a static B+-tree over the offsets at
 * which the buffers start.
 *
 * Level 0 is the sorted array of all starts, followed by the total length as the end of the last
 * buffer. Level n + 1 contains the first start of each group of eight starts of level n. Groups are
 * cache lines; short groups are padded with UINT64_MAX. There are no child pointers: the i-th start
 * of level n + 1 belongs to the i-th group of level n. On each level, a search counts the starts in
 * one group that are <= the offset: eight comparisons without a branch.
 */

#define FANOUT     8u /* starts per cache line */
#define LEVELS_MAX 6u

static_assert(FANOUT * sizeof(uint64_t) == RTE_CACHE_LINE_SIZE, "a group fills one cache line");
static_assert(1u << (3 * LEVELS_MAX) >= LIMIT_REGION_BUFFERS + 1,
	"the tree has room for all starts and the end");
static_assert(1u << 3 == FANOUT, "the assertion above assumes this value of FANOUT");

struct mem_segment_tree {
	uint32_t level_count;
	uint64_t *levels[LEVELS_MAX]; /**< starts of all buffers in levels[0] */
	uint8_t **addresses;          /**< address of each buffer; same index as in levels[0] */
};

static uint32_t
groups_of(uint32_t starts)
{
	return (starts + FANOUT - 1) / FANOUT;
}

/** Number of levels and number of groups in each level of a tree. */
struct shape {
	uint32_t groups[LEVELS_MAX];
	uint32_t level_count;
	uint32_t group_count; /**< total of all levels */
};

static struct shape
shape_of(uint32_t count)
{
	struct shape shape = {0};

	for (uint32_t starts = count;; starts = shape.groups[shape.level_count - 1]) {
		BASE_ASSERT(shape.level_count < LEVELS_MAX);
		shape.groups[shape.level_count] = groups_of(starts);
		shape.group_count += shape.groups[shape.level_count++];
		if (starts <= FANOUT)
			break;
	}
	return shape;
}

#define TREE_BYTES RTE_ALIGN_CEIL(sizeof(struct mem_segment_tree), RTE_CACHE_LINE_SIZE)

/** @return bytes of memory for a tree of `count` starts, whose cache lines come first */
static size_t
tree_bytes(uint32_t count)
{
	size_t bytes = TREE_BYTES + (size_t)shape_of(count).group_count * RTE_CACHE_LINE_SIZE +
		count * sizeof(uint8_t *);

	return RTE_ALIGN_CEIL(bytes, RTE_CACHE_LINE_SIZE);
}

/** Lay out a tree for count starts in its memory, with all starts set to UINT64_MAX. */
static void
tree_lay(struct mem_segment_tree *tree, uint32_t count)
{
	const struct shape shape = shape_of(count);
	uint64_t *line = (uint64_t *)((uintptr_t)tree + TREE_BYTES);

	memset(line, UINT8_MAX, (size_t)shape.group_count * RTE_CACHE_LINE_SIZE);
	for (uint32_t level = 0; level < shape.level_count; level++) {
		tree->levels[level] = line;
		line += (size_t)shape.groups[level] * FANOUT;
	}
	tree->level_count = shape.level_count;
	tree->addresses = (uint8_t **)line;
}

static void
tree_fill(struct mem_segment_tree *tree, const struct mem_buffer *buffers, uint32_t count)
{
	uint64_t start = 0;

	tree_lay(tree, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		tree->levels[0][i] = start;
		tree->addresses[i] = buffers[i].address;
		start += buffers[i].length_bytes;
	}
	tree->levels[0][count] = start;
	tree->addresses[count] = NULL;
	for (uint32_t level = 1, starts = count + 1; level < tree->level_count; level++) {
		starts = groups_of(starts);
		for (uint32_t i = 0; i < starts; i++)
			tree->levels[level][i] = tree->levels[level - 1][i * FANOUT];
	}
}

size_t
mem_segments_bytes(uint32_t buffer_max)
{
	return tree_bytes(buffer_max + 1);
}

void
mem_segments_build(struct mem_segments *segments, void *memory, const struct mem_buffer *buffers,
	uint32_t count)
{
	segments->first = buffers[0].address;
	segments->tree = count == 1 ? NULL : memory;
	if (count > 1)
		tree_fill(segments->tree, buffers, count);
}

enum rc_status
mem_segments_init(struct mem_segments *segments, const struct mem_buffer *buffers, uint32_t count,
	int socket_id)
{
	void *memory = NULL;

	if (count > 1) {
		memory = rte_malloc_socket(
			"mem_segments", mem_segments_bytes(count), RTE_CACHE_LINE_SIZE, socket_id);
		if (memory == NULL)
			return RC_NO_RESOURCES;
	}
	mem_segments_build(segments, memory, buffers, count);
	return RC_OK;
}

void
mem_segments_fini(struct mem_segments *segments)
{
	rte_free(segments->tree);
	segments->tree = NULL;
	segments->first = NULL;
}

/** @return index of the buffer that contains the byte at this offset. */
static uint32_t
tree_find(const struct mem_segment_tree *tree, uint64_t offset)
{
	uint32_t index = 0;

	for (uint32_t level = tree->level_count; level-- > 0;) {
		const uint64_t *group = tree->levels[level] + (size_t)index * FANOUT;
		uint32_t not_behind = 0;

		for (uint32_t i = 0; i < FANOUT; i++)
			not_behind += group[i] <= offset;
		/*
		 * At least one start is <= the offset, because the search has chosen this group by
		 * its first start, which is <= the offset.
		 */
		BASE_ASSERT(not_behind > 0);
		index = index * FANOUT + not_behind - 1;
	}
	return index;
}

/** Position of a copy that walks along the buffers of a tree. */
struct cursor {
	const struct mem_segment_tree *tree;
	uint64_t offset;
	uint32_t index;
};

/**
 * Take the next contiguous bytes of one buffer, at most `wanted`. @return their address; *taken is
 * their number
 */
static uint8_t *
cursor_take(struct cursor *cursor, size_t wanted, size_t *taken)
{
	const uint64_t *starts = cursor->tree->levels[0] + cursor->index;
	uint8_t *bytes = cursor->tree->addresses[cursor->index] + (cursor->offset - starts[0]);
	uint64_t left = starts[1] - cursor->offset;

	*taken = left <= wanted ? (size_t)left : wanted;
	cursor->index += left <= wanted;
	cursor->offset += *taken;
	return bytes;
}

static struct cursor
cursor_at(const struct mem_segment_tree *tree, uint64_t offset)
{
	return (struct cursor){.tree = tree, .offset = offset, .index = tree_find(tree, offset)};
}

void
mem_segments_read_chain(
	const struct mem_segments *segments, uint64_t offset, void *to, size_t bytes)
{
	struct cursor cursor;
	uint8_t *next = to;
	size_t taken;

	cursor = cursor_at(segments->tree, offset);
	for (; bytes > 0; bytes -= taken, next += taken) {
		const uint8_t *from = cursor_take(&cursor, bytes, &taken);

		BASE_COPY(next, from, taken);
	}
}

void
mem_segments_write_chain(
	const struct mem_segments *segments, uint64_t offset, const void *from, size_t bytes)
{
	struct cursor cursor;
	const uint8_t *next = from;
	size_t taken;

	cursor = cursor_at(segments->tree, offset);
	for (; bytes > 0; bytes -= taken, next += taken) {
		uint8_t *to = cursor_take(&cursor, bytes, &taken);

		BASE_COPY(to, next, taken);
	}
}

void *
mem_segments_pointer(const struct mem_segments *segments, uint64_t offset, size_t bytes)
{
	struct cursor cursor;
	uint8_t *pointer;
	size_t taken;

	if (segments->tree == NULL)
		return segments->first + offset;
	if (bytes == 0)
		return segments->first;
	cursor = cursor_at(segments->tree, offset);
	pointer = cursor_take(&cursor, bytes, &taken);
	return taken == bytes ? pointer : NULL;
}
