/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/adapter.h"

#include "spi/refuse.h"

void
spi_adapter_destroy(struct spi_object *object)
{
	struct spi_adapter *adapter = (struct spi_adapter *)object;

	if (adapter->device != NULL)
		spi_device_close(adapter->device);
}

nd_status
spi_adapter_create(
	const struct spi_class *class, struct spi_device *device, struct spi_adapter **adapter)
{
	struct spi_adapter *made = spi_object_create(class, NULL, NULL);
	nd_status status;

	if (made == NULL)
		return ND_NO_MEMORY;
	status = spi_device_open(device);
	if (nd_failed(status)) {
		spi_object_discard(&made->object);
		return status;
	}
	made->device = device;
	*adapter = made;
	return ND_SUCCESS;
}

HRESULT
spi_create_check(const char *method, const struct spi_class *class, REFIID iid, VOID **out,
	int position, const char *name)
{
	if (iid == NULL)
		return SPI_REFUSE(method, 1, "iid is NULL");
	if (out == NULL)
		return SPI_REFUSE(method, position, "%s is NULL", name);
	return spi_class_has(class, iid) ? ND_SUCCESS : E_NOINTERFACE;
}

HRESULT
spi_engine_affinity(
	const char *method, const struct spi_engine *engine, USHORT *group, KAFFINITY *affinity)
{
	if (group == NULL)
		return SPI_REFUSE(method, 1, "pGroup is NULL");
	if (affinity == NULL)
		return SPI_REFUSE(method, 2, "pAffinity is NULL");
	*group = 0;
	*affinity = (KAFFINITY)1 << engine->index;
	return ND_SUCCESS;
}
