/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Creates and releases the objects of a player: registered memory, windows, endpoint. */
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_cycles.h>

#include <ndpdk/nd_extension.h>

#include "live_player.h"

#define DEPTH_MAX     64u
#define REQUESTS_MAX  256u
#define INBOX_MAX     (64u << 20)
#define MESSAGE_MIN   256u /* minimum size, so that messages may be longer than in the capture */
#define ALIGN         4096u
#define READS_DEFAULT 16u

static bool
made(struct player *player, nd_status status, const char *what)
{
	if (nd_failed(status))
		link_fail(&player->link, "%s: %s", what, nd_status_name(status));
	return !nd_failed(status);
}

static uint8_t *
new_memory(struct player *player, size_t bytes, struct nd_mr **mr)
{
	uint8_t *memory = calloc(1, bytes);

	if (memory == NULL) {
		link_fail(&player->link, "memory is exhausted");
		return NULL;
	}
	if (!made(player, nd_adapter_register_memory(player->link.adapter, memory, bytes, NULL, mr),
		    "memory cannot be registered"))
		*mr = NULL;
	return memory;
}

/* Register memory at its recorded addresses, because a registration may have any base. */
static bool
open_area(struct player *player, const struct script_area *recorded, struct player_area *area)
{
	struct nd_buffer buffer;
	nd_status status;

	area->allocated = malloc(recorded->bytes + 2 * ALIGN);
	if (area->allocated == NULL) {
		link_fail(&player->link, "memory is exhausted");
		return false;
	}
	area->bytes = (uint8_t *)RTE_PTR_ALIGN_CEIL(area->allocated, ALIGN) +
		(size_t)(recorded->base % ALIGN);
	memcpy(area->bytes, recorded->initial, recorded->bytes);
	buffer = (struct nd_buffer){area->bytes, recorded->bytes};
	status = nd_adapter_register_memory_chain(player->link.adapter, &buffer, 1,
		(const void *)(uintptr_t)recorded->base, NULL, &area->mr);
	if (!made(player, status, "the memory that the peer accesses cannot be registered")) {
		area->mr = NULL;
		return false;
	}
	return true;
}

static bool
open_windows(struct player *player)
{
	const struct script *script = player->script;

	for (size_t i = 0; i < script->own_key_count; i++) {
		struct player_window *window = &player->windows[i];

		window->bind = (struct slot){.kind = SLOT_BIND, .index = i};
		window->close = (struct slot){.kind = SLOT_CLOSE, .index = i};
		window->invalidated = (struct slot){.kind = SLOT_INVALIDATED, .index = i};
		if (script->own_keys[i].rights == 0)
			continue;
		if (!made(player,
			    nd_adapter_create_memory_window(
				    player->link.adapter, &window->invalidated.result, &window->mw),
			    "a memory window cannot be created")) {
			window->mw = NULL;
			return false;
		}
	}
	return true;
}

static bool
open_memory(struct player *player)
{
	const struct script *script = player->script;

	player->areas = calloc(script->area_count + 1, sizeof(player->areas[0]));
	player->windows = calloc(script->own_key_count + 1, sizeof(player->windows[0]));
	player->keys = calloc(script->peer_key_count + 1, sizeof(player->keys[0]));
	player->operation_slots =
		calloc(script->operation_count + 1, sizeof(player->operation_slots[0]));
	player->receive_bytes = RTE_ALIGN_CEIL(
		RTE_MAX(script->message_bytes_max, (uint64_t)MESSAGE_MIN), (uint64_t)ALIGN);
	player->depth = RTE_MIN(script->message_count + 2, (size_t)DEPTH_MAX);
	player->depth = RTE_MIN(player->depth, INBOX_MAX / player->receive_bytes);
	player->depth = RTE_MAX(player->depth, (size_t)2);
	player->requests = REQUESTS_MAX;
	player->receive_slots = calloc(player->depth, sizeof(player->receive_slots[0]));
	if (player->areas == NULL || player->windows == NULL || player->keys == NULL ||
		player->operation_slots == NULL || player->receive_slots == NULL) {
		link_fail(&player->link, "memory is exhausted");
		return false;
	}
	player->inbox =
		new_memory(player, player->depth * player->receive_bytes, &player->inbox_mr);
	player->data = new_memory(player, (size_t)script->data_bytes + ALIGN, &player->data_mr);
	if (player->inbox_mr == NULL || player->data_mr == NULL)
		return false;
	for (size_t i = 0; i < script->area_count; i++)
		if (!open_area(player, &script->areas[i], &player->areas[i]))
			return false;
	return open_windows(player);
}

/* Use the recorded read limits, but do not exceed the limits of the adapter. */
static struct link_shape
choose_shape(struct player *player)
{
	const struct nd_model_side *own = &player->script->connection->side[player->script->side];
	struct nd_adapter_info info = {0};
	size_t bytes = sizeof(info);
	struct link_shape shape = {
		.receives = (uint32_t)player->depth,
		.inbound_reads = own->responder_resources,
		.outbound_reads = own->initiator_depth,
	};

	(void)nd_adapter_query(player->link.adapter, ND_VERSION_1, &info, &bytes);
	player->requests = RTE_MIN(player->requests, info.max_outbound_requests);
	shape.requests = (uint32_t)player->requests;
	if (shape.inbound_reads == 0)
		shape.inbound_reads = READS_DEFAULT;
	if (shape.outbound_reads == 0)
		shape.outbound_reads = READS_DEFAULT;
	shape.inbound_reads = (uint32_t)RTE_MIN(shape.inbound_reads, info.max_inbound_read_limit);
	shape.outbound_reads =
		(uint32_t)RTE_MIN(shape.outbound_reads, info.max_outbound_read_limit);
	return shape;
}

nd_status
player_bind(struct player *player, size_t index, bool early)
{
	const struct script_key *key = &player->script->own_keys[index];
	struct player_window *window = &player->windows[index];
	const struct player_area *area;
	const void *at = (const void *)(uintptr_t)key->low;
	const size_t bytes = (size_t)(key->end - key->low);
	nd_status status;

	if (window->mw == NULL || window->bound)
		return ND_SUCCESS;
	area = &player->areas[key->area];
	if (early)
		status = nd_endpoint_bind_early(player->link.endpoint, area->mr, window->mw, at,
			bytes, key->rights, &window->descriptor);
	else
		status = nd_endpoint_bind(player->link.endpoint, &window->bind.result, area->mr,
			window->mw, at, bytes, key->rights | ND_OP_FLAG_SILENT_SUCCESS,
			&window->descriptor);
	window->bound = status == ND_SUCCESS;
	return status;
}

bool
player_open_objects(struct player *player)
{
	const struct script *script = player->script;
	struct link_shape shape;

	if (!open_memory(player))
		return false;
	shape = choose_shape(player);
	if (!link_open(&player->link, &shape))
		return false;
	for (size_t i = 0; i < script->own_key_count; i++)
		if (script->own_keys[i].bind_at == SCRIPT_PRIVATE &&
			!made(player, player_bind(player, i, true),
				"a window cannot be bound before the connection is established"))
			return false;
	memcpy(player->private_data, script->own_data, sizeof(player->private_data));
	player_rewrite(player, 0, SCRIPT_PRIVATE, player->private_data);
	player->link.data = player->private_data;
	player->link.data_bytes = script->own_data_bytes;
	return true;
}

static void
release_memory(struct player *player, struct nd_mr *mr, void *memory)
{
	nd_status status = ND_SUCCESS;

	if (mr != NULL)
		status = nd_adapter_deregister_memory(player->link.adapter, mr, NULL);
	if (status == ND_SUCCESS)
		free(memory);
}

void
player_close_objects(struct player *player)
{
	const struct script *script = player->script;

	/*
	 * The order of these calls matters, because an object cannot be released while a different
	 * object uses it.
	 */
	link_close(&player->link);
	for (size_t i = 0; player->windows != NULL && i < script->own_key_count; i++)
		if (player->windows[i].mw != NULL)
			nd_mw_release(player->link.adapter, player->windows[i].mw);
	for (size_t i = 0; player->areas != NULL && i < script->area_count; i++)
		release_memory(player, player->areas[i].mr, player->areas[i].allocated);
	release_memory(player, player->inbox_mr, player->inbox);
	release_memory(player, player->data_mr, player->data);
	free(player->areas);
	free(player->windows);
	free(player->keys);
	free(player->operation_slots);
	free(player->receive_slots);
}
