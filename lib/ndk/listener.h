/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_LISTENER_INTERNAL_H
#define NDPDK_NDK_LISTENER_INTERNAL_H

#include "ndk/adapter.h"

struct listener_session;

/** How far NdkListen() has come. */
enum listener_state {
	LISTENER_RESTS = 0,
	LISTENER_BEGINS, /* one call is under way; all others are refused */
	LISTENER_LISTENS,
};

/** Listener. */
struct ndk_listener {
	struct ndk_object object;
	NDK_FN_CONNECT_EVENT_CALLBACK asked;
	PVOID asked_context;
	/* Under the lock of the tree. */
	enum listener_state state;
	bool resumed;                     /* the consumer wants events: not paused */
	bool alive;                       /* a session exists, or a call makes one */
	struct ndk_port *port;            /* NULL: it does not listen */
	struct listener_session *session; /* NULL: likewise, or paused */
};

/** NdkCreateListener(). */
NTSTATUS listener_create(struct ndk_adapter *adapter, NDK_FN_CONNECT_EVENT_CALLBACK asked,
	PVOID context, NDK_LISTENER **out);

#endif
