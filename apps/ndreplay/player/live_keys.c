/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Replaces recorded keys and addresses by the keys and addresses of the live connection. */
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "live_player.h"

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

/*
 * @return index of the first announcement in private data. Announcements in private data are at the
 *         end of the array.
 */
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

/* Find the announcement with the highest address that is not above `recorded`. */
static bool
translate(const struct player_key *key, uint64_t recorded, uint64_t *best, uint64_t *live)
{
	const uint32_t count = RTE_MIN(key->spot_count, PLAYER_SPOTS);
	bool found = false;

	for (uint32_t i = 1; i <= count; i++) {
		/*
		 * Search from the newest announcement to the oldest. If two announcements contain
		 * the same address, the newer announcement applies.
		 */
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
	 * If a key was announced without an address, the announcement of a different key may
	 * describe the same memory.
	 */
	if (key != SCRIPT_NONE && translate(&player->keys[key], recorded, &best, &live))
		return live;
	for (size_t i = 0; i < player->script->peer_key_count; i++)
		translate(&player->keys[i], recorded, &best, &live);
	return live;
}

struct nd_mw_descriptor
player_target(const struct player *player, const struct script_operation *operation)
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
