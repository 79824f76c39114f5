/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The port of side 0 accepts no frames for a while, or never again. Operations that wait for the
 * port continue or end (docs/timeouts.md), all objects can be closed, and no packet buffer is lost.
 * The test advances the clock of side 0.
 */

#include <string.h>

#include "ndk_pair.h"
#include "support/starve.h"

#define MS            UINT64_C(1000000)
#define STEP_NS       (10 * MS)
#define MESSAGES      8u
#define MESSAGE_BYTES 5000u
/** Longer than all retries of a request together, which take 27 intervals of 34 ms. */
#define LONG_NS       (2000 * MS)
/** Maximum time that a request waits for the port, which is 5 s and 8 ACK intervals. */
#define STUCK_NS      (5300 * MS)
/** Twice the time that all retries of a connect or disconnect take. */
#define PLAN_NS       (23500 * MS)
/**
 * More than twice the interval of 1 s after which an unanswered neighbour resolution is retried.
 */
#define NEIGHBOUR_NS  (2100 * MS)

static unsigned int before[2];

static struct nd_adapter *
native(unsigned int side)
{
	return pair.native.side[side].adapter;
}

static void
setup(void)
{
	const struct nd_pair_config config = {.path_mtu = 1024, .ack_timeout = 13};

	pair_configure(&config);
	pair_connected();
	pair_expect_alive();
	pair_quiet();
	for (unsigned int side = 0; side < 2; side++)
		before[side] = starve_buffers(native(side));
}

static void
teardown(void)
{
	starve_allow(native(0), STARVE_ALL);
	pair_close();
}

TestSuite(ndk_starve, .init = setup, .fini = teardown);

/** Advance the clock of a side by STEP_NS, and poll both sides. */
static void
pass(unsigned int side)
{
	starve_pass(native(side), STEP_NS);
	pair_poll();
}

/**
 * Poll until a call of a side completes. Fail if this takes longer than `ns` of the side's clock.
 */
static NTSTATUS
call_within(unsigned int side, const struct ndk_call *call, uint64_t ns)
{
	for (uint64_t now = 0; call->count == 0; now += STEP_NS) {
		cr_assert_leq(now, ns + 2 * STEP_NS, "a call does not end");
		pass(side);
	}
	cr_assert_eq(call->count, 1);
	return call->status;
}

static void
messages_post(void)
{
	struct ndk_side *from = &pair.side[0], *to = &pair.side[1];

	for (unsigned int i = 0; i < MESSAGES * MESSAGE_BYTES; i++) {
		from->memory[i] = (uint8_t)(i ^ i >> 8);
		to->memory[i] = (uint8_t)~from->memory[i];
	}
	for (uintptr_t i = 0; i < MESSAGES; i++) {
		NDK_SGE out = side_sge(from, i * MESSAGE_BYTES, MESSAGE_BYTES);
		NDK_SGE in = side_sge(to, i * MESSAGE_BYTES, MESSAGE_BYTES);

		ASSERT_NT(to->qp->Dispatch->NdkReceive(to->qp, (PVOID)i, &in, 1), STATUS_SUCCESS);
		ASSERT_NT(from->qp->Dispatch->NdkSend(from->qp, (PVOID)i, &out, 1, 0),
			STATUS_SUCCESS);
	}
}

/** Fail if side 0 gets a result within this time. */
static void
nothing_ends(uint64_t ns)
{
	NDK_CQ *cq = pair.side[0].cq;
	NDK_RESULT result;

	for (uint64_t now = 0; now < ns; now += STEP_NS) {
		pass(0);
		cr_assert_eq(cq->Dispatch->NdkGetCqResults(cq, &result, 1), 0, "%s after %lu ms",
			ndk_status_name(result.Status), (unsigned long)(now / MS));
	}
}

static void
buffers_are_back(void)
{
	pair_quiet();
	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(starve_buffers(native(side)), before[side],
			"side %u: %u buffers instead of %u", side, starve_buffers(native(side)),
			before[side]);
}

/** Let the port accept frames again, connect new queue pairs, and send messages. */
static void
new_connection(void)
{
	starve_allow(native(0), STARVE_ALL);
	for (uint64_t now = 0; now < NEIGHBOUR_NS; now += STEP_NS)
		pass(0);
	for (unsigned int i = 0; i < 2; i++)
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
	pair_connect();
	pair_expect_alive();
	buffers_are_back();
}

Test(ndk_starve, requests_wait_for_the_port)
{
	starve_allow(native(0), 0);
	messages_post();
	nothing_ends(LONG_NS);
	cr_assert_gt(starve_refusals(), 0);
	starve_allow(native(0), STARVE_ALL);
	for (uintptr_t i = 0; i < MESSAGES; i++) {
		side_expect(&pair.side[0], (PVOID)i, NdkOperationTypeSend, STATUS_SUCCESS);
		side_expect(&pair.side[1], (PVOID)i, NdkOperationTypeReceive, STATUS_SUCCESS);
	}
	cr_assert_eq(memcmp(pair.side[0].memory, pair.side[1].memory, MESSAGES * MESSAGE_BYTES), 0);
	cr_assert_eq(nd_pair_counter(&pair.native, 1, "rx_ahead"), 0);
	pair_expect_alive();
	buffers_are_back();
}

/**
 * Disconnect a side. The call must complete even if the peer does not answer.
 * @return the status that NdkDisconnect() returned
 */
static NTSTATUS
disconnect(unsigned int side)
{
	NDK_CONNECTOR *connector = pair.side[side].connector;
	struct ndk_call call = {0};
	NTSTATUS status = connector->Dispatch->NdkDisconnect(connector, call_over, &call);

	if (status == STATUS_PENDING)
		ASSERT_NT(call_within(side, &call, PLAN_NS), STATUS_SUCCESS);
	return status;
}

/*
 * The port accepts no frames. The first request times out and ends the connection, which cancels
 * the other requests.
 */
Test(ndk_starve, requests_end_over_a_port_that_takes_nothing)
{
	struct ndk_side *side = &pair.side[0];
	NDK_RESULT_EX result;

	starve_allow(native(0), 0);
	messages_post();
	nothing_ends(5000 * MS);
	for (uint64_t now = 5000 * MS;
		side->cq->Dispatch->NdkGetCqResultsEx(side->cq, &result, 1) == 0; now += STEP_NS) {
		cr_assert_leq(now, STUCK_NS, "a request does not end");
		pass(0);
	}
	ASSERT_NT(result.Status, STATUS_IO_TIMEOUT);
	cr_assert_eq(result.RequestContext, 0);
	for (uintptr_t i = 1; i < MESSAGES; i++)
		side_expect(side, (PVOID)i, NdkOperationTypeSend, STATUS_CANCELLED);
	POLL_UNTIL(side->disconnected == 1);
	ASSERT_NT(disconnect(0), STATUS_SUCCESS);
	ASSERT_NT(disconnect(1), STATUS_PENDING);
	for (uintptr_t i = 0; i < MESSAGES; i++)
		side_expect(&pair.side[1], (PVOID)i, NdkOperationTypeReceive, STATUS_CANCELLED);
	new_connection();
}

/* The port accepts no frames, and only a disconnect request is pending. The disconnect ends. */
Test(ndk_starve, disconnect_ends_over_a_port_that_takes_nothing)
{
	starve_allow(native(0), 0);
	side_receive(&pair.side[0], NULL);
	ASSERT_NT(disconnect(0), STATUS_PENDING);
	ASSERT_NT(disconnect(1), STATUS_PENDING);
	side_expect(&pair.side[0], NULL, NdkOperationTypeReceive, STATUS_CANCELLED);
	new_connection();
}

/* The port accepts no frames. Closing the objects waits only for the disconnect. */
Test(ndk_starve, closing_objects_ends_over_a_port_that_takes_nothing)
{
	struct ndk_side *side = &pair.side[0];
	struct ndk_call qp = {0}, connector = {0};

	starve_allow(native(0), 0);
	messages_post();
	ASSERT_NT(
		side->qp->Dispatch->NdkCloseQp(&side->qp->Header, close_over, &qp), STATUS_PENDING);
	ASSERT_NT(side->connector->Dispatch->NdkCloseConnector(
			  &side->connector->Header, close_over, &connector),
		STATUS_PENDING);
	ASSERT_NT(call_within(0, &connector, PLAN_NS), STATUS_SUCCESS);
	ASSERT_NT(call_within(0, &qp, 0), STATUS_SUCCESS);
}

/* The port accepts no frames. Closing adapters with pending requests does not wait for peers. */
Test(ndk_starve, closing_adapters_ends_over_a_port_that_takes_nothing)
{
	starve_allow(native(0), 0);
	messages_post();
	pass(0);
	cr_assert_gt(starve_refusals(), 0);
	pair_close();
	starve_allow(NULL, STARVE_ALL);
	/* Open new adapters, which use other ports. */
	pair_connected();
	pair_expect_alive();
}
