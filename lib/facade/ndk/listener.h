/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_LISTENER_INTERNAL_H
#define NDPDK_NDK_LISTENER_INTERNAL_H

#include "ndk/adapter.h"

struct listener_session;

/** Progress of NdkListen(). */
enum listener_state {
	LISTENER_RESTS = 0,
	LISTENER_BEGINS, /* NdkListen() is in progress; other calls are refused */
	LISTENER_LISTENS,
};

struct ndk_listener {
	struct ndk_object object;
	NDK_FN_CONNECT_EVENT_CALLBACK asked;
	PVOID asked_context;
	/* The following members are protected by the lock of the tree. */
	enum listener_state state;
	bool resumed;                     /* false: paused by the consumer */
	bool alive;                       /* true: a session exists or is being created */
	struct ndk_port *port;            /* NULL: not listening */
	struct listener_session *session; /* current session; NULL: not listening, or paused */
};

/** NdkCreateListener(). */
NTSTATUS listener_create(struct ndk_adapter *adapter, NDK_FN_CONNECT_EVENT_CALLBACK asked,
	PVOID context, NDK_LISTENER **out);

#endif
