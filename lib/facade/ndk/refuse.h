/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_REFUSE_H
#define NDPDK_NDK_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

#include <ndpdk/ndk_status.h>

void ndk_refuse_log(const char *function, const char *format, ...)
	__attribute__((cold, noinline, format(printf, 2, 3)));

/**
 * Refuse an argument: log one line with the function, the argument and the reason. The value of the
 * macro is the status.
 * @param function name as in the table, such as NdkSend
 * @param ... format and arguments: name of the parameter, its value, the expected values; no
 *         newline
 */
#define NDK_REFUSE_AS(status, function, ...) (ndk_refuse_log((function), __VA_ARGS__), (status))

#define NDK_REFUSE(function, ...) NDK_REFUSE_AS(STATUS_INVALID_PARAMETER, function, __VA_ARGS__)

/** An argument for ARGUMENTS_CHECK(). */
struct ndk_argument {
	const char *name; /**< name of the parameter in the headers */
	bool good;
	const char *expected; /**< expected value, for the log; NULL: any pointer except NULL */
};

NTSTATUS ndk_argument_refuse(const char *function, const struct ndk_argument *argument)
	__attribute__((cold, noinline));

static inline NTSTATUS
ndk_arguments_check(const char *function, const struct ndk_argument *arguments, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (__builtin_expect(!arguments[i].good, 0))
			return ndk_argument_refuse(function, &arguments[i]);
	}
	return STATUS_SUCCESS;
}

/** An argument with a range, for LIMITS_CHECK(). */
struct ndk_limit {
	const char *name; /**< name of the parameter in the headers */
	size_t value;
	size_t least;
	size_t most;
};

/** Refuse the first value outside of its range. */
NTSTATUS
ndk_limits_check(const char *function, const struct ndk_limit *limits, unsigned int count);

#define NDK_ROWS(type, ...)                                                                        \
	(const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)

/** Refuse the first bad argument. Each argument is a struct ndk_argument in braces. */
#define ARGUMENTS_CHECK(function, ...)                                                             \
	ndk_arguments_check((function), NDK_ROWS(struct ndk_argument, __VA_ARGS__))

/** Refuse the first argument out of range. Each argument is a struct ndk_limit in braces. */
#define LIMITS_CHECK(function, ...)                                                                \
	ndk_limits_check((function), NDK_ROWS(struct ndk_limit, __VA_ARGS__))

#endif
