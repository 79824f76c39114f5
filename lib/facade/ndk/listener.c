/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Listeners. A session is the time in which a native listener exists. During a session, one
 * connector always waits for the next request. A pause or close ends the session by cancelling this
 * wait. The last callback of the session releases the native objects, so that they are not released
 * while a callback is running.
 */

#include "ndk/listener.h"

#include <endian.h>
#include <stdlib.h>

#include "ndk/address.h"
#include "ndk/connector.h"
#include "ndk/refuse.h"
#include "ndk/status.h"

#define TCP_PORT_SPACE 6

struct listener_session {
	struct ndk_listener *listener; /* listener of the session; the session has a reference */
	/*
	 * Number of users of the session: the listener, the pending wait for a request, and the
	 * call that begins the wait. Atomic.
	 */
	unsigned int users;
	struct nd_listener *native;
	struct nd_connector *waiting; /* connector that waits for the next request */
	struct nd_overlapped request;
	bool ended; /* true: do not wait for another request; atomic */
};

static void session_resume(struct ndk_listener *listener);

/** Called when a session has ended: the listener may now begin another session. */
static void
session_gone(struct ndk_listener *listener)
{
	pthread_mutex_lock(&listener->object.tree->lock);
	listener->alive = false;
	pthread_mutex_unlock(&listener->object.tree->lock);
}

/** Remove users of a session. The last user releases the native objects. */
static void
session_put(struct listener_session *session, unsigned int users)
{
	struct ndk_listener *listener = session->listener;

	if (__atomic_sub_fetch(&session->users, users, __ATOMIC_ACQ_REL) != 0)
		return;
	nd_connector_release(session->waiting);
	nd_listener_release(session->native);
	free(session);
	session_gone(listener);
	/* A resume during this session could not begin a session, so begin one now. */
	session_resume(listener);
	object_drop(&listener->object);
}

/**
 * Remove the session from the listener.
 *
 * @param only remove only this session; NULL: any session
 * @return the session: the caller takes over the use by the listener; NULL: the listener had a
 *         different session or none
 */
static struct listener_session *
session_take(struct ndk_listener *listener, const struct listener_session *only)
{
	struct listener_session *session;

	pthread_mutex_lock(&listener->object.tree->lock);
	session = listener->session;
	if (only != NULL && session != only)
		session = NULL;
	if (session != NULL)
		listener->session = NULL;
	pthread_mutex_unlock(&listener->object.tree->lock);
	return session;
}

/** End the session: wait for no further request. Called for a close, a pause or a failure. */
static void
session_stop(struct listener_session *session)
{
	struct ndk_listener *listener = session->listener;
	bool own = session_take(listener, session) != NULL;

	/* Do not begin another session after a failure, because the new session would also fail. */
	if (own) {
		pthread_mutex_lock(&listener->object.tree->lock);
		listener->resumed = false;
		pthread_mutex_unlock(&listener->object.tree->lock);
	}
	session_put(session, own ? 2 : 1);
}

/** Pass a connector with a request to the consumer's callback. */
static void
deliver(struct listener_session *session)
{
	struct ndk_listener *listener = session->listener;
	struct nd_connector *native = session->waiting;
	NDK_CONNECTOR *connector;
	const void *outer;

	session->waiting = NULL;
	connector = connector_of_request(adapter_of(&listener->object), native, listener->port);
	if (connector == NULL) {
		/* Releasing the native connector rejects the request. */
		nd_connector_release(native);
		return;
	}
	outer = telling_begin(listener->object.tree);
	listener->asked(listener->asked_context, connector);
	telling_end(outer);
}

static void session_over(struct nd_overlapped *request, void *arg);

/**
 * Wait for the next request. Requests that are already queued are passed to the consumer first.
 * @return status of the last native call
 */
static nd_status
session_wait(struct listener_session *session)
{
	struct ndk_adapter *adapter = adapter_of(&session->listener->object);
	nd_status status = ND_SUCCESS;

	while (status == ND_SUCCESS && !__atomic_load_n(&session->ended, __ATOMIC_ACQUIRE)) {
		status = nd_adapter_create_connector(adapter->native, &session->waiting);
		if (status != ND_SUCCESS)
			break;
		session->request =
			(struct nd_overlapped){.callback = session_over, .callback_arg = session};
		status = nd_listener_get_connection_request(
			session->native, session->waiting, &session->request);
		if (status == ND_SUCCESS)
			deliver(session);
	}
	return status;
}

static void
session_over(struct nd_overlapped *request, void *arg)
{
	struct listener_session *session = arg;
	nd_status status = nd_overlapped_get_result(request, NULL, false);

	if (status == ND_SUCCESS) {
		deliver(session);
		status = session_wait(session);
	}
	/*
	 * If no port or no memory for another connector is available, end the session. Further
	 * requests are then refused.
	 */
	if (status != ND_PENDING)
		session_stop(session);
}

/** Wait for the first request of a session. The caller must be a user of the session. */
static NTSTATUS
session_start(struct listener_session *session)
{
	nd_status status = session_wait(session);

	/* A pause before this wait found no wait that it could cancel. Cancel the wait now. */
	if (status == ND_PENDING && __atomic_load_n(&session->ended, __ATOMIC_ACQUIRE))
		nd_listener_cancel_overlapped_requests(session->native);
	if (status == ND_PENDING)
		return STATUS_SUCCESS;
	session_stop(session);
	return status_of(status);
}

/**
 * Create a session. The caller has set listener->alive.
 * @return STATUS_SUCCESS: the native listener listens
 */
static NTSTATUS
session_begin(struct ndk_listener *listener)
{
	struct listener_session *session = calloc(1, sizeof(*session));
	nd_status listening;
	NTSTATUS status;

	if (session == NULL) {
		session_gone(listener);
		return STATUS_INSUFFICIENT_RESOURCES;
	}
	session->listener = listener;
	listening = nd_adapter_listen(adapter_of(&listener->object)->native, 0, TCP_PORT_SPACE,
		htobe16(listener->port->number), NULL, &session->native);
	if (listening != ND_SUCCESS) {
		free(session);
		session_gone(listener);
		return status_of(listening);
	}
	session->users = 2;
	pthread_mutex_lock(&listener->object.tree->lock);
	listener->object.references++;
	/* A pause or close before this point found no session, so end the session now. */
	session->ended = !listener->resumed || listener->object.closing;
	if (!session->ended) {
		session->users++;
		listener->session = session;
	}
	pthread_mutex_unlock(&listener->object.tree->lock);
	status = session_start(session);
	session_put(session, 1);
	return status;
}

/** Begin a session if the listener is not paused and no session exists. */
static void
session_resume(struct ndk_listener *listener)
{
	bool begin;

	pthread_mutex_lock(&listener->object.tree->lock);
	begin = listener->state == LISTENER_LISTENS && listener->resumed && !listener->alive &&
		!listener->object.closing;
	if (begin)
		listener->alive = true;
	pthread_mutex_unlock(&listener->object.tree->lock);
	if (begin)
		session_begin(listener);
}

static void
session_end(struct ndk_listener *listener)
{
	struct listener_session *session = session_take(listener, NULL);

	if (session == NULL)
		return;
	__atomic_store_n(&session->ended, true, __ATOMIC_RELEASE);
	/*
	 * The cancellation runs the callback of the pending wait, which ends the session. If
	 * this function was called by that callback, the callback ends the session later.
	 */
	nd_listener_cancel_overlapped_requests(session->native);
	session_put(session, 1);
}

/** Set the port that the listener's sessions use. NULL: listening failed. */
static void
port_set(struct ndk_listener *listener, struct ndk_port *port)
{
	pthread_mutex_lock(&listener->object.tree->lock);
	listener->port = port;
	listener->alive = port != NULL;
	pthread_mutex_unlock(&listener->object.tree->lock);
}

/**
 * Listen on a port that no object of this adapter uses. Native objects may still use the port.
 *
 * @param number host byte order; 0: any
 */
static NTSTATUS
listen_to(struct ndk_listener *listener, uint16_t number)
{
	struct ndk_adapter *adapter = adapter_of(&listener->object);
	struct ndk_port *refused[64], *port;
	unsigned int count = 0;
	NTSTATUS status;

	do {
		status = port_take(&adapter->ports, number, &port);
		if (status != STATUS_SUCCESS)
			break;
		port_set(listener, port);
		status = session_begin(listener);
		if (status != STATUS_SUCCESS) {
			refused[count++] = port;
			port_set(listener, NULL);
		}
	} while (status == STATUS_SHARING_VIOLATION && number == 0 && count < 64);
	while (count != 0)
		port_drop(refused[--count]);
	return status;
}

/** @return false: the listener already listens, or another NdkListen() is in progress */
static bool
listen_begin(struct ndk_listener *listener)
{
	bool rests;

	pthread_mutex_lock(&listener->object.tree->lock);
	rests = listener->state == LISTENER_RESTS;
	if (rests) {
		listener->state = LISTENER_BEGINS;
		listener->resumed = true;
	}
	pthread_mutex_unlock(&listener->object.tree->lock);
	return rests;
}

static void
listen_end(struct ndk_listener *listener, NTSTATUS status)
{
	pthread_mutex_lock(&listener->object.tree->lock);
	listener->state = status == STATUS_SUCCESS ? LISTENER_LISTENS : LISTENER_RESTS;
	pthread_mutex_unlock(&listener->object.tree->lock);
	/* A pause and a resume during this call could not begin a session, so begin one now. */
	session_resume(listener);
}

static NTSTATUS
entry_listen(NDK_LISTENER *object, CONST PSOCKADDR address, ULONG length,
	NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_listener *listener = (struct ndk_listener *)object;
	uint16_t number;
	NTSTATUS status = ARGUMENTS_CHECK("NdkListen",
		{"pNdkListener", object_is(object, NdkObjectTypeListener), "an open NDK_LISTENER"},
		{"RequestCompletion", completion != NULL, NULL});

	(void)context;
	if (status == STATUS_SUCCESS)
		status = address_own(
			adapter_of(&listener->object), "NdkListen", "", address, length, &number);
	if (status != STATUS_SUCCESS)
		return status;
	if (!listen_begin(listener))
		return STATUS_INVALID_DEVICE_STATE;
	object_hold(&listener->object);
	status = listen_to(listener, number);
	listen_end(listener, status);
	object_drop(&listener->object);
	return status;
}

static NTSTATUS
entry_address(NDK_LISTENER *object, PSOCKADDR address, ULONG *length)
{
	struct ndk_listener *listener = (struct ndk_listener *)object;
	uint16_t number = 0;
	const NTSTATUS status = ARGUMENTS_CHECK(ADDRESS_GETTER,
		{"pNdkListener", object_is(object, NdkObjectTypeListener), "an open NDK_LISTENER"},
		{"pAddressLength", length != NULL, NULL});

	if (status != STATUS_SUCCESS)
		return status;
	pthread_mutex_lock(&listener->object.tree->lock);
	if (listener->port != NULL)
		number = listener->port->number;
	pthread_mutex_unlock(&listener->object.tree->lock);
	if (number == 0)
		return STATUS_INVALID_DEVICE_STATE;
	return address_tell(adapter_of(&listener->object), number, address, length);
}

static VOID
entry_control(NDK_LISTENER *object, BOOLEAN pause)
{
	struct ndk_listener *listener = (struct ndk_listener *)object;

	if (!object_is(object, NdkObjectTypeListener))
		return;
	pthread_mutex_lock(&listener->object.tree->lock);
	listener->resumed = pause == 0;
	pthread_mutex_unlock(&listener->object.tree->lock);
	if (pause != 0)
		session_end(listener);
	else
		session_resume(listener);
}

static void
shut(struct ndk_object *object)
{
	session_end((struct ndk_listener *)object);
}

static void
destroy(struct ndk_object *object)
{
	port_drop(((struct ndk_listener *)object)->port);
}

OBJECT_ENTRIES(Listener)

static const NDK_LISTENER_DISPATCH dispatch = {
	.NdkCloseListener = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkListen = entry_listen,
	.NdkGetLocalAddress = entry_address,
	.NdkControlConnectEvents = entry_control,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeListener,
	.size = sizeof(struct ndk_listener),
	.dispatch = &dispatch,
	.shut = shut,
	.destroy = destroy,
};

NTSTATUS
listener_create(struct ndk_adapter *adapter, NDK_FN_CONNECT_EVENT_CALLBACK asked, PVOID context,
	NDK_LISTENER **out)
{
	struct ndk_listener *listener = object_create(&adapter->tree, &kind);

	if (listener == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	listener->asked = asked;
	listener->asked_context = context;
	*out = (NDK_LISTENER *)listener;
	return STATUS_SUCCESS;
}
