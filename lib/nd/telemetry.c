/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/telemetry.h"
#include "nd/refuse.h"

#include <pthread.h>
#include <string.h>

#include <rte_common.h>
#include <rte_log.h>
#include <rte_telemetry.h>

#include "base/sized.h"
#include "nd/telemetry_commands.h"
#include "nd/telemetry_dpdk.h"

RTE_LOG_REGISTER(telemetry_log, lib.ndpdk.telemetry, NOTICE)

struct telemetry_command {
	const char *name;
	telemetry_fn answer;
	const char *help; /* shorter than RTE_TEL_MAX_STRING_LEN */
};

static const struct telemetry_command commands[] = {
	{"/ndpdk/adapter/list", telemetry_adapters, "Numbers of the open adapters"},
	{"/ndpdk/adapter", telemetry_adapter,
		"An adapter and its counters. Parameter: ADAPTER (number, name or port name)"},
	{"/ndpdk/counters", telemetry_counters, "Descriptions of the counters. No parameters"},
	{"/ndpdk/drops", telemetry_drops,
		"Drops and refusals of an adapter and its port. Parameter: ADAPTER"},
	{"/ndpdk/engine", telemetry_engine,
		"An engine and its counters. Parameters: ADAPTER[,ENGINE]"},
	{"/ndpdk/cq", telemetry_cqs,
		"Completion queues of an engine. Parameters: ADAPTER[,ENGINE[,FROM]]"},
	{"/ndpdk/neighbours", telemetry_neighbours,
		"Neighbours of an adapter. Parameters: ADAPTER[,FROM], FROM: value of next in the "
		"last answer"},
	{"/ndpdk/qp/list", telemetry_qps,
		"Queue pairs of an adapter. Parameters: ADAPTER[,FROM], FROM: value of next in the "
		"last answer"},
	{"/ndpdk/qp", telemetry_qp, "A queue pair. Parameters: QPN or ADAPTER,QPN"},
	{"/ndpdk/mr/list", telemetry_regions,
		"Regions of an adapter. Parameters: ADAPTER[,FROM], FROM: value of next in the "
		"last answer"},
	{"/ndpdk/mr", telemetry_region,
		"Registered memory: counts, or one region. Parameters: ADAPTER[,REGION]"},
};

static const struct telemetry_command *
command_find(const char *name, size_t length)
{
	for (size_t i = 0; i < RTE_DIM(commands); i++)
		if (strncmp(commands[i].name, name, length) == 0 &&
			commands[i].name[length] == '\0')
			return &commands[i];
	return NULL;
}

nd_status
nd_telemetry_query_sized(
	const char *command, const struct nd_telemetry_sink *sink, size_t size, void *arg)
{
	struct nd_telemetry_sink own;
	struct telemetry_answer answer = {.sink = &own, .arg = arg};
	const size_t length = command != NULL ? strcspn(command, ",") : 0;
	const struct telemetry_command *found = NULL;
	int state;

	if (command != NULL)
		found = command_find(command, length);
	if (found == NULL)
		return REFUSE_IN(
			"nd_telemetry_query", 1, "command is NULL or not a command of the library");
	if (sink == NULL)
		return REFUSE_IN("nd_telemetry_query", 2, "sink is NULL");
	if (!base_sized_read(&own, sizeof(own), sink, size))
		return REFUSE_IN("nd_telemetry_query", 3,
			"sink sets members that this version of the library does not know");
	/*
	 * Disable thread cancellation, because the query is on this stack, and an engine may access
	 * it at any time (nd/registry.h).
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	found->answer(command[length] == ',' ? command + length + 1 : NULL, &answer);
	pthread_setcancelstate(state, NULL);
	return ND_SUCCESS;
}

static int
command_answer(const char *name, const char *params, struct rte_tel_data *data)
{
	struct telemetry_dpdk dpdk = {.data = data};
	struct telemetry_answer answer = {.sink = &telemetry_dpdk_sink, .arg = &dpdk};
	const struct telemetry_command *command = command_find(name, strlen(name));

	if (command == NULL)
		return -1;
	command->answer(params, &answer);
	if (dpdk.no_memory)
		telemetry_refuse(&answer, "no memory");
	return 0;
}

static void
commands_register(void)
{
	for (size_t i = 0; i < RTE_DIM(commands); i++)
		if (rte_telemetry_register_cmd(
			    commands[i].name, command_answer, commands[i].help) != 0)
			rte_log(RTE_LOG_ERR, telemetry_log,
				"cannot register telemetry command %s\n", commands[i].name);
}

void
telemetry_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, commands_register);
}
