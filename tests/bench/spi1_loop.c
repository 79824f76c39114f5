/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi1_loop.h"

#include <rte_malloc.h>

#include "bench.h"

/* protocol number of TCP; with this protocol, the listener gets a port number */
#define PROTOCOL 6

static void
require(HRESULT status, const char *what)
{
	if (status != ND_SUCCESS)
		bench_fail(what, nd_status_name(status));
}

/** Poll until the operation has completed, because no other thread may run the adapters. */
static void
finish(struct spi1_loop *loop1, void *object, HRESULT status, OVERLAPPED *overlapped,
	const char *what)
{
	SIZE_T bytes;

	while (status == ND_PENDING) {
		spi_loop_quiet(loop1->loop);
		status = INDOverlapped_GetOverlappedResult(
			(INDOverlapped *)object, overlapped, &bytes, FALSE);
	}
	require(status, what);
}

static void
side_open(struct spi1_loop *loop1, unsigned int number)
{
	struct spi1_loop_side *side = &loop1->side[number];
	struct sockaddr_in *address = &loop1->loop->side[number].address;
	OVERLAPPED overlapped = {0};

	require(NdOpenV1Adapter((struct sockaddr *)address, sizeof(*address), &side->adapter),
		"NdOpenV1Adapter");
	require(INDAdapter_CreateCompletionQueue(side->adapter, LOOP_DEPTH_MAX, &side->inbound),
		"CreateCompletionQueue");
	require(INDAdapter_CreateCompletionQueue(side->adapter, LOOP_DEPTH_MAX, &side->outbound),
		"CreateCompletionQueue");
	require(INDAdapter_CreateConnector(side->adapter, &side->connector), "CreateConnector");
	side->memory = rte_zmalloc("bench_memory", LOOP_PATH_MTU, RTE_CACHE_LINE_SIZE);
	BENCH_REQUIRE(side->memory != NULL);
	finish(loop1, side->adapter,
		INDAdapter_RegisterMemory(
			side->adapter, side->memory, LOOP_PATH_MTU, &overlapped, &side->mr),
		&overlapped, "RegisterMemory");
}

static void
endpoint_make(struct spi1_loop_side *side)
{
	require(INDConnector_CreateEndpoint(side->connector, side->inbound, side->outbound,
			LOOP_DEPTH_MAX, LOOP_DEPTH_MAX, 1, 1, 0, 0, NULL, &side->endpoint),
		"CreateEndpoint");
}

static void
sides_connect(struct spi1_loop *loop1)
{
	struct spi1_loop_side *active = &loop1->side[0], *passive = &loop1->side[1];
	struct sockaddr_in peer = loop1->loop->side[1].address;
	OVERLAPPED request = {0}, connect = {0}, accept = {0};
	HRESULT requested, connecting, accepting;
	USHORT port = htons(20001);
	INDListen *listen;

	require(INDAdapter_Listen(passive->adapter, 0, PROTOCOL, port, NULL, &listen), "Listen");
	peer.sin_port = port;
	requested = INDListen_GetConnectionRequest(listen, passive->connector, &request);
	endpoint_make(active);
	connecting = INDConnector_Connect(active->connector, active->endpoint,
		(struct sockaddr *)&peer, sizeof(peer), PROTOCOL, 0, NULL, 0, &connect);
	finish(loop1, listen, requested, &request, "GetConnectionRequest");
	endpoint_make(passive);
	accepting = INDConnector_Accept(passive->connector, passive->endpoint, NULL, 0, &accept);
	finish(loop1, active->connector, connecting, &connect, "Connect");
	finish(loop1, active->connector, INDConnector_CompleteConnect(active->connector, &connect),
		&connect, "CompleteConnect");
	finish(loop1, passive->connector, accepting, &accept, "Accept");
	INDListen_Release(listen);
}

static uint32_t
results_take(INDCompletionQueue *cq)
{
	ND_RESULT *results[LOOP_DEPTH_MAX];
	SIZE_T count = INDCompletionQueue_GetResults(cq, results, LOOP_DEPTH_MAX);

	for (SIZE_T i = 0; i < count; i++)
		BENCH_REQUIRE(results[i]->Status == ND_SUCCESS);
	return (uint32_t)count;
}

static void
window_bind(struct spi1_loop *loop1)
{
	struct spi1_loop_side *side = &loop1->side[1];

	require(INDAdapter_CreateMemoryWindow(side->adapter, &loop1->invalidated, &loop1->window),
		"CreateMemoryWindow");
	require(INDEndpoint_Bind(side->endpoint, &side->results[0], side->mr, loop1->window,
			side->memory, LOOP_PATH_MTU, ND_OP_FLAG_ALLOW_WRITE, &loop1->descriptor),
		"Bind");
	while (results_take(side->outbound) == 0)
		continue;
}

void
spi1_loop_open(struct spi1_loop *loop1, struct spi_loop *loop)
{
	loop1->loop = loop;
	for (unsigned int i = 0; i < 2; i++)
		side_open(loop1, i);
	sides_connect(loop1);
	window_bind(loop1);
}

static void
writes_post(struct spi1_loop *loop1, uint32_t bytes, uint32_t count)
{
	struct spi1_loop_side *side = &loop1->side[0];
	HRESULT status = ND_SUCCESS;

	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++) {
		const ND_SGE sge = {side->memory, bytes, side->mr};

		status = INDEndpoint_Write(
			side->endpoint, &side->results[i], &sge, 1, &loop1->descriptor, 0, 0);
	}
	BENCH_REQUIRE(status == ND_SUCCESS);
}

static void
sends_post(struct spi1_loop *loop1, uint32_t bytes, uint32_t count)
{
	struct spi1_loop_side *from = &loop1->side[0], *to = &loop1->side[1];
	const ND_SGE in = {to->memory, bytes, to->mr};
	HRESULT status = ND_SUCCESS;

	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++)
		status = INDEndpoint_Receive(to->endpoint, &to->results[i], &in, 1);
	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++) {
		const ND_SGE sge = {from->memory, bytes, from->mr};

		status = INDEndpoint_Send(from->endpoint, &from->results[i], &sge, 1, 0);
	}
	BENCH_REQUIRE(status == ND_SUCCESS);
}

void
spi1_loop_run(
	struct spi1_loop *loop1, enum spi_loop_operation operation, uint32_t bytes, uint32_t count)
{
	uint32_t wanted = operation == SPI_LOOP_SEND ? 2 * count : count;

	if (operation == SPI_LOOP_SEND)
		sends_post(loop1, bytes, count);
	else
		writes_post(loop1, bytes, count);
	while (wanted > 0) {
		/*
		 * No engine is polled explicitly, because GetResults of an empty queue polls its
		 * engine.
		 */
		wanted -= results_take(loop1->side[1].inbound);
		wanted -= results_take(loop1->side[0].outbound);
	}
}
