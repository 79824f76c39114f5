/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ARGUMENTS_VALUE_H
#define NDPDK_ARGUMENTS_VALUE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_adapter.h>

/*
 * Values of options, the same for all applications. Each function is true when the whole text is a
 * value in range.
 */

/** Decimal, 0x hexadecimal or 0 octal; 0 .. max. */
bool value_number(const char *text, uint64_t max, uint64_t *number);

/** IPv4 or IPv6 address; no names, no port. */
bool value_address(const char *text, struct sockaddr_storage *address);

/** IP[/LEN]; *length is 0 when there is no LEN. */
bool value_network(const char *text, struct sockaddr_storage *address, uint8_t *length);

/** IP,MAC with the MAC address as xx:xx:xx:xx:xx:xx. */
bool value_neighbour(const char *text, struct nd_neighbour *neighbour);

/** A VLAN ID, 1..4094. */
bool value_vlan(const char *text, uint16_t *id);

/** 256, 512, 1024, 2048 or 4096. */
bool value_path_mtu(const char *text, uint16_t *path_mtu);

/** A time in milliseconds, 1..86400000: a day. */
bool value_keepalive(const char *text, uint32_t *milliseconds);

#endif
