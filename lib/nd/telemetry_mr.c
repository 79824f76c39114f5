/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Telemetry of registered memory. Keys are not shown, because a key may give access to memory. */

#include "mem/query.h"
#include "nd/telemetry_answer.h"
#include "nd/telemetry_commands.h"

/** Maximum number of regions in one answer, because DPDK limits the size of an answer. */
#define REGIONS_PER_ANSWER 512

static int
regions_answer(const struct telemetry_request *request)
{
	uint32_t numbers[REGIONS_PER_ANSWER], next = request->numbers[0];
	unsigned int count = 0;

	while (count < REGIONS_PER_ANSWER &&
		(next = mem_region_next(request->adapter->mem, next)) != MEM_REGIONS_END)
		numbers[count++] = next++;
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", request->adapter->number);
	telemetry_add_numbers(request->answer, "regions", numbers, count);
	if (next != MEM_REGIONS_END)
		telemetry_add(request->answer, "next", next);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_regions(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 1, regions_answer);
}

static int
memory_answer(const struct telemetry_request *request)
{
	struct mem_domain_info info;

	mem_domain_query(request->adapter->mem, &info);
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", request->adapter->number);
	telemetry_add(request->answer, "regions", info.regions);
	telemetry_add(request->answer, "regions_max", info.regions_max);
	telemetry_add(request->answer, "windows", info.windows);
	telemetry_add(request->answer, "windows_max", info.windows_max);
	telemetry_add(request->answer, "windows_bound", info.windows_bound);
	telemetry_add(request->answer, "binds_queued", info.binds_queued);
	telemetry_close(request->answer);
	return 0;
}

struct region_question {
	struct mem_domain *mem;
	uint32_t number;
	enum rc_status status;
	struct mem_region_info info;
};

/*
 * Read a region, on an engine's thread. So a telemetry thread never holds the lock that binds need.
 */
static void
region_tell(void *arg)
{
	struct region_question *question = arg;
	const struct mem_region *region = mem_region_at(question->mem, question->number);

	question->status = region == NULL
		? RC_BAD_REGION
		: mem_region_query(question->mem, region, &question->info);
}

static int
region_answer(const struct telemetry_request *request)
{
	struct region_question question = {
		.mem = request->adapter->mem, .number = request->numbers[0]};

	if (request->count == 0)
		return memory_answer(request);
	if (mem_region_at(question.mem, question.number) == NULL)
		question.status = RC_BAD_REGION;
	else if (!engine_call_timed(request->adapter->engine, region_tell, &question))
		return telemetry_not_answered(request, 0);
	if (question.status != RC_OK)
		return telemetry_refuse(request->answer,
			"adapter %u does not have this region: /ndpdk/mr/list,%u lists its regions",
			request->adapter->number, request->adapter->number);
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", request->adapter->number);
	telemetry_add(request->answer, "region", question.number);
	telemetry_add(request->answer, "base", question.info.base);
	telemetry_add(request->answer, "length", question.info.length_bytes);
	/* The cookie is the number of buffers, see memory.c. */
	telemetry_add(request->answer, "buffers", (uintptr_t)question.info.cookie);
	telemetry_add(request->answer, "windows_bound", question.info.windows_bound);
	telemetry_add(request->answer, "binds_queued", question.info.binds_queued);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_region(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 1, region_answer);
}
