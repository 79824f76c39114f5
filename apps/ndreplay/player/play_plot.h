/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_PLOT_H
#define NDPDK_PLAYER_PLAY_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

#include "ndreplay/history.h"

struct outcome;
struct play_plot;

/*
 * The picture of a capture and its replays. It shows the busiest replayed connections, and marks
 * where a replay differs from the capture. Times of a replay are virtual times since the first
 * frame of the connection in the capture.
 */

/**
 * Open a picture.
 *
 * @param path name of a picture file that value_picture() accepts
 * @param command "respond" or "request", for the title
 * @param why at least 256 bytes; receives the reason if NULL is returned
 * @return plot to be closed with play_plot_close(); NULL: no gnuplot, no file, or no memory
 */
struct play_plot *play_plot_open(const char *path, const char *command, char *why, size_t size);

/** Add the next frame of the capture. @param bytes NULL: the frame is only counted */
void play_plot_recorded(struct play_plot *plot, uint64_t time_ns, const uint8_t *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/**
 * Choose the connections to show, after the capture was read.
 *
 * @param only index of the only connection; ND_MODEL_NONE: choose among all
 */
void play_plot_choose(struct play_plot *plot, size_t only);

/**
 * Called when a replay of a connection begins. Discards the previous replay unless it was kept.
 * @param plot may be NULL
 * @return the history that receives the frames; NULL: the connection is not shown
 */
struct history *play_plot_begin(struct play_plot *plot, size_t connection);

/**
 * Keep the newest replay of the connection, which replaces a replay that was kept before.
 *
 * @param plot may be NULL
 */
void play_plot_keep(struct play_plot *plot, size_t connection);

/**
 * Draw the picture, and release the plot. If nothing was replayed, the file is removed.
 *
 * @param model, outcome NULL if the file could not be read
 * @param why at least 256 bytes; receives the reason if false is returned
 * @return false: there is nothing to draw, or drawing failed
 */
bool play_plot_close(struct play_plot *plot, const struct nd_model *model,
	const struct outcome *outcome, char *why, size_t size);

#endif
