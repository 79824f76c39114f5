/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "check_plot.h"

#include <stdlib.h>

#include "ndreplay/plot.h"

struct check_plot {
	struct picture picture;
	struct history history;
};

struct check_plot *
check_plot_open(const char *path, char *why, size_t size)
{
	struct check_plot *plot = calloc(1, sizeof(*plot));

	if (plot == NULL) {
		snprintf(why, size, "memory is exhausted");
		return NULL;
	}
	if (picture_open(&plot->picture, path, why, size))
		return plot;
	free(plot);
	return NULL;
}

void
check_plot_frame(struct check_plot *plot, const struct nd_trace *trace, uint64_t time_ns,
	uint32_t wire_bytes)
{
	history_take(&plot->history, trace, time_ns, wire_bytes);
}

bool
check_plot_close(struct check_plot *plot, const struct nd_trace *trace, char *why, size_t size)
{
	struct plot drawing = {.count = 0};
	size_t shown[PLOT_CONNECTIONS_MAX], count = 0;
	bool drawn;

	if (trace != NULL) {
		history_finish(&plot->history, trace);
		while (count < PLOT_CONNECTIONS_MAX &&
			(shown[count] = history_busiest(&plot->history, shown, count)) !=
				ND_TRACE_NO_CONNECTION) {
			plot_add(&drawing, &plot->history, shown[count], -1, "", shown[count] + 1);
			count++;
		}
		snprintf(drawing.title, sizeof(drawing.title),
			"ndreplay check, %zu of %zu connections", count,
			nd_trace_connection_count(trace));
	}
	drawn = plot_close(&drawing, &plot->picture, why, size);
	plot_clear(&drawing);
	history_clear(&plot->history);
	free(plot);
	return drawn;
}
