/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_LOOKUP_H
#define NDPDK_ND_LOOKUP_H

/**
 * @file
 * The open adapters of the process: all of them, or the one for an address. Adapters of
 * nd_adapter_open() are meant; those of nd_adapter_open_virtual() are found by nobody.
 *
 * A handle stays valid until somebody closes the adapter; a program that looks adapters up in one
 * thread and closes them in another one has to agree with itself.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Protocol numbers (IANA) for the calls that take one: they choose the port space of the RDMA
 * connection manager, and have nothing to do with how packets travel. Both ends need the same one.
 */
#define ND_PROTOCOL_TCP  6   /**< RDMA_PS_TCP of Linux' rdma_cm: what most programs use */
#define ND_PROTOCOL_UDP  17  /**< RDMA_PS_UDP */
#define ND_PROTOCOL_IB   63  /**< RDMA_PS_IB */
#define ND_PROTOCOL_SCTP 132 /**< no port space of Linux */

/** Bytes of an adapter's name with its end, at most. */
#define ND_ADAPTER_NAME_BYTES 80

/** One open adapter. */
struct nd_adapter_entry {
	struct nd_adapter *adapter;       /**< its handle */
	uint32_t number;                  /**< as in telemetry; free again when it is closed */
	char name[ND_ADAPTER_NAME_BYTES]; /**< nd_adapter_name() */
	struct sockaddr_storage address;  /**< own address; port 0 */
	uint8_t prefix_length;            /**< bits of its network */
};

/**
 * List the open adapters, in the order of their numbers.
 *
 * @param[out] entries filled with up to count entries; may be NULL when count is 0
 * @return how many there are, which may exceed count
 * @note Threads: any.
 */
size_t nd_adapter_list(struct nd_adapter_entry *entries, size_t count);

/**
 * Find the open adapter that has an address. Of several, in different networks, the one with the
 * smallest number.
 *
 * @param address IPv4 or IPv6; its port is not looked at
 * @param length bytes at address
 * @param[out] adapter unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: adapter is NULL; ND_INVALID_ADDRESS: NULL, of another
 *         family, or too short, or no open adapter has it
 * @note Threads: any.
 */
nd_status nd_adapter_find_by_address(
	const struct sockaddr *address, size_t length, struct nd_adapter **adapter);

/**
 * Find the open adapter that reaches a peer, as nd_connector_connect() of that adapter does: one
 * that has the address itself (loopback); else one with a static neighbour of this address; else
 * the one whose own network the peer is in, the smallest of them; else one with a gateway. Of
 * several, the one with the smallest number. Nobody is asked whether the peer is there.
 *
 * @param remote IPv4 or IPv6; its port is not looked at
 * @param remote_length bytes at remote
 * @param[out] adapter may be NULL; unchanged after a failure
 * @param[out] local the adapter's own address, port 0; may be NULL; unchanged after a failure
 * @param[in,out] local_length in: bytes at local; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW; may be NULL if local is
 * @return ND_SUCCESS; ND_INVALID_ADDRESS: NULL, of another family, too short, or no unicast
 *         address; ND_NETWORK_UNREACHABLE: no open adapter reaches it; ND_BUFFER_OVERFLOW: local is
 *         too small
 * @note Threads: any.
 */
nd_status nd_adapter_resolve_address(const struct sockaddr *remote, size_t remote_length,
	struct nd_adapter **adapter, struct sockaddr *local, size_t *local_length);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
