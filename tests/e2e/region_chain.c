/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "region_chain.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define GUARD_BYTE  0xEE
#define GUARD_BYTES 3

uint32_t
chain_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void
buffers_place(struct chain *chain, uint32_t *random)
{
	size_t *order = malloc(chain->count * sizeof(*order));
	uint8_t *next;

	cr_assert_not_null(order);
	for (size_t i = 0; i < chain->count; i++) {
		size_t other = chain_random(random) % (i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	chain->arena_bytes = chain->total + (chain->count + 1) * GUARD_BYTES;
	chain->arena = malloc(chain->arena_bytes);
	cr_assert_not_null(chain->arena);
	memset(chain->arena, GUARD_BYTE, chain->arena_bytes);
	next = chain->arena + GUARD_BYTES;
	for (size_t i = 0; i < chain->count; i++) {
		struct nd_buffer *buffer = &chain->buffers[order[i]];

		buffer->address = next;
		memset(next, 0, buffer->length);
		next += buffer->length + GUARD_BYTES;
	}
	free(order);
}

void
chain_make(struct chain *chain, struct nd_adapter *adapter, const struct chain_plan *plan)
{
	uint32_t random = plan->seed;
	nd_status status;

	*chain = (struct chain){.adapter = adapter, .count = plan->count};
	chain->buffers = calloc(plan->count, sizeof(*chain->buffers));
	cr_assert_not_null(chain->buffers);
	for (size_t i = 0; i < plan->count; i++) {
		size_t length = 1 + chain_random(&random) % plan->longest;

		if (chain_random(&random) % 4 == 0)
			length = 1;
		chain->buffers[i].length = length;
		chain->total += length;
	}
	buffers_place(chain, &random);
	status = nd_adapter_register_memory_chain(
		adapter, chain->buffers, chain->count, plan->base, NULL, &chain->mr);
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
	chain->base = plan->base != NULL ? plan->base : chain->buffers[0].address;
}

void
chain_check_guards(const struct chain *chain)
{
	for (size_t i = 0; i < GUARD_BYTES; i++)
		cr_assert_eq(chain->arena[i], GUARD_BYTE, "byte %zu before all buffers", i);
	for (size_t i = 0; i < chain->count; i++) {
		const struct nd_buffer *buffer = &chain->buffers[i];
		const uint8_t *end = (const uint8_t *)buffer->address + buffer->length;

		for (size_t j = 0; j < GUARD_BYTES; j++)
			cr_assert_eq(end[j], GUARD_BYTE, "byte %zu behind buffer %zu is 0x%02x", j,
				i, end[j]);
	}
}

/**
 * Copy bytes between the chain and plain memory. If `to` is NULL, copy from `from` into the
 * buffers. Otherwise copy from the buffers to `to`.
 */
static void
bytes_copy(const struct chain *chain, size_t offset, const uint8_t *from, uint8_t *to, size_t bytes)
{
	size_t i = 0;

	cr_assert(offset <= chain->total && bytes <= chain->total - offset);
	while (bytes > 0) {
		const struct nd_buffer *buffer = &chain->buffers[i];
		size_t piece;

		if (offset >= buffer->length) {
			offset -= buffer->length;
			i++;
			continue;
		}
		piece = buffer->length - offset < bytes ? buffer->length - offset : bytes;
		if (to != NULL) {
			memcpy(to, (const uint8_t *)buffer->address + offset, piece);
			to += piece;
		} else {
			memcpy((uint8_t *)buffer->address + offset, from, piece);
			from += piece;
		}
		offset += piece;
		bytes -= piece;
	}
}

void
chain_put(const struct chain *chain, size_t offset, const uint8_t *from, size_t bytes)
{
	bytes_copy(chain, offset, from, NULL, bytes);
}

void
chain_get(const struct chain *chain, size_t offset, uint8_t *to, size_t bytes)
{
	bytes_copy(chain, offset, NULL, to, bytes);
}

void
chain_free(struct chain *chain)
{
	chain_check_guards(chain);
	free(chain->buffers);
	free(chain->arena);
	*chain = (struct chain){0};
}

void
chain_end(struct chain *chain)
{
	nd_status status = nd_adapter_deregister_memory(chain->adapter, chain->mr, NULL);

	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
	chain_free(chain);
}
