/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about CreateEndpoint and about registered
 * memory, version 1 of the SPI.
 */

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <pthread.h>
#include <rte_eal.h>

#include "support/number.h"
#include "v1_pair.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];
static ND_ADAPTER_INFO info;

static void
setup(void)
{
	SIZE_T bytes = sizeof(info);

	v1_open(&v1);
	V1_OK(INDAdapter_Query(client->adapter, 1, &info, &bytes));
	client->connector = v1_connector(client);
}

TestSuite(spi_v1_endpoint, .init = setup, .fini = v1_teardown);

/** Start EAL with more memory than other tests, because the largest queue needs it. */
static void
setup_large(void)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "1024",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", lcore[] = "0";
	static char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, lcore, NULL};

	cr_assert_geq(rte_eal_init(9, args), 0);
	setup();
}

TestSuite(spi_v1_large, .init = setup_large, .fini = v1_teardown);

/** Create an endpoint with these limits, and release it. @return status of CreateEndpoint */
static HRESULT
create(const struct v1_limits *limits)
{
	INDEndpoint *endpoint = NULL;
	SIZE_T inline_bytes = 12345;
	HRESULT status = INDConnector_CreateEndpoint(client->connector, client->in, client->out,
		limits->inbound_entries, limits->outbound_entries, limits->inbound_sge,
		limits->outbound_sge, limits->inbound_reads, limits->outbound_reads, &inline_bytes,
		&endpoint);

	cr_assert_eq(endpoint == NULL, status != ND_SUCCESS);
	cr_assert_eq(inline_bytes, status == ND_SUCCESS ? info.MaxInlineData : 12345);
	v1_release(endpoint);
	return status;
}

/** @return the maximum of each limit of an endpoint */
static struct v1_limits
most(void)
{
	return (struct v1_limits){info.MaxInboundRequests, info.MaxOutboundRequests,
		info.MaxInboundSge, info.MaxOutboundSge, info.MaxInboundReadLimit,
		info.MaxOutboundReadLimit};
}

/** @return status of CreateEndpoint if this member is one above the adapter's maximum */
static uint32_t
create_beyond(size_t member)
{
	struct v1_limits limits = most();

	(*(SIZE_T *)(void *)((uint8_t *)&limits + member))++;
	return (uint32_t)create(&limits);
}

static HRESULT
create_with_cqs(INDCompletionQueue *in, INDCompletionQueue *out)
{
	INDEndpoint *endpoint = NULL;
	HRESULT status = INDConnector_CreateEndpoint(
		client->connector, in, out, 4, 4, 1, 1, 0, 0, NULL, &endpoint);

	v1_release(endpoint);
	return status;
}

Test(spi_v1_endpoint, nd_069_inbound_queue_that_is_not_valid)
{
	cr_assert_eq(create_with_cqs(NULL, client->out), ND_INVALID_PARAMETER_1);
	cr_assert_eq(create_with_cqs(server->in, client->out), ND_INVALID_PARAMETER_1);
	V1_OK(create_with_cqs(client->in, client->out));
}

Test(spi_v1_endpoint, nd_070_outbound_queue_that_is_not_valid)
{
	cr_assert_eq(create_with_cqs(client->in, NULL), ND_INVALID_PARAMETER_2);
	cr_assert_eq(create_with_cqs(client->in, server->out), ND_INVALID_PARAMETER_2);
	V1_OK(create_with_cqs(client->in, client->out));
}

Test(spi_v1_endpoint, nd_071_inbound_entries)
{
	cr_assert_eq(create_beyond(offsetof(struct v1_limits, inbound_entries)), 0xC00000F1u);
}

Test(spi_v1_endpoint, nd_072_outbound_entries)
{
	cr_assert_eq(create_beyond(offsetof(struct v1_limits, outbound_entries)), 0xC00000F2u);
}

Test(spi_v1_endpoint, nd_073_inbound_sge)
{
	cr_assert_eq(create_beyond(offsetof(struct v1_limits, inbound_sge)), 0xC00000F3u);
}

Test(spi_v1_endpoint, nd_074_outbound_sge)
{
	cr_assert_eq(create_beyond(offsetof(struct v1_limits, outbound_sge)), 0xC00000F4u);
}

Test(spi_v1_endpoint, nd_075_inbound_read_limit)
{
	cr_assert_eq(create_beyond(offsetof(struct v1_limits, inbound_reads)), 0xC00000F5u);
}

Test(spi_v1_endpoint, nd_076_outbound_read_limit)
{
	cr_assert_eq(create_beyond(offsetof(struct v1_limits, outbound_reads)), 0xC00000F6u);
}

/** Maximum number of endpoints of an adapter, which is endpoints_max of its configuration. */
#define ENDPOINTS_MAX 256

Test(spi_v1_endpoint, nd_077_endpoints_run_out)
{
	INDConnector *connector = NULL;
	static INDEndpoint *endpoints[ENDPOINTS_MAX + 1];
	HRESULT status = ND_SUCCESS;
	unsigned int count = 0;

	while (count <= ENDPOINTS_MAX) {
		connector = v1_connector(client);
		status = INDConnector_CreateEndpoint(connector, client->in, client->out, 1, 1, 1, 1,
			0, 0, NULL, &endpoints[count]);
		if (status != ND_SUCCESS)
			break;
		count++;
	}
	cr_assert_eq(status, ND_INSUFFICIENT_RESOURCES);
	cr_assert_null(endpoints[count]);
	v1_release(endpoints[--count]);
	v1_endpoint(client, connector, &v1_limits);
	while (count-- > 0)
		v1_release(endpoints[count]);
}

Test(spi_v1_endpoint, nd_078_device_that_is_gone)
{
	INDEndpoint *endpoint = NULL;

	v1_unplug(0);
	cr_assert_eq(INDConnector_CreateEndpoint(client->connector, client->in, client->out, 1, 1,
			     1, 1, 0, 0, NULL, &endpoint),
		ND_DEVICE_REMOVED);
	cr_assert_null(endpoint);
}

Test(spi_v1_endpoint, nd_079_read_limits_of_0)
{
	struct v1_limits limits = v1_limits;

	limits.inbound_reads = 0;
	V1_OK(create(&limits));
	limits.outbound_reads = 0;
	V1_OK(create(&limits));
	limits.inbound_reads = 4;
	V1_OK(create(&limits));
}

Test(spi_v1_endpoint, nd_080_inline_limit_is_told_or_not)
{
	INDEndpoint *endpoint = NULL;

	V1_OK(create(&v1_limits));
	cr_assert_gt(info.MaxInlineData, 0);
	V1_OK(INDConnector_CreateEndpoint(
		client->connector, client->in, client->out, 1, 1, 1, 1, 0, 0, NULL, &endpoint));
	v1_release(endpoint);
}

Test(spi_v1_endpoint, nd_081_one_queue_for_both_directions)
{
	ND_RESULT sent, received;

	client->out = client->in;
	server->out = server->in;
	v1_connect(&v1);
	V1_OK(v1_receive(client, &received, 0, 8));
	V1_OK(v1_send(server, &sent, 0, 8, 0));
	v1_done(client->in, &received);
	v1_done(server->in, &sent);
}

Test(spi_v1_endpoint, nd_082_limits_of_the_adapter)
{
	struct v1_limits limits = most();

	V1_OK(create(&limits));
}

Test(spi_v1_endpoint, nd_083_results_go_to_their_queues)
{
	ND_RESULT sent[2], received[2], results[4];
	ND_MW_DESCRIPTOR remote;

	v1_connect(&v1);
	V1_OK(v1_receive(server, &received[0], 0, 8));
	V1_OK(v1_receive(server, &received[1], 0, 8));
	V1_OK(v1_bind(server, &results[0], 4096, 64, V1_BOTH, &remote));
	v1_done(server->out, &results[0]);
	v1_quiet(server->in);
	V1_OK(v1_read(client, &results[1], 0, 64, &remote, 0));
	V1_OK(v1_write(client, &results[2], 0, 64, &remote, 0));
	V1_OK(v1_send(client, &sent[0], 0, 8, 0));
	/*
	 * Use a fence, because the invalidation could otherwise precede the response to the Read.
	 */
	V1_OK(INDEndpoint_SendAndInvalidate(
		client->endpoint, &sent[1], NULL, 0, &remote, ND_OP_FLAG_READ_FENCE));
	v1_done(client->out, &results[1]);
	v1_done(client->out, &results[2]);
	v1_done(client->out, &sent[0]);
	v1_done(client->out, &sent[1]);
	v1_quiet(client->in);
	v1_done(server->in, &received[0]);
	v1_done(server->in, &server->invalidated);
	v1_done(server->in, &received[1]);
	v1_quiet(server->out);
	(void)v1_bound(server, 4096, 64, V1_BOTH);
	v1_invalidated(server);
	v1_quiet(server->in);
}

Test(spi_v1_endpoint, nd_084_one_endpoint_at_a_time)
{
	INDEndpoint *second = NULL;

	client->endpoint = v1_endpoint(client, client->connector, &v1_limits);
	cr_assert_eq(INDConnector_CreateEndpoint(client->connector, client->in, client->out, 1, 1,
			     1, 1, 0, 0, NULL, &second),
		ND_NOT_SUPPORTED);
	cr_assert_null(second);
	v1_release(client->endpoint);
	client->endpoint = v1_endpoint(client, client->connector, &v1_limits);
}

Test(spi_v1_endpoint, nd_085_endpoint_of_another_connector_is_refused)
{
	INDConnector *other = v1_connector(client);
	OVERLAPPED connect = {0}, accept = {0};

	v1_request(&v1, &connect);
	cr_assert_eq(INDConnector_Connect(other, client->endpoint, (struct sockaddr *)&v1.listening,
			     sizeof(v1.listening), IPPROTO_TCP, 0, NULL, 0, &accept),
		ND_INVALID_PARAMETER_1);
	cr_assert_eq(INDConnector_Accept(server->connector, client->endpoint, NULL, 0, &accept),
		ND_INVALID_PARAMETER_1);
	cr_assert_eq(v1_accept_call(&v1, &accept), ND_PENDING);
	v1_complete(&v1, &connect, &accept);
}

Test(spi_v1_endpoint, nd_087_one_entry_more_than_the_adapter_has)
{
	struct v1_limits limits = v1_limits;

	limits.inbound_entries = info.MaxInboundRequests + 1;
	cr_assert(FAILED(create(&limits)));
}

/** Create an endpoint whose completion queue has two entries. @return status of CreateEndpoint */
static HRESULT
create_with_short_queue(const struct v1_limits *limits)
{
	client->in = client->out = v1_cq(client, 2);
	return create(limits);
}

Test(spi_v1_endpoint, nd_088_largest_endpoint_with_a_queue_of_2)
{
	struct v1_limits limits = v1_limits;

	limits.inbound_sge = info.MaxInboundSge;
	limits.outbound_sge = info.MaxOutboundSge;
	limits.outbound_entries = info.MaxOutboundRequests;
	V1_OK(create_with_short_queue(&limits));
}

Test(spi_v1_endpoint, nd_089_queue_of_2_for_64_requests)
{
	const struct v1_limits limits = {64, 64, 1, 1, 0, 0};

	V1_OK(create_with_short_queue(&limits));
}

Test(spi_v1_large, nd_090_largest_queue)
{
	INDCompletionQueue *cq = v1_cq(client, info.MaxCqEntries);

	v1_release(cq);
	cr_assert_eq(INDAdapter_CreateCompletionQueue(client->adapter, info.MaxCqEntries + 1, &cq),
		ND_INVALID_PARAMETER);
}

Test(spi_v1_endpoint, nd_092_release_returns_0_while_connecting)
{
	OVERLAPPED connect = {0}, accept = {0};

	v1_request(&v1, &connect);
	cr_assert_eq(v1_accept_call(&v1, &accept), ND_PENDING);
	V1_OK(v1_finish(client->connector, ND_PENDING, &connect));
	v1_release(client->connector);
	v1_release(server->connector);
}

Test(spi_v1_endpoint, nd_203_handle_is_filled_by_a_success_only)
{
	ND_MR_HANDLE mr = (ND_MR_HANDLE)(uintptr_t)0x77;

	cr_assert_eq(v1_register(client, NULL, 8, &mr), ND_ACCESS_VIOLATION);
	cr_assert_eq((uintptr_t)mr, 0x77);
	V1_OK(v1_register(client, client->memory, 8, &mr));
	cr_assert_neq((uintptr_t)mr, 0x77);
	V1_OK(v1_deregister(client, mr));
}

Test(spi_v1_endpoint, nd_204_buffer_or_size_that_is_not_valid)
{
	ND_MR_HANDLE mr = NULL;

	cr_assert_eq(v1_register(client, NULL, 0, &mr), ND_ACCESS_VIOLATION);
	cr_assert_eq(v1_register(client, client->memory, 0, &mr), ND_ACCESS_VIOLATION);
	cr_assert_eq(
		v1_register(client, (const void *)(UINTPTR_MAX - 7), 16, &mr), ND_ACCESS_VIOLATION);
	cr_assert_eq(v1_register(client, client->memory, info.MaxRegistrationSize + 1, &mr),
		ND_INVALID_PARAMETER);
	cr_assert_null(mr);
}

Test(spi_v1_endpoint, nd_208_memory_is_usable_by_all_endpoints)
{
	INDEndpoint *endpoints[2];
	ND_RESULT sent, received;
	ND_SGE sge = v1_sge(client, 0, 8), to = v1_sge(server, 0, 8);

	v1_connect(&v1);
	v1_alive(&v1);
	v1_connect_again(&v1, endpoints);
	memcpy(client->memory, "of both", 8);
	V1_OK(INDEndpoint_Receive(endpoints[1], &received, &to, 1));
	V1_OK(INDEndpoint_Send(endpoints[0], &sent, &sge, 1, 0));
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	cr_assert_str_eq((char *)server->memory, "of both");
}

Test(spi_v1_endpoint, nd_209_one_buffer_registered_several_times)
{
	ND_MW_DESCRIPTOR reads, writes;
	ND_MR_HANDLE mr = server->mr, again;
	ND_RESULT invalidated;

	v1_connect(&v1);
	reads = v1_bound(server, 4096, 64, ND_OP_FLAG_ALLOW_READ);
	V1_OK(v1_register(server, server->memory, V1_BYTES, &again));
	cr_assert_neq(mr, again);
	server->mr = again;
	server->mw = v1_window(server, &invalidated);
	writes = v1_bound(server, 4096, 64, ND_OP_FLAG_ALLOW_WRITE);
	v1_expect_write(&v1, &writes, 4096);
	v1_expect_read(&v1, &reads, 4096);
	v1_refused_read(&v1, &writes);
}

#define REGISTRATIONS 200

static void *
register_often(void *arg)
{
	uint8_t *memory = arg;

	for (unsigned int i = 0; i < REGISTRATIONS; i++) {
		ND_MR_HANDLE mr = NULL;

		if (v1_register(client, memory, 1 + i * 37 % 8192, &mr) != ND_SUCCESS ||
			v1_deregister(client, mr) != ND_SUCCESS)
			return arg;
	}
	return NULL;
}

Test(spi_v1_endpoint, nd_210_registration_again_and_again_from_threads)
{
	pthread_t threads[4];

	for (unsigned int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, register_often, client->memory + 8192 * i);
	for (unsigned int i = 0; i < 4; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		cr_assert_null(failed);
	}
}

Test(spi_v1_endpoint, nd_211_lowest_bit_of_the_event_keeps_from_the_port)
{
	HANDLE file = INDAdapter_GetFileHandle(client->adapter);
	HANDLE port = CreateIoCompletionPort(file, NULL, 7, 0);
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = (HANDLE)((uintptr_t)event | 1)}, *got = NULL;
	ND_MR_HANDLE mr;
	ULONG_PTR key;
	DWORD bytes;

	cr_assert_not_null(port);
	cr_assert_eq(
		INDAdapter_RegisterMemory(client->adapter, &v1, 8, &overlapped, &mr), ND_PENDING);
	cr_assert_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	cr_assert_null(got);
	overlapped.hEvent = NULL;
	cr_assert_eq(INDAdapter_DeregisterMemory(client->adapter, mr, &overlapped), ND_PENDING);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, INFINITE), TRUE);
	cr_assert_eq(got, &overlapped);
	cr_assert_eq(key, 7);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	cr_assert_null(got);
	CloseHandle(event);
	CloseHandle(port);
}

#define LARGE (64u << 20)

static void
large_access(
	bool reads, ND_MR_HANDLE mr, uint8_t *memory, SIZE_T bytes, const ND_MW_DESCRIPTOR *remote)
{
	const ND_SGE sge = {memory, bytes, mr};
	ND_RESULT result;

	cr_assert_eq(reads ? INDEndpoint_Read(client->endpoint, &result, &sge, 1, remote, 0, 0)
			   : INDEndpoint_Write(client->endpoint, &result, &sge, 1, remote, 0, 0),
		ND_SUCCESS);
	v1_done(client->out, &result);
	cr_assert_eq(result.BytesTransferred, bytes);
}

Test(spi_v1_endpoint, nd_220_large_memory_and_many_small_writes)
{
	uint8_t *here = calloc(1, LARGE), *there = calloc(1, LARGE);
	ND_MW_DESCRIPTOR remote;
	ND_MR_HANDLE mr, own;
	ND_RESULT result;
	uint32_t writes = test_number("NDPDK_TEST_WRITES", 1u << 16), last = 0;

	V1_OK(v1_register(client, here, LARGE, &own));
	V1_OK(v1_register(server, there, LARGE, &mr));
	v1_connect(&v1);
	V1_OK(INDEndpoint_Bind(
		server->endpoint, &result, mr, server->mw, there, LARGE, V1_BOTH, &remote));
	v1_done(server->out, &result);
	memset(there, 'r', LARGE);
	large_access(true, own, here, (32u << 20) - 1024, &remote);
	cr_assert_eq(here[(32u << 20) - 1025], 'r');
	cr_assert_eq(here[(32u << 20) - 1024], 0);
	memset(here, 'w', 16u << 20);
	large_access(false, own, here, 16u << 20, &remote);
	cr_assert_eq(there[(16u << 20) - 1], 'w');
	cr_assert_eq(there[16u << 20], 'r');
	/* Each Write has its own number, so that a lost or reordered Write is detected. */
	memset(there, 0, 4);
	for (uint32_t i = 1; i <= writes; i++) {
		const ND_SGE sge = {&i, sizeof(i), NULL};
		uint32_t now;

		cr_assert_eq(INDEndpoint_Write(client->endpoint, &result, &sge, 1, &remote,
				     4 * (i % 1024), i % 16 == 0 ? 0 : ND_OP_FLAG_SILENT_SUCCESS),
			ND_SUCCESS);
		if (i % 16 == 0)
			v1_done(client->out, &result);
		now = __atomic_load_n((uint32_t *)(void *)there, __ATOMIC_ACQUIRE);
		cr_assert(now >= last && now <= i && now % 1024 == 0);
		last = now;
	}
	for (uint32_t i = 0; i < 1024; i++)
		cr_assert_eq(((uint32_t *)(void *)there)[i], i == 0 ? writes : writes - 1024 + i);
	v1_close(&v1);
	memset(&v1, 0, sizeof(v1));
	free(here);
	free(there);
	cr_assert_eq(NdStartup(), S_OK);
}
