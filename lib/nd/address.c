/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/address.h"

#include <netinet/in.h>
#include <string.h>

#include <rte_common.h>

bool
address_load(const struct sockaddr *address, size_t length, struct wire_gid *gid, uint16_t *port)
{
	if (address == NULL || length < sizeof(sa_family_t))
		return false;
	if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
		struct sockaddr_in in;

		memcpy(&in, address, sizeof(in));
		*gid = wire_gid_from_v4(ntohl(in.sin_addr.s_addr));
		if (port != NULL)
			*port = ntohs(in.sin_port);
		return true;
	}
	if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
		struct sockaddr_in6 in6;

		memcpy(&in6, address, sizeof(in6));
		memcpy(gid->raw, &in6.sin6_addr, sizeof(gid->raw));
		if (port != NULL)
			*port = ntohs(in6.sin6_port);
		return true;
	}
	return false;
}

nd_status
address_store(const struct wire_gid *gid, uint16_t port, struct sockaddr *address, size_t *length)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	bool v4 = wire_gid_is_v4(gid);
	size_t room = *length;

	*length = v4 ? sizeof(in) : sizeof(in6);
	if (room < *length || address == NULL)
		return ND_BUFFER_OVERFLOW;
	in.sin_addr.s_addr = htonl(wire_gid_v4(gid));
	memcpy(&in6.sin6_addr, gid->raw, sizeof(gid->raw));
	if (v4)
		memcpy(address, &in, sizeof(in));
	else
		memcpy(address, &in6, sizeof(in6));
	return ND_SUCCESS;
}
