/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/address.h"

#include <arpa/inet.h>
#include <string.h>

static size_t
bytes_of(sa_family_t family)
{
	return family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

NTSTATUS
address_own(const struct ndk_adapter *adapter, const struct sockaddr *address, ULONG length,
	uint16_t *port)
{
	struct sockaddr_storage given = {0};
	const struct sockaddr_in *in = (const struct sockaddr_in *)&given;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&given;
	const struct sockaddr_in *own = (const struct sockaddr_in *)&adapter->address;
	const struct sockaddr_in6 *own6 = (const struct sockaddr_in6 *)&adapter->address;

	if (address == NULL || length < sizeof(address->sa_family))
		return STATUS_INVALID_PARAMETER;
	memcpy(&given, address, length < sizeof(given) ? length : sizeof(given));
	if (given.ss_family != AF_INET && given.ss_family != AF_INET6)
		return STATUS_INVALID_PARAMETER;
	if (length < bytes_of(given.ss_family))
		return STATUS_INVALID_PARAMETER;
	if (given.ss_family != adapter->address.ss_family)
		return STATUS_INVALID_ADDRESS;
	if (given.ss_family == AF_INET) {
		*port = ntohs(in->sin_port);
		return in->sin_addr.s_addr == INADDR_ANY ||
				in->sin_addr.s_addr == own->sin_addr.s_addr
			? STATUS_SUCCESS
			: STATUS_INVALID_ADDRESS;
	}
	*port = ntohs(in6->sin6_port);
	return IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr) ||
			IN6_ARE_ADDR_EQUAL(&in6->sin6_addr, &own6->sin6_addr)
		? STATUS_SUCCESS
		: STATUS_INVALID_ADDRESS;
}

NTSTATUS
address_tell(const struct ndk_adapter *adapter, uint16_t port, struct sockaddr *out, ULONG *length)
{
	struct sockaddr_storage address = adapter->address;
	ULONG room, needed = (ULONG)bytes_of(address.ss_family);

	if (length == NULL)
		return STATUS_INVALID_PARAMETER;
	room = *length;
	*length = needed;
	if (out == NULL || room < needed)
		return STATUS_BUFFER_TOO_SMALL;
	if (address.ss_family == AF_INET)
		((struct sockaddr_in *)&address)->sin_port = htons(port);
	else
		((struct sockaddr_in6 *)&address)->sin6_port = htons(port);
	memcpy(out, &address, needed);
	return STATUS_SUCCESS;
}
