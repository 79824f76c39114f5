/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Telemetry of queue pairs. The list is read directly. The state of a queue pair is requested from
 * its home.
 */

#include <string.h>

#include "engine/query.h"
#include "nd/connector.h"
#include "nd/telemetry_answer.h"
#include "nd/telemetry_commands.h"
#include "rc/query.h"

/** Maximum number of QPNs in one answer, because DPDK limits the size of an answer. */
#define QPS_PER_ANSWER 512

/**
 * List the queue pairs of all engines. A position counts the queue pairs of all engines together.
 */
static int
qps_answer(const struct telemetry_request *request)
{
	const struct nd_adapter *adapter = request->adapter;
	uint32_t numbers[QPS_PER_ANSWER], from = request->numbers[0], first = 0;
	const struct nd_engine *home;
	struct engine_state state;
	unsigned int count = 0;
	bool more = false;

	ADAPTER_FOREACH_ENGINE (home, adapter) {
		engine_state(home->engine, &state);
		while (from >= first && from - first < state.qp_slots) {
			uint32_t next, qpn;

			next = engine_qps_next(home->engine, from - first, &qpn);
			if (next == ENGINE_QPS_END) {
				from = first + state.qp_slots;
				break;
			}
			more = count == QPS_PER_ANSWER;
			if (more)
				break;
			numbers[count++] = qpn;
			from = first + next;
		}
		if (more)
			break;
		first += state.qp_slots;
	}
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", adapter->number);
	telemetry_add_numbers(request->answer, "qps", numbers, count);
	if (more)
		telemetry_add(request->answer, "next", from);
	telemetry_close(request->answer);
	return 0;
}

int
telemetry_qps(const char *params, struct telemetry_answer *answer)
{
	return telemetry_for_adapter(params, answer, 0, 1, qps_answer);
}

struct qp_question {
	struct engine *engine;
	uint32_t qpn;
	bool found;
	struct rc_qp_info info;
	enum connector_state state;
	uint32_t keepalive_ms;
};

/* Read the state of a queue pair, on its home engine. */
static void
qp_tell(void *arg)
{
	struct qp_question *question = arg;
	struct engine_qp *slot = engine_qp_find(question->engine, question->qpn);
	const struct nd_endpoint *endpoint;

	if (slot == NULL)
		return;
	endpoint = base_list_entry(slot, struct nd_endpoint, slot);
	question->found = true;
	question->state = __atomic_load_n(&endpoint->state, __ATOMIC_RELAXED);
	question->keepalive_ms = __atomic_load_n(&slot->keepalive_ms, __ATOMIC_RELAXED);
	rc_qp_query(slot->qp, engine_now_ns(question->engine), &question->info);
}

static void
add_requester(struct telemetry_answer *answer, const struct rc_qp_info *info)
{
	telemetry_add(answer, "sends", info->sends);
	telemetry_add(answer, "sends_max", info->sends_max);
	telemetry_add(answer, "una_psn", info->una_psn);
	telemetry_add(answer, "send_psn", info->send_psn);
	telemetry_add(answer, "max_sent_psn", info->max_sent_psn);
	telemetry_add(answer, "reads", info->reads);
	telemetry_add(answer, "reads_max", info->reads_max);
	telemetry_add(answer, "retries_left", info->retries_left);
	telemetry_add(answer, "rnr_retries_left", info->rnr_retries_left);
	telemetry_add_text(answer, "timer", info->timer);
	telemetry_add(answer, "timer_us", info->timer_ns / 1000);
	telemetry_add(answer, "window", info->window);
	telemetry_add(answer, "pause_us", info->pause_ns / 1000);
	telemetry_add(answer, "selective", info->selective);
	telemetry_add(answer, "rtt_ns", info->rtt_ns);
}

static void
add_responder(struct telemetry_answer *answer, const struct rc_qp_info *info)
{
	telemetry_add(answer, "receives", info->receives);
	telemetry_add(answer, "receives_max", info->receives_max);
	telemetry_add(answer, "expected_psn", info->expected_psn);
	telemetry_add(answer, "msn", info->msn);
	telemetry_add(answer, "keeping", info->keeping);
}

static void
add_qp(struct telemetry_answer *answer, const struct qp_question *question)
{
	const struct rc_qp_info *info = &question->info;
	char address[WIRE_GID_TEXT_BYTES];

	telemetry_add(answer, "qpn", info->qpn);
	telemetry_add_text(answer, "state", info->state);
	telemetry_add_text(answer, "error", info->error);
	telemetry_add_text(answer, "connection", connector_state_name(question->state));
	telemetry_add(answer, "keepalive_ms", question->keepalive_ms);
	telemetry_add(answer, "peer_qpn", info->remote_qpn);
	telemetry_add_text(
		answer, "address", wire_gid_format(&info->local_gid, address, sizeof(address)));
	telemetry_add_text(
		answer, "peer", wire_gid_format(&info->remote_gid, address, sizeof(address)));
	telemetry_add(answer, "path_mtu", info->pmtu_bytes);
	add_requester(answer, info);
	add_responder(answer, info);
}

/** @return the engine of the queue pair with this QPN; NULL: none. Does not call the engine. */
static const struct nd_engine *
home_of(const struct nd_adapter *adapter, uint32_t qpn)
{
	const uint32_t index = engine_qpn_home(adapter->engine, qpn);

	if (index >= adapter->config.engines ||
		!engine_qpn_used(adapter->engines[index].engine, qpn))
		return NULL;
	return &adapter->engines[index];
}

static int
qp_answer(const struct telemetry_request *request)
{
	const struct nd_engine *home = home_of(request->adapter, request->numbers[0]);
	struct qp_question question = {.qpn = request->numbers[0]};

	if (home != NULL) {
		question.engine = home->engine;
		if (!engine_call_timed(home->engine, qp_tell, &question))
			return telemetry_not_answered(
				request, (uint32_t)(home - request->adapter->engines));
	}
	if (!question.found)
		return telemetry_refuse(request->answer,
			"adapter %u does not have this queue pair: /ndpdk/qp/list,%u lists its "
			"queue pairs",
			request->adapter->number, request->adapter->number);
	telemetry_open(request->answer, NULL);
	telemetry_add(request->answer, "adapter", request->adapter->number);
	telemetry_add(request->answer, "engine", (uint64_t)(home - request->adapter->engines));
	add_qp(request->answer, &question);
	telemetry_close(request->answer);
	return 0;
}

/** Answer a command with a QPN as its only parameter: search all adapters for this QPN. */
static int
qp_search(uint32_t qpn, struct telemetry_answer *answer)
{
	struct telemetry_request request = {.answer = answer, .numbers = {qpn}, .count = 1};
	struct nd_adapter *adapter;
	unsigned int found = 0;
	int result;

	registry_ask_begin();
	registry_lock();
	REGISTRY_FOREACH (adapter) {
		if (home_of(adapter, qpn) == NULL)
			continue;
		found++;
		request.adapter = adapter;
	}
	registry_keep(request.adapter);
	registry_unlock();
	if (found == 0)
		result = telemetry_refuse(answer,
			"no adapter has this queue pair: /ndpdk/qp/list,ADAPTER lists the queue "
			"pairs");
	else if (found > 1)
		result = telemetry_refuse(answer,
			"%u adapters have this queue pair: use /ndpdk/qp,ADAPTER,QPN", found);
	else
		result = qp_answer(&request);
	registry_ask_end();
	return result;
}

int
telemetry_qp(const char *params, struct telemetry_answer *answer)
{
	uint32_t numbers[2];
	unsigned int count;

	if (telemetry_numbers(params, numbers, 2, &count) && count == 1)
		return qp_search(numbers[0], answer);
	if (params == NULL || strchr(params, ',') == NULL)
		return telemetry_refuse(answer, "the parameters must be QPN or ADAPTER,QPN");
	return telemetry_for_adapter(params, answer, 1, 1, qp_answer);
}
