/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* A connection of the test bed, and the requests that are posted on it. */

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "nd/adapter.h"

#define TCP_PROTOCOL    6
#define READ_LIMIT      16
/** Maximum number of turns (calls of bed_turn()) for a handshake. */
#define HANDSHAKE_TURNS 100000u
/** Size of a request's number in bytes. The number is in the last bytes of the request's data. */
#define STAMP_BYTES     sizeof(uint64_t)

static void
require(nd_status status, const char *what)
{
	if (status != ND_SUCCESS)
		bed_fail(what, nd_status_name(status));
}

static void
finish(struct bed *bed, nd_status status, struct nd_overlapped *overlapped, const char *what)
{
	for (uint32_t i = 0; status == ND_PENDING && i < HANDSHAKE_TURNS; i++) {
		bed_turn(bed);
		status = nd_overlapped_get_result(overlapped, NULL, false);
	}
	require(status, what);
}

static void
memory_open(struct bed_flow *flow, uint32_t end)
{
	size_t bytes = (size_t)flow->depth * flow->bytes;

	flow->memory[end] = calloc(1, bytes);
	if (flow->memory[end] == NULL)
		bed_fail("memory", "none");
	require(nd_adapter_register_memory(
			flow->ends[end]->adapter, flow->memory[end], bytes, NULL, &flow->mrs[end]),
		"nd_adapter_register_memory");
}

static void
endpoint_make(struct bed_flow *flow, uint32_t end)
{
	const struct bed_node *node = flow->ends[end];

	require(nd_connector_create_endpoint(flow->connectors[end], node->inbound, node->outbound,
			flow->depth, flow->depth, 1, 1, READ_LIMIT, READ_LIMIT, NULL,
			&flow->endpoints[end]),
		"nd_connector_create_endpoint");
}

static void
connect_ends(struct bed_flow *flow)
{
	const struct bed_node *to = flow->ends[1];
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = to->port,
		.sin_addr.s_addr = htonl(0xC0000201 + to->index),
	};
	nd_status requested, connecting, accepting;

	for (uint32_t i = 0; i < 2; i++)
		require(nd_adapter_create_connector(flow->ends[i]->adapter, &flow->connectors[i]),
			"nd_adapter_create_connector");
	endpoint_make(flow, 0);
	requested = nd_listener_get_connection_request(to->listener, flow->connectors[1], &request);
	connecting = nd_connector_connect(flow->connectors[0], flow->endpoints[0],
		(const struct sockaddr *)&address, sizeof(address), TCP_PROTOCOL, 0, NULL, 0,
		&connect);
	finish(flow->bed, requested, &request, "nd_listener_get_connection_request");
	endpoint_make(flow, 1);
	accepting = nd_connector_accept(flow->connectors[1], flow->endpoints[1], NULL, 0, &accept);
	finish(flow->bed, connecting, &connect, "nd_connector_connect");
	finish(flow->bed, nd_connector_complete_connect(flow->connectors[0], &complete), &complete,
		"nd_connector_complete_connect");
	finish(flow->bed, accepting, &accept, "nd_connector_accept");
}

static void
window_bind(struct bed_flow *flow)
{
	const struct bed_node *node = flow->ends[1];
	struct nd_result bound, *got;

	require(nd_adapter_create_memory_window(node->adapter, &flow->invalidated, &flow->mw),
		"nd_adapter_create_memory_window");
	require(nd_endpoint_bind(flow->endpoints[1], &bound, flow->mrs[1], flow->mw,
			flow->memory[1], (size_t)flow->depth * flow->bytes,
			ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, &flow->window),
		"nd_endpoint_bind");
	if (nd_cq_get_results(node->outbound, &got, 1) != 1)
		bed_fail("nd_endpoint_bind", "was not executed at once");
	require(bound.status, "bind");
}

static struct nd_sge
slot_sge(const struct bed_flow *flow, uint32_t end, uint64_t number)
{
	return (struct nd_sge){
		.address = flow->memory[end] + (number % flow->depth) * flow->bytes,
		.length = flow->bytes,
		.mr = flow->mrs[end],
	};
}

static void
receive_post(struct bed_flow *flow, uint64_t number)
{
	struct nd_sge sge = slot_sge(flow, 1, number);

	require(nd_endpoint_receive(
			flow->endpoints[1], &flow->receives[number % flow->depth], &sge, 1),
		"nd_endpoint_receive");
}

void
bed_flow_open(struct bed_flow *flow, struct bed *bed, uint32_t from, uint32_t to)
{
	flow->bed = bed;
	flow->ends[0] = &bed->nodes[from];
	flow->ends[1] = &bed->nodes[to];
	flow->posted = 0;
	flow->completed = 0;
	memory_open(flow, 0);
	memory_open(flow, 1);
	connect_ends(flow);
	window_bind(flow);
	for (uint32_t i = 0; flow->operation == BED_SEND && i < flow->depth; i++)
		receive_post(flow, i);
}

void
bed_flow_close(struct bed_flow *flow)
{
	/*
	 * Closing the adapters releases the flow's other objects and ends its outstanding requests.
	 */
	free(flow->memory[0]);
	free(flow->memory[1]);
}

/** @return address of a request's number in the memory of ends[end] */
static uint8_t *
stamp(const struct bed_flow *flow, uint32_t end, uint64_t number)
{
	return flow->memory[end] + (number % flow->depth + 1) * flow->bytes - STAMP_BYTES;
}

void
bed_flow_post(struct bed_flow *flow)
{
	uint64_t number = flow->posted++;
	struct nd_result *result = &flow->results[number % flow->depth];
	struct nd_sge sge = slot_sge(flow, 0, number);
	uint64_t offset = (number % flow->depth) * flow->bytes;
	nd_status status = ND_INVALID_PARAMETER;

	memcpy(stamp(flow, flow->operation == BED_READ, number), &number, STAMP_BYTES);
	switch (flow->operation) {
	case BED_WRITE:
		status = nd_endpoint_write(
			flow->endpoints[0], result, &sge, 1, &flow->window, offset, 0);
		break;
	case BED_READ:
		status = nd_endpoint_read(
			flow->endpoints[0], result, &sge, 1, &flow->window, offset, 0);
		break;
	case BED_SEND:
		status = nd_endpoint_send(flow->endpoints[0], result, &sge, 1, 0);
		break;
	}
	require(status, "post");
}

static void
result_check(struct bed_flow *flow, const struct nd_result *result)
{
	uint64_t number = flow->completed++;

	if (result != &flow->results[number % flow->depth])
		bed_fail("result", "belongs to another request");
	require(result->status, "result");
	if (memcmp(stamp(flow, flow->operation != BED_READ, number), &number, STAMP_BYTES) != 0)
		bed_fail("result", "the last bytes have not arrived");
}

uint32_t
bed_flow_take(struct bed_flow *flow)
{
	struct nd_result *got[BED_DEPTH_MAX];
	size_t count = nd_cq_get_results(flow->ends[1]->inbound, got, RTE_DIM(got));

	for (size_t i = 0; i < count; i++) {
		require(got[i]->status, "receive");
		receive_post(flow, (uint64_t)(got[i] - flow->receives));
	}
	count = nd_cq_get_results(flow->ends[0]->outbound, got, RTE_DIM(got));
	for (size_t i = 0; i < count; i++)
		result_check(flow, got[i]);
	return (uint32_t)count;
}
