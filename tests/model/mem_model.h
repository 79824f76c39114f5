/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_MEM_MODEL_H
#define NDPDK_MODEL_MEM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "mem/mem.h"

/*
 * The registered-memory index against a model of it that is a handful of arrays, searched from one
 * end to the other: keys by comparing all of them, ranges with 128-bit arithmetic, the posted state
 * of a window by replaying the send queue of its owner, bytes by an address per byte. Operations
 * are drawn from a seed or spelled by bytes; every answer of the index is compared.
 *
 * One operation is a record of MEM_MODEL_RECORD_BYTES: the first byte chooses what is done, the
 * others decide how, one after another; a generator seeded with the record goes on where they end.
 * The first record of a run chooses the size of the tables and the number of engines.
 *
 * The model is one thread. With several engines it knows which partition issues each key, and
 * which readers each grace period waits for. While an engine executes a request of a queue pair,
 * the model holds the locks of the partitions of all other engines: a request that takes one of
 * them hangs.
 */

#define MEM_MODEL_RECORD_BYTES 16

/** What a run did, so that a test can tell that it was not vacuous. */
struct mem_model_counts {
	uint64_t operations;
	uint64_t answers[MEM_REFUSED_COUNT]; /**< of access checks, by enum mem_refusal */
	uint64_t binds, invalidates, range_queries;
	uint64_t regions, regions_busy, chains_deep; /**< deep: segment tree of 3 levels and more */
	uint64_t regions_found;                      /**< by their keys */
	uint64_t sgl_done, sgl_refused;
	uint64_t spans_outlived;            /**< used after their key, window or region had died */
	uint64_t releases, releases_waited; /**< waited: a reader was still inside when asked */
	uint64_t fasts, fast_registered, fast_allowed; /**< allowed: accesses by their keys */
	uint64_t fast_overtaken, fast_exhausted; /**< by peers' invalidates; no body was left */
	uint64_t fast_local, fast_waited; /**< no peer may end it; executed while readers used it */
	uint64_t graces, graces_waited;   /**< waited: a reader had to report first */
	uint64_t binds_elsewhere;         /**< refused: the window is of another partition */
	uint64_t binds_now;               /**< without being queued */
	uint64_t episodes_of[5];          /**< by the number of engines */
	uint64_t table_grown, keys_exhausted, handles_exhausted;
	uint64_t engines_exhausted; /**< of keys_exhausted: in the partition of one engine */
};

/** Told what differs, with seed and operation. Must not return. */
typedef void mem_model_fail(const char *text);

/** Run operations drawn from a seed, in episodes with a new domain each. EAL must be running. */
void mem_model_run_seed(
	uint64_t seed, uint64_t operations, mem_model_fail *fail, struct mem_model_counts *counts);

/** Run the operations that bytes spell, in one small domain; bytes that are no record are left. */
void mem_model_run_bytes(const uint8_t *bytes, size_t byte_count, mem_model_fail *fail,
	struct mem_model_counts *counts);

/** Print the counts to stdout, one line. */
void mem_model_counts_print(const struct mem_model_counts *counts);

#endif
