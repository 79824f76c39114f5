/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * In these tests, a callback runs inside a call of the consumer and closes the objects that this
 * call uses. Most tests use requests that complete or fail at once, so their callbacks run in the
 * posting call. The other tests wrap a native function and close the objects in the wrapper.
 */

#include <string.h>

#include "ndk_pair.h"

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_srq.h>

#include "support/engines.h"

#define SIDE  (&pair.side[0])
#define PAGES 4u

TestSuite(ndk_callback, .init = pair_connected, .fini = pair_close, .timeout = 240);

/* ---- Which objects the callback closes ---- */

enum {
	CLOSE_CONNECTOR = 1,
	CLOSE_QP = 2,
	CLOSE_CQ = 4,
	CLOSE_MEMORY = 8,
	CLOSE_ALL = 15,
};

static const unsigned int masks[] = {
	CLOSE_CONNECTOR, CLOSE_QP, CLOSE_CONNECTOR | CLOSE_QP, CLOSE_ALL};

/** Objects of the current round. NULL after the object was closed. */
static NDK_MR *fast; /* region without registered pages, so requests fail */
static NDK_MW *window;
static unsigned int to_close;
static bool posting;        /* true until the posting call returns */
static bool closed_in_call; /* true if the callback ran inside the posting call */

#define CLOSE(object, function)                                                                    \
	do {                                                                                       \
		if ((object) != NULL)                                                              \
			cr_assert(NT_SUCCESS(                                                      \
				(object)->Dispatch->function(&(object)->Header, NULL, NULL)));     \
		(object) = NULL;                                                                   \
	} while (0)

static void
close_some(unsigned int mask)
{
	if ((mask & CLOSE_CONNECTOR) != 0)
		CLOSE(SIDE->connector, NdkCloseConnector);
	if ((mask & CLOSE_QP) != 0)
		CLOSE(SIDE->qp, NdkCloseQp);
	if ((mask & CLOSE_CQ) != 0)
		CLOSE(SIDE->cq, NdkCloseCq);
	if ((mask & CLOSE_MEMORY) == 0)
		return;
	CLOSE(window, NdkCloseMw);
	CLOSE(fast, NdkCloseMr);
}

static void
callback(struct ndk_side *side)
{
	side->at_notification = NULL;
	side->at_disconnect = NULL;
	closed_in_call = posting;
	close_some(to_close);
}

/* ---- Posting ---- */

/** @return an SGE of the fast region, which has no registered pages */
static NDK_SGE
bad(void)
{
	return (NDK_SGE){
		.Length = 64, .MemoryRegionToken = fast->Dispatch->NdkGetLocalTokenFromMr(fast)};
}

static NTSTATUS
send_one(NDK_QP *qp, ULONG flags)
{
	NDK_SGE sge = bad();

	return qp->Dispatch->NdkSend(qp, NULL, &sge, 1, flags);
}

static NTSTATUS
send_two(NDK_QP *qp, ULONG flags)
{
	NDK_SGE list[2] = {bad(), bad()};

	return qp->Dispatch->NdkSend(qp, NULL, list, 2, flags);
}

static NTSTATUS
send_and_invalidate(NDK_QP *qp, ULONG flags)
{
	NDK_SGE sge = bad();

	return qp->Dispatch->NdkSendAndInvalidate(qp, NULL, &sge, 1, flags, 1);
}

static NTSTATUS
read_one(NDK_QP *qp, ULONG flags)
{
	NDK_SGE sge = bad();

	return qp->Dispatch->NdkRead(qp, NULL, &sge, 1, 0, 1, flags);
}

static NTSTATUS
read_two(NDK_QP *qp, ULONG flags)
{
	NDK_SGE list[2] = {bad(), bad()};

	return qp->Dispatch->NdkRead(qp, NULL, list, 2, 0, 1, flags);
}

static NTSTATUS
read_and_invalidate(NDK_QP *qp, ULONG flags)
{
	return read_one(qp, flags | NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE);
}

static NTSTATUS
write_one(NDK_QP *qp, ULONG flags)
{
	NDK_SGE sge = bad();

	return qp->Dispatch->NdkWrite(qp, NULL, &sge, 1, 0, 1, flags);
}

static NTSTATUS
write_two(NDK_QP *qp, ULONG flags)
{
	NDK_SGE list[2] = {bad(), bad()};

	return qp->Dispatch->NdkWrite(qp, NULL, list, 2, 0, 1, flags);
}

static NTSTATUS
bind_window(NDK_QP *qp, ULONG flags)
{
	return qp->Dispatch->NdkBind(qp, NULL, SIDE->mr, window, SIDE->memory, 64,
		flags | NDK_OP_FLAG_ALLOW_REMOTE_READ);
}

static NTSTATUS
fast_register(NDK_QP *qp, ULONG flags)
{
	NDK_LOGICAL_ADDRESS page = {.QuadPart = (LONGLONG)(uintptr_t)SIDE->memory & ~0xFFFLL};

	return qp->Dispatch->NdkFastRegister(qp, NULL, fast, 1, &page, 0, 64, NULL, flags);
}

static NTSTATUS
invalidate_window(NDK_QP *qp, ULONG flags)
{
	return qp->Dispatch->NdkInvalidate(qp, NULL, &window->Header, flags);
}

static NTSTATUS
invalidate_region(NDK_QP *qp, ULONG flags)
{
	return qp->Dispatch->NdkInvalidate(qp, NULL, &fast->Header, flags);
}

static NTSTATUS
flush(NDK_QP *qp, ULONG flags)
{
	(void)flags;
	qp->Dispatch->NdkFlush(qp);
	return STATUS_SUCCESS;
}

static const struct {
	const char *name;
	NTSTATUS (*post)(NDK_QP *qp, ULONG flags);
	bool fails; /* true if the request fails and ends the connection */
} posts[] = {
	{"send", send_one, true},
	{"send of two entries", send_two, true},
	{"send and invalidate", send_and_invalidate, true},
	{"read", read_one, true},
	{"read of two entries", read_two, true},
	{"read and invalidate", read_and_invalidate, true},
	{"write", write_one, true},
	{"write of two entries", write_two, true},
	{"bind", bind_window, false},
	{"fast register", fast_register, false},
	{"invalidate", invalidate_window, true},
	{"invalidate a region", invalidate_region, true},
	{"flush", flush, false},
};

/**
 * Create new objects, and connect the queue pairs. The callback will close the objects of `mask`.
 */
static void
round_begin(unsigned int mask)
{
	struct ndk_call call = {0};

	to_close = mask;
	closed_in_call = false;
	SIDE->cq = side_cq(SIDE, 4 * NDK_DEPTH);
	SIDE->qp = side_qp(SIDE, SIDE->cq, NDK_DEPTH, SIDE);
	pair.side[1].qp = side_qp(&pair.side[1], pair.side[1].cq, NDK_DEPTH, &pair.side[1]);
	pair_connect();
	side_receive(SIDE, NULL);
	window = side_mw(SIDE);
	ASSERT_NT(SIDE->pd->Dispatch->NdkCreateMr(SIDE->pd, TRUE, create_over, NULL, &fast),
		STATUS_SUCCESS);
	ASSERT_NT(fast->Dispatch->NdkInitializeFastRegisterMr(fast, PAGES, TRUE, call_over, &call),
		STATUS_SUCCESS);
}

static void
round_end(void)
{
	close_some(CLOSE_ALL);
	for (unsigned int i = 0; i < 50; i++)
		pair_poll();
}

/**
 * Post each kind of request. The callback closes objects during the posting call.
 * @param event true to use the callback of the disconnect event, false to use the notification
 *         callback
 */
static void
post_each(bool event)
{
	for (unsigned int i = 0; i < sizeof(posts) / sizeof(posts[0]); i++)
		for (unsigned int k = 0; k < sizeof(masks) / sizeof(masks[0]); k++) {
			if (event && !posts[i].fails)
				continue;
			round_begin(masks[k]);
			if (event) {
				SIDE->at_disconnect = callback;
			} else {
				SIDE->at_notification = callback;
				SIDE->cq->Dispatch->NdkArmCq(SIDE->cq, NDK_CQ_NOTIFY_ANY);
			}
			posting = true;
			ASSERT_NT(posts[i].post(SIDE->qp, 0), STATUS_SUCCESS);
			posting = false;
			cr_assert(closed_in_call || (event && test_engines() > 1),
				"%s: no callback in the call", posts[i].name);
			SIDE->at_notification = NULL;
			SIDE->at_disconnect = NULL;
			round_end();
		}
}

Test(ndk_callback, notification_closes_in_a_posting_call)
{
	post_each(false);
}

Test(ndk_callback, disconnect_event_closes_in_a_posting_call)
{
	post_each(true);
}

/*
 * A bind is executed in the posting call. In a chain of deferred requests, the notification
 * callback runs only in the call that posts the last request.
 */
Test(ndk_callback, notification_comes_at_the_end_of_a_row_of_binds)
{
	NDK_QP *qp;

	round_begin(CLOSE_ALL);
	qp = SIDE->qp;
	SIDE->at_notification = callback;
	SIDE->cq->Dispatch->NdkArmCq(SIDE->cq, NDK_CQ_NOTIFY_ANY);
	posting = true;
	ASSERT_NT(bind_window(qp, NDK_OP_FLAG_DEFER), STATUS_SUCCESS);
	cr_assert(!closed_in_call);
	ASSERT_NT(invalidate_window(qp, 0), STATUS_SUCCESS);
	cr_assert(closed_in_call);
	round_end();
}

static NDK_MW *second;

static void
bind_second(struct ndk_side *side)
{
	side->at_notification = NULL;
	/* The window is already bound when the callback of its bind runs. */
	cr_assert_neq(window->Dispatch->NdkGetRemoteTokenFromMw(window), 0);
	ASSERT_NT(side->qp->Dispatch->NdkBind(side->qp, second, side->mr, second, side->memory, 64,
			  NDK_OP_FLAG_ALLOW_REMOTE_READ),
		STATUS_SUCCESS);
}

/*
 * The callback of a bind posts another bind. The library keeps a record of each request, and must
 * count both. The test then posts a read with invalidation, which requires two free records.
 */
Test(ndk_callback, notification_posts_in_a_posting_call)
{
	round_begin(0);
	second = side_mw(SIDE);
	SIDE->at_notification = bind_second;
	SIDE->cq->Dispatch->NdkArmCq(SIDE->cq, NDK_CQ_NOTIFY_ANY);
	ASSERT_NT(bind_window(SIDE->qp, 0), STATUS_SUCCESS);
	side_expect(SIDE, NULL, NdkOperationTypeBind, STATUS_SUCCESS);
	side_expect(SIDE, second, NdkOperationTypeBind, STATUS_SUCCESS);
	ASSERT_NT(read_and_invalidate(SIDE->qp, 0), STATUS_SUCCESS);
	cr_assert(NT_SUCCESS(second->Dispatch->NdkCloseMw(&second->Header, NULL, NULL)));
	round_end();
}

/* ---- Callbacks during a native call ---- */

static const char *wrapped; /* native function whose wrapper closes objects, or NULL */
static NDK_LISTENER *listener;
static NDK_SRQ *srq;

/**
 * If `name` is the selected native function, close objects as a callback during the call would do.
 */
static void
native_called(const char *name)
{
	if (wrapped == NULL || strcmp(wrapped, name) != 0)
		return;
	wrapped = NULL;
	CLOSE(listener, NdkCloseListener);
	CLOSE(srq, NdkCloseSrq);
	close_some(to_close);
}

/* clang-format off */
#define WRAPPED(name, parameters, arguments) \
	nd_status __real_##name parameters; \
	nd_status __wrap_##name parameters; \
	nd_status __wrap_##name parameters \
	{ \
		nd_status status = __real_##name arguments; \
		native_called(#name); \
		return status; \
	}
/* clang-format on */

WRAPPED(nd_endpoint_query_sized,
	(struct nd_endpoint * endpoint, struct nd_endpoint_info *info, size_t size),
	(endpoint, info, size))
WRAPPED(nd_cq_resize, (struct nd_cq * cq, size_t entries), (cq, entries))
WRAPPED(nd_srq_modify, (struct nd_srq * queue, size_t entries, size_t low), (queue, entries, low))
WRAPPED(nd_connector_attach_endpoint,
	(struct nd_connector * connector, struct nd_endpoint *endpoint, size_t inbound,
		size_t outbound),
	(connector, endpoint, inbound, outbound))
WRAPPED(nd_connector_complete_connect,
	(struct nd_connector * connector, struct nd_overlapped *overlapped),
	(connector, overlapped))
WRAPPED(nd_connector_get_peer_address,
	(struct nd_connector * connector, struct sockaddr *address, size_t *length),
	(connector, address, length))
WRAPPED(nd_listener_get_connection_request,
	(struct nd_listener * waits, struct nd_connector *connector,
		struct nd_overlapped *overlapped),
	(waits, connector, overlapped))

/*
 * Post silent requests. The library keeps a record of each. When the records fill the queue, the
 * library queries the endpoint, and the wrapper of this query closes objects.
 */
Test(ndk_callback, closing_while_records_are_reclaimed)
{
	NTSTATUS status = STATUS_SUCCESS;

	round_begin(CLOSE_ALL);
	wrapped = "nd_endpoint_query_sized";
	for (unsigned int i = 0; wrapped != NULL; i++) {
		cr_assert(NT_SUCCESS(status) && i <= 2 * NDK_DEPTH);
		status = (i % 2 == 0 ? bind_window : invalidate_window)(
			SIDE->qp, NDK_OP_FLAG_SILENT_SUCCESS);
	}
	ASSERT_NT(status, STATUS_INVALID_PARAMETER);
	round_end();
}

Test(ndk_callback, closing_while_a_read_and_invalidate_looks_for_room)
{
	round_begin(CLOSE_ALL);
	/*
	 * Close the connector completely, because a pending close would keep a reference to the
	 * queue pair.
	 */
	side_disconnect(SIDE);
	CLOSE(SIDE->connector, NdkCloseConnector);
	wrapped = "nd_endpoint_query_sized";
	(void)read_and_invalidate(SIDE->qp, 0);
	cr_assert_null(SIDE->qp);
	round_end();
}

Test(ndk_callback, closing_while_a_queue_is_resized)
{
	struct ndk_call call = {0};
	NDK_CQ *cq = side_cq(SIDE, 8);

	close_some(CLOSE_ALL);
	SIDE->cq = cq;
	to_close = CLOSE_CQ;
	wrapped = "nd_cq_resize";
	ASSERT_NT(cq->Dispatch->NdkResizeCq(cq, 16, call_over, &call), STATUS_SUCCESS);
	cr_assert_null(SIDE->cq);
}

Test(ndk_callback, closing_while_a_shared_queue_is_modified)
{
	struct ndk_call call = {0};
	NDK_SRQ *closed;

	ASSERT_NT(SIDE->pd->Dispatch->NdkCreateSrq(SIDE->pd, 8, 1, 0,
			  (NDK_FN_SRQ_NOTIFICATION_CALLBACK)call_over, &call, NULL, create_over,
			  NULL, &srq),
		STATUS_SUCCESS);
	closed = srq;
	wrapped = "nd_srq_modify";
	ASSERT_NT(closed->Dispatch->NdkModifySrq(closed, 0, 2, call_over, &call), STATUS_SUCCESS);
	cr_assert_null(srq);
	cr_assert_eq(call.count, 0, "told after the close");
}

static VOID
nobody_asks(PVOID context, NDK_CONNECTOR *connector)
{
	(void)context;
	(void)connector;
}

static NDK_LISTENER *
listener_new(void)
{
	NDK_LISTENER *made = NULL;

	ASSERT_NT(SIDE->adapter->Dispatch->NdkCreateListener(
			  SIDE->adapter, nobody_asks, NULL, create_over, NULL, &made),
		STATUS_SUCCESS);
	return made;
}

Test(ndk_callback, closing_while_a_listener_begins)
{
	struct ndk_call call = {0};
	NDK_LISTENER *closed = listener = listener_new();

	wrapped = "nd_listener_get_connection_request";
	(void)closed->Dispatch->NdkListen(
		closed, (PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), call_over, &call);
	cr_assert_null(listener);
}

/** Connect with a new connector and queue pair, and close objects during the native call `name`. */
static void
connect_and_close(const char *name, unsigned int mask)
{
	static struct ndk_call connecting, completing;
	NDK_CONNECTOR *connector;

	to_close = mask;
	SIDE->qp = side_qp(SIDE, SIDE->cq, NDK_DEPTH, SIDE);
	SIDE->connector = connector = side_connector(SIDE);
	connecting.count = 0;
	wrapped = name;
	(void)connector->Dispatch->NdkConnect(connector, SIDE->qp, (PSOCKADDR)&pair.own[0],
		sizeof(pair.own[0]), (PSOCKADDR)&pair.address, sizeof(pair.address), 4, 4, NULL, 0,
		call_over, &connecting);
	if (SIDE->connector != NULL && SIDE->qp != NULL) {
		unsigned int events = pair.events;
		static struct ndk_call accepting;
		NDK_CONNECTOR *asked;

		POLL_UNTIL(pair.events != events);
		asked = pair.asked;
		pair.side[1].qp = side_qp(&pair.side[1], pair.side[1].cq, NDK_DEPTH, &pair.side[1]);
		ASSERT_NT(asked->Dispatch->NdkAccept(asked, pair.side[1].qp, 4, 4, NULL, 0, NULL,
				  NULL, call_over, &accepting),
			STATUS_PENDING);
		POLL_UNTIL(connecting.count != 0);
		(void)connector->Dispatch->NdkCompleteConnect(
			connector, NULL, NULL, call_over, &completing);
	}
	cr_assert(wrapped == NULL);
	close_some(CLOSE_CONNECTOR | CLOSE_QP);
	pair_quiet();
}

Test(ndk_callback, closing_while_a_connection_is_made)
{
	connect_and_close("nd_connector_attach_endpoint", CLOSE_QP);
	connect_and_close("nd_connector_attach_endpoint", CLOSE_CONNECTOR);
	connect_and_close("nd_connector_attach_endpoint", CLOSE_CONNECTOR | CLOSE_QP);
	connect_and_close("nd_connector_complete_connect", CLOSE_CONNECTOR);
	connect_and_close("nd_connector_complete_connect", CLOSE_CONNECTOR | CLOSE_QP);
}

/** Accept a connection, and close objects of the accepting side during the native call `name`. */
static void
accept_and_close(const char *name, unsigned int mask)
{
	static struct ndk_call connecting, accepting;
	unsigned int events = pair.events;
	NDK_CONNECTOR *connector = side_connector(SIDE), *asked;

	ASSERT_NT(
		connector->Dispatch->NdkConnect(connector, side_qp(SIDE, SIDE->cq, NDK_DEPTH, SIDE),
			(PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
			sizeof(pair.address), 4, 4, NULL, 0, call_over, &connecting),
		STATUS_PENDING);
	POLL_UNTIL(pair.events != events);
	asked = SIDE->connector = pair.asked;
	SIDE->qp = side_qp(&pair.side[1], pair.side[1].cq, NDK_DEPTH, SIDE);
	to_close = mask;
	wrapped = name;
	(void)asked->Dispatch->NdkAccept(
		asked, SIDE->qp, 4, 4, NULL, 0, NULL, NULL, call_over, &accepting);
	cr_assert(wrapped == NULL);
	close_some(CLOSE_CONNECTOR | CLOSE_QP);
	pair_quiet();
}

Test(ndk_callback, closing_while_a_connection_is_accepted)
{
	static const char *const names[] = {
		"nd_connector_get_peer_address", "nd_connector_attach_endpoint"};

	for (unsigned int i = 0; i < 2; i++) {
		accept_and_close(names[i], CLOSE_CONNECTOR);
		accept_and_close(names[i], CLOSE_CONNECTOR | CLOSE_QP);
	}
	accept_and_close(names[1], CLOSE_QP);
}
