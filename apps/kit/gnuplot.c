/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "gnuplot"

extern char **environ;

/* Start gnuplot. @return 0 = gnuplot runs; otherwise an error number */
static int
start(pid_t *pid, char *const arguments[], int input, int output)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawnp(pid, NAME, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Wait until gnuplot ends. @return status of gnuplot from waitpid(); 0 = success */
static int
wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static void
explain(int error, char *why, size_t size)
{
	if (error == ENOENT)
		snprintf(why, size,
			"--plot needs the program " NAME ", which is not in PATH: install it "
			"(Debian: gnuplot-nox)");
	else
		snprintf(why, size, NAME " cannot be started: %s", strerror(error));
}

bool
gnuplot_check(const char *command, char *why, size_t size)
{
	char text[128];
	char *const arguments[] = {(char[]){NAME}, (char[]){"-e"}, text, NULL};
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid = -1;
	int error, status;

	snprintf(text, sizeof(text), "%s", command);
	error = null < 0 ? errno : start(&pid, arguments, null, null);
	if (null >= 0)
		close(null);
	if (error != 0) {
		explain(error, why, size);
		return false;
	}
	status = wait_for(pid);
	if (status == 0)
		return true;
	if (WIFSIGNALED(status))
		snprintf(why, size, NAME " was ended by a signal: %s", strsignal(WTERMSIG(status)));
	else
		snprintf(why, size, "--plot: this " NAME " does not execute: %s", command);
	return false;
}

bool
gnuplot_open(struct gnuplot *gnuplot, FILE *file, char *why, size_t size)
{
	char *const arguments[] = {(char[]){NAME}, NULL};
	int ends[2], error;

	*gnuplot = (struct gnuplot){0};
	if (pipe2(ends, O_CLOEXEC) != 0) {
		explain(errno, why, size);
		return false;
	}
	error = start(&gnuplot->pid, arguments, ends[0], fileno(file));
	close(ends[0]);
	if (error == 0) {
		gnuplot->script = fdopen(ends[1], "w");
		if (gnuplot->script != NULL)
			return true;
		error = errno;
	}
	close(ends[1]);
	if (gnuplot->pid != 0)
		wait_for(gnuplot->pid);
	explain(error, why, size);
	return false;
}

bool
gnuplot_close(struct gnuplot *gnuplot)
{
	bool written = fflush(gnuplot->script) == 0 && ferror(gnuplot->script) == 0;

	written &= fclose(gnuplot->script) == 0;
	return wait_for(gnuplot->pid) == 0 && written;
}
