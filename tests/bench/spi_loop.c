/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi_loop.h"

#include <stdlib.h>
#include <string.h>

#include <rte_malloc.h>

#include "bench.h"
#include "spi/device.h"
#include "spi/progress.h"

#define READS       16
/** Number of consecutive empty polls after which no frame is in flight. */
#define QUIET_TURNS 4

static void
require(HRESULT status, const char *what)
{
	if (status != ND_SUCCESS)
		bench_fail(what, nd_status_name(status));
}

ND2_SGE
spi_loop_sge(const struct spi_loop_side *side, ULONG bytes)
{
	return (ND2_SGE){side->memory, bytes, side->token};
}

/**
 * Create the devices. Their configuration contains only addresses, because the adapters are already
 * open.
 */
static void
devices_make(struct spi_loop *loop, bool repeatable)
{
	setenv("NDPDK_SPI_CONFIG",
		"[adapter]; port = 0; address = 192.0.2.1; [adapter]; port = 1; address = "
		"192.0.2.2",
		1);
	BENCH_REQUIRE(spi_devices_ready());
	loop->under.repeatable = repeatable;
	loop_pair_open(&loop->under, LOOP_WINDOWS_FEW);
	for (unsigned int i = 0; i < 2; i++) {
		struct spi_device *device = spi_device_get(i);

		spi_device_take(device, loop->under.side[i].adapter);
		if (!repeatable)
			require(spi_progress_start(device), "spi_progress_start");
	}
}

/** Poll until the operation has completed, because no other thread may run the adapters. */
static void
finish(struct spi_loop *loop, void *object, HRESULT status, OVERLAPPED *overlapped,
	const char *what)
{
	while (status == ND_PENDING) {
		spi_loop_quiet(loop);
		status = IND2Overlapped_GetOverlappedResult(
			(IND2Overlapped *)object, overlapped, FALSE);
	}
	require(status, what);
}

static void
queue_make(struct spi_loop_side *side, IND2CompletionQueue **cq)
{
	require(IND2Adapter_CreateCompletionQueue(side->adapter, &IID_IND2CompletionQueue,
			side->file, LOOP_DEPTH_MAX, 0, 0, (void **)cq),
		"CreateCompletionQueue");
}

static void
side_open(struct spi_loop *loop, unsigned int number)
{
	struct spi_loop_side *side = &loop->side[number];

	side->address.sin_family = AF_INET;
	side->address.sin_addr.s_addr = htonl(0xC0000201 + number);
	require(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr *)&side->address,
			sizeof(side->address), (void **)&side->adapter),
		"NdOpenAdapter");
	require(IND2Adapter_CreateOverlappedFile(side->adapter, &side->file),
		"CreateOverlappedFile");
	queue_make(side, &side->inbound);
	queue_make(side, &side->outbound);
	require(IND2Adapter_CreateQueuePair(side->adapter, &IID_IND2QueuePair,
			(IUnknown *)side->inbound, (IUnknown *)side->outbound, side, LOOP_DEPTH_MAX,
			LOOP_DEPTH_MAX, 1, 1, 0, (void **)&side->qp),
		"CreateQueuePair");
	require(IND2Adapter_CreateConnector(
			side->adapter, &IID_IND2Connector, side->file, (void **)&side->connector),
		"CreateConnector");
	require(IND2Adapter_CreateMemoryRegion(
			side->adapter, &IID_IND2MemoryRegion, side->file, (void **)&side->mr),
		"CreateMemoryRegion");
}

static void
memory_register(struct spi_loop *loop, struct spi_loop_side *side)
{
	OVERLAPPED overlapped = {0};

	side->memory = rte_zmalloc("bench_memory", LOOP_PATH_MTU, RTE_CACHE_LINE_SIZE);
	BENCH_REQUIRE(side->memory != NULL);
	finish(loop, side->mr,
		IND2MemoryRegion_Register(side->mr, side->memory, LOOP_PATH_MTU,
			ND_MR_FLAG_ALLOW_LOCAL_WRITE, &overlapped),
		&overlapped, "Register");
	side->token = IND2MemoryRegion_GetLocalToken(side->mr);
}

static void
sides_connect(struct spi_loop *loop)
{
	struct spi_loop_side *active = &loop->side[0], *passive = &loop->side[1];
	OVERLAPPED request = {0}, connect = {0}, accept = {0};
	struct sockaddr_in listening = passive->address;
	HRESULT requested, connecting, accepting;
	ULONG bytes = sizeof(listening);
	IND2Listener *listener;

	require(IND2Adapter_CreateListener(
			passive->adapter, &IID_IND2Listener, passive->file, (void **)&listener),
		"CreateListener");
	require(IND2Listener_Bind(listener, (struct sockaddr *)&listening, sizeof(listening)),
		"Bind");
	require(IND2Listener_Listen(listener, 0), "Listen");
	require(IND2Listener_GetLocalAddress(listener, (struct sockaddr *)&listening, &bytes),
		"GetLocalAddress");
	requested = IND2Listener_GetConnectionRequest(
		listener, (IUnknown *)passive->connector, &request);
	require(IND2Connector_Bind(active->connector, (struct sockaddr *)&active->address,
			sizeof(active->address)),
		"Bind");
	connecting = IND2Connector_Connect(active->connector, (IUnknown *)active->qp,
		(struct sockaddr *)&listening, sizeof(listening), READS, READS, NULL, 0, &connect);
	finish(loop, listener, requested, &request, "GetConnectionRequest");
	accepting = IND2Connector_Accept(
		passive->connector, (IUnknown *)passive->qp, READS, READS, NULL, 0, &accept);
	finish(loop, active->connector, connecting, &connect, "Connect");
	require(IND2Connector_CompleteConnect(active->connector, &connect), "CompleteConnect");
	finish(loop, passive->connector, accepting, &accept, "Accept");
	IND2Listener_Release(listener);
}

static uint32_t
results_take(IND2CompletionQueue *cq)
{
	ND2_RESULT results[LOOP_DEPTH_MAX];
	ULONG count = IND2CompletionQueue_GetResults(cq, results, LOOP_DEPTH_MAX);

	for (ULONG i = 0; i < count; i++)
		BENCH_REQUIRE(results[i].Status == ND_SUCCESS);
	return count;
}

static void
window_bind(struct spi_loop *loop)
{
	struct spi_loop_side *side = &loop->side[1];

	require(IND2Adapter_CreateMemoryWindow(
			side->adapter, &IID_IND2MemoryWindow, (void **)&loop->window),
		"CreateMemoryWindow");
	require(IND2QueuePair_Bind(side->qp, NULL, (IUnknown *)side->mr, (IUnknown *)loop->window,
			side->memory, LOOP_PATH_MTU,
			ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE),
		"Bind");
	while (results_take(side->outbound) == 0)
		continue;
	loop->token = IND2MemoryWindow_GetRemoteToken(loop->window);
}

void
spi_loop_open(struct spi_loop *loop, bool repeatable)
{
	devices_make(loop, repeatable);
	for (unsigned int i = 0; i < 2; i++)
		side_open(loop, i);
	for (unsigned int i = 0; i < 2; i++)
		memory_register(loop, &loop->side[i]);
	sides_connect(loop);
	window_bind(loop);
	spi_loop_quiet(loop);
}

static void
writes_post(struct spi_loop *loop, uint32_t bytes, uint32_t count)
{
	const UINT64 address = (UINT64)(uintptr_t)loop->side[1].memory;
	HRESULT status = ND_SUCCESS;

	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++) {
		const ND2_SGE sge = spi_loop_sge(&loop->side[0], bytes);

		status = IND2QueuePair_Write(
			loop->side[0].qp, loop, &sge, 1, address, loop->token, 0);
	}
	BENCH_REQUIRE(status == ND_SUCCESS);
}

static void
sends_post(struct spi_loop *loop, uint32_t bytes, uint32_t count)
{
	const ND2_SGE to = spi_loop_sge(&loop->side[1], bytes);
	HRESULT status = ND_SUCCESS;

	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++)
		status = IND2QueuePair_Receive(loop->side[1].qp, loop, &to, 1);
	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++) {
		const ND2_SGE sge = spi_loop_sge(&loop->side[0], bytes);

		status = IND2QueuePair_Send(loop->side[0].qp, loop, &sge, 1, 0);
	}
	BENCH_REQUIRE(status == ND_SUCCESS);
}

void
spi_loop_run(
	struct spi_loop *loop, enum spi_loop_operation operation, uint32_t bytes, uint32_t count)
{
	uint32_t wanted = operation == SPI_LOOP_SEND ? 2 * count : count;

	if (operation == SPI_LOOP_SEND)
		sends_post(loop, bytes, count);
	else
		writes_post(loop, bytes, count);
	while (wanted > 0) {
		/*
		 * No engine is polled explicitly, because GetResults of an empty queue polls its
		 * engine.
		 */
		wanted -= results_take(loop->side[1].inbound);
		wanted -= results_take(loop->side[0].outbound);
	}
}

void
spi_loop_quiet(struct spi_loop *loop)
{
	for (unsigned int i = 0; i < QUIET_TURNS; i++) {
		BENCH_REQUIRE(results_take(loop->side[0].inbound) == 0);
		BENCH_REQUIRE(results_take(loop->side[1].inbound) == 0);
	}
}
