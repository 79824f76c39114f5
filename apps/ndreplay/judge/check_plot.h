/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_CHECK_PLOT_H
#define NDPDK_JUDGE_CHECK_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "kit/picture.h"

/*
 * The picture of a capture: PSNs over time with retransmissions and NAKs, rate over time, and the
 * distribution of the times of requests. Shows the busiest of the first connections in the capture.
 */

struct check_plot;

/**
 * @param path a name that value_picture() takes
 * @param why >= 256 bytes, filled when NULL is returned
 * @return to be ended with check_plot_close(); NULL: no gnuplot, no file, no memory
 */
struct check_plot *check_plot_open(const char *path, char *why, size_t size);

/** Called after a frame was fed to the trace. */
void check_plot_frame(struct check_plot *plot, const struct nd_trace *trace, uint64_t time_ns,
	uint32_t wire_bytes);

/**
 * Draw, and release the plot. If no packet of a connection was found, the file is removed.
 *
 * @param trace finished; NULL: nothing could be read
 * @param why >= 256 bytes, filled when false is returned
 * @return false: nothing was found, or the drawing failed
 */
bool
check_plot_close(struct check_plot *plot, const struct nd_trace *trace, char *why, size_t size);

#endif
