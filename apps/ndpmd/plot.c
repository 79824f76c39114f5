/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

/* Highest number of curves in a panel. A reader could not distinguish more curves. */
#define CURVES_MAX   12u
#define SIZE_TIC_MAX (UINT64_C(1) << 30)
/* Two successive points of a curve differ at least by this factor on one of the axes. */
#define POINT_STEP   1.05

enum panel {
	PANEL_LATENCY,
	PANEL_TIME,
	PANEL_SIZE,
	PANEL_COUNT,
};

bool
plot_open(struct plot *plot, const char *path, char *why, size_t size)
{
	*plot = (struct plot){0};
	return path == NULL || picture_open(&plot->picture, path, why, size);
}

/*
 * Write the points of a curve: the latency in us, and 1 / (share of the messages that took longer).
 * On a logarithmic axis of this value, the distance from 90 % to 99 % equals the distance from 99 %
 * to 99.9 %. The point of a bucket is in the middle of the messages of the bucket.
 */
static void
write_curve(FILE *stream, const struct histogram *histogram)
{
	double last_x = 0, last_y = 0;
	uint64_t seen = 0;

	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS && seen < histogram->total; i++) {
		const uint64_t count = histogram->counts[i];
		const uint64_t last = histogram_bucket_last(i);
		const double y = (double)(last < histogram->max ? last : histogram->max) / 1000;
		const double x = (double)histogram->total /
			((double)(histogram->total - seen) - (double)count / 2);

		seen += count;
		if (count == 0 ||
			(seen < histogram->total && x < last_x * POINT_STEP &&
				y < last_y * POINT_STEP))
			continue;
		fprintf(stream, "%.6g %.6g\n", x, y);
		last_x = x;
		last_y = y;
	}
}

void
plot_add(struct plot *plot, const struct histogram *histogram)
{
	char **curves;
	char *text = NULL;
	size_t bytes;
	FILE *stream;

	if (plot->picture.path == NULL)
		return;
	curves = realloc(plot->curves, (plot->curve_count + 1) * sizeof(*curves));
	if (curves == NULL)
		return;
	plot->curves = curves;
	stream = histogram == NULL || histogram->total == 0 ? NULL : open_memstream(&text, &bytes);
	if (stream != NULL) {
		write_curve(stream, histogram);
		fclose(stream);
	}
	curves[plot->curve_count++] = text;
}

static double
number(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_double(value) : 0;
}

static double
median_us(struct json_object *row)
{
	struct json_object *latency;

	return json_object_object_get_ex(row, "latency_ns", &latency)
		? number(latency, "p50") / 1000
		: 0;
}

static const char *
text(struct json_object *row, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(row, key, &value) ? json_object_get_string(value) : "";
}

static const char *
op_of(struct json_object *row)
{
	return text(row, "op");
}

/* With --bidirectional, append ", client" or ", server": the side that posted the operations. */
static void
write_side(FILE *script, struct json_object *row)
{
	const char *side = text(row, "posted_by");

	if (*side != '\0')
		fprintf(script, ", %s", side);
}

/* @return true if two rows belong to the same sweep over sizes */
static bool
is_same_load(struct json_object *row, struct json_object *other)
{
	return strcmp(op_of(row), op_of(other)) == 0 &&
		strcmp(text(row, "posted_by"), text(other, "posted_by")) == 0;
}

static struct json_object *
intervals_of(struct json_object *row)
{
	struct json_object *intervals;

	return json_object_object_get_ex(row, "intervals", &intervals) ? intervals : NULL;
}

/* Write a size with a unit, such as 4 KiB. */
static void
write_size(FILE *script, uint64_t size)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	unsigned int unit = 0;

	for (; size >= 1024 && size % 1024 == 0 && unit + 1 < sizeof(units) / sizeof(units[0]);
		unit++)
		size /= 1024;
	fprintf(script, "%llu %s", (unsigned long long)size, units[unit]);
}

static void
write_title(FILE *script, struct json_object *row)
{
	fprintf(script, "title \"%s, ", op_of(row));
	write_size(script, (uint64_t)number(row, "size"));
	write_side(script, row);
	fputc('"', script);
}

/* Write the data of each row as a separate named block. */
static void
write_data(FILE *script, const struct plot *plot, const struct json_object *rows)
{
	for (size_t i = 0; i < plot->curve_count; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct json_object *intervals = intervals_of(row);

		if (plot->curves[i] != NULL)
			fprintf(script, "$latency%zu << EOD\n%sEOD\n", i, plot->curves[i]);
		if (intervals == NULL)
			continue;
		fprintf(script, "$time%zu << EOD\n", i);
		for (size_t k = 0; k < json_object_array_length(intervals); k++) {
			struct json_object *part = json_object_array_get_idx(intervals, k);

			/*
			 * Skip a short last interval, because it contains only operations that
			 * completed after the end.
			 */
			if (number(part, "seconds") * 4 >
				number(json_object_array_get_idx(intervals, 0), "seconds"))
				fprintf(script, "%.6g %.9g %d\n", number(part, "end"),
					number(part, "mops") * 1e6,
					number(part, "retransmitted") + number(part, "drops") > 0);
		}
		fprintf(script, "EOD\n");
	}
}

/* @return true if a row has data for this panel */
static bool
has_data(const struct plot *plot, const struct json_object *rows, enum panel panel, size_t i)
{
	struct json_object *row = json_object_array_get_idx(rows, i);

	if (panel == PANEL_LATENCY)
		return plot->curves[i] != NULL;
	return intervals_of(row) != NULL && number(row, "ops") > 0;
}

/* @return true if row i is the first row of an operation that was measured with several sizes */
static bool
begins_sweep(const struct json_object *rows, size_t count, size_t i)
{
	struct json_object *row = json_object_array_get_idx(rows, i);
	bool has_more = false;

	for (size_t k = 0; k < count; k++) {
		struct json_object *other = json_object_array_get_idx(rows, k);

		if (!is_same_load(other, row))
			continue;
		if (k < i)
			return false;
		has_more |= number(other, "size") != number(row, "size");
	}
	return has_more;
}

static bool
panel_has_data(const struct plot *plot, const struct json_object *rows, enum panel panel)
{
	for (size_t i = 0; i < plot->curve_count; i++)
		if (panel == PANEL_SIZE ? begins_sweep(rows, plot->curve_count, i)
					: has_data(plot, rows, panel, i))
			return true;
	return false;
}

/*
 * If there are too many rows, draw only some of them, evenly spaced. @return true if this row is
 * drawn
 */
static bool
is_chosen(size_t index, size_t count)
{
	if (count <= CURVES_MAX)
		return true;
	for (size_t k = 0; k < CURVES_MAX; k++)
		if (index == k * (count - 1) / (CURVES_MAX - 1))
			return true;
	return false;
}

static size_t
count_rows(const struct plot *plot, const struct json_object *rows, enum panel panel)
{
	size_t count = 0;

	for (size_t i = 0; i < plot->curve_count; i++)
		count += has_data(plot, rows, panel, i);
	return count;
}

/* Draw the curves of the rows. A row has the same colour in both panels. */
static void
write_curves(
	FILE *script, const struct plot *plot, const struct json_object *rows, enum panel panel)
{
	const size_t count = count_rows(plot, rows, panel);
	const char *separator = "plot ";
	size_t index = 0, curve = 0;

	for (size_t i = 0; i < plot->curve_count; i++) {
		if (!has_data(plot, rows, panel, i) || !is_chosen(index++, count))
			continue;
		fprintf(script, "%s$%s%zu using 1:2 with %s ", separator,
			panel == PANEL_LATENCY ? "latency" : "time", i,
			panel == PANEL_LATENCY ? "lines" : "linespoints pt 7 ps 0.4");
		picture_write_style(script, curve++);
		fputc(' ', script);
		write_title(script, json_object_array_get_idx(rows, i));
		separator = ", ";
	}
	index = 0;
	for (size_t i = 0; panel == PANEL_TIME && i < plot->curve_count; i++)
		if (has_data(plot, rows, panel, i) && is_chosen(index++, count))
			fprintf(script,
				", $time%zu using 1:($3 > 0 ? $2 : NaN) with points pt 2 ps 1 "
				"lc rgb \"#cc0000\" lw 2 notitle",
				i);
	/* This point draws nothing. Its legend line explains the crosses of all rows. */
	if (panel == PANEL_TIME)
		fprintf(script,
			", NaN with points pt 2 ps 1 lc rgb \"#cc0000\" lw 2 title \"packets "
			"retransmitted or dropped\"");
	fputc('\n', script);
}

static void
write_latency_panel(FILE *script, const struct plot *plot, const struct json_object *rows)
{
	const size_t count = count_rows(plot, rows, PANEL_LATENCY);

	fprintf(script, "set title \"Latency of messages");
	if (count > CURVES_MAX)
		fprintf(script, " (%u of %zu rows)", CURVES_MAX, count);
	fprintf(script,
		"\"\nset xlabel \"percentile\"\nset ylabel \"latency in us\"\n"
		"set logscale x 10\nset logscale y 10\nset format y \"%%g\"\n"
		"set xtics (\"50 %%%%\" 2, \"90 %%%%\" 10, \"99 %%%%\" 100, \"99.9 %%%%\" "
		"1000, "
		"\"99.99 %%%%\" 1e4, \"99.999 %%%%\" 1e5, \"99.9999 %%%%\" 1e6, \"99.99999 %%%%\" "
		"1e7)\n"
		"set xrange [1:*]\n");
	write_curves(script, plot, rows, PANEL_LATENCY);
	fprintf(script, "unset logscale\nset xtics auto\nset format y \"%%h\"\nset xrange [*:*]\n");
}

static void
write_time_panel(FILE *script, const struct plot *plot, const struct json_object *rows)
{
	fprintf(script,
		"set title \"Rate over time\"\nset xlabel \"seconds since the start\"\n"
		"set ylabel \"operations per second\"\nset format y \"%%.1s%%c\"\n"
		"set xrange [0:*]\nset yrange [0:*]\n");
	write_curves(script, plot, rows, PANEL_TIME);
	fprintf(script, "set xrange [*:*]\nset yrange [*:*]\nset format y \"%%h\"\n");
}

/*
 * Write the rows of one operation, over size. Size 0 is omitted, because the axis is logarithmic.
 */
static void
write_sweep_data(FILE *script, const struct json_object *rows, size_t count, size_t first)
{
	struct json_object *begin = json_object_array_get_idx(rows, first);

	fprintf(script, "$size%zu << EOD\n", first);
	for (size_t i = first; i < count; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (is_same_load(row, begin) && number(row, "size") > 0 && number(row, "ops") > 0)
			fprintf(script, "%.0f %.6g %.6g\n", number(row, "size"),
				number(row, "gbps"), median_us(row));
	}
	fprintf(script, "EOD\n");
}

/*
 * Draw the two curves of a sweep, rate and latency. Operations that the peer posted may lack
 * latency.
 */
static void
write_sweep(FILE *script, struct json_object *row, size_t first, const char *colour)
{
	fprintf(script,
		"$size%zu using 1:2 with linespoints pt 7 ps 0.6 lw 2 lc rgb \"%s\" title \"%s",
		first, colour, op_of(row));
	write_side(script, row);
	fputs(", Gbit/s\"", script);
	if (median_us(row) <= 0)
		return;
	fprintf(script,
		", $size%zu using 1:3 axes x1y2 with linespoints pt 6 ps 0.6 lw 2 dt 2 lc rgb "
		"\"%s\" title \"%s",
		first, colour, op_of(row));
	write_side(script, row);
	fputs(", latency\"", script);
}

static void
write_size_panel(FILE *script, const struct plot *plot, const struct json_object *rows)
{
	const char *separator = "plot ";
	double least = SIZE_TIC_MAX, most = 1;
	size_t curve = 0;

	for (size_t i = 0; i < plot->curve_count; i++) {
		const double size = number(json_object_array_get_idx(rows, i), "size");

		least = size > 0 && size < least ? size : least;
		most = size > most ? size : most;
	}
	for (size_t i = 0; i < plot->curve_count; i++)
		if (begins_sweep(rows, plot->curve_count, i))
			write_sweep_data(script, rows, plot->curve_count, i);
	fprintf(script,
		"set title \"Rate and median latency over size\"\n"
		"set xlabel \"message size\"\nset ylabel \"Gbit/s (solid lines)\"\n"
		"set y2label \"median latency in us (dashed)\"\n"
		"set logscale x 2\nset logscale y2 10\n"
		"set xrange [%g:%g]\nset format y2 \"%%g\"\nset ytics nomirror\nset y2tics\nset "
		"yrange [0:*]\n",
		least / 1.1, most * 1.1);
	/* Label only every second power of two, so that the labels do not overlap. */
	fprintf(script, "set xtics (");
	for (uint64_t size = 1; size <= SIZE_TIC_MAX; size *= 4) {
		fprintf(script, "%s\"", size > 1 ? ", " : "");
		write_size(script, size);
		fprintf(script, "\" %llu", (unsigned long long)size);
	}
	fprintf(script, ")\n");
	for (size_t i = 0; i < plot->curve_count; i++) {
		if (!begins_sweep(rows, plot->curve_count, i))
			continue;
		fputs(separator, script);
		write_sweep(script, json_object_array_get_idx(rows, i), i, picture_colour(curve++));
		separator = ", ";
	}
	fputc('\n', script);
}

struct drawing {
	const struct plot *plot;
	const struct json_object *rows;
};

static void
write_script(FILE *script, const struct picture *picture, const void *arg)
{
	static void (*const writers[PANEL_COUNT])(
		FILE *, const struct plot *, const struct json_object *) = {
		[PANEL_LATENCY] = write_latency_panel,
		[PANEL_TIME] = write_time_panel,
		[PANEL_SIZE] = write_size_panel,
	};
	const struct drawing *drawing = arg;
	const struct plot *plot = drawing->plot;
	struct json_object *row = json_object_array_get_idx(drawing->rows, 0);
	bool has_panel[PANEL_COUNT];
	char title[128];
	int panels = 0;

	for (int i = 0; i < PANEL_COUNT; i++) {
		has_panel[i] = panel_has_data(plot, drawing->rows, (enum panel)i);
		panels += has_panel[i];
	}
	snprintf(title, sizeof(title), "ndpmd, queue pairs: %.0f, depth: %.0f", number(row, "qps"),
		number(row, "depth"));
	write_data(script, plot, drawing->rows);
	picture_write_frame(script, picture, panels, title);
	for (int i = 0; i < PANEL_COUNT; i++)
		if (has_panel[i])
			writers[i](script, plot, drawing->rows);
}

bool
plot_close(struct plot *plot, const struct json_object *rows, char *why, size_t size)
{
	const struct drawing drawing = {plot, rows};
	bool drawn;

	if (plot->picture.path == NULL)
		return true;
	drawn = picture_close(&plot->picture,
		panel_has_data(plot, rows, PANEL_LATENCY) ? write_script : NULL, &drawing, why,
		size);
	for (size_t i = 0; i < plot->curve_count; i++)
		free(plot->curves[i]);
	free(plot->curves);
	*plot = (struct plot){0};
	return drawn;
}
