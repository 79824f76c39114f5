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
 * @param port out, host order; may be NULL. @return false when the family is unknown or the length
 *         too short.
 */
bool address_load(const struct sockaddr *address, size_t length, struct wire_gid *gid,
	uint16_t *port) __rte_warn_unused_result;

/**
 * ND's size protocol. @return ND_SUCCESS; ND_BUFFER_OVERFLOW: *length says how much is needed,
 * nothing written.
 */
nd_status
address_store(const struct wire_gid *gid, uint16_t port, struct sockaddr *address, size_t *length);

/**
 * @return whether packets can go to it, or come from it: neither unspecified, multicast, broadcast
 *         nor loopback.
 */
bool address_is_unicast(const struct wire_gid *gid);

#endif
