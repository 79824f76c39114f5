/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <rte_common.h>

#include "trace/model.h"

/*
 * Derives facts about one side from the operations of the other side: receives, keys, refusals and
 * memory.
 */

struct worker {
	struct nd_model *model;
	struct model_side *from; /* side that posted the operations */
	struct model_side *of;   /* side that owns the receives, keys and memory */
};

/* An operation that uses a key, or that invalidates the key. */
struct use {
	uint32_t value;
	bool invalidates;
	size_t operation;
};

static uint64_t
time_of(const struct nd_model *model, uint64_t number)
{
	const struct model_frame *frame =
		number == 0 ? NULL : model_array_at(&model->frames, (size_t)number - 1);

	return frame == NULL ? 0 : frame->report.time_ns;
}

static bool
is_send(enum nd_model_kind kind)
{
	return kind == ND_MODEL_SEND || kind == ND_MODEL_SEND_IMMEDIATE ||
		kind == ND_MODEL_SEND_INVALIDATE;
}

static bool
is_write(enum nd_model_kind kind)
{
	return kind == ND_MODEL_WRITE || kind == ND_MODEL_WRITE_IMMEDIATE;
}

static bool
is_atomic(enum nd_model_kind kind)
{
	return kind == ND_MODEL_COMPARE_SWAP || kind == ND_MODEL_FETCH_ADD;
}

static bool
is_accepted(const struct nd_model_operation *report)
{
	return report->end == ND_MODEL_ACKNOWLEDGED || report->end == ND_MODEL_IMPLIED;
}

static void
receive_add(const struct worker *worker, size_t index)
{
	struct model_operation *operation = model_operation_at(worker->from, index);
	struct nd_model_operation *report = &operation->report;
	struct nd_model_receive *receive;

	if (!is_send(report->kind) && report->kind != ND_MODEL_WRITE_IMMEDIATE)
		return;
	receive = model_array_add(&worker->of->receives, sizeof(*receive));
	if (receive == NULL) {
		worker->model->starved = true;
		return;
	}
	report->receive = worker->of->receives.count - 1;
	*receive = (struct nd_model_receive){
		.operation = index,
		.bytes = is_send(report->kind) ? report->bytes : 0,
		.frame = operation->accepted_frame != 0 ? operation->accepted_frame
							: report->last_frame,
		.rnr_naks = report->rnr_naks,
		.absent_frame = operation->rnr_frame,
		.absent_ns = time_of(worker->model, operation->rnr_frame),
		.taken = report->end == ND_MODEL_ACKNOWLEDGED ||
			(report->end == ND_MODEL_UNANSWERED && operation->accepted_frame != 0),
	};
	receive->time_ns = time_of(worker->model, receive->frame);
}

static void
refusal_add(const struct worker *worker, size_t index)
{
	const struct nd_model_operation *report = &model_operation_at(worker->from, index)->report;
	struct nd_model_refusal *refusal;

	if (report->end != ND_MODEL_REFUSED)
		return;
	refusal = model_array_add(&worker->of->refusals, sizeof(*refusal));
	if (refusal == NULL) {
		worker->model->starved = true;
		return;
	}
	*refusal = (struct nd_model_refusal){
		.operation = index,
		.key = ND_MODEL_NONE,
		.kind = report->kind,
		.syndrome = report->syndrome,
		.frame = report->end_frame,
		.address = report->target_known ? report->address : 0,
		.bytes = report->bytes,
	};
}

static void
event_add(const struct worker *worker, const struct nd_model_memory_event *event)
{
	struct nd_model_memory_event *added = model_array_add(&worker->of->events, sizeof(*added));

	if (added == NULL)
		worker->model->starved = true;
	else
		*added = *event;
}

/* Add the two events of an atomic: the value that it found, and the value that it stored. */
static void
atomic_events(const struct worker *worker, const struct nd_model_operation *report,
	struct nd_model_memory_event *event)
{
	if (!report->original_known)
		return;
	event->bytes = 8;
	event->source = ND_MODEL_SOURCE_FOUND;
	event->value = report->original;
	event_add(worker, event);
	if (report->kind == ND_MODEL_COMPARE_SWAP && report->original != report->compare)
		return;
	event->source = ND_MODEL_SOURCE_ATOMIC;
	event->value = report->kind == ND_MODEL_COMPARE_SWAP ? report->swap_add
							     : report->original + report->swap_add;
	event_add(worker, event);
}

static void
events_add(const struct worker *worker, size_t index)
{
	const struct model_operation *operation = model_operation_at(worker->from, index);
	const struct nd_model_operation *report = &operation->report;
	struct nd_model_memory_event event = {
		.operation = index,
		.frame = report->end_frame,
		.key = report->key,
		.address = report->address,
		.bytes = report->bytes,
	};

	/*
	 * If a READ with data was answered, and only its retransmission was refused, the key
	 * became invalid between the two requests.
	 */
	if (!report->target_known ||
		(report->end == ND_MODEL_REFUSED &&
			(report->kind != ND_MODEL_READ || operation->piece_count == 0)))
		return;
	if (is_atomic(report->kind)) {
		atomic_events(worker, report, &event);
	} else if (report->kind == ND_MODEL_READ && operation->piece_count != 0) {
		event.source = ND_MODEL_SOURCE_READ;
		event_add(worker, &event);
	} else if (is_write(report->kind) && report->bytes != 0) {
		event.source = ND_MODEL_SOURCE_WRITE;
		event.frame = operation->accepted_frame != 0 ? operation->accepted_frame
							     : report->last_frame;
		event_add(worker, &event);
	}
}

static int
use_compare(const void *a, const void *b)
{
	const struct use *first = a, *second = b;

	if (first->value != second->value)
		return first->value < second->value ? -1 : 1;
	return (first->operation > second->operation) - (first->operation < second->operation);
}

/* @return array of the uses of all keys, sorted by key, then by operation. The caller frees it. */
static struct use *
uses_collect(const struct worker *worker, size_t *count)
{
	struct use *uses;

	*count = 0;
	if (worker->from->operations.count == 0)
		return NULL;
	uses = malloc(worker->from->operations.count * sizeof(*uses));
	if (uses == NULL) {
		worker->model->starved = true;
		return NULL;
	}
	for (size_t i = 0; i < worker->from->operations.count; i++) {
		const struct nd_model_operation *report =
			&model_operation_at(worker->from, i)->report;
		bool invalidates = report->kind == ND_MODEL_SEND_INVALIDATE &&
			report->end == ND_MODEL_ACKNOWLEDGED;

		if (invalidates)
			uses[(*count)++] = (struct use){.value = report->invalidate_key,
				.invalidates = true,
				.operation = i};
		else if (report->target_known && report->kind != ND_MODEL_OTHER &&
			!report->keepalive)
			uses[(*count)++] = (struct use){.value = report->key, .operation = i};
	}
	qsort(uses, *count, sizeof(*uses), use_compare);
	return uses;
}

static void
accepted_take(const struct worker *worker, struct nd_model_key *key,
	const struct nd_model_operation *report)
{
	uint64_t end = report->address + report->bytes;

	if (key->first_frame == 0) {
		key->first_frame = report->first_frame;
		key->first_ns = report->first_ns;
	}
	key->last_frame = report->end_frame;
	key->last_ns = time_of(worker->model, key->last_frame);
	key->refused_frame = 0;
	if (report->bytes == 0) {
		key->empty_uses++;
		return;
	}
	if (key->uses == 0 || report->address < key->low)
		key->low = report->address;
	/* Compare the last addresses, because a range may end at 2^64, which is stored as 0. */
	if (key->uses == 0 || end - 1 > key->end - 1)
		key->end = end;
	key->uses++;
	key->rights |= report->kind == ND_MODEL_READ ? ND_MODEL_RIGHT_READ
		: is_atomic(report->kind)            ? ND_MODEL_RIGHT_ATOMIC
						     : ND_MODEL_RIGHT_WRITE;
}

static void
use_take(const struct worker *worker, struct nd_model_key *key, const struct use *use)
{
	const struct model_operation *operation = model_operation_at(worker->from, use->operation);
	const struct nd_model_operation *report = &operation->report;

	if (use->invalidates) {
		key->invalidated_frame = operation->accepted_frame != 0 ? operation->accepted_frame
									: report->last_frame;
		key->invalidated_ns = time_of(worker->model, key->invalidated_frame);
		key->invalidated_by = use->operation;
	} else if (report->end == ND_MODEL_REFUSED) {
		key->refusals++;
		if (key->refused_frame == 0)
			key->refused_frame = report->end_frame;
	} else if (is_accepted(report)) {
		accepted_take(worker, key, report);
	}
}

/* @return true if a use shows that the key value is valid again after it was invalidated. */
static bool
begins_anew(const struct worker *worker, const struct nd_model_key *key, const struct use *use)
{
	const struct nd_model_operation *report =
		&model_operation_at(worker->from, use->operation)->report;

	if (key->invalidated_by == ND_MODEL_NONE)
		return false;
	return use->invalidates || (is_accepted(report) && report->bytes != 0);
}

static void
refusal_key(const struct worker *worker, size_t operation, size_t key)
{
	struct nd_model_refusal *refusals = worker->of->refusals.items;
	size_t low = 0, high = worker->of->refusals.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (refusals[middle].operation < operation)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < worker->of->refusals.count && refusals[low].operation == operation)
		refusals[low].key = key;
}

static void
keys_build(const struct worker *worker)
{
	struct model_array *keys = &worker->of->keys;
	size_t count;
	struct use *uses = uses_collect(worker, &count);

	for (size_t i = 0; i < count; i++) {
		struct nd_model_key *key = model_array_at(keys, keys->count - 1);

		if (key == NULL || key->value != uses[i].value ||
			begins_anew(worker, key, &uses[i])) {
			key = model_array_add(keys, sizeof(*key));
			if (key == NULL) {
				worker->model->starved = true;
				break;
			}
			key->value = uses[i].value;
			key->invalidated_by = ND_MODEL_NONE;
		}
		use_take(worker, key, &uses[i]);
		if (!uses[i].invalidates)
			refusal_key(worker, uses[i].operation, keys->count - 1);
	}
	free(uses);
}

void
model_work_build(struct nd_model *model, size_t connection, unsigned side)
{
	struct model_connection *at = model_connection_at(model, connection);
	struct worker worker = {
		.model = model,
		.from = &at->side[side],
		.of = &at->side[!side],
	};
	struct nd_model_side *report = &at->report.side[!side];

	for (size_t i = 0; i < worker.from->operations.count; i++) {
		receive_add(&worker, i);
		refusal_add(&worker, i);
		events_add(&worker, i);
	}
	keys_build(&worker);
	report->receives = worker.of->receives.count;
	report->keys = worker.of->keys.count;
	report->refusals = worker.of->refusals.count;
}
