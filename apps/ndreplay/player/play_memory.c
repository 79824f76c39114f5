/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Memory of our side, mapped at any address, which the peer accesses at the recorded addresses. The
 * peer uses memory windows that have the rights and the lifetime of the recorded keys.
 */

#include "play_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <arpa/inet.h>
#include <rte_common.h>

#include "play_read.h"

#define REGION_BYTES_MAX  (UINT64_C(1) << 30)
/**
 * Maximum number of bytes by which the range of a key is extended for unanswered or refused
 * requests.
 */
#define WIDENED_BYTES_MAX (UINT64_C(1) << 24)
/** Address range of a key if only the invalidation of the key was captured. */
#define UNUSED_ADDRESS    UINT64_C(0x1000)
#define UNUSED_BYTES      64u
/** Number of later memory events that are searched for the next access to the same bytes. */
#define EVENTS_AHEAD      4096u
/**
 * Number of frames after the first request of a READ in which a refused retransmission is searched.
 */
#define COPY_FRAMES       4096u
/** Maximum number of bytes that are compared if a READ is executed together with other requests. */
#define TOUCHED_BYTES_MAX (UINT64_C(1) << 24)

static int
by_address(const void *a, const void *b)
{
	const struct play_region *left = a, *right = b;

	return left->low < right->low ? -1 : left->low > right->low;
}

/** Join overlapping ranges of keys, because they are the same memory. */
static void
regions_join(struct play_memory *memory)
{
	size_t count = 0;

	qsort(memory->regions, memory->region_count, sizeof(*memory->regions), by_address);
	for (size_t i = 0; i < memory->region_count; i++) {
		struct play_region *last = count == 0 ? NULL : &memory->regions[count - 1];

		if (last != NULL && memory->regions[i].low <= last->end) {
			if (memory->regions[i].end > last->end)
				last->end = memory->regions[i].end;
		} else {
			memory->regions[count++] = memory->regions[i];
		}
	}
	memory->region_count = count;
}

static bool
region_make(struct play_memory *memory, struct play_region *region)
{
	const size_t bytes = (size_t)(region->end - region->low);
	struct nd_buffer buffer;
	void *at;

	if (bytes > REGION_BYTES_MAX)
		return false;
	/*
	 * The second half of the mapping has a flag for each byte of the first half: true if the
	 * content of the byte is known.
	 */
	at = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return false;
	region->bytes = at;
	buffer = (struct nd_buffer){at, bytes};
	return !nd_failed(nd_adapter_register_memory_chain(memory->engine->adapter, &buffer, 1,
		(void *)(uintptr_t)region->low, NULL, &region->mr));
}

static const struct play_region *
region_find(const struct play_memory *memory, uint64_t address, uint64_t bytes)
{
	for (size_t i = 0; i < memory->region_count; i++)
		if (address >= memory->regions[i].low && address <= memory->regions[i].end &&
			bytes <= memory->regions[i].end - address)
			return &memory->regions[i];
	return NULL;
}

/** @return true if the key was valid for at least one byte */
static bool
key_is_used(const struct play_key *key)
{
	return key->end != 0;
}

static void
range_add(struct play_memory *memory, uint64_t low, uint64_t end)
{
	memory->regions[memory->region_count++] =
		(struct play_region){.low = low & ~UINT64_C(7), .end = (end + 7) & ~UINT64_C(7)};
}

static struct play_key *
key_find(const struct play_memory *memory, uint32_t value, uint64_t number)
{
	struct play_key *found = NULL;

	/* If a key value was reused, the newer key comes after the older key. */
	for (size_t i = 0; i < memory->key_count; i++) {
		struct play_key *key = &memory->keys[i];

		if (key->key->value == value && (found == NULL || key->key->first_frame <= number))
			found = key;
	}
	return found;
}

/** @return index within its message of the packet that our side refused; 0: the first, or none */
static uint32_t
refused_packet(const struct play_memory *memory, const struct nd_model_operation *operation)
{
	struct nd_model_frame nak;

	if (operation->end != ND_MODEL_REFUSED ||
		!nd_model_frame_get(memory->recorded->model, operation->end_frame, &nak))
		return 0;
	return nak.packet;
}

/**
 * Find a READ whose first request our side answered and whose retransmission our side refused,
 * because the key was invalidated after the answer. The peer may receive the answers to the first
 * request and complete the READ.
 *
 * @return number of the frame with the refused retransmission; 0: there is none
 */
static uint64_t
refused_copy(const struct play_memory *memory, size_t index)
{
	const struct nd_model_operation *operation = play_peer_operation(memory->recorded, index);
	struct nd_model_frame frame;
	uint64_t number, copy = 0;
	bool answered = false;
	size_t first;

	if (operation->kind != ND_MODEL_READ ||
		(operation->end != ND_MODEL_REFUSED && operation->repeats == 0))
		return 0;
	first = play_frames_from(memory->recorded, operation->first_frame);
	for (size_t i = 0;
		i < COPY_FRAMES && (number = play_frame(memory->recorded, first + i, &frame)) != 0;
		i++) {
		if (frame.operation != index)
			continue;
		if (frame.side == memory->recorded->theirs && frame.part == ND_MODEL_FRAME_REQUEST)
			copy = number;
		if (frame.side != memory->recorded->ours)
			continue;
		if (frame.part == ND_MODEL_FRAME_READ_RESPONSE)
			answered = true;
		else if (frame.part == ND_MODEL_FRAME_NAK && (frame.syndrome & 0x1F) != 0)
			return answered && copy != operation->first_frame ? copy : 0;
	}
	return 0;
}

static void
key_widen(struct play_key *key, const struct nd_model_operation *operation)
{
	const uint64_t low =
		key_is_used(key) ? RTE_MIN(key->low, operation->address) : operation->address;
	const uint64_t end = RTE_MAX(key->end, operation->address + operation->bytes);

	if (end - low > WIDENED_BYTES_MAX)
		return;
	key->low = low;
	key->end = end;
	key->rights |= play_right_of(operation);
}

/**
 * Extend the ranges of keys for two kinds of messages: messages that our side refused at a later
 * packet, and unanswered messages. Our side may have accepted an unanswered message, because a
 * refusal would have ended the connection.
 */
static void
keys_widen(struct play_memory *memory)
{
	const struct nd_model_operation *operation;
	struct play_key *key;

	for (size_t i = 0; (operation = play_peer_operation(memory->recorded, i)) != NULL; i++) {
		if (!operation->target_known || operation->bytes == 0 || operation->address == 0 ||
			operation->kind == ND_MODEL_OTHER ||
			operation->bytes > UINT64_MAX - operation->address ||
			(operation->end != ND_MODEL_UNANSWERED &&
				refused_packet(memory, operation) == 0 &&
				refused_copy(memory, i) == 0))
			continue;
		key = key_find(memory, operation->key, operation->first_frame);
		if (key != NULL)
			key_widen(key, operation);
	}
}

bool
play_memory_open(struct play_memory *memory)
{
	const size_t count = play_own_side(memory->recorded)->keys;

	if (count == 0)
		return true;
	memory->keys = calloc(count, sizeof(*memory->keys));
	memory->regions = calloc(count, sizeof(*memory->regions));
	if (memory->keys == NULL || memory->regions == NULL) {
		memory->engine->outcome->memory_exhausted = true;
		return false;
	}
	memory->key_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct nd_model_key *key = nd_model_key(memory->recorded->model,
			memory->recorded->index, memory->recorded->ours, i);

		memory->keys[i].key = key;
		if (key->uses != 0 && key->low != 0 && key->end > key->low) {
			memory->keys[i].low = key->low;
			memory->keys[i].end = key->end;
			memory->keys[i].rights = key->rights;
		}
	}
	keys_widen(memory);
	for (size_t i = 0; i < count; i++) {
		const struct nd_model_key *key = memory->keys[i].key;

		if (key_is_used(&memory->keys[i]))
			range_add(memory, memory->keys[i].low, memory->keys[i].end);
		else if (key->invalidated_frame != 0)
			range_add(memory, UNUSED_ADDRESS, UNUSED_ADDRESS + UNUSED_BYTES);
		else if (key->uses != 0)
			play_unjudged(memory->engine, "a key covers memory at address 0");
	}
	regions_join(memory);
	for (size_t i = 0; i < memory->region_count; i++)
		if (!region_make(memory, &memory->regions[i])) {
			play_unjudged(memory->engine,
				"keys cover more memory than the replay can allocate");
			return false;
		}
	return true;
}

static uint32_t
flags_of(uint32_t rights)
{
	uint32_t flags = 0;

	if ((rights & ND_MODEL_RIGHT_READ) != 0)
		flags |= ND_OP_FLAG_ALLOW_READ;
	if ((rights & ND_MODEL_RIGHT_WRITE) != 0)
		flags |= ND_OP_FLAG_ALLOW_WRITE;
	if ((rights & ND_MODEL_RIGHT_ATOMIC) != 0)
		flags |= ND_OP_FLAG_ALLOW_ATOMIC;
	return flags != 0 ? flags : ND_OP_FLAG_ALLOW_READ;
}

static void
key_bind(struct play_memory *memory, struct play_key *key)
{
	const bool used = key_is_used(key);
	const uint64_t low = used ? key->low : UNUSED_ADDRESS;
	const uint64_t end = used ? key->end : UNUSED_ADDRESS + UNUSED_BYTES;
	const struct play_region *region = region_find(memory, low, end - low);

	if ((!used && key->key->invalidated_frame == 0) || region == NULL)
		return;
	key->alive = !nd_failed(nd_adapter_create_memory_window(
			     memory->engine->adapter, &key->invalidated, &key->mw)) &&
		!nd_failed(nd_endpoint_bind(memory->engine->endpoint, &key->bound, region->mr,
			key->mw, (void *)(uintptr_t)low, (size_t)(end - low), flags_of(key->rights),
			&key->descriptor));
	if (!key->alive)
		play_unjudged(memory->engine, "a window cannot be bound as recorded");
}

void
play_memory_bind(struct play_memory *memory)
{
	for (size_t i = 0; i < memory->key_count; i++)
		key_bind(memory, &memory->keys[i]);
}

uint32_t
play_memory_key(const struct play_memory *memory, uint32_t recorded, uint64_t number)
{
	const struct play_key *key = key_find(memory, recorded, number);

	return key != NULL && key->descriptor.token != 0 ? ntohl(key->descriptor.token) : recorded;
}

/**
 * @return true if the peer invalidated the key before this frame, so that the engine has
 *         invalidated the key, too
 */
static bool
is_invalidated(const struct nd_model_key *key, uint64_t number)
{
	return key->invalidated_frame != 0 && key->invalidated_frame < number;
}

/**
 * Close the window of a key, because the recorded side refused an access that the window would
 * allow.
 */
static void
key_close(struct play_memory *memory, const struct nd_model_operation *operation)
{
	struct play_key *key = key_find(memory, operation->key, operation->first_frame);
	const uint32_t right = play_right_of(operation);

	if (key == NULL || !key->alive || is_invalidated(key->key, operation->first_frame) ||
		(key->rights & right) == 0 || operation->address < key->low ||
		operation->address > key->end || operation->bytes > key->end - operation->address)
		return;
	key->alive = false;
	/*
	 * Release the window. An invalidate is no solution, because it is a posted request that
	 * waits for earlier requests.
	 */
	nd_mw_release(memory->engine->adapter, key->mw);
	key->mw = NULL;
	play_settle(&memory->engine->clock);
}

/** @return true if a memory event accesses at least one of these bytes */
static bool
touches(const struct nd_model_memory_event *event, uint64_t address, uint64_t bytes)
{
	return event->bytes != 0 && event->address <= address + (bytes - 1) &&
		address <= event->address + (event->bytes - 1);
}

static bool
is_finding(const struct nd_model_memory_event *event)
{
	return event->source == ND_MODEL_SOURCE_READ || event->source == ND_MODEL_SOURCE_FOUND;
}

/**
 * Search the events after event `index` for the first access to these bytes.
 *
 * @param[out] bytes content of the bytes that the access read
 * @return true if the access read the bytes and did not change the bytes
 */
static bool
found_next(const struct play_memory *memory, size_t index, uint64_t address, uint8_t *bytes,
	size_t count)
{
	const struct nd_model_memory_event *event;
	uint8_t known[8];

	for (size_t i = index + 1; i <= index + EVENTS_AHEAD &&
		(event = nd_model_memory_event(memory->recorded->model, memory->recorded->index,
			 memory->recorded->ours, i)) != NULL;
		i++) {
		if (!touches(event, address, count))
			continue;
		return is_finding(event) &&
			nd_model_memory(memory->recorded->model, memory->recorded->index,
				memory->recorded->ours, i, address, bytes, known, count) == count;
	}
	return false;
}

/** @return the value that an atomic operation stores if `number` was in memory before */
static uint64_t
left_by(const struct nd_model_operation *operation, uint64_t number)
{
	if (operation->kind == ND_MODEL_FETCH_ADD)
		return number + operation->swap_add;
	return number == operation->compare ? operation->swap_add : number;
}

/**
 * The recorded bytes of a READ or atomic differ from the known content of memory. Check whether the
 * recorded bytes are wrong. They are wrong if the next request that reads the same bytes returns
 * the known content.
 *
 * @param there content of memory, from the first different byte on
 * @param found recorded bytes, from the first different byte on
 */
static bool
is_contradicted(const struct play_memory *memory, size_t index,
	const struct nd_model_memory_event *event, uint64_t address, const uint8_t *there,
	const uint8_t *found)
{
	const struct nd_model_operation *operation =
		play_peer_operation(memory->recorded, event->operation);
	uint64_t number, recorded, next;
	uint8_t byte;

	if (event->source == ND_MODEL_SOURCE_READ)
		return found_next(memory, index, address, &byte, 1) && byte == *there;
	memcpy(&number, there, sizeof(number));
	memcpy(&recorded, found, sizeof(recorded));
	number = left_by(operation, number);
	recorded = left_by(operation, recorded);
	/* Search after the next event, which is the value that this atomic stored. */
	return found_next(memory, index + 1, event->address, (uint8_t *)&next, sizeof(next)) &&
		next == number && next != recorded;
}

static void
memory_difference(struct play_memory *memory, const struct nd_model_memory_event *event,
	uint64_t address, uint8_t there, uint8_t found)
{
	char expected[48], seen[48];

	snprintf(expected, sizeof(expected), "0x%02x at address 0x%" PRIx64, found, address);
	snprintf(seen, sizeof(seen), "0x%02x", there);
	outcome_difference(
		memory->engine->outcome, event->frame, "memory", OUTCOME_MEMORY, expected, seen);
}

/**
 * Write the bytes that a recorded request read into memory, unless the recorded bytes are wrong.
 *
 * @param there, there_known content of memory, and a flag for each byte that tells whether its
 *         content is known
 * @param found recorded bytes, followed by a flag for each byte that tells whether it was captured
 */
static void
memory_find(struct play_memory *memory, size_t index, const struct nd_model_memory_event *event,
	uint8_t *there, const uint8_t *there_known, const uint8_t *found)
{
	const bool number = event->source == ND_MODEL_SOURCE_FOUND;
	const uint8_t *known = found + event->bytes;
	size_t i = 0;

	while (i < event->bytes && (known[i] == 0 || there_known[i] == 0 || there[i] == found[i]))
		i++;
	if (i < event->bytes) {
		const size_t at = number ? 0 : i;

		/*
		 * Do not change memory, so that the engine's answer differs from the recorded
		 * answer.
		 */
		if (is_contradicted(
			    memory, index, event, event->address + i, there + at, found + at))
			return;
		memory_difference(memory, event, event->address + i, there[i], found[i]);
	}
	for (i = 0; i < event->bytes; i++)
		if (known[i] != 0)
			there[i] = found[i];
}

/**
 * Keep known bytes that other requests access. Requests that are executed in the same step before a
 * READ may change the bytes that the READ reads.
 *
 * @param known for each byte of the READ: true if the byte is written into memory
 */
static void
touched_clear(const struct play_memory *memory, size_t index,
	const struct nd_model_memory_event *event, uint8_t *known, const uint8_t *there_known)
{
	const bool all = event->bytes > TOUCHED_BYTES_MAX / (index - memory->together + 1);
	const struct nd_model_memory_event *before;

	for (uint64_t at = 0; all && at < event->bytes; at++)
		known[at] = known[at] != 0 && there_known[at] == 0;
	for (size_t i = memory->together; !all && i < index; i++) {
		before = nd_model_memory_event(memory->recorded->model, memory->recorded->index,
			memory->recorded->ours, i);
		if (!touches(before, event->address, event->bytes))
			continue;
		for (uint64_t at = 0; at < event->bytes; at++)
			if (there_known[at] != 0 &&
				event->address + at - before->address < before->bytes)
				known[at] = 0;
	}
}

/** Write the recorded bytes into memory before a request of the peer reads memory. */
static void
memory_fill(struct play_memory *memory, size_t index, const struct nd_model_memory_event *event,
	bool kept)
{
	const struct play_region *region = region_find(memory, event->address, event->bytes);
	const size_t count = (size_t)event->bytes;
	uint8_t *bytes, *known, *at, *at_known;

	if (region == NULL || count == 0)
		return;
	at = region->bytes + (event->address - region->low);
	at_known = at + (region->end - region->low);
	if (!is_finding(event)) {
		memset(at_known, 1, count);
		return;
	}
	bytes = malloc(2 * count);
	if (bytes == NULL)
		return;
	known = bytes + count;
	nd_model_memory(memory->recorded->model, memory->recorded->index, memory->recorded->ours,
		index, event->address, bytes, known, count);
	if (event->source == ND_MODEL_SOURCE_READ)
		play_read_first(memory->recorded, event->operation, bytes, known, count);
	if (kept)
		touched_clear(memory, index, event, known, at_known);
	memory_find(memory, index, event, at, at_known, bytes);
	for (size_t i = 0; i < count; i++)
		at_known[i] |= known[i];
	free(bytes);
}

bool
play_memory_is_early(
	const struct play_memory *memory, const struct nd_model_frame *frame, uint64_t expected)
{
	const struct nd_model_operation *operation;

	if (frame->part != ND_MODEL_FRAME_REQUEST || frame->operation == ND_MODEL_NONE ||
		frame->packet == 0 || frame->sequence <= expected)
		return false;
	operation = play_peer_operation(memory->recorded, frame->operation);
	return refused_packet(memory, operation) == frame->packet;
}

void
play_memory_repeat(struct play_memory *memory, uint64_t number, size_t index)
{
	const struct nd_model_operation *operation = play_peer_operation(memory->recorded, index);
	const struct play_key *key;

	if (refused_copy(memory, index) != number)
		return;
	key = key_find(memory, operation->key, operation->first_frame);
	/* The engine has already invalidated a key that the peer has invalidated. */
	if (key != NULL && !is_invalidated(key->key, operation->end_frame))
		key_close(memory, operation);
}

void
play_memory_prepare(struct play_memory *memory, size_t operation, uint32_t packet, bool kept)
{
	const struct nd_model_operation *request = play_peer_operation(memory->recorded, operation);
	const struct nd_model_memory_event *event;

	if (request->end == ND_MODEL_REFUSED && request->target_known &&
		refused_packet(memory, request) == packet && refused_copy(memory, operation) == 0)
		key_close(memory, request);
	if (!kept)
		memory->together = memory->next_memory;
	if (packet != 0)
		return;
	while ((event = nd_model_memory_event(memory->recorded->model, memory->recorded->index,
			memory->recorded->ours, memory->next_memory)) != NULL &&
		event->operation <= operation)
		memory_fill(memory, memory->next_memory++, event, kept);
}

void
play_memory_close(struct play_memory *memory)
{
	for (size_t i = 0; i < memory->region_count; i++)
		if (memory->regions[i].bytes != NULL)
			munmap(memory->regions[i].bytes,
				2 * (size_t)(memory->regions[i].end - memory->regions[i].low));
	free(memory->regions);
	free(memory->keys);
}
