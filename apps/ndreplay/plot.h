/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLOT_H
#define NDPDK_NDREPLAY_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kit/picture.h"

#include "history.h"

/*
 * The panels that the pictures of all commands have in common:
 *
 * - PSNs of requests over time, with retransmissions, NAKs and differences
 * - rate over time
 * - distribution of the times from requests to answers
 *
 * A curve shows one side of a connection of a history. Curves of a replay are dashed and have the
 * colours of the recorded curves.
 */

/** Maximum number of connections in a picture. A reader could not distinguish more curves. */
#define PLOT_CONNECTIONS_MAX 4u
/** Maximum number of curves: two sides per connection, for the capture and for the replay. */
#define PLOT_CURVES_MAX      (4u * PLOT_CONNECTIONS_MAX)
#define PLOT_MARKS_MAX       2000u

struct plot_curve {
	const struct history *history;
	size_t index;   /**< index of the connection in the trace of the history */
	unsigned side;  /**< side of the connection */
	size_t beside;  /**< index of the recorded curve, or the own index if recorded */
	bool is_played; /**< drawn with dashes */
	char title[80]; /**< such as "1: 192.0.2.1" */
};

struct plot_mark {
	double seconds; /**< since the first packet */
	int64_t psn;    /**< relative to the first PSN */
};

enum plot_mark_kind { PLOT_DIFFERENCES, PLOT_EXPLAINED, PLOT_MARK_KINDS };

struct plot {
	char title[160];
	struct plot_curve curves[PLOT_CURVES_MAX];
	size_t count; /**< number of curves */
	struct {
		struct plot_mark *marks; /**< allocated with malloc() */
		size_t count, room;
	} marks[PLOT_MARK_KINDS];
};

/**
 * Add the curves of both sides of a connection.
 *
 * @param beside for a replay: index of the first curve of the recorded connection; otherwise -1
 * @param word text before the titles: "", "recorded " or "replayed "
 * @param number number of the connection in the titles
 * @return index of the first added curve; -1: no room, or no such connection
 */
int plot_add(struct plot *plot, const struct history *history, size_t index, int beside,
	const char *word, size_t number);

/**
 * Mark a difference. A mark is left out if the position has a mark already, or if there are
 * PLOT_MARKS_MAX marks of this kind.
 */
void plot_mark(struct plot *plot, enum plot_mark_kind kind, double seconds, int64_t psn);

void plot_clear(struct plot *plot);

/**
 * Draw and close the picture. If there are no curves, the file is removed.
 *
 * @param why at least 256 bytes; receives the reason if false is returned
 * @return false: there is no curve, or drawing failed
 */
bool plot_close(struct plot *plot, struct picture *picture, char *why, size_t size);

#endif
