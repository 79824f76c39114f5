/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "report.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <json-c/json.h>

#include "csv.h"

static const struct {
	const char *key, *title;
	uint32_t per_100000;
} percentiles[] = {
	{"p50", "p50/us", 50000},
	{"p90", "p90/us", 90000},
	{"p99", "p99/us", 99000},
	{"p999", "p99.9/us", 99900},
	{"max", "max/us", 100000},
};

#define PERCENTILE_COUNT (sizeof(percentiles) / sizeof(percentiles[0]))

static bool
open_file(const char *path, FILE **file, char *why, size_t size)
{
	if (path == NULL)
		return true;
	*file = fopen(path, "w");
	if (*file == NULL)
		snprintf(why, size, "%s cannot be written: %s", path, strerror(errno));
	return *file != NULL;
}

bool
report_open(struct report *report, const struct options *options, char *why, size_t size)
{
	memset(report, 0, sizeof(*report));
	report->options = options;
	if (options->json || options->csv || options->plot_path != NULL)
		report->rows = json_object_new_array();
	return open_file(options->json_path, &report->json_file, why, size) &&
		open_file(options->csv_path, &report->csv_file, why, size) &&
		plot_open(&report->plot, options->plot_path, why, size);
}

static double
rate(double count, double seconds)
{
	return seconds > 0 ? count / seconds : 0;
}

static double
row_mops(const struct report_row *row)
{
	return rate((double)row->ops / 1e6, row->seconds);
}

static double
row_gbps(const struct report_row *row)
{
	return rate((double)row->ops * row->size_bytes * 8 / 1e9, row->seconds);
}

/*
 * Print a value in 9 columns with four decimals, or with more decimals if four decimals show fewer
 * than three significant digits.
 */
static void
print_rate(double value)
{
	if (value >= 0.01 || value == 0)
		printf(" %9.4f", value);
	else if (value >= 0.00001)
		printf(" %9.7f", value);
	else
		printf(" %9.2e", value);
}

static const struct {
	const char *key, *title;
	size_t offset;
	int width;
} loss_columns[] = {
	{"retransmitted", "retrans", offsetof(struct losses, retransmitted), 8},
	{"probes", "probes", offsetof(struct losses, probes), 6},
	{"naks", "NAKs", offsetof(struct losses, naks), 5},
	{"rnrs", "RNRs", offsetof(struct losses, rnrs), 5},
	{"drops", "drops", offsetof(struct losses, drops), 6},
};

#define LOSS_COUNT (sizeof(loss_columns) / sizeof(loss_columns[0]))

static uint64_t
loss(const struct report_row *row, size_t column)
{
	return *(const uint64_t *)((const uint8_t *)&row->losses + loss_columns[column].offset);
}

/*
 * Print name and size in 16 shared columns. Both fit, because operations with long names have short
 * messages.
 */
static void
print_load(const char *name, const struct report_row *row)
{
	printf("%s %*u %6u %5u %8.3f", name, 15 - (int)strlen(name), row->size_bytes, row->depth,
		row->qps, row->seconds);
	print_rate(row_mops(row));
	print_rate(row_gbps(row));
}

static void
print_percentiles(const struct histogram *histogram)
{
	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		if (histogram == NULL)
			printf(" %9s", "-");
		else
			printf(" %9.2f",
				(double)histogram_percentile(histogram, percentiles[i].per_100000) /
					1000);
	}
}

static void
print_row(const char *name, const struct report_row *row)
{
	print_load(name, row);
	printf(" %7llu", (unsigned long long)row->errors);
	print_percentiles(row->histogram);
	for (size_t i = 0; i < LOSS_COUNT; i++)
		printf(" %*llu", loss_columns[i].width, (unsigned long long)loss(row, i));
	printf("\n");
}

static struct report_row
row_of_part(const struct report_row *row, enum options_op op)
{
	struct report_row part = *row;

	part.op = op;
	part.histogram = &row->parts[op];
	part.ops = part.histogram->total;
	part.parts = NULL;
	return part;
}

/* Print a line for each operation of a mix. Only the row of the mix shows errors and losses. */
static void
print_parts(const struct report_row *row)
{
	for (unsigned int op = 0; row->parts != NULL && op < OPTIONS_OP_MIX; op++) {
		const struct report_row part = row_of_part(row, (enum options_op)op);
		char name[32];

		if (row->weights[op] == 0)
			continue;
		snprintf(name, sizeof(name), "+%s", options_op_name(part.op));
		print_load(name, &part);
		printf(" %7s", "-");
		print_percentiles(part.histogram);
		for (size_t i = 0; i < LOSS_COUNT; i++)
			printf(" %*s", loss_columns[i].width, "-");
		printf("\n");
	}
}

static void
print_header(void)
{
	printf("%-5s %10s %6s %5s %8s %9s %9s %7s", "op", "size", "depth", "qps", "seconds",
		"Mop/s", "Gbit/s", "errors");
	for (size_t i = 0; i < PERCENTILE_COUNT; i++)
		printf(" %9s", percentiles[i].title);
	for (size_t i = 0; i < LOSS_COUNT; i++)
		printf(" %*s", loss_columns[i].width, loss_columns[i].title);
	printf("\n");
}

static void
add_double(struct json_object *object, const char *key, const char *format, double value)
{
	char text[64];

	snprintf(text, sizeof(text), format, value);
	json_object_object_add(object, key, json_object_new_double_s(value, text));
}

static struct json_object *
make_latency(const struct histogram *histogram)
{
	struct json_object *latency = json_object_new_object();

	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		struct json_object *value = NULL;

		if (histogram != NULL)
			value = json_object_new_int64((int64_t)histogram_percentile(
				histogram, percentiles[i].per_100000));
		json_object_object_add(latency, percentiles[i].key, value);
	}
	return latency;
}

static void
add_rates(struct json_object *object, const struct report_row *row)
{
	json_object_object_add(object, "ops", json_object_new_int64((int64_t)row->ops));
	add_double(object, "mops", "%.9g", row_mops(row));
	add_double(object, "gbps", "%.9g", row_gbps(row));
}

static struct json_object *
make_object(const struct report_row *row)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "op", json_object_new_string(options_op_name(row->op)));
	json_object_object_add(object, "size", json_object_new_int64(row->size_bytes));
	json_object_object_add(object, "depth", json_object_new_int64(row->depth));
	json_object_object_add(object, "qps", json_object_new_int64(row->qps));
	json_object_object_add(object, "windows", json_object_new_int64(row->windows));
	add_double(object, "seconds", "%.9f", row->seconds);
	add_rates(object, row);
	json_object_object_add(object, "errors", json_object_new_int64((int64_t)row->errors));
	for (size_t i = 0; i < LOSS_COUNT; i++)
		json_object_object_add(
			object, loss_columns[i].key, json_object_new_int64((int64_t)loss(row, i)));
	json_object_object_add(object, "latency_ns", make_latency(row->histogram));
	return object;
}

static void
add_parts(struct json_object *object, const struct report_row *row)
{
	struct json_object *parts;

	if (row->parts == NULL)
		return;
	parts = json_object_new_array();
	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++) {
		const struct report_row part = row_of_part(row, (enum options_op)op);
		struct json_object *one;

		if (row->weights[op] == 0)
			continue;
		one = json_object_new_object();
		json_object_object_add(one, "op", json_object_new_string(options_op_name(part.op)));
		json_object_object_add(one, "weight", json_object_new_int64(row->weights[op]));
		add_rates(one, &part);
		json_object_object_add(one, "latency_ns", make_latency(part.histogram));
		json_object_array_add(parts, one);
	}
	json_object_object_add(object, "parts", parts);
}

/* Add the members that only a client's row has. */
static void
add_progress(struct json_object *object, const struct report_row *row)
{
	json_object_object_add(object, "posted", json_object_new_int64((int64_t)row->posted));
	json_object_object_add(
		object, "outstanding", json_object_new_int64((int64_t)row->outstanding));
	if (row->rate == 0)
		return;
	add_double(object, "rate", "%.9g", row->rate);
	json_object_object_add(object, "missed", json_object_new_int64((int64_t)row->missed));
}

struct json_object *
report_row_json(const struct report_row *row)
{
	struct json_object *object = make_object(row);

	if (row->posted_by != NULL)
		json_object_object_add(object, "posted_by", json_object_new_string(row->posted_by));
	if (row->histogram != NULL || row->rate > 0)
		add_progress(object, row);
	add_parts(object, row);
	return object;
}

void
report_losses(const struct report *report, struct losses *losses)
{
	losses_read(report->adapters, report->injected.inject, losses);
}

void
report_watch(struct report *report, const struct nd_adapter *first, const struct nd_adapter *second)
{
	report->adapters[0] = first;
	report->adapters[1] = second;
	report_losses(report, &report->losses);
}

static void
print_header_once(struct report *report)
{
	if (!report->has_header)
		print_header();
	report->has_header = true;
}

void
report_interval(struct report *report, const struct report_row *part, double end_seconds)
{
	struct json_object *object;
	char name[32];

	print_header_once(report);
	snprintf(name, sizeof(name), "@%.3f", end_seconds);
	print_row(name, part);
	fflush(stdout);
	if (report->rows == NULL)
		return;
	object = make_object(part);
	add_double(object, "end", "%.9f", end_seconds);
	if (report->intervals == NULL)
		report->intervals = json_object_new_array();
	json_object_array_add(report->intervals, object);
}

/* @return true if the peer, and not this side, posted the operations of the row */
static bool
has_come(const struct report *report, const struct report_row *row)
{
	const char *own = report->options->mode == OPTIONS_MODE_SERVER ? "server" : "client";

	return row->posted_by != NULL && strcmp(row->posted_by, own) != 0;
}

void
report_add(struct report *report, const struct report_row *row)
{
	struct report_row complete = *row;
	struct losses now;
	char name[32];

	report_losses(report, &now);
	if (!row->has_losses)
		complete.losses = losses_since(&now, &report->losses);
	report->losses = now;
	print_header_once(report);
	snprintf(name, sizeof(name), "%s%s", has_come(report, row) ? "<" : "",
		options_op_name(row->op));
	print_row(name, &complete);
	print_parts(row);
	fflush(stdout);
	if (report->rows == NULL) {
		injected_report(&report->injected, NULL, row->is_same_time);
		return;
	}
	struct json_object *object = report_row_json(&complete);

	if (report->intervals != NULL)
		json_object_object_add(object, "intervals", report->intervals);
	report->intervals = NULL;
	injected_report(&report->injected, object, row->is_same_time);
	plot_add(&report->plot, row->histogram);
	json_object_array_add(report->rows, object);
}

static void
write_json(FILE *stream, const struct json_object *rows)
{
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		fprintf(stream, "%s\n",
			json_object_to_json_string_ext(
				json_object_array_get_idx(rows, i), JSON_C_TO_STRING_PLAIN));
}

/* Close the file, unless it is standard output, which output_close() checks at the end. */
static bool
close_file(FILE *file, const char *path, char *why, size_t size)
{
	bool written;

	if (file == NULL)
		return true;
	written = fflush(file) == 0 && ferror(file) == 0;
	written &= fclose(file) == 0;
	if (!written)
		snprintf(why, size, "%s could not be written completely", path);
	return written;
}

bool
report_close(struct report *report, char *why, size_t size)
{
	const struct options *options = report->options;
	bool written;

	if (options->json)
		write_json(report->json_file != NULL ? report->json_file : stdout, report->rows);
	if (options->csv)
		csv_write(report->csv_file != NULL ? report->csv_file : stdout, report->rows);
	written = plot_close(&report->plot, report->rows, why, size);
	json_object_put(report->rows);
	report->rows = NULL;
	written &= close_file(report->json_file, options->json_path, why, size);
	return close_file(report->csv_file, options->csv_path, why, size) && written;
}
