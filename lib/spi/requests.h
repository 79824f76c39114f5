/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_REQUESTS_H
#define NDPDK_SPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <ndpdk/nd.h>

#include "spi/device.h"

/*
 * Requests that were posted, and what the application wants back with their results. The native
 * result of a request is part of it, so a result that comes from a completion queue leads to the
 * request. All of this belongs to an engine: whoever touches it is inside.
 *
 * Requests of one direction complete in the order of posting. So each direction of an endpoint has
 * a ring of them: a result frees its request and all before it, which were silent. The ring grows
 * where more results wait in a completion queue than it has room for.
 */

/** What a request is, beyond ND2_REQUEST_TYPE. */
#define SPI_REQUEST_WINDOW 0x100u /**< invalidate result of a window: nobody has posted it */

struct spi_requests;
struct spi_pool;

struct spi_request {
	struct nd_result result; /**< first: a result is its request */
	/** version 2: RequestContext; version 1: the ND_RESULT. Behind result.endpoint_context */
	void *context;
	struct spi_requests *requests; /**< NULL: it is not of a ring */
	struct spi_pool *pool;         /**< NULL: it is not of a pool */
	struct spi_request *next;      /**< in the ring or pool */
	uint32_t type;                 /**< ND2_REQUEST_TYPE or SPI_REQUEST_ */
	uint32_t flags;                /**< ND_OP_FLAG_, as posted */
};

/** @return whether there may be no result */
static inline bool
spi_request_is_silent(const struct spi_request *request)
{
	return (request->flags & ND_OP_FLAG_SILENT_SUCCESS) != 0;
}

/** Memory of a ring; the first one lies behind the structure. */
struct spi_request_chunk;

/** The ring of one direction of an endpoint. */
struct spi_requests {
	struct spi_request *next;   /**< to be posted next */
	struct spi_request *oldest; /**< of those that may be outstanding */
	uint32_t used;              /**< from oldest to next */
	uint32_t count;             /**< of the ring */
	struct spi_request_chunk *chunks;
	LIST_ENTRY(spi_requests) entry; /**< of the abandoned rings of a completion queue */
};

LIST_HEAD(spi_requests_list, spi_requests);

/**
 * Make a ring; any thread.
 *
 * @param depth requests outstanding at a time
 * @return NULL: no memory
 */
struct spi_requests *spi_requests_create(uint32_t depth);

/** Free a ring of which no result can come any more. */
void spi_requests_free(struct spi_requests *requests);

/**
 * The ring is full: free silent requests whose success is known, or make it larger. Without memory
 * it stays full.
 */
void spi_requests_make_room(struct spi_requests *requests, struct nd_endpoint *endpoint);

/**
 * @return the request to be posted next; it counts from spi_request_posted() on; NULL: no memory
 */
struct spi_request *spi_request_next_of_full(struct spi_requests *requests);

static inline struct spi_request *
spi_request_next(struct spi_requests *requests)
{
	if (requests->used == requests->count)
		return spi_request_next_of_full(requests);
	return requests->next;
}

/** The request that spi_request_next() returned was posted to the endpoint. */
static inline void
spi_request_posted(struct spi_request *request, struct nd_endpoint *endpoint)
{
	struct spi_requests *requests = request->requests;

	requests->next = request->next;
	requests->used++;
	if (requests->used == requests->count)
		spi_requests_make_room(requests, endpoint);
}

/** Give a request back to its pool. The caller is inside the engine. */
void spi_pool_give(struct spi_request *request);

/** Its result has been taken and will not be looked at any more. */
static inline void
spi_request_retire(struct spi_request *request)
{
	struct spi_requests *requests = request->requests;

	if (__builtin_expect(requests == NULL, 0)) {
		if (request->pool != NULL)
			spi_pool_give(request);
		return;
	}
	/* Silent ones. */
	while (__builtin_expect(requests->oldest != request, 0)) {
		requests->oldest = requests->oldest->next;
		requests->used--;
	}
	requests->oldest = request->next;
	requests->used--;
}

#endif
