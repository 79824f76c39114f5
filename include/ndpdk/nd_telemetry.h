/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_H
#define NDPDK_ND_TELEMETRY_H

/**
 * @file
 * Beyond Network Direct: the commands of docs/observe.md as a function call, without a telemetry
 * socket. dpdk-telemetry.py gets the same answers.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_telemetry
 * @{
 */

/** Structure of an answer or of a part of it. */
enum nd_telemetry_kind {
	ND_TELEMETRY_OBJECT = 0, /**< members with names */
	ND_TELEMETRY_NUMBERS,    /**< array of numbers */
	ND_TELEMETRY_TEXTS,      /**< array of texts */
};

/**
 * Functions that receive an answer part by part: first begin() for the answer itself, then calls
 * for its members in order. One end() follows for each begin(). Objects and arrays are nested at
 * most two deep. Names and texts are valid only during the call. The name is NULL for the answer
 * itself and for elements of an array. No function pointer may be NULL.
 */
struct nd_telemetry_sink {
	/** Called when an object or array begins. */
	void (*begin)(void *arg, const char *name, enum nd_telemetry_kind kind);
	void (*end)(void *arg);                                      /**< ends the newest begin */
	void (*number)(void *arg, const char *name, uint64_t value); /**< a number */
	void (*text)(void *arg, const char *name, const char *text); /**< a text */
};

nd_status nd_telemetry_query_sized(
	const char *command, const struct nd_telemetry_sink *sink, size_t size, void *arg);

/**
 * Execute a command of docs/observe.md.
 *
 * Some commands concern a queue pair, a region, an engine or its neighbours. The thread that owns
 * the engine executes these commands: directly if it makes this call, otherwise in the next turn
 * of the engine. If the engine takes no turn within one second, the answer says so.
 *
 * @param command with its parameters after commas, such as "/ndpdk/qp,0,17"
 * @param sink called during this call, on this thread; not called after a failure. If the
 *        parameters are wrong, the answer is an object with one text named error
 * @param arg passed to the sink's functions
 * @return ND_SUCCESS: an answer was given; ND_INVALID_PARAMETER_1: unknown command;
 *         ND_INVALID_PARAMETER_2: sink is NULL; ND_INVALID_PARAMETER_3: sink sets members of a
 *         newer version (nd_types.h)
 * @note Threads: any. The sink must not call the API.
 */
static inline nd_status
nd_telemetry_query(const char *command, const struct nd_telemetry_sink *sink, void *arg)
{
	return nd_telemetry_query_sized(command, sink, sizeof(*sink), arg);
}

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
