/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Telemetry of data that only an engine's thread may read: completion queues and neighbours. The
 * neighbours belong to the first engine.
 */

#include <stdio.h>

#include <rte_ether.h>

#include "engine/query.h"
#include "nd/cq.h"
#include "nd/telemetry_answer.h"
#include "nd/telemetry_commands.h"
#include "neigh/neigh.h"

/** Maximum number of entries in one answer, because DPDK limits the size of an answer. */
#define ENTRIES_PER_ANSWER 256

struct cq_question {
	const struct nd_engine *home;
	uint32_t from;
	uint32_t count;
	bool more;
	uint32_t entries[ENTRIES_PER_ANSWER];
	uint32_t results[ENTRIES_PER_ANSWER];
	uint32_t endpoints[ENTRIES_PER_ANSWER];
};

/* Read the completion queues, on their home engine. */
static void
cqs_tell(void *arg)
{
	struct cq_question *question = arg;
	struct base_list *node;
	uint32_t at = 0;

	BASE_LIST_FOREACH (node, &question->home->cqs) {
		const struct nd_cq *cq = base_list_entry(node, struct nd_cq, node);

		if (at++ < question->from)
			continue;
		question->more = question->count == ENTRIES_PER_ANSWER;
		if (question->more)
			return;
		question->entries[question->count] = cq->rc.entries;
		question->results[question->count] = rc_cq_occupied(&cq->rc);
		question->endpoints[question->count] = cq->endpoints;
		question->count++;
	}
}

static int
cqs_answer(const struct telemetry_request *request)
{
	const struct nd_adapter *adapter = request->adapter;
	const uint32_t engine = request->numbers[0];
	struct cq_question question = {.from = request->numbers[1]};

	if (engine >= adapter->config.engines)
		return telemetry_refuse(request->answer, "adapter %u has engines 0 to %u",
			adapter->number, adapter->config.engines - 1);
	question.home = &adapter->engines[engine];
	if (!engine_call_timed(question.home->engine, cqs_tell, &question))
		return telemetry_not_answered(request, engine);
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", adapter->number);
	telemetry_add(request->answer, "engine", engine);
	telemetry_add_numbers(request->answer, "entries", question.entries, question.count);
	telemetry_add_numbers(request->answer, "results", question.results, question.count);
	telemetry_add_numbers(request->answer, "endpoints", question.endpoints, question.count);
	if (question.more)
		telemetry_add(request->answer, "next", question.from + question.count);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_cqs(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 2, cqs_answer);
}

struct neighbour_question {
	const struct engine *engine;
	uint32_t from;
	uint32_t count;
	bool more;
	struct neigh_info info[ENTRIES_PER_ANSWER];
};

/* Read the neighbours, on the first engine. */
static void
neighbours_tell(void *arg)
{
	struct neighbour_question *question = arg;
	struct neigh_info beyond;

	while (question->count < ENTRIES_PER_ANSWER &&
		engine_neighbour(question->engine, question->from + question->count,
			&question->info[question->count]))
		question->count++;
	question->more = question->count == ENTRIES_PER_ANSWER &&
		engine_neighbour(question->engine, question->from + question->count, &beyond);
}

static void
add_addresses(const struct telemetry_request *request, const struct neighbour_question *question)
{
	char address[WIRE_GID_TEXT_BYTES];

	telemetry_open_array(request->answer, "addresses", ND_TELEMETRY_TEXTS);
	for (uint32_t i = 0; i < question->count; i++)
		telemetry_add_text(request->answer, NULL,
			wire_gid_format(&question->info[i].address, address, sizeof(address)));
	telemetry_close(request->answer);
}

static void
add_macs(const struct telemetry_request *request, const struct neighbour_question *question)
{
	char text[RTE_ETHER_ADDR_FMT_SIZE];

	telemetry_open_array(request->answer, "macs", ND_TELEMETRY_TEXTS);
	for (uint32_t i = 0; i < question->count; i++) {
		rte_ether_format_addr(text, sizeof(text), &question->info[i].mac);
		telemetry_add_text(request->answer, NULL, text);
	}
	telemetry_close(request->answer);
}

static int
neighbours_answer(const struct telemetry_request *request)
{
	struct neighbour_question question = {
		.engine = request->adapter->engine, .from = request->numbers[0]};

	if (!engine_call_timed(request->adapter->engine, neighbours_tell, &question))
		return telemetry_not_answered(request, 0);
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", request->adapter->number);
	add_addresses(request, &question);
	add_macs(request, &question);
	telemetry_open_array(request->answer, "states", ND_TELEMETRY_TEXTS);
	for (uint32_t i = 0; i < question.count; i++)
		telemetry_add_text(request->answer, NULL, question.info[i].state);
	telemetry_close(request->answer);
	if (question.more)
		telemetry_add(request->answer, "next", question.from + question.count);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_neighbours(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 1, neighbours_answer);
}
