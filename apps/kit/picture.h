/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_PICTURE_H
#define NDPDK_KIT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A picture in a file, SVG or PNG, that gnuplot draws. */

#define PICTURE_WIDTH        960
#define PICTURE_PANEL_HEIGHT 400
/** Colours before picture_write_style() begins again, with dashes. */
#define PICTURE_COLOURS      8u

struct picture {
	const char *path; /**< NULL = not open */
	bool is_png;      /**< else SVG */
	FILE *file;
};

/**
 * @param path value_picture(); the file is made, or emptied
 * @param why >= 256 bytes, filled when false is returned
 * @return false: gnuplot is missing or cannot draw this, or the file cannot be written
 */
bool picture_open(struct picture *picture, const char *path, char *why, size_t size);

/**
 * Draw, and close the file. Without write, the file is closed as it is: empty.
 *
 * @param write writes the commands for gnuplot: data, picture_write_frame(), panels; or NULL
 * @param why >= 256 bytes, filled when false is returned
 */
bool picture_close(struct picture *picture,
	void (*write)(FILE *script, const struct picture *picture, const void *arg),
	const void *arg, char *why, size_t size);

/**
 * Write the size of the picture, and what its panels have in common.
 *
 * @param panels one above the other, 1..
 * @param title of all of them, without quotation marks
 */
void
picture_write_frame(FILE *script, const struct picture *picture, int panels, const char *title);

/** @return a colour as gnuplot has it: "#0072b2" */
const char *picture_colour(size_t curve);

/** Write colour, width and dashes of a curve: the colours first, then the same ones with dashes. */
void picture_write_style(FILE *script, size_t curve);

#endif
