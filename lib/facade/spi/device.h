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
 * The adapters of the configuration (devices). When the first adapter object of a device is
 * created, its native adapter is opened; all adapter objects of the process use this native
 * adapter.
 *
 * The engines are shared. A call that posts or takes results enters the engine for a short time
 * (spi_engine_enter()) and polls it. A blocked thread polls the engines by the idle hook of the
 * Windows layer. While no application thread polls, a thread of the device does, and sleeps while
 * there is no work.
 */

#define SPI_ENGINES_MAX 16

struct spi_device;

struct spi_engine {
	struct nd_engine *native;
	struct spi_device *device;
	unsigned int index;
	/**
	 * Counter that application threads change when they poll the engine. The value has no
	 * meaning. Atomic.
	 */
	uint32_t turns;
	bool stop; /**< true: the engine's thread must end; atomic */
	pthread_t thread;
};

struct spi_link;
LIST_HEAD(spi_links, spi_link);

struct spi_device {
	UINT64 id; /**< reported as ND2_ADAPTER_INFO.AdapterId */
	struct spi_adapter_config *config;
	struct nd_adapter *native; /**< native adapter; NULL: not open */
	uint32_t users;            /**< number of adapter objects; atomic */
	struct nd_adapter_info info;
	size_t srq_entries_max; /**< maximum receives of an SRQ; 0: SRQs are not supported */
	size_t engine_count;
	struct spi_engine engines[SPI_ENGINES_MAX];
	pthread_mutex_t links_lock; /**< protects links; no function is called while it is held */
	struct spi_links links;
	uint32_t farewells; /**< number of pending disconnects without a waiting caller; atomic */
	/**
	 * Held while an endpoint is moved to another connector. Callbacks do not take this lock.
	 */
	pthread_mutex_t attach_lock;
};

/**
 * Read the configuration, unless it was read before.
 * @return true if there is a valid configuration
 */
bool spi_devices_ready(void);

/** @return reason why the last configuration or opening failed; "": there was no failure */
const char *spi_devices_error(void);

/**
 * Report why the configuration or an adapter cannot be used: in the log, and to the application.
 */
void spi_devices_fail(const char *text);

const struct spi_config *spi_devices_config(void);

/** @return number of adapters in the configuration; 0 before spi_devices_ready() */
size_t spi_device_count(void);

struct spi_device *spi_device_get(size_t index);

/** @return the device with this address, ignoring the port; NULL: none */
struct spi_device *spi_device_find(const struct sockaddr *address, size_t length);

/** @return the device with this id; NULL: none */
struct spi_device *spi_device_find_id(UINT64 id);

/**
 * Open the native adapter unless it is open, and count one more user. If ND_DEVICE_NOT_READY is
 * returned, spi_devices_error() returns the reason.
 */
nd_status spi_device_open(struct spi_device *device);

/**
 * Use an open native adapter for a device. No other thread may use its engines before this call.
 */
void spi_device_take(struct spi_device *device, struct nd_adapter *adapter);

/** Count one user less. A native adapter without users stays open until spi_devices_stop(). */
void spi_device_close(struct spi_device *device);

/** Count calls of NdStartup(). */
void spi_devices_start(void);

/**
 * Undo one NdStartup(). The last call closes adapters without users. @return false: no NdStartup()
 * to undo
 */
bool spi_devices_stop(void);

/** Take ownership of the engine until spi_engine_leave(), to post or take results. */
static inline void
spi_engine_enter(struct spi_engine *engine)
{
	/* Entering cannot fail, because the engine was made shared when it was opened. */
	(void)nd_engine_enter(engine->native);
}

static inline void
spi_engine_leave(struct spi_engine *engine)
{
	(void)nd_engine_leave(engine->native);
}

/** Poll the engine once, on an application thread inside the engine. @return true: it had work */
static inline bool
spi_engine_turn(struct spi_engine *engine)
{
	__atomic_store_n(&engine->turns, engine->turns + 1, __ATOMIC_RELAXED);
	return nd_engine_poll(engine->native) != 0;
}

#endif
