/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_CONNECTOR_INTERNAL_H
#define NDPDK_NDK_CONNECTOR_INTERNAL_H

#include "ndk/qp.h"
#include "ndk/shared_endpoint.h"

/** Pending operation of a connector. Only one operation can be pending at a time. */
enum connector_work {
	CONNECTOR_RESTS = 0,
	CONNECTOR_CONNECTS,
	CONNECTOR_ACCEPTS,
	CONNECTOR_DISCONNECTS,
};

struct ndk_connector {
	struct ndk_object object;
	struct nd_connector *native;
	struct ndk_qp *qp; /* queue pair of the last attempt; the connector holds a reference */
	/* Shared endpoint of the last attempt. The connector holds a reference. NULL: none. */
	struct ndk_shared_endpoint *shared;
	/*
	 * Local port of the attempt or connection; NULL: none. Atomic. Only the call or callback of
	 * the pending operation changes it.
	 */
	struct ndk_port *port;
	/*
	 * Peer address, used only for comparisons. This member and the next one are protected by
	 * the lock of the tree.
	 */
	struct sockaddr_storage peer;
	/* Shared endpoint from which the connector connects; NULL: it has its own port. */
	const struct ndk_shared_endpoint *peer_from;

	enum connector_work work; /* pending operation; protected by the lock of the tree */
	struct nd_overlapped operation;
	/* callback of the operation; NULL: the connector is being closed */
	NDK_FN_REQUEST_COMPLETION completion;
	PVOID completion_context;

	/* native operation that is pending until the connection ends */
	struct nd_overlapped watch;
	NDK_FN_DISCONNECT_EVENT_CALLBACK disconnected;
	PVOID disconnected_context;
};

struct ndk_connect_config {
	const char *function; /* name of the NDK function, for the log */
	NDK_QP *qp;
	const struct sockaddr *peer; /* NULL: accept */
	ULONG peer_length;
	ULONG inbound_reads;
	ULONG outbound_reads;
	const void *private_data;
	ULONG private_length;
	NDK_FN_REQUEST_COMPLETION completion;
	PVOID context;
	NDK_FN_DISCONNECT_EVENT_CALLBACK disconnected; /* accept only */
	PVOID disconnected_context;
};

/** NdkCreateConnector(). */
NTSTATUS connector_create(struct ndk_adapter *adapter, NDK_CONNECTOR **out);

/**
 * Create a connector for a request that a port has received.
 *
 * @return NULL: out of memory; native still belongs to the caller
 */
NDK_CONNECTOR *connector_of_request(
	struct ndk_adapter *adapter, struct nd_connector *native, struct ndk_port *port);

#endif
