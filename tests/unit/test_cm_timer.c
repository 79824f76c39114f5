/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/timer.h"

#include <criterion/criterion.h>

#include "base/random.h"
#include "support/eal.h"

#define TIMERS 200

/* @return the earliest timer, found by a scan of all timers; the heap must find the same timer */
static const struct cm_timer *
scan_first(const struct cm_timer *timers)
{
	const struct cm_timer *first = NULL;

	for (unsigned int i = 0; i < TIMERS; i++)
		if (timers[i].position != CM_TIMER_OFF &&
			(first == NULL || timers[i].deadline_ns < first->deadline_ns))
			first = &timers[i];
	return first;
}

Test(cm_timer, random_starts_and_stops_keep_the_earliest_first)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {42};
	static struct cm_timer timers[TIMERS];
	struct cm_timer_heap heap;
	struct base_random random;

	test_eal_init();
	base_random_seed(&random, seed);
	cr_assert(cm_timer_heap_init(&heap, TIMERS, 0));
	cr_assert_null(cm_timer_first(&heap));
	for (unsigned int i = 0; i < TIMERS; i++)
		timers[i].position = CM_TIMER_OFF;
	for (unsigned int i = 0; i < 20000; i++) {
		struct cm_timer *timer = &timers[base_random_below(&random, TIMERS)];
		const struct cm_timer *expected;

		if (base_random_below(&random, 3) > 0)
			cm_timer_start(&heap, timer, base_random_below(&random, 1000));
		else
			cm_timer_stop(&heap, timer);
		expected = scan_first(timers);
		if (expected == NULL) {
			cr_assert_null(cm_timer_first(&heap));
			continue;
		}
		cr_assert_eq(cm_timer_first(&heap)->deadline_ns, expected->deadline_ns,
			"step %u: %lu, expected %lu", i, cm_timer_first(&heap)->deadline_ns,
			expected->deadline_ns);
	}
	for (uint64_t last_ns = 0; cm_timer_first(&heap) != NULL;) {
		struct cm_timer *first = cm_timer_first(&heap);

		cr_assert_geq(first->deadline_ns, last_ns);
		last_ns = first->deadline_ns;
		cm_timer_stop(&heap, first);
		cm_timer_stop(&heap, first);
	}
	cr_assert_eq(heap.count, 0);
	cm_timer_heap_fini(&heap);
}
