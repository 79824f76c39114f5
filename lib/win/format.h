/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_FORMAT_H
#define NDPDK_WIN_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/** Text that grows, in UTF-8. */
struct win_text {
	char *bytes; /**< ends with 0; NULL: empty */
	size_t length;
	size_t size;
	bool failed; /**< no memory */
};

/**
 * Append what Microsoft's printf() makes of a format.
 *
 * @param wide
 *   The format was a wide one: %s and %c take wide text, and widths count characters.
 */
void win_format(struct win_text *text, const char *format, va_list args, bool wide);

/** Free the text. */
void win_text_free(struct win_text *text);

#endif
