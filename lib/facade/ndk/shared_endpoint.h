/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_SHARED_ENDPOINT_H
#define NDPDK_NDK_SHARED_ENDPOINT_H

#include "ndk/adapter.h"

struct ndk_shared_endpoint {
	struct ndk_object object;
	struct ndk_port *port;
};

/** NdkCreateSharedEndpoint(). */
NTSTATUS shared_endpoint_create(struct ndk_adapter *adapter, const struct sockaddr *address,
	ULONG length, NDK_SHARED_ENDPOINT **out);

#endif
