/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * Formats of Microsoft's printf().
 *
 * Each conversion is split into its parts. Numbers are printed by snprintf() with the sizes of
 * Windows. Text is converted here, because conversion in the C library depends on the locale. %n is
 * refused, as on Windows.
 */

#include "win/format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "win/wide.h"

/** A conversion: %[flags][width][.precision][size]letter */
struct spec {
	char flags[8];
	int width;     /**< 0: no width */
	int precision; /**< -1: no precision */
	bool left;
	enum {
		SIZE_NONE,
		SIZE_SHORT,
		SIZE_LONG,
		SIZE_64,
		SIZE_POINTER,
		SIZE_LONG_DOUBLE,
	} size;
	char letter;
};

void
win_text_free(struct win_text *text)
{
	free(text->bytes);
	text->bytes = NULL;
}

/**
 * Reserve space for more bytes and the terminator.
 * @return position of the new bytes; NULL: out of memory
 */
static char *
text_reserve(struct win_text *text, size_t length)
{
	size_t size = text->size;
	char *bytes;

	if (text->failed || length > SIZE_MAX / 4 - text->length) {
		text->failed = true;
		return NULL;
	}
	while (size < text->length + length + 1)
		size = size < 64 ? 64 : size * 2;
	if (size > text->size) {
		bytes = realloc(text->bytes, size);
		if (!bytes) {
			text->failed = true;
			return NULL;
		}
		text->bytes = bytes;
		text->size = size;
	}
	return text->bytes + text->length;
}

static void
text_append(struct win_text *text, const char *bytes, size_t length)
{
	char *to = text_reserve(text, length);

	if (!to)
		return;
	memcpy(to, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

static void
text_fill(struct win_text *text, size_t count)
{
	char *to = text_reserve(text, count);

	if (!to)
		return;
	memset(to, ' ', count);
	text->length += count;
	text->bytes[text->length] = '\0';
}

/** Maximum width or precision. Larger values are reduced to this value. */
#define NUMBER_MAX 999999

/**
 * Read a width or precision: digits in the format, or '*' for an argument, which may be negative.
 */
static const char *
parse_number(const char *at, va_list *args, int *number)
{
	*number = 0;
	if (*at == '*') {
		*number = va_arg(*args, int);
		if (*number > NUMBER_MAX)
			*number = NUMBER_MAX;
		if (*number < -NUMBER_MAX)
			*number = -NUMBER_MAX;
		return at + 1;
	}
	for (; *at >= '0' && *at <= '9'; at++) {
		*number = *number * 10 + (*at - '0');
		if (*number > NUMBER_MAX)
			*number = NUMBER_MAX;
	}
	return at;
}

static const char *
parse_size(const char *at, struct spec *spec)
{
	static const struct {
		const char *name;
		int size;
	} sizes[] = {
		{"I64", SIZE_64},
		{"I32", SIZE_NONE},
		{"I", SIZE_POINTER},
		{"hh", SIZE_SHORT},
		{"h", SIZE_SHORT},
		{"ll", SIZE_64},
		{"l", SIZE_LONG},
		{"w", SIZE_LONG},
		{"z", SIZE_POINTER},
		{"t", SIZE_POINTER},
		{"j", SIZE_64},
		{"L", SIZE_LONG_DOUBLE},
	};

	spec->size = SIZE_NONE;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t length = strlen(sizes[i].name);

		if (strncmp(at, sizes[i].name, length) == 0) {
			spec->size = sizes[i].size;
			return at + length;
		}
	}
	return at;
}

/** Parse a conversion after its %. @return position after the conversion */
static const char *
parse(const char *at, va_list *args, struct spec *spec)
{
	size_t flags = strspn(at, "-+ 0#");

	spec->left = memchr(at, '-', flags) != NULL;
	for (size_t i = 0; i < sizeof(spec->flags); i++)
		spec->flags[i] = '\0';
	for (size_t i = 0; i < flags && i + 1 < sizeof(spec->flags); i++)
		spec->flags[i] = at[i];
	at = parse_number(at + flags, args, &spec->width);
	if (spec->width < 0) {
		spec->left = true;
		spec->width = -spec->width;
	}
	spec->precision = -1;
	if (*at == '.')
		at = parse_number(at + 1, args, &spec->precision);
	if (spec->precision < 0)
		spec->precision = -1;
	at = parse_size(at, spec);
	spec->letter = *at;
	return *at ? at + 1 : at;
}

/** Print a number with snprintf(), in the format of spec with the size modifier of Linux. */
#define PRINT(text, spec, size_name, value)                                                        \
	do {                                                                                       \
		char format_[24];                                                                  \
		char *to_;                                                                         \
		int length_;                                                                       \
		snprintf(format_, sizeof(format_), "%%%s%s*.*" size_name "%c", (spec)->flags,      \
			(spec)->left && !strchr((spec)->flags, '-') ? "-" : "", (spec)->letter);   \
		length_ = snprintf(NULL, 0, format_, (spec)->width, (spec)->precision, value);     \
		to_ = length_ < 0 ? NULL : text_reserve(text, (size_t)length_);                    \
		if (to_) {                                                                         \
			snprintf(to_, (size_t)length_ + 1, format_, (spec)->width,                 \
				(spec)->precision, value);                                         \
			(text)->length += (size_t)length_;                                         \
		}                                                                                  \
	} while (0)

static void
format_integer(struct win_text *text, const struct spec *spec, va_list *args)
{
	if (spec->size == SIZE_64 || spec->size == SIZE_POINTER) {
		long long value = va_arg(*args, long long);

		PRINT(text, spec, "ll", value);
	} else {
		int value = va_arg(*args, int);

		if (spec->size == SIZE_SHORT)
			PRINT(text, spec, "h", value);
		else
			PRINT(text, spec, "", value);
	}
}

static void
format_float(struct win_text *text, const struct spec *spec, va_list *args)
{
	if (spec->size == SIZE_LONG_DOUBLE) {
		long double value = va_arg(*args, long double);

		PRINT(text, spec, "L", value);
	} else {
		double value = va_arg(*args, double);

		PRINT(text, spec, "", value);
	}
}

/** Append text, padded to the width of a conversion. columns: width of the text */
static void
append_padded(struct win_text *text, const struct spec *spec, const char *bytes, size_t length,
	size_t columns)
{
	size_t fill = (size_t)spec->width > columns ? (size_t)spec->width - columns : 0;

	if (!spec->left)
		text_fill(text, fill);
	text_append(text, bytes, length);
	if (spec->left)
		text_fill(text, fill);
}

static void
format_wide_string(struct win_text *text, const struct spec *spec, const wchar_t *from)
{
	struct win_text part = {.bytes = NULL};
	size_t most = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
	size_t columns = 0;

	for (; columns < most && from[columns]; columns++) {
		char letter[WIN_UTF8_MAX];

		text_append(&part, letter, win_utf8_encode(letter, from[columns]));
	}
	append_padded(text, spec, part.bytes ? part.bytes : "", part.length, columns);
	text->failed |= part.failed;
	win_text_free(&part);
}

static void
format_narrow_string(
	struct win_text *text, const struct spec *spec, const char *from, bool count_letters)
{
	size_t length = spec->precision < 0 ? strlen(from) : strnlen(from, (size_t)spec->precision);
	size_t columns = length;

	if (count_letters) {
		columns = 0;
		for (size_t i = 0; i < length; i++)
			columns += ((unsigned char)from[i] & 0xC0) != 0x80;
	}
	append_padded(text, spec, from, length, columns);
}

static void
format_text(struct win_text *text, const struct spec *spec, va_list *args, bool wide)
{
	bool other = spec->letter == 'S' || spec->letter == 'C';
	bool is_wide = spec->size == SIZE_LONG || (spec->size != SIZE_SHORT && wide != other);

	if (spec->letter == 'c' || spec->letter == 'C') {
		int letter = va_arg(*args, int);
		char narrow[WIN_UTF8_MAX] = {(char)letter};
		size_t length = is_wide ? win_utf8_encode(narrow, (wchar_t)letter) : 1;

		append_padded(text, spec, narrow, length, 1);
	} else if (is_wide) {
		const wchar_t *from = va_arg(*args, const wchar_t *);

		format_wide_string(text, spec, from ? from : L"(null)");
	} else {
		const char *from = va_arg(*args, const char *);

		format_narrow_string(text, spec, from ? from : "(null)", wide);
	}
}

static void
format_pointer(struct win_text *text, const struct spec *spec, va_list *args)
{
	char number[2 * sizeof(void *) + 1];
	int length = snprintf(number, sizeof(number), "%0*llX", (int)(2 * sizeof(void *)),
		(unsigned long long)(uintptr_t)va_arg(*args, void *));

	append_padded(text, spec, number, (size_t)length, (size_t)length);
}

void
win_format(struct win_text *text, const char *format, va_list list, bool wide)
{
	va_list args;

	va_copy(args, list);
	while (*format && !text->failed) {
		size_t plain = strcspn(format, "%");
		const char *start = format + plain;
		struct spec spec;

		text_append(text, format, plain);
		if (!*start)
			break;
		format = parse(start + 1, &args, &spec);
		if (spec.letter && strchr("diouxX", spec.letter))
			format_integer(text, &spec, &args);
		else if (spec.letter && strchr("aAeEfFgG", spec.letter))
			format_float(text, &spec, &args);
		else if (spec.letter && strchr("cCsS", spec.letter))
			format_text(text, &spec, &args, wide);
		else if (spec.letter == 'p')
			format_pointer(text, &spec, &args);
		else if (spec.letter == '%')
			text_append(text, "%", 1);
		else
			text_append(text, start, (size_t)(format - start));
	}
	va_end(args);
}
