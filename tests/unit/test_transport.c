/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test the options for connection settings: each option changes its own member, and no other
 * member.
 */

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kit/transport.h"

static const struct option_table table = {transport_rows, TRANSPORT_ROW_COUNT, 0};
static const struct option_set set = {&table, 1, 27};
static struct transport transport;
static char why[256];

static bool
parse(char *argument)
{
	char program[] = "transport";
	char *arguments[] = {program, argument, NULL};

	memset(&transport, 0, sizeof(transport));
	return option_parse(&set, &transport, 2, arguments, why, sizeof(why));
}

/* Write an argument for the option. Its value is not 0, the initial value of the member. */
static void
write_argument(const struct option_row *row, char *text, size_t size)
{
	if (row->kind == OPTION_FLAG)
		snprintf(text, size, "--%s", row->name);
	else if (row->kind == OPTION_CHOICE)
		snprintf(text, size, "--%s=%s", row->name, row->choices[1]);
	else
		snprintf(text, size, "--%s=%llu", row->name, (unsigned long long)row->max);
}

Test(transport, each_row_has_a_member_of_its_own)
{
	const uint8_t *bytes = (const uint8_t *)&transport;

	for (size_t i = 0; i < TRANSPORT_ROW_COUNT; i++) {
		const struct option_row *row = &transport_rows[i];
		char argument[64];
		bool changed = false;

		if (row->kind == OPTION_CALL)
			continue;
		write_argument(row, argument, sizeof(argument));
		cr_assert(parse(argument), "%s: %s", argument, why);
		for (size_t k = 0; k < sizeof(transport); k++) {
			const bool own = k >= row->offset && k < row->offset + row->bytes;

			changed |= own && bytes[k] != 0;
			cr_assert(own || bytes[k] == 0, "%s changes another one", row->name);
		}
		cr_assert(changed, "%s changes nothing", row->name);
		for (size_t k = 0; k < i; k++)
			cr_assert(transport_rows[k].kind == OPTION_CALL ||
					transport_rows[k].offset != row->offset,
				"%s and %s are the same", row->name, transport_rows[k].name);
	}
}

Test(transport, dcqcn_has_parameters)
{
	char argument[] = "--dcqcn=rpg_gd:7,g_1024:9";
	struct nd_adapter_config config;

	cr_assert(parse(argument), "%s", why);
	config = transport_config(&transport);
	cr_assert_not_null(config.dcqcn);
	cr_assert_eq(config.dcqcn->rpg_gd, 7);
	cr_assert_eq(config.dcqcn->g_1024, 9);
	cr_assert_eq(config.dcqcn->rpg_threshold, 0, "the default");
	memset(&transport, 0, sizeof(transport));
	config = transport_config(&transport);
	cr_assert_null(config.dcqcn);
}

Test(transport, reorder_window_can_be_none)
{
	char none[] = "--reorder-window=0", some[] = "--reorder-window=25";

	cr_assert(parse(none), "%s", why);
	cr_assert_eq(transport_config(&transport).reorder_window_us, ND_REORDER_NONE);
	cr_assert(parse(some), "%s", why);
	cr_assert_eq(transport_config(&transport).reorder_window_us, 25);
}

Test(transport, rnr_timer_is_a_code)
{
	char none[] = "--rnr-timer=0", last[] = "--rnr-timer=31", beyond[] = "--rnr-timer=32";

	cr_assert(parse(last), "%s", why);
	cr_assert_eq(transport_config(&transport).rnr_timer, 31);
	cr_assert(!parse(none), "0 is the code of the longest time, and means the default here");
	cr_assert(!parse(beyond), "a code has five bits");
}
