/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_lack.h"

#include <inttypes.h>
#include <stdlib.h>

#include <rte_malloc.h>

#include "sim_trace.h"
#include "sim_world.h"

/** Maximum number of repetitions, larger than the number of allocations of any call. */
#define TURNS_MAX 32

/**
 * Number of allocations until one fails: 1 = the next allocation fails; 0 = no allocation fails.
 */
static uint32_t left;
static bool struck; /**< an allocation has failed */
static bool exempt; /**< The tested call does not make the current allocations. */
/** number of blocks that the current call has allocated, minus freed blocks */
static int64_t kept;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *block);
void *__real_rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket);
void *__real_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket);
void __real_rte_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);
void *__wrap_rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket);
void *__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket);
void __wrap_rte_free(void *block);

static bool
strikes(void)
{
	if (exempt)
		return false;
	if (left != 0 && --left == 0) {
		struck = true;
		return true;
	}
	kept++;
	return false;
}

void *
__wrap_malloc(size_t size)
{
	return strikes() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	return strikes() ? NULL : __real_calloc(count, size);
}

void
__wrap_free(void *block)
{
	kept -= block != NULL && !exempt;
	__real_free(block);
}

void *
__wrap_rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	return strikes() ? NULL : __real_rte_malloc_socket(type, size, align, socket);
}

void *
__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	return strikes() ? NULL : __real_rte_zmalloc_socket(type, size, align, socket);
}

void
__wrap_rte_free(void *block)
{
	kept -= block != NULL && !exempt;
	__real_rte_free(block);
}

static void
arm(struct sim_lack *lack)
{
	lack->turn++;
	left = lack->turn;
	struck = false;
	kept = 0;
}

struct sim_lack
sim_lack_begin(struct sim_world *world, const char *call, nd_status expected)
{
	struct sim_lack lack = {.world = world, .call = call, .expected = expected};

	if (world->plan.lack)
		arm(&lack);
	return lack;
}

bool
sim_lack_again(struct sim_lack *lack, nd_status status)
{
	int64_t blocks = kept;

	left = 0;
	if (lack->turn == 0 || !struck)
		return false;
	if (status != lack->expected || lack->turn == TURNS_MAX)
		sim_fail(lack->world, "%s without memory for allocation %u: %s, not %s", lack->call,
			lack->turn, nd_status_name(status), nd_status_name(lack->expected));
	sim_trace_status(&lack->world->trace, "lack", lack->call, lack->turn, status);
	if (blocks != 0)
		sim_fail(lack->world,
			"%s without memory for allocation %u leaks %" PRId64 " blocks", lack->call,
			lack->turn, blocks);
	arm(lack);
	return true;
}

void
sim_lack_exempt(bool is_exempt)
{
	exempt = is_exempt;
}
