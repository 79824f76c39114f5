/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_HANDLE_H
#define NDPDK_WIN_HANDLE_H

#include <stdbool.h>

#include <ndpdk/win/windef.h>

#include "base/list.h"

enum win_kind {
	WIN_ANY, /**< any kind; only for lookups */
	WIN_EVENT,
	WIN_THREAD,
	WIN_FILE,
	WIN_PORT,
};

/** Common first member of all objects with a handle. */
struct win_object {
	enum win_kind kind;
	/**
	 * True: waits for the object do not block. The lock in dispatch.h protects signalled,
	 * auto_reset and waits.
	 */
	bool signalled;
	/** True: a wait that ends because of the object resets signalled. */
	bool auto_reset;
	/** List of struct win_wait_block: all waits for this object, oldest first. */
	struct base_list waits;
	/** Handle of the object. It still identifies the object after CloseHandle(). */
	HANDLE handle;
	/** Called when the handle is closed. Other references may remain. May be NULL. */
	void (*close)(struct win_object *object);
	/** Called when the last reference is released. Frees the object. */
	void (*destroy)(struct win_object *object);
};

/**
 * Create a handle for an object. The handle holds the first reference.
 *
 * @return the handle, a multiple of four; NULL: out of memory or too many handles, the object is
 *         unchanged
 */
HANDLE win_handle_open(struct win_object *object);

/**
 * Look up an open handle, and take a reference. The two lowest bits are ignored, as on Windows.
 *
 * @return NULL: not an open handle of this kind
 */
struct win_object *win_handle_ref(HANDLE handle, enum win_kind kind);

/**
 * Take a reference as win_handle_ref() does, but also accept a closed handle if its object still
 * has a reference.
 */
struct win_object *win_handle_object(HANDLE handle);

/** Take another reference. The caller must already hold a reference. */
void win_object_ref(struct win_object *object);

/** Release a reference. Releasing the last reference destroys the object. */
void win_object_unref(struct win_object *object);

/**
 * Close a handle: make the handle invalid, and release its reference.
 *
 * @return false: not an open handle
 */
bool win_handle_close(HANDLE handle);

/** Initialise an object that has no handle yet. */
void win_object_init(
	struct win_object *object, enum win_kind kind, void (*destroy)(struct win_object *object));

#endif
