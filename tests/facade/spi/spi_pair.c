/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <criterion/criterion.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_ring.h>

#include "support/eal.h"
#include "support/watch.h"

#define RING_ENTRIES     1024
/** Time limit of each wait, in s. */
#define PATIENCE_SECONDS 20
/** Number of consecutive empty polls after which a queue is expected to get no result. */
#define QUIET_TURNS      2000
/** Maximum number of requests of a queue pair, and of results of a completion queue. */
#define ENTRIES          64
#define READS            8

void
spi_pair_configure(void)
{
	spi_pair_configure_with("", 1);
}

void
spi_pair_configure_with(const char *options, unsigned int queues)
{
	struct rte_ring *rings[2][SPI_PAIR_QUEUES_MAX];
	uint16_t ports[2];
	char name[32], text[1024];

	test_eal_init_large();
	for (unsigned int i = 0; i < 2 * queues; i++) {
		snprintf(name, sizeof(name), "spi_ring_%u", i);
		rings[i % 2][i / 2] =
			rte_ring_create(name, RING_ENTRIES, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
		cr_assert_not_null(rings[i % 2][i / 2]);
	}
	for (unsigned int i = 0; i < 2; i++) {
		/* The first MAC address that is added to a ring port replaces its zero address. */
		struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, (uint8_t)(i + 1)}};
		int port;

		snprintf(name, sizeof(name), "spi_port_%u", i);
		port = rte_eth_from_rings(name, rings[i], queues, rings[1 - i], queues, 0);
		cr_assert_geq(port, 0);
		cr_assert_eq(rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0), 0);
		ports[i] = (uint16_t)port;
	}
	cr_assert(watch_ports(ports[0], ports[1]));
	cr_assert(watch_pools());
	snprintf(text, sizeof(text),
		"[adapter]; port = net_ring_spi_port_0; address = 192.0.2.1/24; mbuf_count = 2048;"
		"path_mtu = 1024; endpoints_max = 256; peer_timeout_ms = 5000; %s;"
		"[adapter]; port = net_ring_spi_port_1; address = 192.0.2.2/24; mbuf_count = 2048;"
		"path_mtu = 1024; endpoints_max = 256; peer_timeout_ms = 5000; %s",
		options, options);
	setenv("NDPDK_SPI_CONFIG", text, 1);
}

struct timespec
spi_pair_deadline(void)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += PATIENCE_SECONDS;
	return end;
}

bool
spi_pair_is_late(const struct timespec *deadline)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > deadline->tv_sec;
}

HRESULT
spi_pair_finish(void *object, HRESULT status, OVERLAPPED *overlapped)
{
	if (status != ND_PENDING)
		return status;
	return IND2Overlapped_GetOverlappedResult((IND2Overlapped *)object, overlapped, TRUE);
}

ND2_RESULT
spi_pair_result(IND2CompletionQueue *cq)
{
	const struct timespec end = spi_pair_deadline();
	ND2_RESULT result;

	while (IND2CompletionQueue_GetResults(cq, &result, 1) == 0)
		cr_assert(!spi_pair_is_late(&end), "no result comes");
	return result;
}

HRESULT
spi_pair_expect(IND2CompletionQueue *cq, ND2_REQUEST_TYPE type, void *context)
{
	ND2_RESULT result = spi_pair_result(cq);

	cr_assert_eq(result.RequestType, type);
	cr_assert_eq(result.RequestContext, context);
	return result.Status;
}

void
spi_pair_quiet(IND2CompletionQueue *cq)
{
	ND2_RESULT result;

	for (unsigned int i = 0; i < QUIET_TURNS; i++)
		cr_assert_eq(IND2CompletionQueue_GetResults(cq, &result, 1), 0);
}

ND2_SGE
spi_pair_sge(const struct spi_side *side, size_t offset, ULONG bytes)
{
	return (ND2_SGE){side->memory + offset, bytes, side->token};
}

static void
address_set(struct spi_side *side, unsigned int number)
{
	struct sockaddr_in *address = (struct sockaddr_in *)&side->address;

	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(0xC0000201 + number);
}

IND2QueuePair *
spi_pair_queue_pair(struct spi_pair *pair, unsigned int number, ULONG depth)
{
	struct spi_side *side = &pair->side[number];
	IND2QueuePair *qp = NULL;

	cr_assert_eq(IND2Adapter_CreateQueuePair(side->adapter, &IID_IND2QueuePair,
			     (IUnknown *)side->cq, (IUnknown *)side->cq, SPI_PAIR_CONTEXT(number),
			     depth, depth, 4, 4, 64, (void **)&qp),
		ND_SUCCESS);
	return qp;
}

IND2Connector *
spi_pair_connector(struct spi_pair *pair, unsigned int number)
{
	IND2Connector *connector = NULL;

	cr_assert_eq(IND2Adapter_CreateConnector(pair->side[number].adapter, &IID_IND2Connector,
			     pair->side[number].file, (void **)&connector),
		ND_SUCCESS);
	return connector;
}

void
spi_pair_side_open(struct spi_pair *pair, unsigned int number)
{
	struct spi_side *side = &pair->side[number];
	OVERLAPPED overlapped = {0};

	address_set(side, number);
	cr_assert_eq(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr *)&side->address,
			     sizeof(side->address), (void **)&side->adapter),
		S_OK, "%s", NdGetConfigurationError());
	cr_assert_eq(IND2Adapter_CreateOverlappedFile(side->adapter, &side->file), ND_SUCCESS);
	cr_assert_eq(IND2Adapter_CreateCompletionQueue(side->adapter, &IID_IND2CompletionQueue,
			     side->file, 4 * ENTRIES, 0, 0, (void **)&side->cq),
		ND_SUCCESS);
	cr_assert_eq(IND2Adapter_CreateMemoryRegion(
			     side->adapter, &IID_IND2MemoryRegion, side->file, (void **)&side->mr),
		ND_SUCCESS);
	cr_assert_eq(IND2Adapter_CreateMemoryWindow(
			     side->adapter, &IID_IND2MemoryWindow, (void **)&side->mw),
		ND_SUCCESS);
	side->memory = calloc(1, SPI_PAIR_BYTES);
	cr_assert_eq(IND2MemoryRegion_Register(side->mr, side->memory, SPI_PAIR_BYTES,
			     ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK, &overlapped),
		ND_PENDING);
	cr_assert_eq(spi_pair_finish(side->mr, ND_PENDING, &overlapped), ND_SUCCESS);
	side->token = IND2MemoryRegion_GetLocalToken(side->mr);
	side->qp = spi_pair_queue_pair(pair, number, ENTRIES);
}

void
spi_pair_open(struct spi_pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	cr_assert_eq(NdStartup(), S_OK, "%s", NdGetConfigurationError());
	spi_pair_side_open(pair, 0);
	spi_pair_side_open(pair, 1);
}

void
spi_pair_listen(struct spi_pair *pair)
{
	struct spi_side *side = &pair->side[1];
	ULONG bytes = sizeof(pair->listening);

	cr_assert_eq(IND2Adapter_CreateListener(side->adapter, &IID_IND2Listener, side->file,
			     (void **)&pair->listener),
		ND_SUCCESS);
	cr_assert_eq(IND2Listener_Bind(pair->listener, (struct sockaddr *)&side->address,
			     sizeof(struct sockaddr_in)),
		ND_SUCCESS);
	cr_assert_eq(IND2Listener_Listen(pair->listener, 0), ND_SUCCESS);
	cr_assert_eq(IND2Listener_GetLocalAddress(
			     pair->listener, (struct sockaddr *)&pair->listening, &bytes),
		ND_SUCCESS);
}

void
spi_pair_request(struct spi_pair *pair, OVERLAPPED *connect)
{
	OVERLAPPED request = {0};
	HRESULT status;

	if (pair->listener == NULL)
		spi_pair_listen(pair);
	for (unsigned int i = 0; i < 2; i++)
		pair->side[i].connector = spi_pair_connector(pair, i);
	status = IND2Listener_GetConnectionRequest(
		pair->listener, (IUnknown *)pair->side[1].connector, &request);
	cr_assert_eq(status, ND_PENDING);
	cr_assert_eq(IND2Connector_Bind(pair->side[0].connector,
			     (struct sockaddr *)&pair->side[0].address, sizeof(struct sockaddr_in)),
		ND_SUCCESS);
	cr_assert_eq(IND2Connector_Connect(pair->side[0].connector, (IUnknown *)pair->side[0].qp,
			     (struct sockaddr *)&pair->listening, sizeof(struct sockaddr_in), READS,
			     READS, NULL, 0, connect),
		ND_PENDING);
	cr_assert_eq(spi_pair_finish(pair->listener, status, &request), ND_SUCCESS);
}

void
spi_pair_connect(struct spi_pair *pair)
{
	OVERLAPPED connect = {0}, accept = {0};
	HRESULT accepting;

	spi_pair_request(pair, &connect);
	accepting = IND2Connector_Accept(pair->side[1].connector, (IUnknown *)pair->side[1].qp,
		READS, READS, NULL, 0, &accept);
	cr_assert_eq(accepting, ND_PENDING);
	cr_assert_eq(spi_pair_finish(pair->side[0].connector, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(IND2Connector_CompleteConnect(pair->side[0].connector, &connect), ND_SUCCESS);
	cr_assert_eq(spi_pair_finish(pair->side[1].connector, accepting, &accept), ND_SUCCESS);
}

static void
release(void *object)
{
	if (object != NULL)
		cr_assert_eq(IND2Overlapped_Release((IND2Overlapped *)object), 0);
}

void
spi_pair_close(struct spi_pair *pair)
{
	release(pair->listener);
	for (unsigned int i = 0; i < 2; i++) {
		struct spi_side *side = &pair->side[i];

		release(side->adapter);
		release(side->cq);
		release(side->connector);
		release(side->qp);
		release(side->mw);
		release(side->mr);
		CloseHandle(side->file);
		free(side->memory);
	}
	cr_assert_eq(NdCleanup(), S_OK);
}
