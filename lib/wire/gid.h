/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_GID_H
#define NDPDK_WIRE_GID_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/be.h"

/** Address of an endpoint, 16 bytes: an IPv6 address, or ::ffff:a.b.c.d for IPv4 (annex A17). */
struct wire_gid {
	uint8_t raw[16];
};

static const uint8_t wire_gid_v4_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

/** @return GID of an IPv4 address in host byte order */
static inline struct wire_gid
wire_gid_from_v4(uint32_t address)
{
	struct wire_gid gid;

	memcpy(gid.raw, wire_gid_v4_prefix, sizeof(wire_gid_v4_prefix));
	be_store32(gid.raw + 12, address);
	return gid;
}

static inline bool
wire_gid_is_v4(const struct wire_gid *gid)
{
	return memcmp(gid->raw, wire_gid_v4_prefix, sizeof(wire_gid_v4_prefix)) == 0;
}

/** @return IPv4 address in host byte order; meaningful only for IPv4-mapped GIDs */
static inline uint32_t
wire_gid_v4(const struct wire_gid *gid)
{
	return be_load32(gid->raw + 12);
}

static inline bool
wire_gid_equal(const struct wire_gid *a, const struct wire_gid *b)
{
	return memcmp(a->raw, b->raw, sizeof(a->raw)) == 0;
}

/** @return true if the address is in fe80::/10 */
static inline bool
wire_gid_is_link_local(const struct wire_gid *gid)
{
	return gid->raw[0] == 0xFE && (gid->raw[1] & 0xC0) == 0x80;
}

/** @return true if a host can have this address: not unspecified, multicast or loopback */
bool wire_gid_is_unicast(const struct wire_gid *gid);

/** Size of the longest text of an address, including the terminator. */
#define WIRE_GID_TEXT_BYTES 46

/**
 * Write the address as text ("192.0.2.1", "2001:db8::1"). The text is empty if size is too small.
 * @return buffer
 */
const char *wire_gid_format(const struct wire_gid *gid, char *buffer, size_t size);

#endif
