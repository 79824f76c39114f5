/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <rte_memory.h>

#include "base/limits.h"
#include "rc/cq.h"
#include "support/eal.h"

/*
 * Statements ND-127..ND-143 of the completion queue; the layers above add the codes of their API.
 */

struct notified {
	unsigned count;
	unsigned overrun_count;
	struct rc_cq *cq;
	uint32_t readable; /* completions that could be polled from the notification */
};

static void
on_notify(void *arg, bool overrun)
{
	struct notified *notified = arg;

	notified->count++;
	notified->overrun_count += overrun;
	notified->readable = notified->cq->tail - notified->cq->head;
}

static void
start(struct rc_cq *cq, struct notified *notified, uint32_t entries)
{
	test_eal_init();
	*notified = (struct notified){.cq = cq};
	cr_assert_eq(rc_cq_init(cq, entries, SOCKET_ID_ANY, on_notify, notified), RC_OK);
}

static bool
push(struct rc_cq *cq, uintptr_t number, enum rc_status status, bool solicited)
{
	return rc_cq_push(cq,
		&(struct rc_completion){
			.context = (void *)number,
			.status = status,
			.kind = RC_COMPLETION_RECEIVE,
			.solicited = solicited,
		});
}

static bool
push_window(struct rc_cq *cq, uintptr_t number)
{
	return rc_cq_push(cq,
		&(struct rc_completion){
			.context = (void *)number,
			.kind = RC_COMPLETION_WINDOW_INVALIDATED,
		});
}

static uintptr_t
poll_one(struct rc_cq *cq)
{
	struct rc_completion completion = {0};

	cr_assert_eq(rc_cq_poll(cq, &completion, 1), 1, "queue is empty");
	return (uintptr_t)completion.context;
}

Test(cq, init_entries_out_of_range_refused)
{
	struct rc_cq cq;

	test_eal_init();
	cr_assert_eq(rc_cq_init(&cq, 0, SOCKET_ID_ANY, NULL, NULL), RC_INVALID_ARGUMENT);
	cr_assert_eq(rc_cq_init(&cq, LIMIT_CQ_ENTRIES + 1, SOCKET_ID_ANY, NULL, NULL),
		RC_INVALID_ARGUMENT);
	cr_assert_eq(rc_cq_init(&cq, 1, SOCKET_ID_ANY, NULL, NULL), RC_OK);
	cr_assert(push(&cq, 1, RC_OK, false), "a queue without notify function works");
	rc_cq_request_notify(&cq, RC_CQ_ARM_ANY);
	rc_cq_fini(&cq);
}

/* ND-127 */
Test(cq, poll_never_more_than_asked_or_present_nd127)
{
	struct rc_completion out[8];
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	cr_assert_eq(rc_cq_poll(&cq, out, 8), 0);
	for (uintptr_t i = 0; i < 5; i++)
		cr_assert(push(&cq, i, RC_OK, false));
	cr_assert_eq(rc_cq_poll(&cq, out, 0), 0);
	cr_assert_eq(rc_cq_poll(&cq, out, 3), 3);
	cr_assert_eq(rc_cq_poll(&cq, out + 3, 5), 2);
	for (uintptr_t i = 0; i < 5; i++)
		cr_assert_eq((uintptr_t)out[i].context, i, "order");
	cr_assert_eq(rc_cq_poll(&cq, out, 8), 0);
	rc_cq_fini(&cq);
}

Test(cq, order_kept_over_many_wraps)
{
	struct notified notified;
	uintptr_t pushed = 0, polled = 0;
	struct rc_cq cq;

	start(&cq, &notified, 5);
	cq.head = cq.tail = UINT32_MAX - 3; /* the free-running indices wrap, too */
	for (unsigned round = 0; round < 1000; round++) {
		for (unsigned i = 0; i < 1 + round % 5; i++)
			cr_assert(push(&cq, pushed++, RC_OK, false));
		while (polled < pushed) {
			uintptr_t got = poll_one(&cq);

			cr_assert_eq(got, polled, "%zu, %zu expected", got, polled);
			polled++;
		}
	}
	rc_cq_fini(&cq);
}

/* ND-128 */
Test(cq, unarmed_no_notification_nd128)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	cr_assert(push(&cq, 0, RC_OK, true));
	cr_assert(push(&cq, 1, RC_FLUSHED, false));
	cr_assert_eq(notified.count, 0);
	rc_cq_fini(&cq);
}

/* ND-129, ND-130: the completion is retrievable from within the notification. */
Test(cq, armed_any_notified_once_nd129_nd134)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	rc_cq_request_notify(&cq, RC_CQ_ARM_ANY);
	cr_assert_eq(notified.count, 0);
	cr_assert(push(&cq, 0, RC_OK, false));
	cr_assert_eq(notified.count, 1);
	cr_assert_eq(notified.readable, 1);
	cr_assert(push(&cq, 1, RC_OK, false));
	cr_assert_eq(notified.count, 1, "one notification per arming");
	rc_cq_fini(&cq);
}

/* ND-130, ND-131 */
Test(cq, armed_solicited_waits_for_solicited_nd130_nd131)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	rc_cq_request_notify(&cq, RC_CQ_ARM_SOLICITED);
	cr_assert(push(&cq, 0, RC_OK, false));
	cr_assert_eq(notified.count, 0);
	cr_assert(push(&cq, 1, RC_OK, true));
	cr_assert_eq(notified.count, 1);
	cr_assert_eq(notified.readable, 2);
	rc_cq_fini(&cq);
}

/* ND-132, ND-133 */
Test(cq, error_notifies_every_arming_nd132_nd133)
{
	static const enum rc_cq_arm arms[] = {RC_CQ_ARM_ERRORS, RC_CQ_ARM_SOLICITED, RC_CQ_ARM_ANY};
	struct rc_completion completion;
	struct notified notified;
	struct rc_cq cq;

	for (unsigned i = 0; i < RTE_DIM(arms); i++) {
		start(&cq, &notified, 8);
		rc_cq_request_notify(&cq, arms[i]);
		cr_assert(push(&cq, 0, RC_FLUSHED, false));
		cr_assert_eq(notified.count, 1, "arming %u", arms[i]);
		cr_assert_eq(rc_cq_poll(&cq, &completion, 1), 1);
		cr_assert(completion.solicited, "an error counts as solicited");
		rc_cq_fini(&cq);
	}
}

/* ND-133 */
Test(cq, armed_errors_not_notified_by_success_nd133)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	rc_cq_request_notify(&cq, RC_CQ_ARM_ERRORS);
	cr_assert(push(&cq, 0, RC_OK, true));
	cr_assert_eq(notified.count, 0);
	rc_cq_fini(&cq);
}

/* ND-134, ND-139 */
Test(cq, old_completion_does_not_notify_again_nd134_nd139)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	rc_cq_request_notify(&cq, RC_CQ_ARM_ANY);
	cr_assert(push(&cq, 0, RC_OK, false));
	rc_cq_request_notify(&cq, RC_CQ_ARM_ANY);
	cr_assert_eq(notified.count, 1, "the completion present has been signalled already");
	cr_assert(push(&cq, 1, RC_OK, false));
	cr_assert_eq(notified.count, 2);
	rc_cq_fini(&cq);
}

/* ND-136, ND-140: no lost wake-up. */
Test(cq, completion_before_arming_notifies_at_once_nd136_nd140)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	cr_assert(push(&cq, 0, RC_OK, false));
	poll_one(&cq);
	cr_assert(push(&cq, 1, RC_OK, false)); /* between the short poll and the arming */
	rc_cq_request_notify(&cq, RC_CQ_ARM_SOLICITED);
	cr_assert_eq(notified.count, 0, "not what was asked for");
	rc_cq_request_notify(&cq, RC_CQ_ARM_ANY);
	cr_assert_eq(notified.count, 1);
	rc_cq_fini(&cq);
}

Test(cq, solicited_before_arming_notifies_at_once_nd140)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	cr_assert(push(&cq, 0, RC_OK, true));
	rc_cq_request_notify(&cq, RC_CQ_ARM_ERRORS);
	cr_assert_eq(notified.count, 0);
	rc_cq_request_notify(&cq, RC_CQ_ARM_SOLICITED);
	cr_assert_eq(notified.count, 1);
	rc_cq_fini(&cq);
}

/* ND-137, ND-138: every pair of armings; the result is the stronger. */
Test(cq, rearming_never_weakens_nd137_nd138)
{
	static const struct {
		enum rc_status status;
		bool solicited;
		enum rc_cq_arm weakest; /* arming that this completion satisfies */
	} kinds[] = {
		{RC_OK, false, RC_CQ_ARM_ANY},
		{RC_OK, true, RC_CQ_ARM_SOLICITED},
		{RC_REMOTE_ACCESS, false, RC_CQ_ARM_ERRORS},
	};
	struct notified notified;
	struct rc_cq cq;

	for (unsigned first = RC_CQ_ARM_ERRORS; first <= RC_CQ_ARM_ANY; first++)
		for (unsigned second = RC_CQ_ARM_ERRORS; second <= RC_CQ_ARM_ANY; second++)
			for (unsigned i = 0; i < RTE_DIM(kinds); i++) {
				bool expected = RTE_MAX(first, second) >= kinds[i].weakest;

				start(&cq, &notified, 8);
				rc_cq_request_notify(&cq, (enum rc_cq_arm)first);
				rc_cq_request_notify(&cq, (enum rc_cq_arm)second);
				cr_assert(push(&cq, 0, kinds[i].status, kinds[i].solicited));
				cr_assert_eq(notified.count, expected, "%u then %u, kind %u: %u",
					first, second, i, notified.count);
				rc_cq_fini(&cq);
			}
}

/* ND-141, RC-129 */
Test(cq, overrun_told_and_final_nd141)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 2);
	cr_assert(push(&cq, 0, RC_OK, false));
	cr_assert_not(rc_cq_full(&cq));
	cr_assert(push(&cq, 1, RC_OK, false));
	cr_assert(rc_cq_full(&cq));
	cr_assert_eq(notified.count, 0);
	cr_assert_not(push(&cq, 2, RC_OK, false));
	cr_assert_eq(notified.overrun_count, 1, "told although not armed");
	cr_assert_eq(poll_one(&cq), 0);
	cr_assert_eq(poll_one(&cq), 1);
	cr_assert_not(push(&cq, 3, RC_OK, false), "final, though there is room again");
	cr_assert_eq(notified.overrun_count, 1, "told once");
	for (unsigned arm = RC_CQ_ARM_ERRORS; arm <= RC_CQ_ARM_ANY; arm++) {
		rc_cq_request_notify(&cq, (enum rc_cq_arm)arm);
		cr_assert_eq(notified.overrun_count, 1 + arm, "every arming is told at once");
	}
	rc_cq_fini(&cq);
}

/* ND-056: the reserved place of an invalidated window. */
Test(cq, window_results_do_not_use_entries_nd056)
{
	static const uint32_t sizes[] = {1, 2, 3, 4, 7, 64};
	struct notified notified;
	struct rc_cq cq;

	for (unsigned i = 0; i < RTE_DIM(sizes); i++) {
		start(&cq, &notified, sizes[i]);
		for (unsigned round = 0; round < 3; round++) {
			for (uintptr_t n = 0; n < sizes[i]; n++) {
				cr_assert(push_window(&cq, 2 * n));
				cr_assert(push(&cq, 2 * n + 1, RC_OK, false));
			}
			cr_assert(rc_cq_full(&cq));
			for (uintptr_t n = 0; n < 2 * sizes[i]; n++)
				cr_assert_eq(poll_one(&cq), n);
		}
		/* Half of a pair polled: the receive still takes its place. */
		cr_assert(push_window(&cq, 0));
		cr_assert(push(&cq, 1, RC_OK, false));
		poll_one(&cq);
		cr_assert_eq(cq.occupied, 1);
		cr_assert_eq(notified.count, 0);
		rc_cq_fini(&cq);
	}
}

/* ND-143 */
Test(cq, resize_keeps_order_refuses_below_fill_nd143)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 4);
	for (uintptr_t i = 0; i < 3; i++)
		cr_assert(push(&cq, i, RC_OK, false));
	poll_one(&cq);
	cr_assert(push(&cq, 3, RC_OK, false));
	cr_assert(push_window(&cq, 4));
	cr_assert(push(&cq, 5, RC_OK, false));

	cr_assert_eq(rc_cq_resize(&cq, 3), RC_QUEUE_FULL);
	cr_assert_eq(rc_cq_resize(&cq, 0), RC_INVALID_ARGUMENT);
	cr_assert_eq(rc_cq_resize(&cq, LIMIT_CQ_ENTRIES + 1), RC_INVALID_ARGUMENT);
	cr_assert_eq(cq.entries, 4, "unchanged");
	cr_assert_eq(rc_cq_resize(&cq, 100), RC_OK);
	cr_assert_eq(rc_cq_resize(&cq, 4), RC_OK);
	for (uintptr_t i = 1; i < 6; i++)
		cr_assert_eq(poll_one(&cq), i);
	for (uintptr_t i = 0; i < 4; i++)
		cr_assert(push(&cq, i, RC_OK, false));
	cr_assert(rc_cq_full(&cq));
	rc_cq_fini(&cq);
}

Test(cq, resize_keeps_arming_nd143)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 4);
	rc_cq_request_notify(&cq, RC_CQ_ARM_SOLICITED);
	cr_assert_eq(rc_cq_resize(&cq, 8), RC_OK);
	cr_assert(push(&cq, 0, RC_OK, true));
	cr_assert_eq(notified.count, 1);
	rc_cq_fini(&cq);
}
