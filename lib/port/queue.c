/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Implementation of struct port_io by a queue of an ethdev port. */

#include "port/queue.h"

#include <rte_ethdev.h>

#include "port/interrupt.h"

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	const struct queue *queue = arg;

	return rte_eth_rx_burst(queue->port_id, queue->queue_id, mbufs, max);
}

/** Receive function after the port was removed, and of a port where the application receives. */
static uint16_t
receive_nothing(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	(void)arg;
	(void)mbufs;
	(void)max;
	return 0;
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct queue *queue = arg;

	return rte_eth_tx_burst(queue->port_id, queue->queue_id, mbufs, count);
}

/** Transmit function after the port was removed. It accepts no frame. */
static uint16_t
transmit_nothing(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	(void)arg;
	(void)mbufs;
	(void)count;
	return 0;
}

/** Transmit function if config->transmit of the application is set. */
static uint16_t
transmit_by_application(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct queue *queue = arg;

	return queue->config->transmit(
		queue->port_id, queue->queue_id, mbufs, count, queue->config->transmit_arg);
}

static bool
interrupt(void *arg, enum port_interrupt what, int epoll_fd)
{
	const struct queue *queue = arg;

	if (link_is_gone(queue->link))
		return false;
	return interrupt_do(queue->port_id, queue->queue_id, what, epoll_fd);
}

static struct port_link
look(void *look_arg)
{
	return link_look(look_arg);
}

void
queue_open(struct queue *queue, const struct port_config *config, struct link *link,
	const struct port_io *io, uint16_t index)
{
	queue->port_id = config->port_id;
	queue->queue_id = (uint16_t)(config->queue_id + index);
	queue->config = config;
	queue->link = link;
	queue->io = *io;
	queue->io.receive = config->input_only ? receive_nothing : receive;
	queue->io.transmit = config->transmit != NULL ? transmit_by_application : transmit;
	queue->io.arg = queue;
	queue->io.look = look;
	queue->io.look_arg = link;
	queue->io.interrupt = config->interrupts && !config->input_only ? interrupt : NULL;
}

void
queue_remove(struct queue *queue)
{
	__atomic_store_n(&queue->io.receive, receive_nothing, __ATOMIC_RELEASE);
	/* An application with its own transmit function must handle the removal of its port. */
	if (queue->config->transmit == NULL)
		__atomic_store_n(&queue->io.transmit, transmit_nothing, __ATOMIC_RELEASE);
}
