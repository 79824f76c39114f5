/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int rte_eal_cleanup(void);

/*
 * Preloaded: EAL's end waits for a lock that nobody gives back; or, if STOP is in the environment,
 * the process is stopped while EAL ends.
 */
int
rte_eal_cleanup(void)
{
	if (getenv("STOP") != NULL)
		return raise(SIGSTOP);
	for (;;)
		pause();
}
