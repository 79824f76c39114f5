/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_PLOT_H
#define NDPDK_NDPMD_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "kit/picture.h"

#include "histogram.h"

/*
 * A picture of the rows, drawn by gnuplot. For each row, it shows the distribution of latency. With
 * --interval, it shows the rate over time. With several sizes, it shows rate and median latency
 * over size.
 */

struct json_object;

struct plot {
	struct picture picture; /**< the picture; not open if no picture was requested */
	char **curves;          /**< for each row: its distribution of latency as lines of text */
	size_t curve_count;
};

/**
 * Open a picture.
 *
 * @param path FILE.svg or FILE.png; NULL = no picture, all other functions do nothing
 * @param why >= 256 bytes, filled when false is returned
 * @return false: wrong file name, gnuplot is missing, or the file cannot be written
 */
bool plot_open(struct plot *plot, const char *path, char *why, size_t size);

/**
 * Add the distribution of latency (in ns) of the next row.
 * @param histogram NULL = the row has no distribution
 */
void plot_add(struct plot *plot, const struct histogram *histogram);

/**
 * Draw the picture. If no row has a distribution, nothing is drawn.
 *
 * @param rows array of the objects that --json prints
 * @param why >= 256 bytes, filled when false is returned
 */
bool plot_close(struct plot *plot, const struct json_object *rows, char *why, size_t size);

#endif
