/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Random calls on memory, windows, queues, and other objects that belong to no connection. */

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "monkey.h"
#include "support/engines.h"

static bool
mr_is_live(const struct monkey *monkey, const struct nd_mr *mr)
{
	for (unsigned int s = 0; s < 2; s++) {
		if (monkey->pair.side[s].mr == mr)
			return true;
		for (unsigned int i = 0; i < MONKEY_REGIONS; i++) {
			if (monkey->sides[s].regions[i].mr == mr)
				return true;
		}
	}
	return false;
}

static bool
mw_is_live(const struct monkey_side *side, const struct nd_mw *mw)
{
	for (unsigned int i = 0; i < MONKEY_WINDOWS; i++) {
		if (side->windows[i].mw == mw)
			return true;
	}
	return false;
}

void
monkey_region_make(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_region *region = &side->regions[monkey_below(monkey, MONKEY_REGIONS)];
	struct nd_mr *mr;
	nd_status status;

	if (monkey_once_in(monkey, 8)) {
		status = monkey_once_in(monkey, 2)
			? nd_adapter_register_memory(side->adapter, NULL, 5, NULL, &mr)
			: nd_adapter_register_memory(side->adapter, side, 0, NULL, &mr);
		if (!nd_failed(status))
			monkey_fail(monkey, "nothing can be registered", status);
	}
	if (region->mr != NULL)
		return;
	region->bytes = monkey_once_in(monkey, 16) ? 1 : 1000;
	region->bytes += monkey_below(monkey, MONKEY_REGION_MAX - 1000);
	region->memory = calloc(1, region->bytes);
	status = nd_adapter_register_memory(
		side->adapter, region->memory, region->bytes, NULL, &region->mr);
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "memory is not registered", status);
}

void
monkey_region_finish(struct monkey *monkey, struct monkey_side *side, struct monkey_region *region)
{
	nd_status status = nd_adapter_deregister_memory(side->adapter, region->mr, NULL);

	if (status == ND_DEVICE_BUSY)
		return;
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "memory is not deregistered", status);
	side->stale_mr[monkey_below(monkey, MONKEY_STALE)] = region->mr;
	region->mr = NULL;
	free(region->memory);
	region->memory = NULL;
}

void
monkey_region_end(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_region *region = &side->regions[monkey_below(monkey, MONKEY_REGIONS)];
	struct nd_mr *stale = side->stale_mr[monkey_below(monkey, MONKEY_STALE)];
	nd_status status;

	if (!mr_is_live(monkey, stale)) {
		status = nd_adapter_deregister_memory(side->adapter, stale, NULL);
		if (status != ND_INVALID_HANDLE)
			monkey_fail(monkey, "a stale registration is not found out", status);
	}
	if (region->mr != NULL)
		monkey_region_finish(monkey, side, region);
}

void
monkey_window_make(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_window *window = &side->windows[monkey_below(monkey, MONKEY_WINDOWS)];
	nd_status status;

	if (window->mw != NULL)
		return;
	window->invalidated = monkey_item_new(monkey, NULL, MONKEY_INBOUND, false);
	status = nd_adapter_create_memory_window(
		side->adapter, &window->invalidated->result, &window->mw);
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "a window is not made", status);
}

void
monkey_window_end(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_window *window = &side->windows[monkey_below(monkey, MONKEY_WINDOWS)];
	struct nd_mw *stale = side->stale_mw[monkey_below(monkey, MONKEY_STALE)];
	nd_status status;

	if (!mw_is_live(side, stale)) {
		status = nd_mw_release(side->adapter, stale);
		if (status != (stale == NULL ? ND_SUCCESS : ND_INVALID_HANDLE))
			monkey_fail(monkey, "a stale window is not found out", status);
	}
	if (window->mw == NULL)
		return;
	status = nd_mw_release(side->adapter, window->mw);
	if (status == ND_DEVICE_BUSY)
		return;
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "a window is not released", status);
	side->stale_mw[monkey_below(monkey, MONKEY_STALE)] = window->mw;
	window->mw = NULL;
	free(window->invalidated);
	window->invalidated = NULL;
}

void
monkey_cq_make(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_cq *cq = &side->cqs[monkey_below(monkey, MONKEY_CQS)];
	/* Sometimes create a queue that is so small that it overruns. */
	size_t entries = monkey_once_in(monkey, 8) ? 1 + monkey_below(monkey, 8) : 1024;
	struct nd_cq *none;
	nd_status status;

	if (monkey_once_in(monkey, 8)) {
		status = nd_engine_create_completion_queue(test_home(side->adapter), 0, &none);
		if (status != ND_INVALID_PARAMETER)
			monkey_fail(monkey, "a queue without entries", status);
	}
	if (cq->cq != NULL)
		return;
	base_list_init(&cq->items);
	status = nd_engine_create_completion_queue(test_home(side->adapter), entries, &cq->cq);
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "a queue is not made", status);
}

void
monkey_cq_use(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_cq *cq = &side->cqs[monkey_below(monkey, MONKEY_CQS)];
	struct monkey_op *op;

	if (cq->cq == NULL)
		return;
	switch (monkey_below(monkey, 6)) {
	case 0:
		op = monkey_op_new(monkey);
		monkey_op_returned(
			op, nd_cq_notify(cq->cq, monkey_below(monkey, 4), &op->overlapped));
		break;
	case 1:
		(void)nd_cq_resize(cq->cq, monkey_below(monkey, 2000));
		break;
	case 2:
		(void)nd_cq_cancel_overlapped_requests(cq->cq);
		break;
	default:
		monkey_cq_take(monkey, cq, monkey_below(monkey, 16));
		break;
	}
}

void
monkey_cq_end(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_cq *cq = &side->cqs[monkey_below(monkey, MONKEY_CQS)];
	bool used = false;
	nd_status status;

	if (cq->cq == NULL)
		return;
	for (unsigned int i = 0; i < MONKEY_CONNECTORS; i++)
		used |= side->connectors[i].endpoint != NULL &&
			(side->connectors[i].cqs[0] == cq || side->connectors[i].cqs[1] == cq);
	if (!used) {
		while (monkey_cq_take(monkey, cq, SIZE_MAX) != 0)
			;
		monkey_cq_settled(monkey, cq);
	}
	status = nd_cq_release(cq->cq);
	if (status != (used ? ND_DEVICE_BUSY : ND_SUCCESS))
		monkey_fail(monkey, "a queue is released when in use, or not when free", status);
	if (!used)
		cq->cq = NULL;
}

void
monkey_adapter_ask(struct monkey *monkey, struct monkey_side *side)
{
	struct nd_counter counters[8];
	struct nd_adapter_info info;
	struct sockaddr_storage address;
	size_t bytes = monkey_below(monkey, 2 * sizeof(info));
	size_t length = monkey_below(monkey, 2 * sizeof(address));

	(void)nd_adapter_query(side->adapter, monkey_below(monkey, 3), &info, &bytes);
	(void)nd_adapter_get_address(side->adapter, (struct sockaddr *)&address, &length);
	(void)nd_adapter_counters(side->adapter, counters, monkey_below(monkey, 9));
	(void)nd_adapter_path_mtu(side->adapter);
}

void
monkey_op_use(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_op *op = monkey_op_any(monkey);
	bool over_before;
	nd_status status;
	size_t bytes = 1;

	(void)side;
	if (op == NULL)
		return;
	status = nd_overlapped_get_result(&op->overlapped, &bytes, false);
	over_before = status != ND_PENDING;
	if (bytes != 0)
		monkey_fail(monkey, "an operation reports bytes", status);
	if (!monkey_once_in(monkey, 3))
		return;
	status = nd_overlapped_cancel(&op->overlapped);
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "cancelling", status);
	if (monkey->depth == 0 && !over_before &&
		nd_overlapped_get_result(&op->overlapped, NULL, false) == ND_PENDING)
		monkey_fail(monkey, "a cancelled operation is still pending", status);
}
