/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/gid.h"

#include <arpa/inet.h>

#include "base/assert.h"

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
