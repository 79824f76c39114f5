/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * printf() and related functions with Microsoft's formats. All output is written to a stream as
 * bytes. So wide and narrow text may be mixed, which C does not allow for its own functions.
 */

#define NDWIN_NO_PRINTF

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ndpdk/win/print.h>

#include "win/format.h"
#include "win/wide.h"

static void
format_wide(struct win_text *text, const wchar_t *format, va_list args)
{
	char *narrow = win_utf8_of_wide(format);

	if (narrow)
		win_format(text, narrow, args, true);
	else
		text->failed = true;
	free(narrow);
}

/** Write a text to a stream, and free it. @return number of bytes; -1: failed */
static int
text_write(struct win_text *text, FILE *file)
{
	int length = -1;

	if (text->failed || text->length > INT_MAX)
		errno = text->failed ? ENOMEM : EOVERFLOW;
	else if (text->length == 0 || fwrite(text->bytes, 1, text->length, file) == text->length)
		length = (int)text->length;
	win_text_free(text);
	return length;
}

/** Copy a text, truncated to size, and free it. @return length of the text; -1: failed */
static int
text_copy(struct win_text *text, char *to, size_t size)
{
	int length = text->failed || text->length > INT_MAX ? -1 : (int)text->length;
	size_t n = text->length < size ? text->length : size - 1;

	if (size > 0) {
		if (n > 0 && text->bytes)
			memcpy(to, text->bytes, n);
		to[text->bytes ? n : 0] = '\0';
	}
	win_text_free(text);
	return length;
}

/** Copy wide text as text_copy() does. Length and size are in characters. */
static int
text_copy_wide(struct win_text *text, wchar_t *to, size_t size)
{
	wchar_t *wide = text->failed ? NULL : win_wide_of_utf8(text->bytes ? text->bytes : "");
	size_t length = wide ? wcslen(wide) : 0;
	size_t n = length < size ? length : size - 1;

	if (size > 0) {
		if (wide)
			wmemcpy(to, wide, n);
		to[wide ? n : 0] = L'\0';
	}
	free(wide);
	win_text_free(text);
	return wide && length <= INT_MAX ? (int)length : -1;
}

int
ndwin_vfprintf(FILE *file, const char *format, va_list args)
{
	struct win_text text = {.bytes = NULL};

	win_format(&text, format, args, false);
	return text_write(&text, file);
}

int
ndwin_vprintf(const char *format, va_list args)
{
	return ndwin_vfprintf(stdout, format, args);
}

int
ndwin_vfwprintf(FILE *file, const wchar_t *format, va_list args)
{
	struct win_text text = {.bytes = NULL};

	format_wide(&text, format, args);
	return text_write(&text, file);
}

int
ndwin_vwprintf(const wchar_t *format, va_list args)
{
	return ndwin_vfwprintf(stdout, format, args);
}

int
ndwin_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	struct win_text text = {.bytes = NULL};

	win_format(&text, format, args, false);
	return text_copy(&text, to, size);
}

/* If text is truncated, vsnprintf() of C returns the full length, but _vsnprintf() returns -1. */
int
_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	int length = ndwin_vsnprintf(to, size, format, args);

	return length >= 0 && (size_t)length < size ? length : -1;
}

int
vsprintf_s(char *to, size_t size, const char *format, va_list args)
{
	int length;

	if (!to || size == 0 || !format) {
		errno = EINVAL;
		return -1;
	}
	length = _vsnprintf(to, size, format, args);
	if (length < 0) {
		to[0] = '\0';
		errno = ERANGE;
	}
	return length;
}

int
ndwin_vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list args)
{
	struct win_text text = {.bytes = NULL};
	int length;

	format_wide(&text, format, args);
	length = text_copy_wide(&text, to, size);
	return length >= 0 && (size_t)length < size ? length : -1;
}

int
vswprintf_s(wchar_t *to, size_t size, const wchar_t *format, va_list args)
{
	int length;

	if (!to || size == 0 || !format) {
		errno = EINVAL;
		return -1;
	}
	length = ndwin_vswprintf(to, size, format, args);
	if (length < 0) {
		to[0] = L'\0';
		errno = ERANGE;
	}
	return length;
}

#define FORWARD(call)                                                                              \
	do {                                                                                       \
		va_list args;                                                                      \
		int length;                                                                        \
		va_start(args, format);                                                            \
		length = call;                                                                     \
		va_end(args);                                                                      \
		return length;                                                                     \
	} while (0)

int
ndwin_printf(const char *format, ...)
{
	FORWARD(ndwin_vfprintf(stdout, format, args));
}

int
ndwin_fprintf(FILE *file, const char *format, ...)
{
	FORWARD(ndwin_vfprintf(file, format, args));
}

int
ndwin_snprintf(char *to, size_t size, const char *format, ...)
{
	FORWARD(ndwin_vsnprintf(to, size, format, args));
}

int
_snprintf(char *to, size_t size, const char *format, ...)
{
	FORWARD(_vsnprintf(to, size, format, args));
}

int
sprintf_s(char *to, size_t size, const char *format, ...)
{
	FORWARD(vsprintf_s(to, size, format, args));
}

/**
 * Text longer than count is truncated. The truncation is no error if the buffer can hold count
 * characters.
 */
int
_snprintf_s(char *to, size_t size, size_t count, const char *format, ...)
{
	if (count >= size)
		FORWARD(count == (size_t)-1 ? _vsnprintf(to, size, format, args)
					    : vsprintf_s(to, size, format, args));
	FORWARD(_vsnprintf(to, count + 1, format, args));
}

int
ndwin_wprintf(const wchar_t *format, ...)
{
	FORWARD(ndwin_vfwprintf(stdout, format, args));
}

int
ndwin_fwprintf(FILE *file, const wchar_t *format, ...)
{
	FORWARD(ndwin_vfwprintf(file, format, args));
}

int
ndwin_swprintf(wchar_t *to, size_t size, const wchar_t *format, ...)
{
	FORWARD(ndwin_vswprintf(to, size, format, args));
}

int
_snwprintf(wchar_t *to, size_t size, const wchar_t *format, ...)
{
	FORWARD(ndwin_vswprintf(to, size, format, args));
}

int
swprintf_s(wchar_t *to, size_t size, const wchar_t *format, ...)
{
	FORWARD(vswprintf_s(to, size, format, args));
}

int
_snwprintf_s(wchar_t *to, size_t size, size_t count, const wchar_t *format, ...)
{
	if (count >= size)
		FORWARD(count == (size_t)-1 ? ndwin_vswprintf(to, size, format, args)
					    : vswprintf_s(to, size, format, args));
	FORWARD(ndwin_vswprintf(to, count + 1, format, args));
}

static int
write_wide(const wchar_t *wide, FILE *file)
{
	char *text = win_utf8_of_wide(wide);
	int result = text && fputs(text, file) >= 0 ? 0 : -1;

	free(text);
	return result;
}

int
ndwin_fputws(const wchar_t *wide, FILE *file)
{
	return write_wide(wide, file);
}

int
_putws(const wchar_t *wide)
{
	return write_wide(wide, stdout) < 0 || fputc('\n', stdout) < 0 ? -1 : 0;
}

wint_t
ndwin_fputwc(wchar_t letter, FILE *file)
{
	wchar_t text[] = {letter, L'\0'};

	return write_wide(text, file) < 0 ? WEOF : (wint_t)letter;
}

wint_t
ndwin_putwchar(wchar_t letter)
{
	return ndwin_fputwc(letter, stdout);
}
