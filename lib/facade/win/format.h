/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_FORMAT_H
#define NDPDK_WIN_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/** A growing text in UTF-8. */
struct win_text {
	char *bytes; /**< terminated by 0; NULL: empty */
	size_t length;
	size_t size;
	bool failed; /**< out of memory */
};

/**
 * Append text that is formatted as by Microsoft's printf().
 *
 * @param wide the format was wide: %s and %c have wide arguments, and widths count characters
 */
void win_format(struct win_text *text, const char *format, va_list args, bool wide);

void win_text_free(struct win_text *text);

#endif
