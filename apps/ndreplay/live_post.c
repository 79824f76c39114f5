/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Posts the operations of a player, with the live keys. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
 * @return whether this time has passed, scaled by --speed. --speed=max counts as 1, because these
 *         times are events of the peer or of the user.
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

static void
store_number(uint8_t *bytes, struct script_number number, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";

	for (uint32_t i = 0; i < number.bytes; i++) {
		const uint32_t from_end = number.bytes - 1 - i;

		if (number.form == SCRIPT_TEXT)
			bytes[number.at + from_end] = (uint8_t)digits[value >> 4 * i & 15];
		else if (number.form == SCRIPT_BIG)
			bytes[number.at + from_end] = (uint8_t)(value >> 8 * i);
		else
			bytes[number.at + i] = (uint8_t)(value >> 8 * i);
	}
}

static uint64_t
load_number(const uint8_t *bytes, struct script_number number)
{
	char text[24] = {0};
	uint64_t value = 0;

	if (number.form == SCRIPT_TEXT) {
		memcpy(text, bytes + number.at, number.bytes);
		return strtoull(text, NULL, 16);
	}
	for (uint32_t i = 0; i < number.bytes; i++)
		value = value << 8 |
			bytes[number.at + (number.form == SCRIPT_BIG ? i : number.bytes - 1 - i)];
	return value;
}

/* @return index of the first announcement in private data; these announcements are last */
static size_t
private_place(const struct script_place *places, size_t count)
{
	size_t first = count;

	while (first > 0 && places[first - 1].message == SCRIPT_PRIVATE)
		first--;
	return first;
}

void
player_rewrite(struct player *player, size_t place, size_t message, uint8_t *bytes)
{
	const struct script *script = player->script;

	if (message == SCRIPT_PRIVATE)
		place = private_place(script->own_places, script->own_place_count);
	for (; place < script->own_place_count && script->own_places[place].message == message;
		place++) {
		const struct script_place *at = &script->own_places[place];

		if (player->windows[at->key].bound)
			store_number(bytes, at->token,
				rte_be_to_cpu_32(player->windows[at->key].descriptor.token));
	}
}

void
player_learn(
	struct player *player, size_t place, size_t message, const uint8_t *bytes, size_t length)
{
	const struct script *script = player->script;

	if (message == SCRIPT_PRIVATE)
		place = private_place(script->peer_places, script->peer_place_count);
	for (; place < script->peer_place_count && script->peer_places[place].message == message;
		place++) {
		const struct script_place *at = &script->peer_places[place];
		struct player_key *key = &player->keys[at->key];

		if (at->token.at + at->token.bytes > length ||
			at->address.at + at->address.bytes > length)
			continue;
		if (at->token.bytes != 0) {
			key->known = true;
			key->token = (uint32_t)load_number(bytes, at->token);
		}
		if (at->address.bytes != 0)
			key->spots[key->spot_count++ % PLAYER_SPOTS] =
				(struct player_spot){at->base, load_number(bytes, at->address)};
	}
}

/* Find the nearest announced address that is not above recorded. */
static bool
translate(const struct player_key *key, uint64_t recorded, uint64_t *best, uint64_t *live)
{
	const uint32_t count = RTE_MIN(key->spot_count, PLAYER_SPOTS);
	bool found = false;

	for (uint32_t i = 1; i <= count; i++) {
		/* From newest to oldest: of equal addresses, the newest counts. */
		const struct player_spot *spot = &key->spots[(key->spot_count - i) % PLAYER_SPOTS];

		if (spot->recorded > recorded || recorded - spot->recorded >= *best)
			continue;
		*best = recorded - spot->recorded;
		*live = spot->live + *best;
		found = true;
	}
	return found;
}

static uint64_t
live_address(const struct player *player, size_t key, uint64_t recorded)
{
	uint64_t best = UINT64_C(1) << 32, live = recorded;

	/*
	 * A key that was announced without an address may open memory that another announcement
	 * describes.
	 */
	if (key != SCRIPT_NONE && translate(&player->keys[key], recorded, &best, &live))
		return live;
	for (size_t i = 0; i < player->script->peer_key_count; i++)
		translate(&player->keys[i], recorded, &best, &live);
	return live;
}

static struct nd_mw_descriptor
live_target(const struct player *player, const struct script_operation *operation)
{
	const struct nd_model_operation *model = operation->model;
	const bool known = operation->key != SCRIPT_NONE && player->keys[operation->key].known;
	uint32_t token =
		model->kind == ND_MODEL_SEND_INVALIDATE ? model->invalidate_key : model->key;

	if (known)
		token = player->keys[operation->key].token;
	return (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(live_address(player, operation->key, model->address)),
		.length = rte_cpu_to_be_64(model->bytes),
		.token = rte_cpu_to_be_32(token),
	};
}

static nd_status
post(struct player *player, size_t index)
{
	const struct script_operation *operation = &player->script->operations[index];
	const struct nd_model_operation *model = operation->model;
	const struct nd_mw_descriptor target = live_target(player, operation);
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

/* Change the bytes that the owner changed before it posted operation limit - 1, or by now. */
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

/* Bind windows that this operation announces, and close windows that end before it. */
static nd_status
prepare_windows(struct player *player, size_t index)
{
	const struct script *script = player->script;
	size_t place = script->operations[index].place;
	nd_status status = ND_SUCCESS;

	for (; place < script->own_place_count && script->own_places[place].message == index;
		place++) {
		const size_t key = script->own_places[place].key;

		/* A key is not announced after its end. */
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

/* @return false: no more can be posted now */
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
 * Whether the key and address of the target are known, which a message may have to announce first.
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

/* Whether the recorded side had posted a receive for this message by now. */
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

		/* The message was refused because it was longer than its receive. */
		if (player->next_receive < script->message_count &&
			script->messages[player->next_receive].refused)
			sge.length = (size_t)script->messages[player->next_receive].bytes / 2;
		*slot = (struct slot){.kind = SLOT_RECEIVE, .index = index};
		status = nd_endpoint_receive(player->link.endpoint, &slot->result, &sge, 1);
		if (status != ND_SUCCESS) {
			if (status != ND_CONNECTION_INVALID && status != ND_NO_MORE_ENTRIES)
				link_fail(&player->link, "no receive can be posted: %s",
					nd_status_name(status));
			return;
		}
		player->next_receive++;
	}
}
