/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_NDK_PAIR_H
#define NDPDK_NDK_NDK_PAIR_H

#include <time.h>

#include <criterion/criterion.h>

#include <ndpdk/ndkpi.h>

#include "support/nd_pair.h"

/*
 * Two adapters of the kernel interface in one process, polled by the test. Side 0 connects, side 1
 * listens. Anything unexpected fails the test.
 */

#define NDK_BYTES 65536u
#define NDK_DEPTH 16u

/** A completion callback that has been given this counts its calls. */
struct ndk_call {
	unsigned int count;
	NTSTATUS status;
};

struct ndk_side {
	NDK_ADAPTER *adapter;
	NDK_PD *pd;
	NDK_CQ *cq; /* of both queues */
	NDK_QP *qp;
	NDK_CONNECTOR *connector;
	NDK_MR *mr; /* of memory, which may be changed by this side */
	UINT32 token;
	uint8_t *memory;
	unsigned int notified; /* calls of the notification */
	NTSTATUS notified_status;
	unsigned int disconnected; /* calls of the disconnect event */
	/** What the notification does besides counting; NULL: nothing. */
	void (*at_notification)(struct ndk_side *side);
	void (*at_disconnect)(struct ndk_side *side); /* likewise, the disconnect event */
};

struct ndk_pair {
	struct nd_pair native;
	struct ndk_side side[2];
	NDK_LISTENER *listener;
	struct sockaddr_in own[2];  /* of the sides, port 0 */
	struct sockaddr_in address; /* of the listener */
	NDK_CONNECTOR *asked;       /* that the last connect event brought */
	unsigned int events;        /* calls of the connect event */
};

extern struct ndk_pair pair;

/** Assert a status; both are printed by name. */
#define ASSERT_NT(expression, expected)                                                            \
	do {                                                                                       \
		NTSTATUS status_ = (expression);                                                   \
		cr_assert_eq(status_, (expected), "%s is %s instead of %s", #expression,           \
			ndk_status_name(status_), ndk_status_name(expected));                      \
	} while (0)

/** What the native adapters are opened with, if not the usual; before one of the next three. */
void pair_configure(const struct nd_pair_config *config);

/** Adapters, memory, a completion queue and a queue pair on each side; no connection. */
void pair_open(void);
/** The same, and a listener. */
void pair_listening(void);
/** The same, connected. */
void pair_connected(void);
/** Close the adapters, and so all that is open. */
void pair_close(void);

/** One turn of both. */
void pair_poll(void);

/** One turn of one side: what the other one would answer is held up. */
void side_poll(struct ndk_side *side);

/** @return whether what does not come may still be waited for; *since is 0 at first */
bool pair_patience(time_t *since);

/** Poll until the condition holds, which it has to. */
#define POLL_UNTIL(condition)                                                                      \
	do {                                                                                       \
		time_t since_ = 0;                                                                 \
		while (!(condition)) {                                                             \
			cr_assert(pair_patience(&since_), "%s does not come", #condition);         \
			pair_poll();                                                               \
		}                                                                                  \
	} while (0)

/** Turns that would bring anything that is on its way. */
void pair_quiet(void);

/** NDK_FN_REQUEST_COMPLETION, _CLOSE_COMPLETION, _CREATE_COMPLETION for a struct ndk_call. */
VOID call_over(PVOID context, NTSTATUS status);
VOID close_over(PVOID context);
VOID create_over(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER *object);

/** @return the status, or that of the callback, which is polled for when it is pending */
NTSTATUS call_wait(NTSTATUS status, struct ndk_call *call);

/** Make objects on a side. */
NDK_CQ *side_cq(struct ndk_side *side, ULONG depth);
NDK_QP *side_qp(struct ndk_side *side, NDK_CQ *cq, ULONG depth, PVOID context);
NDK_MR *side_mr(struct ndk_side *side, PVOID address, PVOID memory, ULONG length, ULONG flags);
NDK_MW *side_mw(struct ndk_side *side);
NDK_CONNECTOR *side_connector(struct ndk_side *side);

/** Connect the queue pairs of both sides through new connectors. */
void pair_connect(void);

/** Poll for the next result of a side. */
NDK_RESULT_EX side_result(struct ndk_side *side);

/** The next result of a side is this one. */
void side_expect(struct ndk_side *side, PVOID context, NDK_OPERATION_TYPE type, NTSTATUS status);

/** Nothing comes for a side. */
void side_no_result(struct ndk_side *side);

/** Post a receive without bytes; a message without bytes. */
void side_receive(struct ndk_side *side, PVOID context);
void side_send(struct ndk_side *side, PVOID context, ULONG flags);

/** Disconnect a side, and poll until that is over. */
void side_disconnect(struct ndk_side *side);

/** A list entry of a side's memory. */
NDK_SGE side_sge(const struct ndk_side *side, size_t offset, ULONG length);

/** Both directions carry a message. */
void pair_expect_alive(void);

/** The connection is over on both sides: the events say so, and nothing can be posted. */
void pair_expect_over(void);

#endif
