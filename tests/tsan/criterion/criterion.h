/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CRITERION_CRITERION_H
#define NDPDK_CRITERION_CRITERION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Replaces Criterion in builds with ThreadSanitizer, because Criterion maps memory at addresses
 * that the sanitizer needs. The replacement has only the part of Criterion that these tests use.
 * Each test is a process. A test fails by an assertion, a signal, or a report of the sanitizer. The
 * caller must limit the time.
 */

struct criterion_options {
	void (*init)(void);
	void (*fini)(void);
	double timeout;
};

struct criterion_test {
	const char *suite;
	const char *name; /**< name of the test; NULL for the options of a suite */
	void (*run)(void);
	struct criterion_options options;
	struct criterion_test *next;
};

void criterion_register(struct criterion_test *test);

/** If `holds` is false, print what failed. A fatal failure ends the process of the test. */
void criterion_check(
	bool holds, bool fatal, const char *where, const char *what, const char *format, ...);

/** Skip a test by ending its process. */
void criterion_skip(const char *format, ...) __attribute__((noreturn));

#define Test(suite_, name_, ...)                                                                   \
	static void suite_##_##name_##_run(void);                                                  \
	__attribute__((constructor)) static void suite_##_##name_##_register(void)                 \
	{                                                                                          \
		static struct criterion_test test = {.suite = #suite_,                             \
			.name = #name_,                                                            \
			.run = suite_##_##name_##_run,                                             \
			.options = {__VA_ARGS__}};                                                 \
		criterion_register(&test);                                                         \
	}                                                                                          \
	static void suite_##_##name_##_run(void)

#define TestSuite(suite_, ...)                                                                     \
	__attribute__((constructor)) static void suite_##_options_register(void)                   \
	{                                                                                          \
		static struct criterion_test test = {.suite = #suite_, .options = {__VA_ARGS__}};  \
		criterion_register(&test);                                                         \
	}                                                                                          \
	struct criterion_test

#define CR_STRING_(x)           #x
#define CR_STRING(x)            CR_STRING_(x)
#define CR_WHERE                __FILE__ ":" CR_STRING(__LINE__)
#define CR_CHECK(fatal, c, ...) criterion_check((c), (fatal), CR_WHERE, #c, " " __VA_ARGS__)

#define cr_assert(c, ...)               CR_CHECK(true, (c), __VA_ARGS__)
#define cr_assert_not(c, ...)           CR_CHECK(true, !(c), __VA_ARGS__)
#define cr_assert_eq(a, b, ...)         CR_CHECK(true, (a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...)        CR_CHECK(true, (a) != (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...)        CR_CHECK(true, (a) >= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...)         CR_CHECK(true, (a) > (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...)        CR_CHECK(true, (a) <= (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...)         CR_CHECK(true, (a) < (b), __VA_ARGS__)
#define cr_assert_null(p, ...)          CR_CHECK(true, (p) == NULL, __VA_ARGS__)
#define cr_assert_not_null(p, ...)      CR_CHECK(true, (p) != NULL, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)     CR_CHECK(true, strcmp((a), (b)) == 0, __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...)    CR_CHECK(true, strcmp((a), (b)) != 0, __VA_ARGS__)
#define cr_assert_str_not_empty(a, ...) CR_CHECK(true, *(a) != '\0', __VA_ARGS__)
#define cr_assert_arr_eq(a, b, n, ...)  CR_CHECK(true, memcmp((a), (b), (n)) == 0, __VA_ARGS__)
#define cr_assert_arr_neq(a, b, n, ...) CR_CHECK(true, memcmp((a), (b), (n)) != 0, __VA_ARGS__)
#define cr_assert_fail(...)             CR_CHECK(true, false, __VA_ARGS__)

#define cr_expect(c, ...)              CR_CHECK(false, (c), __VA_ARGS__)
#define cr_expect_not(c, ...)          CR_CHECK(false, !(c), __VA_ARGS__)
#define cr_expect_eq(a, b, ...)        CR_CHECK(false, (a) == (b), __VA_ARGS__)
#define cr_expect_neq(a, b, ...)       CR_CHECK(false, (a) != (b), __VA_ARGS__)
#define cr_expect_geq(a, b, ...)       CR_CHECK(false, (a) >= (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...)        CR_CHECK(false, (a) > (b), __VA_ARGS__)
#define cr_expect_leq(a, b, ...)       CR_CHECK(false, (a) <= (b), __VA_ARGS__)
#define cr_expect_lt(a, b, ...)        CR_CHECK(false, (a) < (b), __VA_ARGS__)
#define cr_expect_null(p, ...)         CR_CHECK(false, (p) == NULL, __VA_ARGS__)
#define cr_expect_not_null(p, ...)     CR_CHECK(false, (p) != NULL, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)    CR_CHECK(false, strcmp((a), (b)) == 0, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, n, ...) CR_CHECK(false, memcmp((a), (b), (n)) == 0, __VA_ARGS__)

#define cr_skip(...)     criterion_skip(" " __VA_ARGS__)
/* Both macros take a format and its arguments. */
#define cr_log_info(...) ((void)fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr))
#define cr_log_warn(...) cr_log_info(__VA_ARGS__)

#endif
