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
 * Let exit() disconnect what is connected, and wait a short time for peers: one that is not told
 * has to find out by a timeout. May be called again.
 */
void spi_links_end_at_exit(void);

#endif
