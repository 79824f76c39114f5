/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ADAPTER_H
#define NDPDK_SPI_ADAPTER_H

#include <ndpdk/ndspi.h>

#include "spi/device.h"
#include "spi/object.h"

/** An adapter object of version 1 or 2: the parent of all objects that are created on it. */
struct spi_adapter {
	struct spi_object object;
	struct spi_device *device; /**< device of the adapter; stays open until destroy() */
};

/** Implements spi_class.destroy for both versions: closes the device. */
void spi_adapter_destroy(struct spi_object *object);

extern const struct spi_class spi_adapter2_class;

/**
 * Open an adapter of version 2.
 *
 * @param out not NULL; unchanged on failure
 * @return ND_SUCCESS; E_NOINTERFACE; ND_NO_MEMORY; statuses of spi_device_open()
 */
HRESULT spi_adapter2_open(struct spi_device *device, REFIID iid, VOID **out);

/** Create an adapter object of a class. @param[out] adapter unchanged on failure */
nd_status spi_adapter_create(
	const struct spi_class *class, struct spi_device *device, struct spi_adapter **adapter);

static inline struct spi_adapter *
spi_adapter_of(const struct spi_object *object)
{
	return (struct spi_adapter *)object->parent;
}

static inline struct spi_device *
spi_device_of(const struct spi_object *object)
{
	return spi_adapter_of(object)->device;
}

/**
 * Check the arguments iid and out of a Create method.
 *
 * @param method name of the method, for the log
 * @param position number of the parameter out
 * @param name name of the parameter out, for the log
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_n: iid or out is NULL; E_NOINTERFACE
 */
HRESULT spi_create_check(const char *method, const struct spi_class *class, REFIID iid, VOID **out,
	int position, const char *name);

/** @return engine that an affinity mask selects; 0: the first engine */
static inline struct spi_engine *
spi_engine_of(struct spi_device *device, KAFFINITY affinity)
{
	size_t bit = affinity == 0 ? 0 : (size_t)__builtin_ctzl(affinity);

	return &device->engines[bit % device->engine_count];
}

/**
 * Implements GetNotifyAffinity for queues. Returns group 0 and a mask with one bit, for which
 * spi_engine_of() returns this engine.
 *
 * @param method name of the method, for the log
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1, _2: an output is NULL
 */
HRESULT spi_engine_affinity(
	const char *method, const struct spi_engine *engine, USHORT *group, KAFFINITY *affinity);

#endif
