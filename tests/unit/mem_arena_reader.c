/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem_arena.h"

#include <string.h>

/*
 * A reader repeatedly tries all keys on the board. Some accesses are valid, and some must be
 * refused. After each pass over the board, the reader reports a quiescent state. In every fourth
 * pass, it first lets other threads run and then reads a span a second time.
 */

static bool
allowed(const struct arena *arena, uint32_t key, uint32_t owner, uint64_t address,
	uint64_t length_bytes, struct mem_span *span)
{
	struct mem_access access = {.key = key,
		.owner = owner,
		.address = address,
		.length_bytes = length_bytes,
		.rights = MEM_REMOTE_READ};

	return mem_check_remote(arena->domain, &access, span) == MEM_ALLOWED;
}

static void
words_check(struct arena *arena, const uint32_t *words, uint32_t count, uint32_t stamp)
{
	for (uint32_t i = 0; i < count; i++) {
		if (words[i] == ARENA_POISON_WORD)
			arena_complain(arena, "a reader saw memory that was given back");
		else if (words[i] != stamp)
			arena_complain(arena, "a reader saw bytes of another registration");
	}
}

static void
span_check(struct arena *arena, const struct mem_span *span, uint32_t stamp)
{
	uint32_t words[ARENA_WORDS] = {0};

	if ((uintptr_t)mem_region_cookie(span->region) != stamp)
		arena_complain(arena, "a span leads to another region");
	mem_span_read(span, 0, words, span->length_bytes);
	words_check(arena, words, (uint32_t)span->length_bytes / 4, stamp);
}

/**
 * Access memory with the key of a notice. If the key is accepted, check the span once. @return true
 * if the key was accepted
 */
static bool
notice_try(struct arena *arena, const struct arena_notice *notice, uint32_t number,
	struct mem_span *span, uint32_t *stamp)
{
	uint64_t name = __atomic_load_n(&notice->name, __ATOMIC_RELAXED);
	uint64_t start, length_bytes;
	uint32_t key = (uint32_t)name, owner;
	struct mem_span wrong;

	*stamp = (uint32_t)(name >> 32);
	if (name == 0)
		return false;
	owner = arena_owner(*stamp);
	start = number == ARENA_REGION ? arena_base(*stamp) : arena_window_start(*stamp, number);
	length_bytes = number == ARENA_REGION ? ARENA_BYTES : ARENA_BYTES / 3;
	if (allowed(arena, key, owner, start, length_bytes + 1, &wrong) ||
		allowed(arena, key, owner, start - 1, 1, &wrong))
		arena_complain(arena, "a reader got beside the range of its key");
	if (number != ARENA_REGION && allowed(arena, key, owner + 1, start, 1, &wrong))
		arena_complain(arena, "a reader used the window of another owner");
	if (!allowed(arena, key, owner, start, length_bytes, span))
		return false;
	arena_count(&arena->accepted);
	span_check(arena, span, *stamp);
	return true;
}

static void
list_try(struct arena *arena, const struct arena_notice *notice)
{
	uint64_t name = __atomic_load_n(&notice->name, __ATOMIC_RELAXED);
	uint32_t stamp = (uint32_t)(name >> 32);
	struct mem_sge sge = {.region = __atomic_load_n(&notice->region, __ATOMIC_RELAXED),
		.address = arena_base(stamp),
		.length_bytes = ARENA_BYTES};
	struct mem_sgl sgl = {.sges = &sge, .count = 1};
	uint32_t words[ARENA_WORDS] = {0};

	if (mem_sgl_gather(arena->domain, &sgl, 0, words, sizeof(words)) != RC_OK)
		return;
	words_check(arena, words, ARENA_WORDS, stamp);
	arena_count(&arena->copied);
}

static void
board_try(struct arena *arena, uint32_t round)
{
	struct mem_span span, kept = {0};
	uint32_t stamp, kept_stamp = 0;

	for (uint32_t writer = 0; writer < ARENA_WRITERS; writer++) {
		/*
		 * Begin every second round with a scatter/gather list. The first access of a round
		 * orders memory for the later accesses, so each kind of access must sometimes be
		 * first.
		 */
		if (round % 2 == 0)
			list_try(arena, &arena->board[writer][ARENA_REGION]);
		for (uint32_t i = 0; i < ARENA_NOTICES; i++) {
			if (notice_try(arena, &arena->board[writer][i], i, &span, &stamp)) {
				kept = span;
				kept_stamp = stamp;
			}
		}
	}
	if (round % 4 != 0 || kept.region == NULL)
		return;
	sched_yield();
	span_check(arena, &kept, kept_stamp);
	arena_count(&arena->held);
}

void *
arena_reader_run(void *argument)
{
	const struct arena_reader *reader = argument;
	struct arena *arena = reader->arena;
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(arena->domain);

	rte_rcu_qsbr_thread_online(qsbr, reader->id);
	for (uint32_t round = 1; __atomic_load_n(&arena->stop, __ATOMIC_ACQUIRE) == 0; round++) {
		board_try(arena, round);
		rte_rcu_qsbr_quiescent(qsbr, reader->id);
		if (round % 64 != 0)
			continue;
		rte_rcu_qsbr_thread_offline(qsbr, reader->id);
		sched_yield();
		rte_rcu_qsbr_thread_online(qsbr, reader->id);
	}
	rte_rcu_qsbr_thread_offline(qsbr, reader->id);
	return NULL;
}
