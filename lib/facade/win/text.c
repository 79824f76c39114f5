/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Checked string functions, files with wide paths, and support of wide main functions. */

#include <ndpdk/win/tchar.h>

#include <stdbool.h>
#include <unistd.h>

#include "win/wide.h"

/**
 * Copy count elements and a terminator. The result is 0, or an error number; after an error, the
 * destination is an empty string.
 */
#define CHECKED_COPY(to, size, from, length, count)                                                \
	do {                                                                                       \
		size_t n_ = (length);                                                              \
		bool cut_ = false;                                                                 \
		if (n_ > (count))                                                                  \
			n_ = (count);                                                              \
		if (n_ >= (size) && (count) == _TRUNCATE) {                                        \
			n_ = (size)-1;                                                             \
			cut_ = true;                                                               \
		}                                                                                  \
		if (n_ >= (size)) {                                                                \
			(to)[0] = 0;                                                               \
			return ERANGE;                                                             \
		}                                                                                  \
		memmove(to, from, n_ * sizeof(*(to)));                                             \
		(to)[n_] = 0;                                                                      \
		return cut_ ? STRUNCATE : 0;                                                       \
	} while (0)

errno_t
strncpy_s(char *to, size_t size, const char *from, size_t count)
{
	if (!to || size == 0)
		return EINVAL;
	to[0] = '\0';
	if (!from)
		return EINVAL;
	CHECKED_COPY(to, size, from, strnlen(from, count), count);
}

errno_t
strcpy_s(char *to, size_t size, const char *from)
{
	return strncpy_s(to, size, from, _TRUNCATE - 1);
}

errno_t
strcat_s(char *to, size_t size, const char *from)
{
	size_t length = to ? strnlen(to, size) : size;
	errno_t error = EINVAL;

	if (length < size)
		error = strcpy_s(to + length, size - length, from);
	if (error && to && size > 0)
		to[0] = '\0';
	return error;
}

errno_t
wcsncpy_s(wchar_t *to, size_t size, const wchar_t *from, size_t count)
{
	if (!to || size == 0)
		return EINVAL;
	to[0] = L'\0';
	if (!from)
		return EINVAL;
	CHECKED_COPY(to, size, from, wcsnlen(from, count), count);
}

errno_t
wcscpy_s(wchar_t *to, size_t size, const wchar_t *from)
{
	return wcsncpy_s(to, size, from, _TRUNCATE - 1);
}

errno_t
wcscat_s(wchar_t *to, size_t size, const wchar_t *from)
{
	size_t length = to ? wcsnlen(to, size) : size;
	errno_t error = EINVAL;

	if (length < size)
		error = wcscpy_s(to + length, size - length, from);
	if (error && to && size > 0)
		to[0] = L'\0';
	return error;
}

errno_t
memmove_s(void *to, size_t size, const void *from, size_t count)
{
	if (count == 0)
		return 0;
	if (!to || !from)
		return EINVAL;
	if (count > size)
		return ERANGE;
	memmove(to, from, count);
	return 0;
}

errno_t
memcpy_s(void *to, size_t size, const void *from, size_t count)
{
	errno_t error = memmove_s(to, size, from, count);

	if (error && to)
		memset(to, 0, size);
	return error;
}

int
_fcloseall(void)
{
	return fcloseall();
}

/** Open a file with wide path and mode. @param old stream to reopen; NULL: none */
static FILE *
open_wide(const wchar_t *path, const wchar_t *mode, FILE *old)
{
	char *path8 = path ? win_utf8_of_wide(path) : NULL;
	char *mode8 = mode ? win_utf8_of_wide(mode) : NULL;
	FILE *file = NULL;

	if (!path || !mode)
		errno = EINVAL;
	else if (path8 && mode8)
		file = old ? freopen(path8, mode8, old) : fopen(path8, mode8);
	free(path8);
	free(mode8);
	return file;
}

FILE *
_wfopen(const wchar_t *path, const wchar_t *mode)
{
	return open_wide(path, mode, NULL);
}

FILE *
_wfreopen(const wchar_t *path, const wchar_t *mode, FILE *file)
{
	if (!file) {
		errno = EINVAL;
		return NULL;
	}
	return open_wide(path, mode, file);
}

errno_t
fopen_s(FILE **file, const char *path, const char *mode)
{
	if (!file)
		return EINVAL;
	*file = NULL;
	if (!path || !mode)
		return EINVAL;
	*file = fopen(path, mode);
	return *file ? 0 : errno;
}

errno_t
_wfopen_s(FILE **file, const wchar_t *path, const wchar_t *mode)
{
	if (!file)
		return EINVAL;
	*file = _wfopen(path, mode);
	return *file ? 0 : errno;
}

errno_t
freopen_s(FILE **file, const char *path, const char *mode, FILE *old)
{
	if (!file)
		return EINVAL;
	*file = NULL;
	if (!path || !mode || !old)
		return EINVAL;
	*file = freopen(path, mode, old);
	return *file ? 0 : errno;
}

/**
 * Get an environment variable as wide text, valid until the next call on this thread. NULL: not
 * set, or too long.
 */
wchar_t *
_wgetenv(const wchar_t *name)
{
	static __thread wchar_t value[1024];
	char *name8 = name ? win_utf8_of_wide(name) : NULL;
	const char *found = name8 ? getenv(name8) : NULL;
	wchar_t *wide = found ? win_wide_of_utf8(found) : NULL;
	bool fits = wide && wcscpy_s(value, ARRAYSIZE(value), wide) == 0;

	free(name8);
	free(wide);
	return fits ? value : NULL;
}

static void
wide_list_free(wchar_t **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/** @return the strings of a list that ends with NULL, as wide strings; NULL: out of memory */
static wchar_t **
wide_list(char **list)
{
	wchar_t **wide;
	size_t count = 0;

	while (list[count])
		count++;
	wide = calloc(count + 1, sizeof(wide[0]));
	for (size_t i = 0; wide && i < count; i++) {
		wide[i] = win_wide_of_utf8(list[i]);
		if (!wide[i]) {
			wide_list_free(wide);
			return NULL;
		}
	}
	return wide;
}

/* entry may have fewer parameters. The calling conventions of Linux allow a call with more. */
#if defined(__clang__)
__attribute__((no_sanitize("undefined")))
#endif
int
ndwin_run_main(int argc, char **argv, void (*entry)(void))
{
	int (*run)(int, wchar_t **, wchar_t **) = (int (*)(int, wchar_t **, wchar_t **))entry;
	wchar_t **arguments = wide_list(argv);
	wchar_t **environment = wide_list(environ);
	/* Keep a copy of the list for freeing, because the program may change the list. */
	wchar_t **list = calloc((size_t)argc + 1, sizeof(list[0]));
	int result = EXIT_FAILURE;

	if (arguments && environment && list) {
		memcpy(list, arguments, (size_t)argc * sizeof(list[0]));
		result = run(argc, list, environment);
	} else {
		fputs("no memory for the arguments of the program\n", stderr);
	}
	free(list);
	wide_list_free(arguments);
	wide_list_free(environment);
	return result;
}
