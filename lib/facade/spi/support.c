/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Functions of the helper library of Network Direct programs, and the entry point of the provider.
 */

#include <ndpdk/ndspi_support.h>

#include <netinet/in.h>
#include <string.h>

#include "spi/adapter1.h"
#include "spi/addresses.h"
#include "spi/provider.h"
#include "spi/refuse.h"

#define QUERY_FLAGS                                                                                \
	(ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES | ND_QUERY_EXCLUDE_NDv1_ADDRESSES |                   \
		ND_QUERY_EXCLUDE_NDv2_ADDRESSES)

HRESULT
NdStartup(VOID)
{
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	spi_devices_start();
	return S_OK;
}

HRESULT
NdCleanup(VOID)
{
	return spi_devices_stop() ? S_OK : ND_DEVICE_NOT_READY;
}

VOID
NdFlushProviders(VOID)
{
}

const char *
NdGetConfigurationError(VOID)
{
	return spi_devices_error();
}

HRESULT
NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST *list, SIZE_T *bytes)
{
	if ((flags & ~QUERY_FLAGS) != 0)
		return SPI_REFUSE(
			__func__, 1, "flags 0x%x: expected a subset of 0x%x", flags, QUERY_FLAGS);
	if (bytes == NULL)
		return SPI_REFUSE(__func__, 3, "pcbAddressList is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	return spi_address_list(NULL, list, bytes);
}

HRESULT
NdCheckAddress(const struct sockaddr *address, SIZE_T bytes)
{
	if (address == NULL)
		return SPI_REFUSE(__func__, 1, "pAddress is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	return spi_device_find(address, bytes) == NULL ? ND_INVALID_ADDRESS : S_OK;
}

/** @return true if the first `bits` bits of both addresses are equal */
static bool
prefix_equal(const uint8_t *one, const uint8_t *other, unsigned int bits)
{
	unsigned int whole = bits / 8, rest = bits % 8;

	return memcmp(one, other, whole) == 0 &&
		(rest == 0 || ((one[whole] ^ other[whole]) >> (8 - rest)) == 0);
}

/** @return bytes of an address, in network byte order */
static const uint8_t *
address_bytes(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return (const uint8_t *)&((const struct sockaddr_in *)(const void *)address)
			->sin_addr;
	return (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
}

/**
 * @return rank of a device for a remote address; 0: the address families differ. The device with
 *         the highest rank is chosen
 */
static unsigned int
reach(const struct spi_device *device, const struct sockaddr *remote)
{
	const struct nd_adapter_config *config = &device->config->native;
	const struct sockaddr *own = (const struct sockaddr *)&config->address;
	unsigned int prefix = config->prefix_length;

	if (own->sa_family != remote->sa_family)
		return 0;
	if (prefix == 0)
		prefix = own->sa_family == AF_INET ? 24 : 64;
	if (prefix_equal(address_bytes(own), address_bytes(remote), prefix))
		return 2 + prefix;
	return config->gateway.ss_family != 0 ? 2 : 1;
}

HRESULT
NdResolveAddress(
	const struct sockaddr *remote, SIZE_T remote_bytes, struct sockaddr *local, SIZE_T *bytes)
{
	const struct spi_device *best = NULL;
	unsigned int most = 0;
	uint16_t port;

	if (remote == NULL)
		return SPI_REFUSE(__func__, 1, "pRemoteAddress is NULL");
	if (bytes == NULL)
		return SPI_REFUSE(__func__, 4, "pcbLocalAddress is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	if (spi_address_classify(NULL, remote, remote_bytes, &port) == SPI_ADDRESS_BAD)
		return ND_INVALID_ADDRESS;
	for (size_t i = 0; i < spi_device_count(); i++) {
		const struct spi_device *device = spi_device_get(i);
		unsigned int found = reach(device, remote);

		if (found > most) {
			most = found;
			best = device;
		}
	}
	if (best == NULL)
		return ND_NETWORK_UNREACHABLE;
	return spi_address_store(&best->config->native.address, 0, local, bytes);
}

HRESULT
NdOpenAdapter(REFIID iid, const struct sockaddr *address, SIZE_T bytes, VOID **adapter)
{
	struct spi_device *device;

	if (iid == NULL)
		return SPI_REFUSE(__func__, 1, "iid is NULL");
	if (address == NULL)
		return SPI_REFUSE(__func__, 2, "pAddress is NULL");
	if (adapter == NULL)
		return SPI_REFUSE(__func__, 4, "ppIAdapter is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	device = spi_device_find(address, bytes);
	if (device == NULL)
		return ND_INVALID_ADDRESS;
	return spi_adapter2_open(device, iid, adapter);
}

HRESULT
NdOpenV1Adapter(const struct sockaddr *address, SIZE_T bytes, INDAdapter **adapter)
{
	struct spi_device *device;

	if (address == NULL)
		return SPI_REFUSE(__func__, 1, "pAddress is NULL");
	if (adapter == NULL)
		return SPI_REFUSE(__func__, 3, "ppIAdapter is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	device = spi_device_find(address, bytes);
	if (device == NULL)
		return ND_INVALID_ADDRESS;
	return spi_adapter1_open(device, adapter);
}

HRESULT
NdOpenProvider(REFIID iid, VOID **provider)
{
	const struct spi_class *class = &spi_provider2_class;
	void *made;

	if (iid == NULL)
		return SPI_REFUSE(__func__, 1, "iid is NULL");
	if (provider == NULL)
		return SPI_REFUSE(__func__, 2, "ppProvider is NULL");
	if (!spi_class_has(class, iid))
		class = &spi_provider1_class;
	if (!spi_class_has(class, iid))
		return E_NOINTERFACE;
	made = spi_object_create(class, NULL, NULL);
	if (made == NULL)
		return ND_NO_MEMORY;
	*provider = made;
	return S_OK;
}
