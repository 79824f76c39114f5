/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <ndpdk/nd_trace_stats.h>

/* Number of timeline bins that are summed up for one point of the rate; a power of two. */
#define RATE_BINS 4u
/* Points of a distribution. */
#define POINTS    60u

enum content { CONTENT_FRESH, CONTENT_AGAIN, CONTENT_NAKS, CONTENT_RNR_NAKS, CONTENT_COUNT };

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

int
plot_add(struct plot *plot, const struct history *history, size_t index, int beside,
	const char *word, size_t number)
{
	const struct nd_trace_connection *connection = nd_trace_connection(history->trace, index);
	const int first = (int)plot->count;

	if (connection == NULL || plot->count + 2 > PLOT_CURVES_MAX)
		return -1;
	for (unsigned side = 0; side < 2; side++) {
		struct plot_curve *curve = &plot->curves[plot->count++];

		*curve = (struct plot_curve){.history = history,
			.index = index,
			.side = side,
			.beside = (size_t)(beside < 0 ? first : beside) + side,
			.is_played = beside >= 0};
		snprintf(curve->title, sizeof(curve->title), "%s%zu: %s", word, number,
			connection->side[side].address);
	}
	return first;
}

void
plot_mark(struct plot *plot, enum plot_mark_kind kind, double seconds, int64_t psn)
{
	struct plot_mark *marks = plot->marks[kind].marks;
	const size_t count = plot->marks[kind].count;

	if (count == PLOT_MARKS_MAX)
		return;
	if (count != 0 && marks[count - 1].psn == psn && marks[count - 1].seconds == seconds)
		return;
	if (count == plot->marks[kind].room) {
		const size_t room = count == 0 ? 64 : 2 * count;

		marks = realloc(marks, room * sizeof(*marks));
		if (marks == NULL)
			return;
		plot->marks[kind].marks = marks;
		plot->marks[kind].room = room;
	}
	marks[count] = (struct plot_mark){seconds, psn};
	plot->marks[kind].count++;
}

void
plot_clear(struct plot *plot)
{
	for (int kind = 0; kind < PLOT_MARK_KINDS; kind++)
		free(plot->marks[kind].marks);
	*plot = (struct plot){.count = 0};
}

/*
 * @return timeline i of the curve's history if it belongs to the curve; otherwise NULL. A curve has
 *         two timelines if the trace found out late that both belong to one connection.
 */
static const struct timeline *
line_of(const struct plot_curve *curve, size_t i)
{
	const struct history *history = curve->history;

	return history->index[i] == curve->index && history->side[i] == curve->side
		? history->lines.all[i]
		: NULL;
}

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

/* @return true if a curve has PSNs of this kind, because gnuplot fails if data are empty */
static bool
has_psns(const struct plot_curve *curve, enum content content)
{
	for (size_t i = 0; i < curve->history->lines.count; i++) {
		const struct timeline *line = line_of(curve, i);

		for (size_t bin = 0; line != NULL && bin < line->used; bin++)
			if (span_of(&line->bins[bin], content)->count != 0)
				return true;
	}
	return false;
}

static bool
has_any_psns(const struct plot *plot)
{
	for (size_t i = 0; i < plot->count; i++)
		if (has_psns(&plot->curves[i], CONTENT_FRESH))
			return true;
	return false;
}

/* @return the highest PSN (up is true) or the lowest PSN of all timelines of a curve */
static int64_t
curve_bound(const struct plot_curve *curve, bool up)
{
	int64_t bound = 0;

	for (size_t i = 0; i < curve->history->lines.count; i++) {
		const struct timeline *line = line_of(curve, i);

		for (size_t at = 0; line != NULL && at < line->used * CONTENT_COUNT; at++) {
			const struct timeline_span *span = span_of(&line->bins[at / CONTENT_COUNT],
				(enum content)(at % CONTENT_COUNT));

			if (span->count != 0 && (up ? span->high > bound : span->low < bound))
				bound = up ? span->high : span->low;
		}
	}
	return bound;
}

static int64_t
psn_bound(const struct plot *plot, bool up)
{
	int64_t bound = 0;

	for (size_t i = 0; i < plot->count; i++) {
		const int64_t one = curve_bound(&plot->curves[i], up);

		if (up ? one > bound : one < bound)
			bound = one;
	}
	for (int kind = 0; kind < PLOT_MARK_KINDS; kind++)
		for (size_t i = 0; i < plot->marks[kind].count; i++) {
			const int64_t one = plot->marks[kind].marks[i].psn;

			if (up ? one > bound : one < bound)
				bound = one;
		}
	return bound;
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

/* Write the PSNs of all timelines of a curve, relative to the first PSN of the first timeline. */
static void
write_psns(FILE *script, const struct plot *plot, size_t number, enum content content)
{
	const struct plot_curve *curve = &plot->curves[number];
	const struct timeline *first = NULL;

	fprintf(script, "$psn%zu_%d << EOD\n", number, (int)content);
	for (size_t i = 0; i < curve->history->lines.count; i++) {
		const struct timeline *line = line_of(curve, i);
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

/*
 * Write the bit rate of a curve. Each point covers several bins, because a narrow bin has at most
 * one packet.
 */
static void
write_rates(FILE *script, const struct plot *plot, size_t number)
{
	const struct plot_curve *curve = &plot->curves[number];

	fprintf(script, "$rate%zu << EOD\n", number);
	for (size_t i = 0; i < curve->history->lines.count; i++) {
		const struct timeline *line = line_of(curve, i);

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

static bool
times_of(const struct plot_curve *curve, size_t kind, struct nd_trace_times *times)
{
	nd_trace_times(curve->history->trace, curve->index, curve->side, kinds[kind].time, times);
	return times->count != 0;
}

static bool
has_times(const struct plot_curve *curve, size_t kind)
{
	struct nd_trace_times times;

	return times_of(curve, kind, &times);
}

static double
microseconds(uint64_t time_ns)
{
	/* A logarithmic axis cannot show a time of 0. */
	return (double)(time_ns < 1 ? 1 : time_ns) / 1000;
}

/*
 * Write the distribution of times. The x value is 1 / (share of longer times), so that 99 % and
 * 99.9 % get the same space on the logarithmic axis.
 */
static void
write_times(FILE *script, const struct plot *plot, size_t number, size_t kind)
{
	const struct plot_curve *curve = &plot->curves[number];
	double x = 1;

	fprintf(script, "$times%zu_%zu << EOD\n", number, kind);
	for (unsigned point = 0; point < POINTS; point++, x *= 1.25)
		fprintf(script, "%.6g %.6g\n", x,
			microseconds(nd_trace_percentile_ns(curve->history->trace, curve->index,
				curve->side, kinds[kind].time, (uint32_t)(1000000 - 999999 / x))));
	fprintf(script, "EOD\n");
}

static void
write_differences(FILE *script, const struct plot *plot, int kind)
{
	fprintf(script, "$differences%d << EOD\n", kind);
	for (size_t i = 0; i < plot->marks[kind].count; i++)
		fprintf(script, "%.9g %" PRId64 "\n", plot->marks[kind].marks[i].seconds,
			plot->marks[kind].marks[i].psn);
	fprintf(script, "EOD\n");
}

static void
write_data(FILE *script, const struct plot *plot)
{
	for (size_t i = 0; i < plot->count; i++) {
		for (int content = 0; content < CONTENT_COUNT; content++)
			write_psns(script, plot, i, (enum content)content);
		write_rates(script, plot, i);
		for (size_t kind = 0; kind < KINDS; kind++)
			if (has_times(&plot->curves[i], kind))
				write_times(script, plot, i, kind);
	}
	for (int kind = 0; kind < PLOT_MARK_KINDS; kind++)
		write_differences(script, plot, kind);
}

/* @return true if the side of a curve sent any packet. */
static bool
has_packets(const struct plot_curve *curve)
{
	return nd_trace_connection(curve->history->trace, curve->index)
		       ->side[curve->side]
		       .packets != 0;
}

/*
 * @return index of the line style. A curve of a replay is dashed and has the colour of the recorded
 *         curve.
 */
static size_t
style_of(const struct plot_curve *curve, size_t colour)
{
	return colour % PICTURE_COLOURS +
		(curve->is_played ? PICTURE_COLOURS : colour / PICTURE_COLOURS * PICTURE_COLOURS);
}

static void
write_psn_curves(FILE *script, const struct plot *plot)
{
	const char *separator = "plot ";

	for (size_t i = 0; i < plot->count; i++) {
		const struct plot_curve *curve = &plot->curves[i];

		if (!has_psns(curve, CONTENT_FRESH))
			continue;
		fprintf(script, "%s$psn%zu_%d using 1:2 with lines", separator, i,
			(int)CONTENT_FRESH);
		picture_write_style(script, style_of(curve, curve->beside));
		fprintf(script, " title \"%s\"", curve->title);
		separator = ", ";
	}
}

static void
write_rate_curves(FILE *script, const struct plot *plot)
{
	const char *separator = "plot ";

	for (size_t i = 0; i < plot->count; i++) {
		const struct plot_curve *curve = &plot->curves[i];

		if (!has_packets(curve))
			continue;
		fprintf(script, "%s$rate%zu using 1:2 with lines", separator, i);
		picture_write_style(script, style_of(curve, curve->beside));
		fprintf(script, " title \"%s\"", curve->title);
		separator = ", ";
	}
	fputc('\n', script);
}

static void
write_marks(FILE *script, const struct plot *plot)
{
	static const char *const styles[CONTENT_COUNT] = {
		[CONTENT_AGAIN] = "pt 2 ps 0.6 lw 1 lc rgb \"#cc0000\"",
		[CONTENT_NAKS] = "pt 9 ps 1.2 lc rgb \"#cc0000\"",
		[CONTENT_RNR_NAKS] = "pt 11 ps 1.2 lc rgb \"#7f00ff\"",
	};
	static const char *const names[CONTENT_COUNT] = {
		[CONTENT_AGAIN] = "retransmitted",
		[CONTENT_NAKS] = "NAK",
		[CONTENT_RNR_NAKS] = "RNR NAK",
	};
	static const char *const differences[PLOT_MARK_KINDS] = {
		[PLOT_DIFFERENCES] = "pt 4 ps 1.4 lw 2 lc rgb \"#ff00ff\" title \"difference\"",
		[PLOT_EXPLAINED] = "pt 6 ps 1.1 lw 1 lc rgb \"#808080\" title \"explained\"",
	};

	for (int content = CONTENT_AGAIN; content < CONTENT_COUNT; content++) {
		for (size_t i = 0; i < plot->count; i++)
			if (has_psns(&plot->curves[i], (enum content)content))
				fprintf(script, ", $psn%zu_%d using 1:2 with points %s notitle", i,
					content, styles[content]);
		/* The legend has one line for this kind, which applies to all curves. */
		fprintf(script, ", NaN with points %s title \"%s\"", styles[content],
			names[content]);
	}
	for (int kind = 0; kind < PLOT_MARK_KINDS; kind++)
		if (plot->marks[kind].count != 0)
			fprintf(script, ", $differences%d using 1:2 with points %s", kind,
				differences[kind]);
	fputc('\n', script);
}

static void
write_psn_panel(FILE *script, const struct plot *plot)
{
	fprintf(script,
		"set title \"PSN of requests\"\n"
		"set ylabel \"packets since the first PSN\"\nset format y \"%%.0f\"\n"
		"set yrange [%" PRId64 ":%" PRId64 "]\n",
		psn_bound(plot, false) - 1, psn_bound(plot, true) + 1);
	write_psn_curves(script, plot);
	write_marks(script, plot);
}

/* Set the range of the times explicitly, because gnuplot rejects an empty range. */
static void
write_times_range(FILE *script, const struct plot *plot)
{
	uint64_t least = UINT64_MAX, most = 1;

	for (size_t i = 0; i < plot->count * KINDS; i++) {
		struct nd_trace_times times;

		if (!times_of(&plot->curves[i / KINDS], i % KINDS, &times))
			continue;
		least = times.min_ns < least ? times.min_ns : least;
		most = times.max_ns > most ? times.max_ns : most;
	}
	fprintf(script, "set yrange [%.6g:%.6g]\n", microseconds(least) / 2,
		microseconds(most) * 2);
}

/* @return colour of a distribution: the number of earlier distributions of recorded curves */
static size_t
times_colour(const struct plot *plot, const struct plot_curve *curve, size_t kind)
{
	size_t colour = 0;

	for (size_t i = 0; i < curve->beside * KINDS + kind; i++)
		if (!plot->curves[i / KINDS].is_played &&
			has_times(&plot->curves[i / KINDS], i % KINDS))
			colour++;
	return colour;
}

static void
write_times_panel(FILE *script, const struct plot *plot)
{
	const char *separator = "plot ";

	write_times_range(script, plot);
	fprintf(script,
		"set title \"Time from a request to its response\"\nset xlabel \"percentile\"\n"
		"set ylabel \"us\"\nset logscale x 10\nset logscale y 10\nset format y \"%%g\"\n"
		"set xtics (\"50 %%%%\" 2, \"90 %%%%\" 10, \"99 %%%%\" 100, \"99.9 %%%%\" 1000, "
		"\"99.99 %%%%\" 1e4, \"99.999 %%%%\" 1e5)\nset xrange [1:1e5]\n");
	for (size_t i = 0; i < plot->count * KINDS; i++) {
		const struct plot_curve *curve = &plot->curves[i / KINDS];

		if (!has_times(curve, i % KINDS))
			continue;
		fprintf(script, "%s$times%zu_%zu using 1:2 with lines", separator, i / KINDS,
			i % KINDS);
		picture_write_style(script, style_of(curve, times_colour(plot, curve, i % KINDS)));
		fprintf(script, " title \"%s %s\"", curve->title, kinds[i % KINDS].name);
		separator = ", ";
	}
	fputc('\n', script);
}

static bool
has_any_times(const struct plot *plot)
{
	for (size_t i = 0; i < plot->count * KINDS; i++)
		if (has_times(&plot->curves[i / KINDS], i % KINDS))
			return true;
	return false;
}

static void
write_script(FILE *script, const struct picture *picture, const void *arg)
{
	const struct plot *plot = arg;
	const bool psns = has_any_psns(plot);
	const bool times = has_any_times(plot);

	write_data(script, plot);
	picture_write_frame(script, picture, 1 + psns + times, plot->title);
	fprintf(script, "set xlabel \"seconds since the first packet\"\nset xrange [0:*]\n");
	if (psns)
		write_psn_panel(script, plot);
	fprintf(script,
		"set title \"Rate\"\nset ylabel \"bit/s on the wire\"\nset format y \"%%.1s%%c\"\n"
		"set yrange [0:1<*]\n");
	write_rate_curves(script, plot);
	if (times)
		write_times_panel(script, plot);
}

bool
plot_close(struct plot *plot, struct picture *picture, char *why, size_t size)
{
	const char *path = picture->path;
	bool drawn;

	drawn = picture_close(picture, plot->count != 0 ? write_script : NULL, plot, why, size);
	if (plot->count != 0)
		return drawn;
	unlink(path);
	snprintf(why, size, "%s is not drawn: no packet of a connection was found", path);
	return false;
}
