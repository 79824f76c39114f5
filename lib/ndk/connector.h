/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_CONNECTOR_INTERNAL_H
#define NDPDK_NDK_CONNECTOR_INTERNAL_H

#include "ndk/qp.h"
#include "ndk/shared_endpoint.h"

/** What is pending on a connector: one at a time. */
enum connector_work {
	CONNECTOR_RESTS = 0,
	CONNECTOR_CONNECTS,
	CONNECTOR_ACCEPTS,
	CONNECTOR_DISCONNECTS,
};

/** One connection. */
struct ndk_connector {
	struct ndk_object object;
	struct nd_connector *native;
	struct ndk_qp *qp;                  /* of the last attempt; an antecedent */
	struct ndk_shared_endpoint *shared; /* likewise */
	/* Own port of the attempt or connection; NULL: none. Atomic; changed by who begins work. */
	struct ndk_port *port;
	/* That it connects to, and from where; compared only. Both under the lock of the tree. */
	struct sockaddr_storage peer;
	const struct ndk_shared_endpoint *peer_from; /* NULL: from a port of its own */

	enum connector_work work; /* under the lock of the tree */
	struct nd_overlapped operation;
	NDK_FN_REQUEST_COMPLETION completion; /* NULL: of a close */
	PVOID completion_context;

	struct nd_overlapped watch; /* for the end of the connection */
	NDK_FN_DISCONNECT_EVENT_CALLBACK disconnected;
	PVOID disconnected_context;
};

/** What a connection is made with. */
struct ndk_connect_config {
	NDK_QP *qp;
	const struct sockaddr *peer; /* NULL: of a request */
	ULONG peer_length;
	ULONG inbound_reads;
	ULONG outbound_reads;
	const void *private_data;
	ULONG private_length;
	NDK_FN_REQUEST_COMPLETION completion;
	PVOID context;
	NDK_FN_DISCONNECT_EVENT_CALLBACK disconnected; /* of an accept */
	PVOID disconnected_context;
};

/** NdkCreateConnector(). */
NTSTATUS connector_create(struct ndk_adapter *adapter, NDK_CONNECTOR **out);

/**
 * Make a connector of a request that has come to a port.
 *
 * @return NULL: no memory; native is the caller's still
 */
NDK_CONNECTOR *connector_of_request(
	struct ndk_adapter *adapter, struct nd_connector *native, struct ndk_port *port);

#endif
