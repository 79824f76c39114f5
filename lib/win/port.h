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

/**
 * Associate a file of CreateIoCompletionPort() with a port.
 *
 * @return
 *   false: it has a port, or it is not a file; the error is set.
 */
bool win_file_associate(HANDLE file, struct win_port *port, ULONG_PTR key);

/** References of a port. */
void win_port_ref(struct win_port *port);
void win_port_unref(struct win_port *port);

#endif
