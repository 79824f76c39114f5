/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * Completion ports.
 *
 * A port limits how many threads are busy with its packets (its concurrency). While fewer threads
 * are busy, a packet goes to the thread that began to wait last, because the caches of this thread
 * are warm. Otherwise the packet is queued. A thread is busy from its packet until its next call
 * for a packet, except while it waits in this layer. A thread may also block elsewhere, which this
 * layer cannot detect. Therefore one waiting thread, the guard, takes a packet that has been
 * queued for GUARD_NS.
 */

#include "win/port.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <ndpdk/win/windows.h>

#include "win/error.h"
#include "win/handle.h"

#define GUARD_NS UINT64_C(10000000)

struct win_port {
	struct win_object object;
	struct base_list packets; /**< oldest first */
	struct base_list takers;  /**< list of struct taker, newest wait first */
	struct taker *guard;
	unsigned int limit;
	unsigned int busy;
	bool closed;
};

/** A thread that waits for a packet. */
struct taker {
	struct win_waiter waiter;
	struct win_packet *packet; /**< NULL after the wait: the port was closed */
};

/** Port whose packet this thread is processing, with a reference. NULL: the thread is not busy. */
static __thread struct win_port *busy_port;
/** True while the thread waits in this layer, so that it does not count as busy. */
static __thread bool busy_paused;

static pthread_key_t busy_key;
static pthread_once_t busy_once = PTHREAD_ONCE_INIT;

static struct taker *
taker_of(struct base_list *node)
{
	return base_list_entry(node, struct taker, waiter.node);
}

void
win_port_ref(struct win_port *port)
{
	win_object_ref(&port->object);
}

void
win_port_unref(struct win_port *port)
{
	win_object_unref(&port->object);
}

/** @return the oldest packet, removed from the queue */
static struct win_packet *
port_pop(struct win_port *port)
{
	struct win_packet *packet = (struct win_packet *)port->packets.next;

	base_list_remove(&packet->node);
	return packet;
}

/**
 * Give packets to waiting threads as far as the concurrency allows, and select a guard for the
 * remaining packets. Requires the lock.
 */
static void
port_serve(struct win_port *port, struct win_wakes *wakes)
{
	while (!base_list_empty(&port->packets) && !base_list_empty(&port->takers)) {
		struct taker *taker = taker_of(port->takers.next);

		if (port->busy >= port->limit) {
			if (!port->guard) {
				port->guard = taker;
				win_waiter_kick(&taker->waiter, wakes);
			}
			return;
		}
		base_list_remove(&taker->waiter.node);
		if (port->guard == taker)
			port->guard = NULL;
		port->busy++;
		taker->packet = port_pop(port);
		win_waiter_finish(&taker->waiter, wakes);
	}
}

void
win_port_deliver(struct win_port *port, struct win_packet *packet, struct win_wakes *wakes)
{
	if (port->closed) {
		free(packet);
		return;
	}
	base_list_append(&port->packets, &packet->node);
	port_serve(port, wakes);
}

void
win_port_pause(struct win_wakes *wakes)
{
	if (!busy_port || busy_paused)
		return;
	busy_paused = true;
	busy_port->busy--;
	port_serve(busy_port, wakes);
}

void
win_port_resume(void)
{
	if (!busy_port || !busy_paused)
		return;
	busy_paused = false;
	busy_port->busy++;
}

/**
 * Mark the calling thread as no longer busy.
 *
 * @param next port from which the thread takes its next packet. Queued packets of this port are
 *        left for the thread
 * @return the previous port, whose reference the caller releases; NULL: none
 */
static struct win_port *
busy_end(const struct win_port *next, struct win_wakes *wakes)
{
	struct win_port *port = busy_port;

	if (!port)
		return NULL;
	if (port == next && !busy_paused)
		port->busy--;
	else
		win_port_pause(wakes);
	busy_port = NULL;
	busy_paused = false;
	return port;
}

/** Thread-local destructor, which runs when a thread ends: the thread is no longer busy. */
static void
busy_thread_ends(void *value)
{
	struct win_wakes wakes;
	struct win_port *port;

	(void)value;
	win_lock(&wakes);
	port = busy_end(NULL, &wakes);
	win_unlock(&wakes);
	if (port)
		win_port_unref(port);
}

static void
busy_key_create(void)
{
	pthread_key_create(&busy_key, busy_thread_ends);
}

static void
packets_free(struct base_list *list)
{
	struct base_list *next;

	for (struct base_list *node = list->next; node != list; node = next) {
		next = node->next;
		free(base_list_entry(node, struct win_packet, node));
	}
	base_list_init(list);
}

static void
port_close(struct win_object *object)
{
	struct win_port *port = (struct win_port *)object;
	struct win_wakes wakes;

	win_lock(&wakes);
	port->closed = true;
	port->guard = NULL;
	packets_free(&port->packets);
	while (!base_list_empty(&port->takers)) {
		struct taker *taker = taker_of(port->takers.next);

		base_list_remove(&taker->waiter.node);
		taker->packet = NULL;
		win_waiter_finish(&taker->waiter, &wakes);
	}
	win_unlock(&wakes);
}

static void
port_destroy(struct win_object *object)
{
	free(object);
}

struct win_port *
win_port_create(DWORD threads)
{
	struct win_port *port = calloc(1, sizeof(*port));
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (!port)
		return NULL;
	win_object_init(&port->object, WIN_PORT, port_destroy);
	port->object.close = port_close;
	base_list_init(&port->packets);
	base_list_init(&port->takers);
	port->limit = threads > 0 ? threads : processors > 0 ? (unsigned int)processors : 1;
	if (!win_handle_open(&port->object)) {
		free(port);
		return NULL;
	}
	return port;
}

HANDLE
win_port_handle(const struct win_port *port)
{
	return port->object.handle;
}

/** Wait for a packet. The lock must be held, and is held on return. */
static struct win_packet *
port_wait(struct win_port *port, DWORD milliseconds, struct win_wakes *wakes, DWORD *error)
{
	uint64_t deadline_ns = win_deadline(milliseconds);
	uint64_t guard_ns = WIN_NO_DEADLINE;
	struct taker taker = {.packet = NULL};
	struct win_packet *packet = NULL;

	win_waiter_init(&taker.waiter);
	/* Insert at the head, because the thread that began to wait last is served first. */
	base_list_append(port->takers.next, &taker.waiter.node);
	if (!base_list_empty(&port->packets) && !port->guard) {
		port->guard = &taker;
		guard_ns = win_now_ns() + GUARD_NS;
	}
	for (;;) {
		enum win_outcome outcome;

		win_unlock(wakes);
		outcome = win_waiter_block(
			&taker.waiter, guard_ns < deadline_ns ? guard_ns : deadline_ns);
		win_lock(wakes);
		if (win_waiter_is_done(&taker.waiter)) {
			*error = ERROR_ABANDONED_WAIT_0;
			return taker.packet;
		}
		if (outcome == WIN_RECHECK) {
			guard_ns = win_now_ns() + GUARD_NS;
			continue;
		}
		if (guard_ns < deadline_ns && base_list_empty(&port->packets)) {
			/* If other threads have taken the queued packets, no guard is needed. */
			port->guard = NULL;
			guard_ns = WIN_NO_DEADLINE;
			continue;
		}
		break;
	}
	base_list_remove(&taker.waiter.node);
	if (port->guard == &taker)
		port->guard = NULL;
	*error = WAIT_TIMEOUT;
	if (guard_ns < deadline_ns) {
		port->busy++;
		packet = port_pop(port);
	}
	/* Select another guard for the remaining packets. */
	port_serve(port, wakes);
	return packet;
}

/** @return the next packet; the calling thread is busy from now on; NULL: *error is set */
static struct win_packet *
port_take(struct win_port *port, DWORD milliseconds, struct win_wakes *wakes, DWORD *error)
{
	if (!base_list_empty(&port->packets) && port->busy < port->limit) {
		port->busy++;
		return port_pop(port);
	}
	if (milliseconds > 0)
		return port_wait(port, milliseconds, wakes, error);
	if (base_list_empty(&port->packets)) {
		/*
		 * Call the idle hook, because a thread that only polls would otherwise never drive
		 * the engines.
		 */
		win_unlock(wakes);
		win_idle_poll();
		win_lock(wakes);
	}
	*error = WAIT_TIMEOUT;
	if (base_list_empty(&port->packets))
		return NULL;
	/* A call that does not wait gets a packet even beyond the concurrency limit. */
	port->busy++;
	return port_pop(port);
}

/**
 * Take a packet. The calling thread is no longer busy with its previous packet. @return NULL:
 * failed, the error is set
 */
static struct win_packet *
port_get(struct win_port *port, DWORD milliseconds)
{
	struct win_packet *packet;
	struct win_wakes wakes;
	struct win_port *old;
	DWORD error = ERROR_ABANDONED_WAIT_0;

	pthread_once(&busy_once, busy_key_create);
	win_lock(&wakes);
	old = busy_end(port, &wakes);
	packet = port->closed ? NULL : port_take(port, milliseconds, &wakes, &error);
	if (packet) {
		busy_port = port;
		win_port_ref(port);
	}
	win_unlock(&wakes);
	if (packet)
		pthread_setspecific(busy_key, port);
	else
		win_fail(error);
	if (old)
		win_port_unref(old);
	return packet;
}

BOOL
GetQueuedCompletionStatus(
	HANDLE handle, LPDWORD bytes, ULONG_PTR *key, LPOVERLAPPED *overlapped, DWORD milliseconds)
{
	struct win_packet *packet;
	struct win_port *port;
	NTSTATUS status;

	if (!overlapped || !bytes || !key)
		return win_fail(ERROR_INVALID_PARAMETER);
	*overlapped = NULL;
	port = (struct win_port *)win_handle_ref(handle, WIN_PORT);
	if (!port)
		return win_fail(ERROR_INVALID_HANDLE);
	packet = port_get(port, milliseconds);
	win_port_unref(port);
	if (!packet)
		return FALSE;
	*overlapped = packet->overlapped;
	*bytes = packet->bytes;
	*key = packet->key;
	status = packet->status;
	free(packet);
	return NT_SUCCESS(status) ? TRUE : win_fail(RtlNtStatusToDosError(status));
}

/** @return another queued packet, without waiting. The thread already counts as busy. */
static struct win_packet *
port_get_more(struct win_port *port)
{
	struct win_packet *packet = NULL;
	struct win_wakes wakes;

	win_lock(&wakes);
	if (!base_list_empty(&port->packets))
		packet = port_pop(port);
	win_unlock(&wakes);
	return packet;
}

BOOL
GetQueuedCompletionStatusEx(HANDLE handle, LPOVERLAPPED_ENTRY entries, ULONG count, PULONG removed,
	DWORD milliseconds, BOOL alertable)
{
	struct win_packet *packet;
	struct base_list taken;
	struct win_port *port;
	ULONG n = 0;

	(void)alertable;
	if (!entries || !removed || count == 0)
		return win_fail(ERROR_INVALID_PARAMETER);
	*removed = 0;
	base_list_init(&taken);
	port = (struct win_port *)win_handle_ref(handle, WIN_PORT);
	if (!port)
		return win_fail(ERROR_INVALID_HANDLE);
	packet = port_get(port, milliseconds);
	while (packet) {
		entries[n].lpCompletionKey = packet->key;
		entries[n].lpOverlapped = packet->overlapped;
		entries[n].Internal = (ULONG_PTR)(ULONG)packet->status;
		entries[n].dwNumberOfBytesTransferred = packet->bytes;
		base_list_append(&taken, &packet->node);
		packet = ++n < count ? port_get_more(port) : NULL;
	}
	packets_free(&taken);
	win_port_unref(port);
	*removed = n;
	return n > 0;
}

BOOL
PostQueuedCompletionStatus(HANDLE handle, DWORD bytes, ULONG_PTR key, LPOVERLAPPED overlapped)
{
	struct win_port *port = (struct win_port *)win_handle_ref(handle, WIN_PORT);
	struct win_packet *packet;
	struct win_wakes wakes;

	if (!port)
		return win_fail(ERROR_INVALID_HANDLE);
	packet = malloc(sizeof(*packet));
	if (!packet) {
		win_port_unref(port);
		return win_fail(ERROR_NOT_ENOUGH_MEMORY);
	}
	base_list_init(&packet->node);
	packet->key = key;
	packet->overlapped = overlapped;
	packet->status = STATUS_SUCCESS;
	packet->bytes = bytes;
	win_lock(&wakes);
	win_port_deliver(port, packet, &wakes);
	win_unlock(&wakes);
	win_port_unref(port);
	return TRUE;
}
