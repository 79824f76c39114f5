/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * Files, and operations with an OVERLAPPED.
 *
 * An operation ends in one step under the lock: its status, its event and its packet change
 * together. So a thread that sees the status and reuses the OVERLAPPED gets neither a late event
 * nor a late packet of the previous operation. A packet is allocated when an operation begins, so
 * the end of an operation needs no memory.
 */

#include "win/win.h"

#include <stddef.h>
#include <stdlib.h>

#include "win/port.h"
#include "win/error.h"
#include "win/wait.h"

struct win_file {
	struct win_object object;
	struct win_port *port; /**< completion port, with a reference; NULL: none */
	ULONG_PTR key;
};

/** A thread that waits in win_overlapped_status(). */
struct watcher {
	struct win_waiter waiter;
	const OVERLAPPED *overlapped;
};

/*
 * spare_packets has a packet for each pending operation; watchers has the threads that wait. The
 * lock in dispatch.h protects both lists.
 */
static struct base_list spare_packets = {&spare_packets, &spare_packets};
static struct base_list watchers = {&watchers, &watchers};

static struct win_file *
file_of(HANDLE handle)
{
	struct win_object *object = win_handle_object(handle);

	if (object && object->kind != WIN_FILE) {
		win_object_unref(object);
		object = NULL;
	}
	return (struct win_file *)object;
}

static void
file_destroy(struct win_object *object)
{
	struct win_file *file = (struct win_file *)object;

	if (file->port)
		win_port_unref(file->port);
	free(file);
}

HANDLE
win_file_create(void)
{
	struct win_file *file = calloc(1, sizeof(*file));
	HANDLE handle;

	if (!file)
		return NULL;
	win_object_init(&file->object, WIN_FILE, file_destroy);
	handle = win_handle_open(&file->object);
	if (!handle)
		free(file);
	return handle;
}

bool
win_file_ref(HANDLE handle)
{
	return win_handle_ref(handle, WIN_FILE) != NULL;
}

void
win_file_unref(HANDLE handle)
{
	struct win_file *file = file_of(handle);

	if (!file)
		return;
	/* Release two references: one from the lookup, and one that the caller had. */
	win_object_unref(&file->object);
	win_object_unref(&file->object);
}

/** Associate a file with a port. @return false: failed, the error is set */
static bool
file_associate(HANDLE handle, struct win_port *port, ULONG_PTR key)
{
	struct win_file *file = (struct win_file *)win_handle_ref(handle, WIN_FILE);
	struct win_wakes wakes;
	bool ok;

	if (!file)
		return win_fail(ERROR_INVALID_HANDLE);
	win_lock(&wakes);
	ok = !file->port;
	if (ok) {
		file->port = port;
		file->key = key;
		win_port_ref(port);
	}
	win_unlock(&wakes);
	win_object_unref(&file->object);
	return ok ? true : win_fail(ERROR_INVALID_PARAMETER);
}

HANDLE
CreateIoCompletionPort(HANDLE file, HANDLE existing, ULONG_PTR key, DWORD threads)
{
	struct win_port *port;
	HANDLE handle;
	bool ok;

	if (file == INVALID_HANDLE_VALUE && existing) {
		win_fail(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	port = existing ? (struct win_port *)win_handle_ref(existing, WIN_PORT)
			: win_port_create(threads);
	if (!port) {
		win_fail(existing ? ERROR_INVALID_HANDLE : ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	handle = win_port_handle(port);
	ok = file == INVALID_HANDLE_VALUE || file_associate(file, port, key);
	if (existing)
		win_port_unref(port);
	else if (!ok)
		win_handle_close(handle);
	return ok ? handle : NULL;
}

/** @return event in hEvent, ignoring the lowest bit, with a reference; NULL: no event */
static struct win_object *
event_of(const OVERLAPPED *overlapped)
{
	return win_handle_ref(overlapped->hEvent, WIN_EVENT);
}

static bool
wants_packet(const OVERLAPPED *overlapped)
{
	return ((ULONG_PTR)overlapped->hEvent & 1) == 0;
}

static void
set_status(OVERLAPPED *overlapped, NTSTATUS status)
{
	/*
	 * Store atomically, because HasOverlappedIoCompleted() reads the status without the lock.
	 */
	__atomic_store_n(&overlapped->Internal, (ULONG_PTR)(ULONG)status, __ATOMIC_RELEASE);
}

static NTSTATUS
status_of(const OVERLAPPED *overlapped)
{
	return (NTSTATUS)(ULONG)__atomic_load_n(&overlapped->Internal, __ATOMIC_ACQUIRE);
}

NTSTATUS
win_overlapped_begin(HANDLE handle, OVERLAPPED *overlapped)
{
	struct win_file *file = file_of(handle);
	struct win_object *event = event_of(overlapped);
	struct win_packet *packet = NULL;
	struct win_wakes wakes;

	if (file && (event || ((ULONG_PTR)overlapped->hEvent & ~(ULONG_PTR)1) == 0))
		packet = malloc(sizeof(*packet));
	if (packet) {
		base_list_init(&packet->node);
		win_lock(&wakes);
		base_list_append(&spare_packets, &packet->node);
		overlapped->InternalHigh = 0;
		set_status(overlapped, STATUS_PENDING);
		file->object.signalled = false;
		if (event)
			event->signalled = false;
		win_unlock(&wakes);
	}
	if (event)
		win_object_unref(event);
	if (file)
		win_object_unref(&file->object);
	if (packet)
		return STATUS_SUCCESS;
	if (!file || (!event && ((ULONG_PTR)overlapped->hEvent & ~(ULONG_PTR)1) != 0))
		return STATUS_INVALID_HANDLE;
	return STATUS_INSUFFICIENT_RESOURCES;
}

/** Wake the threads that wait until this operation ends. */
static void
watchers_wake(const OVERLAPPED *overlapped, struct win_wakes *wakes)
{
	struct base_list *node = watchers.next;

	while (node != &watchers) {
		struct watcher *watcher = base_list_entry(node, struct watcher, waiter.node);

		node = node->next;
		if (watcher->overlapped != overlapped)
			continue;
		base_list_remove(&watcher->waiter.node);
		win_waiter_finish(&watcher->waiter, wakes);
	}
}

/** End an operation. Requires the lock. @return packet that was allocated for the operation */
static struct win_packet *
overlapped_end(OVERLAPPED *overlapped, NTSTATUS status, ULONG_PTR bytes, struct win_wakes *wakes)
{
	struct win_packet *packet = (struct win_packet *)spare_packets.next;

	base_list_remove(&packet->node);
	overlapped->InternalHigh = bytes;
	watchers_wake(overlapped, wakes);
	/* As soon as the status is stored, the owner may use or free the OVERLAPPED. */
	set_status(overlapped, status);
	return packet;
}

void
win_overlapped_complete(HANDLE handle, OVERLAPPED *overlapped, NTSTATUS status, ULONG_PTR bytes)
{
	struct win_file *file = file_of(handle);
	struct win_object *event = event_of(overlapped);
	bool to_port = wants_packet(overlapped);
	struct win_packet *packet;
	struct win_wakes wakes;

	win_lock(&wakes);
	packet = overlapped_end(overlapped, status, bytes, &wakes);
	if (file)
		win_object_signal(&file->object, &wakes);
	if (event)
		win_object_signal(event, &wakes);
	if (to_port && file && file->port) {
		packet->key = file->key;
		packet->overlapped = overlapped;
		packet->status = status;
		packet->bytes = (DWORD)bytes;
		win_port_deliver(file->port, packet, &wakes);
		packet = NULL;
	}
	win_unlock(&wakes);
	free(packet);
	if (event)
		win_object_unref(event);
	if (file)
		win_object_unref(&file->object);
}

void
win_overlapped_abandon(HANDLE handle, OVERLAPPED *overlapped, NTSTATUS status)
{
	struct win_packet *packet;
	struct win_wakes wakes;

	(void)handle;
	win_lock(&wakes);
	packet = overlapped_end(overlapped, status, 0, &wakes);
	win_unlock(&wakes);
	free(packet);
}

NTSTATUS
win_overlapped_status(OVERLAPPED *overlapped, BOOL wait)
{
	struct watcher watcher = {.overlapped = overlapped};
	struct win_object *event;
	struct win_wakes wakes;

	if (!wait || status_of(overlapped) != STATUS_PENDING) {
		if (status_of(overlapped) == STATUS_PENDING)
			win_idle_poll();
		return status_of(overlapped);
	}
	event = event_of(overlapped);
	win_waiter_init(&watcher.waiter);
	win_lock(&wakes);
	if (status_of(overlapped) == STATUS_PENDING) {
		base_list_append(&watchers, &watcher.waiter.node);
		win_port_pause(&wakes);
		win_unlock(&wakes);
		win_waiter_block(&watcher.waiter, WIN_NO_DEADLINE);
		win_lock(&wakes);
		win_port_resume();
		if (event && event->auto_reset)
			event->signalled = false;
	}
	win_unlock(&wakes);
	if (event)
		win_object_unref(event);
	return status_of(overlapped);
}
