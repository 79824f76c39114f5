/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_PLOT_H
#define NDPDK_PLAYER_LIVE_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "ndreplay/history.h"

/*
 * The picture of the commands live and serve. It shows the capture, and the frames that the port
 * sends and receives during the run. Time 0 is the first packet of the capture for recorded curves,
 * and the first packet of the run for the other curves. Only the busiest connections of the capture
 * and of the run are shown.
 */

struct live_plot;

/**
 * Open a picture.
 *
 * @param path name of a picture file that value_picture() accepts
 * @param command "live" or "serve", for the title
 * @param why at least 256 bytes; receives the reason if NULL is returned
 * @return plot to be closed with live_plot_close(); NULL: no gnuplot, no file, or no memory
 */
struct live_plot *live_plot_open(const char *path, const char *command, char *why, size_t size);

/** @return history to which the caller adds the frames of the capture; NULL if plot is NULL */
struct history *live_plot_recorded(struct live_plot *plot);

/**
 * Change the configuration of an adapter with one engine, so that the plot records the frames that
 * the engine sends.
 */
void live_plot_configure(struct live_plot *plot, struct nd_adapter_config *config);

/**
 * Start to record received frames. Call this function after the adapter is open and before it is
 * polled.
 *
 * @param why at least 256 bytes; receives one sentence if false is returned
 * @return false: the port supports no receive callback
 */
bool live_plot_begin(struct live_plot *plot, uint16_t port_id, char *why, size_t size);

/** Stop recording. Call this function before the adapter is closed. NULL is allowed. */
void live_plot_end(struct live_plot *plot);

/** Mark a difference from the capture at the newest frame. NULL is allowed. */
void live_plot_difference(struct live_plot *plot, bool is_explained);

/**
 * Draw the picture, and release the plot. If no packet was recorded, the file is removed.
 *
 * @param is_played false: nothing was replayed, so the file is removed in any case
 * @param why at least 256 bytes; receives the reason if false is returned
 */
bool live_plot_close(struct live_plot *plot, bool is_played, char *why, size_t size);

#endif
