/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/address.h"

#include <arpa/inet.h>
#include <string.h>

#include "ndk/refuse.h"

static size_t
bytes_of(sa_family_t family)
{
	return family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

/** Refuse an address of another host, or of another family. */
static __attribute__((cold, noinline)) NTSTATUS
foreign(const struct ndk_adapter *adapter, const char *function, const char *prefix)
{
	const struct sockaddr_storage *own = &adapter->address;
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(own->ss_family,
		own->ss_family == AF_INET6
			? (const void *)&((const struct sockaddr_in6 *)own)->sin6_addr
			: (const void *)&((const struct sockaddr_in *)own)->sin_addr,
		text, sizeof(text));
	return NDK_REFUSE_AS(STATUS_INVALID_ADDRESS, function,
		"p%sAddress: expected %s, the address of the adapter, or the wildcard address",
		prefix, text);
}

/** Check that an address has a known family, and the right length for this family. */
static NTSTATUS
shape_check(const char *function, const char *prefix, const struct sockaddr *address, ULONG length)
{
	sa_family_t family;

	if (address == NULL)
		return NDK_REFUSE(function, "p%sAddress is NULL", prefix);
	if (length < sizeof(family))
		return NDK_REFUSE(function,
			"%sAddressLength is %u, but a sockaddr_in has %zu bytes", prefix, length,
			sizeof(struct sockaddr_in));
	memcpy(&family, address, sizeof(family));
	if (family != AF_INET && family != AF_INET6)
		return NDK_REFUSE(function,
			"p%sAddress has the family %u: expected %d (AF_INET) or %d (AF_INET6)",
			prefix, family, AF_INET, AF_INET6);
	if (length < bytes_of(family))
		return NDK_REFUSE(function, "%sAddressLength is %u, but a %s has %zu bytes", prefix,
			length, family == AF_INET ? "sockaddr_in" : "sockaddr_in6",
			bytes_of(family));
	return STATUS_SUCCESS;
}

NTSTATUS
address_own(const struct ndk_adapter *adapter, const char *function, const char *prefix,
	const struct sockaddr *address, ULONG length, uint16_t *port)
{
	struct sockaddr_storage given = {0};
	const struct sockaddr_in *in = (const struct sockaddr_in *)&given;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&given;
	const struct sockaddr_in *own = (const struct sockaddr_in *)&adapter->address;
	const struct sockaddr_in6 *own6 = (const struct sockaddr_in6 *)&adapter->address;
	const NTSTATUS status = shape_check(function, prefix, address, length);

	if (status != STATUS_SUCCESS)
		return status;
	memcpy(&given, address, length < sizeof(given) ? length : sizeof(given));
	if (given.ss_family != adapter->address.ss_family)
		return foreign(adapter, function, prefix);
	if (given.ss_family == AF_INET) {
		*port = ntohs(in->sin_port);
		return in->sin_addr.s_addr == INADDR_ANY ||
				in->sin_addr.s_addr == own->sin_addr.s_addr
			? STATUS_SUCCESS
			: foreign(adapter, function, prefix);
	}
	*port = ntohs(in6->sin6_port);
	return IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr) ||
			IN6_ARE_ADDR_EQUAL(&in6->sin6_addr, &own6->sin6_addr)
		? STATUS_SUCCESS
		: foreign(adapter, function, prefix);
}

NTSTATUS
address_too_long(const char *function, const struct sockaddr *out, ULONG room, ULONG needed)
{
	if (out == NULL || room == 0)
		return STATUS_BUFFER_TOO_SMALL;
	return NDK_REFUSE_AS(STATUS_BUFFER_TOO_SMALL, function,
		"*pAddressLength is %u, but the address has %u bytes", room, needed);
}

NTSTATUS
address_tell(const struct ndk_adapter *adapter, uint16_t port, struct sockaddr *out, ULONG *length)
{
	struct sockaddr_storage address = adapter->address;
	ULONG room, needed = (ULONG)bytes_of(address.ss_family);

	if (length == NULL)
		return NDK_REFUSE(ADDRESS_GETTER, "pAddressLength is NULL");
	room = *length;
	*length = needed;
	if (out == NULL || room < needed)
		return address_too_long(ADDRESS_GETTER, out, room, needed);
	if (address.ss_family == AF_INET)
		((struct sockaddr_in *)&address)->sin_port = htons(port);
	else
		((struct sockaddr_in6 *)&address)->sin6_port = htons(port);
	memcpy(out, &address, needed);
	return STATUS_SUCCESS;
}
