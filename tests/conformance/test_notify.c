/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND H): completion queues and
 * notifications.
 */

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_common.h>

#include "dial.h"
#include "support/engines.h"

TestSuite(nd_notify, .init = scene_connected, .fini = scene_close);

static struct nd_cq *
inbound(void)
{
	return scene.side[OWNER].inbound;
}

/**
 * Send empty messages from the peer, and wait until the owner's inbound queue has their results.
 */
static void
messages(unsigned int count, struct nd_result *received, uint32_t flags)
{
	struct nd_result sent[8];

	cr_assert_leq(count, RTE_DIM(sent));
	for (unsigned int i = 0; i < count; i++) {
		scene_receive(OWNER, &received[i]);
		ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent[i], NULL, 0, flags),
			ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent[i]), ND_SUCCESS);
	}
}

static void
take(unsigned int count)
{
	struct nd_result *got[8];

	cr_assert_eq(nd_cq_get_results(inbound(), got, count), count);
}

static nd_status
status_of(struct nd_overlapped *overlapped)
{
	return nd_overlapped_get_result(overlapped, NULL, false);
}

/** Request a notification of the owner's inbound queue. Fail unless the notification is pending. */
static void
arm(uint32_t type, struct nd_overlapped *notify)
{
	ASSERT_ND(nd_cq_notify(inbound(), type, notify), ND_PENDING);
}

/*
 * GetResults returns at once with at most the requested number of results. The number 0 means that
 * the queue is empty.
 */
Test(nd_notify, nd_127_results_are_taken_without_waiting)
{
	struct nd_result received[5], *got[8] = {NULL};

	cr_assert_eq(nd_cq_get_results(inbound(), got, 8), 0);
	cr_assert_eq(nd_cq_get_results(inbound(), NULL, 0), 0);
	messages(5, received, 0);
	cr_assert_eq(nd_cq_get_results(inbound(), got, 2), 2);
	cr_assert_eq(nd_cq_get_results(inbound(), got + 2, 8 - 2), 3);
	for (unsigned int i = 0; i < 5; i++)
		cr_assert_eq(got[i], &received[i], "place %u", i);
	cr_assert_null(got[5], "more than there are");
	cr_assert_eq(nd_cq_get_results(inbound(), got, 8), 0);
}

Test(nd_notify, nd_128_no_notification_without_notify)
{
	struct nd_overlapped notify = {.event_fd = eventfd(0, EFD_NONBLOCK)};
	struct nd_result received[3];
	eventfd_t count;

	arm(ND_CQ_NOTIFY_ANY, &notify);
	messages(1, received, 0);
	ASSERT_ND(status_of(&notify), ND_SUCCESS);
	cr_assert_eq(eventfd_read(notify.event_fd, &count), 0);
	cr_assert_eq(count, 1);
	messages(2, received + 1, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_neq(eventfd_read(notify.event_fd, &count), 0, "told without being asked");
	close(notify.event_fd);
}

Test(nd_notify, nd_129_any_completion_notifies)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_overlapped notify[3] = {0};
	struct nd_result received, sent;

	arm(ND_CQ_NOTIFY_ANY, &notify[0]);
	messages(1, &received, 0);
	ASSERT_ND(status_of(&notify[0]), ND_SUCCESS);
	take(1);
	ASSERT_ND(nd_cq_notify(owner->outbound, ND_CQ_NOTIFY_ANY, &notify[1]), ND_PENDING);
	scene_receive(PEER, &received);
	scene_send(OWNER, &sent);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &sent), ND_SUCCESS);
	ASSERT_ND(status_of(&notify[1]), ND_SUCCESS);
	arm(ND_CQ_NOTIFY_ANY, &notify[2]);
	scene_receive(OWNER, &received);
	ASSERT_ND(status_of(&notify[2]), ND_PENDING);
	ASSERT_ND(nd_endpoint_flush(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &notify[2]), ND_SUCCESS);
}

static struct nd_result *seen;

/** Callback of a notification. Takes the result that must be in the queue. */
static void
take_notified(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	cr_assert_eq(nd_cq_get_results(arg, &seen, 1), 1, "the result is not there yet");
}

/*
 * A notification of type SOLICITED completes when a message with the solicit flag has arrived and
 * its result can be taken.
 */
Test(nd_notify, nd_130_solicited_message_notifies)
{
	struct nd_overlapped notify = {.callback = take_notified, .callback_arg = inbound()};
	struct nd_result received;

	arm(ND_CQ_NOTIFY_SOLICITED, &notify);
	messages(1, &received, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	ASSERT_ND(status_of(&notify), ND_SUCCESS);
	cr_assert_eq(seen, &received);
}

/*
 * A notification of type SOLICITED completes neither for other messages nor for successful local
 * requests.
 */
Test(nd_notify, nd_131_unsolicited_success_does_not_notify)
{
	/* Static, because these notifications are still pending when the test returns. */
	static struct nd_overlapped notify[2];
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_result received[2], sent;

	arm(ND_CQ_NOTIFY_SOLICITED, &notify[0]);
	ASSERT_ND(nd_cq_notify(owner->outbound, ND_CQ_NOTIFY_SOLICITED, &notify[1]), ND_PENDING);
	messages(2, received, 0);
	scene_receive(PEER, &received[0]);
	ASSERT_ND(nd_endpoint_send(
			  owner->endpoint, &sent, NULL, 0, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &sent), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(status_of(&notify[i]), ND_PENDING);
}

Test(nd_notify, nd_132_failure_notifies_every_type)
{
	static const uint32_t types[] = {
		ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_SOLICITED};
	struct nd_result received, *got;

	for (unsigned int i = 0; i < RTE_DIM(types); i++) {
		struct nd_overlapped notify = {0};

		scene_receive(OWNER, &received);
		arm(types[i], &notify);
		ASSERT_ND(nd_endpoint_flush(scene.side[OWNER].endpoint), ND_SUCCESS);
		ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &notify), ND_SUCCESS);
		nd_pair_take(&scene, inbound(), &got, 1);
		ASSERT_ND(got->status, ND_CANCELED);
		scene_reconnect();
	}
}

/* A success does not complete a notification of type ERRORS, even if its message was solicited. */
Test(nd_notify, nd_133_successes_do_not_notify_errors)
{
	struct nd_overlapped notify = {0};
	struct nd_result received[4];

	arm(ND_CQ_NOTIFY_ERRORS, &notify);
	messages(1, received, 0);
	messages(1, received + 1, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	ASSERT_ND(status_of(&notify), ND_PENDING);
	take(2);
	scene_receive(OWNER, &received[2]);
	ASSERT_ND(nd_endpoint_flush(scene.side[OWNER].endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &notify), ND_SUCCESS);
}

Test(nd_notify, nd_134_completion_notifies_once)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_result received[2];

	arm(ND_CQ_NOTIFY_ANY, &notify[0]);
	messages(1, received, 0);
	ASSERT_ND(status_of(&notify[0]), ND_SUCCESS);
	take(1);
	arm(ND_CQ_NOTIFY_ANY, &notify[1]);
	nd_pair_quiet(&scene, inbound());
	ASSERT_ND(status_of(&notify[1]), ND_PENDING);
	messages(1, received + 1, 0);
	ASSERT_ND(status_of(&notify[1]), ND_SUCCESS);
}

Test(nd_notify, nd_135_completion_notifies_all)
{
	struct nd_overlapped notify[5] = {0};
	struct nd_result received;

	for (unsigned int i = 0; i < 5; i++)
		arm(ND_CQ_NOTIFY_ANY, &notify[i]);
	messages(1, &received, 0);
	for (unsigned int i = 0; i < 5; i++)
		ASSERT_ND(status_of(&notify[i]), ND_SUCCESS);
}

Test(nd_notify, nd_136_completion_before_notify_is_not_missed)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_result received[3];

	messages(1, received, 0);
	ASSERT_ND(nd_pair_finish(&scene, nd_cq_notify(inbound(), ND_CQ_NOTIFY_ANY, &notify[0]),
			  &notify[0]),
		ND_SUCCESS);
	take(1);
	/* Two results are added, and only one is taken before the next Notify. */
	messages(2, received + 1, 0);
	take(1);
	ASSERT_ND(nd_pair_finish(&scene, nd_cq_notify(inbound(), ND_CQ_NOTIFY_ANY, &notify[1]),
			  &notify[1]),
		ND_SUCCESS);
}

/* If ANY is requested while SOLICITED is pending, both notifications complete like ANY. */
Test(nd_notify, nd_137_any_behind_solicited_is_any)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_result received;

	arm(ND_CQ_NOTIFY_SOLICITED, &notify[0]);
	arm(ND_CQ_NOTIFY_ANY, &notify[1]);
	messages(1, &received, 0);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(status_of(&notify[i]), ND_SUCCESS);
}

/**
 * Call Notify until the call stays pending, and cancel the last Notify. Afterwards only a new
 * completion can complete a Notify.
 */
static void
forget_past(void)
{
	struct nd_overlapped notify = {0};

	while (nd_cq_notify(inbound(), ND_CQ_NOTIFY_ANY, &notify) == ND_SUCCESS)
		;
	ASSERT_ND(nd_overlapped_cancel(&notify), ND_SUCCESS);
}

/**
 * Request two notifications and find out which events complete both of them.
 * @return 0 if only a failed request does, 1 if a solicited message does as well, 2 if any message
 * does
 */
static unsigned int
strength(uint32_t first, uint32_t second)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_result received[3];
	unsigned int found = 0;

	forget_past();
	arm(first, &notify[0]);
	arm(second, &notify[1]);
	messages(1, received, 0);
	if (status_of(&notify[0]) == ND_SUCCESS) {
		found = 2;
	} else {
		messages(1, received + 1, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
		found = status_of(&notify[0]) == ND_SUCCESS;
	}
	cr_assert_eq(status_of(&notify[0]), status_of(&notify[1]), "only one of them is told");
	ASSERT_ND(nd_cq_cancel_overlapped_requests(inbound()), ND_SUCCESS);
	scene_reconnect();
	return found;
}

/* If notifications of two types are pending, the type that reports more events applies to both. */
Test(nd_notify, nd_138_stronger_arm_holds)
{
	static const uint32_t types[] = {
		ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_SOLICITED, ND_CQ_NOTIFY_ANY};

	for (unsigned int i = 0; i < 3; i++) {
		for (unsigned int j = 0; j < 3; j++)
			cr_assert_eq(strength(types[i], types[j]), RTE_MAX(i, j),
				"type %u, then %u", types[i], types[j]);
	}
}

/*
 * If earlier notifications have reported all completions, Notify completes at once or at the next
 * completion.
 */
Test(nd_notify, nd_139_arming_with_old_results_loses_nothing)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_result received[2];
	nd_status status;

	arm(ND_CQ_NOTIFY_ANY, &notify[0]);
	messages(1, received, 0);
	ASSERT_ND(status_of(&notify[0]), ND_SUCCESS);
	status = nd_cq_notify(inbound(), ND_CQ_NOTIFY_ANY, &notify[1]);
	cr_assert(status == ND_SUCCESS || status == ND_PENDING, "%s", nd_status_name(status));
	messages(1, received + 1, 0);
	if (status == ND_PENDING)
		status = status_of(&notify[1]);
	ASSERT_ND(status, ND_SUCCESS);
	take(2);
}

Test(nd_notify, nd_140_new_result_is_told_at_once)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_result received[2];

	arm(ND_CQ_NOTIFY_ANY, &notify[0]);
	messages(2, received, 0);
	ASSERT_ND(status_of(&notify[0]), ND_SUCCESS);
	ASSERT_ND(nd_cq_notify(inbound(), ND_CQ_NOTIFY_ANY, &notify[1]), ND_SUCCESS);
}

/*
 * If a completion queue overruns, Notify ends with ND_BUFFER_OVERFLOW. Afterwards neither the queue
 * nor its endpoints can be used.
 */
Test(nd_notify, nd_141_overrun_is_final)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_overlapped notify[2] = {0};
	struct nd_result received[3], sent[3], *got[8], more;
	size_t left;

	ASSERT_ND(nd_cq_resize(inbound(), 2), ND_SUCCESS);
	arm(ND_CQ_NOTIFY_ERRORS, &notify[0]);
	for (unsigned int i = 0; i < 3; i++) {
		scene_receive(OWNER, &received[i]);
		scene_send(PEER, &sent[i]);
	}
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &notify[0]), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_cq_notify(inbound(), ND_CQ_NOTIFY_ANY, &notify[1]), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &more, NULL, 0, 0), ND_CONNECTION_INVALID);
	/*
	 * Results that were in the queue before the overrun may be taken. No new results are added.
	 */
	left = nd_cq_get_results(inbound(), got, 8);
	cr_assert_leq(left, 2);
	nd_pair_quiet(&scene, inbound());
}

Test(nd_notify, nd_142_release_cancels_notifications)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_cq *cq = NULL;

	ASSERT_ND(nd_engine_create_completion_queue(test_home(scene.side[OWNER].adapter), 4, &cq),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_cq_notify(cq, i, &notify[i]), ND_PENDING);
	ASSERT_ND(nd_cq_release(cq), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(status_of(&notify[i]), ND_CANCELED);
}

/*
 * A resize to fewer entries than there are results returns ND_BUFFER_OVERFLOW. A resize never loses
 * results.
 */
Test(nd_notify, nd_143_resize_keeps_results)
{
	struct nd_result received[6], *got[6];

	messages(6, received, 0);
	ASSERT_ND(nd_cq_resize(inbound(), 5), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_cq_resize(inbound(), 6), ND_SUCCESS);
	ASSERT_ND(nd_cq_resize(inbound(), 5000), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(inbound(), got, 3), 3);
	ASSERT_ND(nd_cq_resize(inbound(), 3), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(inbound(), got + 3, 6 - 3), 3);
	for (unsigned int i = 0; i < 6; i++)
		cr_assert_eq(got[i], &received[i], "place %u", i);
}

static void
queues(struct nd_cq *cqs[2])
{
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_engine_create_completion_queue(
				  test_home(scene.side[OWNER].adapter), 4, &cqs[i]),
			ND_SUCCESS);
}

Test(nd_notify, nd_145_cancel_concerns_one_queue)
{
	struct nd_overlapped notify[4] = {0};
	struct nd_cq *cqs[2];

	queues(cqs);
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_ND(nd_cq_notify(cqs[i % 2], ND_CQ_NOTIFY_ANY, &notify[i]), ND_PENDING);
	ASSERT_ND(nd_cq_cancel_overlapped_requests(cqs[1]), ND_SUCCESS);
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_ND(status_of(&notify[i]), i % 2 == 1 ? ND_CANCELED : ND_PENDING);
	ASSERT_ND(nd_cq_cancel_overlapped_requests(cqs[0]), ND_SUCCESS);
}

static struct nd_overlapped *reported[8];
static unsigned int reports;

static void
report(struct nd_overlapped *overlapped, void *arg)
{
	(void)arg;
	ASSERT_ND(status_of(overlapped), ND_CANCELED);
	reported[reports++] = overlapped;
}

Test(nd_notify, nd_146_cancellation_is_reported_at_the_return)
{
	struct nd_overlapped notify = {.event_fd = eventfd(0, EFD_NONBLOCK), .callback = report};
	eventfd_t count;

	arm(ND_CQ_NOTIFY_ANY, &notify);
	ASSERT_ND(nd_cq_cancel_overlapped_requests(inbound()), ND_SUCCESS);
	cr_assert_eq(reports, 1);
	cr_assert_eq(eventfd_read(notify.event_fd, &count), 0);
	cr_assert_eq(count, 1);
	ASSERT_ND(status_of(&notify), ND_CANCELED);
	close(notify.event_fd);
}

/*
 * Cancelled notifications are reported in the order of the Cancel calls, and for each queue in the
 * order of the Notify calls.
 */
Test(nd_notify, nd_147_cancellations_are_reported_in_order)
{
	struct nd_overlapped notify[4];
	struct nd_cq *cqs[2];

	queues(cqs);
	for (unsigned int i = 0; i < 4; i++) {
		notify[i] = (struct nd_overlapped){.callback = report};
		ASSERT_ND(nd_cq_notify(cqs[i / 2], ND_CQ_NOTIFY_ANY, &notify[i]), ND_PENDING);
	}
	ASSERT_ND(nd_cq_cancel_overlapped_requests(cqs[1]), ND_SUCCESS);
	ASSERT_ND(nd_cq_cancel_overlapped_requests(cqs[0]), ND_SUCCESS);
	cr_assert_eq(reports, 4);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(reported[i], &notify[(i + 2) % 4], "place %u", i);
}

Test(nd_notify, nd_148_many_cancellations)
{
	struct nd_overlapped notify[2];
	struct nd_result received;

	for (unsigned int round = 0; round < 10000; round++) {
		reports = 0;
		for (unsigned int i = 0; i < 2; i++) {
			notify[i] = (struct nd_overlapped){.callback = report};
			arm(ND_CQ_NOTIFY_ANY, &notify[i]);
		}
		ASSERT_ND(nd_cq_cancel_overlapped_requests(inbound()), ND_SUCCESS);
		cr_assert(reports == 2 && reported[0] == &notify[0] && reported[1] == &notify[1],
			"round %u", round);
	}
	notify[0] = (struct nd_overlapped){0};
	arm(ND_CQ_NOTIFY_ANY, &notify[0]);
	messages(1, &received, 0);
	ASSERT_ND(status_of(&notify[0]), ND_SUCCESS);
}
