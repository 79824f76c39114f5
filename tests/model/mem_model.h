/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_MEM_MODEL_H
#define NDPDK_MODEL_MEM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "mem/mem.h"

/*
 * Compares the index of registered memory with a simple model. The model consists of a few arrays,
 * which are searched linearly. It compares a key with all keys and computes ranges with 128-bit
 * arithmetic. It finds the state of a window after all posted requests by replaying the send queue
 * of the window's owner. It stores an address for each byte. Operations come from a random
 * generator or from given bytes. Every result of the index is compared with the model.
 *
 * An operation is a record of MEM_MODEL_RECORD_BYTES. The first byte selects the kind of
 * operation. The other bytes select its parameters, in order. If the bytes of the record are used
 * up, a random generator continues, with the record as its seed. The first record of a run selects
 * the table sizes and the number of engines.
 *
 * The model has one thread. With several engines, the model knows which partition issues each key,
 * and for which readers each grace period waits. While an engine executes a request of a queue
 * pair, the model holds the locks of the partitions of all other engines. So a request that takes
 * such a lock hangs.
 */

#define MEM_MODEL_RECORD_BYTES 16

/** Counters of a run. They show which cases a run has covered. */
struct mem_model_counts {
	uint64_t operations;
	uint64_t answers[MEM_REFUSED_COUNT];
	uint64_t binds, invalidates, range_queries;
	/**
	 * regions_busy: number of deregistrations that were refused with RC_BUSY. chains_deep:
	 * number of regions whose segment tree has at least 3 levels.
	 */
	uint64_t regions, regions_busy, chains_deep;
	uint64_t regions_found; /**< number of regions that were found by their keys */
	uint64_t sgl_done, sgl_refused;
	/** Number of spans that a reader used after the death of their key, window or region. */
	uint64_t spans_outlived;
	/**
	 * releases_waited: number of queries for a release that came while a reader still used the
	 * region.
	 */
	uint64_t releases, releases_waited;
	/**
	 * fast_allowed: number of successful accesses with keys of registrations in fast regions.
	 */
	uint64_t fasts, fast_registered, fast_allowed;
	/**
	 * fast_overtaken: number of registrations that a peer invalidated. fast_exhausted: number
	 * of registrations that failed because no body was free.
	 */
	uint64_t fast_overtaken, fast_exhausted;
	/**
	 * fast_local: number of refused invalidates of registrations without rights for a peer.
	 * fast_waited: number of registrations that had to wait because readers used the body.
	 */
	uint64_t fast_local, fast_waited;
	/** graces_waited: number of grace periods that had to wait for a reader's report */
	uint64_t graces, graces_waited;
	/** Number of binds that were refused because the window belongs to another partition. */
	uint64_t binds_elsewhere;
	uint64_t binds_now;      /**< binds that were executed at once, without a queue */
	uint64_t episodes_of[5]; /**< number of episodes, by number of engines */
	uint64_t table_grown, keys_exhausted, handles_exhausted;
	/** keys that an engine's own partition refused; contained in keys_exhausted */
	uint64_t engines_exhausted;
};

/**
 * Called with a text that contains the difference, the seed and the operation. The function must
 * not return.
 */
typedef void mem_model_fail(const char *text);

/** Run random operations in episodes. Each episode has a new domain. EAL must be running. */
void mem_model_run_seed(
	uint64_t seed, uint64_t operations, mem_model_fail *fail, struct mem_model_counts *counts);

/**
 * Run the operations that the bytes contain, in one small domain. An incomplete last record is
 * ignored.
 */
void mem_model_run_bytes(const uint8_t *bytes, size_t byte_count, mem_model_fail *fail,
	struct mem_model_counts *counts);

void mem_model_counts_print(const struct mem_model_counts *counts);

#endif
