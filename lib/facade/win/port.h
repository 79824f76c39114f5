/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_PORT_H
#define NDPDK_WIN_PORT_H

#include "win/dispatch.h"
#include "win/win.h"

/** An entry in the queue of a completion port. */
struct win_packet {
	struct base_list node;
	ULONG_PTR key;
	OVERLAPPED *overlapped;
	NTSTATUS status;
	DWORD bytes;
};

struct win_port;

/**
 * Queue a packet, or give it to a waiting thread. Takes ownership of the packet. Requires the lock.
 */
void win_port_deliver(struct win_port *port, struct win_packet *packet, struct win_wakes *wakes);

/** Called when the calling thread begins to wait, and is therefore not busy. Requires the lock. */
void win_port_pause(struct win_wakes *wakes);

/** Called when the wait of the calling thread has ended. Requires the lock. */
void win_port_resume(void);

/** Create a port with a handle, which holds the first reference. @return NULL: out of memory */
struct win_port *win_port_create(DWORD threads);

HANDLE win_port_handle(const struct win_port *port);

void win_port_ref(struct win_port *port);
void win_port_unref(struct win_port *port);

#endif
