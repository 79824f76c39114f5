/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_LIVE_PLOT_H
#define NDPDK_NDREPLAY_LIVE_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "course.h"

/*
 * The picture of live and serve: what was recorded beside the frames that the port sends and
 * receives meanwhile. Each begins at the time of its own first packet. The busiest connections of
 * both are shown.
 */

struct live_plot;

/**
 * @param path a name that value_picture() takes
 * @param command "live" or "serve", for the title
 * @param why >= 256 bytes, filled when NULL is returned
 * @return to be ended with live_plot_close(); NULL: no gnuplot, no file, no memory
 */
struct live_plot *live_plot_open(const char *path, const char *command, char *why, size_t size);

/** @return what the frames of the capture are fed to; NULL when plot is NULL */
struct course *live_plot_recorded(struct live_plot *plot);

/** Let the adapter that is opened with this configuration transmit through it. One engine only. */
void live_plot_configure(struct live_plot *plot, struct nd_adapter_config *config);

/**
 * Look at what comes in, too, from now on: the adapter is open, and nobody polls it.
 *
 * @return false: the port takes no callback; why is filled with one sentence, >= 256 bytes
 */
bool live_plot_begin(struct live_plot *plot, uint16_t port_id, char *why, size_t size);

/** End that, before the adapter is closed. NULL is allowed. */
void live_plot_end(struct live_plot *plot);

/** A difference was found, behind the newest frame: mark it there. NULL is allowed. */
void live_plot_difference(struct live_plot *plot, bool is_explained);

/**
 * Draw, and release the plot. Where there is no packet the file is removed.
 *
 * @param is_played false: remove the file in any case
 * @param why >= 256 bytes, filled when false is returned
 */
bool live_plot_close(struct live_plot *plot, bool is_played, char *why, size_t size);

#endif
