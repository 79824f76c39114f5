/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_CSV_H
#define NDPDK_NDPMD_CSV_H

#include <stdio.h>

struct json_object;

/**
 * Write a table in CSV format. The first line has the names of the columns. Each row of the
 * measurement is preceded by its intervals, and followed by the operations of a mix, one line
 * each. The numbers have the same digits as in the JSON. A field that the JSON lacks, or has as
 * null, is empty.
 *
 * @param rows array of the objects that --json prints
 */
void csv_write(FILE *stream, const struct json_object *rows);

#endif
