/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/gid.h"

#include <arpa/inet.h>

#include "base/assert.h"

/* First bytes of the networks 0/8, 127/8 and 224/4. */
#define V4_THIS_NETWORK 0
#define V4_LOOPBACK     127
#define V4_MULTICAST    224

bool
wire_gid_is_unicast(const struct wire_gid *gid)
{
	static const struct wire_gid unspecified, loopback = {.raw = {[15] = 1}};
	uint32_t first = wire_gid_v4(gid) >> 24;

	if (wire_gid_is_v4(gid))
		return first != V4_THIS_NETWORK && first != V4_LOOPBACK && first < V4_MULTICAST;
	return gid->raw[0] != 0xFF && !wire_gid_equal(gid, &unspecified) &&
		!wire_gid_equal(gid, &loopback);
}

const char *
wire_gid_format(const struct wire_gid *gid, char *buffer, size_t size)
{
	const char *text = wire_gid_is_v4(gid)
		? inet_ntop(AF_INET, gid->raw + sizeof(wire_gid_v4_prefix), buffer, (socklen_t)size)
		: inet_ntop(AF_INET6, gid->raw, buffer, (socklen_t)size);

	BASE_ASSERT(size > 0);
	if (text == NULL)
		buffer[0] = '\0';
	return buffer;
}
