/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_QUEUE_H
#define NDPDK_PORT_QUEUE_H

#include "port/port.h"

/* An RX and a TX queue of the same number. */
struct queue {
	struct port_io io;
	uint16_t port_id;
	uint16_t queue_id;
	const struct port_config *config;
	struct link *link;
};

/**
 * Fill in a queue and its functions.
 * @param io what all queues of the port have in common: its address, MTU, speed and socket
 * @param index of the queue, from config->queue_id on
 */
void queue_open(struct queue *queue, const struct port_config *config, struct link *link,
	const struct port_io *io, uint16_t index);

/**
 * The port was removed: from now on nothing is received from its queue, and nothing taken. The
 * functions are exchanged, so that a poll of a port that is there has nothing to ask. Any thread.
 */
void queue_remove(struct queue *queue);

#endif
