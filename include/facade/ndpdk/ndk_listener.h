/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_LISTENER_H
#define NDPDK_NDK_LISTENER_H

/**
 * @file
 * Local addresses of the kernel interface: shared endpoints and listeners. Port numbers are in the
 * TCP port space of Linux' rdma_cm. A port stays in use until its listener or shared endpoint, and
 * all connectors created through it, are closed.
 */

#include <ndpdk/ndk_qp.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * NdkGetLocalAddress: return the address and port of a shared endpoint.
 *
 * @param[out] pAddress unchanged after a failure
 * @param[in,out] pAddressLength in: bytes at pAddress; out: bytes needed or used, also with
 *        STATUS_BUFFER_TOO_SMALL
 * @return STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL: also if pAddress is NULL;
 *         STATUS_INVALID_PARAMETER: pAddressLength is NULL, or not an open object of this type
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_GET_SHARED_ENDPOINT_LOCAL_ADDRESS)(
	NDK_SHARED_ENDPOINT *pNdkSharedEndpoint, PSOCKADDR pAddress, ULONG *pAddressLength);

/** Functions of a shared endpoint. */
struct _NDK_SHARED_ENDPOINT_DISPATCH {
	/** completes after its connectors are closed */
	NDK_FN_CLOSE_OBJECT NdkCloseSharedEndpoint;
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;          /**< none */
	NDK_FN_GET_SHARED_ENDPOINT_LOCAL_ADDRESS NdkGetLocalAddress; /**< address and port */
};

/** Local address for many outgoing connections. */
struct _NDK_SHARED_ENDPOINT {
	NDK_OBJECT_HEADER Header;                     /**< NdkObjectTypeSharedEndpoint */
	CONST NDK_SHARED_ENDPOINT_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkListen: listen for connection requests on a port. Completes at once.
 *
 * @param pAddress own address, or 0 for the adapter's; port 0: choose one
 * @return STATUS_SUCCESS; STATUS_SHARING_VIOLATION: the port is in use; STATUS_INVALID_ADDRESS: not
 *         the adapter's address; STATUS_TOO_MANY_ADDRESSES: no free port;
 *         STATUS_INVALID_DEVICE_STATE: already listening; STATUS_INVALID_PARAMETER: an argument is
 *         NULL or not valid; STATUS_INSUFFICIENT_RESOURCES; STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_LISTEN)(NDK_LISTENER *pNdkListener, CONST PSOCKADDR pAddress,
	ULONG AddressLength, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkGetLocalAddress: return the address and port of a listener.
 *
 * @param[out] pAddress unchanged after a failure
 * @param[in,out] pAddressLength as for a shared endpoint
 * @return same as for a shared endpoint; STATUS_INVALID_DEVICE_STATE: not listening
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_GET_LISTENER_LOCAL_ADDRESS)(
	NDK_LISTENER *pNdkListener, PSOCKADDR pAddress, ULONG *pAddressLength);

/**
 * NdkControlConnectEvents: pause or resume a listener. A paused listener rejects requests as if
 * nobody listened, but keeps its port. Does nothing to a listener that does not listen yet.
 *
 * @param Pause TRUE: pause; FALSE: resume
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_CONTROL_CONNECT_EVENTS)(NDK_LISTENER *pNdkListener, BOOLEAN Pause);

/** Functions of a listener. */
struct _NDK_LISTENER_DISPATCH {
	/** refuses all requests that arrive after this call */
	NDK_FN_CLOSE_OBJECT NdkCloseListener;
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;    /**< none */
	NDK_FN_LISTEN NdkListen;                               /**< begins to listen */
	NDK_FN_GET_LISTENER_LOCAL_ADDRESS NdkGetLocalAddress;  /**< address and port */
	NDK_FN_CONTROL_CONNECT_EVENTS NdkControlConnectEvents; /**< pause, resume */
};

/** Waits for connection requests. */
struct _NDK_LISTENER {
	NDK_OBJECT_HEADER Header;              /**< NdkObjectTypeListener */
	CONST NDK_LISTENER_DISPATCH *Dispatch; /**< its functions */
};

#ifdef __cplusplus
}
#endif

#endif
