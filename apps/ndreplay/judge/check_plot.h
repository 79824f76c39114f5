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
 * distribution of the times from requests to answers. The picture shows only the busiest
 * connections, chosen among the connections that began first in the capture (TIMELINES_MAX).
 */

struct check_plot;

/**
 * Open a picture.
 *
 * @param path name of a picture file that value_picture() accepts
 * @param why at least 256 bytes; receives the reason if NULL is returned
 * @return plot to be closed with check_plot_close(); NULL: no gnuplot, no file, or no memory
 */
struct check_plot *check_plot_open(const char *path, char *why, size_t size);

/** Add a frame to the picture, after the caller has fed the frame to the trace. */
void check_plot_frame(struct check_plot *plot, const struct nd_trace *trace, uint64_t time_ns,
	uint32_t wire_bytes);

/**
 * Draw the picture, and release the plot. If no packet of a connection was found, the file is
 * removed.
 *
 * @param trace finished trace; NULL: nothing could be read
 * @param why at least 256 bytes; receives the reason if false is returned
 * @return false: no packet was found, or drawing failed
 */
bool
check_plot_close(struct check_plot *plot, const struct nd_trace *trace, char *why, size_t size);

#endif
