/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QP_INTERNAL_H
#define NDPDK_NDK_QP_INTERNAL_H

#include "ndk/cq.h"
#include "ndk/srq.h"

/**
 * Queue pair. A native endpoint belongs to a connector from its creation: until it is connected
 * that is one that nobody knows.
 */
struct ndk_qp {
	struct ndk_object object;
	struct nd_endpoint *endpoint;
	struct nd_connector *connector; /* where the endpoint is */
	bool owns_connector;            /* no NDK_CONNECTOR does; under the lock of the tree */
	bool attaching;                 /* a call of qp_attach() is under way; under the lock */
	bool deferring;                 /* a batch is open; of the engine's thread */
	ULONG inline_limit;
	struct ndk_cq *initiator_cq;
	struct ndk_cq *receive_cq;
	struct ndk_queue *initiator;
	struct ndk_queue *receives; /* NULL: they come from srq */
	struct ndk_srq *srq;
};

/** What NdkCreateQp() and NdkCreateQpWithSrq() have been given. */
struct ndk_qp_config {
	NDK_CQ *receive_cq;
	NDK_CQ *initiator_cq;
	NDK_SRQ *srq; /* NULL: without */
	PVOID context;
	ULONG receive_depth;
	ULONG initiator_depth;
	ULONG receive_sge;
	ULONG initiator_sge;
	ULONG inline_bytes;
};

NTSTATUS qp_create(struct ndk_object *pd, const struct ndk_qp_config *config, NDK_QP **out);

/** The consumer flushes what is outstanding, or a failure does: what was cancelled is told. */
void qp_flush(struct ndk_qp *qp);

/**
 * Bring the endpoint to a connector, with these read limits, clamped to those of the adapter.
 *
 * @param connector of an NDK_CONNECTOR, which goes on to own it
 */
NTSTATUS qp_attach(struct ndk_qp *qp, struct nd_connector *connector, ULONG inbound_reads,
	ULONG outbound_reads);

/** An NDK_CONNECTOR is gone: release its connector, or leave it to the queue pair that is on it. */
void qp_inherit(struct ndk_qp *qp, struct nd_connector *connector);

#endif
