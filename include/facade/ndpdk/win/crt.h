/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CRT_H
#define NDPDK_CRT_H

/**
 * @file
 * Functions of Microsoft's C library that have other names on Linux, and its checked functions.
 *
 * Narrow strings are UTF-8. If a checked function fails, it does not end the program. The function
 * returns EINVAL, ERANGE or a negative number, and makes the destination an empty string.
 */

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

#include <ndpdk/win/windef.h>

typedef int errno_t;

#ifndef STRUNCATE
#define STRUNCATE 80
#endif
#define _TRUNCATE (NDWIN_CAST(size_t, -1))

#define _countof(array)                     (sizeof(array) / sizeof((array)[0]))
#define _stricmp(a, b)                      strcasecmp(a, b)
#define _strnicmp(a, b, count)              strncasecmp(a, b, count)
#define _wcsicmp(a, b)                      wcscasecmp(a, b)
#define _wcsnicmp(a, b, count)              wcsncasecmp(a, b, count)
#define _strdup(text)                       strdup(text)
#define _wcsdup(text)                       wcsdup(text)
#define _strtoi64(text, end, base)          strtoll(text, end, base)
#define _strtoui64(text, end, base)         strtoull(text, end, base)
#define _wcstoi64(text, end, base)          wcstoll(text, end, base)
#define _wcstoui64(text, end, base)         wcstoull(text, end, base)
#define _atoi64(text)                       strtoll(text, NULL, 10)
#define _wtoi(text)                         NDWIN_CAST(int, wcstol(text, NULL, 10))
#define _wtol(text)                         NDWIN_CAST(LONG, wcstol(text, NULL, 10))
#define _wtoi64(text)                       wcstoll(text, NULL, 10)
#define _wtof(text)                         wcstod(text, NULL)
#define strtok_s(text, separators, context) strtok_r(text, separators, context)
#define wcstok_s(text, separators, context) wcstok(text, separators, context)
#define _fileno(file)                       fileno(file)
#define _unlink(path)                       unlink(path)

/** Flush and close all streams, including the standard streams, as fcloseall() does. */
NDWIN_API int _fcloseall(void) NDWIN_LINK(_fcloseall);

/** Open a file. The path is UTF-32. Returns NULL, or an error number, if this fails. */
NDWIN_API FILE *_wfopen(const wchar_t *path, const wchar_t *mode) NDWIN_LINK(_wfopen);
NDWIN_API FILE *
_wfreopen(const wchar_t *path, const wchar_t *mode, FILE *file) NDWIN_LINK(_wfreopen);
NDWIN_API errno_t fopen_s(FILE **file, const char *path, const char *mode) NDWIN_LINK(fopen_s);
NDWIN_API errno_t _wfopen_s(FILE **file, const wchar_t *path, const wchar_t *mode)
	NDWIN_LINK(_wfopen_s);
NDWIN_API errno_t freopen_s(FILE **file, const char *path, const char *mode, FILE *old)
	NDWIN_LINK(freopen_s);
NDWIN_API wchar_t *_wgetenv(const wchar_t *name) NDWIN_LINK(_wgetenv);

/**
 * Copy or append text. size is the size of the destination in elements. With count = _TRUNCATE,
 * text that is too long is truncated, and the result is STRUNCATE.
 */
NDWIN_API errno_t strcpy_s(char *to, size_t size, const char *from) NDWIN_LINK(strcpy_s);
NDWIN_API errno_t strcat_s(char *to, size_t size, const char *from) NDWIN_LINK(strcat_s);
NDWIN_API errno_t strncpy_s(char *to, size_t size, const char *from, size_t count)
	NDWIN_LINK(strncpy_s);
NDWIN_API errno_t wcscpy_s(wchar_t *to, size_t size, const wchar_t *from) NDWIN_LINK(wcscpy_s);
NDWIN_API errno_t wcscat_s(wchar_t *to, size_t size, const wchar_t *from) NDWIN_LINK(wcscat_s);
NDWIN_API errno_t wcsncpy_s(wchar_t *to, size_t size, const wchar_t *from, size_t count)
	NDWIN_LINK(wcsncpy_s);
NDWIN_API errno_t memcpy_s(void *to, size_t size, const void *from, size_t count)
	NDWIN_LINK(memcpy_s);
NDWIN_API errno_t memmove_s(void *to, size_t size, const void *from, size_t count)
	NDWIN_LINK(memmove_s);

#ifdef __cplusplus
extern "C++" {
template <size_t N>
static inline errno_t
strcpy_s(char (&to)[N], const char *from)
{
	return strcpy_s(to, N, from);
}

template <size_t N>
static inline errno_t
strcat_s(char (&to)[N], const char *from)
{
	return strcat_s(to, N, from);
}

template <size_t N>
static inline errno_t
wcscpy_s(wchar_t (&to)[N], const wchar_t *from)
{
	return wcscpy_s(to, N, from);
}

template <size_t N>
static inline errno_t
wcscat_s(wchar_t (&to)[N], const wchar_t *from)
{
	return wcscat_s(to, N, from);
}
}
#endif

#include <ndpdk/win/print.h>

#endif
