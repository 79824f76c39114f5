/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_V1_V1_PAIR_H
#define NDPDK_V1_V1_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <criterion/criterion.h>

#include <ndpdk/ndspi_support.h>

/*
 * Two adapters of version 1 in one process, and the objects for a connection on each. Side 0
 * connects, and side 1 listens. Any unexpected result fails the test.
 */

#define V1_BYTES   65536
/** Maximum number of outstanding requests of an endpoint in each direction. */
#define V1_ENTRIES 32
#define V1_READS   4

struct v1_side {
	struct sockaddr_in address; /**< port 0 */
	INDAdapter *adapter;
	INDCompletionQueue *in, *out; /**< queues of the endpoint */
	INDConnector *connector;
	INDEndpoint *endpoint;
	INDMemoryWindow *mw;
	ND_RESULT invalidated; /**< result of invalidations of mw by the peer */
	ND_MR_HANDLE mr;
	uint8_t *memory; /**< V1_BYTES, registered as mr */
};

struct v1_pair {
	struct v1_side side[2];
	INDListen *listen;
	struct sockaddr_in listening; /**< address of the listener */
};

/** Limits of endpoints. Tests that need other limits pass their own. */
struct v1_limits {
	SIZE_T inbound_entries, outbound_entries;
	SIZE_T inbound_sge, outbound_sge;
	SIZE_T inbound_reads, outbound_reads;
};

extern const struct v1_limits v1_limits;

/** The adapters of the tests. */
extern struct v1_pair v1;

/** Assert that a call returns ND_SUCCESS. */
#define V1_OK(call)                                                                                \
	do {                                                                                       \
		HRESULT status_ = (call);                                                          \
                                                                                                   \
		cr_assert_eq(status_, ND_SUCCESS, "%s gives %#x", #call, (unsigned int)status_);   \
	} while (0)

/* Set-up of suites: open adapters; also connect. */
void v1_setup_open(void);
void v1_setup(void);
void v1_teardown(void);

/** Configure and open adapters, and make everything but connectors and endpoints. */
void v1_open(struct v1_pair *pair);

/** v1_open() with additional lines of configuration for both adapters, separated by ';'. */
void v1_open_with(struct v1_pair *pair, const char *lines);

/**
 * Maximum number of retransmissions of a connection request. Set before v1_open(). 0: the default.
 */
extern uint32_t v1_connect_retries;

/** Open the adapter of a side, and make its queues and window; its memory is registered. */
void v1_side_open(struct v1_side *side);

/** Take the port of a side away: nothing that is sent to it arrives any more. */
void v1_unplug(unsigned int side);

/** Create both connectors and their endpoints, and connect them. */
void v1_connect(struct v1_pair *pair);

/** v1_connect(), with limits for each side. */
void v1_connect_with(struct v1_pair *pair, const struct v1_limits limits[2]);

/** Another connection of the same adapters, with their completion queues. */
void v1_connect_again(struct v1_pair *pair, INDEndpoint *endpoints[2]);

/** Listen on side 1. */
void v1_listen(struct v1_pair *pair);

/** Send side 0's request to side 1's connector; *connect is pending. Creates both endpoints. */
void v1_request(struct v1_pair *pair, OVERLAPPED *connect);

/** Call Connect on side 0. @return what the call returns */
HRESULT v1_connect_call(struct v1_pair *pair, OVERLAPPED *overlapped);

/** Call Connect, and wait until it ends. */
HRESULT v1_connect_wait(struct v1_pair *pair);

/** Call Accept on side 1 without private data. @return what the call returns */
HRESULT v1_accept_call(struct v1_pair *pair, OVERLAPPED *overlapped);

/** Complete the connection after Connect and Accept, whose calls have returned ND_PENDING. */
void v1_complete(struct v1_pair *pair, OVERLAPPED *connect, OVERLAPPED *accept);

INDConnector *v1_connector(struct v1_side *side);
INDCompletionQueue *v1_cq(const struct v1_side *side, SIZE_T entries);
INDEndpoint *
v1_endpoint(struct v1_side *side, INDConnector *connector, const struct v1_limits *limits);

/** Disconnect side 0, and wait. */
void v1_disconnect(struct v1_pair *pair);

/** Release all objects that these functions have made and that were not released before. */
void v1_close(struct v1_pair *pair);

/** Release one object. This must be its last reference. NULL is ignored. */
void v1_release(void *object);

/* Register and deregister memory. @return status of the operation */
HRESULT
v1_register(const struct v1_side *side, const void *buffer, size_t bytes, ND_MR_HANDLE *mr);
HRESULT v1_deregister(const struct v1_side *side, ND_MR_HANDLE mr);

/** Wait for an operation whose call has returned status. @return what it ended with */
HRESULT v1_finish(void *object, HRESULT status, OVERLAPPED *overlapped);

/** Wait for the next result of a queue. */
ND_RESULT *v1_take(INDCompletionQueue *cq);

/** Wait for the next result, which must be this one. @return its status */
HRESULT v1_expect(INDCompletionQueue *cq, const ND_RESULT *result);

/** Wait for the next result, which must be this one and a success. */
void v1_done(INDCompletionQueue *cq, const ND_RESULT *result);

/** Check that the queue returns no result for some time. */
void v1_quiet(INDCompletionQueue *cq);

/** Poll until the operation ends, without blocking. @return final status */
HRESULT v1_poll(void *object, OVERLAPPED *overlapped);

/** Begin Notify, which is pending. */
void v1_notify(INDCompletionQueue *cq, DWORD type, OVERLAPPED *overlapped);

/** Pending as long as somebody looks for a while. */
void v1_pending(void *object, OVERLAPPED *overlapped);

ND_SGE v1_sge(const struct v1_side *side, size_t offset, size_t bytes);

/* Post a request with one SGE of the side's memory. @return as the method */
HRESULT v1_send(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes, DWORD flags);
HRESULT v1_receive(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes);
HRESULT v1_bind(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes, DWORD flags,
	ND_MW_DESCRIPTOR *descriptor);
HRESULT v1_read(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes,
	const ND_MW_DESCRIPTOR *remote, DWORD flags);
HRESULT v1_write(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes,
	const ND_MW_DESCRIPTOR *remote, DWORD flags);

/** Bind the side's window to [offset, offset + bytes) and wait for the result. */
ND_MW_DESCRIPTOR v1_bound(struct v1_side *side, size_t offset, size_t bytes, DWORD flags);

/** Invalidate the side's window and wait for the result. */
void v1_invalidated(struct v1_side *side);

/** A window of the side, not bound. */
INDMemoryWindow *v1_window(struct v1_side *side, ND_RESULT *invalidated);

/** Send a message of one byte in each direction. */
void v1_alive(struct v1_pair *pair);

/** Check that both sides report the end of the connection, and that nothing can be posted. */
void v1_over(struct v1_pair *pair);

/** Release connectors and endpoints, and connect new ones. All results must have been taken. */
void v1_reconnect(struct v1_pair *pair);

/** Side 0 writes 64 bytes to the window, or reads them from the window. Checks the data. */
void v1_expect_write(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote, size_t offset);
void v1_expect_read(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote, size_t offset);

/** Side 0's write or read of 64 bytes must be refused, and must end the connection. */
void v1_refused_write(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote);
void v1_refused_read(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote);

/*
 * Hold both sides: only the calling thread makes them progress. GetOverlappedResult makes both
 * sides progress, and an empty GetResults its own side.
 */
void v1_hold(void);
void v1_let(void);

/** Some turns of one side, or a single turn, between v1_hold() and v1_let(). */
void v1_turns(unsigned int side);
void v1_turn(unsigned int side);

/** Post a request of side 1 on its window. @param remote descriptor of the window */
typedef HRESULT (*v1_post)(ND_RESULT *result, DWORD flags, ND_MW_DESCRIPTOR *remote);

/** Check that a full outbound queue refuses a request, which has no result. */
void v1_full(struct v1_pair *pair, v1_post post);

/**
 * Post a request after a Read without answer, and then write to the window from side 0.
 *
 * @param flags flags of the request
 * @param write_status status of the Write
 * @return whether the Write was executed before the Read was complete
 */
bool v1_past_a_read(struct v1_pair *pair, v1_post post, DWORD flags, HRESULT *write_status);

#define V1_BOTH (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

#endif
