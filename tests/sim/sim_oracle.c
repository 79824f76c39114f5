/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The oracle checks results. Each result must belong to the oldest request of its queue. Requests
 * before it that were skipped must be silent requests, which have succeeded. Each result must
 * arrive once, and must be correct: bytes of messages, bytes in remote memory, bytes read.
 *
 * Remote memory: the model of a block contains every WRITE posted so far. A WRITE has been
 * executed if it or a later request is complete, or if a later message has been received. Then its
 * bytes must be in the block, unless a later WRITE that may have been executed covers them.
 *
 * READs return the bytes of earlier WRITEs. The application fences each later WRITE to the same
 * bytes, so exactly one result is correct.
 */

#include "sim_world.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim_trace.h"

#define TAKE_MAX 16

static const char *
kind_name(enum sim_kind kind)
{
	static const char *const names[] = {
		[SIM_OP_RECEIVE] = "receive",
		[SIM_OP_SEND] = "send",
		[SIM_OP_SEND_INVALIDATE] = "send-invalidate",
		[SIM_OP_WRITE] = "write",
		[SIM_OP_READ] = "read",
		[SIM_OP_ATOMIC] = "atomic",
		[SIM_OP_BIND] = "bind",
		[SIM_OP_INVALIDATE] = "invalidate",
	};

	return names[kind];
}

static void
message_drop(struct sim_message *message)
{
	if (--message->owners != 0)
		return;
	sim_bytes_free(message->bytes);
	free(message);
}

static bool
writes(const struct sim_op *op)
{
	return (op->kind == SIM_OP_WRITE || op->kind == SIM_OP_ATOMIC) && !op->bad;
}

/** @return true if an outstanding WRITE or atomic with id > after_id covers the byte */
static bool
covered(struct sim_side *writer, const struct sim_memory *memory, uint64_t after_id, size_t at)
{
	struct sim_queue *queue = &writer->out;

	for (uint32_t i = queue->head; i != queue->tail; i++) {
		const struct sim_op *op = sim_queue_at(queue, i);

		if (writes(op) && op->remote == memory && op->id > after_id &&
			at >= op->remote_at && at - op->remote_at < op->length)
			return true;
	}
	return false;
}

static void
write_confirm(struct sim_side *writer, const struct sim_op *op, uint64_t after_id)
{
	const struct sim_memory *memory = op->remote;
	size_t at = op->remote_at, end = op->remote_at + op->length;

	/* If the key has ended, the owner has overwritten the memory. */
	if (sim_keys_ended(op))
		return;
	while (at < end) {
		ptrdiff_t wrong = sim_memory_wrong(memory, at, end - at);

		if (wrong < 0)
			return;
		if (!covered(writer, memory, after_id, (size_t)wrong))
			sim_fail(writer->world,
				"%s: %s %" PRIu64 " is complete, but byte %td of %zu at %s is "
				"wrong",
				writer->name, kind_name(op->kind), op->id,
				wrong - (ptrdiff_t)op->remote_at, op->length, writer->peer->name);
		at = (size_t)wrong + 1;
	}
}

static void
read_check(struct sim_side *side, const struct sim_op *op)
{
	ptrdiff_t wrong;

	sim_layout_expect(&op->layout, op->data, op->length);
	wrong = sim_layout_wrong(&op->layout);
	if (wrong >= 0)
		sim_fail(side->world, "%s: %s %" PRIu64 " of %zu bytes is wrong at offset %td",
			side->name, kind_name(op->kind), op->id, op->length,
			wrong - (ptrdiff_t)op->layout.start);
}

static void
succeeded(struct sim_side *side, struct sim_op *op)
{
	if (op->bad)
		sim_fail(side->world, "%s: %s %" PRIu64 " had to fail, but succeeded", side->name,
			kind_name(op->kind), op->id);
	switch (op->kind) {
	case SIM_OP_SEND:
	case SIM_OP_SEND_INVALIDATE:
		op->message->acknowledged = true;
		break;
	case SIM_OP_WRITE:
		if (op->message != NULL)
			op->message->acknowledged = true;
		write_confirm(side, op, op->id);
		break;
	case SIM_OP_ATOMIC:
		read_check(side, op);
		write_confirm(side, op, op->id);
		break;
	case SIM_OP_READ:
		read_check(side, op);
		break;
	case SIM_OP_BIND:
	case SIM_OP_INVALIDATE:
		sim_grant_result(side, op, true);
		break;
	case SIM_OP_RECEIVE:
		break;
	}
}

/** A request has failed. It may have been executed in part. */
static void
failed(struct sim_side *side, struct sim_op *op)
{
	if (op->kind == SIM_OP_RECEIVE || op->kind == SIM_OP_READ || op->kind == SIM_OP_ATOMIC)
		sim_layout_doubt(&op->layout);
	sim_keys_failed(side, op);
	sim_grant_result(side, op, false);
	if (writes(op) && !sim_keys_ended(op))
		sim_memory_doubt(op->remote, op->remote_at, op->length);
}

/** Remove the oldest request of a queue, and free its memory and message. */
static void
pop(struct sim_side *side, struct sim_queue *queue)
{
	struct sim_op *op = sim_queue_at(queue, queue->head);
	struct sim_ring *ring = queue == &side->in ? &side->inbox_ring : &side->source_ring;

	/* Overwrite the request's memory at once, as an application may do. */
	if (op->kind == SIM_OP_SEND || op->kind == SIM_OP_WRITE) {
		uint8_t other[64];

		sim_random_fill(&side->random, other, sizeof(other));
		if (op->layout.count != 0)
			sim_memory_store(op->layout.memory, op->layout.pieces[0].at, other,
				RTE_MIN(op->layout.pieces[0].count, sizeof(other)));
	}
	ring->head = op->ring_end;
	if (op->message != NULL)
		message_drop(op->message);
	sim_bytes_free(op->data);
	op->message = NULL;
	op->data = NULL;
	queue->head++;
}

static void
pop_silent(struct sim_side *side)
{
	struct sim_op *op = sim_queue_at(&side->out, side->out.head);

	sim_trace_event(&side->world->trace, side->name, "silent", (int64_t)op->id, 0);
	succeeded(side, op);
	pop(side, &side->out);
}

/** @return true if a receive may fail with this status because of its message */
static bool
receive_failure_legal(const struct sim_side *side, const struct sim_op *op, nd_status status)
{
	const struct sim_message *message = side->peer->messages;

	if (message == NULL)
		return false;
	if (status == ND_BUFFER_OVERFLOW)
		return message->bytes != NULL && message->length > op->layout.length;
	return status == ND_INVALIDATION_ERROR && message->bad && message->invalidates;
}

static bool
status_legal(struct sim_side *side, const struct sim_op *op, nd_status status)
{
	if (status == ND_SUCCESS)
		return true;
	/*
	 * A disconnect cancels receives. It does not wait for an invalidate that waits for other
	 * engines, so such an invalidate is cancelled.
	 */
	if (status == ND_CANCELED)
		return (side->pair->closing &&
			       (op->kind == SIM_OP_RECEIVE ||
				       (op->kind == SIM_OP_INVALIDATE &&
					       side->world->plan.engines > 1))) ||
			sim_accident_excuses(side);
	if (!sim_accident_excuses(side))
		return false;
	if (op->bad)
		return status == op->expected || status == ND_IO_TIMEOUT;
	if (op->kind == SIM_OP_RECEIVE)
		return receive_failure_legal(side, op, status);
	if (status == ND_REMOTE_ERROR && sim_keys_ending(op))
		return true;
	/* The message may be longer than the peer's receives, see SIM_SEND_TOO_LONG. */
	if (status == ND_REMOTE_ERROR)
		return op->message != NULL && side->peer->receive_limit != 0;
	return status == ND_IO_TIMEOUT;
}

/**
 * @return true if a bad request must fail with its expected status. On a perfect network, the NAK
 * arrives before the DREQ that the peer sends after the same failure. With several engines, the
 * first engine may process the DREQ before another engine receives the NAK. Then the connection
 * ends before the NAK is processed. A network with several paths may reorder NAK and DREQ.
 */
static bool
bad_status_fits(const struct sim_plan *plan, const struct sim_op *op)
{
	nd_status status = op->result.status;

	return plan->faults || status == op->expected ||
		(plan->engines > 1 && status == ND_CANCELED);
}

static void
status_check(struct sim_side *side, struct sim_queue *queue, struct sim_op *op)
{
	nd_status status = op->result.status;

	if (!status_legal(side, op, status))
		sim_fail(side->world, "%s: %s %" PRIu64 " ended with %s", side->name,
			kind_name(op->kind), op->id, nd_status_name(status));
	if (op->bad && !bad_status_fits(&side->world->plan, op))
		sim_fail(side->world, "%s: %s %" PRIu64 " ended with %s, not %s", side->name,
			kind_name(op->kind), op->id, nd_status_name(status),
			nd_status_name(op->expected));
	if (queue->broken && status != ND_CANCELED)
		sim_fail(side->world, "%s: %s %" PRIu64 " ended with %s after a failed request",
			side->name, kind_name(op->kind), op->id, nd_status_name(status));
	if (status == ND_REMOTE_ERROR && (op->bad || sim_keys_ending(op)))
		sim_keys_refused(side);
	if (status != ND_SUCCESS) {
		queue->broken = true;
		side->fatal = true;
	}
}

static void
notice_take(struct sim_side *side, const struct sim_message *message)
{
	struct sim_window *window;

	switch (message->notice) {
	case SIM_NOTICE_NONE:
		break;
	case SIM_NOTICE_WINDOW:
		window = &side->peer->windows[message->window];
		if (window->state == SIM_WINDOW_ANNOUNCED)
			window->state = SIM_WINDOW_KNOWN;
		break;
	case SIM_NOTICE_RELEASE:
		side->windows[message->window].state = SIM_WINDOW_RELEASED;
		break;
	case SIM_NOTICE_KEY:
		sim_keys_told(side, message->window);
		break;
	}
}

static void
earlier_writes_confirm(struct sim_side *sender, const struct sim_message *message)
{
	struct sim_queue *queue = &sender->out;

	for (uint32_t i = queue->head; i != queue->tail; i++) {
		const struct sim_op *op = sim_queue_at(queue, i);

		if (op->id > message->op_id)
			break;
		if (writes(op))
			write_confirm(sender, op, message->op_id);
	}
}

static void
context_check(const struct sim_side *side, const struct nd_result *result)
{
	if (result->endpoint_context != side)
		sim_fail(side->world, "%s: a result has the context of another endpoint",
			side->name);
}

/** Check flags, immediate data and key, which only successful receives may have. */
static void
extension_check(const struct sim_side *side, const struct sim_queue *queue, const struct sim_op *op)
{
	const struct sim_message *message = side->peer->messages;
	uint32_t flags = 0, imm_data = 0;

	if (queue == &side->in && op->result.status == ND_SUCCESS && message != NULL) {
		flags = message->flags;
		imm_data = message->imm_data;
	}
	if (op->result.flags != flags || op->result.imm_data != imm_data)
		sim_fail(side->world,
			"%s: %s %" PRIu64 " has flags 0x%x and immediate data 0x%08x, not 0x%x and "
			"0x%08x",
			side->name, kind_name(op->kind), op->id, op->result.flags,
			op->result.imm_data, flags, imm_data);
}

static void
received(struct sim_side *side, struct sim_op *op)
{
	struct sim_message *message = side->peer->messages;
	ptrdiff_t wrong;

	if (message == NULL)
		sim_fail(side->world, "%s: receive %" PRIu64 ": the peer sent no message",
			side->name, op->id);
	if (message->bad || (side->peer->bad_id != 0 && message->op_id > side->peer->bad_id))
		sim_fail(side->world, "%s: receive %" PRIu64 " got a message that had to fail",
			side->name, op->id);
	if (op->result.bytes_transferred != message->length ||
		(message->bytes != NULL && message->length > op->layout.length))
		sim_fail(side->world, "%s: receive %" PRIu64 " has %zu bytes, %zu were sent",
			side->name, op->id, op->result.bytes_transferred, message->length);
	if (message->invalidates != message->invalidated)
		sim_fail(side->world, "%s: receive %" PRIu64 " without its invalidate result",
			side->name, op->id);
	if (message->bytes != NULL)
		sim_layout_expect(&op->layout, message->bytes, message->length);
	wrong = sim_layout_wrong(&op->layout);
	if (wrong >= 0)
		sim_fail(side->world, "%s: receive %" PRIu64 " of %zu bytes is wrong at offset %td",
			side->name, op->id, message->length, wrong - (ptrdiff_t)op->layout.start);
	earlier_writes_confirm(side->peer, message);
	sim_keys_invalidated(side, message);
	notice_take(side, message);

	side->received++;
	side->peer->messages = message->next;
	if (message->next == NULL)
		side->peer->messages_tail = &side->peer->messages;
	message_drop(message);
}

/** @return true if a notification of the armed type must report this result */
static bool
notifies(const struct sim_cq *cq, const struct sim_side *side, const struct sim_op *op)
{
	if (cq->notify_type == ND_CQ_NOTIFY_ANY || op->result.status != ND_SUCCESS)
		return true;
	return cq->notify_type == ND_CQ_NOTIFY_SOLICITED && op->kind == SIM_OP_RECEIVE &&
		side->peer->messages != NULL && side->peer->messages->solicited;
}

static void
op_judge(struct sim_cq *cq, struct sim_side *side, struct sim_queue *queue, struct sim_op *op)
{
	struct sim_world *world = side->world;
	bool ok = op->result.status == ND_SUCCESS;

	sim_trace_status(
		&world->trace, side->name, kind_name(op->kind), (int64_t)op->id, op->result.status);
	if (cq != (queue == &side->in ? side->inbound_cq : side->outbound_cq))
		sim_fail(world, "%s: a result arrived in the wrong queue", side->name);
	if (cq->receive_due != NULL && (cq->receive_due != side || queue != &side->in))
		sim_fail(world, "%s: no receive after the invalidate result", side->name);
	cq->receive_due = NULL;
	while (sim_queue_count(queue) != 0 && sim_queue_at(queue, queue->head) != op &&
		(sim_queue_at(queue, queue->head)->flags & ND_OP_FLAG_SILENT_SUCCESS) != 0)
		pop_silent(side);
	if (sim_queue_count(queue) == 0 || sim_queue_at(queue, queue->head) != op)
		sim_fail(world, "%s: result of %s %" PRIu64 " arrived twice or out of order",
			side->name, kind_name(op->kind), op->id);
	if (ok && (op->flags & ND_OP_FLAG_SILENT_SUCCESS) != 0)
		sim_fail(world, "%s: silent %s %" PRIu64 " has a result", side->name,
			kind_name(op->kind), op->id);
	cq->matched |= notifies(cq, side, op);
	context_check(side, &op->result);
	status_check(side, queue, op);
	extension_check(side, queue, op);
	if (ok && queue == &side->out && op->result.bytes_transferred != op->length)
		sim_fail(world, "%s: %s %" PRIu64 " of %zu bytes reports %zu", side->name,
			kind_name(op->kind), op->id, op->length, op->result.bytes_transferred);
	if (ok)
		succeeded(side, op);
	else
		failed(side, op);
	if (ok && queue == &side->in)
		received(side, op);
	pop(side, queue);
	sim_work_result(side);
}

/** @return the side whose endpoint got a result. Used for requests that belong to no side. */
static struct sim_side *
taker(struct sim_node *node, const struct nd_result *result)
{
	for (uint32_t i = 0; i < node->side_count; i++) {
		if (result->endpoint_context == node->sides[i])
			return node->sides[i];
	}
	sim_fail(node->world, "%s: a result has the context of no endpoint", node->name);
}

/**
 * Check a result of a shared receive. An endpoint gets its results in the order in which the
 * receives were posted, but other endpoints may get results in between.
 */
static void
shared_judge(struct sim_node *node, struct sim_cq *cq, struct sim_op *op)
{
	struct sim_side *side = taker(node, &op->result);

	sim_trace_status(&node->world->trace, side->name, "shared receive", (int64_t)op->id,
		op->result.status);
	if (cq != side->inbound_cq)
		sim_fail(node->world, "%s: a shared receive completed in the wrong queue",
			side->name);
	if (cq->receive_due != NULL && cq->receive_due != side)
		sim_fail(node->world, "%s: no receive after the invalidate result", side->name);
	cq->receive_due = NULL;
	if (op->id <= side->shared_id)
		sim_fail(node->world, "%s: shared receive %" PRIu64 " after %" PRIu64, side->name,
			op->id, side->shared_id);
	side->shared_id = op->id;
	cq->matched |= notifies(cq, side, op);
	status_check(side, &side->in, op);
	extension_check(side, &side->in, op);
	if (op->result.status == ND_SUCCESS)
		received(side, op);
	else
		failed(side, op);
	sim_srq_over(node, op);
	sim_work_result(side);
}

static void
invalidate_judge(struct sim_cq *cq, struct sim_side *side, uint32_t index)
{
	struct sim_window *window = &side->windows[index];
	struct sim_message *message = side->peer->messages;

	sim_trace_status(&side->world->trace, side->name, "invalidated", index,
		window->invalidate_result.status);
	if (message == NULL || !message->invalidates || message->invalidated ||
		message->window != index || cq != side->inbound_cq || cq->receive_due != NULL)
		sim_fail(side->world, "%s: unexpected invalidate result of window %u", side->name,
			index);
	if (window->invalidate_result.status != ND_SUCCESS ||
		window->invalidate_result.bytes_transferred != 0)
		sim_fail(side->world, "%s: invalidate result of window %u: %s, %zu bytes",
			side->name, index, nd_status_name(window->invalidate_result.status),
			window->invalidate_result.bytes_transferred);
	context_check(side, &window->invalidate_result);
	message->invalidated = true;
	window->state = SIM_WINDOW_IDLE;
	cq->receive_due = side;
	cq->matched |= cq->notify_type == ND_CQ_NOTIFY_ANY;
}

/**
 * A peer's message has invalidated a key. Check the result that the receiver gets for the
 * invalidation.
 */
static void
key_judge(struct sim_node *node, struct sim_cq *cq, const struct sim_key *key)
{
	struct sim_side *side = taker(node, &key->invalidate_result);
	struct sim_message *message = side->peer->messages;

	sim_trace_status(&node->world->trace, side->name, "key invalidated", key->generation,
		key->invalidate_result.status);
	if (message == NULL || message->key != key || message->invalidated ||
		message->generation != key->generation || cq != side->inbound_cq ||
		cq->receive_due != NULL || key->invalidate_result.status != ND_SUCCESS ||
		key->invalidate_result.bytes_transferred != 0)
		sim_fail(node->world, "%s: unexpected invalidate result of a key: %s", side->name,
			nd_status_name(key->invalidate_result.status));
	message->invalidated = true;
	cq->receive_due = side;
	cq->matched |= cq->notify_type == ND_CQ_NOTIFY_ANY;
}

/** @return true if a pointer points to an element of an array; then *index is set */
static bool
index_of(const void *pointer, const void *array, size_t stride, uint32_t count, uint32_t *index)
{
	size_t distance = (uintptr_t)pointer - (uintptr_t)array;

	*index = (uint32_t)(distance / stride);
	return (uintptr_t)pointer >= (uintptr_t)array && distance < stride * count &&
		distance % stride == 0;
}

static bool
side_judge(struct sim_cq *cq, struct sim_side *side, const struct nd_result *result)
{
	uint32_t index;

	if (index_of(result, side->out.ops, sizeof(struct sim_op), SIM_OPS_MAX, &index))
		op_judge(cq, side, &side->out, &side->out.ops[index]);
	else if (index_of(result, side->in.ops, sizeof(struct sim_op), SIM_OPS_MAX, &index))
		op_judge(cq, side, &side->in, &side->in.ops[index]);
	else if (index_of(result, side->windows, sizeof(struct sim_window), SIM_WINDOWS, &index))
		invalidate_judge(cq, side, index);
	else
		return false;
	return true;
}

static void
judge(struct sim_node *node, struct sim_cq *cq, const struct nd_result *result)
{
	struct sim_world *world = node->world;
	struct sim_srq *srq = &node->srq;
	uint32_t index;

	world->progress_ns = world->now_ns;
	if (index_of(result, srq->ops, sizeof(struct sim_op), SIM_OPS_MAX, &index)) {
		if (!srq->posted[index])
			sim_fail(world, "%s: the result of a shared receive arrived twice",
				node->name);
		shared_judge(node, cq, &srq->ops[index]);
		return;
	}
	for (uint32_t i = 0; i < node->side_count; i++) {
		if (side_judge(cq, node->sides[i], result))
			return;
	}
	for (uint32_t i = 0; i < SIM_KEYS; i++) {
		if (result == &node->keys.keys[i].invalidate_result) {
			key_judge(node, cq, &node->keys.keys[i]);
			return;
		}
	}
	sim_fail(world, "%s: a result of an unknown request", node->name);
}

/** Check that a notification is reported if and only if a matching result has arrived. */
static void
notify_check(struct sim_node *node, struct sim_cq *cq, bool emptied)
{
	if (!cq->notify.begun)
		return;
	/*
	 * Skip a late engine. Engines report notifications at the end of their turn, but a receive
	 * that is posted to a failed endpoint completes before that turn.
	 */
	if (cq->matched && !cq->notify.done && cq->engine != node->late)
		sim_fail(node->world, "%s: results without notification (type %u)", node->name,
			cq->notify_type);
	if (!cq->notify.done || !emptied)
		return;
	if (cq->notify.status == ND_SUCCESS && !cq->matched)
		sim_fail(node->world, "%s: notification (type %u) without results", node->name,
			cq->notify_type);
	if (cq->notify.status != ND_SUCCESS && cq->notify.status != ND_CANCELED)
		sim_fail(node->world, "%s: notification ended with %s", node->name,
			nd_status_name(cq->notify.status));
	cq->notify.begun = false;
}

uint32_t
sim_oracle_take(struct sim_node *node, struct sim_cq *cq)
{
	struct nd_result *results[TAKE_MAX];
	uint32_t total = 0;
	size_t want, got;

	do {
		want = sim_random_range(&node->random, 1, TAKE_MAX);
		got = nd_cq_get_results(cq->cq, results, want);
		if (got > want)
			sim_fail(node->world, "%s: %zu results, %zu requested", node->name, got,
				want);
		for (size_t i = 0; i < got; i++) {
			if (!sim_sabotage_loses_result(node->world))
				judge(node, cq, results[i]);
		}
		total += (uint32_t)got;
		notify_check(node, cq, got < want);
	} while (got == want);
	return total;
}

void
sim_oracle_arm(struct sim_node *node, struct sim_cq *cq)
{
	nd_status status;

	if (cq->notify.begun)
		return;
	cq->notify_type = sim_random_below(&node->random, 3);
	cq->matched = false;
	status = nd_cq_notify(cq->cq, cq->notify_type, sim_wait_begin(&cq->notify, node));
	sim_wait_returned(&cq->notify, status);
	/* A notification may report results that were taken earlier. */
	if (cq->notify.done) {
		if (cq->notify.status != ND_SUCCESS)
			sim_fail(node->world, "%s: notify: %s", node->name,
				nd_status_name(cq->notify.status));
		cq->notify.begun = false;
	}
}

void
sim_oracle_resize(struct sim_node *node, struct sim_cq *cq)
{
	size_t entries = cq->entries + sim_random_below(&node->random, 3) * 17;
	nd_status status = nd_cq_resize(cq->cq, entries);

	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: resize to %zu: %s", node->name, entries,
			nd_status_name(status));
}

static void
queue_lose(struct sim_side *side, struct sim_queue *queue)
{
	while (sim_queue_count(queue) != 0) {
		failed(side, sim_queue_at(queue, queue->head));
		pop(side, queue);
	}
}

void
sim_oracle_lose(struct sim_side *side)
{
	queue_lose(side, &side->out);
	queue_lose(side, &side->in);
}

void
sim_oracle_finish(struct sim_side *side)
{
	struct sim_queue *out = &side->out;

	while (sim_queue_count(out) != 0 && !out->broken &&
		(sim_queue_at(out, out->head)->flags & ND_OP_FLAG_SILENT_SUCCESS) != 0)
		pop_silent(side);
	if (sim_queue_count(out) != 0)
		sim_fail(side->world, "%s: %s %" PRIu64 " has no result", side->name,
			kind_name(sim_queue_at(out, out->head)->kind),
			sim_queue_at(out, out->head)->id);
	if (sim_queue_count(&side->in) != 0)
		sim_fail(side->world, "%s: receive %" PRIu64 " has no result", side->name,
			sim_queue_at(&side->in, side->in.head)->id);
}

void
sim_oracle_finish_messages(struct sim_side *side)
{
	struct sim_message *message;

	while ((message = side->messages) != NULL) {
		if ((message->acknowledged && !side->peer->died) || !side->doomed)
			sim_fail(side->world, "%s: message of send %" PRIu64 " was never received",
				side->name, message->op_id);
		side->messages = message->next;
		sim_keys_kept(side, message);
		message_drop(message);
	}
	side->messages_tail = &side->messages;
}
