/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/id.h"

#include <criterion/criterion.h>

#include "support/eal.h"

#define SLOTS 100

static struct cm_id_table table;
static struct base_random random_source;

static void
start(void)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {7};

	test_eal_init_large();
	base_random_seed(&random_source, seed);
	cr_assert(cm_id_table_init(&table, SLOTS, 0));
}

Test(cm_id, lookup_finds_the_live_generation_only)
{
	struct cm_id *id;
	uint32_t comm_id;

	start();
	id = cm_id_alloc(&table, &random_source);
	cr_assert_not_null(id);
	comm_id = id->comm_id;
	cr_assert_null(cm_id_lookup(&table, comm_id));
	id->state = CM_REQ_SENT;
	cr_assert_eq(cm_id_lookup(&table, comm_id), id);
	cr_assert_null(cm_id_lookup(&table, comm_id ^ 0x80000000));
	cr_assert_null(cm_id_lookup(&table, (comm_id & ~127u) | SLOTS)); /* beyond the table */
	cr_assert_null(cm_id_lookup(&table, 0));
	cr_assert_eq(table.touched_count, 1, "walks over the table end before unused slots");
	id->state = CM_IDLE;
	cm_id_free(&table, id);
	for (unsigned int i = 0; i < SLOTS; i++) {
		id = cm_id_alloc(&table, &random_source);
		id->state = CM_REQ_SENT;
		cr_assert_neq(id->comm_id, comm_id);
	}
	cr_assert_null(cm_id_lookup(&table, comm_id));
	cm_id_table_fini(&table);
}

Test(cm_id, many_records_are_found_by_their_ids)
{
	static const uint32_t many = 100000;
	struct cm_id *id;

	start();
	cm_id_table_fini(&table);
	cr_assert(cm_id_table_init(&table, many, 0));
	for (uint32_t i = 0; i < many; i++) {
		id = cm_id_alloc(&table, &random_source);
		cr_assert_not_null(id);
		id->state = CM_ESTABLISHED;
		id->remote_comm_id = i;
	}
	cr_assert_null(cm_id_alloc(&table, &random_source));
	for (uint32_t i = 0; i < many; i++) {
		id = &table.slots[i];
		cr_assert_eq(cm_id_lookup(&table, id->comm_id), id);
		cr_assert_eq(id->remote_comm_id, i, "given out in the order of the slots");
	}
	cm_id_table_fini(&table);
}

Test(cm_id, full_table_gives_null_and_recovers)
{
	struct cm_id *ids[SLOTS];

	start();
	for (unsigned int i = 0; i < SLOTS; i++) {
		ids[i] = cm_id_alloc(&table, &random_source);
		cr_assert_not_null(ids[i]);
		for (unsigned int k = 0; k < i; k++)
			cr_assert_neq(ids[k]->comm_id, ids[i]->comm_id);
	}
	cr_assert_null(cm_id_alloc(&table, &random_source));
	cr_assert_eq(table.used_count, SLOTS);
	cm_id_free(&table, ids[50]);
	cr_assert_eq(cm_id_alloc(&table, &random_source), ids[50]);
	cm_id_table_fini(&table);
}
