/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Opens and closes the native adapters of devices. */

#include <stdio.h>
#include <stdlib.h>

#include "spi/device.h"
#include "spi/eal.h"
#include "spi/link.h"
#include "spi/memif.h"
#include "spi/progress.h"

/** Held while adapters are opened or closed. Callbacks of operations do not take this lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t starts;

/** Complete the native configuration with the pointers, which the parser cannot set. */
static struct nd_adapter_config
native_config(const struct spi_adapter_config *setup)
{
	struct nd_adapter_config native = setup->native;
	char *end;
	unsigned long number = strtoul(setup->port, &end, 10);

	native.neighbours = setup->neighbours;
	if (*end == '\0' && number < UINT16_MAX)
		native.port_id = (uint16_t)number;
	else
		native.port_name = setup->port;
	native.name = setup->name[0] == '\0' ? NULL : setup->name;
	return native;
}

static void
open_failed(const struct spi_device *device, const char *why)
{
	char text[SPI_ERROR_BYTES];

	snprintf(text, sizeof(text),
		"the adapter on port \"%s\" of the configuration cannot be opened: %s",
		device->config->port, why);
	spi_devices_fail(text);
}

void
spi_device_take(struct spi_device *device, struct nd_adapter *adapter)
{
	size_t bytes = sizeof(device->info);

	(void)nd_adapter_query(adapter, ND_VERSION_1, &device->info, &bytes);
	device->srq_entries_max = device->info.max_srq_entries;
	device->engine_count = nd_adapter_engine_count(adapter);
	for (size_t i = 0; i < device->engine_count; i++) {
		device->engines[i] = (struct spi_engine){
			.native = nd_adapter_get_engine(adapter, i),
			.device = device,
			.index = (unsigned int)i,
		};
		/*
		 * Entering an engine makes it shared, so that all threads can use it from now on.
		 */
		spi_engine_enter(&device->engines[i]);
		spi_engine_leave(&device->engines[i]);
	}
	__atomic_store_n(&device->native, adapter, __ATOMIC_RELEASE);
}

/** Open the native adapter. The lock must be held. */
static nd_status
device_open(struct spi_device *device)
{
	const struct spi_config *config = spi_devices_config();
	const struct nd_adapter_config native = native_config(device->config);
	struct nd_adapter *adapter;
	char why[SPI_ERROR_BYTES];
	nd_status status;

	if (!spi_eal_start(config->eal_arguments, config->eal_count, why)) {
		open_failed(device, why);
		return ND_DEVICE_NOT_READY;
	}
	status = nd_adapter_open(&native, &adapter);
	if (nd_failed(status)) {
		open_failed(device, nd_adapter_open_error());
		return status;
	}
	spi_device_take(device, adapter);
	spi_links_end_at_exit();
	status = spi_progress_start(device);
	if (nd_failed(status)) {
		device->native = NULL;
		nd_adapter_close(adapter);
		open_failed(device, "the library's progress thread cannot be started");
	}
	return status;
}

/**
 * Disable cancellation, then take the lock. A thread that holds the lock waits for EAL, ports and
 * threads, and must not be cancelled there. @return the previous cancellation state
 */
static int
lock_take(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	return state;
}

static void
lock_give(int state)
{
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
}

nd_status
spi_device_open(struct spi_device *device)
{
	nd_status status = ND_SUCCESS;
	int state = lock_take();

	if (device->native == NULL)
		status = device_open(device);
	if (!nd_failed(status))
		__atomic_add_fetch(&device->users, 1, __ATOMIC_RELAXED);
	lock_give(state);
	return status;
}

/** Close native adapters without users. The lock must be held. */
static void
unused_close(void)
{
	for (size_t i = 0; i < spi_device_count(); i++) {
		struct spi_device *device = spi_device_get(i);
		struct nd_adapter *adapter = device->native;

		if (adapter == NULL || __atomic_load_n(&device->users, __ATOMIC_ACQUIRE) != 0)
			continue;
		spi_progress_stop(device);
		spi_memif_leave(nd_adapter_port_id(adapter));
		nd_adapter_close(adapter);
	}
}

void
spi_device_close(struct spi_device *device)
{
	/*
	 * Do not take the lock. The caller may own an engine, and the thread with the lock may wait
	 * for this engine.
	 */
	__atomic_sub_fetch(&device->users, 1, __ATOMIC_RELEASE);
}

void
spi_devices_start(void)
{
	pthread_mutex_lock(&lock);
	starts++;
	pthread_mutex_unlock(&lock);
}

bool
spi_devices_stop(void)
{
	int state = lock_take();
	bool started;

	started = starts != 0;
	if (started && --starts == 0)
		unused_close();
	lock_give(state);
	return started;
}
