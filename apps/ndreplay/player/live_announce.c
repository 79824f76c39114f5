/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Finds the announcements of keys: messages or private data in which a side sent a key that its
 * peer uses later. The key is four bytes in either byte order, or hexadecimal text. Usually the
 * address is near the key, which proves the announcement. A key without an address is accepted only
 * before its first use, and only in private data, in a short message, or at the start of a message.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "live_script.h"

#define NEAR_BYTES      32u /* maximum distance between key and address */
#define NEAR_TEXT       40u /* maximum distance in text */
/* maximum distance from an announced address to the first use */
#define REGION_MAX      (1ull << 32)
#define SHORT_MESSAGE   64u
#define KEY_BYTES       4u
#define ADDRESS_BYTES   8u
#define KEY_DIGITS_MIN  4u
#define TEXT_DIGITS_MAX 16u

struct sorted_key {
	uint32_t value;
	size_t index;
};

struct search {
	struct script *script;
	struct script_key *keys;
	struct sorted_key *sorted;
	size_t key_count;
	unsigned side; /* side that announces */
	struct script_place *places;
	size_t count, room;
	bool no_memory;
	/* Members about the message: */
	size_t message;
	uint64_t frame; /* 0: private data */
	const uint8_t *bytes;
	size_t length;
	size_t whole;
};

static int
compare_keys(const void *a, const void *b)
{
	const struct sorted_key *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

/* @return the first of the sorted keys with this value; NULL: no key has this value */
static const struct sorted_key *
find_key(const struct search *search, uint32_t value)
{
	size_t low = 0, high = search->key_count;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (search->sorted[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < search->key_count && search->sorted[low].value == value ? &search->sorted[low]
									     : NULL;
}

static uint64_t
load(const uint8_t *bytes, unsigned int count, enum script_form form)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < count; i++)
		value = value << 8 | bytes[form == SCRIPT_BIG ? i : count - 1 - i];
	return value;
}

/*
 * @return number of hexadecimal digits of the number that begins at `at`; 0: no number begins at
 *         `at`
 */
static unsigned int
text_run(const struct search *search, size_t at)
{
	unsigned int digits = 0;

	if (at > 0 && isxdigit(search->bytes[at - 1]))
		return 0;
	while (at + digits < search->length && digits <= TEXT_DIGITS_MAX &&
		isxdigit(search->bytes[at + digits]))
		digits++;
	return digits <= TEXT_DIGITS_MAX ? digits : 0;
}

static uint64_t
text_load(const uint8_t *bytes, unsigned int digits)
{
	char text[TEXT_DIGITS_MAX + 1] = {0};

	memcpy(text, bytes, digits);
	return strtoull(text, NULL, 16);
}

static bool
is_base(const struct script_key *key, uint64_t address)
{
	return address != 0 && address <= key->low && key->low - address < REGION_MAX;
}

/*
 * Store an address in `place` if the address is nearer to the key's first use than the stored
 * address.
 */
static void
consider(struct script_place *place, const struct script_key *key, uint64_t address,
	struct script_number number)
{
	if (!is_base(key, address))
		return;
	if (place->address.bytes != 0 && key->low - place->base <= key->low - address)
		return;
	place->base = address;
	place->address = number;
}

static void
find_address(const struct search *search, const struct script_key *key, struct script_place *place)
{
	const bool is_text = place->token.form == SCRIPT_TEXT;
	const size_t around = is_text ? NEAR_TEXT : NEAR_BYTES;
	const size_t from = place->token.at > around ? place->token.at - around : 0;
	const size_t end = place->token.at + place->token.bytes + around;

	for (size_t at = from; at < end && at < search->length; at++) {
		struct script_number number = {(uint32_t)at, ADDRESS_BYTES, place->token.form};

		if (at + 1 > place->token.at && at < place->token.at + place->token.bytes)
			continue;
		if (is_text) {
			number.bytes = text_run(search, at);
			if (number.bytes >= ADDRESS_BYTES)
				consider(place, key, text_load(search->bytes + at, number.bytes),
					number);
		} else if (at + ADDRESS_BYTES <= search->length &&
			(at + ADDRESS_BYTES <= place->token.at || at > place->token.at)) {
			consider(place, key,
				load(search->bytes + at, ADDRESS_BYTES, place->token.form), number);
		}
	}
}

static bool
is_before_use(const struct search *search, size_t key)
{
	const struct nd_model_key *model =
		nd_model_key(search->script->model, search->script->index, search->side, key);
	const uint64_t first = model->first_frame != 0 ? model->first_frame : model->refused_frame;

	return search->frame == 0 || first == 0 || search->frame < first;
}

static void
keep(struct search *search, const struct script_place *place)
{
	if (search->count == search->room) {
		const size_t room = search->room == 0 ? 64 : 2 * search->room;
		struct script_place *more =
			realloc(search->places, room * sizeof(search->places[0]));

		if (more == NULL) {
			search->no_memory = true;
			return;
		}
		search->places = more;
		search->room = room;
	}
	search->places[search->count++] = *place;
}

/* Decide whether bytes that equal the value of a key are an announcement, and store it. */
static void
judge(struct search *search, const struct sorted_key *sorted, struct script_number token)
{
	const struct sorted_key *const end = search->sorted + search->key_count;
	struct script_place best = {.key = SCRIPT_NONE};
	const uint32_t value = sorted->value;

	for (; sorted < end && sorted->value == value; sorted++) {
		struct script_place place = {
			.key = sorted->index, .message = search->message, .token = token};

		find_address(search, &search->keys[sorted->index], &place);
		if (place.address.bytes == 0 &&
			(!is_before_use(search, sorted->index) ||
				(search->whole > SHORT_MESSAGE && token.at != 0 &&
					search->message != SCRIPT_PRIVATE)))
			continue;
		/*
		 * If several keys have this value, prefer the first key that is not used before
		 * this message.
		 */
		if (best.key == SCRIPT_NONE || !is_before_use(search, best.key))
			best = place;
	}
	if (best.key != SCRIPT_NONE)
		keep(search, &best);
}

static void
look_at(struct search *search, size_t at)
{
	const uint8_t *bytes = search->bytes + at;
	const struct sorted_key *key;
	unsigned int digits;

	if (at + KEY_BYTES <= search->length) {
		key = find_key(search, (uint32_t)load(bytes, KEY_BYTES, SCRIPT_BIG));
		if (key != NULL && key->value != 0)
			judge(search, key,
				(struct script_number){(uint32_t)at, KEY_BYTES, SCRIPT_BIG});
		key = find_key(search, (uint32_t)load(bytes, KEY_BYTES, SCRIPT_LITTLE));
		if (key != NULL && key->value != 0)
			judge(search, key,
				(struct script_number){(uint32_t)at, KEY_BYTES, SCRIPT_LITTLE});
	}
	digits = text_run(search, at);
	if (digits < KEY_DIGITS_MIN || digits > 2 * KEY_BYTES)
		return;
	key = find_key(search, (uint32_t)text_load(bytes, digits));
	if (key != NULL && key->value != 0)
		judge(search, key, (struct script_number){(uint32_t)at, digits, SCRIPT_TEXT});
}

/*
 * If an announcement of a key contains an address, drop the key's announcements without address,
 * because they are probably coincidences.
 */
static void
drop_weaker(struct search *search)
{
	bool *has_address = calloc(search->key_count + 1, sizeof(*has_address));
	size_t kept = 0;

	if (has_address == NULL) {
		search->no_memory = true;
		return;
	}
	for (size_t i = 0; i < search->count; i++)
		if (search->places[i].address.bytes != 0)
			has_address[search->places[i].key] = true;
	for (size_t i = 0; i < search->count; i++) {
		const struct script_place place = search->places[i];

		if (place.address.bytes == 0 && has_address[place.key])
			continue;
		search->keys[place.key].announced = true;
		search->places[kept++] = place;
	}
	search->count = kept;
	free(has_address);
}

static void
search_message(struct search *search, size_t message, size_t operation)
{
	const struct nd_model_operation *model = nd_model_operation(
		search->script->model, search->script->index, search->side, operation);
	uint8_t bytes[SCRIPT_SEARCH_BYTES];

	if (model->kind == ND_MODEL_WRITE_IMMEDIATE)
		return;
	search->message = message;
	search->frame = model->last_frame;
	search->bytes = bytes;
	search->whole = model->bytes;
	search->length = nd_model_payload(search->script->model, search->script->index,
		search->side, operation, 0, bytes, NULL, sizeof(bytes));
	for (size_t at = 0; at < search->length; at++)
		look_at(search, at);
	search->bytes = NULL;
}

static void
search_all(struct search *search)
{
	const bool own = search->side == search->script->side;
	const struct script *script = search->script;

	if (own)
		for (size_t i = 0; i < script->operation_count; i++) {
			if (script_is_message(script->operations[i].model))
				search_message(search, i, i);
		}
	else
		for (size_t i = 0; i < script->message_count; i++)
			search_message(search, i, script->messages[i].operation);
	search->message = SCRIPT_PRIVATE;
	search->frame = 0;
	search->bytes = own ? script->own_data : script->peer_data;
	search->length = own ? script->own_data_bytes : script->peer_data_bytes;
	search->whole = search->length;
	for (size_t at = 0; at < search->length; at++)
		look_at(search, at);
	drop_weaker(search);
}

/*
 * Lowest value that counts as an address if no key is beside it, because small numbers are
 * frequent.
 */
#define ADDRESS_MIN (1ull << 32)

/*
 * Search a message for the address of a key when the message does not contain the key. Keep the
 * address nearest to the first use.
 */
static void
find_address_alone(
	const struct search *search, const struct script_key *key, struct script_place *best)
{
	for (size_t at = 0; at + ADDRESS_BYTES <= search->length; at++) {
		for (unsigned int form = SCRIPT_BIG; form <= SCRIPT_LITTLE; form++) {
			const uint64_t address = load(search->bytes + at, ADDRESS_BYTES, form);
			const size_t bytes = best->address.bytes;

			if (address < ADDRESS_MIN)
				continue;
			consider(best, key, address,
				(struct script_number){(uint32_t)at, ADDRESS_BYTES, form});
			if (best->address.bytes != bytes)
				best->message = search->message;
		}
	}
}

static int
compare_places(const void *a, const void *b)
{
	const struct script_place *left = a, *right = b;

	if (left->message != right->message)
		return left->message < right->message ? -1 : 1;
	return left->token.at < right->token.at ? -1 : left->token.at > right->token.at;
}

/*
 * Some keys of the peer were announced without address, usually in private data. Find their
 * addresses in other messages.
 */
static void
find_lone_addresses(struct search *search)
{
	const size_t count = search->count;

	search->message = SCRIPT_PRIVATE;
	search->bytes = search->script->peer_data;
	search->length = search->script->peer_data_bytes;
	for (size_t i = 0; i < count; i++) {
		struct script_place alone = {.key = search->places[i].key};
		bool is_first = search->places[i].address.bytes == 0;

		for (size_t k = 0; k < i; k++)
			is_first = is_first && search->places[k].key != alone.key;
		if (!is_first)
			continue;
		find_address_alone(search, &search->keys[alone.key], &alone);
		if (alone.address.bytes != 0)
			keep(search, &alone);
	}
	if (search->count != count)
		qsort(search->places, search->count, sizeof(search->places[0]), compare_places);
}

static bool
find(struct script *script, unsigned side, struct script_key *keys, size_t key_count,
	struct script_place **places, size_t *count)
{
	struct search search = {
		.script = script, .keys = keys, .key_count = key_count, .side = side};

	search.sorted = calloc(key_count + 1, sizeof(search.sorted[0]));
	if (search.sorted == NULL)
		return false;
	for (size_t i = 0; i < key_count; i++)
		search.sorted[i] = (struct sorted_key){keys[i].value, i};
	qsort(search.sorted, key_count, sizeof(search.sorted[0]), compare_keys);
	if (key_count != 0)
		search_all(&search);
	if (side != script->side)
		find_lone_addresses(&search);
	free(search.sorted);
	*places = search.places;
	*count = search.count;
	return !search.no_memory;
}

/*
 * Bind own keys before their first announcement. A key's memory begins at the key's lowest address.
 */
static void
place_own(struct script *script)
{
	for (size_t i = script->own_place_count; i-- > 0;) {
		const struct script_place *place = &script->own_places[i];
		struct script_key *key = &script->own_keys[place->key];

		if (key->bind_at != SCRIPT_PRIVATE)
			key->bind_at = place->message;
		if (place->address.bytes != 0 && place->base < key->low)
			key->low = place->base;
	}
}

bool
script_find_announcements(struct script *script)
{
	size_t at = 0;

	if (!find(script, script->side, script->own_keys, script->own_key_count,
		    &script->own_places, &script->own_place_count) ||
		!find(script, !script->side, script->peer_keys, script->peer_key_count,
			&script->peer_places, &script->peer_place_count))
		return false;
	place_own(script);
	for (size_t i = 0; i < script->operation_count; i++) {
		while (at < script->own_place_count && script->own_places[at].message < i)
			at++;
		script->operations[i].place = at;
	}
	at = 0;
	for (size_t i = 0; i < script->message_count; i++) {
		while (at < script->peer_place_count && script->peer_places[at].message < i)
			at++;
		script->messages[i].place = at;
	}
	return true;
}
