/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <stdarg.h>
#include <unistd.h>

#include <sys/wait.h>

/* Runs each test in its own process, one after another, in the order of the source file. */

static struct criterion_test *first, **last = &first;
static bool failed; /* An assertion failed in this process. */

void
criterion_register(struct criterion_test *test)
{
	*last = test;
	last = &test->next;
}

void
criterion_check(
	bool holds, bool fatal, const char *where, const char *what, const char *format, ...)
{
	va_list arguments;

	if (holds)
		return;
	__atomic_store_n(&failed, true, __ATOMIC_RELAXED);
	fprintf(stderr, "%s: %s:", where, what);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	if (fatal)
		_exit(EXIT_FAILURE);
}

void
criterion_skip(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "skipped:");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	_exit(EXIT_SUCCESS);
}

static const struct criterion_options *
suite_options(const struct criterion_test *test)
{
	static const struct criterion_options none;

	for (const struct criterion_test *suite = first; suite != NULL; suite = suite->next)
		if (suite->name == NULL && strcmp(suite->suite, test->suite) == 0)
			return &suite->options;
	return &none;
}

static void
call(void (*function)(void))
{
	if (function != NULL)
		function();
}

static void
test_run(const struct criterion_test *test)
{
	const struct criterion_options *suite = suite_options(test);

	call(suite->init);
	call(test->options.init);
	test->run();
	call(test->options.fini);
	call(suite->fini);
	/* _exit() would skip the exit handler in which the sanitizer sets the exit status. */
	exit(__atomic_load_n(&failed, __ATOMIC_RELAXED) ? EXIT_FAILURE : EXIT_SUCCESS);
}

/** Run a test in a new process. @return true if the process exited with status 0 */
static bool
test_pass(const struct criterion_test *test)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		test_run(test);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

int
main(void)
{
	bool all = true;

	for (const struct criterion_test *test = first; test != NULL; test = test->next) {
		bool passed;

		if (test->name == NULL)
			continue;
		passed = test_pass(test);
		all &= passed;
		printf("[%s] %s::%s\n", passed ? "PASS" : "FAIL", test->suite, test->name);
	}
	return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
