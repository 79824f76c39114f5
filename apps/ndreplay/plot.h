/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLOT_H
#define NDPDK_NDREPLAY_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kit/picture.h"

#include "course.h"

/*
 * What the pictures of all commands have: PSNs of requests over time with what was sent again, what
 * was refused and what differs; rate over time; the distribution of the times from requests to
 * answers. A curve is one side of a connection of a course. What was played has the colours of what
 * was recorded, with dashes.
 */

/** More cannot be told from each other. */
#define PLOT_CONNECTIONS_MAX 4u
/** Of both sides, recorded and played. */
#define PLOT_CURVES_MAX      (4u * PLOT_CONNECTIONS_MAX)
/** Marks of one kind that are drawn, at most. */
#define PLOT_MARKS_MAX       2000u

struct plot_curve {
	const struct course *course;
	size_t index;   /**< of the connection in the report of the course */
	unsigned side;  /**< of it */
	size_t beside;  /**< its own number; of a played curve that of the recorded one */
	bool is_played; /**< drawn with dashes */
	char title[80]; /**< such as "1: 192.0.2.1" */
};

/** A difference, on the axes of the PSNs. */
struct plot_mark {
	double seconds; /**< since the first packet */
	int64_t psn;    /**< counted from the first one */
};

enum plot_mark_kind { PLOT_DIFFERENCES, PLOT_EXPLAINED, PLOT_MARK_KINDS };

struct plot {
	char title[160];
	struct plot_curve curves[PLOT_CURVES_MAX];
	size_t count; /**< of curves */
	struct {
		struct plot_mark *marks; /**< of malloc() */
		size_t count, room;
	} marks[PLOT_MARK_KINDS];
};

/**
 * Add the curves of both sides of a connection.
 *
 * @param beside -1; of a played connection, the first curve of the recorded one
 * @param word in front of the titles: "", "recorded " or "played "
 * @param number of the connection in the titles
 * @return the first curve; -1: there is no room, or no such connection
 */
int plot_add(struct plot *plot, const struct course *course, size_t index, int beside,
	const char *word, size_t number);

/** Mark a difference. One at the place of the one before, and too many ones, are left out. */
void plot_mark(struct plot *plot, enum plot_mark_kind kind, double seconds, int64_t psn);

/** Free the marks. */
void plot_clear(struct plot *plot);

/**
 * Draw, and close the picture. Without curves the file is removed.
 *
 * @param why >= 256 bytes, filled when false is returned
 * @return false: there is no curve, or it could not be drawn to its end
 */
bool plot_close(struct plot *plot, struct picture *picture, char *why, size_t size);

#endif
