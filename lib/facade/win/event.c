/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Events. */

#include <stdlib.h>

#include <ndpdk/win/windows.h>

#include "win/error.h"
#include "win/wait.h"

static void
event_destroy(struct win_object *event)
{
	free(event);
}

static HANDLE
event_create(BOOL manual, BOOL initial)
{
	struct win_object *event = malloc(sizeof(*event));
	HANDLE handle;

	if (!event) {
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	win_object_init(event, WIN_EVENT, event_destroy);
	event->auto_reset = !manual;
	event->signalled = initial;
	handle = win_handle_open(event);
	if (!handle) {
		free(event);
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	SetLastError(ERROR_SUCCESS);
	return handle;
}

HANDLE
CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL initial, LPCSTR name)
{
	(void)attributes;
	if (name) {
		win_fail(ERROR_NOT_SUPPORTED);
		return NULL;
	}
	return event_create(manual, initial);
}

HANDLE
CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL initial, LPCWSTR name)
{
	(void)attributes;
	if (name) {
		win_fail(ERROR_NOT_SUPPORTED);
		return NULL;
	}
	return event_create(manual, initial);
}

BOOL
SetEvent(HANDLE handle)
{
	struct win_object *event = win_handle_ref(handle, WIN_EVENT);
	struct win_wakes wakes;

	if (!event)
		return win_fail(ERROR_INVALID_HANDLE);
	win_lock(&wakes);
	win_object_signal(event, &wakes);
	win_unlock(&wakes);
	win_object_unref(event);
	return TRUE;
}

BOOL
ResetEvent(HANDLE handle)
{
	struct win_object *event = win_handle_ref(handle, WIN_EVENT);
	struct win_wakes wakes;

	if (!event)
		return win_fail(ERROR_INVALID_HANDLE);
	win_lock(&wakes);
	event->signalled = false;
	win_unlock(&wakes);
	win_object_unref(event);
	return TRUE;
}

BOOL
CloseHandle(HANDLE handle)
{
	/*
	 * CloseHandle() accepts the results of GetCurrentProcess() and GetCurrentThread(), without
	 * effect.
	 */
	if (handle == NDWIN_HANDLE(-1) || handle == NDWIN_HANDLE(-2))
		return TRUE;
	return win_handle_close(handle) ? TRUE : win_fail(ERROR_INVALID_HANDLE);
}
