/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Polls the engines. An engine is polled by threads that post or take results, and by blocked
 * threads. If the application has no thread of these kinds, one thread per engine polls.
 */

#include "spi/progress.h"

#include <time.h>

#include "win/win.h"

/**
 * Interval in ns at which the thread of an engine checks whether application threads still poll.
 */
#define LOOK_NS 500000
/** Maximum time in ns that an engine's thread sleeps without work. An event ends the sleep. */
#define WAIT_NS UINT64_C(100000000)

/** The idle hook: poll each engine of all open devices once. @return true if there was work */
static bool
idle(void *arg)
{
	bool worked = false;

	(void)arg;
	for (size_t i = 0; i < spi_device_count(); i++) {
		struct spi_device *device = spi_device_get(i);

		if (__atomic_load_n(&device->native, __ATOMIC_ACQUIRE) == NULL)
			continue;
		for (size_t n = 0; n < device->engine_count; n++) {
			struct spi_engine *engine = &device->engines[n];

			/*
			 * If another thread is inside the engine, that thread polls it. Do not wait
			 * for the engine, because that thread may need this processor.
			 */
			if (nd_engine_try_enter(engine->native) != ND_SUCCESS)
				continue;
			worked = spi_engine_turn(engine) || worked;
			spi_engine_leave(engine);
		}
	}
	return worked;
}

static void *
engine_run(void *arg)
{
	static const struct timespec look = {.tv_nsec = LOOK_NS};
	struct spi_engine *engine = arg;
	uint32_t last = __atomic_load_n(&engine->turns, __ATOMIC_RELAXED);

	while (!__atomic_load_n(&engine->stop, __ATOMIC_ACQUIRE)) {
		uint32_t turns = __atomic_load_n(&engine->turns, __ATOMIC_RELAXED);

		if (turns != last) {
			nanosleep(&look, NULL);
			win_idle_watch();
		} else {
			(void)nd_engine_wait(engine->native, WAIT_NS);
		}
		last = turns;
	}
	return NULL;
}

static void
threads_join(struct spi_device *device, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		__atomic_store_n(&device->engines[i].stop, true, __ATOMIC_RELEASE);
		nd_engine_wake(device->engines[i].native);
		pthread_join(device->engines[i].thread, NULL);
	}
}

nd_status
spi_progress_start(struct spi_device *device)
{
	for (size_t i = 0; i < device->engine_count; i++) {
		struct spi_engine *engine = &device->engines[i];

		if (pthread_create(&engine->thread, NULL, engine_run, engine) != 0) {
			threads_join(device, i);
			return ND_INSUFFICIENT_RESOURCES;
		}
	}
	win_set_idle_hook(idle, NULL);
	return ND_SUCCESS;
}

void
spi_progress_stop(struct spi_device *device)
{
	bool others = false;

	/* Remove the hook first, because it must not run while the native adapter is removed. */
	win_set_idle_hook(NULL, NULL);
	device->native = NULL;
	for (size_t i = 0; i < spi_device_count(); i++)
		others = others || spi_device_get(i)->native != NULL;
	if (others)
		win_set_idle_hook(idle, NULL);
	threads_join(device, device->engine_count);
}
