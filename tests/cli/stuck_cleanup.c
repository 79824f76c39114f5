/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int rte_eal_cleanup(void);

/*
 * Loaded with LD_PRELOAD, replaces rte_eal_cleanup(). The function blocks for ever, as if another
 * process held a lock. If the environment contains STOP, the function stops the process instead.
 */
int
rte_eal_cleanup(void)
{
	if (getenv("STOP") != NULL)
		return raise(SIGSTOP);
	for (;;)
		pause();
}
