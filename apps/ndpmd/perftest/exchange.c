/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "exchange.h"

#include <string.h>

static const enum perftest_step beginning[] = {
	PERFTEST_STEP_VERSION,
	PERFTEST_STEP_CYCLE,
	PERFTEST_STEP_CACHE_LINE,
	PERFTEST_STEP_MTU,
	PERFTEST_STEP_BLANK,
	PERFTEST_STEP_CONNECT,
	PERFTEST_STEP_BLANK,
};

/*
 * @return number of places (struct perftest_place) that are exchanged before the test. There are
 *         two passes over the places of all queue pairs, and finally the first place is exchanged
 *         once more. In send and latency tests, the first place is exchanged between the two
 *         passes, too.
 */
static uint32_t
count_places(const struct perftest_plan *plan)
{
	return 2 * plan->qps + (plan->op == OPTIONS_OP_SEND || plan->latency ? 2 : 1);
}

static uint32_t
place_qp(const struct perftest_plan *plan, uint32_t number)
{
	if (number < plan->qps)
		return number;
	number -= plan->qps;
	if (plan->op == OPTIONS_OP_SEND)
		number = number > 0 ? number - 1 : plan->qps;
	return number < plan->qps ? number : 0;
}

/*
 * @return a turn of the exchange after the test. The client reports values only for the Write and
 *         Read bandwidth tests, because in these tests the server does not see the messages.
 */
static struct perftest_turn
ending(const struct perftest_plan *plan, uint32_t number)
{
	const bool values = plan->op != OPTIONS_OP_SEND && !plan->latency;
	const bool place = plan->op != OPTIONS_OP_WRITE || !plan->latency;
	struct perftest_turn turn = {PERFTEST_STEP_END, 0};

	if (place && number == 0) {
		turn.step = PERFTEST_STEP_PLACE;
	} else if (values && number <= PERFTEST_VALUE_COUNT) {
		turn.step = PERFTEST_STEP_VALUE;
		turn.index = number - 1;
	} else if (values && number == PERFTEST_VALUE_COUNT + 1) {
		turn.step = PERFTEST_STEP_PLACE;
	}
	return turn;
}

struct perftest_turn
perftest_turn_at(const struct perftest_plan *plan, uint32_t number)
{
	const uint32_t places = count_places(plan);
	struct perftest_turn turn = {PERFTEST_STEP_TEST, 0};

	if (number < RTE_DIM(beginning)) {
		turn.step = beginning[number];
		return turn;
	}
	number -= RTE_DIM(beginning);
	if (number < places) {
		turn.step = PERFTEST_STEP_PLACE;
		turn.index = place_qp(plan, number);
		return turn;
	}
	number -= places;
	return number == 0 ? turn : ending(plan, number - 1);
}

uint32_t
perftest_step_bytes(enum perftest_step step)
{
	switch (step) {
	case PERFTEST_STEP_VERSION:
		return PERFTEST_VERSION_BYTES;
	case PERFTEST_STEP_CYCLE:
	case PERFTEST_STEP_CACHE_LINE:
		return PERFTEST_NUMBER_BYTES;
	case PERFTEST_STEP_MTU:
		return PERFTEST_MTU_BYTES;
	case PERFTEST_STEP_BLANK:
	case PERFTEST_STEP_PLACE:
		return sizeof(struct perftest_place);
	case PERFTEST_STEP_VALUE:
		return PERFTEST_VALUE_BYTES;
	case PERFTEST_STEP_CONNECT:
	case PERFTEST_STEP_TEST:
	case PERFTEST_STEP_END:
		break;
	}
	return 0;
}

rte_be64_t
perftest_value_of_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return rte_cpu_to_be_64(bits);
}

double
perftest_double_of_value(rte_be64_t value)
{
	const uint64_t bits = rte_be_to_cpu_64(value);
	double result;

	memcpy(&result, &bits, sizeof(result));
	return result;
}
