/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_DEVICE_H
#define NDPDK_SPI_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <ndpdk/nd.h>
#include <ndpdk/ndspi_types.h>
#include <ndpdk/win/winsock2.h>

#include "spi/config.h"

/*
 * The adapters of the configuration, and the native adapters behind those that are open. A native
 * adapter is opened once for all objects of this process that stand for it.
 *
 * Its engines are shared: each call that posts or takes results is inside the engine for a moment
 * (spi_engine_enter()), and does its part of the engine's work. A blocked thread works meanwhile,
 * too: the idle hook of the Windows layer. While nobody does either, a thread of the device does
 * it, and sleeps where there is nothing to do.
 */

#define SPI_ENGINES_MAX 16

struct spi_device;

struct spi_engine {
	struct nd_engine *native;
	struct spi_device *device;
	unsigned int index;
	uint32_t turns; /**< of application threads; atomic, only that it changes counts */
	bool stop;      /**< atomic: ends thread */
	pthread_t thread;
};

struct spi_link;
LIST_HEAD(spi_links, spi_link);

struct spi_device {
	UINT64 id; /**< ND2_ADAPTER_INFO.AdapterId */
	struct spi_adapter_config *config;
	struct nd_adapter *native;   /**< NULL: not open */
	uint32_t users;              /**< adapter objects; atomic */
	struct nd_adapter_info info; /**< of the native adapter */
	size_t srq_entries_max;      /**< 0: there are no shared receive queues */
	size_t engine_count;
	struct spi_engine engines[SPI_ENGINES_MAX];
	pthread_mutex_t links_lock; /**< of links; nothing is called while it is held */
	struct spi_links links;
	uint32_t farewells; /**< disconnects that no caller waits for; atomic */
	/** Held by calls that give an endpoint another connector; never within a callback. */
	pthread_mutex_t attach_lock;
};

/** Read the configuration, unless that has been done. @return whether there is one */
bool spi_devices_ready(void);

/** @return why the last configuration or opening failed; "" if none has */
const char *spi_devices_error(void);

/** Say why the configuration or an adapter cannot be used: in the log, and to the application. */
void spi_devices_fail(const char *text);

const struct spi_config *spi_devices_config(void);

/** @return adapters of the configuration; 0 before spi_devices_ready() */
size_t spi_device_count(void);

struct spi_device *spi_device_get(size_t index);

/** @return the device with this address, whatever the port; NULL: there is none */
struct spi_device *spi_device_find(const struct sockaddr *address, size_t length);

/** @return the device with this id; NULL: there is none */
struct spi_device *spi_device_find_id(UINT64 id);

/** Open the native adapter for one user more. ND_DEVICE_NOT_READY: spi_devices_error() says why. */
nd_status spi_device_open(struct spi_device *device);

/** Make an open native adapter, whose engines are nobody else's, that of a device. */
void spi_device_take(struct spi_device *device, struct nd_adapter *adapter);

/** One user less. The native adapter stays open until spi_devices_close() finds no user. */
void spi_device_close(struct spi_device *device);

/** Count calls of NdStartup(). */
void spi_devices_start(void);

/** @return whether there was a start; the last one closes adapters that have no users */
bool spi_devices_stop(void);

/** Own the engine until spi_engine_leave(): posting and taking results come between. */
static inline void
spi_engine_enter(struct spi_engine *engine)
{
	/* It was made shared when it was opened; nothing else can be wrong. */
	(void)nd_engine_enter(engine->native);
}

static inline void
spi_engine_leave(struct spi_engine *engine)
{
	(void)nd_engine_leave(engine->native);
}

/** A turn of an application's thread, which is inside. @return whether there was any work */
static inline bool
spi_engine_turn(struct spi_engine *engine)
{
	__atomic_store_n(&engine->turns, engine->turns + 1, __ATOMIC_RELAXED);
	return nd_engine_poll(engine->native) != 0;
}

#endif
