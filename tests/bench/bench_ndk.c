/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cost of the kernel interface (NDK): messages of 64 bytes between two adapters over rings, in one
 * thread, as multiples of the cost of the same messages through the native API. Both post messages
 * in batches. Through the kernel interface, all requests of a batch except the last are deferred.
 */

#include <stdlib.h>

#include <arpa/inet.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include <ndpdk/ndkpi.h>

#include "bench.h"
#include "loop_operation.h"

#define BYTES 64

struct side {
	NDK_ADAPTER *adapter;
	NDK_CQ *cq;
	NDK_QP *qp;
	NDK_CONNECTOR *connector;
	NDK_SGE sge; /* entry that describes the memory of this side */
	struct sockaddr_in address;
};

static struct loop_pair native, under;
static struct side sides[2];
static unsigned int over; /* number of completed calls */

static void
require(NTSTATUS status, const char *what)
{
	if (status != STATUS_SUCCESS)
		bench_fail(what, ndk_status_name(status));
}

static VOID
told(PVOID context, NTSTATUS status)
{
	(void)context;
	require(status, "a callback");
	over++;
}

static VOID
created(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER *object)
{
	(void)object;
	told(context, status);
}

static VOID
notified(PVOID context, NTSTATUS status)
{
	(void)context;
	require(status, "a notification");
}

static VOID
asked(PVOID context, NDK_CONNECTOR *connector)
{
	(void)context;
	sides[1].connector = connector;
	connector->Dispatch->NdkAccept(
		connector, sides[1].qp, 1, 1, NULL, 0, NULL, NULL, told, NULL);
}

static void
memory_register(struct side *side, NDK_PD *pd)
{
	uint8_t *memory = rte_zmalloc("bench_memory", LOOP_PATH_MTU, LOOP_PATH_MTU);
	NDK_MR *mr = NULL;
	MDL mdl;

	BENCH_REQUIRE(memory != NULL);
	require(pd->Dispatch->NdkCreateMr(pd, FALSE, created, NULL, &mr), "NdkCreateMr");
	MmInitializeMdl(&mdl, memory, LOOP_PATH_MTU);
	require(mr->Dispatch->NdkRegisterMr(
			mr, &mdl, LOOP_PATH_MTU, NDK_MR_FLAG_ALLOW_LOCAL_WRITE, told, NULL),
		"NdkRegisterMr");
	side->sge = (NDK_SGE){.VirtualAddress = memory,
		.Length = BYTES,
		.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr)};
}

static void
side_open(unsigned int number)
{
	const NDK_VERSION version = {1, 2};
	struct side *side = &sides[number];
	NDK_PD *pd = NULL;

	side->address.sin_family = AF_INET;
	require(ndk_adapter_open(under.side[number].adapter, version, &side->adapter),
		"ndk_adapter_open");
	require(side->adapter->Dispatch->NdkCreatePd(side->adapter, created, NULL, &pd),
		"NdkCreatePd");
	require(side->adapter->Dispatch->NdkCreateCq(side->adapter, 2 * LOOP_DEPTH_MAX, notified,
			NULL, NULL, created, NULL, &side->cq),
		"NdkCreateCq");
	require(pd->Dispatch->NdkCreateQp(pd, side->cq, side->cq, side, LOOP_DEPTH_MAX,
			LOOP_DEPTH_MAX, 1, 1, 0, created, NULL, &side->qp),
		"NdkCreateQp");
	memory_register(side, pd);
}

static void
sides_connect(void)
{
	const NDK_ADAPTER_DISPATCH *dispatch = sides[1].adapter->Dispatch;
	NDK_CONNECTOR *connector = NULL;
	NDK_LISTENER *listener = NULL;
	struct sockaddr_in listening;
	ULONG length = sizeof(listening);

	require(dispatch->NdkCreateListener(
			sides[1].adapter, asked, NULL, created, NULL, &listener),
		"NdkCreateListener");
	require(listener->Dispatch->NdkListen(listener, (PSOCKADDR)&sides[1].address,
			sizeof(sides[1].address), told, NULL),
		"NdkListen");
	require(listener->Dispatch->NdkGetLocalAddress(listener, (PSOCKADDR)&listening, &length),
		"NdkGetLocalAddress");
	require(sides[0].adapter->Dispatch->NdkCreateConnector(
			sides[0].adapter, created, NULL, &connector),
		"NdkCreateConnector");
	BENCH_REQUIRE(connector->Dispatch->NdkConnect(connector, sides[0].qp,
			      (PSOCKADDR)&sides[0].address, sizeof(sides[0].address),
			      (PSOCKADDR)&listening, sizeof(listening), 1, 1, NULL, 0, told,
			      NULL) == STATUS_PENDING);
	while (over < 1)
		loop_pair_quiet(&under);
	require(connector->Dispatch->NdkCompleteConnect(connector, NULL, NULL, told, NULL),
		"NdkCompleteConnect");
	while (over < 2)
		loop_pair_quiet(&under);
}

static uint32_t
results_take(NDK_CQ *cq)
{
	NDK_RESULT results[LOOP_DEPTH_MAX];
	ULONG count = cq->Dispatch->NdkGetCqResults(cq, results, LOOP_DEPTH_MAX);

	for (ULONG i = 0; i < count; i++)
		BENCH_REQUIRE(results[i].Status == STATUS_SUCCESS);
	return count;
}

static void
batch_run(uint32_t count)
{
	const NDK_QP_DISPATCH *dispatch = sides[0].qp->Dispatch;
	uint32_t wanted = 2 * count;
	NTSTATUS status = STATUS_SUCCESS;

	for (uint32_t i = 0; i < count && status == STATUS_SUCCESS; i++)
		status = dispatch->NdkReceive(sides[1].qp, NULL, &sides[1].sge, 1);
	for (uint32_t i = 0; i < count && status == STATUS_SUCCESS; i++)
		status = dispatch->NdkSend(
			sides[0].qp, NULL, &sides[0].sge, 1, i + 1 < count ? NDK_OP_FLAG_DEFER : 0);
	BENCH_REQUIRE(status == STATUS_SUCCESS);
	while (wanted > 0) {
		nd_engine_poll(under.side[1].engine);
		nd_engine_poll(under.side[0].engine);
		wanted -= results_take(sides[0].cq);
		wanted -= results_take(sides[1].cq);
	}
}

static void
ndk_run(void *arg, uint32_t iterations)
{
	uint32_t count;

	(void)arg;
	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, iterations - done);
		batch_run(count);
	}
	loop_pair_quiet(&under);
}

static void
native_run(void *arg, uint32_t iterations)
{
	uint32_t count;

	(void)arg;
	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, iterations - done);
		loop_operation_run(&native, &loop_send, BYTES, count);
	}
	loop_pair_quiet(&native);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 1024};
	static const struct bench_row rows[] = {
		{.name = "ndk_floor_send_64", .floor = "ndk_floor_send_64", .run = native_run},
		{.name = "ndk_send_64", .floor = "ndk_floor_send_64", .run = ndk_run},
	};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	native.repeatable = under.repeatable = bench.repeatable;
	loop_pair_open(&native, LOOP_WINDOWS_FEW);
	loop_pair_open(&under, LOOP_WINDOWS_FEW);
	for (unsigned int i = 0; i < 2; i++)
		side_open(i);
	sides_connect();
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
