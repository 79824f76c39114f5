/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "port/interrupt.h"

#include <rte_ethdev.h>

/**
 * Add the queue's interrupt to an epoll set. With a driver without interrupts, this call fails, or
 * the later call that enables the interrupt.
 */
static bool
attach(uint16_t port_id, uint16_t queue_id, int epoll_fd)
{
	if (rte_eth_dev_rx_intr_ctl_q(port_id, queue_id, epoll_fd, RTE_INTR_EVENT_ADD, NULL) != 0)
		return false;
	if (rte_eth_dev_rx_intr_enable(port_id, queue_id) == 0)
		return true;
	(void)rte_eth_dev_rx_intr_ctl_q(port_id, queue_id, epoll_fd, RTE_INTR_EVENT_DEL, NULL);
	return false;
}

bool
interrupt_do(uint16_t port_id, uint16_t queue_id, enum port_interrupt what, int epoll_fd)
{
	switch (what) {
	case PORT_INTERRUPT_ATTACH:
		return attach(port_id, queue_id, epoll_fd);
	case PORT_INTERRUPT_DETACH:
		return rte_eth_dev_rx_intr_ctl_q(
			       port_id, queue_id, epoll_fd, RTE_INTR_EVENT_DEL, NULL) == 0;
	case PORT_INTERRUPT_ENABLE:
		return rte_eth_dev_rx_intr_enable(port_id, queue_id) == 0;
	case PORT_INTERRUPT_DISABLE:
		return rte_eth_dev_rx_intr_disable(port_id, queue_id) == 0;
	}
	return false;
}
