/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test how --post-list, --inline and --reads change the requests of a session. */

#include <criterion/criterion.h>

#include "ndpmd/posting.h"

static struct transport transport;
static struct session session = {.transport = &transport, .setup = {.depth = 40, .size_bytes = 64}};
static uint8_t message[64];

Test(posting, without_options)
{
	session.memory.mr = (struct nd_mr *)message; /* only compared, never used */
	cr_assert_eq(posting_list(&session), POSTING_LIST_MAX);
	cr_assert_eq(posting_reads(&session, 128), 40);
	cr_assert_eq(posting_reads(&session, 16), 16);
	cr_assert_eq(posting_sge(&session, message).mr, session.memory.mr);
}

Test(posting, batches_have_a_limit)
{
	transport.post_list = 3;
	cr_assert_eq(posting_list(&session), 3);
}

Test(posting, reads_have_the_least_of_three_limits)
{
	transport.reads = 5;
	cr_assert_eq(posting_reads(&session, 128), 5);
	cr_assert_eq(posting_reads(&session, 4), 4);
	session.setup.depth = 2;
	cr_assert_eq(posting_reads(&session, 128), 2);
}

Test(posting, short_messages_are_inline)
{
	session.memory.mr = (struct nd_mr *)message;
	transport.inline_bytes = 63;
	cr_assert_eq(posting_sge(&session, message).mr, session.memory.mr);
	transport.inline_bytes = 64;
	cr_assert_null(posting_sge(&session, message).mr);
	cr_assert_eq(posting_sge(&session, message).address, message);
	cr_assert_eq(posting_sge(&session, message).length, 64);
}
