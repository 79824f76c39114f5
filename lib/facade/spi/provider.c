/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/provider.h"

#include "spi/adapter1.h"
#include "spi/addresses.h"
#include "spi/refuse.h"

SPI_UNKNOWN_METHODS(provider1, INDProvider)

static HRESULT
provider1_query_address_list(INDProvider *self, SOCKET_ADDRESS_LIST *list, SIZE_T *bytes)
{
	(void)self;
	if (bytes == NULL)
		return SPI_REFUSE("INDProvider_QueryAddressList", 2, "pBufferSize is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	return spi_address_list(NULL, list, bytes);
}

static HRESULT
provider1_open_adapter(
	INDProvider *self, const struct sockaddr *address, SIZE_T bytes, INDAdapter **adapter)
{
	struct spi_device *device;

	(void)self;
	if (address == NULL)
		return SPI_REFUSE("INDProvider_OpenAdapter", 1, "pAddress is NULL");
	if (adapter == NULL)
		return SPI_REFUSE("INDProvider_OpenAdapter", 3, "ppAdapter is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	device = spi_device_find(address, bytes);
	if (device == NULL)
		return ND_INVALID_ADDRESS;
	return spi_adapter1_open(device, adapter);
}

static const INDProviderVtbl methods1 = {
	SPI_UNKNOWN_ROWS(provider1),
	.QueryAddressList = provider1_query_address_list,
	.OpenAdapter = provider1_open_adapter,
};

const struct spi_class spi_provider1_class = {
	.methods = &methods1,
	.iid = &IID_INDProvider,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_object),
};

SPI_UNKNOWN_METHODS(provider2, IND2Provider)

static HRESULT
provider2_query_address_list(IND2Provider *self, SOCKET_ADDRESS_LIST *list, ULONG *bytes)
{
	(void)self;
	if (bytes == NULL)
		return SPI_REFUSE("IND2Provider_QueryAddressList", 2, "pcbAddressList is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	return spi_address_list_32(NULL, list, bytes);
}

static HRESULT
provider2_resolve_address(
	IND2Provider *self, const struct sockaddr *address, ULONG bytes, UINT64 *id)
{
	const struct spi_device *device;

	(void)self;
	if (address == NULL)
		return SPI_REFUSE("IND2Provider_ResolveAddress", 1, "pAddress is NULL");
	if (id == NULL)
		return SPI_REFUSE("IND2Provider_ResolveAddress", 3, "pAdapterId is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	device = spi_device_find(address, bytes);
	if (device == NULL)
		return ND_INVALID_ADDRESS;
	*id = device->id;
	return ND_SUCCESS;
}

static HRESULT
provider2_open_adapter(IND2Provider *self, REFIID iid, UINT64 id, VOID **out)
{
	struct spi_device *device;

	(void)self;
	if (iid == NULL)
		return SPI_REFUSE("IND2Provider_OpenAdapter", 1, "iid is NULL");
	if (out == NULL)
		return SPI_REFUSE("IND2Provider_OpenAdapter", 3, "ppAdapter is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	device = spi_device_find_id(id);
	if (device == NULL)
		return SPI_REFUSE("IND2Provider_OpenAdapter", 0,
			"adapterId 0x%llx is not the ID of an adapter", (unsigned long long)id);
	return spi_adapter2_open(device, iid, out);
}

static const IND2ProviderVtbl methods2 = {
	SPI_UNKNOWN_ROWS(provider2),
	.QueryAddressList = provider2_query_address_list,
	.ResolveAddress = provider2_resolve_address,
	.OpenAdapter = provider2_open_adapter,
};

const struct spi_class spi_provider2_class = {
	.methods = &methods2,
	.iid = &IID_IND2Provider,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_object),
};
