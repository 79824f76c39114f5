/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test notifications of shared receive queues that fall below their low watermark. */

#include <criterion/criterion.h>

#include <ndpdk/nd_srq.h>

#include "srq_links.h"

TestSuite(srq_notify, .fini = links_teardown);

static struct nd_overlapped notes[3];
static unsigned int told, order[8];

static void
on_note(struct nd_overlapped *note, void *arg)
{
	(void)arg;
	order[told++] = (unsigned int)(note - notes);
}

static nd_status
notify(unsigned int number)
{
	notes[number] = (struct nd_overlapped){.callback = on_note};
	return nd_srq_notify(srq, &notes[number]);
}

static nd_status
status_of(unsigned int number)
{
	return nd_overlapped_get_result(&notes[number], NULL, false);
}

/*
 * RC-162: if the queue falls below its watermark, all pending notifications complete, each exactly
 * once.
 */
Test(srq_notify, once_per_arming_all_together_rc162)
{
	links_setup(3);
	told = 0;
	post_all(0, 5);
	cr_assert_eq(notify(0), ND_PENDING);
	cr_assert_eq(notify(1), ND_PENDING);
	cr_assert_eq(nd_srq_notify(srq, &notes[0]), ND_INVALID_PARAMETER, "it is pending");
	cr_assert_eq(nd_srq_notify(srq, NULL), ND_INVALID_PARAMETER);
	send_one(0, 0, 1);
	send_one(1, 1, 1);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(told, 0, "three are left");
	send_one(2, 2, 1);
	cr_assert_eq(told, 2);
	cr_assert_eq(status_of(0), ND_SUCCESS);
	cr_assert_eq(status_of(1), ND_SUCCESS);
	cr_assert(order[0] == 0 && order[1] == 1);
	send_one(0, 3, 1);
	cr_assert_eq(told, 2);
	/*
	 * The queue has become emptier since the notification, so the next notification completes
	 * at once.
	 */
	cr_assert_eq(notify(2), ND_SUCCESS);
	cr_assert_eq(told, 2);
	post_all(5, 4);
	cr_assert_eq(notify(2), ND_PENDING);
	send_one(0, 4, 1);
	send_one(0, 5, 1);
	cr_assert_eq(told, 2);
	send_one(0, 6, 1);
	cr_assert_eq(told, 3);
}

/* A new queue is below its watermark, but completes a notification only after its first message. */
Test(srq_notify, new_queue_has_not_fallen)
{
	links_setup(3);
	told = 0;
	cr_assert_eq(notify(0), ND_PENDING);
	post_all(0, 1);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(told, 0);
	send_one(1, 0, 1);
	cr_assert_eq(told, 1);
}

Test(srq_notify, message_that_finds_no_receive_is_told)
{
	links_setup(1);
	told = 0;
	cr_assert_eq(notify(0), ND_PENDING);
	send_start(0, 0, 1);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notes[0]), ND_SUCCESS);
	cr_assert_eq(told, 1);
	post_all(0, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[0]), ND_SUCCESS);
}

Test(srq_notify, raised_watermark_is_told_at_once)
{
	links_setup(0);
	told = 0;
	post_all(0, 4);
	cr_assert_eq(notify(0), ND_PENDING);
	cr_assert_eq(nd_srq_modify(srq, 0, 4), ND_SUCCESS);
	cr_assert_eq(told, 0);
	cr_assert_eq(nd_srq_modify(srq, 3, 9), ND_BUFFER_OVERFLOW);
	cr_assert_eq(told, 0, "nothing has changed");
	cr_assert_eq(nd_srq_modify(srq, 0, 5), ND_SUCCESS);
	cr_assert_eq(told, 1);
	cr_assert_eq(status_of(0), ND_SUCCESS);
}

Test(srq_notify, cancelled_in_their_order)
{
	links_setup(2);
	told = 0;
	post_all(0, 2);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(notify(i), ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&notes[1]), ND_SUCCESS);
	cr_assert_eq(status_of(1), ND_CANCELED);
	cr_assert_eq(nd_srq_cancel_overlapped_requests(srq), ND_SUCCESS);
	cr_assert_eq(told, 3);
	cr_assert(order[0] == 1 && order[1] == 0 && order[2] == 2);
	cr_assert_eq(status_of(2), ND_CANCELED);
	/*
	 * The queue falls while no notification is pending. The next notification completes at
	 * once.
	 */
	send_one(0, 0, 1);
	cr_assert_eq(told, 3);
	cr_assert_eq(notify(0), ND_SUCCESS);
}

static void
on_release(struct nd_overlapped *note, void *arg)
{
	cr_assert_eq(nd_overlapped_get_result(note, NULL, false), ND_CANCELED);
	told++;
	(void)arg;
}

Test(srq_notify, released_and_closed)
{
	struct nd_srq *other;

	links_setup(0);
	told = 0;
	cr_assert_eq(srq_make(4, 1, &other), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		notes[i] = (struct nd_overlapped){.callback = on_release};
		cr_assert_eq(nd_srq_notify(i == 0 ? other : srq, &notes[i]), ND_PENDING);
	}
	cr_assert_eq(nd_srq_release(other), ND_SUCCESS);
	cr_assert_eq(told, 1);
	post_all(0, 3);
	nd_adapter_close(pair.side[SERVER].adapter);
	cr_assert_eq(told, 2);
	pair.side[SERVER].adapter = NULL;
}

/* B-066: this callback posts receives and requests another notification. */
static void
on_low(struct nd_overlapped *note, void *arg)
{
	unsigned int *next = arg;

	if (nd_overlapped_get_result(note, NULL, false) == ND_CANCELED)
		return; /* the adapter is closed */
	told++;
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(post((*next)++ % ENTRIES), ND_SUCCESS);
	cr_assert_eq(nd_srq_notify(srq, note), ND_PENDING);
}

Test(srq_notify, callback_refills_b066)
{
	unsigned int next = 4;

	links_setup(3);
	told = 0;
	post_all(0, 4);
	notes[0] = (struct nd_overlapped){.callback = on_low, .callback_arg = &next};
	cr_assert_eq(nd_srq_notify(srq, &notes[0]), ND_PENDING);
	for (unsigned int i = 0; i < 3 * ENTRIES; i++)
		send_one(i % LINKS, i % ENTRIES, 1 + i);
	cr_assert_gt(told, ENTRIES);
	cr_assert_eq(nd_pair_counter(&pair, CLIENT, "rx_rnr_naks"), 0);
}
