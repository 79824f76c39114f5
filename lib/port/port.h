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
 * Source and destination of an engine's frames. An engine knows only struct port_io. Its functions
 * access one RX and one TX queue of an ethdev port, or belong to a test. Engine k of an adapter
 * uses the queues with number queue_id + k.
 */

enum port_interrupt {
	/** Add the queue's event descriptor to an epoll set, for rte_epoll_wait(). */
	PORT_INTERRUPT_ATTACH,
	PORT_INTERRUPT_DETACH, /**< remove the event descriptor before the epoll set is closed */
	PORT_INTERRUPT_ENABLE, /**< cause an interrupt if a frame arrives after this call */
	PORT_INTERRUPT_DISABLE,
};

struct port_io {
	/** Receive up to max frames. The caller owns the mbufs. Never blocks. */
	uint16_t (*receive)(void *arg, struct rte_mbuf **mbufs, uint16_t max);
	/**
	 * Transmit frames. Never blocks.
	 * @return number n of accepted frames. The first n mbufs are consumed. The caller keeps the
	 *         mbufs that follow them
	 */
	uint16_t (*transmit)(void *arg, struct rte_mbuf **mbufs, uint16_t count);
	void *arg;
	/**
	 * Query the link. NULL if the link cannot be queried. Never blocks, but may take
	 * microseconds.
	 */
	struct port_link (*look)(void *look_arg);
	void *look_arg;
	/**
	 * Control the RX interrupt. Called with the arg of receive. NULL if the queue has no
	 * interrupts.
	 * @return true on success
	 */
	bool (*interrupt)(void *arg, enum port_interrupt what, int epoll_fd);
	struct rte_ether_addr mac;
	uint16_t mtu;       /**< largest IP packet, in bytes */
	uint32_t link_mbps; /**< speed of the port when it was opened; 0 = unknown */
	int socket_id;
};

/**
 * Call io->receive. The load is atomic, because a different thread replaces the function if the
 * port is removed.
 */
static inline uint16_t
port_io_receive(const struct port_io *io, struct rte_mbuf **mbufs, uint16_t max)
{
	return __atomic_load_n(&io->receive, __ATOMIC_RELAXED)(io->arg, mbufs, max);
}

/** Call io->transmit. The load is atomic, as in port_io_receive(). */
static inline uint16_t
port_io_transmit(const struct port_io *io, struct rte_mbuf **mbufs, uint16_t count)
{
	return __atomic_load_n(&io->transmit, __ATOMIC_RELAXED)(io->arg, mbufs, count);
}

struct port_config {
	uint16_t port_id;
	uint16_t queue_id; /**< first RX and TX queue to use; must be 0 if configured is false */
	/** Number of RX and TX queues to use, from queue_id on, 1..LIMIT_ENGINES. */
	uint16_t queue_count;
	bool configured; /**< true if the application has configured and started the port */
	bool own;        /**< true if ndpdk shall own the port; ignored if configured is true */
	bool input_only; /**< true if the application receives, so that no RX queue is set up */
	bool interrupts; /**< true to enable RX interrupts, if the driver supports them */
	/**
	 * Function of the application that transmits frames, like port_io.transmit. NULL selects
	 * rte_eth_tx_burst().
	 */
	uint16_t (*transmit)(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs,
		uint16_t count, void *transmit_arg);
	void *transmit_arg;
	/** Minimum MTU. A larger MTU of the port is kept. 0: do not change the MTU. */
	uint16_t mtu;
	bool v6; /**< true to receive multicast frames of IPv6 neighbour discovery */
	/**
	 * Pools for received frames, one per RX queue. They must outlive the port. Not used if
	 * configured is set.
	 */
	struct rte_mempool *pools[LIMIT_ENGINES];
};

enum port_error {
	PORT_OK = 0,
	PORT_ABSENT, /**< the port does not exist, or has too few queues */
	PORT_IN_USE, /**< a different engine of the process uses one of the queues */
	PORT_FAILED, /**< the driver reported an error; see the message */
};

/** How a port with several RX queues selects the queue of a packet. */
enum port_steering {
	/**
	 * No steering: there is one queue, the application has configured the port, or the driver
	 * supports no steering.
	 */
	PORT_STEERING_NONE = 0,
	/** Hash of addresses and UDP ports. All packets of a connection arrive on one queue. */
	PORT_STEERING_RSS,
	/** Flow rules. The packets of a queue pair arrive on the queue of its engine. */
	PORT_STEERING_FLOW,
};

struct port;

/**
 * Query a port before it is opened. The outputs are written only for PORT_OK.
 * @return PORT_OK, PORT_ABSENT
 */
enum port_error
port_query(uint16_t port_id, uint16_t *mtu, int *socket_id) __rte_warn_unused_result;

/**
 * Configure queue_count RX and TX queues of an ethdev port, start the port, and claim the queues
 * for the engines of one adapter. If v6 is set, all-multicast or promiscuous mode is enabled.
 *
 * @param port written only for PORT_OK
 * @param why output on failure: one sentence without line feed; size must be >= 160
 *
 * port_open() and port_close() may be called from any thread.
 */
enum port_error port_open(const struct port_config *config, struct port **port, char *why,
	size_t size) __rte_warn_unused_result;

/**
 * Stop the port, unless the application has configured it, and release the claim. Some drivers keep
 * buffers of the pools until the port is opened again, so the pools may have to outlive this call.
 * NULL is ignored.
 */
void port_close(struct port *port);

/**
 * Create flow rules that steer RoCEv2 packets with this destination address to the port's queues.
 * If the rules exist, nothing happens. port_close() destroys the rules.
 * @return false if the driver does not accept the rules
 */
bool port_make_rules(struct port *port, const struct wire_gid *address);

/** @return true if the device was unplugged, or detached from EAL. Callable from any thread. */
bool port_removed(const struct port *port);

/** @return true if the link was up at the last query, about 0.2 s ago. Callable from any thread. */
bool port_has_link(const struct port *port);

/**
 * @return functions and properties of a queue, valid until port_close(). All queues have the same
 *         MAC address and MTU.
 * @param index index of the engine, 0..queue_count - 1; its queue is queue_id + index
 */
const struct port_io *port_get_io(const struct port *port, uint16_t index);

/**
 * @return how packets are steered to queues. Engines must not rely on it, because a packet can
 * always arrive on the queue of the wrong engine.
 */
enum port_steering port_get_steering(const struct port *port);

/**
 * Get the IDs of the port's PCI device. Callable from any thread.
 * @param vendor_id, device_id written only for a PCI device
 */
void port_pci_ids(const struct port *port, uint32_t *vendor_id, uint32_t *device_id);

/**
 * Maximum size of a packet's headers (wire.md 1). A port's MTU must be the path MTU plus this size.
 */
#define PORT_HEADER_BYTES_MAX 96

/** @return largest path MTU that a port MTU allows: 256, 512, 1024, 2048 or 4096; 0 if none */
uint16_t port_path_mtu(uint16_t mtu);

#endif
