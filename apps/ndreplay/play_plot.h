/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_PLOT_H
#define NDPDK_NDREPLAY_PLAY_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

#include "course.h"

struct outcome;
struct play_plot;

/*
 * The picture of a play: what was recorded beside what was played, and where they differ. The
 * busiest of the connections that are played are shown. Times of a play are those of the engine's
 * clock, behind the first frame of the connection in the capture.
 */

/**
 * @param path a name that value_picture() takes
 * @param command "respond" or "request", for the title
 * @param why >= 256 bytes, filled when NULL is returned
 * @return to be ended with play_plot_close(); NULL: no gnuplot, no file, no memory
 */
struct play_plot *play_plot_open(const char *path, const char *command, char *why, size_t size);

/** A frame of the capture, in its order. @param bytes NULL: not wanted, but it has a number */
void play_plot_recorded(struct play_plot *plot, uint64_t time_ns, const uint8_t *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/** The capture has been read: choose what is shown. @param only ND_MODEL_NONE: of all */
void play_plot_choose(struct play_plot *plot, size_t only);

/**
 * A play of a connection begins: forget the one before, unless it was kept. @param plot or NULL
 * @return what its frames are fed to; NULL: the connection is not shown
 */
struct course *play_plot_begin(struct play_plot *plot, size_t connection);

/** The play that was begun last is the one that counts. @param plot or NULL */
void play_plot_keep(struct play_plot *plot, size_t connection);

/**
 * Draw, and release the plot. Where nothing was played the file is removed.
 *
 * @param model, outcome NULL: the file could not be read
 * @param why >= 256 bytes, filled when false is returned
 * @return false: there is nothing to be drawn, or it could not be drawn to its end
 */
bool play_plot_close(struct play_plot *plot, const struct nd_model *model,
	const struct outcome *outcome, char *why, size_t size);

#endif
