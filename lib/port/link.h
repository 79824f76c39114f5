/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_LINK_H
#define NDPDK_PORT_LINK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a port has a link. A driver with interrupts for changes of it (RTE_ETH_EVENT_INTR_LSC)
 * tells so on a thread of EAL, which counts here and does nothing else; all drivers are asked from
 * time to time. Each change is logged.
 *
 * And whether the port is there at all: its number may be another device's as soon as it was
 * removed (RTE_ETH_EVENT_DESTROY; some drivers say RTE_ETH_EVENT_INTR_RMV before). From then on
 * nothing may be done with the number.
 */

/** What is known of a link. */
struct port_link {
	bool up;
	uint64_t ups;   /**< changes since the port was opened: it came */
	uint64_t downs; /**< likewise: it was lost */
};

/** The link of an open port. Its members are atomic. */
struct link {
	uint16_t port_id;
	bool open; /**< events of the port come here */
	bool gone; /**< the port was removed */
	void (*on_gone)(void *arg);
	void *arg;
	struct port_link known;
};

/**
 * Begin with the link as it is now. The structure stays where it is until link_close().
 * @param on_gone called once, when the port is removed, on the thread that removes it
 */
void link_open(struct link *link, uint16_t port_id, void (*on_gone)(void *arg), void *arg);

/** When this returns no event comes any more. Not from a callback of the port. */
void link_close(struct link *link);

/** Ask the driver, without waiting for it. Any thread. */
struct port_link link_look(struct link *link);

/** @return whether there was a link when the driver was asked last, or told. Any thread. */
bool link_is_up(const struct link *link);

/** @return whether the port was removed since link_open(). Any thread. */
static inline bool
link_is_gone(const struct link *link)
{
	return __atomic_load_n(&link->gone, __ATOMIC_ACQUIRE);
}

#endif
