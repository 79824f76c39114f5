/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_ROWS_H
#define NDPDK_PROMPT_ROWS_H

/* The result of the last `start`: the rows of its runs, and why a run has failed. */

struct json_object;
struct report_row;

struct rows {
	struct json_object *array;
	char failure[320]; /**< why the last run failed; empty = it did not fail */
};

/** Discard the rows and the failure. Called when a new start is commanded. @param rows or all 0 */
void rows_clear(struct rows *rows);

/** Store the row of a run. */
void rows_add(struct rows *rows, const struct report_row *row);

/** Store why a run has failed. */
void rows_fail(struct rows *rows, const char *why);

/** Add the members rows and failure to an object. */
void rows_add_to(const struct rows *rows, struct json_object *object);

/** Free the rows. */
void rows_close(struct rows *rows);

#endif
