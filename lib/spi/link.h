/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_LINK_H
#define NDPDK_SPI_LINK_H

#include "spi/device.h"

struct spi_endpoint;

/**
 * A native connector. A connector object has one; so has an endpoint object: that of its connector,
 * or, before it is known which that will be, one of its own. It lives as long as either.
 */
struct spi_link {
	struct nd_connector *native;
	struct spi_device *device;
	uint32_t holds;                /**< atomic */
	struct spi_endpoint *endpoint; /**< whose native endpoint it has; under attach_lock */
	LIST_ENTRY(spi_link) entry;
};

/**
 * @param[out] link with one hold; unchanged after a failure
 * @return ND_SUCCESS; ND_NO_MEMORY; as nd_adapter_create_connector()
 */
nd_status spi_link_create(struct spi_device *device, struct spi_link **link);

void spi_link_hold(struct spi_link *link);

/** Give back a hold; the last one releases the native connector. NULL: nothing happens. */
void spi_link_put(struct spi_link *link);

/**
 * The connector object is gone: abandon the attempt, reject what was not answered, disconnect what
 * is connected, and do not wait for the peer. Pending operations end with ND_CANCELED.
 */
void spi_link_end(struct spi_link *link);

/**
 * Disconnect the links of all devices, and wait up to 600 ms for the answers of the peers. Without
 * a disconnect request, a peer would detect the end only by a timeout. Skips a link whose last
 * reference is being released. Does nothing in a child of the process that called
 * spi_links_end_at_exit().
 */
void spi_links_end(void);

/** Have exit() of this process call spi_links_end(). May be called more than once. */
void spi_links_end_at_exit(void);

#endif
