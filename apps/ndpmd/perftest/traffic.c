/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include "flow.h"

/*
 * Highest number of posts between two polls of the engine. The limit lets the engine process ACKs
 * in time.
 */
#define POSTS_PER_TURN 64u

/*
 * @return request structure for the next message; NULL = the structure is still in use. The
 *         structures are used in a circle.
 */
static struct perftest_request *
next_request(struct perftest_flow *flow)
{
	struct perftest_request *request = &flow->requests[flow->posted % flow->request_count];

	return request->busy ? NULL : request;
}

static void
post_message(struct perftest_flow *flow, struct perftest_request *request, uint32_t bytes)
{
	const struct nd_sge sge = {flow->local, bytes, flow->mr};
	struct nd_endpoint *endpoint = flow->link.endpoint;
	nd_status status;

	request->sequence = flow->posted;
	request->posted_tsc = stopwatch_now();
	request->busy = true;
	flow->round_tsc = request->posted_tsc;
	if (flow->setup.op == OPTIONS_OP_SEND)
		status = nd_endpoint_send(endpoint, &request->result, &sge, bytes > 0, 0);
	else if (flow->setup.op == OPTIONS_OP_READ)
		status = nd_endpoint_read(endpoint, &request->result, &sge, 1, &flow->remote, 0, 0);
	else
		status =
			nd_endpoint_write(endpoint, &request->result, &sge, 1, &flow->remote, 0, 0);
	if (link_posted(&flow->link, status, options_op_name(flow->setup.op)))
		flow->posted++;
	else
		request->busy = false;
}

/* Bandwidth tests and read latency: post until the depth is reached. */
static void
fill_depth(struct perftest_flow *flow)
{
	struct perftest_request *request = NULL;
	uint32_t count = 0;

	while (count < POSTS_PER_TURN && flow->posted < flow->limit &&
		(request = next_request(flow)) != NULL && flow->link.state == LINK_CONNECTED &&
		!flow->link.peer_gone) {
		if (count++ == 0)
			nd_endpoint_start_request_batch(flow->link.endpoint);
		post_message(flow, request, flow->setup.size_bytes);
	}
	if (count > 0)
		nd_endpoint_submit_request_batch(flow->link.endpoint);
}

static void
record(struct perftest_flow *flow, uint64_t sequence, uint64_t cycles)
{
	if (sequence >= flow->measured_from)
		histogram_record(
			flow->setup.histogram, stopwatch_ns(flow->setup.stopwatch, cycles));
}

static void
note_arrival(struct perftest_flow *flow, size_t bytes, uint64_t now)
{
	if (flow->arrived++ == flow->reported)
		flow->first_tsc = now;
	flow->last_tsc = now;
	flow->arrived_bytes = (uint32_t)bytes;
}

/* Send latency: post the initiator's next message or the target's next answer, if it is due. */
static void
send_in_turn(struct perftest_flow *flow)
{
	const bool initiator = flow->setup.initiator;
	const bool due = initiator ? flow->posted < flow->limit && flow->arrived == flow->posted
				   : flow->arrived > flow->posted;
	struct perftest_request *request = next_request(flow);

	if (due && request != NULL)
		post_message(
			flow, request, initiator ? flow->setup.size_bytes : flow->arrived_bytes);
}

/*
 * @return true if the peer's message with this number has arrived. The last byte of a message is
 *         its number and arrives last. The number after 255 is 0, so successive numbers differ. The
 *         thread that polls the engine reads the number between two polls, when no write is in
 *         progress.
 */
static bool
number_has_come(const struct perftest_flow *flow, uint64_t number)
{
	const uint8_t *last = flow->memory + flow->setup.size_bytes - 1;

	return __atomic_load_n(last, __ATOMIC_ACQUIRE) == (uint8_t)number;
}

/*
 * Write the next number when the previous message is complete. The memory must not change earlier,
 * because a lost message is retransmitted from it.
 */
static void
write_number(struct perftest_flow *flow)
{
	struct perftest_request *request = next_request(flow);

	if (request == NULL)
		return;
	flow->local[flow->setup.size_bytes - 1] = (uint8_t)(flow->posted + 1);
	post_message(flow, request, flow->setup.size_bytes);
}

static void
write_in_turn(struct perftest_flow *flow)
{
	const bool initiator = flow->setup.initiator;
	bool due;

	if (number_has_come(flow, flow->arrived + 1)) {
		const uint64_t now = stopwatch_now();

		if (initiator && flow->posted > 0)
			record(flow, flow->posted - 1, now - flow->round_tsc);
		note_arrival(flow, flow->setup.size_bytes, now);
	}
	due = initiator ? flow->posted < flow->limit && flow->arrived > flow->posted
			: flow->arrived == flow->posted;
	if (due && flow->completed == flow->posted)
		write_number(flow);
}

void
perftest_traffic_turn(struct perftest_flow *flow)
{
	const bool latency = flow->setup.latency;

	if (latency && flow->setup.op == OPTIONS_OP_SEND)
		send_in_turn(flow);
	else if (latency && flow->setup.op == OPTIONS_OP_WRITE)
		write_in_turn(flow);
	else if (flow->setup.initiator)
		fill_depth(flow);
}

void
perftest_traffic_completed(
	struct perftest_flow *flow, struct perftest_request *request, uint64_t now)
{
	const bool answered = flow->setup.latency && flow->setup.op != OPTIONS_OP_READ;

	flow->completed++;
	if (!flow->setup.initiator || request->sequence < flow->measured_from)
		return;
	flow->measured++;
	if (!answered)
		record(flow, request->sequence, now - request->posted_tsc);
}

void
perftest_traffic_received(struct perftest_flow *flow, size_t bytes, uint64_t now)
{
	const bool initiator = flow->setup.initiator;

	if (flow->setup.op != OPTIONS_OP_SEND || (initiator && !flow->setup.latency)) {
		link_fail(&flow->link,
			"the peer sent an unexpected message in a test of %s: check that it runs "
			"the same test",
			options_op_name(flow->setup.op));
		return;
	}
	if (initiator && flow->arrived == flow->posted) {
		link_fail(&flow->link, "the server sent an unexpected answer");
		return;
	}
	note_arrival(flow, bytes, now);
	if (initiator)
		record(flow, flow->arrived - 1, now - flow->round_tsc);
}
