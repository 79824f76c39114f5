/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <time.h>

/* Loaded with LD_PRELOAD. Delays the end of the process after main() has returned. */
__attribute__((destructor)) static void
slow_exit(void)
{
	const struct timespec while_others_act = {.tv_sec = 1};

	(void)nanosleep(&while_others_act, NULL);
}
