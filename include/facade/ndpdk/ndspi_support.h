/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_SUPPORT_H
#define NDPDK_NDSPI_SUPPORT_H

/**
 * @file
 * The helper library of Network Direct programs: finds and opens the adapters of the process by
 * address. The environment variable NDPDK_SPI_CONFIG contains the name of the configuration file,
 * or the text of the configuration: docs/facade/spi.md.
 */

#include <ndpdk/ndspi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Flags of NdQueryAddressList(): addresses to exclude. */
/** no effect, because no adapter is an emulator */
#define ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES 0x00000001u
/** no effect, because adapters have both versions */
#define ND_QUERY_EXCLUDE_NDv1_ADDRESSES     0x00000002u
/** no effect, because adapters have both versions */
#define ND_QUERY_EXCLUDE_NDv2_ADDRESSES     0x00000004u

/**
 * Read the configuration. May be called several times; each call needs an NdCleanup().
 *
 * @return S_OK; ND_DEVICE_NOT_READY: the configuration is missing or invalid. The log of DPDK (on
 *         stderr) contains the cause once, and NdGetConfigurationError() returns it
 * @note Threads: any.
 */
HRESULT NdStartup(VOID);

/**
 * Undo one NdStartup(). The last call stops the ports of adapters that are no longer open. Open
 * adapters continue until their last object is released.
 *
 * @return S_OK; ND_DEVICE_NOT_READY: there was no NdStartup()
 * @note Threads: any.
 */
HRESULT NdCleanup(VOID);

/**
 * Does nothing, because the only provider stays loaded.
 *
 * @note Threads: any.
 */
VOID NdFlushProviders(VOID);

/**
 * Copy the addresses of all adapters.
 *
 * @param flags ND_QUERY_, any combination
 * @param[out] pAddressList unchanged after a failure; may be NULL when *pcbAddressList is 0
 * @param[in,out] pcbAddressList in: bytes at pAddressList; out: bytes needed or used
 * @return S_OK; ND_BUFFER_OVERFLOW: pAddressList is too small; ND_INVALID_PARAMETER_1: unknown
 *         flags; _3: NULL; ND_DEVICE_NOT_READY: no usable configuration
 * @note Threads: any.
 */
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST *pAddressList, SIZE_T *pcbAddressList);

/**
 * Find the adapter for a remote address: the adapter on the same network, otherwise an adapter with
 * a gateway, otherwise the first adapter of the address family.
 *
 * @param[out] pLocalAddress address of the adapter, with port 0; unchanged after a failure
 * @param[in,out] pcbLocalAddress in: bytes at pLocalAddress; out: bytes needed or used
 * @return S_OK; ND_BUFFER_OVERFLOW: pLocalAddress is too small or NULL; ND_INVALID_ADDRESS: not an
 *         IPv4 or IPv6 address; ND_NETWORK_UNREACHABLE: no adapter has an address of this family;
 *         ND_INVALID_PARAMETER_1, _4: NULL
 * @note Threads: any.
 */
HRESULT NdResolveAddress(const struct sockaddr *pRemoteAddress, SIZE_T cbRemoteAddress,
	struct sockaddr *pLocalAddress, SIZE_T *pcbLocalAddress);

/**
 * Check whether an adapter has this address. The port is ignored.
 *
 * @return S_OK: an adapter has the address; ND_INVALID_ADDRESS: none has it;
 *         ND_INVALID_PARAMETER_1: pAddress is NULL
 * @note Threads: any.
 */
HRESULT NdCheckAddress(const struct sockaddr *pAddress, SIZE_T cbAddress);

/**
 * Open an adapter by its address.
 *
 * @param iid IID_IND2Adapter
 * @param[out] ppIAdapter unchanged after a failure
 * @return S_OK; ND_INVALID_ADDRESS: no adapter has the address; ND_INVALID_PARAMETER_1, _2, _4:
 *         NULL; E_NOINTERFACE: other iid; others: as IND2Provider::OpenAdapter
 * @note Threads: any.
 */
HRESULT
NdOpenAdapter(REFIID iid, const struct sockaddr *pAddress, SIZE_T cbAddress, VOID **ppIAdapter);

/**
 * Open an adapter by its address, for version 1.
 *
 * @param[out] ppIAdapter unchanged after a failure
 * @return S_OK; ND_INVALID_ADDRESS: no adapter has the address; ND_INVALID_PARAMETER_1, _3: NULL;
 *         others: as NdOpenAdapter()
 * @note Threads: any.
 */
HRESULT NdOpenV1Adapter(const struct sockaddr *pAddress, SIZE_T cbAddress, INDAdapter **ppIAdapter);

/**
 * Create the provider object, as the entry point of a provider library does on Windows.
 *
 * @param iid IID_IND2Provider, IID_INDProvider or IID_IUnknown
 * @param[out] ppProvider unchanged after a failure
 * @return S_OK; ND_INVALID_PARAMETER_1, _2: NULL; E_NOINTERFACE: other iid; ND_NO_MEMORY
 * @note Threads: any.
 */
HRESULT NdOpenProvider(REFIID iid, VOID **ppProvider);

/**
 * Extension of Network Direct: return why the configuration or an adapter cannot be used.
 *
 * @return cause and remedy of the last failure in this process, in sentences; "" if there was no
 *         failure. Static text, valid until the next failure
 * @note Threads: any.
 */
const char *NdGetConfigurationError(VOID);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
