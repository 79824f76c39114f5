/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/requests.h"

#include <stdlib.h>

/** Requests that a ring has in the beginning, if its depth is not less. */
#define REQUESTS_FIRST 64u

struct spi_request_chunk {
	struct spi_request_chunk *next;
	struct spi_request requests[];
};

/**
 * Put new requests between the last one posted and the oldest one.
 * @return false: no memory
 */
static bool
chunk_add(struct spi_requests *requests, uint32_t count)
{
	struct spi_request_chunk *chunk =
		calloc(1, sizeof(*chunk) + count * sizeof(chunk->requests[0]));
	struct spi_request *last;

	if (chunk == NULL)
		return false;
	chunk->next = requests->chunks;
	requests->chunks = chunk;
	for (uint32_t i = 0; i < count; i++) {
		chunk->requests[i].requests = requests;
		chunk->requests[i].next = &chunk->requests[i + 1];
	}
	last = &chunk->requests[count - 1];
	if (requests->count == 0) {
		last->next = chunk->requests;
		requests->oldest = chunk->requests;
	} else {
		/* The ring is full: next and oldest are the same,
			and the one before is the last. */
		struct spi_request *before = requests->oldest;

		while (before->next != requests->oldest)
			before = before->next;
		before->next = chunk->requests;
		last->next = requests->oldest;
	}
	requests->next = chunk->requests;
	requests->count += count;
	return true;
}

struct spi_requests *
spi_requests_create(uint32_t depth)
{
	struct spi_requests *requests = calloc(1, sizeof(*requests));

	if (requests == NULL)
		return NULL;
	if (!chunk_add(requests, depth < REQUESTS_FIRST ? depth + 1 : REQUESTS_FIRST)) {
		free(requests);
		return NULL;
	}
	return requests;
}

void
spi_requests_free(struct spi_requests *requests)
{
	struct spi_request_chunk *chunk, *next;

	for (chunk = requests->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(requests);
}

/**
 * Free silent requests at the old end of the ring whose success is known. The request before next
 * was posted just now, so the connection was there: all that is not outstanding has succeeded, but
 * for that request itself.
 */
static void
silent_reclaim(struct spi_requests *requests, struct nd_endpoint *endpoint)
{
	struct nd_endpoint_info info;
	size_t left;

	if (!spi_request_is_silent(requests->oldest) ||
		nd_failed(nd_endpoint_query(endpoint, &info)))
		return;
	left = info.outbound_outstanding == 0 ? 1 : info.outbound_outstanding;
	while (requests->used > left && spi_request_is_silent(requests->oldest)) {
		requests->oldest = requests->oldest->next;
		requests->used--;
	}
}

void
spi_requests_make_room(struct spi_requests *requests, struct nd_endpoint *endpoint)
{
	silent_reclaim(requests, endpoint);
	if (requests->used == requests->count)
		(void)chunk_add(requests, requests->count);
}

struct spi_request *
spi_request_next_of_full(struct spi_requests *requests)
{
	return chunk_add(requests, requests->count) ? requests->next : NULL;
}
