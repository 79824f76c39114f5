/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "check_plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <ndpdk/nd_trace_stats.h>

#include "timelines.h"

/* More cannot be told from each other. */
#define SHOWN_MAX 4u
/* Bins of a timeline for one point of the rate; a power of two. */
#define RATE_BINS 4u
/* Points of a distribution. */
#define POINTS    60u

struct check_plot {
	struct picture picture;
	struct timelines lines;
	/* Of lines.all[i] in the report; valid when the picture is drawn. */
	size_t index[TIMELINES_MAX];
	unsigned side[TIMELINES_MAX];
};

/* The connections of a picture, by their index in the report. */
struct drawing {
	const struct check_plot *plot;
	const struct nd_trace *trace;
	size_t shown[SHOWN_MAX];
	size_t count;
	size_t connections; /* in the capture */
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
	struct nd_trace_seen seen;

	nd_trace_last(trace, &seen);
	timelines_take(&plot->lines, &seen, time_ns, wire_bytes);
}

static bool
is_shown(const struct drawing *drawing, size_t index)
{
	for (size_t i = 0; i < drawing->count; i++)
		if (drawing->shown[i] == index)
			return true;
	return false;
}

static uint64_t
bytes_of(const struct nd_trace *trace, size_t index)
{
	struct nd_trace_stats stats;

	return nd_trace_stats(trace, index, &stats)
		? stats.side[0].wire_bytes + stats.side[1].wire_bytes
		: 0;
}

/* The busiest connections that have a timeline. */
static void
connections_choose(struct drawing *drawing)
{
	while (drawing->count < SHOWN_MAX) {
		size_t best = ND_TRACE_NO_CONNECTION;

		for (size_t i = 0; i < drawing->plot->lines.count; i++) {
			const size_t index = drawing->plot->index[i];

			if (index == ND_TRACE_NO_CONNECTION || is_shown(drawing, index))
				continue;
			if (best == ND_TRACE_NO_CONNECTION ||
				bytes_of(drawing->trace, index) > bytes_of(drawing->trace, best))
				best = index;
		}
		if (best == ND_TRACE_NO_CONNECTION)
			return;
		drawing->shown[drawing->count++] = best;
	}
}

/*
 * The i-th timeline, if it is one of a side of the n-th shown connection, else NULL. Halves that
 * met later have two.
 */
static const struct timeline *
line_of(const struct drawing *drawing, size_t i, size_t n, unsigned side)
{
	const struct check_plot *plot = drawing->plot;

	return plot->index[i] == drawing->shown[n] && plot->side[i] == side ? plot->lines.all[i]
									    : NULL;
}

static void
write_span(FILE *script, double seconds, const struct timeline_span *span, int64_t first)
{
	if (span->count == 0)
		return;
	fprintf(script, "%.9g %" PRId64 "\n", seconds, first + span->low);
	if (span->high != span->low)
		fprintf(script, "%.9g %" PRId64 "\n", seconds, first + span->high);
}

enum content { CONTENT_FRESH, CONTENT_AGAIN, CONTENT_NAKS, CONTENT_RNR_NAKS, CONTENT_COUNT };

static const struct timeline_span *
span_of(const struct timeline_bin *bin, enum content content)
{
	switch (content) {
	case CONTENT_FRESH:
		return &bin->fresh;
	case CONTENT_AGAIN:
		return &bin->again;
	case CONTENT_NAKS:
		return &bin->naks;
	case CONTENT_RNR_NAKS:
	case CONTENT_COUNT:
		break;
	}
	return &bin->rnr_naks;
}

/* Whether a side of a shown connection has something to mark. gnuplot does not like empty data. */
static bool
has_psns(const struct drawing *drawing, size_t n, unsigned side, enum content content)
{
	for (size_t i = 0; i < drawing->plot->lines.count; i++) {
		const struct timeline *line = line_of(drawing, i, n, side);

		for (size_t bin = 0; line != NULL && bin < line->used; bin++)
			if (span_of(&line->bins[bin], content)->count != 0)
				return true;
	}
	return false;
}

static bool
has_any_psns(const struct drawing *drawing)
{
	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++)
			if (has_psns(drawing, n, side, CONTENT_FRESH))
				return true;
	return false;
}

/* The PSN furthest down or up in the picture. Timelines that continue others are near enough. */
static int64_t
psn_bound(const struct drawing *drawing, bool up)
{
	int64_t bound = 0;

	for (size_t i = 0; i < drawing->plot->lines.count; i++) {
		const struct timeline *line = drawing->plot->lines.all[i];

		if (!is_shown(drawing, drawing->plot->index[i]))
			continue;
		for (size_t at = 0; at < line->used * CONTENT_COUNT; at++) {
			const struct timeline_span *span = span_of(&line->bins[at / CONTENT_COUNT],
				(enum content)(at % CONTENT_COUNT));

			if (span->count != 0 && (up ? span->high > bound : span->low < bound))
				bound = up ? span->high : span->low;
		}
	}
	return bound;
}

/* PSNs of all timelines of one side, counted from the first one. */
static void
write_psns(
	FILE *script, const struct drawing *drawing, size_t n, unsigned side, enum content content)
{
	const struct timeline *first = NULL;

	fprintf(script, "$psn%zu_%u_%d << EOD\n", n, side, (int)content);
	for (size_t i = 0; i < drawing->plot->lines.count; i++) {
		const struct timeline *line = line_of(drawing, i, n, side);
		int32_t distance;

		if (line == NULL || !line->has_psn)
			continue;
		if (first == NULL)
			first = line;
		distance = (int32_t)((line->first_psn - first->first_psn) << 8) >> 8;
		for (size_t bin = 0; bin < line->used; bin++)
			write_span(script, timeline_seconds(line, bin),
				span_of(&line->bins[bin], content), distance);
	}
	fprintf(script, "EOD\n");
}

/* Bits per second of one side, over several bins: narrow ones have one packet or none. */
static void
write_rates(FILE *script, const struct drawing *drawing, size_t n, unsigned side)
{
	fprintf(script, "$rate%zu_%u << EOD\n", n, side);
	for (size_t i = 0; i < drawing->plot->lines.count; i++) {
		const struct timeline *line = line_of(drawing, i, n, side);

		for (size_t bin = 0; line != NULL && bin < line->used; bin += RATE_BINS) {
			uint64_t wire_bytes = 0;

			for (size_t k = 0; k < RATE_BINS; k++)
				wire_bytes += line->bins[bin + k].wire_bytes;
			fprintf(script, "%.9g %.6g\n", timeline_seconds(line, bin + RATE_BINS / 2),
				(double)wire_bytes * 8e9 / (double)(RATE_BINS * line->width_ns));
		}
	}
	fprintf(script, "EOD\n");
}

static const struct {
	enum nd_trace_time time;
	const char *name;
} kinds[] = {
	{ND_TRACE_TIME_SEND, "SEND"},
	{ND_TRACE_TIME_WRITE, "WRITE"},
	{ND_TRACE_TIME_READ, "READ"},
	{ND_TRACE_TIME_ATOMIC, "atomic"},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static bool
has_times(const struct drawing *drawing, size_t n, unsigned side, size_t kind)
{
	return nd_trace_percentile_ns(
		       drawing->trace, drawing->shown[n], side, kinds[kind].time, 1000000) != 0;
}

/* Points at 1 / (share that took longer), so that 99 % and 99.9 % get the same room. */
static void
write_times(FILE *script, const struct drawing *drawing, size_t n, unsigned side, size_t kind)
{
	double x = 1;

	fprintf(script, "$times%zu_%u_%zu << EOD\n", n, side, kind);
	for (unsigned point = 0; point < POINTS; point++, x *= 1.25)
		fprintf(script, "%.6g %.6g\n", x,
			(double)nd_trace_percentile_ns(drawing->trace, drawing->shown[n], side,
				kinds[kind].time, (uint32_t)(1000000 - 999999 / x)) /
				1000);
	fprintf(script, "EOD\n");
}

static void
write_data(FILE *script, const struct drawing *drawing)
{
	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++) {
			for (int content = 0; content < CONTENT_COUNT; content++)
				write_psns(script, drawing, n, side, (enum content)content);
			write_rates(script, drawing, n, side);
			for (size_t kind = 0; kind < KINDS; kind++)
				if (has_times(drawing, n, side, kind))
					write_times(script, drawing, n, side, kind);
		}
}

/* "title "1: 192.0.2.1"": the connection as the report numbers it, and who sends. */
static void
write_title(FILE *script, const struct drawing *drawing, size_t n, unsigned side, const char *what)
{
	const struct nd_trace_connection *connection =
		nd_trace_connection(drawing->trace, drawing->shown[n]);

	fprintf(script, " title \"%zu: %s%s\"", drawing->shown[n] + 1,
		connection->side[side].address, what);
}

/* Whether a side sent any packet. */
static bool
has_packets(const struct drawing *drawing, size_t n, unsigned side)
{
	return nd_trace_connection(drawing->trace, drawing->shown[n])->side[side].packets != 0;
}

/* A curve for each side that sent something. */
static void
write_psn_curves(FILE *script, const struct drawing *drawing)
{
	const char *separator = "plot ";

	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++) {
			if (!has_psns(drawing, n, side, CONTENT_FRESH))
				continue;
			fprintf(script, "%s$psn%zu_%u_%d using 1:2 with lines", separator, n, side,
				(int)CONTENT_FRESH);
			picture_write_style(script, 2 * n + side);
			write_title(script, drawing, n, side, "");
			separator = ", ";
		}
}

static void
write_rate_curves(FILE *script, const struct drawing *drawing)
{
	const char *separator = "plot ";

	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++) {
			if (!has_packets(drawing, n, side))
				continue;
			fprintf(script, "%s$rate%zu_%u using 1:2 with lines", separator, n, side);
			picture_write_style(script, 2 * n + side);
			write_title(script, drawing, n, side, "");
			separator = ", ";
		}
	fputc('\n', script);
}

static void
write_marks(FILE *script, const struct drawing *drawing)
{
	static const char *const styles[CONTENT_COUNT] = {
		[CONTENT_AGAIN] = "pt 2 ps 0.6 lw 1 lc rgb \"#cc0000\"",
		[CONTENT_NAKS] = "pt 9 ps 1.2 lc rgb \"#cc0000\"",
		[CONTENT_RNR_NAKS] = "pt 11 ps 1.2 lc rgb \"#7f00ff\"",
	};
	static const char *const names[CONTENT_COUNT] = {
		[CONTENT_AGAIN] = "sent again",
		[CONTENT_NAKS] = "NAK",
		[CONTENT_RNR_NAKS] = "RNR NAK",
	};

	for (int content = CONTENT_AGAIN; content < CONTENT_COUNT; content++) {
		for (size_t i = 0; i < 2 * drawing->count; i++)
			if (has_psns(drawing, i / 2, i % 2, (enum content)content))
				fprintf(script, ", $psn%zu_%zu_%d using 1:2 with points %s notitle",
					i / 2, i % 2, content, styles[content]);
		/* One line of the legend for all of them. */
		fprintf(script, ", NaN with points %s title \"%s\"", styles[content],
			names[content]);
	}
	fputc('\n', script);
}

/* gnuplot complains of a range without length. */
static void
write_times_range(FILE *script, const struct drawing *drawing)
{
	double least = 0, most = 0;

	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++)
			for (size_t kind = 0; kind < KINDS; kind++) {
				struct nd_trace_times times;

				nd_trace_times(drawing->trace, drawing->shown[n], side,
					kinds[kind].time, &times);
				if (times.max_ns == 0)
					continue;
				if (least == 0 || (double)times.min_ns < least)
					least = (double)times.min_ns;
				if ((double)times.max_ns > most)
					most = (double)times.max_ns;
			}
	/* A time of 0 has no place on the axis. */
	fprintf(script, "set yrange [%.6g:%.6g]\n", (least < 1 ? 1 : least) / 2000, most / 500);
}

static void
write_times_panel(FILE *script, const struct drawing *drawing)
{
	const char *separator = "plot ";
	size_t curve = 0;

	write_times_range(script, drawing);
	fprintf(script,
		"set title \"Time from a request to its answer\"\nset xlabel \"percentile\"\n"
		"set ylabel \"us\"\nset logscale x 10\nset logscale y 10\nset format y \"%%g\"\n"
		"set xtics (\"50 %%%%\" 2, \"90 %%%%\" 10, \"99 %%%%\" 100, \"99.9 %%%%\" 1000, "
		"\"99.99 %%%%\" 1e4, \"99.999 %%%%\" 1e5)\nset xrange [1:1e5]\n");
	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++)
			for (size_t kind = 0; kind < KINDS; kind++) {
				char what[16];

				if (!has_times(drawing, n, side, kind))
					continue;
				fprintf(script, "%s$times%zu_%u_%zu using 1:2 with lines",
					separator, n, side, kind);
				picture_write_style(script, curve++);
				snprintf(what, sizeof(what), " %s", kinds[kind].name);
				write_title(script, drawing, n, side, what);
				separator = ", ";
			}
	fputc('\n', script);
}

static bool
has_any_times(const struct drawing *drawing)
{
	for (size_t n = 0; n < drawing->count; n++)
		for (unsigned side = 0; side < 2; side++)
			for (size_t kind = 0; kind < KINDS; kind++)
				if (has_times(drawing, n, side, kind))
					return true;
	return false;
}

static void
write_script(FILE *script, const struct picture *picture, const void *arg)
{
	const struct drawing *drawing = arg;
	const bool psns = has_any_psns(drawing);
	const bool times = has_any_times(drawing);
	char title[128];

	snprintf(title, sizeof(title), "ndreplay check, %zu of %zu connections", drawing->count,
		drawing->connections);
	write_data(script, drawing);
	picture_write_frame(script, picture, 1 + psns + times, title);
	fprintf(script, "set xlabel \"seconds since the first packet\"\nset xrange [0:*]\n");
	if (psns) {
		fprintf(script,
			"set title \"PSN of requests\"\n"
			"set ylabel \"packets since the first PSN\"\nset format y \"%%.0f\"\n"
			"set yrange [%" PRId64 ":%" PRId64 "]\n",
			psn_bound(drawing, false) - 1, psn_bound(drawing, true) + 1);
		write_psn_curves(script, drawing);
		write_marks(script, drawing);
	}
	fprintf(script,
		"set title \"Rate\"\nset ylabel \"bit/s on the wire\"\nset format y \"%%.1s%%c\"\n"
		"set yrange [0:1<*]\n");
	write_rate_curves(script, drawing);
	if (times)
		write_times_panel(script, drawing);
}

bool
check_plot_close(struct check_plot *plot, const struct nd_trace *trace, char *why, size_t size)
{
	struct drawing drawing = {.plot = plot, .trace = trace};
	const char *path;
	bool drawn;

	for (size_t i = 0; trace != NULL && i < plot->lines.count; i++) {
		const struct timeline *line = plot->lines.all[i];

		plot->index[i] = nd_trace_index(trace, line->connection);
		plot->side[i] = nd_trace_side(trace, line->connection, line->side);
	}
	if (trace != NULL) {
		drawing.connections = nd_trace_connection_count(trace);
		connections_choose(&drawing);
	}
	path = plot->picture.path;
	drawn = picture_close(
		&plot->picture, drawing.count != 0 ? write_script : NULL, &drawing, why, size);
	if (drawing.count == 0) {
		unlink(path);
		snprintf(why, size, "%s is not drawn: no packet of a connection was found", path);
		drawn = false;
	}
	timelines_free(&plot->lines);
	free(plot);
	return drawn;
}
