/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/device.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "spi/eal.h"

/** First adapter ID. The value is arbitrary, so that IDs are not mistaken for other numbers. */
#define DEVICE_ID_BASE UINT64_C(0x4e44534900000001)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct spi_config config;
static struct spi_device devices[SPI_ADAPTERS_MAX];
/*
 * Two buffers are used in turn, because a caller may still read the previous text when the next
 * failure is reported.
 */
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

void
spi_devices_fail(const char *text)
{
	pthread_mutex_lock(&lock);
	error_set(text);
	pthread_mutex_unlock(&lock);
}

const struct spi_config *
spi_devices_config(void)
{
	return &config;
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
	int state;
	bool ready;

	/* Disable cancellation of the thread, because it holds the lock while it reads a file. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
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
	pthread_setcancelstate(state, NULL);
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
