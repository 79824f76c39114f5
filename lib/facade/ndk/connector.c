/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Connectors. One operation can be pending at a time. In addition, the notification of the end of
 * the connection (watch) can be pending. While pending, each holds a reference to the connector.
 */

#include "ndk/connector.h"

#include <endian.h>
#include <string.h>

#include <ndpdk/nd_end.h>

#include "ndk/address.h"
#include "ndk/refuse.h"
#include "ndk/status.h"

#define TCP_PORT_SPACE 6

/* Names of parameters in the log. */
#define COMPLETION   "RequestCompletion"
#define PRIVATE_DATA "PrivateDataLength is not 0, but pPrivateData"

/* ---- Operations ---- */

/** Record a pending operation. @return false: another operation is pending, and nothing changed */
static bool
work_begin(struct ndk_connector *connector, enum connector_work work,
	NDK_FN_REQUEST_COMPLETION completion, PVOID context,
	void (*over)(struct nd_overlapped *operation, void *arg))
{
	bool rests;

	pthread_mutex_lock(&connector->object.tree->lock);
	rests = connector->work == CONNECTOR_RESTS;
	if (rests) {
		connector->work = work;
		connector->object.references++;
		connector->completion = completion;
		connector->completion_context = context;
		connector->operation =
			(struct nd_overlapped){.callback = over, .callback_arg = connector};
	}
	pthread_mutex_unlock(&connector->object.tree->lock);
	return rests;
}

static void
work_over(struct ndk_connector *connector)
{
	pthread_mutex_lock(&connector->object.tree->lock);
	connector->work = CONNECTOR_RESTS;
	pthread_mutex_unlock(&connector->object.tree->lock);
}

static void
complete(struct ndk_connector *connector, NDK_FN_REQUEST_COMPLETION completion, PVOID context,
	NTSTATUS status)
{
	const void *outer = telling_begin(connector->object.tree);

	if (completion != NULL)
		completion(context, status);
	telling_end(outer);
}

static bool
has_port(const struct ndk_connector *connector)
{
	return __atomic_load_n(&connector->port, __ATOMIC_RELAXED) != NULL;
}

/**
 * Called after an attempt has failed: release the connector's reference to its port. The port stays
 * in use while a listener or shared endpoint also holds a reference.
 */
static void
attempt_failed(struct ndk_connector *connector)
{
	port_drop(connector->port);
	__atomic_store_n(&connector->port, NULL, __ATOMIC_RELAXED);
	pthread_mutex_lock(&connector->object.tree->lock);
	connector->peer.ss_family = AF_UNSPEC;
	pthread_mutex_unlock(&connector->object.tree->lock);
}

/* ---- The end of the connection ---- */

/**
 * @return true if the peer has disconnected. Outstanding requests are then flushed only when the
 * consumer requests a flush.
 */
static bool
peer_has_disconnected(struct ndk_connector *connector)
{
	struct nd_end end = {0};

	nd_connector_get_end_reason(connector->native, &end);
	return end.reason == ND_END_PEER_DISCONNECT;
}

static void
watched(struct ndk_connector *connector, nd_status status)
{
	if (status == ND_SUCCESS && !peer_has_disconnected(connector))
		qp_flush(connector->qp);
	if (status == ND_SUCCESS && connector->disconnected != NULL) {
		const void *outer = telling_begin(connector->object.tree);

		connector->disconnected(connector->disconnected_context);
		telling_end(outer);
	}
	object_drop(&connector->object);
}

static void
watch_over(struct nd_overlapped *operation, void *arg)
{
	watched(arg, nd_overlapped_get_result(operation, NULL, false));
}

/** Request a notification of the end of an established connection. */
static void
watch(struct ndk_connector *connector)
{
	nd_status status;

	object_hold(&connector->object);
	connector->watch =
		(struct nd_overlapped){.callback = watch_over, .callback_arg = connector};
	status = nd_connector_notify_disconnect(connector->native, &connector->watch);
	if (status != ND_PENDING)
		watched(connector, status);
}

/* ---- Connecting ---- */

static void
connect_over(struct nd_overlapped *operation, void *arg)
{
	struct ndk_connector *connector = arg;
	nd_status status = nd_overlapped_get_result(operation, NULL, false);
	NDK_FN_REQUEST_COMPLETION completion = connector->completion;
	PVOID context = connector->completion_context;

	if (status != ND_SUCCESS)
		attempt_failed(connector);
	work_over(connector);
	complete(connector, completion, context, status_of(status));
	object_drop(&connector->object);
}

static void
disconnect_over(struct nd_overlapped *operation, void *arg)
{
	struct ndk_connector *connector = arg;
	nd_status status = nd_overlapped_get_result(operation, NULL, false);
	NDK_FN_REQUEST_COMPLETION completion = connector->completion;
	PVOID context = connector->completion_context;

	work_over(connector);
	complete(connector, completion, context, status_of(status));
	object_drop(&connector->object);
}

static void
accept_over(struct nd_overlapped *operation, void *arg)
{
	struct ndk_connector *connector = arg;
	nd_status status = nd_overlapped_get_result(operation, NULL, false);
	NDK_FN_REQUEST_COMPLETION completion = connector->completion;
	PVOID context = connector->completion_context;

	work_over(connector);
	complete(connector, completion, context, status_of(status));
	if (status == ND_SUCCESS)
		watch(connector);
	object_drop(&connector->object);
}

/**
 * Called after the native call of an operation: complete the operation if it ended at once.
 * @return status of the kernel interface's call
 */
static NTSTATUS
work_called(struct ndk_connector *connector, nd_status status)
{
	if (status == ND_PENDING)
		return STATUS_PENDING;
	work_over(connector);
	object_drop(&connector->object);
	return status_of(status);
}

/** Replace the queue pair and the shared endpoint that the connector uses, and their references. */
static void
lean_on(struct ndk_connector *connector, struct ndk_qp *qp, struct ndk_shared_endpoint *shared)
{
	struct ndk_qp *last_qp = connector->qp;
	struct ndk_shared_endpoint *last_shared = connector->shared;

	object_lean(&connector->object, &qp->object);
	object_lean(&connector->object, shared == NULL ? NULL : &shared->object);
	connector->qp = qp;
	connector->shared = shared;
	object_unlean(&connector->object, last_qp == NULL ? NULL : &last_qp->object);
	object_unlean(&connector->object, last_shared == NULL ? NULL : &last_shared->object);
}

/**
 * Attach the queue pair to this connector. An attached queue pair is freed only after the
 * connector.
 */
static NTSTATUS
attach(struct ndk_connector *connector, const struct ndk_connect_config *config,
	struct ndk_shared_endpoint *shared)
{
	struct ndk_qp *qp = (struct ndk_qp *)config->qp;
	NTSTATUS status;

	object_hold(&qp->object);
	status = qp_attach(qp, connector->native, config->inbound_reads, config->outbound_reads);
	if (status == STATUS_SUCCESS)
		lean_on(connector, qp, shared);
	object_drop(&qp->object);
	return status;
}

/** Check a connector and a required pointer. @param name name of the pointer, in the log */
static NTSTATUS
check(const char *function, const void *object, const char *name, bool given)
{
	if (!object_is(object, NdkObjectTypeConnector))
		return NDK_REFUSE(function, "pNdkConnector: expected an open NDK_CONNECTOR");
	return given ? STATUS_SUCCESS : NDK_REFUSE(function, "%s is NULL", name);
}

/**
 * Check the arguments that connect and accept have in common. The connector was checked before.
 */
static NTSTATUS
config_check(const struct ndk_connector *connector, const struct ndk_connect_config *config,
	size_t private_max)
{
	const bool open = object_of(connector->object.tree, config->qp, NdkObjectTypeQp);
	const bool data = config->private_data != NULL || config->private_length == 0;
	const NTSTATUS status =
		ARGUMENTS_CHECK(config->function, {"pNdkQp", open, "an open NDK_QP of the adapter"},
			{COMPLETION, config->completion != NULL, NULL}, {PRIVATE_DATA, data, NULL});

	if (status != STATUS_SUCCESS)
		return status;
	return config->private_length > private_max ? STATUS_INVALID_BUFFER_SIZE : STATUS_SUCCESS;
}

/**
 * @return true if another connector of the shared endpoint has this peer address; requires the
 *         lock
 */
static bool
peer_is_taken(const struct ndk_connector *connector, const struct ndk_shared_endpoint *shared,
	const struct sockaddr_storage *peer)
{
	for (const struct ndk_object *object = connector->object.tree->first; object != NULL;
		object = object->next) {
		const struct ndk_connector *other = (const struct ndk_connector *)object;

		if (object->kind != connector->object.kind || other == connector)
			continue;
		if (other->peer_from == shared && memcmp(&other->peer, peer, sizeof(*peer)) == 0)
			return true;
	}
	return false;
}

/**
 * Store the peer address, unless another connector of the shared endpoint has it.
 * @return true if stored
 */
static bool
peer_note(struct ndk_connector *connector, const struct ndk_shared_endpoint *shared,
	const struct sockaddr *given, ULONG length)
{
	struct sockaddr_storage peer = {0};
	bool taken;

	memcpy(&peer, given, length < sizeof(peer) ? length : sizeof(peer));
	pthread_mutex_lock(&connector->object.tree->lock);
	taken = shared != NULL && peer_is_taken(connector, shared, &peer);
	if (!taken) {
		connector->peer = peer;
		connector->peer_from = shared;
	}
	pthread_mutex_unlock(&connector->object.tree->lock);
	return !taken;
}

/** Connect from a port. The connector takes over the caller's reference to the port. */
static NTSTATUS
connect_from(struct ndk_connector *connector, const struct ndk_connect_config *config,
	struct ndk_shared_endpoint *shared, struct ndk_port *port)
{
	struct ndk_qp *qp = (struct ndk_qp *)config->qp;
	NTSTATUS status;

	__atomic_store_n(&connector->port, port, __ATOMIC_RELAXED);
	status = attach(connector, config, shared);
	if (status == STATUS_SUCCESS)
		status = status_of(nd_connector_connect(connector->native, qp->endpoint,
			config->peer, config->peer_length, TCP_PORT_SPACE, htobe16(port->number),
			config->private_data, config->private_length, &connector->operation));
	if (!NT_SUCCESS(status))
		attempt_failed(connector);
	return status;
}

/** @param port port to connect from; the call always takes over the caller's reference */
static NTSTATUS
connect_run(struct ndk_connector *connector, const struct ndk_connect_config *config,
	struct ndk_shared_endpoint *shared, struct ndk_port *port)
{
	NTSTATUS status;

	if (!work_begin(connector, CONNECTOR_CONNECTS, config->completion, config->context,
		    connect_over)) {
		port_drop(port);
		return STATUS_CONNECTION_ACTIVE;
	}
	/* Another attempt may have succeeded after connect_check(). */
	if (has_port(connector)) {
		port_drop(port);
		status = STATUS_CONNECTION_ACTIVE;
	} else if (!peer_note(connector, shared, config->peer, config->peer_length)) {
		port_drop(port);
		status = STATUS_ADDRESS_ALREADY_EXISTS;
	} else {
		status = connect_from(connector, config, shared, port);
	}
	if (status == STATUS_PENDING)
		return status;
	work_over(connector);
	object_drop(&connector->object);
	return status;
}

/**
 * Check that the connector has no connection, and check the arguments. @return STATUS_SUCCESS: may
 * connect
 */
static NTSTATUS
connect_check(const struct ndk_connector *connector, const struct ndk_connect_config *config)
{
	const struct nd_adapter_info *limits;
	NTSTATUS status;

	status = check(config->function, connector, "pDestAddress", config->peer != NULL);
	if (status != STATUS_SUCCESS)
		return status;
	limits = &adapter_of(&connector->object)->limits;
	status = config_check(connector, config, limits->max_caller_data);
	if (status == STATUS_SUCCESS && has_port(connector))
		return STATUS_CONNECTION_ACTIVE;
	return status;
}

static NTSTATUS
entry_connect(NDK_CONNECTOR *object, NDK_QP *qp, CONST PSOCKADDR source, ULONG source_length,
	CONST PSOCKADDR peer, ULONG peer_length, ULONG inbound_reads, ULONG outbound_reads,
	CONST PVOID private_data, ULONG private_length, NDK_FN_REQUEST_COMPLETION completion,
	PVOID context)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	const struct ndk_connect_config config = {"NdkConnect", qp, peer, peer_length,
		inbound_reads, outbound_reads, private_data, private_length, completion, context,
		NULL, NULL};
	NTSTATUS status = connect_check(connector, &config);
	struct ndk_adapter *adapter;
	struct ndk_port *port;
	uint16_t number;

	if (status != STATUS_SUCCESS)
		return status;
	adapter = adapter_of(&connector->object);
	status = address_own(adapter, config.function, "Src", source, source_length, &number);
	if (status == STATUS_SUCCESS)
		status = port_take(&adapter->ports, number, &port);
	return status == STATUS_SUCCESS ? connect_run(connector, &config, NULL, port) : status;
}

static NTSTATUS
entry_connect_shared(NDK_CONNECTOR *object, NDK_QP *qp, NDK_SHARED_ENDPOINT *endpoint,
	CONST PSOCKADDR peer, ULONG peer_length, ULONG inbound_reads, ULONG outbound_reads,
	CONST PVOID private_data, ULONG private_length, NDK_FN_REQUEST_COMPLETION completion,
	PVOID context)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	struct ndk_shared_endpoint *shared = (struct ndk_shared_endpoint *)endpoint;
	const struct ndk_connect_config config = {"NdkConnectWithSharedEndpoint", qp, peer,
		peer_length, inbound_reads, outbound_reads, private_data, private_length,
		completion, context, NULL, NULL};
	NTSTATUS status = connect_check(connector, &config);

	if (status != STATUS_SUCCESS)
		return status;
	if (!object_of(connector->object.tree, endpoint, NdkObjectTypeSharedEndpoint))
		return NDK_REFUSE(config.function,
			"pNdkSharedEndpoint: expected an open NDK_SHARED_ENDPOINT of the adapter");
	port_hold(shared->port);
	return connect_run(connector, &config, shared, shared->port);
}

static NTSTATUS
entry_complete(NDK_CONNECTOR *object, NDK_FN_DISCONNECT_EVENT_CALLBACK disconnected,
	PVOID disconnected_context, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	NTSTATUS status = check("NdkCompleteConnect", object, COMPLETION, completion != NULL);

	(void)context;
	if (status != STATUS_SUCCESS)
		return status;
	object_hold(&connector->object);
	status = status_of(nd_connector_complete_connect(connector->native, NULL));
	if (status == STATUS_SUCCESS) {
		connector->disconnected = disconnected;
		connector->disconnected_context = disconnected_context;
		watch(connector);
	}
	object_drop(&connector->object);
	return status;
}

/** Accept the request with a queue pair that is not connected. */
static NTSTATUS
accept_run(struct ndk_connector *connector, const struct ndk_connect_config *config)
{
	struct ndk_qp *qp = (struct ndk_qp *)config->qp;
	NTSTATUS status;

	if (!work_begin(
		    connector, CONNECTOR_ACCEPTS, config->completion, config->context, accept_over))
		return STATUS_CONNECTION_ACTIVE;
	status = attach(connector, config, NULL);
	if (status != STATUS_SUCCESS) {
		work_over(connector);
		object_drop(&connector->object);
		return status;
	}
	/*
	 * Set the callback only after attach(). If a connection exists, attach() fails, and the
	 * callback of that connection must not change.
	 */
	connector->disconnected = config->disconnected;
	connector->disconnected_context = config->disconnected_context;
	return work_called(connector,
		nd_connector_accept(connector->native, qp->endpoint, config->private_data,
			config->private_length, &connector->operation));
}

static NTSTATUS
entry_accept(NDK_CONNECTOR *object, NDK_QP *qp, ULONG inbound_reads, ULONG outbound_reads,
	CONST PVOID private_data, ULONG private_length,
	NDK_FN_DISCONNECT_EVENT_CALLBACK disconnected, PVOID disconnected_context,
	NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	const struct ndk_connect_config config = {"NdkAccept", qp, NULL, 0, inbound_reads,
		outbound_reads, private_data, private_length, completion, context, disconnected,
		disconnected_context};
	size_t length = 0;
	NTSTATUS status = check(config.function, object, COMPLETION, completion != NULL);

	if (status != STATUS_SUCCESS)
		return status;
	status = config_check(
		connector, &config, adapter_of(&connector->object)->limits.max_callee_data);
	if (status != STATUS_SUCCESS)
		return status;
	object_hold(&connector->object);
	object_hold((struct ndk_object *)qp);
	/* Without a request there is no peer address. Then do not attach the queue pair. */
	if (nd_connector_get_peer_address(connector->native, NULL, &length) ==
		ND_CONNECTION_INVALID)
		status = STATUS_CONNECTION_INVALID;
	else
		status = accept_run(connector, &config);
	object_drop((struct ndk_object *)qp);
	object_drop(&connector->object);
	return status;
}

static NTSTATUS
entry_reject(NDK_CONNECTOR *object, CONST PVOID private_data, ULONG private_length)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	const bool data = private_data != NULL || private_length == 0;
	const NTSTATUS status = check("NdkReject", object, PRIVATE_DATA, data);

	if (status != STATUS_SUCCESS)
		return status;
	return status_of(nd_connector_reject(connector->native, private_data, private_length));
}

/* ---- Queries ---- */

static NTSTATUS
entry_data(NDK_CONNECTOR *object, ULONG *inbound_reads, ULONG *outbound_reads, PVOID private_data,
	ULONG *private_length)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	size_t inbound = 0, outbound = 0, length;
	nd_status status;
	const NTSTATUS checked =
		check("NdkGetConnectionData", object, "pPrivateDataLength", private_length != NULL);

	if (checked != STATUS_SUCCESS)
		return checked;
	if (private_data == NULL && *private_length != 0)
		return NDK_REFUSE("NdkGetConnectionData",
			"pPrivateData is NULL, but *pPrivateDataLength is %u", *private_length);
	length = *private_length;
	status = nd_connector_get_connection_data(
		connector->native, &inbound, &outbound, private_data, &length);
	if (status != ND_SUCCESS && status != ND_BUFFER_OVERFLOW)
		return status_of(status);
	if (inbound_reads != NULL)
		*inbound_reads = (ULONG)inbound;
	if (outbound_reads != NULL)
		*outbound_reads = (ULONG)outbound;
	*private_length = (ULONG)length;
	/* Unlike in the native interface, a call that only requests the size succeeds. */
	return status == ND_BUFFER_OVERFLOW && private_data != NULL ? STATUS_BUFFER_TOO_SMALL
								    : STATUS_SUCCESS;
}

static NTSTATUS
address_get(const char *function, NDK_CONNECTOR *object, PSOCKADDR address, ULONG *length,
	nd_status (*get)(struct nd_connector *native, struct sockaddr *address, size_t *length))
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	const NTSTATUS checked = check(function, object, "pAddressLength", length != NULL);
	ULONG room;
	size_t bytes;
	nd_status status;

	if (checked != STATUS_SUCCESS)
		return checked;
	room = *length;
	bytes = room;
	status = get(connector->native, address, &bytes);
	if (status != ND_SUCCESS && status != ND_BUFFER_OVERFLOW)
		return status_of(status);
	*length = (ULONG)bytes;
	return status == ND_BUFFER_OVERFLOW ? address_too_long(function, address, room, *length)
					    : STATUS_SUCCESS;
}

static NTSTATUS
entry_local_address(NDK_CONNECTOR *object, PSOCKADDR address, ULONG *length)
{
	return address_get(ADDRESS_GETTER, object, address, length, nd_connector_get_local_address);
}

static NTSTATUS
entry_peer_address(NDK_CONNECTOR *object, PSOCKADDR address, ULONG *length)
{
	return address_get(
		"NdkGetPeerAddress", object, address, length, nd_connector_get_peer_address);
}

/* ---- Disconnecting, closing ---- */

static NTSTATUS
disconnect_run(struct ndk_connector *connector, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_qp *qp;
	nd_status status;

	if (!work_begin(connector, CONNECTOR_DISCONNECTS, completion, context, disconnect_over))
		return STATUS_CONNECTION_INVALID;
	/* No other call changes qp now. The callback may close the connector and qp, so hold qp. */
	qp = connector->qp;
	if (qp != NULL)
		object_hold(&qp->object);
	status = nd_connector_disconnect(connector->native, &connector->operation);
	if (qp != NULL && !nd_failed(status))
		qp_flush(qp);
	if (qp != NULL)
		object_drop(&qp->object);
	return work_called(connector, status);
}

static NTSTATUS
entry_disconnect(NDK_CONNECTOR *object, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	const NTSTATUS status = check("NdkDisconnect", object, COMPLETION, completion != NULL);

	if (status != STATUS_SUCCESS)
		return status;
	return disconnect_run((struct ndk_connector *)object, completion, context);
}

static void
force(struct ndk_object *object)
{
	nd_connector_cancel_overlapped_requests(((struct ndk_connector *)object)->native);
}

static void
shut(struct ndk_object *object)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;
	enum connector_work work;

	pthread_mutex_lock(&object->tree->lock);
	work = connector->work;
	pthread_mutex_unlock(&object->tree->lock);
	/* Let a pending disconnect complete. Abandon a pending attempt. */
	if (work == CONNECTOR_DISCONNECTS)
		return;
	if (work != CONNECTOR_RESTS)
		force(object);
	/* qp is NULL if the accept has not attached its queue pair yet. */
	if (work == CONNECTOR_ACCEPTS && connector->qp != NULL)
		qp_flush(connector->qp);
	/* Reject a request, or end a connection. If there is neither, both calls have no effect. */
	nd_connector_reject(connector->native, NULL, 0);
	disconnect_run(connector, NULL, NULL);
}

static void
destroy(struct ndk_object *object)
{
	struct ndk_connector *connector = (struct ndk_connector *)object;

	if (connector->native != NULL)
		qp_inherit(connector->qp, connector->native);
	port_drop(connector->port);
}

OBJECT_ENTRIES(Connector)

static const NDK_CONNECTOR_DISPATCH dispatch = {
	.NdkCloseConnector = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkConnect = entry_connect,
	.NdkConnectWithSharedEndpoint = entry_connect_shared,
	.NdkCompleteConnect = entry_complete,
	.NdkAccept = entry_accept,
	.NdkReject = entry_reject,
	.NdkGetConnectionData = entry_data,
	.NdkGetLocalAddress = entry_local_address,
	.NdkGetPeerAddress = entry_peer_address,
	.NdkDisconnect = entry_disconnect,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeConnector,
	.size = sizeof(struct ndk_connector),
	.dispatch = &dispatch,
	.shut = shut,
	.force = force,
	.destroy = destroy,
};

NTSTATUS
connector_create(struct ndk_adapter *adapter, NDK_CONNECTOR **out)
{
	struct ndk_connector *connector = object_create(&adapter->tree, &kind);
	NTSTATUS status;

	if (connector == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	status = status_of(nd_adapter_create_connector(adapter->native, &connector->native));
	if (status != STATUS_SUCCESS) {
		object_discard(&connector->object);
		return status;
	}
	*out = (NDK_CONNECTOR *)connector;
	return STATUS_SUCCESS;
}

NDK_CONNECTOR *
connector_of_request(
	struct ndk_adapter *adapter, struct nd_connector *native, struct ndk_port *port)
{
	struct ndk_connector *connector = object_create(&adapter->tree, &kind);

	if (connector == NULL)
		return NULL;
	connector->native = native;
	connector->port = port;
	port_hold(port);
	return (NDK_CONNECTOR *)connector;
}
