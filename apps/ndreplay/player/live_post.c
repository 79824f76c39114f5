/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Posts the operations of a player, with the keys of the live connection. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_cycles.h>

#include <ndpdk/nd_extension.h>

#include "live_player.h"

bool
player_is_due(const struct player *player, uint64_t due_ns)
{
	const double passed_ns = (double)(rte_get_tsc_cycles() - player->start_tsc) * NS_PER_S /
		(double)rte_get_tsc_hz();

	return player->options->speed == 0 ||
		passed_ns * (double)player->options->speed >= (double)due_ns;
}

/*
 * @return true if due_ns has passed, scaled by --speed. --speed=max counts as factor 1, because
 *         these times depend on the peer or on the user, who do not become faster.
 */
static bool
has_passed(const struct player *player, uint64_t due_ns)
{
	const double passed_ns = (double)(rte_get_tsc_cycles() - player->start_tsc) * NS_PER_S /
		(double)rte_get_tsc_hz();
	const uint32_t speed = player->options->speed == 0 ? 1 : player->options->speed;

	return passed_ns * (double)speed >= (double)due_ns;
}

bool
player_others_reached(const struct player *player, uint64_t time_ns)
{
	return player->others_reached == NULL ||
		player->others_reached(player->others, player, time_ns);
}

static nd_status
post(struct player *player, size_t index)
{
	const struct script_operation *operation = &player->script->operations[index];
	const struct nd_model_operation *model = operation->model;
	const struct nd_mw_descriptor target = player_target(player, operation);
	struct nd_endpoint *endpoint = player->link.endpoint;
	struct nd_result *result = &player->operation_slots[index].result;
	struct nd_sge sge = {player->data + operation->data_at, model->bytes, player->data_mr};
	const size_t count = model->bytes != 0;
	const uint32_t flags = model->solicited ? ND_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0;
	const rte_be32_t immediate = rte_cpu_to_be_32(model->immediate);

	switch (model->kind) {
	case ND_MODEL_SEND:
		return nd_endpoint_send(endpoint, result, &sge, count, flags);
	case ND_MODEL_SEND_IMMEDIATE:
		return nd_endpoint_send_with_imm(endpoint, result, &sge, count, immediate, flags);
	case ND_MODEL_SEND_INVALIDATE:
		return nd_endpoint_send_and_invalidate(
			endpoint, result, &sge, count, &target, flags);
	case ND_MODEL_WRITE:
		return nd_endpoint_write(endpoint, result, &sge, count, &target, 0, 0);
	case ND_MODEL_WRITE_IMMEDIATE:
		return nd_endpoint_write_with_imm(
			endpoint, result, &sge, count, &target, 0, immediate, flags);
	case ND_MODEL_READ:
		return nd_endpoint_read(endpoint, result, &sge, count, &target, 0, 0);
	case ND_MODEL_COMPARE_SWAP:
		sge.length = 8;
		return nd_endpoint_compare_and_swap(
			endpoint, result, &sge, &target, 0, model->compare, model->swap_add, 0);
	case ND_MODEL_FETCH_ADD:
		sge.length = 8;
		return nd_endpoint_fetch_and_add(
			endpoint, result, &sge, &target, 0, model->swap_add, 0);
	case ND_MODEL_OTHER:
		break;
	}
	return ND_NOT_SUPPORTED;
}

/*
 * Apply changes that the owner of the memory made in the capture. A change is applied before its
 * operation (index below limit) is posted, or when its time has passed.
 */
static void
poke(struct player *player, size_t limit)
{
	const struct script *script = player->script;

	while (player->next_poke < script->poke_count) {
		const struct script_poke *poke = &script->pokes[player->next_poke];

		if (poke->before == SCRIPT_NONE ? !has_passed(player, poke->due_ns)
						: poke->before >= limit)
			break;
		memcpy(player->areas[poke->area].bytes + poke->offset, poke->data, poke->bytes);
		player->next_poke++;
	}
}

/*
 * Bind a window for each key of this side that the message of this operation contains. Invalidate
 * the windows whose keys end directly before this operation.
 */
static nd_status
prepare_windows(struct player *player, size_t index)
{
	const struct script *script = player->script;
	size_t place = script->operations[index].place;
	nd_status status = ND_SUCCESS;

	for (; place < script->own_place_count && script->own_places[place].message == index;
		place++) {
		const size_t key = script->own_places[place].key;

		/*
		 * A key that is announced after its end was a coincidence of bytes, so it is not
		 * bound again.
		 */
		if (script->own_keys[key].closed_at == SCRIPT_NONE ||
			index < script->own_keys[key].closed_at)
			status = player_bind(player, key, false);
		if (status != ND_SUCCESS)
			return status;
	}
	for (size_t i = 0; script->closes_windows && i < script->own_key_count; i++) {
		struct player_window *window = &player->windows[i];

		if (script->own_keys[i].closed_at != index || !window->bound)
			continue;
		status = nd_endpoint_invalidate(player->link.endpoint, &window->close.result,
			window->mw, ND_OP_FLAG_SILENT_SUCCESS);
		if (status != ND_SUCCESS)
			return status;
		window->bound = false;
	}
	return status;
}

/* Post one operation. @return false: no more operations can be posted now */
static bool
post_one(struct player *player, size_t index)
{
	const struct script_operation *operation = &player->script->operations[index];
	const struct nd_model_operation *model = operation->model;
	struct slot *slot = &player->operation_slots[index];
	nd_status status;

	poke(player, index + 1);
	status = prepare_windows(player, index);
	*slot = (struct slot){.kind = SLOT_OPERATION, .index = index};
	if (status == ND_SUCCESS && model->kind <= ND_MODEL_WRITE_IMMEDIATE) {
		uint8_t *bytes = player->data + operation->data_at;

		nd_model_payload(player->script->model, player->script->index, player->script->side,
			index, 0, bytes, NULL, model->bytes);
		player_rewrite(player, operation->place, index, bytes);
	}
	slot->posted_tsc = rte_get_tsc_cycles();
	if (status == ND_SUCCESS)
		status = post(player, index);
	if (status == ND_NO_MORE_ENTRIES)
		return false;
	if (status == ND_CONNECTION_INVALID) {
		player->lost = true;
		return false;
	}
	player->next_operation = index + 1;
	player->progress_tsc = slot->posted_tsc;
	if (status != ND_SUCCESS) {
		char where[96];

		snprintf(where, sizeof(where), "operation %zu (%s, frame %" PRIu64 ")", index,
			script_kind_name(model->kind), model->first_frame);
		player_differ(player, where, "posting", "ND_SUCCESS", nd_status_name(status));
		player->lost = true;
	}
	return status == ND_SUCCESS;
}

/*
 * @return true if the live key and address of the target are known, or will never be announced.
 *         Otherwise a message of the peer must announce them first.
 */
static bool
has_target(const struct player *player, const struct script_operation *operation)
{
	return operation->key == SCRIPT_NONE || player->keys[operation->key].known ||
		!player->script->peer_keys[operation->key].announced;
}

bool
player_post(struct player *player)
{
	const struct script *script = player->script;

	poke(player, player->next_operation);
	while (player->next_operation < script->operation_count && !player->lost) {
		const struct script_operation *operation =
			&script->operations[player->next_operation];

		if (player->received < operation->messages ||
			player->done_operations < operation->model->after_operations)
			return false;
		if (!player_is_due(player, operation->due_ns) ||
			!player_others_reached(player, operation->model->first_ns))
			return true;
		if (operation->skipped != NULL) {
			player->next_operation++;
		} else if (player->next_operation - player->done_operations >=
				player->requests / 2 ||
			!has_target(player, operation) ||
			!post_one(player, player->next_operation)) {
			return false;
		}
		while (player->done_operations < player->next_operation &&
			script->operations[player->done_operations].skipped != NULL)
			player->done_operations++;
	}
	return false;
}

/* @return true if the recorded side had posted a receive for this message at this time. */
static bool
had_receive(const struct player *player, size_t index)
{
	const struct script_message *message;

	if (index >= player->script->message_count)
		return true;
	message = &player->script->messages[index];
	return !message->never &&
		(!message->late ||
			(player->start_tsc != 0 && has_passed(player, message->absent_ns)));
}

void
player_post_receives(struct player *player)
{
	const struct script *script = player->script;

	while (player->next_receive - player->received < player->depth && !player->lost &&
		had_receive(player, player->next_receive)) {
		const size_t index = player->next_receive % player->depth;
		struct slot *slot = &player->receive_slots[index];
		struct nd_sge sge = {player->inbox + index * player->receive_bytes,
			player->receive_bytes, player->inbox_mr};
		nd_status status;

		/*
		 * In the capture, the message was refused because it was longer than its receive.
		 * Post a short receive, so that the message is refused again.
		 */
		if (player->next_receive < script->message_count &&
			script->messages[player->next_receive].refused)
			sge.length = (size_t)script->messages[player->next_receive].bytes / 2;
		*slot = (struct slot){.kind = SLOT_RECEIVE, .index = index};
		status = nd_endpoint_receive(player->link.endpoint, &slot->result, &sge, 1);
		if (status != ND_SUCCESS) {
			if (status != ND_CONNECTION_INVALID && status != ND_NO_MORE_ENTRIES)
				link_fail(&player->link, "a receive cannot be posted: %s",
					nd_status_name(status));
			return;
		}
		player->next_receive++;
	}
}
