/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_NDK_H
#define NDPDK_NDK_NDK_H

/*
 * Code that both sides share: an NDK adapter with a protection domain, a completion queue, a queue
 * pair and a memory region. To wait for a pending call, the program polls the engine, which runs in
 * the thread of the program.
 */

#include "../../example.h"

#include <ndpdk/ndkpi.h>

/** State of a call that may be pending. The completion callback sets both members. */
struct waiting {
	bool over;
	NTSTATUS status;
};

/** Description of the server's window, sent to the client. */
struct invitation {
	uint64_t address; /* host byte order; both sides must have the same byte order */
	UINT32 token;     /* passed on unchanged */
	UINT32 bytes;
};

struct peer {
	struct nd_adapter *native;
	NDK_ADAPTER *adapter;
	NDK_PD *pd;
	NDK_CQ *cq;
	NDK_QP *qp;
	NDK_MR *mr;
	NDK_CONNECTOR *connector;
	UINT32 token; /* local token of mr, for list entries */
	bool left;    /* true: the other side has disconnected */
	char memory[4096];
};

static inline void
need(NTSTATUS status, const char *what)
{
	if (status == STATUS_SUCCESS)
		return;
	fprintf(stderr, "%s: %s\n", what, ndk_status_name(status));
	exit(EXIT_FAILURE);
}

/** NDK_FN_REQUEST_COMPLETION */
static inline VOID
is_over(PVOID context, NTSTATUS status)
{
	struct waiting *waiting = context;

	waiting->over = true;
	waiting->status = status;
}

/** NDK_FN_CREATE_COMPLETION. Never called, because creations complete before they return. */
static inline VOID
never_pending(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER *object)
{
	(void)context;
	(void)status;
	(void)object;
}

/** NDK_FN_CQ_NOTIFICATION_CALLBACK. Never called, because this program polls its queue. */
static inline VOID
not_armed(PVOID context, NTSTATUS status)
{
	(void)context;
	(void)status;
}

/** NDK_FN_DISCONNECT_EVENT_CALLBACK */
static inline VOID
has_left(PVOID context)
{
	((struct peer *)context)->left = true;
}

static inline void
turn(struct peer *peer)
{
	nd_engine_poll(nd_adapter_engine(peer->native));
}

static inline void
wait_for(struct peer *peer, NTSTATUS status, struct waiting *waiting, const char *what)
{
	while (status == STATUS_PENDING && !waiting->over)
		turn(peer);
	need(status == STATUS_PENDING ? waiting->status : status, what);
}

/** Wait for the next result. @return false: the peer has disconnected */
static inline bool
result_of(struct peer *peer, NDK_RESULT_EX *result)
{
	while (peer->cq->Dispatch->NdkGetCqResultsEx(peer->cq, result, 1) == 0) {
		/*
		 * Outstanding requests complete only after this side has disconnected, so do not
		 * wait.
		 */
		if (peer->left)
			return false;
		turn(peer);
	}
	need(result->Status, "request");
	return true;
}

static inline void
post_receive(struct peer *peer, void *address, ULONG length)
{
	const NDK_SGE sge = {
		.VirtualAddress = address, .Length = length, .MemoryRegionToken = peer->token};

	need(peer->qp->Dispatch->NdkReceive(peer->qp, address, &sge, 1), "receive");
}

/** Create all objects except the connection. The program owns the native adapter. */
static inline void
open_peer(struct peer *peer, struct nd_adapter_config *config, const char *own)
{
	const NDK_VERSION version = {1, 2};
	struct waiting waiting = {0};
	MDL mdl;

	peer->native = open_adapter(config, own);
	need(ndk_adapter_open(peer->native, version, &peer->adapter), "adapter");
	need(peer->adapter->Dispatch->NdkCreatePd(peer->adapter, never_pending, NULL, &peer->pd),
		"protection domain");
	need(peer->adapter->Dispatch->NdkCreateCq(
		     peer->adapter, 64, not_armed, NULL, NULL, never_pending, NULL, &peer->cq),
		"completion queue");
	need(peer->pd->Dispatch->NdkCreateQp(peer->pd, peer->cq, peer->cq, peer, 8, 8, 1, 1, 128,
		     never_pending, NULL, &peer->qp),
		"queue pair");
	need(peer->pd->Dispatch->NdkCreateMr(peer->pd, FALSE, never_pending, NULL, &peer->mr),
		"region");
	MmInitializeMdl(&mdl, peer->memory, sizeof(peer->memory));
	need(peer->mr->Dispatch->NdkRegisterMr(peer->mr, &mdl, sizeof(peer->memory),
		     NDK_MR_FLAG_ALLOW_LOCAL_WRITE, is_over, &waiting),
		"memory");
	peer->token = peer->mr->Dispatch->NdkGetLocalTokenFromMr(peer->mr);
}

#endif
