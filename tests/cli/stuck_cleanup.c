/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <unistd.h>

int rte_eal_cleanup(void);

/* Preloaded: EAL's end waits for a lock that nobody gives back. */
int
rte_eal_cleanup(void)
{
	for (;;)
		pause();
}
