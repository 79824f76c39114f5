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
 * The picture of live and serve: the capture, and the frames that the port sends and receives
 * during the run. Each begins at the time of its own first packet. The busiest connections of both
 * are shown.
 */

struct live_plot;

/**
 * @param path a name that value_picture() takes
 * @param command "live" or "serve", for the title
 * @param why >= 256 bytes, filled when NULL is returned
 * @return to be ended with live_plot_close(); NULL: no gnuplot, no file, no memory
 */
struct live_plot *live_plot_open(const char *path, const char *command, char *why, size_t size);

/** @return the history that gets the frames of the capture; NULL if plot is NULL */
struct history *live_plot_recorded(struct live_plot *plot);

/** Change the configuration of an adapter of one engine, so that it transmits through the plot. */
void live_plot_configure(struct live_plot *plot, struct nd_adapter_config *config);

/**
 * Also record received frames from now on. Called when the adapter is open and not yet polled.
 *
 * @return false: the port takes no callback; why is filled with one sentence, >= 256 bytes
 */
bool live_plot_begin(struct live_plot *plot, uint16_t port_id, char *why, size_t size);

/** Stop recording, before the adapter is closed. NULL is allowed. */
void live_plot_end(struct live_plot *plot);

/** Mark a difference at the newest frame. NULL is allowed. */
void live_plot_difference(struct live_plot *plot, bool is_explained);

/**
 * Draw, and release the plot. If there is no packet, the file is removed.
 *
 * @param is_played false: remove the file in any case
 * @param why >= 256 bytes, filled when false is returned
 */
bool live_plot_close(struct live_plot *plot, bool is_played, char *why, size_t size);

#endif
