/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_world.h"

#include <inttypes.h>
#include <stdio.h>

#include <ndpdk/nd_srq.h>

#include "nd/endpoint.h"
#include "sim_lack.h"

/** Additional entries of a completion queue, for requests beyond the size of the two queues. */
#define CQ_SPARE    4
/** Minimum size of the memory for receives, in bytes. */
#define INBOX_BYTES 262144
/**
 * Time in ns after which a doomed pair (its connection may fail) is disconnected if it has not
 * ended.
 */
#define GIVE_UP_NS  UINT64_C(400000000)

static uint32_t
entries_roll(struct sim_random *random)
{
	return sim_random_chance(random, 300) ? sim_random_range(random, 1, 4)
					      : sim_random_range(random, 4, 40);
}

static uint32_t
reads_roll(struct sim_random *random)
{
	return sim_random_chance(random, 100) ? 0 : sim_random_range(random, 1, 16);
}

void
sim_side_init(struct sim_pair *pair, uint32_t which, struct sim_node *node)
{
	struct sim_side *side = &pair->sides[which];
	struct sim_world *world = node->world;

	*side = (struct sim_side){.world = world, .node = node, .pair = pair};
	side->peer = &pair->sides[1 - which];
	node->sides[node->side_count++] = side;
	snprintf(side->name, sizeof(side->name), "%s%u", node->name, pair->index % 10);
	side->random = sim_random_stream(world->plan.seed, 100 + 2 * pair->index + which);
	side->in.entries = entries_roll(&side->random);
	side->out.entries = entries_roll(&side->random);
	side->inbound_sge = sim_random_range(&side->random, 1, SIM_SGE_MAX);
	side->outbound_sge = sim_random_range(&side->random, 1, SIM_SGE_MAX);
	side->inbound_reads = reads_roll(&side->random);
	side->outbound_reads = reads_roll(&side->random);
	side->left = world->plan.operations;
	side->messages_tail = &side->messages;
	sim_random_fill(&side->random, side->private_data, sizeof(side->private_data));
	side->private_data[0] = (uint8_t)pair->index;
	side->wake_ns = world->now_ns + sim_random_below(&side->random, 1000000);
}

static void
memory_attach(struct sim_side *side, struct sim_memory *memory)
{
	struct sim_lack lack =
		sim_lack_begin(side->world, "register_memory", ND_INSUFFICIENT_RESOURCES);
	nd_status status;

	do
		status = nd_adapter_register_memory(
			side->node->adapter, memory->bytes, memory->size, NULL, &memory->mr);
	while (sim_lack_again(&lack, status));
	if (status != ND_SUCCESS)
		sim_fail(
			side->world, "%s: register_memory: %s", side->name, nd_status_name(status));
}

static void
cq_open(struct sim_side *side, struct sim_cq *cq, struct nd_engine *engine, size_t entries)
{
	struct sim_lack lack = sim_lack_begin(side->world, "create_completion_queue", ND_NO_MEMORY);
	nd_status status;

	do
		status = nd_engine_create_completion_queue(engine, entries, &cq->cq);
	while (sim_lack_again(&lack, status));
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: create_completion_queue: %s", side->name,
			nd_status_name(status));
	cq->engine = engine;
	cq->entries = entries;
}

static void
cqs_open(struct sim_side *side)
{
	size_t inbound = side->in.entries + CQ_SPARE / 2;
	size_t outbound = side->out.entries + CQ_SPARE / 2;
	struct nd_engine *engine = NULL;

	/*
	 * The queue has enough entries for all shared receives, because one side may take all of
	 * them.
	 */
	if (sim_srq_wanted(side->node)) {
		engine = sim_srq_open(side->node);
		inbound = SIM_OPS_MAX;
	}
	if (engine == NULL && (!side->world->plan.shared_cq || side->node->shared_cq.cq == NULL))
		engine = sim_node_pick_engine(side->node);
	if (side->world->plan.shared_cq) {
		struct sim_cq *cq = &side->node->shared_cq;
		struct sim_lack lack;
		nd_status status;

		side->inbound_cq = cq;
		side->outbound_cq = cq;
		if (cq->cq == NULL) {
			cq_open(side, cq, engine, inbound + outbound);
			return;
		}
		cq->entries += inbound + outbound;
		lack = sim_lack_begin(side->world, "resize", ND_INSUFFICIENT_RESOURCES);
		do
			status = nd_cq_resize(cq->cq, cq->entries);
		while (sim_lack_again(&lack, status));
		if (status != ND_SUCCESS)
			sim_fail(side->world, "resize: %s", nd_status_name(status));
		return;
	}
	side->inbound_cq = &side->own_cqs[0];
	side->outbound_cq = &side->own_cqs[1];
	cq_open(side, side->inbound_cq, engine, inbound);
	cq_open(side, side->outbound_cq, engine, outbound);
}

/** @return size of the memory for a random number of receives, at least two */
static size_t
inbox_bytes(struct sim_side *side, size_t receive_bytes)
{
	size_t bytes = sim_random_range(&side->random, 2, side->in.entries + 2) * receive_bytes;

	if (bytes > INBOX_BYTES)
		bytes = INBOX_BYTES;
	return RTE_MAX(bytes, 2 * receive_bytes);
}

/** Create the side's regions, windows and completion queues on its adapter. */
static void
side_attach(struct sim_side *side)
{
	memory_attach(side, &side->source);
	memory_attach(side, &side->inbox);
	memory_attach(side, &side->exposed);
	for (uint32_t i = 0; i < SIM_WINDOWS; i++) {
		struct sim_window *window = &side->windows[i];
		struct sim_lack lack = sim_lack_begin(
			side->world, "create_memory_window", ND_INSUFFICIENT_RESOURCES);
		nd_status status;

		do
			status = nd_adapter_create_memory_window(
				side->node->adapter, &window->invalidate_result, &window->mw);
		while (sim_lack_again(&lack, status));
		window->invalidate_result.status = ND_PENDING;
		window->invalidate_result.bytes_transferred = 1;
		if (status != ND_SUCCESS)
			sim_fail(side->world, "%s: create_memory_window: %s", side->name,
				nd_status_name(status));
	}
	cqs_open(side);
}

static void
memory_detach(struct sim_side *side, struct sim_memory *memory)
{
	nd_status status = nd_adapter_deregister_memory(side->node->adapter, memory->mr, NULL);

	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: deregister_memory: %s", side->name,
			nd_status_name(status));
	memory->mr = NULL;
}

static void
side_detach(struct sim_side *side)
{
	nd_status status;

	for (uint32_t i = 0; i < SIM_WINDOWS; i++) {
		status = nd_mw_release(side->node->adapter, side->windows[i].mw);
		if (status != ND_SUCCESS)
			sim_fail(side->world, "%s: mw_release: %s", side->name,
				nd_status_name(status));
	}
	memory_detach(side, &side->source);
	memory_detach(side, &side->inbox);
	memory_detach(side, &side->exposed);
	for (uint32_t i = 0; i < RTE_DIM(side->own_cqs); i++) {
		if (side->own_cqs[i].cq == NULL)
			continue;
		status = nd_cq_release(side->own_cqs[i].cq);
		if (status != ND_SUCCESS)
			sim_fail(side->world, "%s: cq_release: %s", side->name,
				nd_status_name(status));
		side->own_cqs[i] = (struct sim_cq){0};
	}
}

void
sim_side_open(struct sim_side *side)
{
	size_t message = side->world->plan.message_max;
	size_t slack = 256;

	side->outbound_reads_agreed = RTE_MIN(side->outbound_reads, side->peer->inbound_reads);
	sim_memory_init(&side->source, sim_random_range(&side->random, 2, 5) * (message + slack),
		&side->random);
	sim_memory_init(&side->inbox, inbox_bytes(side, message + slack), &side->random);
	sim_memory_init(&side->exposed,
		sim_random_range(&side->random, (uint32_t)message / 2 + 64, (uint32_t)message + 64),
		&side->random);
	side->source_ring.memory = &side->source;
	side->inbox_ring.memory = &side->inbox;
	side_attach(side);
}

/**
 * An adapter that restarts with the same random numbers reuses queue pair numbers, and perhaps
 * first PSNs, of connections before the restart. While the peer of an old connection retransmits,
 * its packets cannot be distinguished from packets of the new connection.
 * @return true if the peer of an old connection still sends to this endpoint's queue pair number
 */
static bool
number_is_known(const struct sim_side *side)
{
	const struct sim_world *world = side->world;

	if (!sim_accident_ids_known(side->pair))
		return false;
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		for (uint32_t k = 0; k < 2; k++) {
			const struct sim_side *other = &world->pairs[i].sides[k];

			if (other->endpoint != NULL && other->peer->node == side->node &&
				other->endpoint->slot.qp->remote_qpn ==
					side->endpoint->slot.qp->qpn)
				return true;
		}
	}
	return false;
}

static nd_status
endpoint_create(struct sim_side *side, size_t *inline_max)
{
	nd_status status;

	if (sim_srq_wanted(side->node))
		status = nd_connector_create_endpoint_with_srq(side->connector,
			side->inbound_cq->cq, side->outbound_cq->cq, side->node->srq.srq,
			side->out.entries, side->outbound_sge, side->inbound_reads,
			side->outbound_reads, inline_max, &side->endpoint);
	else
		status = nd_connector_create_endpoint(side->connector, side->inbound_cq->cq,
			side->outbound_cq->cq, side->in.entries, side->out.entries,
			side->inbound_sge, side->outbound_sge, side->inbound_reads,
			side->outbound_reads, inline_max, &side->endpoint);
	if (status == ND_SUCCESS)
		nd_endpoint_set_context(side->endpoint, side);
	return status;
}

bool
sim_side_make_endpoint(struct sim_side *side)
{
	size_t inline_max = 0;
	struct sim_lack lack =
		sim_lack_begin(side->world, "create_endpoint", ND_INSUFFICIENT_RESOURCES);
	nd_status status;

	do
		status = endpoint_create(side, &inline_max);
	while (sim_lack_again(&lack, status));
	/*
	 * If the peer of an old connection still uses this QPN, create a new endpoint, which has a
	 * different QPN.
	 */
	while (status == ND_SUCCESS && number_is_known(side)) {
		sim_trace_event(&side->world->trace, side->name, "known number",
			(int64_t)side->endpoint->slot.qp->qpn, 0);
		status = nd_endpoint_release(side->endpoint);
		if (status == ND_SUCCESS)
			status = endpoint_create(side, &inline_max);
	}
	if (status == ND_CONNECTION_ABORTED && sim_accident_excuses(side))
		return false;
	if (status != ND_SUCCESS)
		sim_fail(
			side->world, "%s: create_endpoint: %s", side->name, nd_status_name(status));
	if (inline_max < 256)
		sim_fail(side->world, "%s: %zu bytes inline", side->name, inline_max);
	return true;
}

void
sim_side_doom(struct sim_pair *pair)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct sim_side *side = &pair->sides[i];

		side->doomed = true;
		side->give_up_ns = side->world->now_ns + GIVE_UP_NS;
		sim_world_wake(side->node, side->give_up_ns);
	}
}

/** If both sides have completed all their work, start the disconnect. */
static void
close_when_done(struct sim_side *side)
{
	struct sim_pair *pair = side->pair;

	if (pair->closing || side->doomed || sim_mischief_pending(pair) || !sim_work_done(pair))
		return;
	pair->closing = true;
	for (uint32_t i = 0; i < 2; i++)
		sim_world_wake(pair->sides[i].node, side->world->now_ns);
}

/** @return true if this side of a doomed pair must disconnect now */
static bool
gives_up(struct sim_side *side)
{
	uint64_t end_ns = sim_promise_end_ns(side), now_ns = side->world->now_ns;

	if (end_ns == UINT64_MAX)
		return now_ns >= side->give_up_ns;
	if (now_ns >= end_ns)
		sim_fail(side->world,
			"%s: the peer has been gone for %" PRIu64 " ms, but the "
			"connection has not ended",
			side->name, (now_ns - side->alone_ns) / 1000000);
	sim_world_wake(side->node, end_ns);
	return false;
}

static void
up_turn(struct sim_side *side)
{
	struct sim_pair *pair = side->pair;

	if (sim_mischief_pending(pair))
		sim_mischief_turn(side);
	if (side->state != SIM_SIDE_UP)
		return;
	close_when_done(side);
	if (side->notify.done && !pair->closing && !sim_accident_excuses(side))
		sim_fail(side->world, "%s: the connection broke", side->name);
	if (side->notify.done ||
		(pair->closing && (pair->closer == 2 || side == &pair->sides[pair->closer])) ||
		(side->doomed && gives_up(side))) {
		sim_connect_end(side);
		return;
	}
	if (!pair->closing)
		sim_work_turn(side);
}

static void
queue_again(struct sim_queue *queue, struct sim_ring *ring)
{
	queue->head = queue->tail;
	queue->broken = false;
	ring->head = ring->tail;
}

static bool
notifications_wait(const struct sim_side *side)
{
	return side->own_cqs[0].notify.begun || side->own_cqs[1].notify.begun;
}

void
sim_side_again(struct sim_side *side)
{
	struct sim_world *world = side->world;

	queue_again(&side->out, &side->source_ring);
	queue_again(&side->in, &side->inbox_ring);
	/* The end of the endpoint has invalidated all its windows (RC-158). */
	for (uint32_t i = 0; i < SIM_WINDOWS; i++)
		side->windows[i].state = SIM_WINDOW_IDLE;
	sim_memory_settle(&side->source);
	sim_memory_settle(&side->inbox);
	sim_memory_settle(&side->exposed);
	sim_keys_settle(side);
	if (world->plan.remake != 0 && sim_random_chance(&side->random, world->plan.remake) &&
		!notifications_wait(side)) {
		side_detach(side);
		side_attach(side);
	}
	side->state = SIM_SIDE_START;
	side->attempts = 0;
	side->died = false;
	side->alone_ns = 0;
	side->flushed = false;
	side->left = world->plan.operations / 2;
	side->doomed = false;
	side->fatal = false;
	side->bad_id = 0;
	side->receive_limit = 0;
	side->wake_ns = RTE_MAX(world->now_ns, side->node->quiet_ns) + 1 +
		sim_random_below(&side->random, 1000000);
	sim_world_wake(side->node, side->wake_ns);
	if (!side->active)
		sim_connect_expect(side);
}

static bool
ended_by_accident(const struct sim_pair *pair)
{
	return pair->sides[0].doomed && pair->sides[0].world->plan.accident_count != 0;
}

void
sim_side_round_end(struct sim_pair *pair)
{
	if (pair->sides[0].state != SIM_SIDE_CLOSED || pair->sides[1].state != SIM_SIDE_CLOSED)
		return;
	for (uint32_t i = 0; i < 2; i++)
		sim_oracle_finish_messages(&pair->sides[i]);
	/*
	 * pair->rounds counts connections that end normally. A connection that an accident has
	 * ended is repeated without counting.
	 */
	if (pair->lost || (pair->rounds == 0 && !ended_by_accident(pair)))
		return;
	if (!ended_by_accident(pair))
		pair->rounds--;
	pair->closing = false;
	pair->begun_ns = pair->sides[0].world->now_ns;
	for (uint32_t i = 0; i < 2; i++)
		sim_side_again(&pair->sides[i]);
}

void
sim_side_turn(struct sim_side *side)
{
	switch (side->state) {
	case SIM_SIDE_START:
	case SIM_SIDE_CONNECTING:
	case SIM_SIDE_ASKED:
	case SIM_SIDE_ACCEPTING:
		sim_connect_turn(side);
		break;
	case SIM_SIDE_UP:
		up_turn(side);
		break;
	case SIM_SIDE_DISCONNECTING:
		sim_connect_down_turn(side);
		break;
	case SIM_SIDE_DOWN:
		sim_side_release(side);
		side->state = SIM_SIDE_CLOSED;
		sim_side_round_end(side->pair);
		break;
	case SIM_SIDE_CLOSED:
		return;
	}
	/* If the next action has a fixed time, schedule a turn for this time. */
	if (side->state < SIM_SIDE_UP && side->wake_ns > side->world->now_ns)
		sim_world_wake(side->node, side->wake_ns);
	if (side->state == SIM_SIDE_UP && side->doomed && side->world->now_ns < side->give_up_ns)
		sim_world_wake(side->node, side->give_up_ns);
	if (side->state == SIM_SIDE_DISCONNECTING && side->disconnect.done && side->notify.done)
		sim_world_wake(side->node, side->world->now_ns);
	if (side->state == SIM_SIDE_DOWN)
		sim_world_wake(side->node, side->world->now_ns);
}

void
sim_side_release(struct sim_side *side)
{
	nd_status status = ND_SUCCESS;

	if (side->endpoint != NULL)
		status = nd_endpoint_release(side->endpoint);
	if (status == ND_SUCCESS && side->connector != NULL)
		status = nd_connector_release(side->connector);
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: release: %s", side->name, nd_status_name(status));
	side->endpoint = NULL;
	side->connector = NULL;
}

void
sim_side_abandon(struct sim_side *side)
{
	nd_status status = ND_SUCCESS;

	sim_trace_event(&side->world->trace, side->name, "abandon", (int64_t)side->state, 0);
	if (side->endpoint != NULL)
		status = nd_endpoint_release(side->endpoint);
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: release: %s", side->name, nd_status_name(status));
	side->endpoint = NULL;
	side->fatal = true;
	side->node->emptied = false;
	side->disconnect = (struct sim_wait){.done = true, .status = ND_SUCCESS};
	side->notify = side->disconnect;
	side->state = SIM_SIDE_DISCONNECTING;
	sim_world_wake(side->node, side->world->now_ns);
}

void
sim_side_lose(struct sim_side *side)
{
	sim_oracle_lose(side);
	side->endpoint = NULL;
	side->connector = NULL;
	for (uint32_t i = 0; i < RTE_DIM(side->own_cqs); i++)
		side->own_cqs[i] = (struct sim_cq){0};
	side->died = true;
	side->expecting = false;
	side->state = side->pair->lost ? SIM_SIDE_CLOSED : SIM_SIDE_DOWN;
}

void
sim_side_found(struct sim_side *side)
{
	side_attach(side);
	side->state = SIM_SIDE_CLOSED;
}

static void
memory_check(struct sim_side *side, const struct sim_memory *memory, const char *what)
{
	ptrdiff_t wrong = sim_memory_wrong(memory, 0, memory->size);

	if (wrong >= 0)
		sim_fail(side->world, "%s: byte %td of %zu of the %s memory was changed",
			side->name, wrong, memory->size, what);
}

void
sim_side_close(struct sim_side *side)
{
	memory_check(side, &side->source, "source");
	memory_check(side, &side->inbox, "inbox");
	memory_check(side, &side->exposed, "exposed");
	/*
	 * If an accident has ended a pair permanently, sim_side_round_end() does not check the
	 * messages of the pair. So check them here.
	 */
	sim_oracle_finish_messages(side);
	if (side->node->adapter != NULL)
		side_detach(side);
	sim_memory_fini(&side->source);
	sim_memory_fini(&side->inbox);
	sim_memory_fini(&side->exposed);
}
