/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QP_INTERNAL_H
#define NDPDK_NDK_QP_INTERNAL_H

#include "ndk/cq.h"
#include "ndk/srq.h"

/**
 * A queue pair. A native endpoint always belongs to a connector. Until the queue pair is connected,
 * its endpoint belongs to a private connector.
 */
struct ndk_qp {
	struct ndk_object object;
	struct nd_endpoint *endpoint;
	struct nd_connector *connector; /* connector to which the endpoint is attached */
	/* true: the connector is private; protected by the lock of the tree */
	bool owns_connector;
	bool attaching; /* a call of qp_attach() is in progress; protected by the lock */
	bool deferring; /* a batch of deferred requests is open; engine's thread only */
	ULONG inline_limit;
	struct ndk_cq *initiator_cq;
	struct ndk_cq *receive_cq;
	struct ndk_queue *initiator;
	/* queue of receives; NULL: the queue pair takes receives from srq */
	struct ndk_queue *receives;
	struct ndk_srq *srq;
};

struct ndk_qp_config {
	NDK_CQ *receive_cq;
	NDK_CQ *initiator_cq;
	NDK_SRQ *srq; /* NULL: no shared receive queue */
	PVOID context;
	ULONG receive_depth;
	ULONG initiator_depth;
	ULONG receive_sge;
	ULONG initiator_sge;
	ULONG inline_bytes;
};

NTSTATUS qp_create(struct ndk_object *pd, const struct ndk_qp_config *config, NDK_QP **out);

/**
 * Called when the consumer flushes the queue pair, or its connection breaks: release the results of
 * cancelled requests.
 */
void qp_flush(struct ndk_qp *qp);

/**
 * Attach the endpoint to a connector. The read limits are reduced to the limits of the adapter.
 *
 * @param connector native connector, which its NDK_CONNECTOR continues to own
 */
NTSTATUS qp_attach(struct ndk_qp *qp, struct nd_connector *connector, ULONG inbound_reads,
	ULONG outbound_reads);

/**
 * Called when an NDK_CONNECTOR is freed: pass its native connector to the attached queue pair, or
 * release it.
 */
void qp_inherit(struct ndk_qp *qp, struct nd_connector *connector);

#endif
