/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/device.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spi/eal.h"
#include "spi/link.h"
#include "spi/progress.h"

/** Identifiers of adapters are numbers that no other kind of thing has. */
#define DEVICE_ID_BASE UINT64_C(0x4e44534900000001)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct spi_config config;
static struct spi_device devices[SPI_ADAPTERS_MAX];
static uint32_t starts;
/* Kept when another failure follows, so that a text which a caller looks at stays whole. */
static char errors[2][SPI_ERROR_BYTES];
static const char *last_error = "";

static void
error_set(const char *text)
{
	char *place = last_error == errors[0] ? errors[1] : errors[0];

	if (strcmp(last_error, text) == 0)
		return;
	snprintf(place, SPI_ERROR_BYTES, "%s", text);
	__atomic_store_n(&last_error, place, __ATOMIC_RELEASE);
	spi_eal_log(place);
}

const char *
spi_devices_error(void)
{
	return __atomic_load_n(&last_error, __ATOMIC_ACQUIRE);
}

static void
devices_make(void)
{
	for (size_t i = 0; i < config.adapter_count; i++) {
		struct spi_device *device = &devices[i];

		device->id = DEVICE_ID_BASE + i;
		device->config = &config.adapters[i];
		pthread_mutex_init(&device->links_lock, NULL);
		pthread_mutex_init(&device->attach_lock, NULL);
		LIST_INIT(&device->links);
	}
}

bool
spi_devices_ready(void)
{
	char error[SPI_ERROR_BYTES];
	bool ready;

	pthread_mutex_lock(&lock);
	ready = config.adapter_count != 0;
	if (!ready) {
		ready = spi_config_read(&config, error);
		if (ready)
			devices_make();
		else
			error_set(error);
	}
	pthread_mutex_unlock(&lock);
	return ready;
}

size_t
spi_device_count(void)
{
	return config.adapter_count;
}

struct spi_device *
spi_device_get(size_t index)
{
	return index < config.adapter_count ? &devices[index] : NULL;
}

static bool
address_equal(const struct sockaddr_storage *own, const struct sockaddr *other, size_t length)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)own;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)own;

	if (length < sizeof(struct sockaddr_in) || other->sa_family != own->ss_family)
		return false;
	if (other->sa_family == AF_INET)
		return v4->sin_addr.s_addr ==
			((const struct sockaddr_in *)(const void *)other)->sin_addr.s_addr;
	return length >= sizeof(struct sockaddr_in6) &&
		memcmp(&v6->sin6_addr,
			&((const struct sockaddr_in6 *)(const void *)other)->sin6_addr,
			sizeof(v6->sin6_addr)) == 0;
}

struct spi_device *
spi_device_find(const struct sockaddr *address, size_t length)
{
	for (size_t i = 0; i < config.adapter_count; i++) {
		if (address_equal(&config.adapters[i].native.address, address, length))
			return &devices[i];
	}
	return NULL;
}

struct spi_device *
spi_device_find_id(UINT64 id)
{
	for (size_t i = 0; i < config.adapter_count; i++) {
		if (devices[i].id == id)
			return &devices[i];
	}
	return NULL;
}

/** The native configuration: what the parser could not point to. */
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
	error_set(text);
}

/** Open the native adapter; the caller has the lock. */
static nd_status
device_open(struct spi_device *device)
{
	const struct nd_adapter_config native = native_config(device->config);
	struct nd_adapter *adapter;
	char why[SPI_ERROR_BYTES];
	size_t bytes = sizeof(device->info);
	nd_status status;

	if (!spi_eal_start(config.eal_arguments, config.eal_count, why)) {
		open_failed(device, why);
		return ND_DEVICE_NOT_READY;
	}
	status = nd_adapter_open(&native, &adapter);
	if (nd_failed(status)) {
		open_failed(device, nd_adapter_open_error());
		return status;
	}
	(void)nd_adapter_query(adapter, ND_VERSION_1, &device->info, &bytes);
	device->srq_entries_max = device->info.max_srq_entries;
	device->engine_count = nd_adapter_engine_count(adapter);
	for (size_t i = 0; i < device->engine_count; i++) {
		device->engines[i] = (struct spi_engine){
			.native = nd_adapter_get_engine(adapter, i),
			.device = device,
			.index = (unsigned int)i,
		};
		/* From now on engines are shared by all threads. */
		spi_engine_enter(&device->engines[i]);
		spi_engine_leave(&device->engines[i]);
	}
	__atomic_store_n(&device->native, adapter, __ATOMIC_RELEASE);
	spi_links_end_at_exit();
	status = spi_progress_start(device);
	if (nd_failed(status)) {
		device->native = NULL;
		nd_adapter_close(adapter);
		open_failed(device, "there is no thread for it");
	}
	return status;
}

nd_status
spi_device_open(struct spi_device *device)
{
	nd_status status = ND_SUCCESS;

	pthread_mutex_lock(&lock);
	if (device->native == NULL)
		status = device_open(device);
	if (!nd_failed(status))
		__atomic_add_fetch(&device->users, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	return status;
}

/** Close native adapters that nobody uses; the caller has the lock. */
static void
unused_close(void)
{
	for (size_t i = 0; i < config.adapter_count; i++) {
		struct nd_adapter *adapter = devices[i].native;

		if (adapter == NULL || __atomic_load_n(&devices[i].users, __ATOMIC_ACQUIRE) != 0)
			continue;
		spi_progress_stop(&devices[i]);
		nd_adapter_close(adapter);
	}
}

void
spi_device_close(struct spi_device *device)
{
	/* Without the lock: an engine may be held by the caller, and waited for by its holder. */
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
	bool started;

	pthread_mutex_lock(&lock);
	started = starts != 0;
	if (started && --starts == 0)
		unused_close();
	pthread_mutex_unlock(&lock);
	return started;
}
