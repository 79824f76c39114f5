/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_ROWS_H
#define NDPDK_PROMPT_ROWS_H

/* The result of the last `start`: the rows of its runs, and the reason if a run has failed. */

struct json_object;
struct report_row;

struct rows {
	struct json_object *array;
	char failure[320]; /**< reason why the last run has failed; empty = no failure */
};

/**
 * Discard the rows and the failure, when the user gives a new `start`. @param rows may be all zero
 */
void rows_clear(struct rows *rows);

void rows_add(struct rows *rows, const struct report_row *row);

void rows_fail(struct rows *rows, const char *why);

void rows_add_to(const struct rows *rows, struct json_object *object);

void rows_close(struct rows *rows);

#endif
