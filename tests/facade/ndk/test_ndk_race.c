/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Two threads call functions of the same objects at the same time. The tests wrap functions that
 * the library calls after it has checked an object's state and before it changes the state. In the
 * wrapper, the threads wait for each other.
 */

#include <arpa/inet.h>
#include <string.h>
#include <unistd.h>

#include "ndk_pair.h"

#include <ndpdk/nd_region.h>
#include <ndpdk/nd_srq.h>

#include "nd/adapter.h"
#include "ndk/mw.h"
#include "ndk/qp.h"
#include "support/together.h"

/** Number of rounds. In each round, each thread makes one call. */
#define RACES       20u
#define PAGES       4u
/** Time limit of all waits, in ns. */
#define PATIENCE_NS UINT64_C(20000000000)
#define TCP         6

#define SIDE (&pair.side[0])

/** Barrier for both threads. Between rounds, met is 2, so that no thread waits. */
static struct together together = {.met = 2};
/** Number of the calling thread in a round, 0 or 1. */
static _Thread_local unsigned int number_here;
static void *object;
static NTSTATUS returned[2];
static struct ndk_call calls[2];

/* ---- Meeting places ---- */

/** Wait until this number of threads have reached the wrapped function. */
static void
met_wait(unsigned int count)
{
	uint64_t end_ns = together_now_ns() + PATIENCE_NS;

	while (__atomic_load_n(&together.met, __ATOMIC_ACQUIRE) < count) {
		cr_assert_lt(together_now_ns(), end_ns, "nobody comes");
		sched_yield();
	}
}

/**
 * The wrapped function in which the threads wait for each other in this round. All other wrapped
 * functions return at once.
 */
static const char *meeting_place;

static bool
is_meeting_place(const char *name)
{
	return meeting_place != NULL && strcmp(meeting_place, name) == 0;
}

static void
meet(const char *name)
{
	if (is_meeting_place(name))
		together_meet(&together);
}

/* clang-format off */
#define WRAPPED(type, name, parameters) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters
/* clang-format on */

WRAPPED(nd_status, nd_adapter_register_region,
	(struct nd_adapter * adapter, const struct nd_buffer *buffers, size_t count,
		const void *base, uint32_t flags, struct nd_overlapped *overlapped,
		struct nd_mr **mr))
{
	meet("register");
	return __real_nd_adapter_register_region(
		adapter, buffers, count, base, flags, overlapped, mr);
}

WRAPPED(nd_status, nd_adapter_deregister_memory,
	(struct nd_adapter * adapter, struct nd_mr *mr, struct nd_overlapped *overlapped))
{
	meet("deregister");
	return __real_nd_adapter_deregister_memory(adapter, mr, overlapped);
}

WRAPPED(nd_status, nd_adapter_create_fast_region,
	(struct nd_adapter * adapter, size_t pages, bool remote, struct nd_mr **mr))
{
	meet("initialize");
	return __real_nd_adapter_create_fast_region(adapter, pages, remote, mr);
}

WRAPPED(NTSTATUS, port_take, (struct ndk_ports * ports, uint16_t number, struct ndk_port **port))
{
	meet("port");
	/* Hold thread 1 here, before its connect gets a port, until thread 0 is connected. */
	if (is_meeting_place("connect") && number_here == 1) {
		(void)__atomic_add_fetch(&together.met, 1, __ATOMIC_ACQ_REL);
		met_wait(2);
	}
	return __real_port_take(ports, number, port);
}

WRAPPED(nd_status, nd_connector_attach_endpoint,
	(struct nd_connector * connector, struct nd_endpoint *endpoint, size_t inbound,
		size_t outbound))
{
	nd_status status;

	meet("attach");
	status = __real_nd_connector_attach_endpoint(connector, endpoint, inbound, outbound);
	meet("attached");
	return status;
}

WRAPPED(nd_status, nd_listener_get_connection_request,
	(struct nd_listener * listener, struct nd_connector *connector,
		struct nd_overlapped *overlapped))
{
	meet("resume");
	return __real_nd_listener_get_connection_request(listener, connector, overlapped);
}

WRAPPED(nd_status, nd_srq_notify, (struct nd_srq * srq, struct nd_overlapped *overlapped))
{
	nd_status status = __real_nd_srq_notify(srq, overlapped);

	meet("armed");
	return status;
}

WRAPPED(nd_status, nd_overlapped_get_result,
	(struct nd_overlapped * overlapped, size_t *bytes, bool wait))
{
	if (is_meeting_place("armed") && number_here == 1) {
		together_meet(&together);
		/* Give thread 0, which has armed the queue, time to return from its call. */
		usleep(1000);
	}
	return __real_nd_overlapped_get_result(overlapped, bytes, wait);
}

WRAPPED(void, object_lean, (struct ndk_object * successor, struct ndk_object *antecedent))
{
	meet("bound");
	__real_object_lean(successor, antecedent);
}

/* ---- Rounds ---- */

static void
engine_share(struct nd_adapter *adapter)
{
	struct nd_engine *engine;

	for (size_t i = 0; (engine = nd_adapter_get_engine(adapter, i)) != NULL; i++) {
		cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
		cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	}
}

static void
setup(void)
{
	pair_listening();
	for (unsigned int i = 0; i < 2; i++)
		engine_share(pair.native.side[i].adapter);
}

static void
teardown(void)
{
	together_end(&together);
	pair_close();
}

TestSuite(ndk_race, .init = setup, .fini = teardown, .timeout = 120);

static void
turn(void)
{
	struct nd_engine *engine;

	for (unsigned int i = 0; i < 2; i++) {
		struct nd_adapter *adapter = pair.native.side[i].adapter;

		for (size_t k = 0; (engine = nd_adapter_get_engine(adapter, k)) != NULL; k++) {
			cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
			nd_engine_poll(engine);
			cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
		}
	}
}

static void (*call_here)(unsigned int number);

static void
call_run(unsigned int number, void *arg)
{
	(void)arg;
	number_here = number;
	call_here(number);
}

static void
begin(void (*call)(unsigned int number))
{
	call_here = call;
	cr_assert(together_begin(&together, call_run, NULL));
}

static void
run(const char *place)
{
	meeting_place = place;
	together_run(&together);
	meeting_place = NULL;
}

/** Run a round. Fail unless one call returns `success` and the other one returns `refusal`. */
static void
run_refused(const char *place, NTSTATUS success, NTSTATUS refusal)
{
	unsigned int first;

	run(place);
	first = returned[0] == success ? 0 : 1;
	ASSERT_NT(returned[first], success);
	ASSERT_NT(returned[1 - first], refusal);
}

/* ---- Regions ---- */

static void
region_register(unsigned int number)
{
	NDK_MR *mr = object;
	MDL mdl;

	ndk_mdl_initialize(&mdl, SIDE->memory, SIDE->memory, NDK_BYTES);
	returned[number] = mr->Dispatch->NdkRegisterMr(
		mr, &mdl, NDK_BYTES, NDK_MR_FLAG_ALLOW_LOCAL_WRITE, call_over, &calls[number]);
}

static void
region_deregister(unsigned int number)
{
	NDK_MR *mr = object;

	returned[number] = mr->Dispatch->NdkDeregisterMr(mr, call_over, &calls[number]);
}

static void
region_initialize(unsigned int number)
{
	NDK_MR *mr = object;

	returned[number] = mr->Dispatch->NdkInitializeFastRegisterMr(
		mr, PAGES, TRUE, call_over, &calls[number]);
}

static NDK_MR *
region_create(BOOLEAN fast)
{
	NDK_MR *mr = NULL;

	ASSERT_NT(SIDE->pd->Dispatch->NdkCreateMr(SIDE->pd, fast, create_over, NULL, &mr),
		STATUS_SUCCESS);
	return mr;
}

static void
region_close(NDK_MR *mr)
{
	struct ndk_call closing = {0};

	ASSERT_NT(mr->Dispatch->NdkCloseMr(&mr->Header, close_over, &closing), STATUS_SUCCESS);
}

Test(ndk_race, register_and_deregister)
{
	NDK_MR *mr = object = region_create(FALSE);

	begin(region_register);
	for (unsigned int i = 0; i < RACES; i++) {
		call_here = region_register;
		run_refused("register", STATUS_SUCCESS, STATUS_INVALID_DEVICE_STATE);
		cr_assert_neq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
		call_here = region_deregister;
		run_refused("deregister", STATUS_SUCCESS, STATUS_INVALID_DEVICE_STATE);
		cr_assert_eq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
	}
	region_close(mr);
}

Test(ndk_race, initialize_fast_region)
{
	begin(region_initialize);
	for (unsigned int i = 0; i < RACES; i++) {
		object = region_create(TRUE);
		run_refused("initialize", STATUS_SUCCESS, STATUS_INVALID_DEVICE_STATE);
		region_close(object);
	}
}

/* ---- Windows ---- */

static struct ndk_mr *regions[2];

static void
window_bound(unsigned int number)
{
	mw_bound(object, regions[number], number + 1);
}

static unsigned int
antecedents(const struct ndk_object *successor)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < OBJECT_ANTECEDENTS; i++)
		count += successor->antecedents[i] != NULL;
	return count;
}

/*
 * Queue pairs of two engines bind one window to two regions. Afterwards only one of the regions is
 * in use.
 */
Test(ndk_race, bind_window)
{
	struct ndk_call closing = {0};
	NDK_MW *mw = side_mw(SIDE);

	object = mw;
	begin(window_bound);
	for (unsigned int i = 0; i < RACES; i++) {
		for (unsigned int k = 0; k < 2; k++)
			regions[k] = (struct ndk_mr *)region_create(FALSE);
		run("bound");
		cr_assert_eq(antecedents(object), 2, "the domain and one region");
		for (unsigned int k = 0; k < 2; k++) {
			NDK_MR *mr = (NDK_MR *)regions[k];
			NTSTATUS status =
				mr->Dispatch->NdkCloseMr(&mr->Header, close_over, &closing);

			cr_assert(NT_SUCCESS(status));
		}
	}
	ASSERT_NT(mw->Dispatch->NdkCloseMw(&mw->Header, close_over, &closing), STATUS_SUCCESS);
	cr_assert_eq(closing.count, RACES);
}

/* ---- Listeners ---- */

static NDK_LISTENER *
listener_new(void)
{
	NDK_LISTENER *listener = NULL;

	ASSERT_NT(SIDE->adapter->Dispatch->NdkCreateListener(SIDE->adapter,
			  (NDK_FN_CONNECT_EVENT_CALLBACK)(uintptr_t)abort, NULL, create_over, NULL,
			  &listener),
		STATUS_SUCCESS);
	return listener;
}

static void
listener_end(NDK_LISTENER *listener)
{
	struct ndk_call closing = {0};

	ASSERT_NT(listener->Dispatch->NdkCloseListener(&listener->Header, close_over, &closing),
		STATUS_SUCCESS);
}

static void
listener_listen(unsigned int number)
{
	NDK_LISTENER *listener = object;

	returned[number] = listener->Dispatch->NdkListen(
		listener, (PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), call_over, &calls[number]);
}

static uint16_t
listener_port(NDK_LISTENER *listener)
{
	struct sockaddr_in address;
	ULONG length = sizeof(address);

	ASSERT_NT(listener->Dispatch->NdkGetLocalAddress(listener, (PSOCKADDR)&address, &length),
		STATUS_SUCCESS);
	return address.sin_port;
}

static bool
is_listened_to(uint16_t port)
{
	struct nd_listener *native = NULL;
	nd_status status =
		nd_adapter_listen(pair.native.side[0].adapter, 0, TCP, port, NULL, &native);

	if (status != ND_SUCCESS)
		cr_assert_eq(status, ND_SHARING_VIOLATION);
	nd_listener_release(native);
	return status != ND_SUCCESS;
}

Test(ndk_race, listen)
{
	begin(listener_listen);
	for (unsigned int i = 0; i < RACES; i++) {
		object = listener_new();
		run_refused("port", STATUS_SUCCESS, STATUS_INVALID_DEVICE_STATE);
		cr_assert(is_listened_to(listener_port(object)));
		listener_end(object);
	}
}

static void
listener_control(unsigned int number)
{
	NDK_LISTENER *listener = object;

	if (number == 1)
		met_wait(1);
	listener->Dispatch->NdkControlConnectEvents(listener, number == 1);
	if (number == 1)
		together_meet(&together);
}

/*
 * If a listener is paused while it resumes, the pause wins, and no native listener exists
 * afterwards.
 */
Test(ndk_race, pause_while_it_resumes)
{
	NDK_LISTENER *listener = object = listener_new();
	uint16_t port;

	listener_listen(0);
	ASSERT_NT(returned[0], STATUS_SUCCESS);
	port = listener_port(listener);
	begin(listener_control);
	for (unsigned int i = 0; i < RACES; i++) {
		listener->Dispatch->NdkControlConnectEvents(listener, TRUE);
		cr_assert_not(is_listened_to(port));
		run("resume");
		cr_assert_not(is_listened_to(port));
		listener->Dispatch->NdkControlConnectEvents(listener, FALSE);
		cr_assert(is_listened_to(port));
	}
	listener_end(listener);
}

/* ---- Connectors ---- */

static NDK_CONNECTOR *connectors[2];
static NDK_QP *qps[2];
static NDK_SHARED_ENDPOINT *shared;

static void
connector_end(NDK_CONNECTOR *connector)
{
	struct ndk_call closing = {0};
	NTSTATUS status =
		connector->Dispatch->NdkCloseConnector(&connector->Header, close_over, &closing);

	while (status == STATUS_PENDING && closing.count == 0)
		turn();
}

static void
qp_end(NDK_QP *qp)
{
	struct ndk_call closing = {0};

	ASSERT_NT(qp->Dispatch->NdkCloseQp(&qp->Header, close_over, &closing), STATUS_SUCCESS);
}

static void
connect_shared(unsigned int number)
{
	NDK_CONNECTOR *connector = connectors[number];

	returned[number] = connector->Dispatch->NdkConnectWithSharedEndpoint(connector, qps[number],
		shared, (PSOCKADDR)&pair.address, sizeof(pair.address), 1, 1, NULL, 0, call_over,
		&calls[number]);
}

static void
shared_create(uint16_t port)
{
	struct sockaddr_in address = pair.own[0];

	address.sin_port = port;
	ASSERT_NT(SIDE->adapter->Dispatch->NdkCreateSharedEndpoint(SIDE->adapter,
			  (PSOCKADDR)&address, sizeof(address), create_over, NULL, &shared),
		STATUS_SUCCESS);
}

/* A shared endpoint can have only one connection to the same peer. */
Test(ndk_race, connect_with_shared_endpoint)
{
	shared_create(0);
	begin(connect_shared);
	for (unsigned int i = 0; i < RACES; i++) {
		for (unsigned int k = 0; k < 2; k++) {
			connectors[k] = side_connector(SIDE);
			qps[k] = side_qp(SIDE, SIDE->cq, 4, SIDE);
		}
		run_refused("attach", STATUS_PENDING, STATUS_ADDRESS_ALREADY_EXISTS);
		for (unsigned int k = 0; k < 2; k++) {
			connector_end(connectors[k]);
			qp_end(qps[k]);
		}
	}
}

static void
connect_one_qp(unsigned int number)
{
	NDK_CONNECTOR *connector = connectors[number];

	returned[number] = connector->Dispatch->NdkConnect(connector, qps[0],
		(PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
		sizeof(pair.address), 1, 1, NULL, 0, call_over, &calls[number]);
}

static unsigned int
native_connectors(void)
{
	const struct nd_adapter *adapter = pair.native.side[0].adapter;
	unsigned int count = 0;
	struct base_list *node;

	BASE_LIST_FOREACH (node, &adapter->connectors)
		count++;
	return count;
}

/*
 * Two connectors connect with the same queue pair. One connect is refused, and no native connector
 * leaks.
 */
Test(ndk_race, connect_with_one_queue_pair)
{
	unsigned int before = native_connectors();

	begin(connect_one_qp);
	for (unsigned int i = 0; i < RACES; i++) {
		qps[0] = side_qp(SIDE, SIDE->cq, 4, SIDE);
		for (unsigned int k = 0; k < 2; k++)
			connectors[k] = side_connector(SIDE);
		run("attached");
		for (unsigned int k = 0; k < 2; k++)
			connector_end(connectors[k]);
		qp_end(qps[0]);
		cr_assert_eq(native_connectors(), before);
	}
}

/**
 * Thread 0 establishes a connection. Meanwhile thread 1 waits in a connect of the same connector,
 * before this connect gets its port.
 */
static void
connect_twice(unsigned int number)
{
	NDK_CONNECTOR *connector = connectors[0];
	struct sockaddr_in from = pair.own[0];

	if (number == 0) {
		met_wait(1);
		from.sin_port = htons(1234);
	}
	returned[number] = connector->Dispatch->NdkConnect(connector, qps[number], (PSOCKADDR)&from,
		sizeof(from), (PSOCKADDR)&pair.address, sizeof(pair.address), 1, 1, NULL, 0,
		call_over, &calls[number]);
	if (number == 1)
		return;
	while (calls[0].count == 0) {
		turn();
		if (pair.asked != NULL) {
			ASSERT_NT(pair.asked->Dispatch->NdkAccept(pair.asked, pair.side[1].qp, 1, 1,
					  NULL, 0, close_over, &calls[1], call_over, &calls[1]),
				STATUS_PENDING);
			pair.asked = NULL;
		}
	}
	(void)__atomic_add_fetch(&together.met, 1, __ATOMIC_ACQ_REL);
}

/*
 * The delayed connect fails because the connector is connected. The port of the successful connect
 * can be used again after its connection has ended.
 */
Test(ndk_race, connect_again)
{
	connectors[0] = side_connector(SIDE);
	for (unsigned int k = 0; k < 2; k++)
		qps[k] = side_qp(SIDE, SIDE->cq, 4, SIDE);
	begin(connect_twice);
	run_refused("connect", STATUS_PENDING, STATUS_CONNECTION_ACTIVE);
	connector_end(connectors[0]);
	shared_create(htons(1234));
}

/* ---- Shared receive queues ---- */

static NTSTATUS told_low;

static VOID
is_low(PVOID context, NTSTATUS status)
{
	(void)context;
	if (status != STATUS_SUCCESS)
		told_low = status;
}

static void
srq_modify(unsigned int number)
{
	NDK_SRQ *srq = object;

	if (number == 1)
		met_wait(1);
	returned[number] =
		srq->Dispatch->NdkModifySrq(srq, 0, number == 0 ? 1 : 4, call_over, &calls[number]);
}

/*
 * Thread 1 raises the threshold, so the queue is below the threshold before thread 0 has returned
 * from arming.
 */
Test(ndk_race, arm_shared_receive_queue)
{
	struct nd_engine *engine = nd_adapter_engine(pair.native.side[0].adapter);
	struct ndk_call closing = {0};

	begin(srq_modify);
	for (unsigned int i = 0; i < RACES; i++) {
		NDK_SGE sge = side_sge(SIDE, 0, 64);
		NDK_SRQ *srq = NULL;

		ASSERT_NT(SIDE->pd->Dispatch->NdkCreateSrq(
				  SIDE->pd, 8, 1, 0, is_low, NULL, NULL, create_over, NULL, &srq),
			STATUS_SUCCESS);
		cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
		for (unsigned int k = 0; k < 2; k++)
			ASSERT_NT(srq->Dispatch->NdkSrqReceive(srq, srq, &sge, 1), STATUS_SUCCESS);
		cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
		object = srq;
		run("armed");
		for (unsigned int k = 0; k < 2; k++)
			ASSERT_NT(returned[k], STATUS_SUCCESS);
		ASSERT_NT(told_low, STATUS_SUCCESS);
		ASSERT_NT(srq->Dispatch->NdkCloseSrq(&srq->Header, close_over, &closing),
			STATUS_SUCCESS);
	}
}
