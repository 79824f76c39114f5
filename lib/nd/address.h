/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADDRESS_H
#define NDPDK_ND_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_status.h>

#include "wire/gid.h"

/**
 * Read an IPv4 or IPv6 address.
 * @param port out, host byte order; may be NULL
 * @return false: unknown address family, or length is too short for the family
 */
bool address_load(const struct sockaddr *address, size_t length, struct wire_gid *gid,
	uint16_t *port) __rte_warn_unused_result;

/**
 * Convert an address to a sockaddr.
 * @param length in: size of the buffer; out: bytes needed
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: the buffer is too small, and nothing was written to it
 */
nd_status
address_store(const struct wire_gid *gid, uint16_t port, struct sockaddr *address, size_t *length);

#endif
