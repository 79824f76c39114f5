/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_WIDE_H
#define NDPDK_WIN_WIDE_H

#include <stddef.h>
#include <wchar.h>

/** What stands for text that cannot be converted. */
#define WIN_REPLACEMENT 0xFFFDu

/** Most bytes of one character in UTF-8. */
#define WIN_UTF8_MAX 4

/** Encode a character. Returns its bytes; what is no character becomes WIN_REPLACEMENT. */
size_t win_utf8_encode(char to[WIN_UTF8_MAX], wchar_t letter);

/**
 * Decode the character that a string of length > 0 begins with.
 *
 * @param[out] letter
 *   WIN_REPLACEMENT where it is not UTF-8.
 * @return
 *   Bytes it takes.
 */
size_t win_utf8_decode(const char *from, size_t length, wchar_t *letter);

/** A wide string in UTF-8, allocated; NULL: no memory. */
char *win_utf8_of_wide(const wchar_t *from);

/** A string in UTF-8 as a wide one, allocated; NULL: no memory. */
wchar_t *win_wide_of_utf8(const char *from);

#endif
