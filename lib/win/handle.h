/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_HANDLE_H
#define NDPDK_WIN_HANDLE_H

#include <stdbool.h>

#include <ndpdk/win/windef.h>

#include "base/list.h"

/** What a handle stands for. */
enum win_kind {
	WIN_ANY, /**< in look-ups */
	WIN_EVENT,
	WIN_THREAD,
	WIN_FILE,
	WIN_PORT,
};

/** What every object that a handle stands for begins with. */
struct win_object {
	enum win_kind kind;
	/** Waits do not block. Under the lock of dispatch.h, as what follows. */
	bool signalled;
	/** A wait that it ends takes the signal away. */
	bool auto_reset;
	/** struct win_wait_block of waits for this object, oldest first. */
	struct base_list waits;
	/** The handle; it stays the name of the object after CloseHandle(). */
	HANDLE handle;
	/** Called when the handle is closed, references may be left; may be NULL. */
	void (*close)(struct win_object *object);
	/** Called with the last reference; frees the object. */
	void (*destroy)(struct win_object *object);
};

/**
 * Give an object a handle. The handle holds the first reference.
 *
 * @return
 *   The handle, a multiple of four; NULL: no memory or too many handles, the object is unchanged.
 */
HANDLE win_handle_open(struct win_object *object);

/**
 * Look up an open handle and take a reference. The two lowest bits are ignored, as on Windows.
 *
 * @return
 *   NULL: not an open handle of that kind.
 */
struct win_object *win_handle_ref(HANDLE handle, enum win_kind kind);

/** As win_handle_ref() for a handle that may be closed but whose object has a reference. */
struct win_object *win_handle_object(HANDLE handle);

/** Take one more reference of an object that the caller has one of. */
void win_object_ref(struct win_object *object);

/** Give back a reference; the last one destroys the object. */
void win_object_unref(struct win_object *object);

/**
 * Close a handle: it is invalid from now on, and its reference is given back.
 *
 * @return
 *   false: not an open handle.
 */
bool win_handle_close(HANDLE handle);

/** Set up the members of an object that has no handle yet. */
void win_object_init(
	struct win_object *object, enum win_kind kind, void (*destroy)(struct win_object *object));

#endif
