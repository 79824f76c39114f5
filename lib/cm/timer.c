/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/timer.h"

#include <rte_common.h>
#include <rte_malloc.h>

#include "base/assert.h"

bool
cm_timer_heap_init(struct cm_timer_heap *heap, uint32_t capacity, int socket_id)
{
	heap->slots = rte_malloc_socket(
		"cm_timers", capacity * sizeof(*heap->slots), RTE_CACHE_LINE_SIZE, socket_id);
	heap->count = 0;
	heap->capacity = capacity;
	return heap->slots != NULL;
}

void
cm_timer_heap_fini(struct cm_timer_heap *heap)
{
	rte_free(heap->slots);
	heap->slots = NULL;
}

static void
place(struct cm_timer_heap *heap, uint32_t position, struct cm_timer *timer)
{
	heap->slots[position] = timer;
	timer->position = position;
}

static void
sift_up(struct cm_timer_heap *heap, struct cm_timer *timer)
{
	uint32_t position = timer->position;

	while (position > 0) {
		uint32_t parent = (position - 1) / 2;

		if (heap->slots[parent]->deadline_ns <= timer->deadline_ns)
			break;
		place(heap, position, heap->slots[parent]);
		position = parent;
	}
	place(heap, position, timer);
}

static void
sift_down(struct cm_timer_heap *heap, struct cm_timer *timer)
{
	uint32_t position = timer->position;

	for (;;) {
		uint32_t child = 2 * position + 1;

		if (child >= heap->count)
			break;
		if (child + 1 < heap->count &&
			heap->slots[child + 1]->deadline_ns < heap->slots[child]->deadline_ns)
			child++;
		if (timer->deadline_ns <= heap->slots[child]->deadline_ns)
			break;
		place(heap, position, heap->slots[child]);
		position = child;
	}
	place(heap, position, timer);
}

void
cm_timer_start(struct cm_timer_heap *heap, struct cm_timer *timer, uint64_t deadline_ns)
{
	if (timer->position == CM_TIMER_OFF) {
		BASE_ASSERT(heap->count < heap->capacity);
		timer->position = heap->count++;
		heap->slots[timer->position] = timer;
	}
	timer->deadline_ns = deadline_ns;
	sift_up(heap, timer);
	sift_down(heap, timer);
}

void
cm_timer_stop(struct cm_timer_heap *heap, struct cm_timer *timer)
{
	uint32_t hole = timer->position;
	struct cm_timer *last;

	if (hole == CM_TIMER_OFF)
		return;
	timer->position = CM_TIMER_OFF;
	last = heap->slots[--heap->count];
	if (last == timer)
		return;
	place(heap, hole, last);
	sift_up(heap, last);
	sift_down(heap, last);
}

struct cm_timer *
cm_timer_first(const struct cm_timer_heap *heap)
{
	return heap->count > 0 ? heap->slots[0] : NULL;
}
