/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_PORT_H
#define NDPDK_WIN_PORT_H

#include "win/dispatch.h"
#include "win/win.h"

/** What a completion port queues. */
struct win_packet {
	struct base_list node;
	ULONG_PTR key;
	OVERLAPPED *overlapped;
	NTSTATUS status;
	DWORD bytes;
};

struct win_port;

/** Queue a packet or hand it to a thread that waits. Takes the packet over. With the lock held. */
void win_port_deliver(struct win_port *port, struct win_packet *packet, struct win_wakes *wakes);

/** The calling thread is about to wait: it is not busy with packets. With the lock held. */
void win_port_pause(struct win_wakes *wakes);

/** The wait has ended. With the lock held. */
void win_port_resume(void);

/** Create a port with a handle, which holds its first reference; NULL: no memory. */
struct win_port *win_port_create(DWORD threads);

HANDLE win_port_handle(const struct win_port *port);

/** References of a port. */
void win_port_ref(struct win_port *port);
void win_port_unref(struct win_port *port);

#endif
