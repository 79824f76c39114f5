/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_LINK_H
#define NDPDK_SPI_LINK_H

#include "spi/device.h"

struct spi_endpoint;

/**
 * A native connector with a reference count. Each connector object has a link. Each endpoint object
 * also has a link: the link of its connector, or a separate link while the connector is not known.
 * A link exists as long as an object uses it.
 */
struct spi_link {
	struct nd_connector *native;
	struct spi_device *device;
	uint32_t holds; /**< reference count; atomic */
	/**
	 * Endpoint object whose native endpoint is attached to this connector. Protected by
	 * attach_lock.
	 */
	struct spi_endpoint *endpoint;
	LIST_ENTRY(spi_link) entry;
};

/**
 * Create a link with a native connector.
 *
 * @param[out] link has one reference; unchanged on failure
 * @return ND_SUCCESS; ND_NO_MEMORY; statuses of nd_adapter_create_connector()
 */
nd_status spi_link_create(struct spi_device *device, struct spi_link **link);

void spi_link_hold(struct spi_link *link);

/** Release a reference. The last release also releases the native connector. NULL has no effect. */
void spi_link_put(struct spi_link *link);

/**
 * Called when the connector object is destroyed: abandon an attempt, reject an unanswered request,
 * or disconnect. Does not wait for the peer. Pending operations end with ND_CANCELED.
 */
void spi_link_end(struct spi_link *link);

/**
 * Disconnect the links of all devices, and wait up to 600 ms for the answers of the peers. Without
 * a disconnect request, a peer would detect the end of this process only by a timeout. Skips links
 * that another thread is releasing. Does nothing in a child of the process that called
 * spi_links_end_at_exit().
 */
void spi_links_end(void);

/** Register spi_links_end() with atexit() in this process. May be called more than once. */
void spi_links_end_at_exit(void);

#endif
