/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_CSV_H
#define NDPDK_NDPMD_CSV_H

#include <stdio.h>

struct json_object;

/**
 * Write rows as a table with commas: a line with the names of the columns, then the intervals of
 * each row, the row itself, and the operations of a mix, a line each. The figures are those of the
 * JSON, digit for digit; a field that the JSON does not have, or has as null, is empty.
 *
 * @param rows array of the objects that --json prints
 */
void csv_write(FILE *stream, const struct json_object *rows);

#endif
