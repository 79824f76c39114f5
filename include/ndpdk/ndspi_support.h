/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_SUPPORT_H
#define NDPDK_NDSPI_SUPPORT_H

/**
 * @file
 * The helper library of Network Direct programs: the adapters of this process, by address. They
 * come from a configuration file, which the environment variable NDPDK_SPI_CONFIG names, or the
 * variable itself has its text: docs/spi.md.
 */

#include <ndpdk/ndspi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* What NdQueryAddressList() leaves out. */
#define ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES 0x00000001u /**< there are none */
#define ND_QUERY_EXCLUDE_NDv1_ADDRESSES     0x00000002u /**< no effect: there are both versions */
#define ND_QUERY_EXCLUDE_NDv2_ADDRESSES     0x00000004u /**< no effect: there are both versions */

/**
 * Read the configuration. May be called several times; each call needs an NdCleanup().
 *
 * @return S_OK; ND_DEVICE_NOT_READY: there is no configuration, or it is wrong; the cause is
 *         in the log of DPDK, so on stderr, once, and NdGetConfigurationError() has it
 * @note Threads: any.
 */
HRESULT NdStartup(VOID);

/**
 * Undo one NdStartup(). With the last one ports of adapters that nobody has opened any more are
 * stopped; adapters that are open go on until their last object is released.
 *
 * @return S_OK; ND_DEVICE_NOT_READY: there was no NdStartup()
 * @note Threads: any.
 */
HRESULT NdCleanup(VOID);

/**
 * Forget nothing: there is one provider, which stays loaded.
 *
 * @note Threads: any.
 */
VOID NdFlushProviders(VOID);

/**
 * Copy the addresses of all adapters.
 *
 * @param flags ND_QUERY_, any of them
 * @param[out] pAddressList unchanged after a failure; may be NULL when *pcbAddressList is 0
 * @param[in,out] pcbAddressList in: bytes at pAddressList; out: bytes needed or used
 * @return S_OK; ND_BUFFER_OVERFLOW: too small; ND_INVALID_PARAMETER_1: unknown flags; _3: NULL;
 *         ND_DEVICE_NOT_READY: no usable configuration
 * @note Threads: any.
 */
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST *pAddressList, SIZE_T *pcbAddressList);

/**
 * Find the adapter by which a remote address is reached: the one whose network it is in, else one
 * with a gateway, else the first one of its family.
 *
 * @param[out] pLocalAddress its address, with port 0; unchanged after a failure
 * @param[in,out] pcbLocalAddress in: bytes at pLocalAddress; out: bytes needed or used
 * @return S_OK; ND_BUFFER_OVERFLOW: too small, or pLocalAddress NULL; ND_INVALID_ADDRESS: no IPv4
 *         or IPv6 address; ND_NETWORK_UNREACHABLE: no adapter has an address of its family;
 *         ND_INVALID_PARAMETER_1, _4: NULL
 * @note Threads: any.
 */
HRESULT NdResolveAddress(const struct sockaddr *pRemoteAddress, SIZE_T cbRemoteAddress,
	struct sockaddr *pLocalAddress, SIZE_T *pcbLocalAddress);

/**
 * Whether an address is that of an adapter; the port is ignored.
 *
 * @return S_OK; ND_INVALID_ADDRESS; ND_INVALID_PARAMETER_1: NULL
 * @note Threads: any.
 */
HRESULT NdCheckAddress(const struct sockaddr *pAddress, SIZE_T cbAddress);

/**
 * Open an adapter by its address.
 *
 * @param iid IID_IND2Adapter
 * @param[out] ppIAdapter unchanged after a failure
 * @return S_OK; ND_INVALID_ADDRESS; ND_INVALID_PARAMETER_1, _2, _4: NULL; E_NOINTERFACE: another
 *         iid; as IND2Provider::OpenAdapter
 * @note Threads: any.
 */
HRESULT
NdOpenAdapter(REFIID iid, const struct sockaddr *pAddress, SIZE_T cbAddress, VOID **ppIAdapter);

/**
 * Open an adapter by its address, for version 1.
 *
 * @param[out] ppIAdapter unchanged after a failure
 * @return S_OK; ND_INVALID_ADDRESS; ND_INVALID_PARAMETER_1, _3: NULL; as NdOpenAdapter()
 * @note Threads: any.
 */
HRESULT NdOpenV1Adapter(const struct sockaddr *pAddress, SIZE_T cbAddress, INDAdapter **ppIAdapter);

/**
 * Make the provider object, as the entry point of a provider library does on Windows.
 *
 * @param iid IID_IND2Provider, IID_INDProvider or IID_IUnknown
 * @param[out] ppProvider unchanged after a failure
 * @return S_OK; ND_INVALID_PARAMETER_1, _2: NULL; E_NOINTERFACE: another iid; ND_NO_MEMORY
 * @note Threads: any.
 */
HRESULT NdOpenProvider(REFIID iid, VOID **ppProvider);

/**
 * Beyond Network Direct: why the configuration or an adapter cannot be used.
 *
 * @return sentences about the last failure in this process, which say what to write and where; ""
 *         if there was none. Static text, valid until the next failure
 * @note Threads: any.
 */
const char *NdGetConfigurationError(VOID);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
