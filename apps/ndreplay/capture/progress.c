/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FRAMES_BETWEEN 4096u
#define FIRST_NS       UINT64_C(1000000000)
#define BETWEEN_NS     UINT64_C(250000000)

static uint64_t
clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
progress_start(struct progress *progress, const char *path, bool wanted)
{
	*progress = (struct progress){.path = path, .active = wanted && isatty(STDERR_FILENO) == 1};
	progress->next_ns = clock_ns() + FIRST_NS;
}

void
progress_frame(struct progress *progress, uint64_t frame, const struct source *source)
{
	uint64_t now_ns;
	int permille;

	if (!progress->active || frame % FRAMES_BETWEEN != 0)
		return;
	now_ns = clock_ns();
	if (now_ns < progress->next_ns)
		return;
	progress->next_ns = now_ns + BETWEEN_NS;
	progress->shown = true;
	permille = source_permille(source);
	/* Return to the start of the line, and erase the line. */
	if (permille >= 0)
		fprintf(stderr, "\r\033[K%s: %d %%, %" PRIu64 " frames", progress->path,
			permille / 10, frame);
	else
		fprintf(stderr, "\r\033[K%s: %" PRIu64 " frames", progress->path, frame);
	fflush(stderr);
}

void
progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
