/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Check that each operation completes exactly once, and that requests return their results in
 * order.
 */

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "monkey.h"

#define ITEM_MAGIC 0x4D4F4E4Bu
#define TAKE_MAX   16

static void
told(struct nd_overlapped *overlapped, void *arg)
{
	struct monkey_op *op = arg;
	struct monkey *monkey = op->monkey;

	if (overlapped != &op->overlapped || op->told != 0)
		monkey_fail(monkey, "an operation is told of twice", overlapped->status);
	op->told++;
	if (monkey->closing || monkey->depth != 0 || !monkey_once_in(monkey, 4))
		return;
	monkey->depth++;
	monkey_step(monkey, true);
	monkey->depth--;
}

struct monkey_op *
monkey_op_new(struct monkey *monkey)
{
	struct monkey_op *op = calloc(1, sizeof(*op));

	if (op == NULL)
		abort();
	op->monkey = monkey;
	base_list_init(&op->node);
	if (monkey_once_in(monkey, 2)) {
		op->overlapped.callback = told;
		op->overlapped.callback_arg = op;
	}
	if (monkey_once_in(monkey, 2))
		op->overlapped.event_fd = monkey->event_fd;
	return op;
}

void
monkey_op_returned(struct monkey_op *op, nd_status status)
{
	if (op->told != 0)
		monkey_fail(op->monkey, "an operation is told of before its call returns", status);
	if (status != ND_PENDING) {
		free(op);
		return;
	}
	op->monkey->op_count++;
	base_list_append(&op->monkey->ops, &op->node);
}

void
monkey_ops_sweep(struct monkey *monkey)
{
	struct base_list *node, *after;

	BASE_LIST_FOREACH_SAFE (node, after, &monkey->ops) {
		struct monkey_op *op = base_list_entry(node, struct monkey_op, node);
		nd_status status = nd_overlapped_get_result(&op->overlapped, NULL, false);

		if (status == ND_PENDING)
			continue;
		if (op->overlapped.callback != NULL && op->told == 0)
			monkey_fail(monkey, "an operation is over and nobody was told", status);
		monkey->events += op->overlapped.event_fd > 0;
		monkey->op_count--;
		base_list_remove(node);
		free(op);
	}
}

struct monkey_op *
monkey_op_any(struct monkey *monkey)
{
	uint32_t skip = monkey->op_count == 0 ? 0 : monkey_below(monkey, monkey->op_count);
	struct base_list *node;

	BASE_LIST_FOREACH (node, &monkey->ops) {
		if (skip-- == 0)
			return base_list_entry(node, struct monkey_op, node);
	}
	return NULL;
}

struct monkey_item *
monkey_item_new(struct monkey *monkey, const struct monkey_connector *connector,
	enum monkey_direction direction, bool silent)
{
	struct monkey_item *item = calloc(1, sizeof(*item));

	if (item == NULL)
		abort();
	item->magic = ITEM_MAGIC;
	item->window = connector == NULL;
	item->silent = silent;
	item->direction = direction;
	item->stream = connector == NULL ? 0 : connector->stream;
	item->number = ++monkey->posted;
	base_list_init(&item->node);
	return item;
}

void
monkey_item_posted(struct monkey *monkey, const struct monkey_connector *connector,
	struct monkey_item *item, nd_status status)
{
	if (status == ND_PENDING)
		monkey_fail(monkey, "a posting call returns ND_PENDING", status);
	if (status != ND_SUCCESS)
		free(item);
	else
		base_list_append(&connector->cqs[item->direction]->items, &item->node);
}

static void
result_check(struct monkey *monkey, const struct monkey_item *item)
{
	struct monkey_stream *stream = &monkey->streams[item->direction][item->stream];
	nd_status status = item->result.status;

	if (item->silent && status == ND_SUCCESS)
		monkey_fail(monkey, "a silent request gives a result", status);
	if (stream->broken && status != ND_CANCELED)
		monkey_fail(monkey, "behind an error something is not cancelled", status);
	if (item->number <= stream->last)
		monkey_fail(monkey, "results are out of order", status);
	stream->last = item->number;
	stream->broken = status != ND_SUCCESS;
}

size_t
monkey_cq_take(struct monkey *monkey, struct monkey_cq *cq, size_t max)
{
	struct nd_result *results[TAKE_MAX];
	size_t count = nd_cq_get_results(cq->cq, results, RTE_MIN(max, (size_t)TAKE_MAX));

	for (size_t i = 0; i < count; i++) {
		struct monkey_item *item = (struct monkey_item *)results[i];

		if (item->magic != ITEM_MAGIC)
			monkey_fail(monkey, "a result of nobody", results[i]->status);
		if (item->window)
			continue;
		result_check(monkey, item);
		base_list_remove(&item->node);
		item->magic = 0;
		free(item);
	}
	return count;
}

void
monkey_cq_drop(struct monkey_cq *cq)
{
	struct base_list *node;

	while ((node = base_list_first(&cq->items)) != NULL) {
		base_list_remove(node);
		free(base_list_entry(node, struct monkey_item, node));
	}
}

void
monkey_cq_settled(struct monkey *monkey, struct monkey_cq *cq)
{
	struct nd_overlapped notify = {0};
	nd_status status = nd_cq_notify(cq->cq, ND_CQ_NOTIFY_ERRORS, &notify);
	struct base_list *node;

	if (status == ND_PENDING)
		nd_overlapped_cancel(&notify);
	BASE_LIST_FOREACH (node, &cq->items) {
		/*
		 * A completion queue that overran has lost results. In other queues, every request
		 * that is not silent must have a result.
		 */
		if (!base_list_entry(node, struct monkey_item, node)->silent &&
			status != ND_BUFFER_OVERFLOW)
			monkey_fail(monkey, "a request has given no result", status);
	}
	monkey_cq_drop(cq);
}
