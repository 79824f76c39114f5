/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_ADDRESS_H
#define NDPDK_NDK_ADDRESS_H

#include "ndk/adapter.h"

/** Name of the function of listeners, endpoints and connectors that reads the local address. */
#define ADDRESS_GETTER "NdkGetLocalAddress"

/**
 * Read a local address that the caller passed: the adapter's address, or the wildcard address.
 *
 * @param function name of the NDK function, for the log
 * @param prefix first part of the parameter names ...Address and ...AddressLength: "Src", or ""
 * @param[out] port host byte order; may be 0
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: not an address; STATUS_INVALID_ADDRESS: not an
 *         address of the adapter
 */
NTSTATUS address_own(const struct ndk_adapter *adapter, const char *function, const char *prefix,
	const struct sockaddr *address, ULONG length, uint16_t *port);

/**
 * Store the adapter's address with this port for NdkGetLocalAddress(). The port is in host byte
 * order.
 */
NTSTATUS
address_tell(const struct ndk_adapter *adapter, uint16_t port, struct sockaddr *out, ULONG *length);

/**
 * Called when a buffer for an address is too small. Logs a line, unless the caller only requested
 * the size.
 * @param room size of the buffer
 * @return STATUS_BUFFER_TOO_SMALL
 */
NTSTATUS
address_too_long(const char *function, const struct sockaddr *out, ULONG room, ULONG needed);

#endif
