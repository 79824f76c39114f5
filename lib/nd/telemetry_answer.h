/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_ANSWER_H
#define NDPDK_ND_TELEMETRY_ANSWER_H

#include <ndpdk/nd_telemetry.h>

#include "nd/registry.h"

/*
 * Parameters and answers of telemetry commands. The parameters of a command can be any text. If
 * they are invalid, the answer has one member, "error", with a sentence.
 */

#define TELEMETRY_NUMBERS_MAX 3

/**
 * An answer that a command writes part by part. The function that opens the answer also adds its
 * members and closes it.
 */
struct telemetry_answer {
	const struct nd_telemetry_sink *sink;
	void *arg;
};

/** Function of a command. @param params text after the first comma, or NULL @return 0: answered */
typedef int (*telemetry_fn)(const char *params, struct telemetry_answer *answer);

/** A command about one adapter, and the answer that it writes. */
struct telemetry_request {
	struct telemetry_answer *answer;
	struct nd_adapter *adapter;
	/** Parameters after the adapter. */
	uint32_t numbers[TELEMETRY_NUMBERS_MAX];
	unsigned int count;
};

/** Function that answers a command about one adapter. @return 0 */
typedef int (*telemetry_answer_fn)(const struct telemetry_request *request);

/**
 * Find the adapter that the first parameter names, by number or by name, and call answer. The
 * adapter stays open until answer returns.
 *
 * @param params text after the first comma, or NULL
 * @param least, most minimum and maximum number of parameters after the adapter
 */
int telemetry_for_adapter(const char *params, struct telemetry_answer *to, unsigned int least,
	unsigned int most, telemetry_answer_fn answer);

/** Answer with an error only: a sentence in printf format. @return 0 */
int telemetry_refuse(struct telemetry_answer *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * Answer with the reason why engine_call_timed() failed. @param engine index of the engine @return
 * 0
 */
int telemetry_not_answered(const struct telemetry_request *request, uint32_t engine);

/**
 * Read numbers, decimal or 0x..., separated by commas.
 * @return false: params is not a list of numbers
 */
bool
telemetry_numbers(const char *params, uint32_t *numbers, unsigned int most, unsigned int *count);

/** Write the name of the adapter's port to name (RTE_ETH_NAME_MAX_LEN bytes), or "-". */
void telemetry_port_name(const struct nd_adapter *adapter, char *name);

/**
 * Begin or end an object or array of the answer.
 * @param name NULL for the answer itself, and for an element of an array
 */
void telemetry_open(struct telemetry_answer *to, const char *name);
void
telemetry_open_array(struct telemetry_answer *to, const char *name, enum nd_telemetry_kind kind);
void telemetry_close(struct telemetry_answer *to);

/**
 * Add a member to the open object or array. @param name letters, digits, underscores; NULL in an
 * array
 */
void telemetry_add(struct telemetry_answer *to, const char *name, uint64_t value);
void telemetry_add_text(struct telemetry_answer *to, const char *name, const char *text);

void telemetry_add_numbers(
	struct telemetry_answer *to, const char *name, const uint32_t *numbers, unsigned int count);

#endif
