/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_PORT_H
#define NDPDK_PORT_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "base/limits.h"
#include "base/status.h"
#include "port/link.h"
#include "wire/gid.h"

/*
 * Where engines' frames come from and go to. An engine only knows struct port_io; behind it is one
 * RX and one TX queue of an ethdev port, or whatever a test puts there. Engine k of an adapter has
 * the queues with number queue_id + k.
 */

/** What an engine asks of a port whose RX queue can interrupt. */
enum port_interrupt {
	PORT_INTERRUPT_ATTACH, /**< add its descriptor to an epoll set, for rte_epoll_wait() */
	PORT_INTERRUPT_DETACH, /**< take it out again, before the set is closed */
	PORT_INTERRUPT_ENABLE, /**< interrupt once when a frame comes from now on, at least */
	PORT_INTERRUPT_DISABLE,
};

struct port_io {
	/** Take up to max frames that have arrived. Yields the mbufs. Never blocks. */
	uint16_t (*receive)(void *arg, struct rte_mbuf **mbufs, uint16_t max);
	/** Hand over frames. Consumes the first n, n returned; the others stay with the caller. */
	uint16_t (*transmit)(void *arg, struct rte_mbuf **mbufs, uint16_t count);
	void *arg;
	/** What is known of the link; NULL = nothing. Never blocks, but may take microseconds. */
	struct port_link (*look)(void *look_arg);
	void *look_arg;
	/** @return whether it was done. arg is that of receive. NULL = there are no interrupts */
	bool (*interrupt)(void *arg, enum port_interrupt what, int epoll_fd);
	struct rte_ether_addr mac;
	uint16_t mtu;       /**< bytes of IP packet */
	uint32_t link_mbps; /**< speed of the port when it was opened; 0 = unknown */
	int socket_id;
};

/** receive of struct port_io. The port may exchange it while an engine polls: it was removed. */
static inline uint16_t
port_io_receive(const struct port_io *io, struct rte_mbuf **mbufs, uint16_t max)
{
	return __atomic_load_n(&io->receive, __ATOMIC_RELAXED)(io->arg, mbufs, max);
}

/** Likewise, transmit. */
static inline uint16_t
port_io_transmit(const struct port_io *io, struct rte_mbuf **mbufs, uint16_t count)
{
	return __atomic_load_n(&io->transmit, __ATOMIC_RELAXED)(io->arg, mbufs, count);
}

struct port_config {
	uint16_t port_id;
	uint16_t queue_id;    /**< first RX and TX queue; 0 unless configured */
	uint16_t queue_count; /**< RX and TX queues from queue_id on, 1..LIMIT_ENGINES */
	bool configured;      /**< the application has configured and started the port */
	bool own;             /**< be the port's ethdev owner; not when configured */
	bool input_only;      /**< the application receives: there need be no RX queues */
	bool interrupts;      /**< RX queues shall be able to interrupt, if the driver has that */
	/**
	 * The application's function for frames that leave; NULL = rte_eth_tx_burst(). As transmit
	 * of struct port_io.
	 */
	uint16_t (*transmit)(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs,
		uint16_t count, void *transmit_arg);
	void *transmit_arg;
	/** minimum wanted, a larger one is kept; 0 = leave it unchanged */
	uint16_t mtu;
	bool v6; /**< multicast frames of IPv6 neighbour discovery are needed */
	/**
	 * For received frames, one for each RX queue; they outlive the port. Not used when
	 * configured.
	 */
	struct rte_mempool *pools[LIMIT_ENGINES];
};

/** Result of opening a port. */
enum port_error {
	PORT_OK = 0,
	PORT_ABSENT, /**< no such port, or not so many queues */
	PORT_IN_USE, /**< another engine of this process works on one of these queues */
	PORT_FAILED, /**< the driver refused; the sentence says what */
};

/** How a port with several RX queues finds the queue of a packet. */
enum port_steering {
	/**
	 * Nothing was set up: there is one queue, the application has configured the port, or the
	 * driver does not offer more.
	 */
	PORT_STEERING_NONE = 0,
	PORT_STEERING_RSS,  /**< by a hash of addresses and UDP ports: a connection has one queue */
	PORT_STEERING_FLOW, /**< by rules: each queue pair has the queue of its engine */
};

struct port;

/**
 * Query a port before it is opened. The outputs are written for PORT_OK only.
 * @return PORT_OK, PORT_ABSENT
 */
enum port_error
port_query(uint16_t port_id, uint16_t *mtu, int *socket_id) __rte_warn_unused_result;

/**
 * Configure queue_count RX and TX queues of an ethdev port, start it, and claim the queues for the
 * engines of one adapter. The port is put into promiscuous or all-multicast mode as far as v6 needs
 * it.
 *
 * @param port written for PORT_OK only
 * @param why filled with one sentence on failure, without line feed; size >= 160
 *
 * May be called from any thread, as may port_close().
 */
enum port_error port_open(const struct port_config *config, struct port **port, char *why,
	size_t size) __rte_warn_unused_result;

/**
 * Stop the port (unless it was configured by the application) and give up the claim. Some drivers
 * keep buffers of the pools until the port is opened again, so the pools may have to stay. NULL is
 * ignored.
 */
void port_close(struct port *port);

/**
 * Make flow rules that bring RoCEv2 packets to this address to the port's queues, if there are none
 * yet. port_close() destroys them.
 * @return false: the driver does not take them
 */
bool port_make_rules(struct port *port, const struct wire_gid *address);

/** @return whether the device has gone away: unplugged, or detached from EAL. Any thread. */
bool port_removed(const struct port *port);

/** @return whether the port had a link when it was looked at last: some 0.2 s ago. Any thread. */
bool port_has_link(const struct port *port);

/**
 * What an engine needs; valid until port_close(). All have the same MAC address and MTU.
 * @param index of the engine, 0..queue_count - 1: queue_id + index is its queue
 */
const struct port_io *port_get_io(const struct port *port, uint16_t index);

/**
 * How packets find their queue. Engines must not rely on it: whatever it says, a packet can arrive
 * on another queue than that of its queue pair's engine.
 */
enum port_steering port_get_steering(const struct port *port);

/**
 * What the port's PCI device is. Any thread.
 * @param vendor_id, device_id written if it is one
 */
void port_pci_ids(const struct port *port, uint32_t *vendor_id, uint32_t *device_id);

/** Headers of a packet at most (wire.md 1): a port needs an MTU of the path MTU plus this. */
#define PORT_HEADER_BYTES_MAX 96

/** @return largest path MTU for a port MTU: 256, 512, 1024, 2048 or 4096; 0 when not even 256 fits.
 */
uint16_t port_path_mtu(uint16_t mtu);

#endif
