/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CQ_H
#define NDPDK_SPI_CQ_H

#include <ndpdk/nd_shared.h>

#include "spi/adapter.h"
#include "spi/context.h"
#include "win/win.h"

/** A completion queue of either version. */
struct spi_cq {
	struct spi_object object; /**< its parent is the adapter object */
	struct spi_engine *engine;
	struct nd_cq *native;
};

extern const struct spi_class spi_cq1_class, spi_cq2_class;

/** INDAdapter::CreateCompletionQueue */
HRESULT spi_cq1_create(INDAdapter *self, SIZE_T entries, INDCompletionQueue **out);

/** IND2Adapter::CreateCompletionQueue */
HRESULT spi_cq2_create(IND2Adapter *self, REFIID iid, HANDLE file, ULONG depth, USHORT group,
	KAFFINITY affinity, VOID **out);

/**
 * Create a queue. The arguments have been checked.
 *
 * @param file as for spi_object_create()
 */
nd_status spi_cq_make(const struct spi_class *class, struct spi_adapter *adapter, HANDLE file,
	struct spi_engine *engine, size_t depth, void *out);

/** Implements Notify for both versions. @param name name of the parameter type, for the log */
HRESULT spi_cq_notify(const char *method, const char *name, struct spi_cq *cq, uint32_t type,
	OVERLAPPED *overlapped);

/**
 * Implement spi_class.cancel, spi_class.retire and spi_class.destroy for queues of both versions.
 */
nd_status spi_cq_cancel(struct spi_object *object);
void spi_cq_retire(struct spi_object *object);
void spi_cq_destroy(struct spi_object *object);

/**
 * Function that stores the result of a completion in an array. The function is inlined into its
 * caller, so the compiler removes the check of the status where success is known.
 * @return false: the completion has no result
 */
typedef bool (*spi_cq_store)(const struct nd_completion *completion, void *results, size_t index);

/** @return true if a completion may be read in place, without nd_cq_get_completions() */
static inline bool
spi_cq_is_plain(const struct nd_completion *completion)
{
	return completion->status == ND_SUCCESS &&
		completion->kind != ND_COMPLETION_WINDOW_INVALIDATED;
}

/** Take the oldest completion, of any kind and status. @return number of results stored: 0 or 1 */
static inline size_t
spi_cq_take_any(struct spi_cq *cq, void *results, size_t index, spi_cq_store store)
{
	struct nd_completion completion;

	return nd_cq_get_completions(cq->native, &completion, 1) == 1 &&
		store(&completion, results, index);
}

/**
 * Take results. If the queue is empty, poll the engine once and try again. Inlined together with
 * store.
 *
 * @return number of results stored, 0 .. count
 */
static inline __attribute__((always_inline)) size_t
spi_cq_take(struct spi_cq *cq, void *results, size_t count, spi_cq_store store)
{
	struct spi_engine *engine = cq->engine;
	const struct nd_completion *ready;
	bool turned = false;
	size_t stored = 0;

	spi_engine_enter(engine);
	while (stored < count) {
		size_t present = nd_cq_peek_completions(cq->native, &ready);
		size_t room = count - stored, plain = 0;

		while (plain < present && plain < room && spi_cq_is_plain(&ready[plain])) {
			if (store(&ready[plain++], results, stored))
				stored++;
		}
		nd_cq_drop_completions(cq->native, plain);
		if (plain < present && plain < room)
			stored += spi_cq_take_any(cq, results, stored, store);
		if (present != 0)
			continue;
		if (turned || stored != 0)
			break;
		win_hold_wakes();
		(void)spi_engine_turn(engine);
		turned = true;
	}
	spi_engine_leave(engine);
	/* Wake other threads only after leaving the engine, because they need to enter it. */
	if (turned)
		win_release_wakes();
	return stored;
}

#endif
