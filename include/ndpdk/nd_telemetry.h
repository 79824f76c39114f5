/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_H
#define NDPDK_ND_TELEMETRY_H

/**
 * @file
 * Beyond Network Direct: the answers of the commands of docs/observe.md for the process itself,
 * which needs no telemetry socket for them. dpdk-telemetry.py gets the same answers, from the same
 * functions.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** What an answer, or a part of one, is made of. */
enum nd_telemetry_kind {
	ND_TELEMETRY_OBJECT = 0, /**< members with names */
	ND_TELEMETRY_NUMBERS,    /**< array of numbers */
	ND_TELEMETRY_TEXTS,      /**< array of texts */
};

/**
 * Where an answer goes, part by part: a first begin for the answer itself, its members in their
 * order, and an end for each begin. Parts are at most two deep. Names and texts are valid during
 * the call only; the name is NULL for the answer itself and for what is in an array. No member may
 * be NULL.
 */
struct nd_telemetry_sink {
	/** An object or array begins. */
	void (*begin)(void *arg, const char *name, enum nd_telemetry_kind kind);
	void (*end)(void *arg);                                      /**< of what was begun last */
	void (*number)(void *arg, const char *name, uint64_t value); /**< a number */
	void (*text)(void *arg, const char *name, const char *text); /**< a text */
};

/**
 * Answer a command of docs/observe.md.
 *
 * What concerns one queue pair, region, engine or its neighbours is asked of the thread that owns
 * the engine: directly when it is the caller, else it answers in its next turn, or the answer is
 * that it did not within one second.
 *
 * @param command with its parameters behind commas, such as "/ndpdk/qp,0,17"
 * @param sink called in this call, on this thread; not after a failure. An answer that says what is
 *        wrong with the parameters is an object with one text, named error
 * @param arg for the sink's functions
 * @return ND_SUCCESS: an answer was given; ND_INVALID_PARAMETER_1: there is no such command;
 *         ND_INVALID_PARAMETER_2: sink is NULL
 * @note Threads: any. The sink must not call the API.
 */
nd_status nd_telemetry_query(const char *command, const struct nd_telemetry_sink *sink, void *arg);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
