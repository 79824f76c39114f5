/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/option.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "kit/value.h"

/* getopt returns ROW_BASE plus the row for a long option, which differs from all short options. */
#define ROW_BASE      256
/* If max is at least this value, messages about the range do not contain max. */
#define UNLIMITED     (UINT64_MAX >> 1)
#define EXPECTED_SIZE 192

bool
option_fail(char *why, size_t size, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(why, size, format, list);
	va_end(list);
	return false;
}

/* An option's row, and the base that is added to the row's member offset. */
struct place {
	const struct option_row *row;
	size_t base;
};

static size_t
list_rows(const struct option_set *set, struct place places[OPTION_ROWS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < set->tables[i].count; k++) {
			assert(count < OPTION_ROWS_MAX);
			places[count++] = (struct place){
				.row = &set->tables[i].rows[k],
				.base = set->tables[i].base,
			};
		}
	return count;
}

static bool
is_letter(const struct option_row *row)
{
	return row->name[1] == '\0';
}

/*
 * Write the short options for getopt. The character ":" lets getopt distinguish a missing value
 * from an unknown option. The character "+" prevents reordering of the arguments.
 */
static void
list_letters(const struct place *places, size_t count, char *letters)
{
	*letters++ = '+';
	*letters++ = ':';
	for (size_t i = 0; i < count; i++) {
		if (!is_letter(places[i].row))
			continue;
		*letters++ = places[i].row->name[0];
		if (places[i].row->value != NULL)
			*letters++ = ':';
	}
	*letters = '\0';
}

static void
list_words(const struct place *places, size_t count, struct option *words)
{
	for (size_t i = 0; i < count; i++) {
		const struct option_row *row = places[i].row;

		if (is_letter(row))
			continue;
		*words++ = (struct option){
			.name = row->name,
			.has_arg = row->optional     ? optional_argument
				: row->value != NULL ? required_argument
						     : no_argument,
			.val = ROW_BASE + (int)i,
		};
	}
}

static const struct place *
find_row(const struct place *places, size_t count, int value)
{
	if (value >= ROW_BASE)
		return &places[value - ROW_BASE];
	for (size_t i = 0; i < count; i++)
		if (is_letter(places[i].row) && places[i].row->name[0] == value)
			return &places[i];
	return NULL;
}

static void
store(void *member, size_t bytes, uint64_t value)
{
	switch (bytes) {
	case sizeof(uint8_t):
		*(uint8_t *)member = (uint8_t)value;
		break;
	case sizeof(uint16_t):
		*(uint16_t *)member = (uint16_t)value;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)member = (uint32_t)value;
		break;
	default:
		*(uint64_t *)member = value;
		break;
	}
}

static bool
read_number(const struct option_row *row, const char *text, uint64_t *value)
{
	switch (row->kind) {
	case OPTION_SIZE:
		return value_size(text, row->max, value) && *value >= row->min;
	case OPTION_SECONDS:
		return value_seconds(text, value) && *value >= row->min;
	case OPTION_CHOICE:
		for (*value = 0; row->choices[*value] != NULL; (*value)++)
			if (strcmp(text, row->choices[*value]) == 0)
				return true;
		return false;
	case OPTION_POWER:
		return value_number(text, row->max, value) && *value >= row->min &&
			(*value & (*value - 1)) == 0;
	case OPTION_NUMBER:
	case OPTION_FLAG:
	case OPTION_MODE:
	case OPTION_ADDRESS:
	case OPTION_CALL:
	case OPTION_REFUSED:
		break;
	}
	return value_number(text, row->max, value) && *value >= row->min;
}

/* Set a mode. The function refuses a mode that differs from a mode that was set earlier. */
static bool
take_mode(const struct option_row *row, unsigned int *mode)
{
	if (*mode != 0 && *mode != row->min)
		return false;
	*mode = (unsigned int)row->min;
	return true;
}

static bool
take(const struct place *place, uint8_t *options, const char *text)
{
	const struct option_row *row = place->row;
	uint8_t *from = options + place->base;
	uint64_t value;

	if (row->given != 0)
		*(bool *)(from + row->given) = true;
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)(from + row->offset) = true;
		return true;
	case OPTION_MODE:
		return take_mode(row, (unsigned int *)(from + row->offset));
	case OPTION_ADDRESS:
		return value_address(text, (struct sockaddr_storage *)(from + row->offset));
	case OPTION_CALL:
		return row->take(from, text);
	case OPTION_REFUSED:
		return false;
	case OPTION_NUMBER:
	case OPTION_SIZE:
	case OPTION_POWER:
	case OPTION_SECONDS:
	case OPTION_CHOICE:
		break;
	}
	if (!read_number(row, text, &value))
		return false;
	store(from + row->offset, row->bytes, value);
	return true;
}

/* Append text, truncated to the size of the buffer. */
static void
append(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void
append(char *to, size_t size, const char *format, ...)
{
	const size_t length = strlen(to);
	va_list list;

	va_start(list, format);
	vsnprintf(to + length, size - length, format, list);
	va_end(list);
}

static const char *
separator(uint64_t index, bool last)
{
	return index == 0 ? "" : last ? " or " : ", ";
}

static void
append_size(char *to, size_t size, uint64_t value)
{
	static const char units[] = {'K', 'M', 'G'};
	int unit = -1;

	while (unit < 2 && value > 0 && value % 1024 == 0) {
		value /= 1024;
		unit++;
	}
	if (unit >= 0)
		append(to, size, "%llu%c", (unsigned long long)value, units[unit]);
	else
		append(to, size, "%llu", (unsigned long long)value);
}

static void
append_range(const struct option_row *row, char *to, size_t size)
{
	if (row->max >= UNLIMITED) {
		append(to, size, "a number above %llu", (unsigned long long)row->min - 1);
	} else if (row->kind == OPTION_SIZE) {
		append_size(to, size, row->min);
		append(to, size, " to ");
		append_size(to, size, row->max);
		append(to, size, ", suffix %s allowed",
			row->max >= 1u << 30           ? "K, M or G"
				: row->max >= 1u << 20 ? "K or M"
						       : "K");
	} else {
		append(to, size, "%llu to %llu", (unsigned long long)row->min,
			(unsigned long long)row->max);
	}
}

/* Write the text about the expected values for the message about an invalid value. */
static void
write_expected(const struct option_row *row, char *to, size_t size)
{
	to[0] = '\0';
	if (row->expected != NULL) {
		append(to, size, "%s", row->expected);
		return;
	}
	switch (row->kind) {
	case OPTION_NUMBER:
	case OPTION_SIZE:
		append_range(row, to, size);
		break;
	case OPTION_POWER:
		for (uint64_t power = row->min; power <= row->max; power *= 2)
			append(to, size, "%s%llu",
				separator(power - row->min, power * 2 > row->max),
				(unsigned long long)power);
		break;
	case OPTION_SECONDS:
		append(to, size, "a number of seconds%s", row->min > 0 ? " above 0" : "");
		break;
	case OPTION_CHOICE:
		for (size_t i = 0; row->choices[i] != NULL; i++)
			append(to, size, "%s%s", separator(i, row->choices[i + 1] == NULL),
				row->choices[i]);
		break;
	case OPTION_ADDRESS:
		append(to, size, "an IPv4 or IPv6 address");
		break;
	case OPTION_FLAG:
	case OPTION_MODE:
	case OPTION_CALL:
	case OPTION_REFUSED:
		break;
	}
}

static bool
refuse(const struct option_row *row, const char *text, char *why, size_t size)
{
	const char *dashes = is_letter(row) ? "-" : "--";
	char expected[EXPECTED_SIZE];

	write_expected(row, expected, sizeof(expected));
	if (row->kind == OPTION_MODE)
		return option_fail(why, size, "%s", expected);
	if (row->kind == OPTION_REFUSED)
		return option_fail(why, size, "%s%s %s", dashes, row->name, expected);
	return option_fail(why, size, "%s%s%s%s is not valid: expected %s", dashes, row->name,
		is_letter(row) ? " " : "=", text != NULL ? text : "", expected);
}

/* All rows of an option set, converted to the formats of getopt. */
struct scan {
	struct place places[OPTION_ROWS_MAX];
	struct option words[OPTION_ROWS_MAX + 1];
	char letters[2 * OPTION_ROWS_MAX + 3];
	size_t count;
};

static void
start_scan(struct scan *scan, const struct option_set *set)
{
	memset(scan, 0, sizeof(*scan));
	scan->count = list_rows(set, scan->places);
	list_letters(scan->places, scan->count, scan->letters);
	list_words(scan->places, scan->count, scan->words);
	opterr = 0;
	/*
	 * Reset getopt, because EAL has used it before. GNU's getopt needs 0 for a full reset, not
	 * 1.
	 */
	optind = 0;
}

static bool
option_fail_at(const struct scan *scan, int value, const char *argument, const char *hint,
	char *why, size_t size)
{
	if (value == ':')
		return option_fail(why, size, "option '%s' needs a value", argument);
	if (optopt >= ROW_BASE)
		return option_fail(why, size, "option '%s' takes no value",
			find_row(scan->places, scan->count, optopt)->row->name);
	return option_fail(why, size, "unknown option '%s': see --help%s", argument, hint);
}

bool
option_parse(const struct option_set *set, void *options, int count, char *const arguments[],
	char *why, size_t size)
{
	struct scan scan;

	start_scan(&scan, set);
	for (;;) {
		const int taken = optind == 0 ? 1 : optind;
		const int value = getopt_long(count, arguments, scan.letters, scan.words, NULL);
		const struct place *place;

		if (value == -1)
			break;
		if (value == ':' || value == '?')
			return option_fail_at(&scan, value, arguments[taken],
				"; arguments of EAL go before the --", why, size);
		place = find_row(scan.places, scan.count, value);
		if (!take(place, options, optarg))
			return refuse(place->row, optarg, why, size);
	}
	if (optind < count)
		return option_fail(
			why, size, "unexpected argument '%s': see --help", arguments[optind]);
	return true;
}

int
option_parse_operands(const struct option_set *set, void *options, int count, char *arguments[],
	char *why, size_t size)
{
	struct scan scan;

	start_scan(&scan, set);
	for (;;) {
		/*
		 * "+ 1" skips the prefix "+" of the letters, so getopt accepts options after
		 * operands.
		 */
		const int value = getopt_long(count, arguments, scan.letters + 1, scan.words, NULL);
		const struct place *place;

		if (value == -1)
			break;
		if (value == ':' || value == '?') {
			const char letter[] = {'-', (char)optopt, '\0'};
			const bool is_short = optopt > 0 && optopt < ROW_BASE;

			option_fail_at(&scan, value, is_short ? letter : arguments[optind - 1], "",
				why, size);
			return -1;
		}
		place = find_row(scan.places, scan.count, value);
		if (!take(place, options, optarg)) {
			refuse(place->row, optarg, why, size);
			return -1;
		}
	}
	return optind;
}

static void
print_row(const struct option_row *row, int column, FILE *stream)
{
	const char *value = row->value != NULL ? row->value : "";
	const char *line = row->help, *end;
	char text[64];

	if (is_letter(row))
		snprintf(text, sizeof(text), "-%s %s", row->name, value);
	else if (row->optional)
		snprintf(text, sizeof(text), "--%s[=%s]", row->name, value);
	else
		snprintf(text, sizeof(text), "--%s%s%s", row->name, *value != '\0' ? "=" : "",
			value);
	fprintf(stream, "  %-*s", column - 3, text);
	for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
		fprintf(stream, " %.*s\n%*s", (int)(end - line), line, column - 1, "");
	fprintf(stream, " %s\n", line);
}

void
option_print_help(const struct option_set *set, FILE *stream)
{
	struct place places[OPTION_ROWS_MAX];
	const size_t count = list_rows(set, places);

	for (size_t i = 0; i < count; i++)
		if (places[i].row->kind != OPTION_REFUSED)
			print_row(places[i].row, set->help_column, stream);
}
