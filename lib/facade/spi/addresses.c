/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/addresses.h"

#include <netinet/in.h>
#include <string.h>

#include "spi/status.h"

size_t
spi_address_bytes(int family)
{
	if (family == AF_INET)
		return sizeof(struct sockaddr_in);
	return family == AF_INET6 ? sizeof(struct sockaddr_in6) : 0;
}

static const struct sockaddr_storage *
address_of(const struct spi_device *device)
{
	return &device->config->native.address;
}

nd_status
spi_address_list(const struct spi_device *device, SOCKET_ADDRESS_LIST *list, size_t *bytes)
{
	size_t count = device == NULL ? spi_device_count() : 1;
	size_t needed = offsetof(SOCKET_ADDRESS_LIST, Address) + count * sizeof(SOCKET_ADDRESS);
	size_t first = needed;
	uint8_t *place;
	bool room;

	for (size_t i = 0; i < count; i++)
		needed += spi_address_bytes(
			address_of(device == NULL ? spi_device_get(i) : device)->ss_family);
	room = list != NULL && *bytes >= needed;
	*bytes = needed;
	if (!room)
		return ND_BUFFER_OVERFLOW;
	place = (uint8_t *)list + first;
	list->iAddressCount = (INT)count;
	for (size_t i = 0; i < count; i++) {
		const struct sockaddr_storage *own =
			address_of(device == NULL ? spi_device_get(i) : device);
		size_t length = spi_address_bytes(own->ss_family);

		memcpy(place, own, length);
		list->Address[i].lpSockaddr = (struct sockaddr *)(void *)place;
		list->Address[i].iSockaddrLength = (INT)length;
		place += length;
	}
	return ND_SUCCESS;
}

nd_status
spi_address_list_32(const struct spi_device *device, SOCKET_ADDRESS_LIST *list, ULONG *bytes)
{
	size_t wide = *bytes;
	nd_status status = spi_address_list(device, list, &wide);

	*bytes = spi_ulong(wide);
	return status;
}

nd_status
spi_address_store(
	const struct sockaddr_storage *own, uint16_t port, struct sockaddr *address, size_t *bytes)
{
	size_t needed = spi_address_bytes(own->ss_family);
	bool room = address != NULL && *bytes >= needed;
	struct sockaddr_storage copy = *own;

	*bytes = needed;
	if (!room)
		return ND_BUFFER_OVERFLOW;
	/* The port has the same offset in IPv4 and IPv6 addresses. */
	((struct sockaddr_in *)&copy)->sin_port = port;
	memcpy(address, &copy, needed);
	return ND_SUCCESS;
}

static_assert(offsetof(struct sockaddr_in, sin_port) == offsetof(struct sockaddr_in6, sin6_port),
	"the port has the same offset in both families");

static bool
is_zero(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return ((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr ==
			INADDR_ANY;
	return IN6_IS_ADDR_UNSPECIFIED(
		&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

enum spi_address_kind
spi_address_classify(const struct spi_device *device, const struct sockaddr *address, size_t bytes,
	uint16_t *port)
{
	if (bytes < sizeof(struct sockaddr_in) || spi_address_bytes(address->sa_family) == 0 ||
		bytes < spi_address_bytes(address->sa_family))
		return SPI_ADDRESS_BAD;
	*port = ((const struct sockaddr_in *)(const void *)address)->sin_port;
	if (is_zero(address))
		return SPI_ADDRESS_ZERO;
	return spi_device_find(address, bytes) == device ? SPI_ADDRESS_OWN : SPI_ADDRESS_OTHER;
}
