/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * Waits for events, threads and files.
 *
 * A wait adds one block to the list of each of its objects. A thread that signals an object ends
 * the waits that are now satisfied, oldest first. For each ended wait, it resets the signals of
 * auto-reset objects and removes the blocks of the wait. All this happens under one lock. So a wait
 * for all objects resets all of their signals or none.
 */

#include "win/wait.h"

#include <sched.h>

#include <ndpdk/win/windows.h>

#include "win/error.h"
#include "win/port.h"

struct wait;

struct wait_block {
	struct base_list node;
	struct wait *wait;
	struct win_object *object;
};

struct wait {
	struct win_waiter waiter;
	bool all;
	DWORD count;
	DWORD index; /**< index of the object that ended the wait */
	struct wait_block blocks[MAXIMUM_WAIT_OBJECTS];
};

/**
 * @return true if the objects satisfy the wait now. The signals of auto-reset objects are then
 *         reset.
 */
static bool
wait_take(struct wait *wait)
{
	DWORD set = 0;

	for (DWORD i = 0; i < wait->count; i++) {
		if (!wait->blocks[i].object->signalled)
			continue;
		if (set++ == 0)
			wait->index = i;
		if (!wait->all)
			break;
	}
	if (set == 0 || (wait->all && set < wait->count))
		return false;
	if (wait->all)
		wait->index = 0;
	for (DWORD i = 0; i < wait->count; i++) {
		struct win_object *object = wait->blocks[i].object;

		if (object->auto_reset && (wait->all || i == wait->index))
			object->signalled = false;
	}
	return true;
}

static void
wait_withdraw(struct wait *wait)
{
	for (DWORD i = 0; i < wait->count; i++)
		base_list_remove(&wait->blocks[i].node);
}

void
win_object_signal(struct win_object *object, struct win_wakes *wakes)
{
	struct base_list *node = object->waits.next;

	object->signalled = true;
	while (object->signalled && node != &object->waits) {
		struct wait *wait = ((struct wait_block *)node)->wait;

		if (!wait_take(wait)) {
			node = node->next;
			continue;
		}
		/*
		 * The next block may belong to the wait that has just ended, so start again at the
		 * first block.
		 */
		wait_withdraw(wait);
		win_waiter_finish(&wait->waiter, wakes);
		node = object->waits.next;
	}
}

/** Wait for objects. The caller holds a reference of each object. */
static DWORD
wait_for(struct wait *wait, DWORD milliseconds)
{
	uint64_t deadline_ns;
	struct win_wakes wakes;
	bool done;

	win_lock(&wakes);
	done = wait_take(wait);
	if (!done && milliseconds > 0) {
		for (DWORD i = 0; i < wait->count; i++)
			base_list_append(&wait->blocks[i].object->waits, &wait->blocks[i].node);
		win_port_pause(&wakes);
	}
	win_unlock(&wakes);
	if (done)
		return WAIT_OBJECT_0 + wait->index;
	if (milliseconds == 0) {
		/*
		 * Call the idle hook, because a thread that only polls would otherwise never drive
		 * the engines.
		 */
		win_idle_poll();
		win_lock(&wakes);
		done = wait_take(wait);
		win_unlock(&wakes);
		return done ? WAIT_OBJECT_0 + wait->index : WAIT_TIMEOUT;
	}
	deadline_ns = win_deadline(milliseconds);
	done = win_waiter_block(&wait->waiter, deadline_ns) == WIN_DONE;
	win_lock(&wakes);
	win_port_resume();
	done = done || win_waiter_is_done(&wait->waiter);
	if (!done)
		wait_withdraw(wait);
	win_unlock(&wakes);
	return done ? WAIT_OBJECT_0 + wait->index : WAIT_TIMEOUT;
}

/** Add an object to a wait, and take a reference. */
static bool
wait_add(struct wait *wait, HANDLE handle)
{
	struct win_object *object = win_handle_ref(handle, WIN_ANY);
	struct wait_block *block = &wait->blocks[wait->count];

	if (!object)
		return win_fail(ERROR_INVALID_HANDLE);
	if (object->kind == WIN_PORT) {
		win_object_unref(object);
		return win_fail(ERROR_INVALID_HANDLE);
	}
	base_list_init(&block->node);
	block->wait = wait;
	block->object = object;
	wait->count++;
	return true;
}

static void
wait_init(struct wait *wait, bool all)
{
	win_waiter_init(&wait->waiter);
	wait->all = all;
	wait->count = 0;
	wait->index = 0;
}

DWORD
WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all, DWORD milliseconds)
{
	struct wait wait;
	DWORD result = WAIT_FAILED;

	if (count == 0 || count > MAXIMUM_WAIT_OBJECTS || !handles) {
		win_fail(ERROR_INVALID_PARAMETER);
		return WAIT_FAILED;
	}
	wait_init(&wait, all);
	for (DWORD i = 0; all && i < count; i++) {
		for (DWORD j = 0; j < i; j++) {
			if (handles[i] == handles[j]) {
				win_fail(ERROR_INVALID_PARAMETER);
				return WAIT_FAILED;
			}
		}
	}
	while (wait.count < count && wait_add(&wait, handles[wait.count]))
		;
	if (wait.count == count)
		result = wait_for(&wait, milliseconds);
	for (DWORD i = 0; i < wait.count; i++)
		win_object_unref(wait.blocks[i].object);
	return result;
}

DWORD
WaitForMultipleObjectsEx(
	DWORD count, const HANDLE *handles, BOOL all, DWORD milliseconds, BOOL alertable)
{
	(void)alertable;
	return WaitForMultipleObjects(count, handles, all, milliseconds);
}

DWORD
WaitForSingleObject(HANDLE handle, DWORD milliseconds)
{
	return WaitForMultipleObjects(1, &handle, FALSE, milliseconds);
}

DWORD
WaitForSingleObjectEx(HANDLE handle, DWORD milliseconds, BOOL alertable)
{
	(void)alertable;
	return WaitForMultipleObjects(1, &handle, FALSE, milliseconds);
}

/** Sleep in a wait for no object, because a waiting thread can call the idle hook. */
static void
sleep_until(uint64_t deadline_ns)
{
	struct win_waiter waiter;
	struct win_wakes wakes;

	win_lock(&wakes);
	win_port_pause(&wakes);
	win_unlock(&wakes);
	win_waiter_init(&waiter);
	win_waiter_block(&waiter, deadline_ns);
	win_lock(&wakes);
	win_port_resume();
	win_unlock(&wakes);
}

void
Sleep(DWORD milliseconds)
{
	if (milliseconds > 0) {
		sleep_until(win_deadline(milliseconds));
	} else {
		win_idle_poll();
		sched_yield();
	}
}

DWORD
SleepEx(DWORD milliseconds, BOOL alertable)
{
	(void)alertable;
	Sleep(milliseconds);
	return 0;
}
