/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_ANONYMIZE_COUNT_H
#define NDPDK_JUDGE_ANONYMIZE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_trace_fields.h>

/* Counts of replaced fields for each kind of field: fields, bytes, and different values. */

#define ANONYMIZE_KINDS         ((unsigned int)ND_TRACE_FIELD_PADDING + 1)
/** Maximum number of different values that are counted for each kind. */
#define ANONYMIZE_DIFFERENT_MAX 1000000u

struct lh_table;
struct json_object;

/** The counts are empty if all members are zero. */
struct anonymize_counts {
	uint64_t fields[ANONYMIZE_KINDS];
	uint64_t bytes[ANONYMIZE_KINDS];
	struct lh_table *values[ANONYMIZE_KINDS]; /**< original values, or NULL */
	bool memory_exhausted;                    /**< some values were not stored */
};

/**
 * Compare the fields of a frame before and after its replacement, and count the changed fields.
 *
 * @param before, after the bytes of the frame
 */
void anonymize_count(struct anonymize_counts *counts, const uint8_t *before, const uint8_t *after,
	const struct nd_trace_layout *layout);

/** @return a JSON object with one member for each kind of field that occurred */
struct json_object *anonymize_counts_json(const struct anonymize_counts *counts);

void anonymize_counts_free(struct anonymize_counts *counts);

#endif
