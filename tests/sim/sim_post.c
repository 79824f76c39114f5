/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Post single requests: prepare memory and model, call the API, and check the status. */

#include "sim_world.h"

#include <stdlib.h>

#include <rte_byteorder.h>

#include <ndpdk/nd_extension.h>

#include "nd/endpoint.h"
#include "sim_trace.h"

/**
 * Number of requests that are posted beyond the queue's size. The library must refuse these
 * requests.
 */
#define PROBES        2
/** Maximum number of pieces (scatter/gather entries) of inline data. */
#define INLINE_PIECES 3

static struct sim_ring *
ring_of(struct sim_side *side, const struct sim_op *op)
{
	return op->kind == SIM_OP_RECEIVE ? &side->inbox_ring : &side->source_ring;
}

static struct sim_queue *
queue_of(struct sim_side *side, const struct sim_op *op)
{
	return op->kind == SIM_OP_RECEIVE ? &side->in : &side->out;
}

struct sim_op *
sim_post_begin(struct sim_side *side, struct sim_queue *queue, enum sim_kind kind)
{
	struct sim_op *op = sim_queue_at(queue, queue->tail);

	if (sim_queue_count(queue) >= queue->entries + PROBES)
		return NULL;
	*op = (struct sim_op){.kind = kind, .id = queue->posted + 1};
	op->result = (struct nd_result){ND_PENDING, 0, UINT32_MAX, UINT32_MAX, NULL};
	op->ring_end = ring_of(side, op)->tail;
	op->layout_begin = op->ring_end;
	return op;
}

/**
 * @return true if the application knows the exact number of outstanding requests, because it has
 * taken all results and no result arrives during the call
 */
static bool
count_exact(struct sim_side *side, struct sim_queue *queue)
{
	if (!sim_yield_knows_all(side))
		return false;
	/*
	 * After the endpoint has failed, requests complete at once, but the first engine reports
	 * the failure only in its next turn. With one engine, the application already knows the
	 * failure.
	 */
	if (side->endpoint->slot.qp->state != RC_QP_RTS && side->world->plan.engines > 1)
		return false;
	for (uint32_t i = queue->head; i != queue->tail; i++) {
		const struct sim_op *op = sim_queue_at(queue, i);

		if ((op->flags & ND_OP_FLAG_SILENT_SUCCESS) != 0 || op->kind == SIM_OP_BIND ||
			op->kind == SIM_OP_INVALIDATE)
			return false;
	}
	return true;
}

/**
 * @return true if the connection has ended and the application does not know it. With several
 *         engines, the first engine may end the connection before the application gets the event.
 */
static bool
ended_unknown(const struct sim_side *side)
{
	return side->world->plan.engines > 1 && side->peer->fatal &&
		!endpoint_connected(side->endpoint);
}

static bool
refusal_legal(
	struct sim_side *side, const struct sim_op *op, uint32_t outstanding, nd_status status)
{
	const struct sim_queue *queue = op->kind == SIM_OP_RECEIVE ? &side->in : &side->out;

	switch ((uint32_t)status) {
	case (uint32_t)ND_NO_MORE_ENTRIES:
		return outstanding >= queue->entries;
	case (uint32_t)ND_CONNECTION_INVALID:
		return op->kind != SIM_OP_RECEIVE &&
			(sim_accident_excuses(side) || ended_unknown(side));
	case (uint32_t)ND_INVALID_DEVICE_REQUEST:
		return (op->kind == SIM_OP_READ || op->kind == SIM_OP_ATOMIC) &&
			side->outbound_reads_agreed == 0;
	case (uint32_t)ND_INSUFFICIENT_RESOURCES:
		/*
		 * A fast region accepts at most two registrations per turn, and refuses more with
		 * this status.
		 */
		return op->own_key != NULL && op->kind == SIM_OP_BIND;
	default:
		return op->bad && status == op->expected;
	}
}

bool
sim_post_end(struct sim_side *side, struct sim_op *op, nd_status status)
{
	struct sim_queue *queue = queue_of(side, op);
	struct sim_ring *ring = ring_of(side, op);
	uint32_t outstanding = sim_queue_count(queue);
	static const char *const what[] = {
		[SIM_OP_RECEIVE] = "post receive",
		[SIM_OP_SEND] = "post send",
		[SIM_OP_SEND_INVALIDATE] = "post send-inv.",
		[SIM_OP_WRITE] = "post write",
		[SIM_OP_READ] = "post read",
		[SIM_OP_ATOMIC] = "post atomic",
		[SIM_OP_BIND] = "post bind",
		[SIM_OP_INVALIDATE] = "post invalidate",
	};

	sim_trace_status(&side->world->trace, side->name, what[op->kind], (int64_t)op->id, status);
	if (status == ND_SUCCESS) {
		if (outstanding >= queue->entries && count_exact(side, queue) && !side->fatal)
			sim_fail(side->world, "%s: too many requests were accepted", side->name);
		op->ring_end = ring->tail;
		if (op->bad)
			side->bad_id = op->id;
		queue->tail++;
		queue->posted++;
		return true;
	}
	if (!refusal_legal(side, op, outstanding, status))
		sim_fail(side->world, "%s: post of kind %d with %u outstanding of %u: %s",
			side->name, (int)op->kind, outstanding, queue->entries,
			nd_status_name(status));
	if (status == ND_CONNECTION_INVALID)
		side->fatal = true;
	ring->tail = op->ring_end;
	sim_bytes_free(op->data);
	op->data = NULL;
	return false;
}

bool
sim_post_receive(struct sim_side *side, size_t capacity)
{
	struct sim_op *op = sim_post_begin(side, &side->in, SIM_OP_RECEIVE);
	struct nd_sge sgl[SIM_SGE_MAX];

	if (op == NULL ||
		!sim_layout_make(
			&op->layout, &side->inbox_ring, capacity, side->inbound_sge, &side->random))
		return false;
	sim_layout_sgl(&op->layout, sgl);
	return sim_post_end(side, op,
		nd_endpoint_receive(side->endpoint, &op->result, op->layout.count == 0 ? NULL : sgl,
			op->layout.count));
}

/** Local source of a request: registered memory of this side, or inline data. */
struct payload {
	struct nd_sge sgl[SIM_SGE_MAX];
	uint8_t scratch[256];
	uint32_t count;
};

static bool
payload_inline(struct sim_side *side, struct payload *payload, const uint8_t *bytes, size_t length)
{
	uint32_t count = sim_random_range(
		&side->random, 1, RTE_MIN(side->outbound_sge, (uint32_t)INLINE_PIECES));
	size_t at = 0;

	if (length > sizeof(payload->scratch) || !sim_random_chance(&side->random, 300))
		return false;
	if (length != 0)
		memcpy(payload->scratch, bytes, length);
	for (uint32_t i = 0; i < count; i++) {
		size_t part = i + 1 == count
			? length - at
			: sim_random_below(&side->random, (uint32_t)(length - at) + 1);

		payload->sgl[i] = (struct nd_sge){.address = payload->scratch + at, .length = part};
		at += part;
	}
	payload->count = count;
	return true;
}

static bool
payload_make(struct sim_side *side, struct sim_op *op, struct payload *payload,
	const uint8_t *bytes, size_t length)
{
	op->length = length;
	if (payload_inline(side, payload, bytes, length))
		return true;
	if (!sim_layout_make(
		    &op->layout, &side->source_ring, length, side->outbound_sge, &side->random))
		return false;
	sim_layout_store(&op->layout, bytes);
	sim_layout_sgl(&op->layout, payload->sgl);
	payload->count = op->layout.count;
	return true;
}

/** Overwrite inline data after the call, because they belong to the application again. */
static void
payload_done(struct payload *payload)
{
	memset(payload->scratch, 0xEE, sizeof(payload->scratch));
}

static void
immediate_make(struct sim_side *side, struct sim_message *message, uint32_t flags)
{
	message->flags = flags;
	message->imm_data = (uint32_t)sim_random_u64(&side->random);
}

/** Make the message of a WRITE with immediate, which puts no bytes into the receive buffer. */
static struct sim_message *
notification_make(struct sim_side *side, const struct sim_op *op, const struct sim_access *access)
{
	struct sim_message *message = calloc(1, sizeof(*message));

	if (message == NULL)
		abort();
	message->op_id = op->id;
	message->length = access->length;
	message->solicited = (access->flags & ND_OP_FLAG_SEND_AND_SOLICIT_EVENT) != 0;
	message->owners = 2;
	immediate_make(side, message, ND_RESULT_WITH_IMM | ND_RESULT_WRITE);
	return message;
}

static void
message_queue(struct sim_side *side, struct sim_message *message)
{
	*side->messages_tail = message;
	side->messages_tail = &message->next;
}

static const uint8_t *
message_bytes(struct sim_side *side, const struct sim_send *send)
{
	const uint8_t *bytes = sim_bytes_make(&side->random, send->length), *dice = bytes;
	uint8_t *copy;

	if (send->relay == NULL && send->notice != SIM_NOTICE_WINDOW &&
		send->notice != SIM_NOTICE_KEY)
		return bytes;
	if (send->relay != NULL)
		bytes = send->relay->data;
	copy = sim_bytes_copy(bytes, send->length);
	sim_bytes_free(dice);
	if (send->notice == SIM_NOTICE_WINDOW)
		memcpy(copy, &side->windows[send->window].descriptor,
			sizeof(struct nd_mw_descriptor));
	if (send->notice == SIM_NOTICE_KEY)
		memcpy(copy, &side->node->keys.keys[send->window % SIM_KEYS].descriptor,
			sizeof(struct nd_mw_descriptor));
	return copy;
}

static struct sim_message *
message_make(struct sim_side *side, const struct sim_op *op, const struct sim_send *send)
{
	struct sim_message *message = calloc(1, sizeof(*message));

	if (message == NULL)
		abort();
	message->op_id = op->id;
	message->length = send->length;
	message->bytes = message_bytes(side, send);
	message->solicited = (send->flags & ND_OP_FLAG_SEND_AND_SOLICIT_EVENT) != 0;
	if (send->immediate)
		immediate_make(side, message, ND_RESULT_WITH_IMM);
	message->invalidates = send->invalidate;
	message->bad = send->bad;
	message->notice = send->notice;
	message->window = send->window;
	message->key = send->key;
	/* Only an invalidated window has a separate result. An invalidated fast region has none. */
	message->invalidated = send->key != NULL && send->key->kind == SIM_KEY_FAST;
	message->generation = send->key != NULL ? send->key->generation : 0;
	message->owners = 2;
	return message;
}

/** @return descriptor of the window or key that a SEND invalidates */
static struct nd_mw_descriptor
invalidate_descriptor(const struct sim_side *side, const struct sim_send *send)
{
	struct nd_mw_descriptor descriptor = side->peer->windows[send->window].descriptor;

	if (send->foreign != NULL)
		descriptor = *send->foreign;
	else if (send->bad)
		descriptor.token ^= rte_cpu_to_be_32(0x5A5A5A5A);
	return descriptor;
}

static nd_status
send_call(struct sim_side *side, struct sim_op *op, const struct payload *payload,
	const struct sim_send *send, struct sim_message *message)
{
	const struct nd_sge *sgl = payload->count == 0 ? NULL : payload->sgl;
	struct nd_mw_descriptor descriptor;

	if (send->immediate)
		return nd_endpoint_send_with_imm(side->endpoint, &op->result, sgl, payload->count,
			message->imm_data, send->flags);
	if (!send->invalidate)
		return nd_endpoint_send(
			side->endpoint, &op->result, sgl, payload->count, send->flags);
	descriptor = invalidate_descriptor(side, send);
	message->flags = ND_RESULT_INVALIDATED;
	message->imm_data = descriptor.token;
	return nd_endpoint_send_and_invalidate(
		side->endpoint, &op->result, sgl, payload->count, &descriptor, send->flags);
}

/** Prepare the payload of a SEND. @return false if the ring has no room */
static bool
send_payload(struct sim_side *side, struct sim_op *op, struct payload *payload,
	const struct sim_send *send, const struct sim_message *message)
{
	if (send->relay == NULL)
		return payload_make(side, op, payload, message->bytes, send->length);
	op->length = send->length;
	op->layout = send->relay->layout;
	sim_layout_sgl(&op->layout, payload->sgl);
	payload->count = op->layout.count;
	return true;
}

bool
sim_post_send(struct sim_side *side, const struct sim_send *send)
{
	struct sim_op *op = sim_post_begin(
		side, &side->out, send->invalidate ? SIM_OP_SEND_INVALIDATE : SIM_OP_SEND);
	struct sim_message *message;
	struct payload payload;
	nd_status status;
	bool posted;

	if (op == NULL)
		return false;
	op->flags = send->flags;
	op->bad = send->bad;
	op->expected = ND_REMOTE_ERROR;
	message = message_make(side, op, send);
	if (!send_payload(side, op, &payload, send, message)) {
		side->source_ring.tail = op->ring_end;
		sim_bytes_free(message->bytes);
		free(message);
		return false;
	}
	status = send_call(side, op, &payload, send, message);
	payload_done(&payload);
	posted = sim_post_end(side, op, status);
	if (!posted) {
		sim_bytes_free(message->bytes);
		free(message);
		return false;
	}
	op->message = message;
	/* Two requests use the same memory. It is freed when the second request is complete. */
	if (send->relay != NULL)
		send->relay->ring_end = send->relay->layout_begin;
	message_queue(side, message);
	return true;
}

/** Remote memory of a request: bytes of a window, or of this pair's part of a region with a key. */
struct remote {
	const struct nd_mw_descriptor *descriptor;
	uint64_t offset; /**< offset in bytes within the descriptor's memory */
};

static struct remote
remote_set(struct sim_side *side, struct sim_op *op, struct sim_key *key, uint32_t index,
	size_t offset)
{
	const struct sim_window *window = &side->peer->windows[index];
	const uint32_t pair = side->pair->index;

	if (key == NULL) {
		op->remote = &side->peer->exposed;
		op->remote_at = window->at + offset;
		return (struct remote){&window->descriptor, offset};
	}
	op->remote = &key->parts[pair];
	op->remote_at = offset;
	op->key = key;
	op->generation = key->generation;
	return (struct remote){&key->descriptor, key->part_at[pair] - key->inset + offset};
}

static bool
write_call(struct sim_side *side, struct sim_op *op, const struct sim_access *access,
	const struct remote *remote)
{
	struct sim_message *message = NULL;
	struct payload payload;
	nd_status status;

	op->data = sim_bytes_make(&side->random, access->length);
	if (!payload_make(side, op, &payload, op->data, access->length)) {
		side->source_ring.tail = op->ring_end;
		sim_bytes_free(op->data);
		op->data = NULL;
		return false;
	}
	if (access->immediate) {
		message = notification_make(side, op, access);
		status = nd_endpoint_write_with_imm(side->endpoint, &op->result,
			payload.count == 0 ? NULL : payload.sgl, payload.count, remote->descriptor,
			remote->offset, message->imm_data, access->flags);
	} else {
		status = nd_endpoint_write(side->endpoint, &op->result,
			payload.count == 0 ? NULL : payload.sgl, payload.count, remote->descriptor,
			remote->offset, access->flags);
	}
	payload_done(&payload);
	if (!sim_post_end(side, op, status)) {
		free(message);
		return false;
	}
	op->message = message;
	if (message != NULL)
		message_queue(side, message);
	if (!access->bad)
		sim_memory_expect(op->remote, op->remote_at, op->data, access->length);
	return true;
}

static bool
read_call(struct sim_side *side, struct sim_op *op, const struct sim_access *access,
	const struct remote *remote)
{
	struct nd_sge sgl[SIM_SGE_MAX];

	if (!sim_layout_make(&op->layout, &side->source_ring, access->length, side->outbound_sge,
		    &side->random)) {
		side->source_ring.tail = op->ring_end;
		return false;
	}
	op->length = access->length;
	op->data = sim_bytes_copy(
		access->bad ? NULL : op->remote->model + op->remote_at, access->length);
	sim_layout_sgl(&op->layout, sgl);
	return sim_post_end(side, op,
		nd_endpoint_read(side->endpoint, &op->result, op->layout.count == 0 ? NULL : sgl,
			op->layout.count, remote->descriptor, remote->offset, access->flags));
}

bool
sim_post_access(struct sim_side *side, const struct sim_access *access)
{
	struct remote remote;
	struct sim_op *op =
		sim_post_begin(side, &side->out, access->write ? SIM_OP_WRITE : SIM_OP_READ);

	if (op == NULL)
		return false;
	op->flags = access->flags;
	op->bad = access->bad;
	op->expected = ND_REMOTE_ERROR;
	remote = remote_set(side, op, access->key, access->window, access->offset);
	if (access->bad)
		remote.descriptor = &access->descriptor;
	return access->write ? write_call(side, op, access, &remote)
			     : read_call(side, op, access, &remote);
}

size_t
sim_atomic_offset(const struct sim_side *owner, const struct sim_window *window)
{
	uintptr_t start = (uintptr_t)owner->exposed.bytes + window->at;

	return RTE_ALIGN_CEIL(start, 8) - start;
}

/*
 * Only this side writes these bytes, and requests are executed in order. Therefore the values
 * before and after the atomic are known when the atomic is posted, in spite of losses and
 * retransmissions. For the same reason, the sum after many additions is known.
 */
bool
sim_post_atomic(struct sim_side *side, const struct sim_atomic *atomic)
{
	struct sim_op *op = sim_post_begin(side, &side->out, SIM_OP_ATOMIC);
	uint64_t value = sim_random_u64(&side->random), before, after;
	struct remote remote;
	struct nd_sge sge;
	nd_status status;

	if (op == NULL)
		return false;
	op->flags = atomic->flags;
	op->bad = atomic->bad;
	op->expected = ND_REMOTE_ERROR;
	remote = remote_set(side, op, atomic->key, atomic->window, atomic->offset);
	if (atomic->foreign != NULL)
		remote.descriptor = atomic->foreign;
	op->length = sizeof(before);
	if (!sim_layout_make(&op->layout, &side->source_ring, op->length, 1, &side->random)) {
		side->source_ring.tail = op->ring_end;
		return false;
	}
	/*
	 * This random number is not used. It is drawn because the runs of existing seeds must not
	 * change.
	 */
	(void)sim_random_u64(&side->random);
	op->data = sim_bytes_copy(op->remote->model + op->remote_at, op->length);
	memcpy(&before, op->data, sizeof(before));
	after = atomic->swap ? value : before + value;
	sim_layout_sgl(&op->layout, &sge);
	if (atomic->swap) {
		uint64_t compare = before;

		/*
		 * Half of the compare-swaps compare with a wrong value. They must not change the
		 * memory.
		 */
		if (sim_random_chance(&side->random, 500)) {
			compare ^= UINT64_C(1) << sim_random_below(&side->random, 64);
			after = before;
		}
		status = nd_endpoint_compare_and_swap(side->endpoint, &op->result, &sge,
			remote.descriptor, remote.offset, compare, value, atomic->flags);
	} else {
		status = nd_endpoint_fetch_and_add(side->endpoint, &op->result, &sge,
			remote.descriptor, remote.offset, value, atomic->flags);
	}
	if (!sim_post_end(side, op, status))
		return false;
	if (!atomic->bad)
		sim_memory_expect(op->remote, op->remote_at, &after, sizeof(after));
	return true;
}

/** Write new random bytes into a window's memory before the window is bound. */
static void
window_refresh(struct sim_side *side, const struct sim_window *window)
{
	const uint8_t *bytes;

	for (uint32_t i = 0; i < SIM_WINDOWS; i++) {
		const struct sim_window *other = &side->windows[i];

		if (other != window && other->state != SIM_WINDOW_IDLE &&
			other->at < window->at + window->length &&
			window->at < other->at + other->length)
			return;
	}
	bytes = sim_bytes_make(&side->random, window->length);
	sim_memory_store(&side->exposed, window->at, bytes, window->length);
	sim_bytes_free(bytes);
}

static void
descriptor_check(const struct sim_side *side, const struct sim_window *window)
{
	const struct nd_mw_descriptor *d = &window->descriptor;

	if (rte_be_to_cpu_64(d->base) != (uintptr_t)side->exposed.bytes + window->at ||
		rte_be_to_cpu_64(d->length) != window->length)
		sim_fail(side->world, "%s: bind returned a wrong descriptor", side->name);
}

bool
sim_post_bind(struct sim_side *side, uint32_t index, uint32_t rights, uint32_t flags)
{
	struct sim_window *window = &side->windows[index];
	struct sim_op *op = sim_post_begin(side, &side->out, SIM_OP_BIND);
	struct sim_window was = *window;

	if (op == NULL)
		return false;
	op->flags = flags;
	op->window = index;
	window->length = sim_random_range(&side->random, 1, (uint32_t)side->exposed.size);
	window->at = sim_random_below(
		&side->random, (uint32_t)(side->exposed.size - window->length) + 1);
	window->rights = rights;
	window_refresh(side, window);
	if (!sim_post_end(side, op,
		    nd_endpoint_bind(side->endpoint, &op->result, side->exposed.mr, window->mw,
			    side->exposed.bytes + window->at, window->length, flags | rights,
			    &window->descriptor))) {
		*window = was;
		return false;
	}
	window->state = SIM_WINDOW_BOUND;
	descriptor_check(side, window);
	return true;
}

bool
sim_post_invalidate(struct sim_side *side, uint32_t index, uint32_t flags, bool bad)
{
	struct sim_op *op = sim_post_begin(side, &side->out, SIM_OP_INVALIDATE);

	if (op == NULL)
		return false;
	op->flags = flags;
	op->window = index;
	op->bad = bad;
	op->expected = ND_INVALIDATION_ERROR;
	if (!sim_post_end(side, op,
		    nd_endpoint_invalidate(
			    side->endpoint, &op->result, side->windows[index].mw, flags)))
		return false;
	side->windows[index].state = SIM_WINDOW_IDLE;
	return true;
}
