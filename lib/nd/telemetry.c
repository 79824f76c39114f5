/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/telemetry.h"

#include <pthread.h>

#include <rte_common.h>
#include <rte_log.h>
#include <rte_telemetry.h>

#include "nd/telemetry_commands.h"

RTE_LOG_REGISTER(telemetry_log, lib.ndpdk.telemetry, NOTICE)

static const struct {
	const char *name;
	telemetry_cb answer;
	const char *help; /* shorter than RTE_TEL_MAX_STRING_LEN */
} commands[] = {
	{"/ndpdk/adapter/list", telemetry_adapters, "Numbers of the open adapters"},
	{"/ndpdk/adapter", telemetry_adapter,
		"An adapter and its counters. Parameter: ADAPTER, its number, name or port's name"},
	{"/ndpdk/counters", telemetry_counters, "What each counter counts. No parameters"},
	{"/ndpdk/drops", telemetry_drops,
		"What an adapter and its port dropped or refused. Parameter: ADAPTER"},
	{"/ndpdk/engine", telemetry_engine,
		"An engine and its counters. Parameters: ADAPTER[,ENGINE]"},
	{"/ndpdk/qp/list", telemetry_qps,
		"Queue pairs of an adapter. Parameters: ADAPTER[,FROM], FROM as next said"},
	{"/ndpdk/qp", telemetry_qp, "A queue pair. Parameters: QPN or ADAPTER,QPN"},
	{"/ndpdk/mr/list", telemetry_regions,
		"Regions of an adapter. Parameters: ADAPTER[,FROM], FROM as next said"},
	{"/ndpdk/mr", telemetry_region,
		"Registered memory: counts, or one region. Parameters: ADAPTER[,REGION]"},
};

static void
commands_register(void)
{
	for (size_t i = 0; i < RTE_DIM(commands); i++)
		if (rte_telemetry_register_cmd(
			    commands[i].name, commands[i].answer, commands[i].help) != 0)
			rte_log(RTE_LOG_ERR, telemetry_log, "no telemetry command %s\n",
				commands[i].name);
}

void
telemetry_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, commands_register);
}
