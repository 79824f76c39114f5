/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/list.h"

#include <criterion/criterion.h>

struct item {
	int number;
	struct base_list link;
};

static struct item items[4] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};

static int
number_of(struct base_list *node)
{
	return base_list_entry(node, struct item, link)->number;
}

/* @return the entries in list order as decimal digits, e.g. 123 for entries 1, 2, 3 */
static int
digits_of(struct base_list *head)
{
	struct base_list *node;
	int digits = 0;

	BASE_LIST_FOREACH (node, head)
		digits = 10 * digits + number_of(node);
	return digits;
}

static void
list_make(struct base_list *head)
{
	base_list_init(head);
	for (int i = 1; i < 4; i++)
		base_list_append(head, &items[i].link);
}

Test(list, new_list_is_empty)
{
	struct base_list head;

	base_list_init(&head);
	cr_assert(base_list_empty(&head));
	cr_assert_null(base_list_first(&head));
	cr_assert_eq(digits_of(&head), 0);
}

Test(list, append_keeps_the_order)
{
	struct base_list head;

	list_make(&head);
	cr_assert_not(base_list_empty(&head));
	cr_assert_eq(digits_of(&head), 123);
	cr_assert_eq(number_of(base_list_first(&head)), 1);
}

Test(list, remove_takes_out_one_entry_anywhere)
{
	struct base_list head;

	list_make(&head);
	base_list_remove(&items[2].link);
	cr_assert_eq(digits_of(&head), 13);
	base_list_remove(&items[1].link);
	cr_assert_eq(digits_of(&head), 3);
	base_list_remove(&items[3].link);
	cr_assert(base_list_empty(&head));
}

Test(list, removing_twice_is_harmless)
{
	struct base_list head;

	list_make(&head);
	base_list_remove(&items[1].link);
	base_list_remove(&items[1].link);
	cr_assert_eq(digits_of(&head), 23);
	base_list_append(&head, &items[1].link);
	cr_assert_eq(digits_of(&head), 231);
}

Test(list, safe_loop_may_remove_the_current_entry)
{
	struct base_list head, *node, *after;
	int digits = 0;

	list_make(&head);
	BASE_LIST_FOREACH_SAFE (node, after, &head) {
		digits = 10 * digits + number_of(node);
		base_list_remove(node);
	}
	cr_assert_eq(digits, 123);
	cr_assert(base_list_empty(&head));
}
