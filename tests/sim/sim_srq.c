/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The shared receive queue of an adapter. All sides of the adapter post receives to this queue and
 * take receives from it. Each receive has its own part of the memory, because receives complete in
 * any order.
 */

#include <inttypes.h>

#include <ndpdk/nd_srq.h>

#include "sim_lack.h"
#include "sim_trace.h"
#include "sim_world.h"

/** Additional bytes in the memory of a receive, for the gaps between its pieces. */
#define SLACK       256
#define ENTRIES_MAX 32

static size_t
place_bytes(const struct sim_world *world)
{
	return world->plan.message_max + SLACK;
}

bool
sim_srq_wanted(const struct sim_node *node)
{
	return (node->world->plan.shared_receives >> node->index & 1) != 0;
}

static nd_status
create(struct sim_node *node, struct sim_srq *srq)
{
	const struct sim_world *world = node->world;
	struct sim_lack lack =
		sim_lack_begin(node->world, "register_memory", ND_INSUFFICIENT_RESOURCES);
	nd_status status;

	if (srq->memory.bytes == NULL) {
		srq->entries = sim_random_range(&node->random, 1, ENTRIES_MAX);
		srq->max_sge = sim_random_range(&node->random, 1, SIM_SGE_MAX);
		sim_memory_init(&srq->memory, SIM_OPS_MAX * place_bytes(world), &node->random);
	}
	do
		status = nd_adapter_register_memory(
			node->adapter, srq->memory.bytes, srq->memory.size, NULL, &srq->memory.mr);
	while (sim_lack_again(&lack, status));
	if (status != ND_SUCCESS)
		return status;
	srq->engine_index = world->plan.engines == 1
		? 0
		: sim_random_below(&node->engine_random, world->plan.engines);
	lack = sim_lack_begin(node->world, "create_srq", ND_NO_MEMORY);
	do
		status = nd_adapter_create_srq(node->adapter, srq->engine_index, srq->entries,
			srq->max_sge, sim_random_below(&node->random, srq->entries + 1), &srq->srq);
	while (sim_lack_again(&lack, status));
	return status;
}

struct nd_engine *
sim_srq_open(struct sim_node *node)
{
	struct sim_srq *srq = &node->srq;
	nd_status status = ND_SUCCESS;

	if (srq->srq == NULL)
		status = create(node, srq);
	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: create_srq: %s", node->name, nd_status_name(status));
	return nd_adapter_get_engine(node->adapter, srq->engine_index);
}

/**
 * Resize the queue in some turns. The call must fail if the new size is less than the number of
 * posted receives.
 */
static void
resize(struct sim_node *node, struct sim_srq *srq)
{
	uint32_t entries = sim_random_range(&node->random, 1, ENTRIES_MAX);
	nd_status status =
		nd_srq_modify(srq->srq, entries, sim_random_below(&node->random, srq->entries + 1));

	if (status == ND_SUCCESS)
		srq->entries = entries;
	else if (status != ND_BUFFER_OVERFLOW || srq->outstanding <= entries)
		sim_fail(node->world, "%s: srq_modify to %u with %u outstanding: %s", node->name,
			entries, srq->outstanding, nd_status_name(status));
}

/** @return index of an entry without a posted receive; SIM_OPS_MAX if none is free */
static uint32_t
place_find(const struct sim_srq *srq)
{
	uint32_t place = 0;

	while (place < SIM_OPS_MAX && srq->posted[place])
		place++;
	return place;
}

static bool
post(struct sim_side *side, struct sim_srq *srq)
{
	uint32_t place = place_find(srq);
	const uint64_t at = place * place_bytes(side->world);
	struct sim_ring ring = {.memory = &srq->memory, .head = at, .tail = at};
	struct nd_sge sgl[SIM_SGE_MAX];
	struct sim_op *op;
	nd_status status;

	if (place == SIM_OPS_MAX)
		return false;
	op = &srq->ops[place];
	*op = (struct sim_op){.kind = SIM_OP_RECEIVE, .id = srq->last_id + 1};
	op->result = (struct nd_result){ND_PENDING, 0, UINT32_MAX, UINT32_MAX, NULL};
	if (!sim_layout_make(&op->layout, &ring,
		    side->world->plan.message_max + sim_random_below(&side->random, 64),
		    srq->max_sge, &side->random))
		sim_fail(side->world, "%s: a receive does not fit into its slot", side->name);
	sim_layout_sgl(&op->layout, sgl);
	status = nd_srq_receive(
		srq->srq, &op->result, op->layout.count == 0 ? NULL : sgl, op->layout.count);
	sim_trace_status(
		&side->world->trace, side->name, "post shared receive", (int64_t)op->id, status);
	if (status == ND_NO_MORE_ENTRIES && srq->outstanding >= srq->entries)
		return false;
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: srq_receive with %u outstanding of %u: %s", side->name,
			srq->outstanding, srq->entries, nd_status_name(status));
	srq->posted[place] = true;
	srq->outstanding++;
	srq->last_id = op->id;
	return true;
}

bool
sim_srq_fill(struct sim_side *side)
{
	struct sim_srq *srq = &side->node->srq;
	uint32_t count = sim_random_range(&side->random, 1, srq->entries + 1), i = 0;

	if (sim_random_chance(&side->random, 20))
		resize(side->node, srq);
	if (srq->outstanding >= srq->entries && !sim_random_chance(&side->random, 50))
		return false;
	while (i < count && post(side, srq))
		i++;
	return i != 0;
}

void
sim_srq_arm(struct sim_node *node)
{
	struct sim_srq *srq = &node->srq;

	if (srq->low.begun && srq->low.done) {
		if (srq->low.status != ND_SUCCESS)
			sim_fail(node->world, "%s: srq_notify ended with %s", node->name,
				nd_status_name(srq->low.status));
		srq->low.begun = false;
	}
	if (srq->srq != NULL && !srq->low.begun)
		sim_wait_returned(
			&srq->low, nd_srq_notify(srq->srq, sim_wait_begin(&srq->low, node)));
}

/** Discard all posted receives, which will never have results. */
static void
forget(struct sim_srq *srq)
{
	for (uint32_t i = 0; i < SIM_OPS_MAX; i++) {
		if (srq->posted[i])
			sim_layout_doubt(&srq->ops[i].layout);
		srq->posted[i] = false;
	}
	srq->outstanding = 0;
	srq->low = (struct sim_wait){0};
	srq->srq = NULL;
	if (srq->memory.bytes != NULL)
		sim_memory_settle(&srq->memory);
	srq->memory.mr = NULL;
}

void
sim_srq_lose(struct sim_node *node)
{
	forget(&node->srq);
}

void
sim_srq_over(struct sim_node *node, struct sim_op *op)
{
	struct sim_srq *srq = &node->srq;

	srq->posted[op - srq->ops] = false;
	srq->outstanding--;
	/*
	 * A failed receive may have written a part of its message. So its bytes are unsure, and
	 * their current values are accepted.
	 */
	if (op->result.status != ND_SUCCESS)
		sim_memory_settle(&srq->memory);
	srq->done_id = RTE_MAX(srq->done_id, op->id);
}

/**
 * Check that no receive was lost: the remaining receives are the newest receives, and the queue
 * reports their number.
 */
static void
rest_check(struct sim_node *node, struct sim_srq *srq)
{
	struct nd_srq_info info = {0};

	for (uint32_t i = 0; i < SIM_OPS_MAX; i++)
		if (srq->posted[i] && srq->ops[i].id <= srq->done_id)
			sim_fail(node->world, "%s: shared receive %" PRIu64 " has no result",
				node->name, srq->ops[i].id);
	if (nd_srq_query(srq->srq, &info) != ND_SUCCESS || info.posted != srq->outstanding ||
		info.endpoints != 0)
		sim_fail(node->world, "%s: %zu receives in the shared queue, not %u", node->name,
			info.posted, srq->outstanding);
}

void
sim_srq_close(struct sim_node *node)
{
	struct sim_srq *srq = &node->srq;
	nd_status status;

	if (srq->srq != NULL) {
		rest_check(node, srq);
		status = nd_srq_release(srq->srq);
		if (status == ND_SUCCESS)
			status = nd_adapter_deregister_memory(node->adapter, srq->memory.mr, NULL);
		if (status != ND_SUCCESS)
			sim_fail(node->world, "%s: srq_release: %s", node->name,
				nd_status_name(status));
	}
	if (srq->memory.bytes == NULL)
		return;
	if (srq->srq != NULL && sim_memory_wrong(&srq->memory, 0, srq->memory.size) >= 0)
		sim_fail(node->world, "%s: memory of shared receives was changed", node->name);
	srq->srq = NULL;
	srq->low = (struct sim_wait){0};
	sim_memory_fini(&srq->memory);
}
