/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/link.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/**
 * Maximum time in ns that exit() waits for the answers (DREP) of peers. A DREQ may be lost once,
 * because it is retransmitted after 250 ms.
 */
#define EXIT_WAIT_NS UINT64_C(600000000)
#define EXIT_TURN_NS UINT64_C(1000000)

nd_status
spi_link_create(struct spi_device *device, struct spi_link **link)
{
	struct spi_link *made = calloc(1, sizeof(*made));
	nd_status status;

	if (made == NULL)
		return ND_NO_MEMORY;
	status = nd_adapter_create_connector(device->native, &made->native);
	if (nd_failed(status)) {
		free(made);
		return status;
	}
	made->device = device;
	made->holds = 1;
	pthread_mutex_lock(&device->links_lock);
	LIST_INSERT_HEAD(&device->links, made, entry);
	pthread_mutex_unlock(&device->links_lock);
	*link = made;
	return ND_SUCCESS;
}

void
spi_link_hold(struct spi_link *link)
{
	__atomic_add_fetch(&link->holds, 1, __ATOMIC_RELAXED);
}

/**
 * Take a reference of a link, unless another thread is releasing its last reference.
 * @return true if the reference was taken
 */
static bool
hold_live(struct spi_link *link)
{
	uint32_t holds = __atomic_load_n(&link->holds, __ATOMIC_RELAXED);

	while (holds != 0) {
		if (__atomic_compare_exchange_n(&link->holds, &holds, holds + 1, false,
			    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

void
spi_link_put(struct spi_link *link)
{
	struct spi_device *device;

	if (link == NULL || __atomic_sub_fetch(&link->holds, 1, __ATOMIC_ACQ_REL) != 0)
		return;
	device = link->device;
	pthread_mutex_lock(&device->links_lock);
	LIST_REMOVE(link, entry);
	pthread_mutex_unlock(&device->links_lock);
	/*
	 * The endpoint has been released before, because an endpoint holds a reference of its link.
	 */
	(void)nd_connector_release(link->native);
	free(link);
}

/** A pending disconnect of a link for which no caller waits. */
struct farewell {
	struct nd_overlapped overlapped;
	struct spi_link *link; /**< link that is disconnected; this structure has a reference */
};

static void
farewell_over(struct nd_overlapped *overlapped, void *arg)
{
	struct farewell *farewell = arg;
	struct spi_link *link = farewell->link;

	(void)overlapped;
	free(farewell);
	__atomic_sub_fetch(&link->device->farewells, 1, __ATOMIC_RELEASE);
	spi_link_put(link);
}

/** Disconnect a link. The link exists until the peer has answered or the disconnect times out. */
static void
disconnect(struct spi_link *link)
{
	struct farewell *farewell = calloc(1, sizeof(*farewell));
	if (farewell == NULL)
		return;
	farewell->link = link;
	farewell->overlapped.callback = farewell_over;
	farewell->overlapped.callback_arg = farewell;
	spi_link_hold(link);
	__atomic_add_fetch(&link->device->farewells, 1, __ATOMIC_RELAXED);
	if (nd_connector_disconnect(link->native, &farewell->overlapped) != ND_PENDING)
		farewell_over(NULL, farewell);
}

void
spi_link_end(struct spi_link *link)
{
	(void)nd_connector_cancel_overlapped_requests(link->native);
	if (nd_connector_reject(link->native, NULL, 0) == ND_CONNECTION_INVALID)
		disconnect(link);
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** @return the link after `last` in the device's list, with a reference; NULL: there is none */
static struct spi_link *
next_link(struct spi_device *device, struct spi_link *last)
{
	struct spi_link *link;

	pthread_mutex_lock(&device->links_lock);
	link = last == NULL ? LIST_FIRST(&device->links) : LIST_NEXT(last, entry);
	while (link != NULL && !hold_live(link))
		link = LIST_NEXT(link, entry);
	pthread_mutex_unlock(&device->links_lock);
	return link;
}

/**
 * Disconnect all links of a device, and wait for the answers until the deadline. The loop ends even
 * if links are created meanwhile, because new links are inserted at the head of the list.
 */
static void
device_end(struct spi_device *device, uint64_t deadline_ns)
{
	struct spi_link *link = NULL, *next;

	while ((next = next_link(device, link)) != NULL) {
		spi_link_put(link);
		link = next;
		disconnect(link);
	}
	spi_link_put(link);
	while (__atomic_load_n(&device->farewells, __ATOMIC_ACQUIRE) != 0 &&
		now_ns() < deadline_ns) {
		for (size_t i = 0; i < device->engine_count; i++)
			(void)nd_engine_wait(device->engines[i].native, EXIT_TURN_NS);
	}
}

/** The process that called spi_links_end_at_exit(). It owns the connections. */
static pid_t owner;

void
spi_links_end(void)
{
	uint64_t deadline_ns = now_ns() + EXIT_WAIT_NS;

	/* A child process after fork() must not end the connections of its parent. */
	if (getpid() != owner)
		return;
	for (size_t i = 0; i < spi_device_count(); i++) {
		struct spi_device *device = spi_device_get(i);

		if (device->native != NULL)
			device_end(device, deadline_ns);
	}
}

void
spi_links_end_at_exit(void)
{
	static bool registered;

	owner = getpid();
	if (!registered)
		registered = atexit(spi_links_end) == 0;
}
