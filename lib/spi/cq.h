/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CQ_H
#define NDPDK_SPI_CQ_H

#include "spi/adapter.h"
#include "spi/context.h"
#include "win/win.h"

/** Results that are taken from the native queue at a time. */
#define SPI_CQ_BURST 32

/** A completion queue of either version. */
struct spi_cq {
	struct spi_object object; /**< its parent is the adapter object */
	HANDLE file;              /**< a reference */
	struct spi_engine *engine;
	struct nd_cq *native;
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

/** Stores a result. @return false: skip it */
typedef bool (*spi_cq_store)(const struct nd_completion *completion, void *results, size_t index);

/**
 * Take results, and do the work of the engine if there are none. Inlined with the function that
 * stores them.
 *
 * @return how many were stored, 0 .. count
 */
static inline __attribute__((always_inline)) size_t
spi_cq_take(struct spi_cq *cq, void *results, size_t count, spi_cq_store store)
{
	struct nd_completion native[SPI_CQ_BURST];
	struct spi_engine *engine = cq->engine;
	bool turned = false;
	size_t stored = 0;

	spi_engine_enter(engine);
	while (stored < count) {
		size_t room = count - stored < SPI_CQ_BURST ? count - stored : SPI_CQ_BURST;
		size_t taken = nd_cq_get_completions(cq->native, native, room);

		for (size_t i = 0; i < taken; i++) {
			if (store(&native[i], results, stored))
				stored++;
		}
		if (taken == room)
			continue;
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
