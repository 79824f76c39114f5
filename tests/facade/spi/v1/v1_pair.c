/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "v1_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_common.h>
#include <rte_dev.h>

#include "../spi_pair.h"
#include "spi/device.h"

/** Number of consecutive empty polls after which a queue is expected to get no result. */
#define QUIET_TURNS 2000

const struct v1_limits v1_limits = {V1_ENTRIES, V1_ENTRIES, 4, 4, V1_READS, V1_READS};

uint32_t v1_connect_retries;

struct v1_pair v1;

/** Objects that v1_close() releases. */
static void *kept[1024];
static unsigned int kept_count;

static void *
keep(void *object)
{
	cr_assert_not_null(object);
	cr_assert_lt(kept_count, RTE_DIM(kept));
	kept[kept_count++] = object;
	return object;
}

void
v1_setup_open(void)
{
	v1_open(&v1);
}

void
v1_setup(void)
{
	v1_open(&v1);
	v1_connect(&v1);
}

void
v1_teardown(void)
{
	v1_close(&v1);
}

HRESULT
v1_finish(void *object, HRESULT status, OVERLAPPED *overlapped)
{
	SIZE_T bytes = 1;

	if (status != ND_PENDING)
		return status;
	return INDOverlapped_GetOverlappedResult((INDOverlapped *)object, overlapped, &bytes, TRUE);
}

HRESULT
v1_poll(void *object, OVERLAPPED *overlapped)
{
	const struct timespec end = spi_pair_deadline();
	HRESULT status;

	do {
		status = INDOverlapped_GetOverlappedResult(
			(INDOverlapped *)object, overlapped, NULL, FALSE);
		cr_assert(!spi_pair_is_late(&end), "the operation does not end");
	} while (status == ND_PENDING);
	return status;
}

void
v1_notify(INDCompletionQueue *cq, DWORD type, OVERLAPPED *overlapped)
{
	cr_assert_eq(INDCompletionQueue_Notify(cq, type, overlapped), ND_PENDING);
}

void
v1_pending(void *object, OVERLAPPED *overlapped)
{
	for (unsigned int i = 0; i < QUIET_TURNS; i++)
		cr_assert_eq(INDOverlapped_GetOverlappedResult(
				     (INDOverlapped *)object, overlapped, NULL, FALSE),
			ND_PENDING);
}

ND_RESULT *
v1_take(INDCompletionQueue *cq)
{
	const struct timespec end = spi_pair_deadline();
	ND_RESULT *result = NULL;

	while (INDCompletionQueue_GetResults(cq, &result, 1) == 0)
		cr_assert(!spi_pair_is_late(&end), "no result comes");
	cr_assert_not_null(result);
	return result;
}

HRESULT
v1_expect(INDCompletionQueue *cq, const ND_RESULT *result)
{
	cr_assert_eq(v1_take(cq), result);
	return result->Status;
}

void
v1_done(INDCompletionQueue *cq, const ND_RESULT *result)
{
	HRESULT status = v1_expect(cq, result);

	cr_assert_eq(status, ND_SUCCESS, "a request ends with %#x", (unsigned int)status);
}

void
v1_quiet(INDCompletionQueue *cq)
{
	ND_RESULT *result;

	for (unsigned int i = 0; i < QUIET_TURNS; i++)
		cr_assert_eq(INDCompletionQueue_GetResults(cq, &result, 1), 0);
}

ND_SGE
v1_sge(const struct v1_side *side, size_t offset, size_t bytes)
{
	return (ND_SGE){side->memory + offset, bytes, side->mr};
}

HRESULT
v1_send(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes, DWORD flags)
{
	ND_SGE sge = v1_sge(side, offset, bytes);

	return INDEndpoint_Send(side->endpoint, result, &sge, 1, flags);
}

HRESULT
v1_receive(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes)
{
	ND_SGE sge = v1_sge(side, offset, bytes);

	return INDEndpoint_Receive(side->endpoint, result, &sge, 1);
}

HRESULT
v1_bind(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes, DWORD flags,
	ND_MW_DESCRIPTOR *descriptor)
{
	return INDEndpoint_Bind(side->endpoint, result, side->mr, side->mw, side->memory + offset,
		bytes, flags, descriptor);
}

HRESULT
v1_read(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes,
	const ND_MW_DESCRIPTOR *remote, DWORD flags)
{
	ND_SGE sge = v1_sge(side, offset, bytes);

	return INDEndpoint_Read(side->endpoint, result, &sge, 1, remote, 0, flags);
}

HRESULT
v1_write(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes,
	const ND_MW_DESCRIPTOR *remote, DWORD flags)
{
	ND_SGE sge = v1_sge(side, offset, bytes);

	return INDEndpoint_Write(side->endpoint, result, &sge, 1, remote, 0, flags);
}

ND_MW_DESCRIPTOR
v1_bound(struct v1_side *side, size_t offset, size_t bytes, DWORD flags)
{
	ND_MW_DESCRIPTOR descriptor;
	ND_RESULT result;

	V1_OK(v1_bind(side, &result, offset, bytes, flags, &descriptor));
	v1_done(side->out, &result);
	return descriptor;
}

INDConnector *
v1_connector(struct v1_side *side)
{
	INDConnector *connector = NULL;

	V1_OK(INDAdapter_CreateConnector(side->adapter, &connector));
	return keep(connector);
}

INDCompletionQueue *
v1_cq(const struct v1_side *side, SIZE_T entries)
{
	INDCompletionQueue *cq = NULL;

	V1_OK(INDAdapter_CreateCompletionQueue(side->adapter, entries, &cq));
	return keep(cq);
}

INDEndpoint *
v1_endpoint(struct v1_side *side, INDConnector *connector, const struct v1_limits *limits)
{
	INDEndpoint *endpoint = NULL;
	SIZE_T inline_bytes = 0;

	V1_OK(INDConnector_CreateEndpoint(connector, side->in, side->out, limits->inbound_entries,
		limits->outbound_entries, limits->inbound_sge, limits->outbound_sge,
		limits->inbound_reads, limits->outbound_reads, &inline_bytes, &endpoint));
	cr_assert_gt(inline_bytes, 0);
	return keep(endpoint);
}

HRESULT
v1_register(const struct v1_side *side, const void *buffer, size_t bytes, ND_MR_HANDLE *mr)
{
	OVERLAPPED overlapped = {0};

	return v1_finish(side->adapter,
		INDAdapter_RegisterMemory(side->adapter, buffer, bytes, &overlapped, mr),
		&overlapped);
}

HRESULT
v1_deregister(const struct v1_side *side, ND_MR_HANDLE mr)
{
	OVERLAPPED overlapped = {0};

	return v1_finish(side->adapter, INDAdapter_DeregisterMemory(side->adapter, mr, &overlapped),
		&overlapped);
}

void
v1_side_open(struct v1_side *side)
{
	cr_assert_eq(NdOpenV1Adapter((struct sockaddr *)&side->address, sizeof(side->address),
			     &side->adapter),
		S_OK, "%s", NdGetConfigurationError());
	keep(side->adapter);
	side->in = v1_cq(side, 4 * V1_ENTRIES);
	side->out = v1_cq(side, 4 * V1_ENTRIES);
	side->mw = v1_window(side, &side->invalidated);
	V1_OK(v1_register(side, side->memory, V1_BYTES, &side->mr));
}

void
v1_open(struct v1_pair *pair)
{
	v1_open_with(pair, NULL);
}

void
v1_unplug(unsigned int side)
{
	char name[64];

	snprintf(name, sizeof(name), "net_ring_spi_port_%u", side);
	cr_assert_eq(rte_eal_hotplug_remove("vdev", name), 0);
}

/** Append lines to the configuration of both adapters. */
static void
configure_more(const char *lines)
{
	const char *text = getenv("NDPDK_SPI_CONFIG"), *second = strstr(text + 1, "[adapter]");
	char more[1024];

	snprintf(more, sizeof(more), "%.*s %s; %s; %s", (int)(second - text), text, lines, second,
		lines);
	setenv("NDPDK_SPI_CONFIG", more, 1);
}

void
v1_open_with(struct v1_pair *pair, const char *lines)
{
	memset(pair, 0, sizeof(*pair));
	spi_pair_configure();
	if (lines != NULL)
		configure_more(lines);
	cr_assert_eq(NdStartup(), S_OK, "%s", NdGetConfigurationError());
	if (v1_connect_retries != 0) {
		for (size_t i = 0; i < 2; i++)
			spi_device_get(i)->config->native.connect_retries = v1_connect_retries;
	}
	for (unsigned int i = 0; i < 2; i++) {
		struct v1_side *side = &pair->side[i];

		side->address.sin_family = AF_INET;
		side->address.sin_addr.s_addr = htonl(0xC0000201 + i);
		side->memory = calloc(1, V1_BYTES);
		v1_side_open(side);
	}
}

void
v1_listen(struct v1_pair *pair)
{
	pair->listening = pair->side[1].address;
	V1_OK(INDAdapter_Listen(pair->side[1].adapter, 0, IPPROTO_TCP, 0, &pair->listening.sin_port,
		&pair->listen));
	keep(pair->listen);
}

HRESULT
v1_connect_call(struct v1_pair *pair, OVERLAPPED *overlapped)
{
	return INDConnector_Connect(pair->side[0].connector, pair->side[0].endpoint,
		(struct sockaddr *)&pair->listening, sizeof(pair->listening), IPPROTO_TCP, 0, NULL,
		0, overlapped);
}

HRESULT
v1_connect_wait(struct v1_pair *pair)
{
	OVERLAPPED overlapped = {0};

	return v1_finish(pair->side[0].connector, v1_connect_call(pair, &overlapped), &overlapped);
}

HRESULT
v1_accept_call(struct v1_pair *pair, OVERLAPPED *overlapped)
{
	return INDConnector_Accept(
		pair->side[1].connector, pair->side[1].endpoint, NULL, 0, overlapped);
}

static void
request_with(struct v1_pair *pair, const struct v1_limits limits[2], OVERLAPPED *connect)
{
	OVERLAPPED request = {0};
	HRESULT status;

	if (pair->listen == NULL)
		v1_listen(pair);
	for (unsigned int i = 0; i < 2; i++)
		pair->side[i].connector = v1_connector(&pair->side[i]);
	pair->side[0].endpoint = v1_endpoint(&pair->side[0], pair->side[0].connector, &limits[0]);
	status = INDListen_GetConnectionRequest(pair->listen, pair->side[1].connector, &request);
	cr_assert_eq(status, ND_PENDING);
	cr_assert_eq(v1_connect_call(pair, connect), ND_PENDING);
	V1_OK(v1_finish(pair->listen, status, &request));
	pair->side[1].endpoint = v1_endpoint(&pair->side[1], pair->side[1].connector, &limits[1]);
}

void
v1_request(struct v1_pair *pair, OVERLAPPED *connect)
{
	const struct v1_limits limits[2] = {v1_limits, v1_limits};

	request_with(pair, limits, connect);
}

void
v1_complete(struct v1_pair *pair, OVERLAPPED *connect, OVERLAPPED *accept)
{
	V1_OK(v1_finish(pair->side[0].connector, ND_PENDING, connect));
	V1_OK(INDConnector_CompleteConnect(pair->side[0].connector, connect));
	V1_OK(v1_finish(pair->side[1].connector, ND_PENDING, accept));
}

void
v1_connect_with(struct v1_pair *pair, const struct v1_limits limits[2])
{
	OVERLAPPED connect = {0}, accept = {0};

	request_with(pair, limits, &connect);
	cr_assert_eq(v1_accept_call(pair, &accept), ND_PENDING);
	v1_complete(pair, &connect, &accept);
}

void
v1_connect(struct v1_pair *pair)
{
	const struct v1_limits limits[2] = {v1_limits, v1_limits};

	v1_connect_with(pair, limits);
}

void
v1_connect_again(struct v1_pair *pair, INDEndpoint *endpoints[2])
{
	struct v1_pair other = *pair;

	v1_connect(&other);
	pair->listen = other.listen;
	pair->listening = other.listening;
	for (unsigned int i = 0; i < 2; i++)
		endpoints[i] = other.side[i].endpoint;
}

void
v1_disconnect(struct v1_pair *pair)
{
	INDConnector *connector = pair->side[0].connector;
	OVERLAPPED overlapped = {0};

	V1_OK(v1_finish(connector, INDConnector_Disconnect(connector, &overlapped), &overlapped));
}

void
v1_release(void *object)
{
	unsigned int i = 0;

	if (object == NULL)
		return;
	while (i < kept_count && kept[i] != object)
		i++;
	if (i < kept_count)
		kept[i] = kept[--kept_count];
	cr_assert_eq(INDOverlapped_Release((INDOverlapped *)object), 0);
}

void
v1_close(struct v1_pair *pair)
{
	while (kept_count != 0)
		v1_release(kept[0]);
	cr_assert_eq(NdCleanup(), S_OK);
	free(pair->side[0].memory);
	free(pair->side[1].memory);
}

void
v1_invalidated(struct v1_side *side)
{
	ND_RESULT result;

	V1_OK(INDEndpoint_Invalidate(side->endpoint, &result, side->mw, 0));
	v1_done(side->out, &result);
}

INDMemoryWindow *
v1_window(struct v1_side *side, ND_RESULT *invalidated)
{
	INDMemoryWindow *window = NULL;

	V1_OK(INDAdapter_CreateMemoryWindow(side->adapter, invalidated, &window));
	return keep(window);
}

void
v1_alive(struct v1_pair *pair)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct v1_side *from = &pair->side[i], *to = &pair->side[1 - i];
		ND_RESULT sent, received;

		V1_OK(v1_receive(to, &received, V1_BYTES - 1, 1));
		V1_OK(v1_send(from, &sent, V1_BYTES - 1, 1, 0));
		v1_done(from->out, &sent);
		v1_done(to->in, &received);
	}
}

void
v1_over(struct v1_pair *pair)
{
	for (unsigned int i = 0; i < 2; i++) {
		INDConnector *connector = pair->side[i].connector;
		OVERLAPPED overlapped = {0};
		ND_RESULT result;

		V1_OK(v1_finish(connector, INDConnector_NotifyDisconnect(connector, &overlapped),
			&overlapped));
		cr_assert_eq(INDEndpoint_Send(pair->side[i].endpoint, &result, NULL, 0, 0),
			ND_CONNECTION_INVALID);
	}
}

void
v1_reconnect(struct v1_pair *pair)
{
	for (unsigned int i = 0; i < 2; i++) {
		v1_release(pair->side[i].endpoint);
		v1_release(pair->side[i].connector);
		v1_quiet(pair->side[i].in);
		v1_quiet(pair->side[i].out);
	}
	v1_connect(pair);
}

/** Fill `place` with bytes that no earlier pattern had. */
static void
pattern(uint8_t *place)
{
	static uint8_t next;

	for (size_t i = 0; i < 64; i++)
		place[i] = ++next;
}

void
v1_expect_write(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote, size_t offset)
{
	struct v1_side *peer = &pair->side[0];
	ND_RESULT written;

	pattern(peer->memory + 2048);
	V1_OK(v1_write(peer, &written, 2048, 64, remote, 0));
	v1_done(peer->out, &written);
	cr_assert_eq(memcmp(peer->memory + 2048, pair->side[1].memory + offset, 64), 0);
}

void
v1_expect_read(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote, size_t offset)
{
	struct v1_side *peer = &pair->side[0];
	ND_RESULT read;

	pattern(pair->side[1].memory + offset);
	V1_OK(v1_read(peer, &read, 2048, 64, remote, 0));
	v1_done(peer->out, &read);
	cr_assert_eq(memcmp(peer->memory + 2048, pair->side[1].memory + offset, 64), 0);
}

void
v1_refused_write(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote)
{
	ND_RESULT written;

	V1_OK(v1_write(&pair->side[0], &written, 2048, 64, remote, 0));
	cr_assert_eq(v1_expect(pair->side[0].out, &written), ND_REMOTE_ERROR);
	v1_over(pair);
}

void
v1_refused_read(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote)
{
	ND_RESULT read;

	V1_OK(v1_read(&pair->side[0], &read, 2048, 64, remote, 0));
	cr_assert_eq(v1_expect(pair->side[0].out, &read), ND_REMOTE_ERROR);
	v1_over(pair);
}

void
v1_hold(void)
{
	for (size_t i = 0; i < 2; i++)
		spi_engine_enter(&spi_device_get(i)->engines[0]);
}

void
v1_let(void)
{
	for (size_t i = 0; i < 2; i++)
		spi_engine_leave(&spi_device_get(i)->engines[0]);
}

void
v1_turn(unsigned int side)
{
	(void)nd_engine_poll(spi_device_get(side)->engines[0].native);
}

void
v1_turns(unsigned int side)
{
	for (unsigned int i = 0; i < 100; i++)
		v1_turn(side);
}

void
v1_full(struct v1_pair *pair, v1_post post)
{
	struct v1_side *peer = &pair->side[0], *owner = &pair->side[1];
	ND_RESULT sent[V1_ENTRIES], received[V1_ENTRIES], refused;
	ND_MW_DESCRIPTOR remote;

	for (unsigned int i = 0; i < V1_ENTRIES; i++)
		V1_OK(v1_receive(peer, &received[i], 0, 8));
	v1_hold();
	for (unsigned int i = 0; i < V1_ENTRIES; i++)
		V1_OK(v1_send(owner, &sent[i], 0, 8, 0));
	cr_assert_eq(post(&refused, 0, &remote), ND_NO_MORE_ENTRIES);
	v1_let();
	for (unsigned int i = 0; i < V1_ENTRIES; i++) {
		v1_done(owner->out, &sent[i]);
		v1_done(peer->in, &received[i]);
	}
	v1_quiet(owner->out);
}

bool
v1_past_a_read(struct v1_pair *pair, v1_post post, DWORD flags, HRESULT *write_status)
{
	struct v1_side *peer = &pair->side[0], *owner = &pair->side[1];
	ND_MW_DESCRIPTOR source = v1_bound(peer, 0, 64, V1_BOTH), remote;
	ND_RESULT read, result, written;
	bool arrived;

	memset(peer->memory + 2048, 0x5a, 64);
	memset(owner->memory + 4096, 0, 64);
	v1_hold();
	V1_OK(v1_read(owner, &read, 1024, 64, &source, 0));
	V1_OK(post(&result, flags, &remote));
	V1_OK(v1_write(peer, &written, 2048, 64, &remote, 0));
	/* Poll only side 1. Its Read gets no response, but side 0 has already sent its Write. */
	v1_turns(1);
	arrived = owner->memory[4096] == 0x5a;
	v1_let();
	cr_assert_eq(v1_take(owner->out), &read);
	*write_status = v1_expect(peer->out, &written);
	cr_assert_eq(v1_take(owner->out), &result);
	return arrived;
}
