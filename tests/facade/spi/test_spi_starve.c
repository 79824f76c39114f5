/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Version 2 over a port that accepts no frames from side 0 for a while, or never again. Frames wait
 * for the port and are not lost. Requests that cannot be sent time out (docs/timeouts.md). All
 * objects can be closed meanwhile, and no packet buffer leaks. The test advances the clock of side
 * 0.
 */

#include "spi_counter.h"
#include "spi_scene.h"
#include "support/starve.h"

#define MS            UINT64_C(1000000)
#define STEP_NS       (10 * MS)
#define MESSAGES      16u
#define MESSAGE_BYTES 3000u /* three packets */
/** Longer than all retries of a request together, which take 11 intervals of 34 ms. */
#define LONG_NS       (1000 * MS)
/** Maximum time that a request waits for the port, which is 5 s and 8 ACK intervals. */
#define STUCK_NS      (5300 * MS)
/**
 * All retries of a connect or disconnect together take 15/16 of peer_timeout_ms. PLAN_NS is twice
 * that time.
 */
#define PLAN_NS       (9400 * MS)
#define NEIGHBOUR_NS  (2100 * MS)

static unsigned int before[2];

static struct nd_adapter *
native(unsigned int side)
{
	return spi_device_get(side)->native;
}

static void
setup(void)
{
	scene_open_with("retry_count = 3; ack_timeout = 13; rnr_retry_count = 7", 1);
	spi_pair_connect(&scene);
	scene_alive();
	scene_quiet();
	for (unsigned int side = 0; side < 2; side++)
		before[side] = starve_buffers(native(side));
}

static void
teardown(void)
{
	starve_allow(native(0), STARVE_ALL);
	scene_close();
}

TestSuite(spi_starve, .init = setup, .fini = teardown);

/** Advance the clock of a side by STEP_NS, and poll its engine. */
static void
pass(unsigned int side)
{
	struct spi_engine *engine = &spi_device_get(side)->engines[0];

	spi_engine_enter(engine);
	starve_pass(native(side), STEP_NS);
	(void)spi_engine_turn(engine);
	spi_engine_leave(engine);
}

/** Wait until an operation ends. Fail after this time of the side's clock. */
static HRESULT
finish_within(unsigned int side, void *object, OVERLAPPED *overlapped, uint64_t ns)
{
	HRESULT status = ND_PENDING;

	for (uint64_t now = 0; status == ND_PENDING; now += STEP_NS) {
		cr_assert_leq(now, ns + 2 * STEP_NS, "an operation does not end");
		pass(side);
		status = IND2Overlapped_GetOverlappedResult(
			(IND2Overlapped *)object, overlapped, FALSE);
	}
	return status;
}

/** Wait for the next result of side 0. Fail after this time of the clock of side 0. */
static ND2_RESULT
result_within(uint64_t ns)
{
	ND2_RESULT result;

	for (uint64_t now = 0; IND2CompletionQueue_GetResults(PEER->cq, &result, 1) == 0;
		now += STEP_NS) {
		cr_assert_leq(now, ns + 2 * STEP_NS, "a request does not end");
		pass(0);
	}
	return result;
}

/** Post messages from side 0 to side 1. Each message has its own memory on both sides. */
static void
messages_post(void)
{
	for (unsigned int i = 0; i < MESSAGES * MESSAGE_BYTES; i++) {
		PEER->memory[i] = (uint8_t)(i ^ i >> 8);
		OWNER->memory[i] = (uint8_t)~PEER->memory[i];
	}
	for (unsigned int i = 0; i < MESSAGES; i++) {
		scene_receive(OWNER, i, (size_t)i * MESSAGE_BYTES, MESSAGE_BYTES);
		ASSERT_HR(scene_send_post(PEER, i, (size_t)i * MESSAGE_BYTES, MESSAGE_BYTES, 0),
			ND_SUCCESS);
	}
}

static void
messages_arrive(void)
{
	for (unsigned int i = 0; i < MESSAGES; i++) {
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(i)), ND_SUCCESS);
		ASSERT_HR(
			spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(i)), ND_SUCCESS);
	}
	cr_assert_eq(memcmp(PEER->memory, OWNER->memory, MESSAGES * MESSAGE_BYTES), 0);
}

/** Fail if side 1 missed a packet. Frames that the port refused must be offered again in order. */
static void
nothing_is_missing(void)
{
	cr_assert_eq(spi_counter(1, "rx_ahead"), 0);
	cr_assert_eq(spi_counter(1, "tx_naks_sequence"), 0);
}

static void
buffers_are_back(void)
{
	for (unsigned int side = 0; side < 2; side++) {
		const struct timespec end = spi_pair_deadline();

		while (starve_buffers(native(side)) != before[side]) {
			cr_assert(!spi_pair_is_late(&end), "side %u: %u buffers instead of %u",
				side, starve_buffers(native(side)), before[side]);
			scene_quiet();
		}
	}
}

/* While the port accepts no frame for LONG_NS, requests do not time out. */
Test(spi_starve, requests_wait_for_the_port)
{
	ND2_RESULT result;

	starve_allow(native(0), 0);
	messages_post();
	for (uint64_t now = 0; now < LONG_NS; now += STEP_NS) {
		pass(0);
		cr_assert_eq(IND2CompletionQueue_GetResults(PEER->cq, &result, 1), 0,
			"%#x after %lu ms", (unsigned int)result.Status, (unsigned long)(now / MS));
	}
	cr_assert_gt(starve_refusals(), 0);
	starve_allow(native(0), STARVE_ALL);
	messages_arrive();
	nothing_is_missing();
	scene_alive();
	buffers_are_back();
}

/*
 * When a port that accepts only some frames accepts the next frame, it gets the refused frames
 * first, in order.
 */
Test(spi_starve, slow_port_loses_nothing)
{
	unsigned int sent = 0, received = 0;

	starve_allow(native(0), 0);
	messages_post();
	for (unsigned int turn = 0; sent < MESSAGES || received < MESSAGES; turn++) {
		const struct timespec end = spi_pair_deadline();
		ND2_RESULT result;

		cr_assert(!spi_pair_is_late(&end));
		if (turn % 3 == 0)
			starve_allow(native(0), 1 + turn % 2);
		if (IND2CompletionQueue_GetResults(PEER->cq, &result, 1) != 0) {
			ASSERT_HR(result.Status, ND_SUCCESS);
			cr_assert_eq(result.RequestContext, CONTEXT(sent++));
		}
		if (IND2CompletionQueue_GetResults(OWNER->cq, &result, 1) != 0) {
			ASSERT_HR(result.Status, ND_SUCCESS);
			cr_assert_eq(result.RequestContext, CONTEXT(received++));
		}
	}
	cr_assert_gt(starve_refusals(), 0);
	starve_allow(native(0), STARVE_ALL);
	cr_assert_eq(memcmp(PEER->memory, OWNER->memory, MESSAGES * MESSAGE_BYTES), 0);
	nothing_is_missing();
	scene_alive();
	buffers_are_back();
}

/** Let the port accept frames, connect new queue pairs, and transfer messages. */
static void
new_connection(void)
{
	starve_allow(native(0), STARVE_ALL);
	/* An unanswered neighbour resolution is retried only after a second. Wait for the retry. */
	for (uint64_t now = 0; now < NEIGHBOUR_NS; now += STEP_NS) {
		pass(0);
		scene_turn(OWNER, 1);
	}
	scene_second(NULL);
	scene_alive();
	buffers_are_back();
}

/** Disconnect side 1, which has not detected the end of the connection and gets no answer. */
static void
owner_disconnect(void)
{
	OVERLAPPED bye = {0};

	ASSERT_HR(IND2Connector_Disconnect(OWNER->connector, &bye), ND_PENDING);
	ASSERT_HR(finish_within(1, OWNER->connector, &bye, PLAN_NS), ND_SUCCESS);
}

/*
 * The port accepts no frames. The first request times out and ends the connection, which cancels
 * the other requests.
 */
Test(spi_starve, requests_end_over_a_port_that_takes_nothing)
{
	OVERLAPPED gone = {0}, bye = {0};
	ND2_RESULT result;

	ASSERT_HR(IND2Connector_NotifyDisconnect(PEER->connector, &gone), ND_PENDING);
	starve_allow(native(0), 0);
	messages_post();
	for (unsigned int i = 0; i < MESSAGES; i++) {
		result = result_within(i == 0 ? STUCK_NS : 0);
		ASSERT_HR(result.Status, i == 0 ? ND_IO_TIMEOUT : ND_CANCELED);
		cr_assert_eq(result.RequestContext, CONTEXT(i));
		cr_assert_eq(result.RequestType, Nd2RequestTypeSend);
	}
	ASSERT_HR(finish_within(0, PEER->connector, &gone, 0), ND_SUCCESS);
	ASSERT_HR(IND2Connector_Disconnect(PEER->connector, &bye), ND_PENDING);
	ASSERT_HR(finish_within(0, PEER->connector, &bye, PLAN_NS), ND_SUCCESS);
	owner_disconnect();
	for (unsigned int i = 0; i < MESSAGES; i++)
		ASSERT_HR(
			spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(i)), ND_CANCELED);
	new_connection();
}

/*
 * The port accepts no frames, so the disconnect request is never sent. The Disconnect still ends.
 */
Test(spi_starve, disconnect_ends_over_a_port_that_takes_nothing)
{
	OVERLAPPED gone = {0}, bye = {0};

	ASSERT_HR(IND2Connector_NotifyDisconnect(PEER->connector, &gone), ND_PENDING);
	starve_allow(native(0), 0);
	scene_receive(PEER, 1, 0, 0);
	ASSERT_HR(IND2Connector_Disconnect(PEER->connector, &bye), ND_PENDING);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_CANCELED);
	ASSERT_HR(finish_within(0, PEER->connector, &bye, PLAN_NS), ND_SUCCESS);
	ASSERT_HR(finish_within(0, PEER->connector, &gone, 0), STATUS_CONNECTION_DISCONNECTED);
	owner_disconnect();
	new_connection();
}

/* The port accepts no frames, so the connection request is never sent. The Connect times out. */
Test(spi_starve, connect_ends_over_a_port_that_takes_nothing)
{
	IND2QueuePair *first = PEER->qp;
	OVERLAPPED connect = {0};
	struct sockaddr_in to = scene_listening();
	IND2Connector *connector = scene_connector(PEER);

	PEER->qp = spi_pair_queue_pair(&scene, 0, SCENE_ENTRIES);
	starve_allow(native(0), 0);
	ASSERT_HR(scene_connect_post(connector, &to, 1, 1, 0, &connect), ND_PENDING);
	ASSERT_HR(finish_within(0, connector, &connect, PLAN_NS), ND_IO_TIMEOUT);
	scene_keep(PEER->qp);
	PEER->qp = first;
	/*
	 * The request may still wait for the port. Release the listener, so that nobody accepts
	 * this request later.
	 */
	scene_release(scene.listener);
	scene.listener = NULL;
	new_connection();
}

/* The port accepts no frames. All objects are released while requests wait for the port. */
Test(spi_starve, closing_ends_over_a_port_that_takes_nothing)
{
	starve_allow(native(0), 0);
	messages_post();
	pass(0);
	cr_assert_gt(starve_refusals(), 0);
	scene_close();
	cr_assert_null(spi_device_get(0)->native);
	/* Now the port accepts frames. The adapters can be opened again. */
	starve_allow(NULL, STARVE_ALL);
	spi_pair_open(&scene);
	spi_pair_connect(&scene);
	scene_alive();
}
