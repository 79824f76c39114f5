/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_LOOKUP_H
#define NDPDK_ND_LOOKUP_H

/**
 * @file
 * Find the open adapters of the process: all of them, or the adapter for an address. Adapters of
 * nd_adapter_open_virtual() are not included.
 *
 * A handle is valid until the adapter is closed. A program that looks up adapters in one thread and
 * closes them in another must coordinate these threads.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_lookup
 * @{
 */

/*
 * Protocol numbers (IANA). The numbers select the port space of the RDMA connection manager and do
 * not change the packets on the wire. Both sides must use the same number.
 */
#define ND_PROTOCOL_TCP  6   /**< RDMA_PS_TCP of Linux' rdma_cm, used by most programs */
#define ND_PROTOCOL_UDP  17  /**< RDMA_PS_UDP */
#define ND_PROTOCOL_IB   63  /**< RDMA_PS_IB */
#define ND_PROTOCOL_SCTP 132 /**< not a port space of Linux */

/** Maximum length of an adapter's name in bytes, with the terminator. */
#define ND_ADAPTER_NAME_BYTES 80

/** One open adapter. */
struct nd_adapter_entry {
	struct nd_adapter *adapter;       /**< handle of the adapter */
	uint32_t number;                  /**< number in telemetry, reused after a close */
	char name[ND_ADAPTER_NAME_BYTES]; /**< nd_adapter_name() */
	struct sockaddr_storage address;  /**< address of the adapter, with port 0 */
	uint8_t prefix_length;            /**< length of its network prefix, in bits */
};

size_t nd_adapter_list_sized(struct nd_adapter_entry *entries, size_t size, size_t count);

/**
 * List the open adapters in the order of their numbers.
 *
 * @param[out] entries filled with up to count entries; may be NULL when count is 0
 * @return number of open adapters, which may exceed count
 * @note Threads: any.
 */
static inline size_t
nd_adapter_list(struct nd_adapter_entry *entries, size_t count)
{
	return nd_adapter_list_sized(entries, sizeof(*entries), count);
}

/**
 * Find the open adapter with an address. If several adapters in different networks have the
 * address, the one with the smallest number is returned.
 *
 * @param address IPv4 or IPv6; its port is ignored
 * @param length bytes at address
 * @param[out] adapter unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: adapter is NULL; ND_INVALID_ADDRESS: address is NULL,
 *         has another family, is too short, or no open adapter has it
 * @note Threads: any.
 */
nd_status nd_adapter_find_by_address(
	const struct sockaddr *address, size_t length, struct nd_adapter **adapter);

/**
 * Find the open adapter from which a peer can be reached, with the rules of nd_connector_connect().
 * Order: an adapter that has the address itself (loopback); an adapter with a static neighbour of
 * this address; the adapter with the longest network prefix that contains the address; an adapter
 * with a gateway. If several adapters fit, the one with the smallest number is returned. No packets
 * are sent.
 *
 * @param remote IPv4 or IPv6; its port is ignored
 * @param remote_length bytes at remote
 * @param[out] adapter may be NULL; unchanged after a failure
 * @param[out] local the adapter's address, port 0; may be NULL; unchanged after a failure
 * @param[in,out] local_length in: bytes at local; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW; may be NULL if local is NULL
 * @return ND_SUCCESS; ND_INVALID_ADDRESS: remote is NULL, has another family, is too short, or is
 *         not a unicast address; ND_NETWORK_UNREACHABLE: no open adapter reaches it;
 *         ND_BUFFER_OVERFLOW: local is too small; ND_INVALID_PARAMETER_5: local_length is NULL
 * @note Threads: any.
 */
nd_status nd_adapter_resolve_address(const struct sockaddr *remote, size_t remote_length,
	struct nd_adapter **adapter, struct sockaddr *local, size_t *local_length);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
