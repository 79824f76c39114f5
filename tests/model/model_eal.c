/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/model_eal.h"

#include <rte_common.h>
#include <rte_eal.h>

int
model_eal_start(void)
{
	static char program[] = "model", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "128",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", first_lcore[] = "0",
		    log_level[] = "--log-level=lib.eal:warning";
	static char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, first_lcore, log_level, NULL};

	return rte_eal_init(RTE_DIM(args) - 1, args);
}
