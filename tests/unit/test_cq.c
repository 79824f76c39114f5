/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_memory.h>

#include "base/limits.h"
#include "base/random.h"
#include "rc/cq.h"
#include "support/eal.h"

/* Test rules ND-127..ND-143 for the completion queue. Other tests check status codes. */

struct notified {
	unsigned count;
	unsigned overrun_count;
	struct rc_cq *cq;
	uint32_t readable; /* completions that can be polled in the notification */
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

/* ND-127: poll returns the requested number of results, or as many as exist. */
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
	cq.head = cq.tail = UINT32_MAX - 3; /* the free-running indices will wrap */
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

Test(cq, invalidated_windows_are_counted_apart)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 4);
	cr_assert(push(&cq, 1, RC_OK, false));
	cr_assert(push_window(&cq, 2));
	cr_assert(push(&cq, 3, RC_OK, false));
	cr_assert(push_window(&cq, 4));
	cr_assert(push(&cq, 5, RC_OK, false));
	for (uintptr_t number = 1; number <= 5; number++) {
		cr_assert_eq(cq.invalidated, (5 - number + 1) / 2);
		cr_assert_eq(poll_one(&cq), number);
	}
	cr_assert_eq(cq.invalidated, 0);
	rc_cq_fini(&cq);
}

/* ND-128: if the queue is not armed, it makes no notification. */
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

/* ND-129, ND-130: when a notification is made, the completion for it can already be polled. */
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

/* ND-130, ND-131: a queue armed for solicited results does not notify for an unsolicited result. */
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

/* ND-132, ND-133: a failed result makes a notification, whatever the queue is armed for. */
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

/* ND-133: a queue armed for errors does not notify for a success. */
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

/* ND-134, ND-139: an already notified completion makes no notification after a new arming. */
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

/* ND-136, ND-140: if a completion arrives just before the arming, the arming notifies at once. */
Test(cq, completion_before_arming_notifies_at_once_nd136_nd140)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 8);
	cr_assert(push(&cq, 0, RC_OK, false));
	poll_one(&cq);
	cr_assert(push(&cq, 1, RC_OK, false)); /* after the last poll */
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

/* ND-137, ND-138: if the queue is armed twice, the stronger arming counts. */
Test(cq, rearming_never_weakens_nd137_nd138)
{
	static const struct {
		enum rc_status status;
		bool solicited;
		/* weakest arming with which this completion makes a notification */
		enum rc_cq_arm weakest;
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

/* ND-141, RC-129: an overrun is reported once. From then on, the queue stays in the error state. */
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

/* ND-056: the result of an invalidated window uses a reserved slot, not a usual entry. */
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
		cr_assert(push_window(&cq, 0));
		cr_assert(push(&cq, 1, RC_OK, false));
		poll_one(&cq);
		cr_assert_eq(rc_cq_occupied(&cq), 1);
		cr_assert_eq(notified.count, 0);
		rc_cq_fini(&cq);
	}
}

/* ND-143: a queue with completions cannot be made smaller than their number. */
Test(cq, resize_keeps_order_refuses_below_fill_nd143)
{
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 4);
	/* Use all 8 slots of the ring once, so that later results wrap to its beginning. */
	for (uintptr_t i = 0; i < 8; i++)
		cr_assert(push(&cq, i, RC_OK, false) && (i > 5 || poll_one(&cq) == i));
	cr_assert(push(&cq, 8, RC_OK, false));
	cr_assert(push_window(&cq, 9));
	cr_assert(push(&cq, 10, RC_OK, false));

	cr_assert_eq(rc_cq_resize(&cq, 3), RC_QUEUE_FULL);
	cr_assert_eq(rc_cq_resize(&cq, 0), RC_INVALID_ARGUMENT);
	cr_assert_eq(rc_cq_resize(&cq, LIMIT_CQ_ENTRIES + 1), RC_INVALID_ARGUMENT);
	cr_assert_eq(cq.entries, 4, "unchanged");
	cr_assert_eq(rc_cq_resize(&cq, 100), RC_OK);
	cr_assert_eq(rc_cq_resize(&cq, 4), RC_OK);
	for (uintptr_t i = 6; i < 11; i++)
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

/*
 * rc_cq_push_done() is a short form of rc_cq_push() for a success without further data. Two queues
 * of the same size get the same results, one by each function, and must stay equal.
 */
struct twins {
	struct rc_cq plain;
	struct rc_cq brief; /* filled by rc_cq_push_done() */
	struct notified plain_notified;
	struct notified brief_notified;
	uint64_t seed;
};

#define OWNER ((void *)0xBEEF)

static void
twins_start(struct twins *twins, uint32_t entries, uint64_t seed)
{
	start(&twins->plain, &twins->plain_notified, entries);
	start(&twins->brief, &twins->brief_notified, entries);
	twins->seed = seed;
	/* Fill the slots, so that members that only one function writes are detected. */
	for (uint32_t i = 0; i <= twins->plain.mask; i++) {
		memset(&twins->plain.ring[i], 0xA5, sizeof(twins->plain.ring[i]));
		memset(&twins->brief.ring[i], 0xA5, sizeof(twins->brief.ring[i]));
	}
}

static void
twins_stop(struct twins *twins)
{
	rc_cq_fini(&twins->plain);
	rc_cq_fini(&twins->brief);
}

#define TWINS_EQUAL(member)                                                                        \
	cr_assert_eq(twins->plain.member, twins->brief.member,                                     \
		"seed %" PRIu64 ": " #member " is %" PRIu64 " by push, %" PRIu64 " by push_done",  \
		twins->seed, (uint64_t)twins->plain.member, (uint64_t)twins->brief.member)

static void
twins_compare(const struct twins *twins)
{
	TWINS_EQUAL(head);
	TWINS_EQUAL(tail);
	TWINS_EQUAL(invalidated);
	TWINS_EQUAL(arm);
	TWINS_EQUAL(unseen);
	TWINS_EQUAL(unseen_solicited);
	TWINS_EQUAL(unseen_error);
	TWINS_EQUAL(overrun);
	cr_assert_eq(twins->plain_notified.count, twins->brief_notified.count,
		"seed %" PRIu64 ": notified %u times by push, %u by push_done", twins->seed,
		twins->plain_notified.count, twins->brief_notified.count);
	cr_assert_eq(twins->plain_notified.overrun_count, twins->brief_notified.overrun_count);
	cr_assert_eq(twins->plain_notified.readable, twins->brief_notified.readable,
		"seed %" PRIu64 ": %u readable in the notification by push, %u by push_done",
		twins->seed, twins->plain_notified.readable, twins->brief_notified.readable);
}

static bool
twins_done(struct twins *twins, uintptr_t number)
{
	enum rc_completion_kind kind = number % 2 == 0 ? RC_COMPLETION_BIND : RC_COMPLETION_WRITE;
	uint32_t bytes = number % 2 == 0 ? 0 : UINT32_C(0x80000000) - (uint32_t)number;
	bool plain = rc_cq_push(&twins->plain,
		&(struct rc_completion){
			.context = (void *)number, .kind = kind, .bytes = bytes, .owner = OWNER});
	bool brief = rc_cq_push_done(&twins->brief, (void *)number, kind, bytes, OWNER);

	cr_assert_eq(plain, brief, "seed %" PRIu64 ": push returns %d, push_done %d", twins->seed,
		plain, brief);
	twins_compare(twins);
	return brief;
}

static void
twins_push(struct twins *twins, uintptr_t number, enum rc_status status, bool solicited)
{
	cr_assert_eq(push(&twins->plain, number, status, solicited),
		push(&twins->brief, number, status, solicited));
	twins_compare(twins);
}

static void
twins_arm(struct twins *twins, enum rc_cq_arm arm)
{
	rc_cq_request_notify(&twins->plain, arm);
	rc_cq_request_notify(&twins->brief, arm);
	twins_compare(twins);
}

/* Remove the oldest result of both queues, by peek and drop or by take. @return false if empty */
static bool
twins_take(struct twins *twins, bool by_peek)
{
	const struct rc_completion *brief;
	struct rc_completion plain;

	if (by_peek) {
		brief = rc_cq_peek(&twins->brief);
		if (brief != NULL)
			rc_cq_drop(&twins->brief);
	} else {
		brief = rc_cq_take(&twins->brief);
	}
	cr_assert_eq(rc_cq_poll(&twins->plain, &plain, 1), brief != NULL);
	twins_compare(twins);
	if (brief == NULL)
		return false;
	cr_assert_eq(plain.context, brief->context);
	cr_assert_eq(plain.status, brief->status);
	cr_assert_eq(plain.kind, brief->kind);
	cr_assert_eq(plain.bytes, brief->bytes, "%u bytes, %u", plain.bytes, brief->bytes);
	cr_assert_eq(plain.owner, brief->owner);
	cr_assert_eq(plain.solicited, brief->solicited);
	cr_assert_eq(plain.flags, brief->flags);
	cr_assert_eq(plain.immediate, brief->immediate);
	return true;
}

/* ND-129, ND-131, ND-133, ND-134: both functions notify alike, armed before or after the push. */
Test(cq, push_done_notifies_as_push_nd129_nd134)
{
	for (unsigned arm = RC_CQ_ARM_NONE; arm <= RC_CQ_ARM_ANY; arm++) {
		struct twins twins;
		unsigned expected = arm == RC_CQ_ARM_ANY;

		twins_start(&twins, 4, arm);
		twins_arm(&twins, (enum rc_cq_arm)arm);
		cr_assert(twins_done(&twins, 0));
		cr_assert_eq(twins.brief_notified.count, expected, "arming %u: %u", arm,
			twins.brief_notified.count);
		cr_assert(twins_done(&twins, 1));
		cr_assert_eq(twins.brief_notified.count, expected, "once per arming");
		twins_stop(&twins);

		twins_start(&twins, 4, arm);
		cr_assert(twins_done(&twins, 0));
		cr_assert(twins_take(&twins, true));
		/* ND-136: arm after the push and the poll */
		twins_arm(&twins, (enum rc_cq_arm)arm);
		cr_assert_eq(twins.brief_notified.count, expected, "arming %u afterwards: %u", arm,
			twins.brief_notified.count);
		twins_stop(&twins);
	}
}

/* ND-138: an earlier, stronger arming stays valid. ND-136: an earlier error is still reported. */
Test(cq, push_done_keeps_what_is_unseen_nd136)
{
	struct twins twins;

	twins_start(&twins, 8, 0);
	twins_push(&twins, 0, RC_FLUSHED, false);
	twins_push(&twins, 1, RC_OK, true);
	cr_assert(twins_done(&twins, 2));
	cr_assert_eq(twins.brief_notified.count, 0);
	twins_arm(&twins, RC_CQ_ARM_ERRORS);
	cr_assert_eq(twins.brief_notified.count, 1, "the error before it");
	cr_assert(twins_done(&twins, 3));
	twins_arm(&twins, RC_CQ_ARM_SOLICITED);
	cr_assert_eq(twins.brief_notified.count, 1, "a success without more is not solicited");
	twins_push(&twins, 4, RC_OK, true);
	cr_assert_eq(twins.brief_notified.count, 2);
	while (twins_take(&twins, true))
		;
	twins_stop(&twins);
}

/* ND-141, RC-129: rc_cq_push_done() causes the same overrun as rc_cq_push(). */
Test(cq, push_done_overruns_as_push_nd141)
{
	for (unsigned arm = RC_CQ_ARM_NONE; arm <= RC_CQ_ARM_ANY; arm++) {
		struct twins twins;

		twins_start(&twins, 3, arm);
		for (uintptr_t i = 0; i < 3; i++)
			cr_assert(twins_done(&twins, i));
		cr_assert(rc_cq_full(&twins.brief));
		twins_arm(&twins, RC_CQ_ARM_ERRORS);
		twins_arm(&twins, (enum rc_cq_arm)arm);
		cr_assert_not(twins_done(&twins, 3), "one too many");
		cr_assert_eq(twins.brief_notified.overrun_count, 1);
		while (twins_take(&twins, false))
			;
		cr_assert_eq(twins.brief.head, 3, "%u could be read", twins.brief.head);
		cr_assert_not(twins_done(&twins, 4), "final, though there is room again");
		cr_assert_eq(twins.brief_notified.overrun_count, 1, "told once");
		twins_stop(&twins);
	}
}

/* ND-056: results of windows use no entries, whichever function pushes the other results. */
Test(cq, push_done_counts_beside_window_results_nd056)
{
	struct twins twins;

	twins_start(&twins, 4, 0);
	for (uintptr_t round = 0; round < 100; round++) {
		bool by_peek = round % 2 == 0;

		cr_assert(twins_done(&twins, 8 * round));
		cr_assert(push_window(&twins.plain, 8 * round + 1));
		cr_assert(push_window(&twins.brief, 8 * round + 1));
		twins_push(&twins, 8 * round + 2, RC_OK, false);
		cr_assert(twins_done(&twins, 8 * round + 3));
		cr_assert_eq(rc_cq_occupied(&twins.brief), 3);
		cr_assert(twins_take(&twins, by_peek));
		cr_assert_eq(rc_cq_occupied(&twins.brief), 2);
		cr_assert(twins_take(&twins, by_peek));
		cr_assert_eq(rc_cq_occupied(&twins.brief), 2, "the result of a window counted");
		cr_assert(twins_take(&twins, !by_peek));
		cr_assert(twins_take(&twins, !by_peek));
		cr_assert_eq(rc_cq_occupied(&twins.brief), 0);
		cr_assert_not(twins_take(&twins, by_peek));
	}
	cr_assert_eq(twins.brief_notified.count, 0);
	twins_stop(&twins);
}

/* rc_cq_peek() leaves the result in the queue. A taken result is readable until the next push. */
Test(cq, peek_keeps_drop_and_take_give_up)
{
	const struct rc_completion *first, *second;
	struct notified notified;
	struct rc_cq cq;

	start(&cq, &notified, 2);
	cr_assert_null(rc_cq_peek(&cq));
	cr_assert_null(rc_cq_take(&cq));
	cr_assert(rc_cq_push_done(&cq, (void *)1, RC_COMPLETION_BIND, 0, OWNER));
	cr_assert(rc_cq_push_done(&cq, (void *)2, RC_COMPLETION_INVALIDATE, 0, OWNER));
	first = rc_cq_peek(&cq);
	cr_assert_eq(rc_cq_peek(&cq), first);
	cr_assert_eq(rc_cq_occupied(&cq), 2, "looking takes nothing");
	cr_assert_eq((uintptr_t)first->context, 1);
	rc_cq_drop(&cq);
	cr_assert_eq((uintptr_t)first->context, 1, "still readable");
	cr_assert_eq(first->kind, RC_COMPLETION_BIND);
	second = rc_cq_take(&cq);
	cr_assert_eq((uintptr_t)second->context, 2);
	cr_assert_eq(second->kind, RC_COMPLETION_INVALIDATE);
	cr_assert_null(rc_cq_peek(&cq));
	rc_cq_fini(&cq);
}

/* Execute a random operation on both queues. One of 32 operations overruns full queues. */
static void
twins_step(struct twins *twins, struct base_random *random, uintptr_t number)
{
	if (rc_cq_full(&twins->brief) && base_random_below(random, 32) != 0) {
		twins_take(twins, base_random_below(random, 2) == 0);
		return;
	}
	switch (base_random_below(random, 8)) {
	case 0:
		twins_push(twins, number, RC_OK, base_random_below(random, 2) == 0);
		break;
	case 1:
		twins_push(twins, number, RC_REMOTE_ACCESS, false);
		break;
	case 2:
		cr_assert_eq(
			push_window(&twins->plain, number), push_window(&twins->brief, number));
		twins_push(twins, number, RC_OK, false);
		break;
	case 3:
		twins_arm(twins, (enum rc_cq_arm)base_random_below(random, RC_CQ_ARM_ANY + 1));
		break;
	case 4:
	case 5:
		twins_take(twins, base_random_below(random, 2) == 0);
		break;
	default:
		twins_done(twins, number);
	}
}

Test(cq, push_done_and_push_lead_the_same_random_lives)
{
	unsigned overruns = 0, notifications = 0;

	for (uint8_t seed = 0; seed < 100; seed++) {
		const uint8_t bytes[BASE_RANDOM_SEED_BYTES] = {seed};
		struct base_random random;
		struct twins twins;

		base_random_seed(&random, bytes);
		twins_start(&twins, 1 + base_random_below(&random, 9), seed);
		for (uintptr_t number = 0; number < 200; number++)
			twins_step(&twins, &random, number);
		while (twins_take(&twins, true))
			;
		cr_assert_eq(rc_cq_occupied(&twins.brief), 0,
			"seed %u: %u counted in an empty queue", seed,
			rc_cq_occupied(&twins.brief));
		overruns += twins.brief.overrun;
		notifications += twins.brief_notified.count;
		twins_stop(&twins);
	}
	cr_assert(overruns > 0 && overruns < 100, "%u of 100 overran", overruns);
	cr_assert_gt(notifications, 100);
}
