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
 * Two adapters of version 1 in one process. Each adapter has the objects for a connection. Side 0
 * connects, and side 1 listens. Any unexpected result fails the test.
 */

#define V1_BYTES   65536
/** Maximum number of outstanding requests of an endpoint in each direction. */
#define V1_ENTRIES 32
#define V1_READS   4

struct v1_side {
	struct sockaddr_in address; /**< address with port 0 */
	INDAdapter *adapter;
	INDCompletionQueue *in, *out; /**< queues of the endpoint */
	INDConnector *connector;
	INDEndpoint *endpoint;
	INDMemoryWindow *mw;
	ND_RESULT invalidated;
	ND_MR_HANDLE mr;
	uint8_t *memory; /**< memory of V1_BYTES, registered as mr */
};

struct v1_pair {
	struct v1_side side[2];
	INDListen *listen;
	struct sockaddr_in listening;
};

/** Limits of an endpoint. Tests pass v1_limits or their own limits. */
struct v1_limits {
	SIZE_T inbound_entries, outbound_entries;
	SIZE_T inbound_sge, outbound_sge;
	SIZE_T inbound_reads, outbound_reads;
};

extern const struct v1_limits v1_limits;

extern struct v1_pair v1;

/** Fail unless a call returns ND_SUCCESS. */
#define V1_OK(call)                                                                                \
	do {                                                                                       \
		HRESULT status_ = (call);                                                          \
                                                                                                   \
		cr_assert_eq(status_, ND_SUCCESS, "%s gives %#x", #call, (unsigned int)status_);   \
	} while (0)

/* Initializers of test suites. v1_setup_open() opens the adapters, and v1_setup() also connects. */
void v1_setup_open(void);
void v1_setup(void);
void v1_teardown(void);

/** Configure and open both adapters, and create all objects except connectors and endpoints. */
void v1_open(struct v1_pair *pair);

/** Like v1_open(), with additional configuration lines for both adapters, separated by ';'. */
void v1_open_with(struct v1_pair *pair, const char *lines);

/**
 * Maximum number of retransmissions of a connection request. 0 selects the library's default. Set
 * it before v1_open().
 */
extern uint32_t v1_connect_retries;

/** Open the adapter of a side, create its queues and window, and register its memory. */
void v1_side_open(struct v1_side *side);

/** Remove the Ethernet device of a side. The side then receives no frames. */
void v1_unplug(unsigned int side);

void v1_connect(struct v1_pair *pair);

/** Like v1_connect(), with limits for each side. */
void v1_connect_with(struct v1_pair *pair, const struct v1_limits limits[2]);

/** Connect another pair of endpoints of the same adapters, with the same completion queues. */
void v1_connect_again(struct v1_pair *pair, INDEndpoint *endpoints[2]);

void v1_listen(struct v1_pair *pair);

/**
 * Create both endpoints, and get side 0's request in side 1's connector. *connect stays pending.
 */
void v1_request(struct v1_pair *pair, OVERLAPPED *connect);

/** Call Connect on side 0. @return status of the call */
HRESULT v1_connect_call(struct v1_pair *pair, OVERLAPPED *overlapped);

/** Call Connect on side 0, and wait until it ends. @return final status */
HRESULT v1_connect_wait(struct v1_pair *pair);

/** Call Accept on side 1 without private data. @return status of the call */
HRESULT v1_accept_call(struct v1_pair *pair, OVERLAPPED *overlapped);

/** Complete the connection after Connect and Accept have returned ND_PENDING. */
void v1_complete(struct v1_pair *pair, OVERLAPPED *connect, OVERLAPPED *accept);

INDConnector *v1_connector(struct v1_side *side);
INDCompletionQueue *v1_cq(const struct v1_side *side, SIZE_T entries);
INDEndpoint *
v1_endpoint(struct v1_side *side, INDConnector *connector, const struct v1_limits *limits);

/** Disconnect side 0, and wait until the Disconnect has ended. */
void v1_disconnect(struct v1_pair *pair);

/** Release all objects that these functions have created and that were not released before. */
void v1_close(struct v1_pair *pair);

/** Release an object. Fail unless this was its last reference. NULL is ignored. */
void v1_release(void *object);

/* Register and deregister memory. @return status of the operation */
HRESULT
v1_register(const struct v1_side *side, const void *buffer, size_t bytes, ND_MR_HANDLE *mr);
HRESULT v1_deregister(const struct v1_side *side, ND_MR_HANDLE mr);

/** Wait until an operation ends. @param status return value of the call @return final status */
HRESULT v1_finish(void *object, HRESULT status, OVERLAPPED *overlapped);

ND_RESULT *v1_take(INDCompletionQueue *cq);

/** Wait for the next result. Fail unless it is `result`. @return its status */
HRESULT v1_expect(INDCompletionQueue *cq, const ND_RESULT *result);

/** Wait for the next result. Fail unless it is `result` and a success. */
void v1_done(INDCompletionQueue *cq, const ND_RESULT *result);

/** Fail if the queue gets a result within a short time. */
void v1_quiet(INDCompletionQueue *cq);

/** Poll until the operation ends, without a blocking call. @return final status */
HRESULT v1_poll(void *object, OVERLAPPED *overlapped);

/** Call Notify. Fail unless the Notify is pending. */
void v1_notify(INDCompletionQueue *cq, DWORD type, OVERLAPPED *overlapped);

/** Fail if the operation ends within a short time. */
void v1_pending(void *object, OVERLAPPED *overlapped);

ND_SGE v1_sge(const struct v1_side *side, size_t offset, size_t bytes);

/* Post a request with one SGE of the side's memory. @return status of the call */
HRESULT v1_send(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes, DWORD flags);
HRESULT v1_receive(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes);
HRESULT v1_bind(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes, DWORD flags,
	ND_MW_DESCRIPTOR *descriptor);
HRESULT v1_read(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes,
	const ND_MW_DESCRIPTOR *remote, DWORD flags);
HRESULT v1_write(struct v1_side *side, ND_RESULT *result, size_t offset, size_t bytes,
	const ND_MW_DESCRIPTOR *remote, DWORD flags);

/**
 * Bind the side's window to [offset, offset + bytes) of its memory, and wait. @return descriptor
 */
ND_MW_DESCRIPTOR v1_bound(struct v1_side *side, size_t offset, size_t bytes, DWORD flags);

void v1_invalidated(struct v1_side *side);

INDMemoryWindow *v1_window(struct v1_side *side, ND_RESULT *invalidated);

/** Send a message of one byte in each direction, to check that the connection works. */
void v1_alive(struct v1_pair *pair);

/** Fail unless both sides report the end of the connection and refuse requests. */
void v1_over(struct v1_pair *pair);

/** Release connectors and endpoints, and connect new ones. All results must have been taken. */
void v1_reconnect(struct v1_pair *pair);

/** Let side 0 write 64 bytes to the window, or read them from it. Check the data. */
void v1_expect_write(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote, size_t offset);
void v1_expect_read(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote, size_t offset);

/** Let side 0 write or read 64 bytes. The access must be refused and end the connection. */
void v1_refused_write(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote);
void v1_refused_read(struct v1_pair *pair, const ND_MW_DESCRIPTOR *remote);

/*
 * Until v1_let(), only the calling thread polls the engines, so that a test can stop a side.
 * GetOverlappedResult polls both sides. GetResults of an empty queue polls the side of the queue.
 */
void v1_hold(void);
void v1_let(void);

/**
 * Between v1_hold() and v1_let(), v1_turns() polls the engine of one side several times, and
 * v1_turn() polls it once.
 */
void v1_turns(unsigned int side);
void v1_turn(unsigned int side);

/**
 * Function that posts a request of side 1 for its window. @param remote descriptor of the window
 */
typedef HRESULT (*v1_post)(ND_RESULT *result, DWORD flags, ND_MW_DESCRIPTOR *remote);

/** Fail unless a full outbound queue refuses the request. A refused request must have no result. */
void v1_full(struct v1_pair *pair, v1_post post);

/**
 * Let side 1 post a Read that is not answered, and then a request. Then let side 0 write to the
 * window.
 *
 * @param flags flags of the request
 * @param write_status status of the Write
 * @return whether the Write was executed before the Read was complete
 */
bool v1_past_a_read(struct v1_pair *pair, v1_post post, DWORD flags, HRESULT *write_status);

#define V1_BOTH (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

#endif
