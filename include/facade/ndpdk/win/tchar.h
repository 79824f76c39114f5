/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TCHAR_H
#define NDPDK_TCHAR_H

/**
 * @file
 * Names of text functions that are wide if UNICODE or _UNICODE is defined, and wide main functions.
 */

#include <ndpdk/win/crt.h>

typedef TCHAR _TCHAR;
#define __T(text)   NDWIN_TEXT(text)
#define _T(text)    NDWIN_TEXT(text)
#define _TEXT(text) NDWIN_TEXT(text)

#ifdef UNICODE
#define _tcscmp      wcscmp
#define _tcsncmp     wcsncmp
#define _tcsicmp     _wcsicmp
#define _tcsnicmp    _wcsnicmp
#define _tcslen      wcslen
#define _tcsnlen     wcsnlen
#define _tcscpy      wcscpy
#define _tcsncpy     wcsncpy
#define _tcscat      wcscat
#define _tcscpy_s    wcscpy_s
#define _tcscat_s    wcscat_s
#define _tcsncpy_s   wcsncpy_s
#define _tcschr      wcschr
#define _tcsrchr     wcsrchr
#define _tcsstr      wcsstr
#define _tcsspn      wcsspn
#define _tcspbrk     wcspbrk
#define _tcsdup      _wcsdup
#define _tcstok_s    wcstok_s
#define _tcstol      wcstol
#define _tcstoul     wcstoul
#define _tcstoi64    _wcstoi64
#define _tcstoui64   _wcstoui64
#define _tcstod      wcstod
#define _ttoi        _wtoi
#define _ttol        _wtol
#define _ttoi64      _wtoi64
#define _tstoi       _wtoi
#define _tstol       _wtol
#define _tstof       _wtof
#define _istdigit    iswdigit
#define _istspace    iswspace
#define _istalpha    iswalpha
#define _istxdigit   iswxdigit
#define _totlower    towlower
#define _totupper    towupper
#define _tgetenv     _wgetenv
#define _tfopen      _wfopen
#define _tfopen_s    _wfopen_s
#define _tfreopen    _wfreopen
#define _tprintf     wprintf
#define _tprintf_s   wprintf_s
#define _ftprintf    fwprintf
#define _vtprintf    vwprintf
#define _vftprintf   vfwprintf
#define _sntprintf   _snwprintf
#define _sntprintf_s _snwprintf_s
#define _stprintf_s  swprintf_s
#define _vstprintf_s vswprintf_s
#define _fputts      fputws
#define _putts       _putws
#define _puttchar    putwchar
#define _TINT        wint_t
#else
#define _tcscmp      strcmp
#define _tcsncmp     strncmp
#define _tcsicmp     _stricmp
#define _tcsnicmp    _strnicmp
#define _tcslen      strlen
#define _tcsnlen     strnlen
#define _tcscpy      strcpy
#define _tcsncpy     strncpy
#define _tcscat      strcat
#define _tcscpy_s    strcpy_s
#define _tcscat_s    strcat_s
#define _tcsncpy_s   strncpy_s
#define _tcschr      strchr
#define _tcsrchr     strrchr
#define _tcsstr      strstr
#define _tcsspn      strspn
#define _tcspbrk     strpbrk
#define _tcsdup      _strdup
#define _tcstok_s    strtok_s
#define _tcstol      strtol
#define _tcstoul     strtoul
#define _tcstoi64    _strtoi64
#define _tcstoui64   _strtoui64
#define _tcstod      strtod
#define _ttoi        atoi
#define _ttol        atol
#define _ttoi64      _atoi64
#define _tstoi       atoi
#define _tstol       atol
#define _tstof       atof
#define _istdigit    isdigit
#define _istspace    isspace
#define _istalpha    isalpha
#define _istxdigit   isxdigit
#define _totlower    tolower
#define _totupper    toupper
#define _tgetenv     getenv
#define _tfopen      fopen
#define _tfopen_s    fopen_s
#define _tfreopen    freopen
#define _tprintf     printf
#define _tprintf_s   printf_s
#define _ftprintf    fprintf
#define _vtprintf    vprintf
#define _vftprintf   vfprintf
#define _sntprintf   _snprintf
#define _sntprintf_s _snprintf_s
#define _stprintf_s  sprintf_s
#define _vstprintf_s vsprintf_s
#define _fputts      fputs
#define _putts       puts
#define _puttchar    putchar
#define _TINT        int
#endif

/**
 * Call a wide main function with the arguments and the environment converted to wide text.
 *
 * @param entry
 *   int (*)(int argc, wchar_t **argv, wchar_t **environment), or a function with fewer parameters.
 */
NDWIN_API int ndwin_run_main(int argc, char **argv, void (*entry)(void)) NDWIN_LINK(run_main);

#ifdef __cplusplus
#define NDWIN_ENTRY(function) reinterpret_cast<void (*)(void)>(function)
#else
#define NDWIN_ENTRY(function) ((void (*)(void))(function))
#endif

/** Replaces `int wmain(...)` by a main() that calls this function with wide arguments. */
#define wmain(...)                                                                                 \
	ndwin_wmain(__VA_ARGS__);                                                                  \
	int main(int ndwin_argc, char **ndwin_argv)                                                \
	{                                                                                          \
		return ndwin_run_main(ndwin_argc, ndwin_argv, NDWIN_ENTRY(ndwin_wmain));           \
	}                                                                                          \
	int ndwin_wmain(__VA_ARGS__)

#ifdef UNICODE
#define _tmain wmain
#else
#define _tmain main
#endif

#endif
