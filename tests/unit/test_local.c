/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "rc/local.h"

#include "requester_rig.h"

/*
 * Test the fast path for binds and invalidates: if the send queue is idle, the posting call itself
 * executes them. It sends no packet and uses no entry of the send queue.
 */

#define WINDOW_BYTES 4096u
#define OTHER_QPN    (RC_PEER_QPN + 1)
#define OTHER_OWNER  ((void *)0x124)

static struct rc_send_wr
bind_wr(struct rig *rig, uintptr_t number, struct mem_window *window, uint32_t flags)
{
	return (struct rc_send_wr){
		.opcode = RC_BIND,
		.context = rig_context(number),
		.flags = flags,
		.bind =
			{
				.region = rig->region,
				.window = window,
				.address = RIG_BASE,
				.length_bytes = WINDOW_BYTES,
				.rights = MEM_REMOTE_READ,
			},
	};
}

static struct rc_send_wr
invalidate_wr(uintptr_t number, struct mem_window *window, uint32_t flags)
{
	return (struct rc_send_wr){
		.opcode = RC_INVALIDATE,
		.context = rig_context(number),
		.flags = flags,
		.window = window,
	};
}

static uint32_t
window_bind(struct rig *rig, uintptr_t number, struct mem_window *window, uint32_t flags)
{
	struct rc_send_wr wr = bind_wr(rig, number, window, flags);
	enum rc_status status = rc_local_bind(rig->peer.qp, &wr.bind, wr.context, wr.flags);

	cr_assert_eq(status, RC_OK, "bind %lu: %s", (unsigned long)number, rc_status_name(status));
	return wr.bind.key;
}

static void
invalidate(struct rig *rig, uintptr_t number, struct mem_window *window, uint32_t flags)
{
	struct rc_send_wr wr = invalidate_wr(number, window, flags);
	enum rc_status status = rc_local_invalidate(rig->peer.qp, wr.window, wr.context, wr.flags);

	cr_assert_eq(
		status, RC_OK, "invalidate %lu: %s", (unsigned long)number, rc_status_name(status));
}

static struct mem_domain_stats
stats_of(const struct rig *rig)
{
	struct mem_domain_stats stats;

	mem_domain_stats(rig->peer.mem, &stats);
	return stats;
}

static void
stats_expect(struct rig *rig, uint32_t bound, uint32_t queued)
{
	struct mem_domain_stats stats = stats_of(rig);

	cr_assert_eq(stats.windows_bound, bound, "%u windows bound, %u expected",
		stats.windows_bound, bound);
	cr_assert_eq(stats.binds_queued, queued, "%u binds queued, %u expected", stats.binds_queued,
		queued);
	/* The 1 stands for the key of the region. */
	cr_assert_eq(stats.key_slots_used, 1 + bound + queued, "%u keys in use, %u expected",
		stats.key_slots_used, 1 + bound + queued);
}

static void
stats_expect_same(const struct mem_domain_stats *then, const struct mem_domain_stats *now)
{
	cr_assert_eq(then->regions, now->regions);
	cr_assert_eq(then->windows, now->windows);
	cr_assert_eq(then->windows_bound, now->windows_bound);
	cr_assert_eq(then->binds_queued, now->binds_queued);
	cr_assert_eq(then->key_slots_used, now->key_slots_used);
	cr_assert_eq(then->key_slots_resting, now->key_slots_resting);
}

static void
queue_expect_untouched(struct rig *rig)
{
	const struct rc_requester *r = rig_requester(rig);

	cr_assert_eq(r->ring.head, 0);
	cr_assert_eq(r->ring.tail, 0);
	cr_assert_eq(r->start_index, 0);
	cr_assert_eq(r->send_index, 0);
	cr_assert_eq(r->una_psn, RIG_PSN, "PSN 0x%06x", r->una_psn);
	cr_assert_eq(r->send_psn, RIG_PSN, "PSN 0x%06x", r->send_psn);
	cr_assert_eq(r->next_psn, RIG_PSN, "PSN 0x%06x", r->next_psn);
	cr_assert_eq(r->max_sent_psn, RIG_PSN, "PSN 0x%06x", r->max_sent_psn);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	cr_assert_eq(rig_run(rig), 0, "something was sent");
}

/* RC-143, RC-077: requests are executed and completed in posting order. */
Test(local, bind_and_invalidate_done_when_the_call_returns_rc143)
{
	struct rig *rig = rig_new();
	struct rc_completion completion;
	struct mem_window *window;
	uint32_t key;

	rig_start(rig);
	window = rig_window(rig);
	cr_assert(rc_local_ready(rig->peer.qp));
	key = window_bind(rig, 1, window, 0);
	cr_assert(rig_key_live(rig, key));
	stats_expect(rig, 1, 0);
	completion = rig_completed(rig, 1, RC_OK);
	cr_assert_eq(completion.kind, RC_COMPLETION_BIND);
	cr_assert_eq(completion.bytes, 0);
	cr_assert_not(completion.solicited);
	cr_assert_eq(completion.flags, 0);
	cr_assert_eq(completion.immediate, 0);
	queue_expect_untouched(rig);

	cr_assert(rc_local_ready(rig->peer.qp));
	invalidate(rig, 2, window, 0);
	cr_assert_not(rig_key_live(rig, key));
	stats_expect(rig, 0, 0);
	completion = rig_completed(rig, 2, RC_OK);
	cr_assert_eq(completion.kind, RC_COMPLETION_INVALIDATE);
	cr_assert_eq(completion.bytes, 0);
	queue_expect_untouched(rig);
	rig_not_completed(rig);

	/* The next SEND has the first PSN, because binds and invalidates use no PSN. */
	rig_post(rig, 3, RC_SEND, 0, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
	rig_stop(rig);
}

/* RC-152: only this queue pair can use the window, in the requested range with its rights. */
Test(local, bound_window_serves_this_queue_pair_only_rc152)
{
	struct rig *rig = rig_new();
	struct mem_span span;
	struct mem_access access = {
		.owner = RC_PEER_QPN,
		.address = RIG_BASE,
		.length_bytes = WINDOW_BYTES,
		.rights = MEM_REMOTE_READ,
	};

	rig_start(rig);
	access.key = window_bind(rig, 1, rig_window(rig), RC_SILENT);
	cr_assert_eq(mem_check_remote(rig->peer.mem, &access, &span), MEM_ALLOWED);
	access.length_bytes++;
	cr_assert_eq(mem_check_remote(rig->peer.mem, &access, &span), MEM_REFUSED_RANGE);
	access.length_bytes--;
	access.rights = MEM_REMOTE_WRITE;
	cr_assert_eq(mem_check_remote(rig->peer.mem, &access, &span), MEM_REFUSED_RIGHTS);
	access.rights = MEM_REMOTE_READ;
	access.owner = OTHER_QPN;
	cr_assert_eq(mem_check_remote(rig->peer.mem, &access, &span), MEM_REFUSED_OWNER);
	/* SEC-011: the end of the queue pair invalidates the window. */
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	access.owner = RC_PEER_QPN;
	cr_assert_eq(mem_check_remote(rig->peer.mem, &access, &span), MEM_REFUSED_KEY);
	stats_expect(rig, 0, 0);
	rig_stop(rig);
}

/* RC-157: a silent bind makes no completion. Each bind gives the window a new key. */
Test(local, silent_gives_no_completion_however_often_rc157)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	uint32_t key = 0;

	rig->options.cq_entries = 2;
	rig_start(rig);
	window = rig_window(rig);
	for (unsigned i = 0; i < 2000; i++) {
		uint32_t before = key;

		key = window_bind(rig, i, window, RC_SILENT);
		cr_assert(rig_key_live(rig, key));
		cr_assert_not(rig_key_live(rig, before), "key 0x%08x again", before);
		invalidate(rig, i, window, RC_SILENT);
		cr_assert_not(rig_key_live(rig, key));
	}
	rig_not_completed(rig);
	cr_assert_eq(rc_cq_occupied(&rig->peer.send_cq), 0);
	cr_assert_eq(rig->peer.send_notify_count, 0);
	stats_expect(rig, 0, 0);
	queue_expect_untouched(rig);
	rig_stop(rig);
}

/* RC-142: if no READ is outstanding, a fence does not wait. */
Test(local, fence_on_an_idle_queue_waits_for_nothing_rc142)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	uint32_t key;

	rig_start(rig);
	window = rig_window(rig);
	key = window_bind(rig, 1, window, RC_FENCE);
	cr_assert(rig_key_live(rig, key));
	invalidate(rig, 2, window, RC_FENCE | RC_SILENT);
	cr_assert_not(rig_key_live(rig, key));
	rig_completed(rig, 1, RC_OK);
	rig_not_completed(rig);
	rig_stop(rig);
}

/* ND-129: completions of binds and invalidates make one notification per arming. */
Test(local, armed_completion_queue_is_told_nd129)
{
	struct rig *rig = rig_new();
	struct mem_window *window;

	rig_start(rig);
	window = rig_window(rig);
	rc_cq_request_notify(&rig->peer.send_cq, RC_CQ_ARM_ANY);
	window_bind(rig, 1, window, RC_SILENT);
	cr_assert_eq(rig->peer.send_notify_count, 0, "of a silent one");
	invalidate(rig, 2, window, 0);
	cr_assert_eq(rig->peer.send_notify_count, 1);
	window_bind(rig, 3, window, 0);
	cr_assert_eq(rig->peer.send_notify_count, 1, "told %u times", rig->peer.send_notify_count);
	rc_cq_request_notify(&rig->peer.send_cq, RC_CQ_ARM_SOLICITED);
	rc_cq_request_notify(&rig->peer.send_cq, RC_CQ_ARM_ANY);
	cr_assert_eq(rig->peer.send_notify_count, 2, "it came before the arming (ND-136)");
	rig_completed(rig, 2, RC_OK);
	rig_completed(rig, 3, RC_OK);
	rig_stop(rig);
}

static void
ready_expect(struct rig *rig, bool expected, const char *when)
{
	cr_assert_eq(rc_local_ready(rig->peer.qp), expected, "%s: %d", when, !expected);
}

/* RC-077: the fast path is not ready until all earlier requests have completed. */
Test(local, not_ready_while_a_request_is_in_the_queue_rc077)
{
	static const uint8_t data[16];
	struct rig *rig = rig_new();

	rig_start(rig);
	ready_expect(rig, true, "idle");
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	ready_expect(rig, false, "a SEND is posted");
	rig_run(rig);
	ready_expect(rig, false, "a SEND is not acknowledged");
	rig_answer(rig, RIG_PSN, RIG_ACK);
	ready_expect(rig, true, "the SEND is acknowledged");

	rig_post(rig, 2, RC_READ, 0, sizeof(data));
	rig_run(rig);
	ready_expect(rig, false, "a READ is outstanding");
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, RIG_PSN + 1, data, sizeof(data));
	ready_expect(rig, true, "the READ is answered");
	rig_completed(rig, 2, RC_OK);

	rig_post_bind(rig, 3, rig_window(rig), 0);
	ready_expect(rig, false, "a bind is queued");
	rig_run(rig);
	ready_expect(rig, true, "the bind is executed");
	rig_completed(rig, 3, RC_OK);

	rig_post(rig, 4, RC_SEND, 0, 8);
	rig_post_bind(rig, 5, rig_window(rig), 0);
	rig_run(rig);
	stats_expect(rig, 2, 0);
	ready_expect(rig, false, "an executed bind waits for the SEND before it");
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	ready_expect(rig, true, "both are complete");
	window_bind(rig, 6, rig_window(rig), 0);
	for (uintptr_t number = 4; number <= 6; number++)
		rig_completed(rig, number, RC_OK);
	rig_stop(rig);
}

/* RC-120: requests can be posted in state RTS only. */
Test(local, ready_when_connected_only_rc120)
{
	struct rig *rig = rig_new();

	rig->options.stay_init = true;
	rig_start(rig);
	ready_expect(rig, false, "not connected");
	cr_assert_eq(rc_qp_connect(rig->peer.qp, &rig->options.connect), RC_OK);
	ready_expect(rig, true, "connected");
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	ready_expect(rig, false, "in error");
	rig_stop(rig);
}

static void
expect_refused(struct rig *rig, struct rc_send_wr wr, enum rc_status expected)
{
	struct mem_domain_stats then = stats_of(rig), now;
	enum rc_status status = rc_local_bind(rig->peer.qp, &wr.bind, wr.context, wr.flags);

	now = stats_of(rig);
	cr_assert_eq(status, expected, "%s, %s expected", rc_status_name(status),
		rc_status_name(expected));
	stats_expect_same(&then, &now);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	cr_assert(rc_local_ready(rig->peer.qp));
	rig_not_completed(rig);
	cr_assert_eq(rig->peer.event_error_count, 0);
}

Test(local, refused_bind_leaves_nothing_behind)
{
	struct rig *rig = rig_new();
	struct mem_window *window, *bound, *dead;
	struct mem_region *gone, *plain;
	static uint8_t memory[64];
	struct rc_send_wr wr;
	uint64_t token;
	uint32_t key;

	rig_start(rig);
	window = rig_window(rig);
	bound = rig_window(rig);
	dead = rig_window(rig);
	gone = rc_peer_region(&rig->peer, memory, sizeof(memory), RIG_BASE, MEM_WINDOW_BIND);
	plain = rc_peer_region(&rig->peer, memory, sizeof(memory), RIG_BASE, MEM_WINDOW_BIND);
	cr_assert_eq(mem_window_destroy(rig->peer.mem, dead, &(struct mem_grace){0}), RC_OK);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, gone, &token), RC_OK);
	key = window_bind(rig, 1, bound, RC_SILENT);

	wr = bind_wr(rig, 2, window, 0);
	wr.bind.region = gone;
	expect_refused(rig, wr, RC_BAD_REGION);
	expect_refused(rig, bind_wr(rig, 2, dead, 0), RC_BAD_WINDOW);
	wr = bind_wr(rig, 2, window, 0);
	wr.bind.address = RIG_BASE - 1;
	expect_refused(rig, wr, RC_BAD_START);
	wr = bind_wr(rig, 2, window, RC_SILENT);
	wr.bind.length_bytes = RIG_MEMORY_BYTES + 1;
	expect_refused(rig, wr, RC_BAD_END);
	wr = bind_wr(rig, 2, window, 0);
	wr.bind.region = plain;
	wr.bind.length_bytes = sizeof(memory);
	wr.bind.rights = MEM_REMOTE_WRITE;
	expect_refused(rig, wr, RC_NO_RIGHTS);
	expect_refused(rig, bind_wr(rig, 2, bound, 0), RC_ALREADY_BOUND);
	cr_assert(rig_key_live(rig, key), "the earlier bind of it is as it was");

	/* The refused calls must not have kept a reference to a window or the region. */
	window_bind(rig, 3, window, 0);
	rig_completed(rig, 3, RC_OK);
	invalidate(rig, 4, bound, RC_SILENT);
	window_bind(rig, 5, bound, RC_SILENT);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, plain, &token), RC_OK);
	cr_assert_eq(mem_window_destroy(rig->peer.mem, window, &(struct mem_grace){0}), RC_OK);
	rig_stop(rig);
}

Test(local, bind_without_a_free_key_leaves_nothing_behind)
{
	struct rig *rig = rig_new();
	struct mem_window *window, *holder;
	struct mem_bind binds[256];
	unsigned count = 0;

	rig_start(rig);
	window = rig_window(rig);
	holder = rig_window(rig);
	binds[0] = bind_wr(rig, 0, holder, 0).bind;
	while (mem_bind_prepare(rig->peer.mem, &binds[count], rig->peer.qp->qpn) == RC_OK) {
		cr_assert_eq(
			mem_invalidate_prepare(rig->peer.mem, holder, rig->peer.qp->qpn), RC_OK);
		cr_assert_lt(++count, RTE_DIM(binds));
		binds[count] = binds[0];
	}
	cr_assert_gt(count, 0);
	expect_refused(rig, bind_wr(rig, 1, window, 0), RC_NO_RESOURCES);
	expect_refused(rig, bind_wr(rig, 1, window, RC_SILENT), RC_NO_RESOURCES);
	for (unsigned i = 0; i < count; i++)
		mem_bind_cancel(rig->peer.mem, &binds[i]);
	window_bind(rig, 2, window, 0);
	rig_completed(rig, 2, RC_OK);
	stats_expect(rig, 1, 0);
	rig_stop(rig);
}

static struct rc_qp *
other_qp(struct rig *rig)
{
	struct rc_qp_connect_attr connect = rig->options.connect;
	struct rc_qp_attr attr = rig->options.qp;
	struct rc_qp *qp = NULL;

	attr.qpn = OTHER_QPN;
	attr.owner = OTHER_OWNER;
	attr.send_cq = &rig->peer.send_cq;
	attr.receive_cq = &rig->peer.receive_cq;
	connect.remote_qpn++;
	cr_assert_eq(rc_qp_create(&rig->peer.ctx, &attr, &qp), RC_OK);
	cr_assert_eq(rc_qp_connect(qp, &connect), RC_OK);
	return qp;
}

static void
other_completed(struct rig *rig, uintptr_t number, enum rc_status status)
{
	struct rc_completion completion = rc_peer_completion(&rig->peer.send_cq);

	cr_assert_eq((uintptr_t)completion.context, number);
	cr_assert_eq(completion.owner, OTHER_OWNER);
	cr_assert_eq(completion.status, status, "%s", rc_status_name(completion.status));
}

/*
 * ND-005, ND-006: a bind is refused while the window is bound to another queue pair, even if that
 * queue pair has queued an invalidate for it.
 */
Test(local, bind_waits_for_the_invalidate_of_another_queue_pair_nd006)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	struct rc_send_wr wr;
	struct rc_qp *other;
	uint32_t key;

	rig_start(rig);
	other = other_qp(rig);
	window = rig_window(rig);
	wr = bind_wr(rig, 1, window, 0);
	cr_assert_eq(rc_local_bind(other, &wr.bind, wr.context, wr.flags), RC_OK);
	key = wr.bind.key;
	other_completed(rig, 1, RC_OK);
	expect_refused(rig, bind_wr(rig, 2, window, 0), RC_ALREADY_BOUND);

	wr = invalidate_wr(3, window, 0);
	cr_assert_eq(rc_post_send(other, &wr), RC_OK);
	cr_assert_eq(mem_invalidate_prepare(rig->peer.mem, window, rig->peer.qp->qpn), RC_OK);
	expect_refused(rig, bind_wr(rig, 4, window, 0), RC_BIND_FAILED);
	expect_refused(rig, bind_wr(rig, 4, window, RC_SILENT), RC_BIND_FAILED);
	/* The slow path may queue the same bind, because the bind will be executed later. */
	wr = bind_wr(rig, 4, window, 0);
	cr_assert_eq(mem_bind_prepare(rig->peer.mem, &wr.bind, rig->peer.qp->qpn), RC_OK);
	expect_refused(rig, bind_wr(rig, 5, window, 0), RC_ALREADY_BOUND);
	mem_bind_cancel(rig->peer.mem, &wr.bind);

	rc_qp_progress(other, rig->peer.now_ns);
	other_completed(rig, 3, RC_OK);
	stats_expect(rig, 0, 0);
	cr_assert_not(rig_key_live(rig, key));
	key = window_bind(rig, 6, window, 0);
	rig_completed(rig, 6, RC_OK);
	cr_assert(rig_key_live(rig, key), "it is the window of this queue pair now");
	rc_qp_destroy(other);
	rig_stop(rig);
}

/*
 * ND-005: if another queue pair has queued an invalidate and a bind for the window, the window is
 * reserved for that queue pair.
 */
Test(local, bind_does_not_overtake_a_bind_queued_elsewhere_nd005)
{
	struct rig *rig = rig_new();
	struct rc_send_wr unbind, again;
	struct mem_window *window;
	struct rc_qp *other;

	rig_start(rig);
	other = other_qp(rig);
	window = rig_window(rig);
	again = bind_wr(rig, 1, window, RC_SILENT);
	cr_assert_eq(rc_local_bind(other, &again.bind, again.context, again.flags), RC_OK);
	unbind = invalidate_wr(2, window, RC_SILENT);
	again = bind_wr(rig, 3, window, RC_SILENT);
	for (unsigned i = 0; i < 2; i++) {
		cr_assert_eq(rc_post_send(other, &unbind), RC_OK);
		cr_assert_eq(
			mem_invalidate_prepare(rig->peer.mem, window, rig->peer.qp->qpn), RC_OK);
		expect_refused(rig, bind_wr(rig, 4, window, 0), RC_BIND_FAILED);
		cr_assert_eq(
			mem_bind_prepare(rig->peer.mem, &again.bind, rig->peer.qp->qpn), RC_OK);
		cr_assert_eq(rc_post_send(other, &again), RC_OK);
		expect_refused(rig, bind_wr(rig, 4, window, 0), RC_ALREADY_BOUND);
	}
	rc_qp_progress(other, rig->peer.now_ns);
	rig_not_completed(rig);
	stats_expect(rig, 1, 0);
	cr_assert_not(rig_key_live(rig, again.bind.key), "it is the other queue pair's");
	rc_qp_destroy(other);
	stats_expect(rig, 0, 0);
	window_bind(rig, 5, window, RC_SILENT);
	rig_stop(rig);
}

/*
 * ND-005: another queue pair has queued a bind and an invalidate for an unbound window. After both,
 * the window will be free. Nevertheless a bind on this queue pair is refused, because it would be
 * executed before the queued bind.
 */
Test(local, bind_does_not_overtake_a_bind_queued_for_an_unbound_window_nd005)
{
	struct rig *rig = rig_new();
	struct rc_send_wr queued, unbind;
	struct mem_window *window;
	struct rc_qp *other;

	rig_start(rig);
	other = other_qp(rig);
	window = rig_window(rig);
	queued = bind_wr(rig, 1, window, RC_SILENT);
	unbind = invalidate_wr(2, window, RC_SILENT);
	cr_assert_eq(mem_bind_prepare(rig->peer.mem, &queued.bind, rig->peer.qp->qpn), RC_OK);
	cr_assert_eq(rc_post_send(other, &queued), RC_OK);
	cr_assert_eq(rc_post_send(other, &unbind), RC_OK);
	cr_assert_eq(mem_invalidate_prepare(rig->peer.mem, window, rig->peer.qp->qpn), RC_OK);
	expect_refused(rig, bind_wr(rig, 3, window, 0), RC_BIND_FAILED);
	rc_qp_progress(other, rig->peer.now_ns);
	cr_assert_eq(other->state, RC_QP_RTS, "its bind was overtaken");
	window_bind(rig, 4, window, RC_SILENT);
	rc_qp_destroy(other);
	rig_stop(rig);
}

/*
 * ND-052: an invalidate that the fast path refuses can still be queued. When it is executed, it
 * fails and ends the queue pair.
 */
static void
expect_invalidate_ends(uint32_t flags, bool bound_elsewhere)
{
	struct rig *rig = rig_new();
	struct mem_domain_stats then, now;
	struct mem_window *window;
	struct rc_send_wr wr;
	struct rc_qp *other;

	rig_start(rig);
	other = other_qp(rig);
	window = rig_window(rig);
	wr = bind_wr(rig, 1, window, RC_SILENT);
	if (bound_elsewhere)
		cr_assert_eq(rc_local_bind(other, &wr.bind, wr.context, wr.flags), RC_OK);
	then = stats_of(rig);
	wr = invalidate_wr(2, window, flags);
	cr_assert_eq(rc_local_invalidate(rig->peer.qp, wr.window, wr.context, wr.flags),
		RC_INVALIDATE_FAILED);
	now = stats_of(rig);
	stats_expect_same(&then, &now);
	rig_not_completed(rig);
	queue_expect_untouched(rig);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);

	rig_post_invalidate(rig, 2, window, flags);
	cr_assert_not(rc_local_ready(rig->peer.qp));
	rig_post(rig, 3, RC_SEND, RC_SILENT, 8);
	cr_assert_eq(rig_run(rig), 0, "something was sent");
	cr_assert_eq(rig_completed(rig, 2, RC_INVALIDATE_FAILED).kind, RC_COMPLETION_INVALIDATE);
	rig_completed(rig, 3, RC_FLUSHED);
	rig_in_error(rig, RC_INVALIDATE_FAILED);
	stats_expect(rig, bound_elsewhere, 0);
	cr_assert_eq(other->state, RC_QP_RTS);
	wr = invalidate_wr(4, window, RC_SILENT);
	cr_assert_eq(rc_local_invalidate(other, wr.window, wr.context, wr.flags),
		bound_elsewhere ? RC_OK : RC_INVALIDATE_FAILED);
	rc_qp_destroy(other);
	rig_stop(rig);
}

Test(local, invalidate_of_what_is_not_bound_here_ends_the_long_way_nd052)
{
	expect_invalidate_ends(0, false);
	expect_invalidate_ends(RC_SILENT, false);
	expect_invalidate_ends(0, true);
	expect_invalidate_ends(RC_SILENT, true);
}

Test(local, invalidate_of_a_released_window_fails)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	struct rc_send_wr wr;

	rig_start(rig);
	window = rig_window(rig);
	window_bind(rig, 1, window, RC_SILENT);
	cr_assert_eq(mem_window_destroy(rig->peer.mem, window, &(struct mem_grace){0}), RC_OK);
	wr = invalidate_wr(2, window, 0);
	cr_assert_eq(rc_local_invalidate(rig->peer.qp, wr.window, wr.context, wr.flags),
		RC_INVALIDATE_FAILED);
	rig_not_completed(rig);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	rig_stop(rig);
}

/*
 * RC-129: if the completion queue is full when a bind or an invalidate completes, the overrun is
 * reported. The queue pair ends, its windows are invalidated, and its receives are flushed.
 */
static void
expect_overrun(bool of_bind)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	struct rc_send_wr wr;
	uint32_t key;

	rig->options.cq_entries = 2;
	rig_start(rig);
	window = rig_window(rig);
	key = window_bind(rig, 1, rig_window(rig), 0);
	if (!of_bind)
		window_bind(rig, 2, window, RC_SILENT);
	window_bind(rig, 3, rig_window(rig), 0);
	rc_peer_post_receive(&rig->peer, rig_context(4), rig->region, RIG_BASE, 8);
	cr_assert_eq(rig->peer.send_notify_count, 0);
	if (of_bind) {
		wr = bind_wr(rig, 5, window, 0);
		cr_assert_eq(rc_local_bind(rig->peer.qp, &wr.bind, wr.context, wr.flags),
			RC_INTERNAL, "it was bound");
		cr_assert_not(rig_key_live(rig, wr.bind.key));
	} else {
		wr = invalidate_wr(5, window, 0);
		cr_assert_eq(rc_local_invalidate(rig->peer.qp, wr.window, wr.context, wr.flags),
			RC_INTERNAL, "it was done");
	}
	cr_assert_eq(rig->peer.send_notify_count, 1, "told %u times", rig->peer.send_notify_count);
	cr_assert(rig->peer.notify_overrun);
	rig_in_error(rig, RC_INTERNAL);
	cr_assert_not(rc_local_ready(rig->peer.qp));
	cr_assert_not(rig_key_live(rig, key));
	stats_expect(rig, 0, 0);
	cr_assert_eq(rc_peer_completion(&rig->peer.receive_cq).status, RC_FLUSHED);
	rig_completed(rig, 1, RC_OK);
	rig_completed(rig, 3, RC_OK);
	rig_not_completed(rig);
	rig_stop(rig);
}

Test(local, completion_queue_overrun_ends_the_queue_pair_rc129)
{
	expect_overrun(true);
	expect_overrun(false);
}

/* Silent requests need no entry of the completion queue, so they succeed even if it is full. */
Test(local, silent_ones_do_not_overrun_rc129)
{
	struct rig *rig = rig_new();
	struct mem_window *window;

	rig->options.cq_entries = 1;
	rig_start(rig);
	window = rig_window(rig);
	window_bind(rig, 1, window, 0);
	cr_assert(rc_cq_full(&rig->peer.send_cq));
	invalidate(rig, 2, window, RC_SILENT);
	window_bind(rig, 3, window, RC_SILENT);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	rig_completed(rig, 1, RC_OK);
	invalidate(rig, 4, window, 0);
	rig_completed(rig, 4, RC_OK);
	rig_stop(rig);
}
