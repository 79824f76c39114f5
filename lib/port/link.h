/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_LINK_H
#define NDPDK_PORT_LINK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * State of a port's link. A driver with link interrupts (RTE_ETH_EVENT_INTR_LSC) reports a change
 * on a thread of EAL, where this module only counts and logs it. In addition, this module polls all
 * drivers from time to time.
 *
 * The module also detects that the port was removed (RTE_ETH_EVENT_DESTROY; some drivers report
 * RTE_ETH_EVENT_INTR_RMV first). After the removal, the port number must not be used, because it
 * may already belong to a different device.
 */

/** State of a link. */
struct port_link {
	bool up;
	uint64_t ups;   /**< number of times that the link came up since the port was opened */
	uint64_t downs; /**< number of times that the link went down since the port was opened */
};

/** Link of an open port. Its members are atomic. */
struct link {
	uint16_t port_id;
	bool open; /**< true if the event callbacks are registered */
	bool gone;
	void (*on_gone)(void *arg);
	void *arg;
	struct port_link known;
};

/**
 * Begin to watch the link. The structure must not move until link_close().
 * @param on_gone called once, when the port is removed, on the thread that removes the port
 */
void link_open(struct link *link, uint16_t port_id, void (*on_gone)(void *arg), void *arg);

/**
 * Stop watching the link. After this call, no callback runs. Must not be called from a callback of
 * the port.
 */
void link_close(struct link *link);

/** Query the driver without waiting, and update the state. Callable from any thread. */
struct port_link link_look(struct link *link);

/** @return true if the link was up at the last query or event. Callable from any thread. */
bool link_is_up(const struct link *link);

/** @return true if the port was removed since link_open(). Callable from any thread. */
static inline bool
link_is_gone(const struct link *link)
{
	return __atomic_load_n(&link->gone, __ATOMIC_ACQUIRE);
}

#endif
