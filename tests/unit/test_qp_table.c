/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/qp_table.h"

#include <criterion/criterion.h>

#include <rte_memory.h>

#include "support/eal.h"

#define SLOTS 256

static struct qp_table table;
static struct base_random random_state;
static char things[SLOTS];

static struct rc_qp *
thing(unsigned int i)
{
	/* not a real queue pair; the table never dereferences the pointer */
	return (struct rc_qp *)(void *)&things[i];
}

static void
setup(void)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {7};

	test_eal_init();
	base_random_seed(&random_state, seed);
	cr_assert_eq(qp_table_init(&table, SLOTS, 0, 0, SOCKET_ID_ANY), RC_OK);
}

static void
teardown(void)
{
	qp_table_fini(&table);
}

TestSuite(qp_table, .init = setup, .fini = teardown);

Test(qp_table, sizes_that_are_no_power_of_two_are_refused)
{
	struct qp_table other;

	cr_assert_eq(qp_table_init(&other, 3, 0, 0, SOCKET_ID_ANY), RC_INVALID_ARGUMENT);
	cr_assert_eq(qp_table_init(&other, 1, 0, 0, SOCKET_ID_ANY), RC_INVALID_ARGUMENT);
	cr_assert_eq(qp_table_init(&other, 1u << 21, 0, 0, SOCKET_ID_ANY), RC_INVALID_ARGUMENT);
}

Test(qp_table, every_slot_is_given_once_and_found_by_its_whole_qpn)
{
	uint32_t qpns[SLOTS], qpn;

	for (unsigned int i = 0; i < SLOTS; i++) {
		cr_assert_eq(qp_table_reserve(&table, &random_state, &qpns[i]), RC_OK);
		cr_assert(qpns[i] > 1 && qpns[i] < 0xFFFFFF, "QPN %#x", qpns[i]);
		cr_assert_null(qp_table_find(&table, qpns[i]));
		qp_table_set(&table, qpns[i], thing(i));
	}
	cr_assert_eq(qp_table_reserve(&table, &random_state, &qpn), RC_NO_RESOURCES);
	for (unsigned int i = 0; i < SLOTS; i++) {
		cr_assert_eq(qp_table_find(&table, qpns[i]), thing(i));
		/* SEC-004: a QPN with the same slot but another generation is not found. */
		cr_assert_null(qp_table_find(&table, qpns[i] ^ SLOTS));
	}
}

Test(qp_table, freed_qpn_leads_nowhere_and_does_not_come_back_at_once)
{
	uint32_t qpns[SLOTS], again;

	for (unsigned int i = 0; i < SLOTS; i++)
		cr_assert_eq(qp_table_reserve(&table, &random_state, &qpns[i]), RC_OK);
	qp_table_set(&table, qpns[5], thing(5));
	qp_table_clear(&table, qpns[5]);
	cr_assert_null(qp_table_find(&table, qpns[5]));
	qp_table_free(&table, qpns[5]);
	cr_assert_eq(qp_table_reserve(&table, &random_state, &again), RC_OK);
	cr_assert_eq(again % SLOTS, qpns[5] % SLOTS, "only this slot was free");
	cr_assert_neq(again, qpns[5]);
}

/** SEC-004: the difference between consecutive QPNs is not constant. */
Test(qp_table, qpns_have_no_fixed_difference)
{
	uint32_t last, qpn, first_step = 0, same = 0;

	cr_assert_eq(qp_table_reserve(&table, &random_state, &last), RC_OK);
	for (unsigned int i = 1; i < SLOTS; i++) {
		uint32_t step;

		cr_assert_eq(qp_table_reserve(&table, &random_state, &qpn), RC_OK);
		step = qpn - last;
		if (i == 1)
			first_step = step;
		same += step == first_step;
		last = qpn;
	}
	cr_assert_leq(same, 3, "%u of %u steps are equal", same, SLOTS - 1);
}

Test(qp_table, many_queue_pairs_are_found)
{
	enum { MANY = 100000, MANY_SLOTS = 1 << 17 };
	static uint32_t qpns[MANY];
	struct qp_table large;

	cr_assert_eq(qp_table_init(&large, MANY_SLOTS, 0, 0, SOCKET_ID_ANY), RC_OK);
	for (uint32_t i = 0; i < MANY; i++) {
		cr_assert_eq(qp_table_reserve(&large, &random_state, &qpns[i]), RC_OK);
		/* The table gets addresses instead of queue pairs. It does not dereference them. */
		qp_table_set(&large, qpns[i], (struct rc_qp *)(void *)&qpns[i]);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		cr_assert_eq((void *)qp_table_find(&large, qpns[i]), (void *)&qpns[i]);
		cr_assert_null(qp_table_find(&large, qpns[i] ^ MANY_SLOTS));
	}
	qp_table_fini(&large);
}
