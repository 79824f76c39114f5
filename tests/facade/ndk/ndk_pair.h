/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_NDK_PAIR_H
#define NDPDK_NDK_NDK_PAIR_H

#include <time.h>

#include <criterion/criterion.h>

#include <ndpdk/ndkpi.h>

#include "support/nd_pair.h"

/*
 * Two adapters of the kernel interface (NDK) in one process, polled by the test. Side 0 connects,
 * and side 1 listens. Any unexpected result fails the test.
 */

#define NDK_BYTES 65536u
#define NDK_DEPTH 16u

/** Context of a completion callback: number of calls, and status of the last call. */
struct ndk_call {
	unsigned int count;
	NTSTATUS status;
};

struct ndk_side {
	NDK_ADAPTER *adapter;
	NDK_PD *pd;
	NDK_CQ *cq; /* completion queue for both directions of qp */
	NDK_QP *qp;
	NDK_CONNECTOR *connector;
	NDK_MR *mr; /* region of this side's memory */
	UINT32 token;
	uint8_t *memory;
	unsigned int notified; /* number of calls of the notification callback */
	NTSTATUS notified_status;
	unsigned int disconnected; /* number of calls of the disconnect event */
	/** Function that the notification callback of the completion queue calls. May be NULL. */
	void (*at_notification)(struct ndk_side *side);
	/* function that the disconnect event callback calls; may be NULL */
	void (*at_disconnect)(struct ndk_side *side);
};

struct ndk_pair {
	struct nd_pair native;
	struct ndk_side side[2];
	NDK_LISTENER *listener;
	struct sockaddr_in own[2]; /* address of each side, with port 0 */
	struct sockaddr_in address;
	NDK_CONNECTOR *asked;
	unsigned int events; /* number of calls of the connect event */
};

extern struct ndk_pair pair;

/** Fail unless the expression has this status. The message names both statuses. */
#define ASSERT_NT(expression, expected)                                                            \
	do {                                                                                       \
		NTSTATUS status_ = (expression);                                                   \
		cr_assert_eq(status_, (expected), "%s is %s instead of %s", #expression,           \
			ndk_status_name(status_), ndk_status_name(expected));                      \
	} while (0)

/**
 * Set the configuration of the native adapters. Call it before pair_open(), pair_listening() or
 * pair_connected().
 */
void pair_configure(const struct nd_pair_config *config);

/** Open adapters, memory, a completion queue and a queue pair on each side, but do not connect. */
void pair_open(void);
void pair_listening(void);
void pair_connected(void);
/** Close both adapters, and with them all their objects. */
void pair_close(void);

void pair_poll(void);

/** Poll the engine of one side once. The other side is not polled, so it does not answer. */
void side_poll(struct ndk_side *side);

/**
 * @return true while the time limit of a wait has not passed. *since must be 0 before the first
 * call.
 */
bool pair_patience(time_t *since);

/** Poll both sides until the condition is true. Fail the test after the time limit. */
#define POLL_UNTIL(condition)                                                                      \
	do {                                                                                       \
		time_t since_ = 0;                                                                 \
		while (!(condition)) {                                                             \
			cr_assert(pair_patience(&since_), "%s does not come", #condition);         \
			pair_poll();                                                               \
		}                                                                                  \
	} while (0)

/** Poll both sides so often that all frames in flight arrive. */
void pair_quiet(void);

/** Callbacks for requests, closes and creates. The context is a struct ndk_call. */
VOID call_over(PVOID context, NTSTATUS status);
VOID close_over(PVOID context);
VOID create_over(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER *object);

/** Poll until the call has completed. @return its final status */
NTSTATUS call_wait(NTSTATUS status, struct ndk_call *call);

NDK_CQ *side_cq(struct ndk_side *side, ULONG depth);
NDK_QP *side_qp(struct ndk_side *side, NDK_CQ *cq, ULONG depth, PVOID context);
NDK_MR *side_mr(struct ndk_side *side, PVOID address, PVOID memory, ULONG length, ULONG flags);
NDK_MW *side_mw(struct ndk_side *side);
NDK_CONNECTOR *side_connector(struct ndk_side *side);

void pair_connect(void);

NDK_RESULT_EX side_result(struct ndk_side *side);

/** Fail unless the next result of the side has this context, type and status. */
void side_expect(struct ndk_side *side, PVOID context, NDK_OPERATION_TYPE type, NTSTATUS status);

/** Fail if the side gets a result within some turns. */
void side_no_result(struct ndk_side *side);

/** Post a receive without memory, or a send without data. */
void side_receive(struct ndk_side *side, PVOID context);
void side_send(struct ndk_side *side, PVOID context, ULONG flags);

void side_disconnect(struct ndk_side *side);

NDK_SGE side_sge(const struct ndk_side *side, size_t offset, ULONG length);

void pair_expect_alive(void);

/** Fail unless the connection has ended, both sides got the event, and neither side can post. */
void pair_expect_over(void);

#endif
