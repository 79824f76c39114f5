/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/provider1.h"

#include "spi/adapter1.h"
#include "spi/addresses.h"
#include "spi/refuse.h"

SPI_UNKNOWN_METHODS(provider, INDProvider)

static HRESULT
provider_query_address_list(INDProvider *self, SOCKET_ADDRESS_LIST *list, SIZE_T *bytes)
{
	(void)self;
	if (bytes == NULL)
		return SPI_REFUSE("INDProvider_QueryAddressList", 2, "pBufferSize is NULL");
	if (!spi_devices_ready())
		return ND_DEVICE_NOT_READY;
	return spi_address_list(NULL, list, bytes);
}

static HRESULT
provider_open_adapter(
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

static const INDProviderVtbl methods = {
	SPI_UNKNOWN_ROWS(provider),
	.QueryAddressList = provider_query_address_list,
	.OpenAdapter = provider_open_adapter,
};

const struct spi_class spi_provider1_class = {
	.methods = &methods,
	.iid = &IID_INDProvider,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_object),
};
