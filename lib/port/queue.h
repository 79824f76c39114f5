/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_QUEUE_H
#define NDPDK_PORT_QUEUE_H

#include "port/port.h"

/* An RX queue and the TX queue with the same number. */
struct queue {
	struct port_io io;
	uint16_t port_id;
	uint16_t queue_id;
	const struct port_config *config;
	struct link *link;
};

/**
 * Initialise a queue and its functions.
 * @param io properties that all queues of the port share: MAC address, MTU, speed and socket
 * @param index number of the queue, counted from config->queue_id
 */
void queue_open(struct queue *queue, const struct port_config *config, struct link *link,
	const struct port_io *io, uint16_t index);

/**
 * Called when the port was removed: afterwards, receive returns no frames and transmit accepts no
 * frames. The function pointers are replaced, so polling needs no additional check. May be called
 * from any thread.
 */
void queue_remove(struct queue *queue);

#endif
