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
 * The picture of a capture and its replays. It shows the busiest replayed connections, and where
 * the replay differs from the capture. Times of a replay are times of the engine's clock since the
 * first frame of the connection in the capture.
 */

/**
 * @param path a name that value_picture() takes
 * @param command "respond" or "request", for the title
 * @param why >= 256 bytes, filled when NULL is returned
 * @return to be ended with play_plot_close(); NULL: no gnuplot, no file, no memory
 */
struct play_plot *play_plot_open(const char *path, const char *command, char *why, size_t size);

/** Add a frame of the capture, in order. @param bytes NULL: counted only */
void play_plot_recorded(struct play_plot *plot, uint64_t time_ns, const uint8_t *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/** Choose the connections to show, after the capture was read. @param only ND_MODEL_NONE: of all */
void play_plot_choose(struct play_plot *plot, size_t only);

/**
 * Begin a replay of a connection: discard the previous replay, unless it was kept. @param plot or
 * NULL
 * @return the history that receives the frames; NULL: the connection is not shown
 */
struct history *play_plot_begin(struct play_plot *plot, size_t connection);

/**
 * Keep the newest replay of the connection instead of the replay kept before. @param plot or NULL
 */
void play_plot_keep(struct play_plot *plot, size_t connection);

/**
 * Draw, and release the plot. If nothing was replayed, the file is removed.
 *
 * @param model, outcome NULL: the file could not be read
 * @param why >= 256 bytes, filled when false is returned
 * @return false: there is nothing to draw, or the drawing failed
 */
bool play_plot_close(struct play_plot *plot, const struct nd_model *model,
	const struct outcome *outcome, char *why, size_t size);

#endif
