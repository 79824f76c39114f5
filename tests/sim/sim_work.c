/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The random operations of an application whose connection is established. */

#include "sim_world.h"

/** Maximum number of operations that a side posts in one turn. */
#define BURST_MAX  6
/** If the plan has keys: per mille of operations that use keys of regions. */
#define KEYS_SHARE 500

/**
 * Number of consecutive turns that post nothing, from which on each such turn doubles the pause.
 */
#define REFUSED_ROUNDS 8
/** Maximum pause of an application, in ns. */
#define THINK_MAX_NS   100000000u

static uint32_t
flags_roll(struct sim_side *side)
{
	uint32_t flags = 0;

	/*
	 * The last entry is never a silent request. Otherwise a queue full of silent requests would
	 * never become empty for the application, because silent requests have no results.
	 */
	if (sim_random_chance(&side->random, 300) &&
		sim_queue_count(&side->out) + 1 < side->out.entries)
		flags |= ND_OP_FLAG_SILENT_SUCCESS;
	if (sim_random_chance(&side->random, 80))
		flags |= ND_OP_FLAG_READ_FENCE;
	return flags;
}

/** @return a random length: small, or near a multiple of the packet size, or any length */
static size_t
length_roll(struct sim_side *side, size_t max)
{
	struct sim_random *random = &side->random;
	uint32_t pmtu =
		side->world->plan
			.path_mtu[side->active ? side->node->index : side->peer->node->index];
	size_t length;

	switch (sim_random_below(random, 8)) {
	case 0:
		return 0;
	case 1:
	case 2:
		length = sim_random_below(random, 257);
		break;
	case 3:
	case 4:
		length = (size_t)pmtu * sim_random_range(random, 1, 4) +
			sim_random_below(random, 3) - 1;
		break;
	case 5:
		length = max;
		break;
	default:
		length = sim_random_below(random, (uint32_t)max + 1);
		break;
	}
	return RTE_MIN(length, max);
}

/**
 * @return index of a random window of `owner` in this state and with these rights; SIM_WINDOWS if
 * none exists
 */
static uint32_t
window_pick(struct sim_side *side, const struct sim_side *owner, enum sim_window_state state,
	uint32_t rights)
{
	uint32_t first = sim_random_below(&side->random, SIM_WINDOWS);

	for (uint32_t i = 0; i < SIM_WINDOWS; i++) {
		uint32_t index = (first + i) % SIM_WINDOWS;
		const struct sim_window *window = &owner->windows[index];

		if (window->state == state && (window->rights & rights) == rights)
			return index;
	}
	return SIM_WINDOWS;
}

bool
sim_work_reads_outstanding(
	struct sim_side *side, const struct sim_memory *remote, size_t at, size_t length)
{
	struct sim_queue *queue = &side->out;

	for (uint32_t i = queue->head; i != queue->tail; i++) {
		const struct sim_op *op = sim_queue_at(queue, i);

		/*
		 * Only READs are checked. Atomics need no fence, because the responder keeps their
		 * results for retransmissions.
		 */
		if (op->kind == SIM_OP_READ && op->remote == remote &&
			op->remote_at < at + length && at < op->remote_at + op->length)
			return true;
	}
	return false;
}

static bool
reads_outstanding(struct sim_side *side, size_t at, size_t length)
{
	return sim_work_reads_outstanding(side, &side->peer->exposed, at, length);
}

static bool
send_plain(struct sim_side *side)
{
	struct sim_send send = {
		.length = length_roll(side, side->world->plan.message_max),
		.flags = flags_roll(side),
	};

	if (sim_random_chance(&side->random, 250))
		send.flags |= ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;
	send.immediate = sim_random_chance(&side->random, 200);
	return sim_post_send(side, &send);
}

static bool
access_window(struct sim_side *side, bool write)
{
	uint32_t right = write ? ND_OP_FLAG_ALLOW_WRITE : ND_OP_FLAG_ALLOW_READ;
	uint32_t index = window_pick(side, side->peer, SIM_WINDOW_KNOWN, right);
	struct sim_access access = {.write = write, .window = index, .flags = flags_roll(side)};
	const struct sim_window *window;

	if (index == SIM_WINDOWS)
		return send_plain(side);
	if (!write && side->outbound_reads_agreed == 0 && !sim_random_chance(&side->random, 100))
		return send_plain(side);
	window = &side->peer->windows[index];
	access.length =
		length_roll(side, RTE_MIN(window->length, (size_t)side->world->plan.message_max));
	access.offset =
		sim_random_below(&side->random, (uint32_t)(window->length - access.length) + 1);
	/*
	 * A fence is needed, because the WRITE may be executed before a retransmitted READ has read
	 * its bytes.
	 */
	if (write && reads_outstanding(side, window->at + access.offset, access.length))
		access.flags |= ND_OP_FLAG_READ_FENCE;
	access.immediate = write && sim_random_chance(&side->random, 250);
	if (access.immediate && sim_random_chance(&side->random, 250))
		access.flags |= ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;
	return sim_post_access(side, &access);
}

static bool
atomic_window(struct sim_side *side)
{
	uint32_t index = window_pick(side, side->peer, SIM_WINDOW_KNOWN, ND_OP_FLAG_ALLOW_ATOMIC);
	struct sim_atomic atomic = {.window = index, .flags = flags_roll(side)};
	const struct sim_window *window;
	size_t skip;

	if (index == SIM_WINDOWS)
		return send_plain(side);
	if (side->outbound_reads_agreed == 0 && !sim_random_chance(&side->random, 100))
		return send_plain(side);
	window = &side->peer->windows[index];
	skip = sim_atomic_offset(side->peer, window);
	if (window->length < skip + 8)
		return send_plain(side);
	/*
	 * Often use the same few addresses. Then a wrong value affects later atomics and is
	 * detected.
	 */
	atomic.offset = skip +
		8 *
			(size_t)sim_random_below(&side->random,
				(uint32_t)RTE_MIN((window->length - skip) / 8, (size_t)4));
	atomic.swap = sim_random_chance(&side->random, 400);
	if (reads_outstanding(side, window->at + atomic.offset, 8))
		atomic.flags |= ND_OP_FLAG_READ_FENCE;
	return sim_post_atomic(side, &atomic);
}

/**
 * Post a READ and, without waiting for its result, a fenced SEND of the bytes that the READ will
 * write. If the queue has no room for the SEND, post only the READ.
 */
static bool
relay_window(struct sim_side *side)
{
	struct sim_op *read = sim_queue_at(&side->out, side->out.tail);
	uint64_t before = side->out.posted;

	if (!access_window(side, false))
		return false;
	if (side->out.posted == before || read->kind != SIM_OP_READ)
		return true;
	sim_post_send(side,
		&(struct sim_send){.length = read->length,
			.flags = flags_roll(side) | ND_OP_FLAG_READ_FENCE,
			.relay = read});
	return true;
}

static bool
bind_window(struct sim_side *side)
{
	static const uint32_t rights[] = {
		ND_OP_FLAG_ALLOW_READ,
		ND_OP_FLAG_ALLOW_WRITE,
		ND_OP_FLAG_ALLOW_ATOMIC,
		ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE,
		ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_ATOMIC,
		ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_ATOMIC,
	};
	uint32_t index = window_pick(side, side, SIM_WINDOW_IDLE, 0);

	if (index == SIM_WINDOWS)
		return send_plain(side);
	return sim_post_bind(
		side, index, rights[sim_random_below(&side->random, 6)], flags_roll(side));
}

static bool
announce_window(struct sim_side *side)
{
	uint32_t index = window_pick(side, side, SIM_WINDOW_BOUND, 0);
	size_t head = sizeof(struct nd_mw_descriptor);
	struct sim_send send = {
		.flags = flags_roll(side), .notice = SIM_NOTICE_WINDOW, .window = index};

	if (index == SIM_WINDOWS)
		return bind_window(side);
	send.length = head + length_roll(side, side->world->plan.message_max - head);
	if (!sim_post_send(side, &send))
		return false;
	side->windows[index].state = SIM_WINDOW_ANNOUNCED;
	return true;
}

/**
 * Post this side's last request to a window of the peer. The request either invalidates the window
 * or carries a notice that releases the window.
 */
static bool
end_window(struct sim_side *side)
{
	uint32_t index = window_pick(side, side->peer, SIM_WINDOW_KNOWN, 0);
	struct sim_window *window = &side->peer->windows[index % SIM_WINDOWS];
	struct sim_send send = {
		.length = length_roll(side, side->world->plan.message_max),
		.flags = flags_roll(side),
		.window = index,
		.invalidate = sim_random_chance(&side->random, 600),
	};

	if (index == SIM_WINDOWS)
		return send_plain(side);
	if (!send.invalidate)
		send.notice = SIM_NOTICE_RELEASE;
	/* Fence the SEND, because the window must still be bound when a READ is retransmitted. */
	if (reads_outstanding(side, 0, side->peer->exposed.size))
		send.flags |= ND_OP_FLAG_READ_FENCE;
	if (!sim_post_send(side, &send))
		return false;
	window->state = SIM_WINDOW_ENDING;
	return true;
}

static bool
invalidate_window(struct sim_side *side)
{
	uint32_t index = window_pick(side, side, SIM_WINDOW_RELEASED, 0);

	if (index == SIM_WINDOWS)
		index = window_pick(side, side, SIM_WINDOW_BOUND, 0);
	if (index == SIM_WINDOWS)
		return send_plain(side);
	if (!sim_post_invalidate(side, index, flags_roll(side), false))
		return false;
	/*
	 * In half of the cases, bind the window again at once, before the invalidate is executed.
	 */
	if (sim_random_chance(&side->random, 500))
		bind_window(side);
	return true;
}

static bool
act(struct sim_side *side)
{
	uint32_t dice;

	if (side->world->plan.keys && sim_random_chance(&side->random, KEYS_SHARE))
		return sim_keys_act(side);
	dice = sim_random_below(&side->random, 100);
	if (dice < 24)
		return send_plain(side);
	if (dice < 43)
		return access_window(side, true);
	if (dice < 56)
		return access_window(side, false);
	if (dice < 66)
		return atomic_window(side);
	if (dice < 70)
		return relay_window(side);
	if (dice < 76)
		return bind_window(side);
	if (dice < 88)
		return announce_window(side);
	if (dice < 94)
		return end_window(side);
	return invalidate_window(side);
}

bool
sim_work_receives(struct sim_side *side)
{
	size_t max = side->world->plan.message_max;
	uint32_t count, i;

	if (sim_srq_wanted(side->node))
		return sim_srq_fill(side);
	count = sim_random_range(&side->random, 1, side->in.entries + 1);
	/*
	 * In some turns, post one receive more than the queue has entries. The library must refuse
	 * this receive.
	 */
	if (sim_queue_count(&side->in) >= side->in.entries && !sim_random_chance(&side->random, 50))
		return false;
	for (i = 0; i < count; i++) {
		size_t capacity = max + sim_random_below(&side->random, 64);

		if (side->receive_limit != 0)
			capacity = sim_random_below(&side->random, side->receive_limit);
		if (!sim_post_receive(side, capacity))
			break;
	}
	return i != 0;
}

/** Check that memory cannot be deregistered while a window is bound to it or a bind is posted. */
static void
busy_memory(struct sim_side *side)
{
	uint32_t index = window_pick(side, side, SIM_WINDOW_KNOWN, 0);
	nd_status status;

	if (index == SIM_WINDOWS)
		index = window_pick(side, side, SIM_WINDOW_BOUND, 0);
	if (index == SIM_WINDOWS || side->doomed || !sim_random_chance(&side->random, 20))
		return;
	/*
	 * Skip the check if the plan has accidents. Then no window may be bound, because the
	 * connection may have failed unnoticed.
	 */
	if (side->world->plan.accident_count != 0)
		return;
	status = nd_adapter_deregister_memory(side->node->adapter, side->exposed.mr, NULL);
	if (status != ND_DEVICE_BUSY)
		sim_fail(side->world, "%s: memory with windows was deregistered: %s", side->name,
			nd_status_name(status));
}

/**
 * @return true if the last outstanding request is silent. Then another request is needed, because
 * only the result of a later request shows that the silent request is complete.
 */
static bool
silent_tail(struct sim_side *side)
{
	struct sim_queue *out = &side->out;

	return sim_queue_count(out) != 0 &&
		(sim_queue_at(out, out->tail - 1)->flags & ND_OP_FLAG_SILENT_SUCCESS) != 0;
}

static bool
requests_post(struct sim_side *side)
{
	uint64_t before = side->out.posted;
	uint32_t count = sim_random_range(&side->random, 1, BURST_MAX);
	bool batch = sim_random_chance(&side->random, 300);

	if (batch)
		nd_endpoint_start_request_batch(side->endpoint);
	for (uint32_t i = 0; i < count && side->left != 0 && !side->fatal; i++) {
		if (!act(side))
			break;
		side->left--;
	}
	if (side->left == 0 && silent_tail(side) && !side->fatal)
		sim_post_send(side, &(struct sim_send){.length = 0});
	if (batch)
		nd_endpoint_submit_request_batch(side->endpoint);
	return side->out.posted != before;
}

/** @return true if the application can act now, without waiting for an event */
static bool
wants(struct sim_side *side)
{
	if (sim_srq_wanted(side->node) ? side->node->srq.outstanding < side->node->srq.entries
				       : sim_queue_count(&side->in) < side->in.entries)
		return true;
	return (side->left != 0 || silent_tail(side)) &&
		sim_queue_count(&side->out) < side->out.entries;
}

/**
 * @return pause until the application acts again. After repeated refusals the pause grows, because
 * only a result makes room in a queue. A result wakes the application at once (sim_work_result()).
 */
static uint32_t
think(struct sim_side *side)
{
	uint64_t ns = side->world->plan.think_ns;

	if (side->refused_rounds > REFUSED_ROUNDS)
		ns <<= RTE_MIN(side->refused_rounds - REFUSED_ROUNDS, 32u);
	return 1 + sim_random_below(&side->random, (uint32_t)RTE_MIN(ns, THINK_MAX_NS));
}

void
sim_work_result(struct sim_side *side)
{
	if (side->refused_rounds <= REFUSED_ROUNDS)
		return;
	side->refused_rounds = 0;
	side->wake_ns = RTE_MIN(side->wake_ns, side->world->now_ns + think(side));
	sim_world_wake(side->node, side->wake_ns);
}

void
sim_work_turn(struct sim_side *side)
{
	const struct sim_plan *plan = &side->world->plan;
	uint64_t now_ns = side->world->now_ns;
	bool received, posted = false;

	sim_yield_post(side);
	/* Post fewer receives after a failure of the connection, because they complete at once. */
	received = !sim_random_chance(&side->random, side->fatal ? 900 : plan->idle_receiver) &&
		sim_work_receives(side);
	if (now_ns >= side->wake_ns && !side->fatal)
		posted = requests_post(side);
	sim_yield_post(NULL);
	if (now_ns < side->wake_ns) {
		sim_world_wake(side->node, side->wake_ns);
		return;
	}
	busy_memory(side);
	side->refused_rounds = posted || received ? 0 : side->refused_rounds + 1;
	side->wake_ns = now_ns + think(side);
	/* A posted bind or invalidate may already be complete, so check for results soon. */
	if (posted || (wants(side) && !side->fatal))
		sim_world_wake(side->node, side->wake_ns);
}

static bool
side_done(struct sim_side *side)
{
	return side->state == SIM_SIDE_UP && side->left == 0 && sim_queue_count(&side->out) == 0 &&
		side->messages == NULL;
}

bool
sim_work_done(const struct sim_pair *pair)
{
	struct sim_side *sides = (struct sim_side *)(uintptr_t)pair->sides;

	return side_done(&sides[0]) && side_done(&sides[1]);
}
