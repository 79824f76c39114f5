/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "side.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bitops.h>
#include <rte_common.h>

#include "kit/end_words.h"

/*
 * Oldest supported version. Older versions exchange different items, so perftest and this program
 * refuse them.
 */
#define VERSION_OLDEST 5.70
/* Path MTU in bytes for code '1'. The next codes double the path MTU each. */
#define MTU_BYTES_MIN  256u

void
perftest_side_init(struct perftest_side *side, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter)
{
	memset(side, 0, sizeof(*side));
	side->options = options;
	side->stopwatch = stopwatch;
	side->adapter = adapter;
	side->plan.op = options->ops[0];
	side->plan.latency = options->latency;
	side->cycle_bytes = PERFTEST_CYCLE_BYTES;
	perftest_control_init(&side->control, adapter);
}

void
perftest_side_fail(struct perftest_side *side, const char *format, ...)
{
	va_list list;

	if (side->error[0] != '\0')
		return;
	va_start(list, format);
	vsnprintf(side->error, sizeof(side->error), format, list);
	va_end(list);
}

bool
perftest_side_peer_gone(const struct perftest_side *side)
{
	bool gone = side->control.link.peer_gone;

	for (uint32_t i = 0; i < side->flow_count; i++)
		gone |= side->flows[i]->link.peer_gone;
	return gone;
}

void
perftest_side_fail_gone(struct perftest_side *side, const char *what, const char *question)
{
	char words[END_WORDS_BYTES];

	end_words(side->control.link.connector, words);
	for (uint32_t i = 0; i < side->flow_count && words[0] == '\0'; i++)
		end_words(side->flows[i]->link.connector, words);
	if (words[0] == '\0')
		perftest_side_fail(side, "%s: %s", what, question);
	else
		perftest_side_fail(side, "%s%s", what, words);
}

struct perftest_flow *
perftest_side_add_flow(struct perftest_side *side, const struct perftest_flow_setup *setup)
{
	struct perftest_flow_setup own = *setup;
	struct perftest_flow *flow;

	flow = side->flow_count < OPTIONS_PERFTEST_QPS_MAX ? calloc(1, sizeof(*flow)) : NULL;
	if (flow == NULL) {
		perftest_side_fail(side, "no memory for a connection");
		return NULL;
	}
	own.adapter = side->adapter;
	own.stopwatch = side->stopwatch;
	own.op = side->plan.op;
	own.latency = side->plan.latency;
	own.index = side->flow_count;
	/*
	 * perftest writes messages shorter than half a cycle (page) to successive addresses within
	 * the cycle. Therefore the exposed memory has at least the size of a cycle.
	 */
	own.span_bytes = RTE_MAX(setup->span_bytes, side->cycle_bytes);
	perftest_flow_init(flow, &own);
	side->flows[side->flow_count++] = flow;
	return flow;
}

/*
 * Make the place of queue pair number index. Both sides number the queue pairs in the order in
 * which the queue pairs connect.
 */
static struct perftest_place
make_place(const struct perftest_side *side, uint32_t index)
{
	struct perftest_place place = {0};

	if (index < side->flow_count) {
		place.key = side->flows[index]->exposed.token;
		place.address = side->flows[index]->exposed.base;
		place.reads = rte_cpu_to_be_32(1);
		/* RDMA CM does not need the QPN here, but perftest prints it. */
		place.qpn = rte_cpu_to_be_32(index);
	}
	return place;
}

static void
send_number(struct perftest_side *side, uint32_t number)
{
	const rte_be32_t item = rte_cpu_to_be_32(number);

	perftest_control_send(&side->control, &item, sizeof(item));
}

static void
send_mtu(struct perftest_side *side)
{
	const unsigned int mtu = nd_adapter_path_mtu(side->adapter);
	const char item[PERFTEST_MTU_BYTES] = {(char)('1' + rte_bsf32(mtu / MTU_BYTES_MIN)), '\0'};

	perftest_control_send(&side->control, item, sizeof(item));
}

void
perftest_side_send(struct perftest_side *side, struct perftest_turn turn)
{
	static const char version[PERFTEST_VERSION_BYTES] = PERFTEST_VERSION;
	struct perftest_place place = {0};

	switch (turn.step) {
	case PERFTEST_STEP_VERSION:
		perftest_control_send(&side->control, version, sizeof(version));
		break;
	case PERFTEST_STEP_CYCLE:
		send_number(side, PERFTEST_CYCLE_BYTES);
		break;
	case PERFTEST_STEP_CACHE_LINE:
		send_number(side, PERFTEST_CACHE_LINE);
		break;
	case PERFTEST_STEP_MTU:
		send_mtu(side);
		break;
	case PERFTEST_STEP_PLACE:
		place = make_place(side, turn.index);
		perftest_control_send(&side->control, &place, sizeof(place));
		break;
	case PERFTEST_STEP_BLANK:
		perftest_control_send(&side->control, &place, sizeof(place));
		break;
	case PERFTEST_STEP_VALUE:
		perftest_control_send(
			&side->control, &side->values[turn.index], PERFTEST_VALUE_BYTES);
		break;
	case PERFTEST_STEP_CONNECT:
	case PERFTEST_STEP_TEST:
	case PERFTEST_STEP_END:
		break;
	}
}

static bool
take_version(struct perftest_side *side, const uint8_t *item)
{
	char text[PERFTEST_VERSION_BYTES + 1] = {0};

	memcpy(text, item, PERFTEST_VERSION_BYTES);
	if (strtod(text, NULL) >= VERSION_OLDEST)
		return true;
	for (char *c = text; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	perftest_side_fail(side, "the peer has version '%s' of perftest: expected %.2f or later",
		text, VERSION_OLDEST);
	return false;
}

static void
take_cycle(struct perftest_side *side, const uint8_t *item)
{
	rte_be32_t number;

	memcpy(&number, item, sizeof(number));
	side->cycle_bytes = RTE_MAX(side->cycle_bytes, rte_be_to_cpu_32(number));
	/*
	 * Limit the peer's value to 16 MiB, the largest huge page size that Linux uses by default
	 * on any architecture.
	 */
	side->cycle_bytes = RTE_MIN(side->cycle_bytes, 16u << 20);
}

static void
take_place(struct perftest_side *side, uint32_t index, const uint8_t *item)
{
	struct perftest_place place;
	struct nd_mw_descriptor *remote;

	if (index >= side->flow_count)
		return;
	memcpy(&place, item, sizeof(place));
	remote = &side->flows[index]->remote;
	remote->base = place.address;
	remote->token = place.key;
	/* The peer does not send the length. Both sides were started with the same size. */
	remote->length = rte_cpu_to_be_64(side->flows[index]->setup.size_bytes);
}

bool
perftest_side_take(
	struct perftest_side *side, struct perftest_turn turn, const uint8_t *item, size_t bytes)
{
	if (bytes != perftest_step_bytes(turn.step)) {
		perftest_side_fail(side,
			"the peer sent an item of %zu bytes instead of %u: check that it runs "
			"perftest 4.5 with -R, the same test and the same number of queue pairs",
			bytes, perftest_step_bytes(turn.step));
		return false;
	}
	if (turn.step == PERFTEST_STEP_VERSION)
		return take_version(side, item);
	if (turn.step == PERFTEST_STEP_CYCLE)
		take_cycle(side, item);
	else if (turn.step == PERFTEST_STEP_PLACE)
		take_place(side, turn.index, item);
	return true;
}

void
perftest_side_turn(struct perftest_side *side)
{
	perftest_control_turn(&side->control);
	for (uint32_t i = 0; i < side->flow_count; i++)
		perftest_flow_turn(side->flows[i]);
}

void
perftest_side_wait(struct perftest_side *side, uint32_t seconds)
{
	side->deadline_tsc = stopwatch_now() + seconds * side->stopwatch->hz;
}

bool
perftest_side_is_late(const struct perftest_side *side)
{
	return stopwatch_now() >= side->deadline_tsc;
}

bool
perftest_side_ready(const struct perftest_side *side)
{
	for (uint32_t i = 0; i < side->flow_count; i++)
		if (!perftest_flow_ready(side->flows[i]))
			return false;
	return true;
}

bool
perftest_side_failed(struct perftest_side *side)
{
	if (side->control.link.state == LINK_FAILED)
		perftest_side_fail(side, "%s", side->control.link.error);
	for (uint32_t i = 0; i < side->flow_count; i++)
		if (side->flows[i]->link.state == LINK_FAILED)
			perftest_side_fail(side, "%s", side->flows[i]->link.error);
	return side->error[0] != '\0';
}

bool
perftest_side_leave(struct perftest_side *side)
{
	bool all = true;

	for (uint32_t i = 0; i < side->flow_count; i++) {
		link_disconnect(&side->flows[i]->link);
		all &= side->flows[i]->link.state == LINK_CLOSED;
	}
	if (!all)
		return false;
	link_disconnect(&side->control.link);
	return side->control.link.state == LINK_CLOSED;
}

void
perftest_side_close(struct perftest_side *side)
{
	for (uint32_t i = 0; i < side->flow_count; i++) {
		perftest_flow_close(side->flows[i]);
		free(side->flows[i]);
	}
	side->flow_count = 0;
	perftest_control_close(&side->control);
}
