/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_PICTURE_H
#define NDPDK_KIT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Draw a picture into an SVG or PNG file with gnuplot. */

#define PICTURE_WIDTH        960
#define PICTURE_PANEL_HEIGHT 400
/** Number of different colours. Curves after the first 8 use the same colours with dashed lines. */
#define PICTURE_COLOURS      8u

struct picture {
	const char *path; /**< NULL = not open */
	bool is_png;      /**< true: PNG, false: SVG */
	FILE *file;
};

/**
 * Open a picture. The file is created or truncated.
 *
 * @param path name that value_picture() accepts
 * @param why >= 256 bytes, filled when false is returned
 * @return false: gnuplot is missing or does not support the format, or the file is not writable
 */
bool picture_open(struct picture *picture, const char *path, char *why, size_t size);

/**
 * Draw the picture and close the file.
 *
 * @param write function that writes the commands for gnuplot: data, picture_write_frame(), panels;
 *        NULL = leave the file empty
 * @param why >= 256 bytes, filled when false is returned
 */
bool picture_close(struct picture *picture,
	void (*write)(FILE *script, const struct picture *picture, const void *arg),
	const void *arg, char *why, size_t size);

/**
 * Write the size of the picture and the common settings of its panels.
 *
 * @param panels number of panels, at least 1, arranged vertically
 * @param title title of the picture, without quotation marks
 */
void
picture_write_frame(FILE *script, const struct picture *picture, int panels, const char *title);

/** @return a colour in the format of gnuplot, such as "#0072b2" */
const char *picture_colour(size_t curve);

/** Write colour, width and dashes of a curve. The first PICTURE_COLOURS curves have no dashes. */
void picture_write_style(FILE *script, size_t curve);

#endif
