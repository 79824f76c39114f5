/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Telemetry of adapters and engines: their properties and counters. */

#include <string.h>

#include <sys/syscall.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_lcore.h>

#include "engine/query.h"
#include "mem/query.h"
#include "nd/telemetry_answer.h"
#include "nd/telemetry_commands.h"

/**
 * Capacity for counters, which must exceed their number. A test checks that each counter is in the
 * answers.
 */
#define COUNTERS_MAX 224

/** Time after which an engine without a turn is reported as not polled, in nanoseconds. */
#define IDLE_NS UINT64_C(1000000000)

static size_t
counters_read(const struct nd_adapter *adapter, struct nd_counter *counters)
{
	return RTE_MIN(nd_adapter_counters(adapter, counters, COUNTERS_MAX), (size_t)COUNTERS_MAX);
}

/** @return the smallest number of an open adapter above this number; -1: there is none */
static int64_t
number_after(int64_t number)
{
	const struct nd_adapter *adapter;
	int64_t next;

	registry_lock();
	adapter = registry_next((uint32_t)(number + 1));
	next = adapter == NULL ? -1 : (int64_t)adapter->number;
	registry_unlock();
	return next;
}

int
telemetry_adapters(const char *params, struct telemetry_answer *answer)
{
	int64_t number = -1;

	if (params != NULL)
		return telemetry_refuse(answer, "the command has no parameters");
	telemetry_open_array(answer, NULL, ND_TELEMETRY_NUMBERS);
	/* Iterate without holding the registry's lock, because the sink may take long. */
	while ((number = number_after(number)) >= 0)
		telemetry_add(answer, NULL, (uint64_t)number);
	telemetry_close(answer);
	return 0;
}

static void
add_counters(struct telemetry_answer *answer, const struct nd_counter *counters, size_t count)
{
	telemetry_open(answer, "counters");
	for (size_t i = 0; i < count; i++)
		telemetry_add(answer, counters[i].name, counters[i].value);
	telemetry_close(answer);
}

static void
add_port(struct telemetry_answer *answer, const struct nd_adapter *adapter)
{
	char name[RTE_ETH_NAME_MAX_LEN];

	telemetry_port_name(adapter, name);
	telemetry_add_text(answer, "port", name);
	telemetry_add(answer, "port_id", adapter->config.port_id);
}

static void
add_memory(struct telemetry_answer *answer, const struct nd_adapter *adapter)
{
	struct mem_domain_info info;

	mem_domain_query(adapter->mem, &info);
	telemetry_add(answer, "regions", info.regions);
	telemetry_add(answer, "windows", info.windows);
	telemetry_add(answer, "windows_bound", info.windows_bound);
}

static int
adapter_answer(const struct telemetry_request *request)
{
	const struct nd_adapter *adapter = request->adapter;
	struct nd_counter counters[COUNTERS_MAX];
	size_t count = counters_read(adapter, counters);
	char address[WIRE_GID_TEXT_BYTES];
	const struct nd_engine *home;
	struct engine_state state;
	uint64_t qps = 0;

	ADAPTER_FOREACH_ENGINE (home, adapter) {
		engine_state(home->engine, &state);
		qps += state.qps;
	}
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", adapter->number);
	telemetry_add_text(request->answer, "name", adapter->name);
	add_port(request->answer, adapter);
	telemetry_add_text(request->answer, "address",
		wire_gid_format(&adapter->address, address, sizeof(address)));
	telemetry_add(request->answer, "path_mtu", adapter->pmtu_bytes);
	telemetry_add(request->answer, "engines", adapter->config.engines);
	telemetry_add(
		request->answer, "link", adapter->port == NULL || port_has_link(adapter->port));
	telemetry_add(request->answer, "qps", qps);
	add_memory(request->answer, adapter);
	add_counters(request->answer, counters, count);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_adapter(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 0, adapter_answer);
}

/** Add a member for each counter: its current value if now is set, otherwise its description. */
static void
add_texts(
	struct telemetry_answer *answer, bool now, const struct nd_counter *counters, size_t count)
{
	telemetry_open(answer, now ? "now" : "counters");
	for (size_t i = 0; i < count; i++)
		if (counters[i].now == now)
			telemetry_add_text(answer, counters[i].name, counters[i].text);
	telemetry_close(answer);
}

int
telemetry_counters(const char *params, struct telemetry_answer *answer)
{
	struct nd_counter counters[COUNTERS_MAX];
	struct nd_adapter *adapter;
	size_t count = 0;

	if (params != NULL)
		return telemetry_refuse(answer, "the command has no parameters");
	registry_lock();
	adapter = registry_next(0);
	/*
	 * The adapter may be closed after the unlock, but the names and texts of counters are
	 * static.
	 */
	if (adapter != NULL)
		count = counters_read(adapter, counters);
	registry_unlock();
	if (count == 0)
		return telemetry_refuse(answer, "no adapter is open");
	telemetry_open(answer, NULL);
	add_texts(answer, false, counters, count);
	add_texts(answer, true, counters, count);
	telemetry_close(answer);
	return 0;
}

static bool
is_loss(const char *name)
{
	return strncmp(name, "drop_", 5) == 0 || strstr(name, "_drop_") != NULL ||
		strncmp(name, "refused_", 8) == 0;
}

/**
 * Add the counters of the port's driver for packets that were lost before an engine received them.
 */
static void
add_port_losses(struct telemetry_answer *answer, const struct nd_adapter *adapter)
{
	struct rte_eth_stats stats;

	if (adapter->port == NULL || port_removed(adapter->port) ||
		rte_eth_stats_get(adapter->config.port_id, &stats) != 0)
		return;
	telemetry_add(answer, "port_rx_missed", stats.imissed);
	telemetry_add(answer, "port_rx_errors", stats.ierrors);
	telemetry_add(answer, "port_rx_no_mbuf", stats.rx_nombuf);
	telemetry_add(answer, "port_tx_errors", stats.oerrors);
}

static int
drops_answer(const struct telemetry_request *request)
{
	struct nd_counter counters[COUNTERS_MAX];
	size_t count = counters_read(request->adapter, counters);

	telemetry_open(request->answer, NULL);
	for (size_t i = 0; i < count; i++)
		if (is_loss(counters[i].name))
			telemetry_add(request->answer, counters[i].name, counters[i].value);
	add_port_losses(request->answer, request->adapter);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_drops(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 0, drops_answer);
}

struct owner {
	unsigned int lcore_id;
	long thread_id;
};

static void
owner_tell(void *arg)
{
	struct owner *owner = arg;

	owner->lcore_id = rte_lcore_id();
	owner->thread_id = syscall(SYS_gettid);
}

static int
engine_answer(const struct telemetry_request *request)
{
	const struct nd_adapter *adapter = request->adapter;
	struct nd_counter counters[COUNTERS_MAX];
	const struct nd_engine *home;
	struct engine_state state;
	struct owner owner = {.lcore_id = LCORE_ID_ANY};
	size_t count;
	bool polled;

	if (request->numbers[0] >= adapter->config.engines ||
		(request->count == 0 && adapter->config.engines > 1))
		return telemetry_refuse(request->answer,
			"adapter %u has engines 0 to %u: use /ndpdk/engine,ADAPTER,ENGINE",
			adapter->number, adapter->config.engines - 1);
	home = &adapter->engines[request->numbers[0]];
	count = nd_engine_counters(home, counters, COUNTERS_MAX);
	engine_state(home->engine, &state);
	polled = state.idle_ns < IDLE_NS && engine_call_timed(home->engine, owner_tell, &owner);
	if (!polled && engine_call_timed_cancelled(home->engine))
		return telemetry_not_answered(request, request->numbers[0]);
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", adapter->number);
	telemetry_add(request->answer, "engine", request->numbers[0]);
	add_port(request->answer, adapter);
	telemetry_add(request->answer, "queue", adapter->config.queue_id + request->numbers[0]);
	telemetry_add(request->answer, "polled", polled);
	telemetry_add(request->answer, "idle_us", state.idle_ns / 1000);
	telemetry_add(request->answer, "index_us", state.index_ns / 1000);
	if (polled)
		telemetry_add(request->answer, "thread_id", (uint64_t)owner.thread_id);
	if (owner.lcore_id != LCORE_ID_ANY)
		telemetry_add(request->answer, "lcore", owner.lcore_id);
	telemetry_add(request->answer, "qps", state.qps);
	telemetry_add(request->answer, "qps_max", state.qp_slots);
	add_counters(request->answer, counters, RTE_MIN(count, (size_t)COUNTERS_MAX));
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_engine(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 1, engine_answer);
}
