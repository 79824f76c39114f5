/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

#include "sim_reserve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "mem/domain.h"

/** Maximum number of tables. The adapters of a run have fewer tables at a time. */
#define KEPT_MAX 64

struct kept {
	uint8_t *start; /**< NULL if this entry is unused */
	size_t bytes;
	/** start of the range with access rights; NULL if no range has rights yet */
	uint8_t *open;
	size_t open_bytes; /**< size of the range that the first mprotect() has opened */
	/** domain to which this table of windows belongs; NULL if it is another table */
	const struct mem_domain *watched;
	/** The memory need not be cleared for the next table. */
	bool clear;
	bool grown; /**< A later mprotect() has enlarged the range, so the table is unmapped. */
	bool idle;  /**< No table uses this address space now. */
};

static struct kept kept[KEPT_MAX];

void *__real_mmap64(void *address, size_t length, int rights, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t length);
int __real_mprotect(void *address, size_t length, int rights);
int __real_madvise(void *address, size_t length, int advice);
void *__wrap_mmap64(void *address, size_t length, int rights, int flags, int file, off_t offset);
int __wrap_munmap(void *address, size_t length);
int __wrap_mprotect(void *address, size_t length, int rights);
int __wrap_madvise(void *address, size_t length, int advice);

/** @return the table that contains an address; NULL if no table contains it */
static struct kept *
kept_of(const void *address)
{
	uintptr_t at = (uintptr_t)address;

	for (uint32_t i = 0; i < KEPT_MAX; i++) {
		uintptr_t start = (uintptr_t)kept[i].start;

		if (start != 0 && at >= start && at - start < kept[i].bytes)
			return &kept[i];
	}
	return NULL;
}

void *
__wrap_mmap64(void *address, size_t length, int rights, int flags, int file, off_t offset)
{
	struct kept *place = NULL;
	void *start;

	/* The library maps only its tables without access rights. Pass other calls to mmap(). */
	if (address != NULL || rights != PROT_NONE)
		return __real_mmap64(address, length, rights, flags, file, offset);
	for (uint32_t i = 0; i < KEPT_MAX; i++) {
		if (kept[i].idle && kept[i].bytes == length) {
			kept[i].idle = false;
			return kept[i].start;
		}
		if (kept[i].start == NULL)
			place = &kept[i];
	}
	start = __real_mmap64(address, length, rights, flags, file, offset);
	if (start != MAP_FAILED && place != NULL)
		*place = (struct kept){.start = start, .bytes = length};
	return start;
}

int
__wrap_mprotect(void *address, size_t length, int rights)
{
	struct kept *place = kept_of(address);

	if (place != NULL && place->open == address && place->open_bytes == length &&
		rights == (PROT_READ | PROT_WRITE))
		return 0;
	if (place != NULL) {
		place->grown = place->open != NULL;
		place->open = place->grown ? place->open : address;
		place->open_bytes = place->grown ? place->open_bytes : length;
	}
	return __real_mprotect(address, length, rights);
}

void
sim_reserve_watch(const struct mem_domain *domain)
{
	struct kept *windows = kept_of(domain->windows);
	const struct mem_partition *partition;

	if (windows != NULL)
		windows->watched = domain;
	/* A new table of free slots is filled with all slot numbers, so it need not be cleared. */
	MEM_FOREACH_PARTITION (partition, domain) {
		struct kept *free_slots = kept_of(partition->keys.free_slots);

		if (free_slots != NULL)
			free_slots->clear = true;
	}
}

/** Clear the tokens of the regions that still exist. @return number of cleared tokens */
static uint32_t
live_clear(const struct mem_domain *domain)
{
	uint32_t cleared = 0;

	for (uint32_t i = 1; i < domain->region_next; i++) {
		struct mem_token *token = mem_token_live(&domain->tokens, domain->regions[i].key);

		if (token == NULL)
			continue;
		memset(token, 0, sizeof(*token));
		cleared++;
	}
	return cleared;
}

/**
 * Clear all used tokens before the tables that contain their positions are unmapped. Known used
 * tokens are those in quarantine (if no token has left it) and the keys of regions. @return false
 * if used tokens are at unknown positions
 */
static bool
tokens_clear(const struct mem_domain *domain)
{
	struct mem_token *tokens = domain->tokens.tokens;
	const struct mem_partition *partition;
	uint32_t used_count = 0;

	MEM_FOREACH_PARTITION (partition, domain) {
		if (partition->keys.rest.left_count != 0)
			return false;
		used_count += mem_key_pool_used(&partition->keys);
	}
	if (live_clear(domain) != used_count)
		return false;
	memset(&tokens[0], 0, sizeof(tokens[0]));
	MEM_FOREACH_PARTITION (partition, domain) {
		uint32_t slot = partition->keys.rest.first;

		for (uint32_t i = mem_key_pool_resting(&partition->keys); i > 0; i--) {
			struct mem_token *token = &tokens[slot];

			slot = token->link & MEM_LINK_INDEX_MASK;
			memset(token, 0, sizeof(*token));
		}
	}
	return true;
}

static void
kept_clear(struct kept *place)
{
	struct kept *tokens = NULL;

	if (place->watched != NULL)
		tokens = kept_of(place->watched->tokens.tokens);
	if (tokens != NULL)
		tokens->clear = tokens_clear(place->watched);
	if (place->open != NULL && !place->clear)
		memset(place->open, 0, place->open_bytes);
	place->watched = NULL;
	place->clear = false;
}

int
__wrap_munmap(void *address, size_t length)
{
	struct kept *place = kept_of(address);

	if (place != NULL && (place->grown || place->bytes != length)) {
		*place = (struct kept){0};
		place = NULL;
	}
	if (place == NULL)
		return __real_munmap(address, length);
	kept_clear(place);
	place->idle = true;
	return 0;
}

/**
 * Ignore the advice. With it, the library would populate its tables at once, if possible with huge
 * pages. But the adapters of a run use few pages.
 */
int
__wrap_madvise(void *address, size_t length, int advice)
{
	if (advice == MADV_POPULATE_WRITE || advice == MADV_HUGEPAGE)
		return 0;
	return __real_madvise(address, length, advice);
}
