/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Keys for all peers. A key is valid for the peers of all endpoints of its adapter, within its
 * range and its rights. The key of a region is valid from the registration until the deregistration
 * returns. Other keys are valid from the result of the request that creates the key to the result
 * of the request that ends it. The owner or a peer may end the key at any time. Requests in flight
 * may then be executed or not. After the end, the owner overwrites the memory at once. From then
 * on, no byte may change and no READ may return the new bytes. A later request with the key ends
 * its connection. Connections without requests in flight are not affected.
 */

#include "sim_keys.h"

#include <inttypes.h>
#include <string.h>

#include <rte_byteorder.h>

#include "sim_lack.h"
#include "sim_trace.h"
#include "sim_world.h"

/** Maximum size of a part, and size of the gap between two parts, in bytes. */
#define PART_MAX    4096u
#define GAP_BYTES   16u
#define BUFFERS_MAX 3u

/**
 * Per mille of a side's actions: REVOKE means that the owner ends a key, MISUSE is a request that
 * must be refused, INVALIDATE means that the peer ends a key.
 */
#define REVOKE     30
#define MISUSE     12
#define INVALIDATE 20

/** Deliberate error of a request that must be refused. */
enum misuse {
	MISUSE_RIGHT,     /**< The key does not grant the right. */
	MISUSE_BEYOND,    /**< The last byte of the access is after the key's range. */
	MISUSE_NEXT,      /**< The only wrong byte is the first byte after the range. */
	MISUSE_BEFORE,    /**< The first byte of the access is before the range. */
	MISUSE_ENDED,     /**< the key has ended */
	MISUSE_ELSEWHERE, /**< the key belongs to another adapter */
	MISUSE_LOCAL,     /**< the key of a memory region that no peer may access */
	MISUSE_SEND,      /**< SEND with Invalidate of a region, which is not allowed */
	MISUSE_COUNT,
};

static struct sim_keys *
keys_of(const struct sim_side *side)
{
	return &side->node->keys;
}

void
sim_keys_open(struct sim_node *node)
{
	const struct sim_plan *plan = &node->world->plan;
	uint32_t part_max = RTE_MIN(plan->message_max, PART_MAX);

	for (uint32_t i = 0; i < SIM_KEYS && plan->keys; i++) {
		struct sim_key *key = &node->keys.keys[i];
		size_t part = sim_random_range(&node->random, 64, RTE_MAX(part_max, 65u));
		size_t step = part + GAP_BYTES;

		sim_memory_init(&key->memory, plan->pair_count * step + GAP_BYTES, &node->random);
		for (uint32_t k = 0; k < plan->pair_count; k++) {
			size_t at = GAP_BYTES + k * step;

			key->part_at[k] = at;
			key->parts[k] = (struct sim_memory){
				.bytes = key->memory.bytes + at,
				.model = key->memory.model + at,
				.unsure = key->memory.unsure + at,
				.size = part,
			};
		}
	}
}

uint32_t
sim_keys_name(const struct sim_side *side, uint32_t index)
{
	return keys_of(side)->keys[index].generation * SIM_KEYS + index;
}

void
sim_keys_told(struct sim_side *side, uint32_t name)
{
	struct sim_key *key = &keys_of(side->peer)->keys[name % SIM_KEYS];

	/*
	 * If one endpoint of this node has received a key, all endpoints of the node may use the
	 * key.
	 */
	if (key->live && !key->ending && key->generation == name / SIM_KEYS)
		key->known |= 1u << side->node->index;
}

bool
sim_keys_ended(const struct sim_op *op)
{
	return op->key != NULL && (!op->key->live || op->key->generation != op->generation);
}

bool
sim_keys_ending(const struct sim_op *op)
{
	return sim_keys_ended(op) || (op->key != NULL && op->key->ending);
}

void
sim_keys_refused(struct sim_side *side)
{
	if (side->peer->node->life == 0)
		keys_of(side->peer)->refused++;
}

void
sim_keys_failed(struct sim_side *side, const struct sim_op *op)
{
	struct sim_keys *keys = keys_of(side->peer);
	const uint32_t bit = 1u << side->pair->index;

	if (op->key == NULL || (keys->failed & bit) != 0)
		return;
	/* The request is refused if the key ends before its packets arrive. */
	keys->failed |= bit;
	keys->refused_max++;
}

/* ---- the owner ---- */

static uint32_t
rights_roll(struct sim_random *random)
{
	static const uint32_t rights[] = {
		ND_MR_FLAG_ALLOW_LOCAL_WRITE,
		ND_MR_FLAG_ALLOW_REMOTE_READ,
		ND_MR_FLAG_ALLOW_REMOTE_WRITE,
		ND_MR_FLAG_ALLOW_REMOTE_ATOMIC,
		ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE,
		ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_RDMA_READ_SINK,
		SIM_REMOTE_ANY | ND_MR_FLAG_ALLOW_LOCAL_WRITE,
		SIM_REMOTE_ANY | ND_MR_FLAG_ALLOW_LOCAL_WRITE,
	};

	return rights[sim_random_below(random, RTE_DIM(rights))];
}

/** Split the region at random into contiguous buffers. @return number of buffers */
static size_t
buffers_make(const struct sim_memory *memory, struct nd_buffer *buffers, uint32_t buffers_max,
	struct sim_random *random)
{
	size_t count = sim_random_range(random, 1, buffers_max), at = 0;

	for (size_t i = 0; i < count; i++) {
		size_t rest = memory->size - at, left = count - 1 - i;
		size_t length =
			left == 0 ? rest : sim_random_range(random, 1, (uint32_t)(rest - left));

		buffers[i] = (struct nd_buffer){memory->bytes + at, length};
		at += length;
	}
	return count;
}

/** Get the key of a region. It exists if and only if a remote right was requested. */
static void
token_take(struct sim_side *side, struct sim_key *key)
{
	struct nd_adapter *adapter = side->node->adapter;
	uint32_t local = 0, token = 0;
	nd_status status = nd_mr_get_remote_token(adapter, key->memory.mr, &token);

	if (status != ((key->rights & SIM_REMOTE_ANY) != 0 ? ND_SUCCESS : ND_ACCESS_VIOLATION) ||
		nd_mr_get_local_token(adapter, key->memory.mr, &local) != ND_SUCCESS)
		sim_fail(side->world, "%s: token of a region with rights 0x%x: %s", side->name,
			key->rights, nd_status_name(status));
	key->descriptor = (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64((uintptr_t)key->memory.bytes),
		.length = rte_cpu_to_be_64(key->memory.size),
		.token = status == ND_SUCCESS ? token : rte_cpu_to_be_32(local),
	};
}

static void
key_begin(struct sim_side *side, struct sim_key *key)
{
	struct sim_lack lack =
		sim_lack_begin(side->world, "register_region", ND_INSUFFICIENT_RESOURCES);
	struct nd_buffer buffers[BUFFERS_MAX];
	/*
	 * With plan.lack, use only one buffer. With several buffers, a failed call would free
	 * memory of earlier regions, and the number of allocated blocks would be wrong.
	 */
	size_t count = buffers_make(
		&key->memory, buffers, side->world->plan.lack ? 1 : BUFFERS_MAX, &side->random);
	nd_status status;

	do
		status = nd_adapter_register_region(side->node->adapter, buffers, count, NULL,
			key->rights, NULL, &key->memory.mr);
	while (sim_lack_again(&lack, status));
	sim_trace_status(&side->world->trace, side->name, "key", key->rights, status);
	if (status != ND_SUCCESS)
		sim_fail(
			side->world, "%s: register_region: %s", side->name, nd_status_name(status));
	token_take(side, key);
	key->generation++;
	key->known = 0;
	key->live = true;
}

static bool
op_names(const struct sim_op *op, const struct sim_key *key)
{
	return op->key == key && op->generation == key->generation && !op->bad;
}

/**
 * Mark as unsure the bytes that the writer's outstanding requests may change with this key. @return
 * true if such requests exist
 */
static bool
part_doubt(struct sim_side *writer, struct sim_key *key)
{
	struct sim_queue *queue = &writer->out;
	bool any = false;

	for (uint32_t i = queue->head; i != queue->tail; i++) {
		const struct sim_op *op = sim_queue_at(queue, i);

		if (!op_names(op, key))
			continue;
		any = true;
		if (op->kind != SIM_OP_READ)
			sim_memory_doubt(op->remote, op->remote_at, op->length);
	}
	return any;
}

static void
memory_check(const struct sim_node *node, const struct sim_key *key, const char *when)
{
	ptrdiff_t wrong = sim_memory_wrong(&key->memory, 0, key->memory.size);

	if (wrong >= 0)
		sim_fail(node->world, "%s: byte %td of %zu of region %td was changed %s",
			node->name, wrong, key->memory.size, key - node->keys.keys, when);
}

/** Doom all pairs with outstanding requests for this key. Their connections may fail. */
static void
writers_doubt(struct sim_node *node, struct sim_key *key)
{
	for (uint32_t i = 0; i < node->side_count; i++) {
		struct sim_side *writer = node->sides[i]->peer;

		/*
		 * Count each end of a key only once. If key->ending is set, the end was counted
		 * when the request that ends the key was posted.
		 */
		if (!part_doubt(writer, key) || key->ending)
			continue;
		node->keys.refused_max++;
		sim_side_doom(writer->pair);
	}
}

void
sim_keys_end_posted(struct sim_node *node, struct sim_key *key)
{
	writers_doubt(node, key);
	key->ending = true;
	key->known = 0;
}

void
sim_keys_over(struct sim_node *node, struct sim_key *key)
{
	struct sim_world *world = node->world;

	writers_doubt(node, key);
	memory_check(node, key, "while its key was valid");
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		struct sim_memory *part = &key->parts[i];
		const uint8_t *bytes = sim_bytes_make(&node->random, part->size);

		sim_memory_settle(part);
		sim_memory_store(part, 0, bytes, part->size);
		sim_bytes_free(bytes);
	}
	key->live = false;
	key->ending = false;
	key->known = 0;
}

/** End a key. @return false if no request can be posted now */
static bool
key_revoke(struct sim_side *side, struct sim_key *key)
{
	if (key->kind != SIM_KEY_REGION && sim_random_chance(&side->random, 600))
		return sim_grant_end(side, key);
	sim_grant_close(side->node, key, &side->random);
	return true;
}

/** Create a key. @return false if no request can be posted now */
static bool
key_make(struct sim_side *side, struct sim_key *key)
{
	memory_check(side->node, key, "while it had no key");
	/*
	 * With plan.lack, create only regions, because blocks are counted and fast regions free
	 * memory late.
	 */
	if (key->memory.mr == NULL && !side->world->plan.lack)
		key->kind = (enum sim_key_kind)sim_random_below(&side->random, SIM_KEY_KINDS);
	key->inset =
		key->kind == SIM_KEY_REGION ? 0 : sim_random_range(&side->random, 1, GAP_BYTES);
	do
		key->rights = rights_roll(&side->random);
	while (key->kind != SIM_KEY_REGION && (key->rights & SIM_REMOTE_ANY) == 0);
	if (key->kind != SIM_KEY_REGION)
		return sim_grant_make(side, key);
	key_begin(side, key);
	return true;
}

void
sim_keys_invalidated(struct sim_side *side, const struct sim_message *message)
{
	struct sim_key *key = message->key;

	if (key != NULL && key->live && key->generation == message->generation)
		sim_keys_over(side->node, key);
}

void
sim_keys_kept(struct sim_side *side, const struct sim_message *message)
{
	struct sim_key *key = message->key;

	if (key == NULL || !key->live || key->generation != message->generation)
		return;
	sim_yield_drain(side->peer->node, true);
	sim_grant_settle(side->peer->node, key);
}

static bool
key_tell(struct sim_side *side, uint32_t index)
{
	size_t head = sizeof(struct nd_mw_descriptor);
	uint32_t more = sim_random_below(&side->random, 64 - (uint32_t)head);

	return sim_post_send(side,
		&(struct sim_send){.length = head + more,
			.notice = SIM_NOTICE_KEY,
			.window = sim_keys_name(side, index)});
}

/* ---- peers ---- */

/** @return a key with these rights that this node has received from the peer; NULL = none */
static struct sim_key *
key_pick(struct sim_side *side, uint32_t rights)
{
	struct sim_keys *keys = keys_of(side->peer);
	uint32_t first = sim_random_below(&side->random, SIM_KEYS);

	for (uint32_t i = 0; i < SIM_KEYS; i++) {
		struct sim_key *key = &keys->keys[(first + i) % SIM_KEYS];

		if ((key->known >> side->node->index & 1) != 0 && (key->rights & rights) == rights)
			return key;
	}
	return NULL;
}

/** @return flags of a WRITE, with a fence if a READ of the bytes to write is outstanding */
static uint32_t
flags_roll(struct sim_side *side, const struct sim_memory *part, size_t at, size_t length)
{
	uint32_t flags = 0;

	if (sim_random_chance(&side->random, 200) &&
		sim_queue_count(&side->out) + 1 < side->out.entries)
		flags |= ND_OP_FLAG_SILENT_SUCCESS;
	if (sim_work_reads_outstanding(side, part, at, length))
		flags |= ND_OP_FLAG_READ_FENCE;
	return flags;
}

static bool
key_access(struct sim_side *side, bool write)
{
	struct sim_key *key =
		key_pick(side, write ? SIM_REMOTE_WRITE : ND_MR_FLAG_ALLOW_REMOTE_READ);
	struct sim_access access = {.write = write, .key = key};
	const struct sim_memory *part;

	if (key == NULL || (!write && side->outbound_reads_agreed == 0))
		return true;
	part = &key->parts[side->pair->index];
	access.length = sim_random_range(&side->random, 0, (uint32_t)part->size);
	access.offset = sim_random_below(&side->random, (uint32_t)(part->size - access.length) + 1);
	access.flags = flags_roll(side, part, access.offset, write ? access.length : 0);
	access.immediate = write && sim_random_chance(&side->random, 250);
	return sim_post_access(side, &access);
}

static bool
key_atomic(struct sim_side *side)
{
	struct sim_key *key = key_pick(side, SIM_REMOTE_ATOMIC);
	struct sim_atomic atomic = {.key = key};
	const struct sim_memory *part;
	uintptr_t start;

	if (key == NULL || side->outbound_reads_agreed == 0)
		return true;
	part = &key->parts[side->pair->index];
	start = (uintptr_t)part->bytes;
	atomic.offset = RTE_ALIGN_CEIL(start, 8) - start + 8 * sim_random_below(&side->random, 4);
	atomic.swap = sim_random_chance(&side->random, 400);
	atomic.flags = flags_roll(side, part, atomic.offset, 8);
	return sim_post_atomic(side, &atomic);
}

/**
 * Post a SEND that invalidates a key of the peer, after the last request of this side that uses the
 * key.
 */
static bool
key_invalidate(struct sim_side *side)
{
	struct sim_key *key = key_pick(side, 0);
	struct sim_send send = {.invalidate = true, .key = key};
	bool posted;

	if (key == NULL || key->kind == SIM_KEY_REGION || key->ending)
		return true;
	send.foreign = &key->descriptor;
	/*
	 * Fence the SEND if READs are outstanding, because the key must still be valid when a READ
	 * is retransmitted.
	 */
	if (sim_work_reads_outstanding(side, &key->parts[side->pair->index], 0, key->memory.size))
		send.flags = ND_OP_FLAG_READ_FENCE;
	/*
	 * Record the end of the key before the call, because the call may have an effect at once.
	 */
	sim_keys_end_posted(side->peer->node, key);
	posted = sim_post_send(side, &send);
	if (!posted)
		key->ending = false;
	return posted;
}

/* ---- misuse ---- */

/** @return a key of an adapter that is not the peer's; NULL if no such key exists */
static const struct sim_key *
key_elsewhere(const struct sim_side *side, uint32_t right)
{
	struct sim_world *world = side->world;

	for (uint32_t i = 0; i < world->plan.node_count; i++) {
		struct sim_node *node = &world->nodes[i];

		for (uint32_t k = 0; k < SIM_KEYS && node != side->peer->node; k++) {
			const struct sim_key *key = &node->keys.keys[k];

			if (key->live && (key->rights & right) != 0)
				return key;
		}
	}
	return NULL;
}

/** @return a key that suits this kind of misuse; NULL if no key fits */
static const struct sim_key *
key_for(const struct sim_side *side, enum misuse misuse, uint32_t right)
{
	const struct sim_keys *keys = keys_of(side->peer);

	if (misuse == MISUSE_ELSEWHERE)
		return key_elsewhere(side, right);
	for (uint32_t i = 0; i < SIM_KEYS; i++) {
		const struct sim_key *key = &keys->keys[i];
		bool open = (key->rights & SIM_REMOTE_ANY) != 0,
		     granted = (key->rights & right) != 0;

		if (key->generation == 0 || key->making || key->live != (misuse != MISUSE_ENDED))
			continue;
		if (misuse == MISUSE_LOCAL               ? !open
				: misuse == MISUSE_SEND  ? open && key->kind == SIM_KEY_REGION
				: misuse == MISUSE_RIGHT ? open && !granted
							 : granted)
			return key;
	}
	return NULL;
}

/** Choose an address range that is at least partly outside the key's range. */
static void
misuse_aim(struct sim_side *side, enum misuse misuse, const struct sim_key *key,
	struct sim_access *access)
{
	size_t size = key->memory.size - 2 * key->inset, length = access->length;

	/*
	 * Enlarge the length in the descriptor, because the library checks accesses against this
	 * length. Then the request is sent, as by a peer that does not check.
	 */
	access->descriptor.length = rte_cpu_to_be_64(size + length);
	if (misuse == MISUSE_BEYOND)
		access->offset =
			size - length + sim_random_range(&side->random, 1, (uint32_t)length);
	if (misuse == MISUSE_NEXT)
		access->offset = size - length + 1;
	if (misuse == MISUSE_BEFORE)
		access->descriptor.base = rte_cpu_to_be_64(rte_be_to_cpu_64(key->descriptor.base) -
			sim_random_range(&side->random, 1, (uint32_t)length));
}

/** Post an atomic, at a multiple of 8. The misuse determines the address. */
static bool
misuse_atomic(struct sim_side *side, enum misuse misuse, const struct sim_key *key)
{
	uint64_t start = rte_be_to_cpu_64(key->descriptor.base);
	uint64_t end = start + key->memory.size - 2 * key->inset;
	uint64_t address = RTE_ALIGN_CEIL(start, 8);
	struct nd_mw_descriptor descriptor = key->descriptor;

	if (misuse == MISUSE_BEYOND || misuse == MISUSE_NEXT)
		address = RTE_ALIGN_CEIL(end - 7, 8);
	if (misuse == MISUSE_BEFORE)
		address = RTE_ALIGN_FLOOR(start - 1, 8);
	descriptor.base = rte_cpu_to_be_64(address);
	descriptor.length = rte_cpu_to_be_64(8);
	return sim_post_atomic(side,
		&(struct sim_atomic){.swap = sim_random_chance(&side->random, 500),
			.bad = true,
			.foreign = &descriptor});
}

static bool
misuse_post(
	struct sim_side *side, enum misuse misuse, const struct sim_key *key, enum sim_kind kind)
{
	struct sim_access access = {
		.write = kind == SIM_OP_WRITE, .bad = true, .descriptor = key->descriptor};
	size_t size = key->memory.size - 2 * key->inset;
	size_t most = RTE_MIN(size, (size_t)side->world->plan.message_max);

	if (misuse == MISUSE_SEND)
		return sim_post_send(side,
			&(struct sim_send){
				.invalidate = true, .bad = true, .foreign = &key->descriptor});
	if (kind == SIM_OP_ATOMIC)
		return misuse_atomic(side, misuse, key);
	access.length = sim_random_range(&side->random, 1, (uint32_t)most);
	misuse_aim(side, misuse, key, &access);
	return sim_post_access(side, &access);
}

/** @return kind of a request that must be refused. @param right set to the right it requires */
static enum sim_kind
misuse_kind(struct sim_side *side, uint32_t *right)
{
	uint32_t dice = side->outbound_reads_agreed == 0 ? 0 : sim_random_below(&side->random, 4);

	*right = dice < 2   ? SIM_REMOTE_WRITE
		: dice == 2 ? (uint32_t)ND_MR_FLAG_ALLOW_REMOTE_READ
			    : SIM_REMOTE_ATOMIC;
	return dice < 2 ? SIM_OP_WRITE : dice == 2 ? SIM_OP_READ : SIM_OP_ATOMIC;
}

static bool
misuse_act(struct sim_side *side)
{
	enum misuse misuse = (enum misuse)sim_random_below(&side->random, MISUSE_COUNT);
	uint32_t right;
	enum sim_kind kind = misuse_kind(side, &right);
	const struct sim_key *key = key_for(side, misuse, right);
	bool posted;

	if (key == NULL || side->peer->state != SIM_SIDE_UP)
		return true;
	/* Doom the pair before the call, because the call may have an effect at once. */
	sim_side_doom(side->pair);
	keys_of(side->peer)->refused_max++;
	posted = misuse_post(side, misuse, key, kind);
	sim_trace_event(&side->world->trace, side->name, "misuse", (int64_t)misuse, posted);
	return posted;
}

bool
sim_keys_act(struct sim_side *side)
{
	uint32_t index = sim_random_below(&side->random, SIM_KEYS);
	struct sim_key *key = &keys_of(side)->keys[index];
	uint32_t dice = sim_random_below(&side->random, 1000);

	if (key->making || key->ending)
		return true;
	if (!key->live)
		return key_make(side, key);
	if (dice < REVOKE)
		return key_revoke(side, key);
	if (side->doomed)
		return true;
	if (dice < REVOKE + MISUSE)
		return misuse_act(side);
	if (dice < REVOKE + MISUSE + INVALIDATE)
		return key_invalidate(side);
	if (dice < 300 && (key->rights & SIM_REMOTE_ANY) != 0 &&
		(key->known >> side->peer->node->index & 1) == 0)
		return key_tell(side, index);
	return dice < 650    ? key_access(side, true)
		: dice < 850 ? key_access(side, false)
			     : key_atomic(side);
}

/* ---- the end ---- */

void
sim_keys_settle(struct sim_side *side)
{
	keys_of(side)->failed &= ~(1u << side->pair->index);
	for (uint32_t i = 0; i < SIM_KEYS && side->world->plan.keys; i++)
		sim_memory_settle(&keys_of(side)->keys[i].parts[side->pair->index]);
}

void
sim_keys_lose(struct sim_node *node)
{
	for (uint32_t i = 0; i < SIM_KEYS; i++) {
		struct sim_key *key = &node->keys.keys[i];

		if (key->live)
			sim_keys_over(node, key);
		key->making = false;
		key->mw = NULL;
		key->memory.mr = NULL;
	}
}

/**
 * Check the counters of refusals. Each request that failed because of its key must be counted. A
 * late copy of a READ whose key has ended is counted, although it does not end the connection. Each
 * counted guess of a key must have ended a connection.
 */
static void
refusals_check(const struct sim_node *node)
{
	static const char *const names[] = {"refused_key", "refused_owner", "refused_range",
		"refused_rights", "refused_invalidate"};
	const struct sim_keys *keys = &node->keys;
	uint64_t count = 0, guesses = sim_node_counter(node, "cm_guesses");

	/*
	 * Check only a node's first adapter, because a later adapter has new counters. Skip the
	 * check after a mischief, because it increments the counters.
	 */
	if (node->life != 0 || node->world->plan.mischief != SIM_MISCHIEF_NONE)
		return;
	for (uint32_t i = 0; i < RTE_DIM(names); i++)
		count += sim_node_counter(node, names[i]);
	if (count < keys->refused || guesses > count || guesses > keys->refused_max)
		sim_fail(node->world,
			"%s: %" PRIu64 " refusals and %" PRIu64 " guesses counted, but %" PRIu64
			" requests were refused, on at most %" PRIu64 " connections",
			node->name, count, guesses, keys->refused, keys->refused_max);
}

void
sim_keys_close(struct sim_node *node)
{
	if (!node->world->plan.keys)
		return;
	for (uint32_t i = 0; i < SIM_KEYS; i++) {
		struct sim_key *key = &node->keys.keys[i];

		if (key->memory.mr != NULL)
			sim_grant_release(node, key);
		if (key->live)
			sim_keys_over(node, key);
		memory_check(node, key, "after the end of its key");
		for (uint32_t k = 0; k < node->world->plan.pair_count; k++)
			sim_memory_fini(&key->parts[k]);
	}
	if (node->adapter != NULL)
		refusals_check(node);
}
