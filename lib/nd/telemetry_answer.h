/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_ANSWER_H
#define NDPDK_ND_TELEMETRY_ANSWER_H

#include <ndpdk/nd_telemetry.h>

#include "nd/registry.h"

/*
 * Parameters and answers of telemetry commands. Parameters can be any text. If they are invalid,
 * the answer is a sentence in the member error.
 */

#define TELEMETRY_NUMBERS_MAX 3

/** Destination of an answer. The function that opens an answer also adds members and closes it. */
struct telemetry_answer {
	const struct nd_telemetry_sink *sink;
	void *arg;
};

/** A command. @param params text after the first comma, or NULL @return 0; the answer is written */
typedef int (*telemetry_fn)(const char *params, struct telemetry_answer *answer);

/** An answer to a command about one adapter. */
struct telemetry_request {
	struct telemetry_answer *answer;
	struct nd_adapter *adapter;
	/** Parameters after the adapter. */
	uint32_t numbers[TELEMETRY_NUMBERS_MAX];
	unsigned int count;
};

/** @return 0; the answer is written */
typedef int (*telemetry_answer_fn)(const struct telemetry_request *request);

/**
 * Find the adapter that the first parameter selects, by number or by name, and call answer. The
 * adapter stays open until answer returns.
 *
 * @param params text after the first comma, or NULL
 * @param least, most number of parameters after the adapter
 */
int telemetry_for_adapter(const char *params, struct telemetry_answer *to, unsigned int least,
	unsigned int most, telemetry_answer_fn answer);

/** Answer with only an error: a sentence in printf format. @return 0 */
int telemetry_refuse(struct telemetry_answer *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Answer why engine_call_timed() failed. @param engine index in the adapter @return 0 */
int telemetry_not_answered(const struct telemetry_request *request, uint32_t engine);

/**
 * Read numbers, decimal or 0x..., separated by commas.
 * @return false: params is not a list of numbers
 */
bool
telemetry_numbers(const char *params, uint32_t *numbers, unsigned int most, unsigned int *count);

/** Write the name of the adapter's port, or "-". @param name RTE_ETH_NAME_MAX_LEN bytes */
void telemetry_port_name(const struct nd_adapter *adapter, char *name);

/**
 * Begin and end an object or array.
 * @param name NULL for the whole answer and for elements of an array
 */
void telemetry_open(struct telemetry_answer *to, const char *name);
void
telemetry_open_array(struct telemetry_answer *to, const char *name, enum nd_telemetry_kind kind);
void telemetry_close(struct telemetry_answer *to);

/** Add a member. name consists of letters, digits and underscores; NULL in an array. */
void telemetry_add(struct telemetry_answer *to, const char *name, uint64_t value);
void telemetry_add_text(struct telemetry_answer *to, const char *name, const char *text);

/** Add an array of numbers. */
void telemetry_add_numbers(
	struct telemetry_answer *to, const char *name, const uint32_t *numbers, unsigned int count);

#endif
