/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_WIDE_H
#define NDPDK_WIN_WIDE_H

#include <stddef.h>
#include <wchar.h>

/** Character that replaces text that cannot be converted. */
#define WIN_REPLACEMENT 0xFFFDu

/** Maximum number of bytes of a character in UTF-8. */
#define WIN_UTF8_MAX 4

/** Encode a character; an invalid character becomes WIN_REPLACEMENT. @return number of bytes */
size_t win_utf8_encode(char to[WIN_UTF8_MAX], wchar_t letter);

/**
 * Decode the first character of a string with length > 0.
 *
 * @param[out] letter WIN_REPLACEMENT: not valid UTF-8
 * @return number of bytes of the character
 */
size_t win_utf8_decode(const char *from, size_t length, wchar_t *letter);

/** Convert a wide string to UTF-8. @return allocated string; NULL: out of memory */
char *win_utf8_of_wide(const wchar_t *from);

/** Convert UTF-8 to a wide string. @return allocated string; NULL: out of memory */
wchar_t *win_wide_of_utf8(const char *from);

#endif
