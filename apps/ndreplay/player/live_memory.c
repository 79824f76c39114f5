/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Plans the content of this side's memory during the replay. The peer's accesses are executed in
 * order on a copy of the memory (struct shadow). A READ or an atomic may read bytes that no earlier
 * access has stored. These bytes were in memory at the start. If a READ or an atomic reads bytes
 * that differ from the copy, the owner of the memory has changed the bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_types.h>

#include "live_script.h"

/* Maximum size of an area. A larger area is probably the result of a wrong announcement. */
#define AREA_BYTES_MAX (1ull << 32)
#define ATOMIC_BYTES   8u

struct shadow {
	uint8_t *bytes;
	uint8_t *known;
};

struct plan {
	struct script *script;
	struct shadow *shadows; /* copies of the areas */
	size_t poke_room, check_room;
	bool no_memory;
};

static int
compare_keys(const void *a, const void *b)
{
	const struct script_key *const *left = a, *const *right = b;

	return (*left)->low < (*right)->low ? -1 : (*left)->low > (*right)->low;
}

/*
 * Choose the rights of an announced key if all its uses were refused. The rights must not permit
 * the refused uses, so that the live engine refuses the uses, too.
 */
static void
choose_rights(const struct script *script, struct script_key *key, size_t index)
{
	const struct nd_model_refusal *refusal;

	if (!key->only_refused || !key->announced)
		return;
	key->rights = ND_OP_FLAG_ALLOW_READ;
	for (size_t i = 0;
		(refusal = nd_model_refusal(script->model, script->index, script->side, i)) != NULL;
		i++)
		if (refusal->key == index && refusal->kind == ND_MODEL_READ)
			key->rights = ND_OP_FLAG_ALLOW_WRITE;
}

static bool
make_area(struct script *script, const struct script_key *key, char *why, size_t size)
{
	struct script_area *area = &script->areas[script->area_count];

	if (key->end - key->low > AREA_BYTES_MAX) {
		snprintf(why, size, "key 0x%x covers more than 4 GiB, from address 0x%llx",
			key->value, (unsigned long long)key->low);
		return false;
	}
	*area = (struct script_area){.base = key->low, .bytes = key->end - key->low};
	script->area_count++;
	return true;
}

/* Create the memory areas. Keys are sorted by address, and overlapping keys share an area. */
static bool
make_areas(struct script *script, char *why, size_t size)
{
	struct script_key **keys = calloc(script->own_key_count + 1, sizeof(struct script_key *));
	bool made = keys != NULL;
	size_t count = 0;

	for (size_t i = 0; made && i < script->own_key_count; i++) {
		choose_rights(script, &script->own_keys[i], i);
		if (script->own_keys[i].rights != 0 &&
			script->own_keys[i].low < script->own_keys[i].end)
			keys[count++] = &script->own_keys[i];
		else
			script->own_keys[i].rights = 0;
	}
	if (count != 0)
		qsort(keys, count, sizeof(struct script_key *), compare_keys);
	for (size_t i = 0; made && i < count; i++) {
		struct script_area *last =
			script->area_count == 0 ? NULL : &script->areas[script->area_count - 1];

		if (last != NULL && keys[i]->low < last->base + last->bytes) {
			if (keys[i]->end > last->base + last->bytes)
				last->bytes = keys[i]->end - last->base;
		} else {
			made = make_area(script, keys[i], why, size);
		}
		keys[i]->area = script->area_count - 1;
	}
	free(keys);
	return made;
}

static struct script_area *
find_area(const struct script *script, uint64_t address, uint64_t bytes)
{
	for (size_t i = 0; i < script->area_count; i++) {
		struct script_area *area = &script->areas[i];

		if (address >= area->base && address - area->base < area->bytes &&
			bytes <= area->bytes - (address - area->base))
			return area;
	}
	return NULL;
}

static void *
append(struct plan *plan, void **array, size_t *count, size_t *room, size_t bytes)
{
	if (*count == *room) {
		const size_t more = *room == 0 ? 64 : 2 * *room;
		void *bigger = realloc(*array, more * bytes);

		if (bigger == NULL) {
			plan->no_memory = true;
			return NULL;
		}
		*array = bigger;
		*room = more;
	}
	return (char *)*array + (*count)++ * bytes;
}

static void
poke(struct plan *plan, const struct nd_model_operation *use, size_t area, uint64_t offset,
	const uint8_t *data, uint64_t bytes)
{
	struct script *script = plan->script;
	struct script_poke *poke;
	void *array = script->pokes;

	poke = append(plan, &array, &script->poke_count, &plan->poke_room, sizeof(*poke));
	script->pokes = array;
	if (poke == NULL)
		return;
	*poke = (struct script_poke){
		.area = area,
		.offset = offset,
		.bytes = bytes,
		.data = malloc(bytes + 1), /* bytes may be 0 */
	};
	if (poke->data == NULL) {
		script->poke_count--;
		plan->no_memory = true;
		return;
	}
	memcpy(poke->data, data, bytes);
	poke->before = script_own_message(script, use->after_messages);
	poke->due_ns = use->first_ns > script->up_ns ? use->first_ns - script->up_ns : 0;
}

/*
 * Process bytes that the peer read from this side's memory. From data[bytes] on, data has a flag
 * for each byte: 0 if the byte was not captured.
 */
static void
found(struct plan *plan, const struct nd_model_operation *use, size_t area, uint64_t offset,
	const uint8_t *data, uint64_t bytes)
{
	const uint8_t *known = data + bytes;
	struct shadow *shadow = &plan->shadows[area];
	uint64_t from = 0, to;

	for (uint64_t i = 0; i < bytes; i++) {
		if (known[i] == 0 || shadow->known[offset + i] != 0)
			continue;
		plan->script->areas[area].initial[offset + i] = data[i];
		shadow->bytes[offset + i] = data[i];
		shadow->known[offset + i] = 1;
	}
	while (from < bytes) {
		if (known[from] == 0 || shadow->bytes[offset + from] == data[from]) {
			from++;
			continue;
		}
		for (to = from; to < bytes && known[to] != 0; to++)
			shadow->bytes[offset + to] = data[to];
		poke(plan, use, area, offset + from, data + from, to - from);
		from = to;
	}
}

static void
put(struct plan *plan, size_t area, uint64_t offset, const uint8_t *data, uint64_t bytes)
{
	memcpy(plan->shadows[area].bytes + offset, data, bytes);
	memset(plan->shadows[area].known + offset, 1, bytes);
}

/*
 * @return true if the bytes of a WRITE do not change before this side has received this message of
 *         the peer. This is true if the peer's next access to the bytes waits for a message that
 *         this side sends after the peer's message.
 */
static bool
stays(const struct script *script, size_t event, size_t message)
{
	const size_t count = nd_model_memory_count(script->model, script->index, script->side);
	const struct nd_model_memory_event *own =
		nd_model_memory_event(script->model, script->index, script->side, event);

	/* Ignore events that are too late to be in flight together with the WRITE. */
	for (size_t i = event + 1; i < count && i < event + 256; i++) {
		const struct nd_model_memory_event *other =
			nd_model_memory_event(script->model, script->index, script->side, i);
		const struct nd_model_operation *use = nd_model_operation(
			script->model, script->index, !script->side, other->operation);
		size_t waited;

		if ((other->source != ND_MODEL_SOURCE_WRITE &&
			    other->source != ND_MODEL_SOURCE_ATOMIC) ||
			other->address >= own->address + own->bytes ||
			own->address >= other->address + other->bytes)
			continue;
		waited = script_own_message(script, use->after_messages);
		return message != SCRIPT_NONE && waited != SCRIPT_NONE &&
			script->operations[waited].messages > message;
	}
	return true;
}

static void
plan_check(struct plan *plan, size_t event, size_t operation, size_t area, uint64_t offset)
{
	struct script *script = plan->script;
	struct script_check *check;
	void *array = script->checks;
	size_t message = 0, end = script->message_count;

	while (message < end) {
		const size_t middle = (message + end) / 2;

		if (script->messages[middle].operation < operation)
			message = middle + 1;
		else
			end = middle;
	}
	if (message == script->message_count)
		message = SCRIPT_NONE;
	if (!stays(script, event, message))
		return;
	check = append(plan, &array, &script->check_count, &plan->check_room, sizeof(*check));
	script->checks = array;
	if (check != NULL)
		*check = (struct script_check){message, operation, area, offset};
}

static void
follow_event(struct plan *plan, size_t index, uint8_t **data, size_t *room)
{
	struct script *script = plan->script;
	const struct nd_model_memory_event *event =
		nd_model_memory_event(script->model, script->index, script->side, index);
	const struct nd_model_operation *use =
		nd_model_operation(script->model, script->index, !script->side, event->operation);
	const struct script_area *area = find_area(script, event->address, event->bytes);
	uint8_t *known;
	uint64_t offset;

	if (area == NULL || event->bytes == 0)
		return;
	if (*room < event->bytes) {
		uint8_t *more = realloc(*data, 2 * event->bytes);

		if (more == NULL) {
			plan->no_memory = true;
			return;
		}
		*data = more;
		*room = event->bytes;
	}
	known = *data + event->bytes;
	offset = event->address - area->base;
	if (event->source == ND_MODEL_SOURCE_READ || event->source == ND_MODEL_SOURCE_WRITE) {
		script_peer_payload(script, event->operation, *data, known, event->bytes);
	} else {
		for (unsigned int i = 0; i < ATOMIC_BYTES; i++)
			(*data)[i] = (uint8_t)(event->value >> 8 * i);
		memset(known, 1, ATOMIC_BYTES);
	}
	if (event->source == ND_MODEL_SOURCE_READ || event->source == ND_MODEL_SOURCE_FOUND) {
		found(plan, use, (size_t)(area - script->areas), offset, *data, event->bytes);
		return;
	}
	put(plan, (size_t)(area - script->areas), offset, *data, event->bytes);
	if (event->source == ND_MODEL_SOURCE_WRITE)
		plan_check(plan, index, event->operation, (size_t)(area - script->areas), offset);
}

static int
compare_pokes(const void *a, const void *b)
{
	const struct script_poke *left = a, *right = b;

	if (left->before != right->before)
		return left->before < right->before ? -1 : 1;
	return left->due_ns < right->due_ns ? -1 : left->due_ns > right->due_ns;
}

static int
compare_checks(const void *a, const void *b)
{
	const struct script_check *left = a, *right = b;

	if (left->message != right->message)
		return left->message < right->message ? -1 : 1;
	return left->operation < right->operation ? -1 : left->operation > right->operation;
}

static void
order(struct script *script)
{
	size_t at = 0;

	if (script->poke_count != 0)
		qsort(script->pokes, script->poke_count, sizeof(script->pokes[0]), compare_pokes);
	if (script->check_count != 0)
		qsort(script->checks, script->check_count, sizeof(script->checks[0]),
			compare_checks);
	for (size_t i = 0; i < script->message_count; i++) {
		while (at < script->check_count && script->checks[at].message < i)
			at++;
		script->messages[i].check = at;
	}
}

bool
script_plan_memory(struct script *script, char *why, size_t size)
{
	const size_t count = nd_model_memory_count(script->model, script->index, script->side);
	struct plan plan = {.script = script};
	uint8_t *data = NULL;
	size_t room = 0;

	snprintf(why, size, "memory is exhausted");
	script->areas = calloc(script->own_key_count + 1, sizeof(script->areas[0]));
	if (script->areas == NULL || !make_areas(script, why, size))
		return false;
	plan.shadows = calloc(script->area_count + 1, sizeof(plan.shadows[0]));
	plan.no_memory = plan.shadows == NULL;
	for (size_t i = 0; !plan.no_memory && i < script->area_count; i++) {
		struct script_area *area = &script->areas[i];

		/* Add 1, because an area may have 0 bytes. */
		area->initial = calloc(area->bytes + 1, 1);
		plan.shadows[i].bytes = calloc(area->bytes + 1, 1);
		plan.shadows[i].known = calloc(area->bytes + 1, 1);
		plan.no_memory = area->initial == NULL || plan.shadows[i].bytes == NULL ||
			plan.shadows[i].known == NULL;
	}
	for (size_t i = 0; !plan.no_memory && i < count; i++)
		follow_event(&plan, i, &data, &room);
	for (size_t i = 0; plan.shadows != NULL && i < script->area_count; i++) {
		free(plan.shadows[i].bytes);
		free(plan.shadows[i].known);
	}
	free(plan.shadows);
	free(data);
	order(script);
	return !plan.no_memory;
}
