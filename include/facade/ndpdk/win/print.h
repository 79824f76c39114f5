/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PRINT_H
#define NDPDK_PRINT_H

/**
 * @file
 * Formatted output with Microsoft's formats:
 * - %I64d, %Iu and %I32x are supported.
 * - %l is 32 bits wide, as DWORD and LONG are.
 * - In a wide format, %s and %c take wide text. %S and %C take text of the other width.
 * - %hs always takes narrow text, and %ls always takes wide text.
 *
 * Macros replace the functions of C by these functions, unless NDWIN_NO_PRINTF is defined. Wide and
 * narrow output may be mixed on a stream. Wide text is written as UTF-8.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>
#ifdef __cplusplus
/* The C++ headers undefine macros with the names below, so include the C++ headers first. */
#include <cstdio>
#include <cwchar>
#endif

#include <ndpdk/win/windef.h>

/** Returns the number of bytes written; a negative result is a failure. */
NDWIN_API int ndwin_printf(const char *format, ...) NDWIN_LINK(printf);
NDWIN_API int ndwin_fprintf(FILE *file, const char *format, ...) NDWIN_LINK(fprintf);
NDWIN_API int ndwin_vprintf(const char *format, va_list args) NDWIN_LINK(vprintf);
NDWIN_API int ndwin_vfprintf(FILE *file, const char *format, va_list args) NDWIN_LINK(vfprintf);
/** Returns the length of the whole text in bytes. If size is too small, the text is truncated. */
NDWIN_API int ndwin_snprintf(char *to, size_t size, const char *format, ...) NDWIN_LINK(snprintf);
NDWIN_API int
ndwin_vsnprintf(char *to, size_t size, const char *format, va_list args) NDWIN_LINK(vsnprintf);
/** Returns the length in bytes; -1: the text does not fit, or there was a different error. */
NDWIN_API int sprintf_s(char *to, size_t size, const char *format, ...) NDWIN_LINK(sprintf_s);
NDWIN_API int
vsprintf_s(char *to, size_t size, const char *format, va_list args) NDWIN_LINK(vsprintf_s);
NDWIN_API int _snprintf(char *to, size_t size, const char *format, ...) NDWIN_LINK(_snprintf);
NDWIN_API int
_vsnprintf(char *to, size_t size, const char *format, va_list args) NDWIN_LINK(_vsnprintf);
NDWIN_API int
_snprintf_s(char *to, size_t size, size_t count, const char *format, ...) NDWIN_LINK(_snprintf_s);

/** The functions above with wide formats. Sizes and lengths of wide buffers are in characters. */
NDWIN_API int ndwin_wprintf(const wchar_t *format, ...) NDWIN_LINK(wprintf);
NDWIN_API int ndwin_fwprintf(FILE *file, const wchar_t *format, ...) NDWIN_LINK(fwprintf);
NDWIN_API int ndwin_vwprintf(const wchar_t *format, va_list args) NDWIN_LINK(vwprintf);
NDWIN_API int
ndwin_vfwprintf(FILE *file, const wchar_t *format, va_list args) NDWIN_LINK(vfwprintf);
NDWIN_API int
ndwin_swprintf(wchar_t *to, size_t size, const wchar_t *format, ...) NDWIN_LINK(swprintf);
NDWIN_API int ndwin_vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list args)
	NDWIN_LINK(vswprintf);
NDWIN_API int
swprintf_s(wchar_t *to, size_t size, const wchar_t *format, ...) NDWIN_LINK(swprintf_s);
NDWIN_API int
_snwprintf(wchar_t *to, size_t size, const wchar_t *format, ...) NDWIN_LINK(_snwprintf);
NDWIN_API int
vswprintf_s(wchar_t *to, size_t size, const wchar_t *format, va_list args) NDWIN_LINK(vswprintf_s);
NDWIN_API int _snwprintf_s(wchar_t *to, size_t size, size_t count, const wchar_t *format, ...)
	NDWIN_LINK(_snwprintf_s);
/** Write wide text without a format. _putws() adds a newline. A negative result is a failure. */
NDWIN_API int ndwin_fputws(const wchar_t *text, FILE *file) NDWIN_LINK(fputws);
NDWIN_API int _putws(const wchar_t *text) NDWIN_LINK(_putws);
NDWIN_API wint_t ndwin_putwchar(wchar_t letter) NDWIN_LINK(putwchar);
NDWIN_API wint_t ndwin_fputwc(wchar_t letter, FILE *file) NDWIN_LINK(fputwc);

#ifdef __cplusplus
extern "C++" {
template <size_t N>
static inline int
sprintf_s(char (&to)[N], const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsprintf_s(to, N, format, args);
	va_end(args);
	return length;
}

template <size_t N>
static inline int
swprintf_s(wchar_t (&to)[N], const wchar_t *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vswprintf_s(to, N, format, args);
	va_end(args);
	return length;
}
}
#endif

#ifndef NDWIN_NO_PRINTF
#ifdef __cplusplus
namespace std
{
using ::ndwin_fprintf;
using ::ndwin_fputwc;
using ::ndwin_fputws;
using ::ndwin_fwprintf;
using ::ndwin_printf;
using ::ndwin_putwchar;
using ::ndwin_snprintf;
using ::ndwin_swprintf;
using ::ndwin_vfprintf;
using ::ndwin_vfwprintf;
using ::ndwin_vprintf;
using ::ndwin_vsnprintf;
using ::ndwin_vswprintf;
using ::ndwin_vwprintf;
using ::ndwin_wprintf;
} // namespace std
#endif
#undef printf
#define printf(...) ndwin_printf(__VA_ARGS__)
#undef fprintf
#define fprintf(...) ndwin_fprintf(__VA_ARGS__)
#undef vprintf
#define vprintf(...) ndwin_vprintf(__VA_ARGS__)
#undef vfprintf
#define vfprintf(...) ndwin_vfprintf(__VA_ARGS__)
#undef snprintf
#define snprintf(...) ndwin_snprintf(__VA_ARGS__)
#undef vsnprintf
#define vsnprintf(...) ndwin_vsnprintf(__VA_ARGS__)
#undef wprintf
#define wprintf(...) ndwin_wprintf(__VA_ARGS__)
#undef fwprintf
#define fwprintf(...) ndwin_fwprintf(__VA_ARGS__)
#undef vwprintf
#define vwprintf(...) ndwin_vwprintf(__VA_ARGS__)
#undef vfwprintf
#define vfwprintf(...) ndwin_vfwprintf(__VA_ARGS__)
#undef swprintf
#define swprintf(...) ndwin_swprintf(__VA_ARGS__)
#undef vswprintf
#define vswprintf(...) ndwin_vswprintf(__VA_ARGS__)
#undef fputws
#define fputws(...) ndwin_fputws(__VA_ARGS__)
#undef putwchar
#define putwchar(...) ndwin_putwchar(__VA_ARGS__)
#undef fputwc
#define fputwc(...)     ndwin_fputwc(__VA_ARGS__)
#define printf_s(...)   ndwin_printf(__VA_ARGS__)
#define fprintf_s(...)  ndwin_fprintf(__VA_ARGS__)
#define wprintf_s(...)  ndwin_wprintf(__VA_ARGS__)
#define fwprintf_s(...) ndwin_fwprintf(__VA_ARGS__)

/* %l is 32 bits wide here, so 64-bit values need %ll. */
#undef PRId64
#define PRId64 "lld"
#undef PRIi64
#define PRIi64 "lli"
#undef PRIo64
#define PRIo64 "llo"
#undef PRIx64
#define PRIx64 "llx"
#undef PRIu64
#define PRIu64 "llu"
#undef PRIX64
#define PRIX64 "llX"
#undef PRIdMAX
#define PRIdMAX "lld"
#undef PRIiMAX
#define PRIiMAX "lli"
#undef PRIoMAX
#define PRIoMAX "llo"
#undef PRIxMAX
#define PRIxMAX "llx"
#undef PRIuMAX
#define PRIuMAX "llu"
#undef PRIXMAX
#define PRIXMAX "llX"
#undef PRIdPTR
#define PRIdPTR "lld"
#undef PRIiPTR
#define PRIiPTR "lli"
#undef PRIoPTR
#define PRIoPTR "llo"
#undef PRIxPTR
#define PRIxPTR "llx"
#undef PRIuPTR
#define PRIuPTR "llu"
#undef PRIXPTR
#define PRIXPTR "llX"
#endif

#endif
