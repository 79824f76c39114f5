/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test the list of the ndpmd sessions that have work, and the number of sessions that one turn
 * advances.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "ndpmd/completions.h"
#include "ndpmd/session.h"

#define SESSIONS 100u

static struct completions completions;
static struct session sessions[SESSIONS];

static void
setup(void)
{
	memset(sessions, 0, sizeof(sessions));
	completions_open(&completions, NULL, NULL);
	for (unsigned int i = 0; i < SESSIONS; i++)
		sessions[i].completions = &completions;
}

TestSuite(completions, .init = setup);

/**
 * Advance sessions for one turn, as run.c and server.c do. Each session has more work afterwards.
 * @return number of sessions advanced
 */
static unsigned int
turn(void)
{
	unsigned int advanced = 0;

	for (uint32_t i = completions_turn_count(&completions); i > 0; i--) {
		struct session *session = completions_next(&completions);

		if (session == NULL)
			break;
		advanced++;
		completions_wake(session);
	}
	return advanced;
}

Test(completions, nothing_to_do)
{
	cr_assert_eq(turn(), 0);
	cr_assert_null(completions_next(&completions));
}

Test(completions, session_that_polls_its_memory_has_one_turn_for_each_poll)
{
	completions_wake(&sessions[0]);
	completions_wake(&sessions[0]);
	cr_assert_eq(turn(), 1);
	cr_assert_eq(turn(), 1);
	completions_wake(&sessions[1]);
	cr_assert_eq(turn(), 2);
}

Test(completions, many_take_turns)
{
	struct session *next;

	for (unsigned int i = 0; i < SESSIONS; i++)
		completions_wake(&sessions[i]);
	cr_assert_eq(turn(), 64);
	next = completions_next(&completions);
	cr_assert_eq(next, &sessions[64], "those that were not advanced are the next ones");
}

Test(completions, forgotten_session_has_no_turn)
{
	completions_wake(&sessions[0]);
	completions_wake(&sessions[1]);
	completions_forget(&sessions[0]);
	completions_forget(&sessions[0]);
	cr_assert_eq(completions_turn_count(&completions), 1);
	cr_assert_eq(completions_next(&completions), &sessions[1]);
	cr_assert_eq(completions_turn_count(&completions), 0);
}
