/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * The table of handles.
 *
 * A handle consists of an index into the table and the generation of this entry, so a closed handle
 * is refused even after its entry is reused. Entries are never freed, so any value can be looked up
 * safely. One word per entry contains generation, open flag and reference count. The word is
 * changed by compare-and-swap. Only opening a handle and freeing an object take the lock.
 */

#include "win/handle.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define CHUNK_SHIFT  10u
#define CHUNK_SLOTS  (1u << CHUNK_SHIFT)
#define CHUNKS_MAX   1024u
#define INDEX_BITS   20u
#define HANDLE_SHIFT 2u
#define NO_SLOT      UINT32_MAX

static_assert(1u << INDEX_BITS == CHUNKS_MAX * CHUNK_SLOTS, "each slot has exactly one index");

/* Bits of a word: the reference count in the low bits, then the open flag, then the generation. */
#define WORD_OPEN       (UINT64_C(1) << 31)
#define WORD_REFS       (WORD_OPEN - 1)
#define GENERATION_BITS 32u

struct slot {
	_Atomic uint64_t word;
	struct win_object *object;
	uint32_t next_free;
};

static _Atomic(struct slot *) chunks[CHUNKS_MAX];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t slots_used;
static uint32_t first_free = NO_SLOT;

static struct slot *
slot_at(uint32_t index)
{
	struct slot *chunk =
		atomic_load_explicit(&chunks[index >> CHUNK_SHIFT], memory_order_acquire);

	return chunk ? &chunk[index & (CHUNK_SLOTS - 1)] : NULL;
}

static uint64_t
generation_of(uint64_t word)
{
	return word >> GENERATION_BITS;
}

/** @return the entry to which a handle refers, whether it is in use or not; NULL: there is none */
static struct slot *
slot_of(HANDLE handle, uint64_t *generation)
{
	uint64_t value = (uintptr_t)handle >> HANDLE_SHIFT;

	*generation = value >> INDEX_BITS;
	if (*generation == 0 || *generation > UINT32_MAX)
		return NULL;
	return slot_at((uint32_t)(value & ((1u << INDEX_BITS) - 1)));
}

/** @return an unused entry. The lock must be held. */
static struct slot *
slot_take(uint32_t *index)
{
	struct slot *slot;

	if (first_free != NO_SLOT) {
		*index = first_free;
		slot = slot_at(*index);
		first_free = slot->next_free;
		return slot;
	}
	if (slots_used == CHUNKS_MAX * CHUNK_SLOTS)
		return NULL;
	if (slots_used % CHUNK_SLOTS == 0) {
		struct slot *chunk = calloc(CHUNK_SLOTS, sizeof(*chunk));

		if (!chunk)
			return NULL;
		atomic_store_explicit(
			&chunks[slots_used >> CHUNK_SHIFT], chunk, memory_order_release);
	}
	*index = slots_used++;
	slot = slot_at(*index);
	atomic_store_explicit(&slot->word, UINT64_C(1) << GENERATION_BITS, memory_order_relaxed);
	return slot;
}

HANDLE
win_handle_open(struct win_object *object)
{
	struct slot *slot;
	uint32_t index = 0;
	uint64_t word;

	pthread_mutex_lock(&table_lock);
	slot = slot_take(&index);
	pthread_mutex_unlock(&table_lock);
	if (!slot)
		return NULL;
	word = atomic_load_explicit(&slot->word, memory_order_relaxed);
	slot->object = object;
	object->handle =
		(HANDLE)(uintptr_t)((generation_of(word) << INDEX_BITS | index) << HANDLE_SHIFT);
	/*
	 * Release order: a thread that reads the open flag with acquire order in ref_word() also
	 * sees the object.
	 */
	atomic_store_explicit(&slot->word, word | WORD_OPEN | 1u, memory_order_release);
	return object->handle;
}

/** Take a reference if generation and bits `wanted` match the entry. @return true if taken */
static bool
ref_word(struct slot *slot, uint64_t generation, uint64_t wanted)
{
	uint64_t word = atomic_load_explicit(&slot->word, memory_order_relaxed);

	do {
		if (generation_of(word) != generation || (word & wanted) != wanted ||
			(word & WORD_REFS) == 0)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&slot->word, &word, word + 1, memory_order_acquire, memory_order_relaxed));
	return true;
}

struct win_object *
win_handle_ref(HANDLE handle, enum win_kind kind)
{
	uint64_t generation;
	struct slot *slot = slot_of(handle, &generation);

	if (!slot || !ref_word(slot, generation, WORD_OPEN))
		return NULL;
	if (kind && slot->object->kind != kind) {
		win_object_unref(slot->object);
		return NULL;
	}
	return slot->object;
}

struct win_object *
win_handle_object(HANDLE handle)
{
	uint64_t generation;
	struct slot *slot = slot_of(handle, &generation);

	return slot && ref_word(slot, generation, 0) ? slot->object : NULL;
}

void
win_object_ref(struct win_object *object)
{
	uint64_t generation;
	struct slot *slot = slot_of(object->handle, &generation);

	atomic_fetch_add_explicit(&slot->word, 1, memory_order_relaxed);
}

/** Put the entry of a destroyed object into the free list, with the next generation. */
static void
slot_release(struct slot *slot, HANDLE handle)
{
	uint64_t value = (uintptr_t)handle >> HANDLE_SHIFT;
	uint64_t generation = value >> INDEX_BITS;

	pthread_mutex_lock(&table_lock);
	slot->object = NULL;
	slot->next_free = first_free;
	first_free = (uint32_t)(value & ((1u << INDEX_BITS) - 1));
	generation = generation == UINT32_MAX ? 1 : generation + 1;
	atomic_store_explicit(&slot->word, generation << GENERATION_BITS, memory_order_release);
	pthread_mutex_unlock(&table_lock);
}

void
win_object_unref(struct win_object *object)
{
	HANDLE handle = object->handle;
	uint64_t generation;
	struct slot *slot = slot_of(handle, &generation);
	uint64_t word = atomic_fetch_sub_explicit(&slot->word, 1, memory_order_acq_rel);

	assert((word & WORD_REFS) > 0);
	if ((word & WORD_REFS) != 1)
		return;
	/*
	 * The handle is closed, because an open handle holds a reference. So no thread can take a
	 * new reference.
	 */
	object->destroy(object);
	slot_release(slot, handle);
}

bool
win_handle_close(HANDLE handle)
{
	uint64_t generation;
	struct slot *slot = slot_of(handle, &generation);
	uint64_t word;

	if (!slot)
		return false;
	word = atomic_load_explicit(&slot->word, memory_order_relaxed);
	do {
		if (generation_of(word) != generation || !(word & WORD_OPEN))
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&slot->word, &word, word & ~WORD_OPEN, memory_order_acquire, memory_order_relaxed));
	if (slot->object->close)
		slot->object->close(slot->object);
	win_object_unref(slot->object);
	return true;
}

void
win_object_init(
	struct win_object *object, enum win_kind kind, void (*destroy)(struct win_object *object))
{
	object->kind = kind;
	object->signalled = false;
	object->auto_reset = false;
	object->handle = NULL;
	object->close = NULL;
	object->destroy = destroy;
	base_list_init(&object->waits);
}
