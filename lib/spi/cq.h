/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CQ_H
#define NDPDK_SPI_CQ_H

#include "spi/adapter.h"
#include "spi/requests.h"
#include "win/win.h"

/** Results that are taken from the native queue at a time. */
#define SPI_CQ_BURST 32

/** A pool of a shared receive queue, of which results may be in a completion queue. */
struct spi_cq_pool {
	struct spi_pool *pool; /**< held */
	LIST_ENTRY(spi_cq_pool) entry;
};

LIST_HEAD(spi_cq_pools, spi_cq_pool);

/** A completion queue of either version. */
struct spi_cq {
	struct spi_object object; /**< its parent is the adapter object */
	HANDLE file;              /**< a reference */
	struct spi_engine *engine;
	struct nd_cq *native;
	/** Rings of endpoints that were released: results of them may be in the queue. */
	struct spi_requests_list abandoned;
	struct spi_cq_pools pools; /**< inside the engine */
};

extern const struct spi_class spi_cq2_class;

/** IND2Adapter::CreateCompletionQueue */
HRESULT spi_cq2_create(IND2Adapter *self, REFIID iid, HANDLE file, ULONG depth, USHORT group,
	KAFFINITY affinity, VOID **out);

/** Make the native queue of one that has its parent. @return as the native call */
nd_status spi_cq_open(struct spi_cq *cq, struct spi_engine *engine, size_t depth);

/** spi_class.retire and spi_class.destroy of both versions. */
void spi_cq_retire(struct spi_object *object);
void spi_cq_destroy(struct spi_object *object);

/**
 * The endpoint of a ring was released. Results of it may be in this queue; the ring is freed behind
 * them. The caller is inside the engine.
 */
void spi_cq_abandon(struct spi_cq *cq, struct spi_requests *requests);

/**
 * Results of a shared receive queue will be in this queue. The caller is inside the engine.
 * @return ND_SUCCESS; ND_NO_MEMORY
 */
nd_status spi_cq_use_pool(struct spi_cq *cq, struct spi_pool *pool);

/** No result of an abandoned ring can be in the queue any more. */
void spi_cq_drained(struct spi_cq *cq);

/**
 * Stores the result of a request, which is the caller's until it is retired. @return false: skip
 */
typedef bool (*spi_cq_store)(const struct spi_request *request, void *results, size_t index);

/**
 * Take results, and do the work of the engine if there are none. Inlined with the function that
 * stores them.
 *
 * @return how many were stored, 0 .. count
 */
static inline __attribute__((always_inline)) size_t
spi_cq_take(struct spi_cq *cq, void *results, size_t count, spi_cq_store store)
{
	struct nd_result *native[SPI_CQ_BURST];
	struct spi_engine *engine = cq->engine;
	bool turned = false;
	size_t stored = 0;

	spi_engine_enter(engine);
	while (stored < count) {
		size_t room = count - stored < SPI_CQ_BURST ? count - stored : SPI_CQ_BURST;
		size_t taken = nd_cq_get_results(cq->native, native, room);

		for (size_t i = 0; i < taken; i++) {
			struct spi_request *request = (struct spi_request *)native[i];

			if (store(request, results, stored))
				stored++;
			spi_request_retire(request);
		}
		if (taken == room)
			continue;
		if (!LIST_EMPTY(&cq->abandoned))
			spi_cq_drained(cq);
		if (turned || stored != 0)
			break;
		win_hold_wakes();
		(void)spi_engine_turn(engine);
		turned = true;
	}
	spi_engine_leave(engine);
	/* They come for the engine, too. */
	if (turned)
		win_release_wakes();
	return stored;
}

#endif
