/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/repeat.h"

#include <rte_common.h>

#include "base/assert.h"
#include "wire/cm_msg.h"

/* Interval between attempts to send a message while the output is full. */
#define BUSY_NS UINT64_C(10000000)

#define RESPONSE_CODE_MAX 20

uint64_t
cm_response_ns(uint8_t code)
{
	return UINT64_C(4096) << RTE_MIN(code, RESPONSE_CODE_MAX);
}

/* @return duration of the plan: all transmissions, each with the wait after it */
static uint64_t
plan_ns(const struct cm_repeat_plan *plan)
{
	uint64_t interval_ns = plan->first_ns;
	uint64_t sum_ns = interval_ns;

	for (unsigned int i = 0; i < plan->repeats; i++) {
		interval_ns = RTE_MIN(2 * interval_ns, plan->longest_ns);
		sum_ns += interval_ns;
	}
	return RTE_MAX(sum_ns, plan->patience_ns);
}

void
cm_repeat_begin(struct cm_repeat *repeat, const struct cm_repeat_plan *plan, uint64_t now_ns)
{
	uint64_t length_ns = plan_ns(plan);

	BASE_ASSERT(plan->first_ns > 0 && plan->first_ns <= plan->longest_ns);
	BASE_ASSERT(plan->repeats <= WIRE_CM_RETRIES_MAX);
	*repeat = (struct cm_repeat){
		.interval_ns = plan->first_ns,
		.longest_ns = plan->longest_ns,
		.give_up_ns = now_ns + length_ns,
		.give_up_max_ns = now_ns + 2 * length_ns,
		.left = plan->repeats,
	};
}

uint64_t
cm_repeat_tried(struct cm_repeat *repeat, bool taken, uint64_t now_ns)
{
	uint64_t wait_ns;

	if (!taken) {
		wait_ns = RTE_MIN(repeat->interval_ns, BUSY_NS);
		repeat->give_up_ns = RTE_MIN(repeat->give_up_ns + wait_ns, repeat->give_up_max_ns);
		return RTE_MIN(now_ns + wait_ns, repeat->give_up_ns);
	}
	if (repeat->started) {
		BASE_ASSERT(repeat->left > 0);
		repeat->left--;
		repeat->interval_ns = RTE_MIN(2 * repeat->interval_ns, repeat->longest_ns);
	}
	repeat->started = true;
	if (repeat->left == 0)
		return repeat->give_up_ns;
	return RTE_MIN(now_ns + repeat->interval_ns, repeat->give_up_ns);
}

bool
cm_repeat_over(const struct cm_repeat *repeat, uint64_t now_ns)
{
	return now_ns >= repeat->give_up_ns;
}

uint64_t
cm_repeat_pause(struct cm_repeat *repeat, uint64_t deadline_ns, uint64_t until_ns)
{
	uint64_t shift_ns;

	if (until_ns <= deadline_ns)
		return deadline_ns;
	shift_ns = until_ns - deadline_ns;
	repeat->give_up_ns += shift_ns;
	repeat->give_up_max_ns += shift_ns;
	return deadline_ns + shift_ns;
}
