/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int
complain(const char *program, int error)
{
	fprintf(stderr, "%s: standard output cannot be written: %s\n", program, strerror(error));
	return EXIT_OUTPUT_LOST;
}

/*
 * If the descriptor is closed, open it. Otherwise the next file that is opened would get the number
 * of this descriptor.
 */
static void
keep_taken(int descriptor)
{
	if (fcntl(descriptor, F_GETFD) == -1)
		(void)open("/dev/null", O_RDWR);
}

int
output_open(const char *program)
{
	keep_taken(STDIN_FILENO);
	if (fcntl(STDOUT_FILENO, F_GETFD) == -1)
		return complain(program, errno);
	keep_taken(STDERR_FILENO);
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

int
output_close(const char *program, int status)
{
	/*
	 * The errno of an earlier failed write is lost. In this case the message contains the errno
	 * of the write below, which usually fails for the same reason.
	 */
	const bool was_lost = output_is_lost();

	errno = 0;
	clearerr(stdout);
	if (was_lost)
		fputc('\n', stdout);
	if (fflush(stdout) == 0 && !was_lost)
		return status;
	return complain(program, errno != 0 ? errno : EIO);
}
