/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_WATCH_H
#define NDPDK_SUPPORT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The thread sanitizer does not see drivers of DPDK. So it does not know that a thread gets a frame
 * behind all that the other one has done with it, nor a packet buffer behind those that had it
 * before. In its builds these functions make it known: ports have callbacks that say so for frames,
 * and packet buffers are kept in a list with a mutex. Functions of DPDK's heap are wrapped there,
 * too. In other builds nothing is done.
 */

/** Of two ports that are joined by rings. @return false: it cannot be done */
bool watch_ports(uint16_t one, uint16_t other);

/** Of pools that are made from now on. @return false: it cannot be done */
bool watch_pools(void);

#endif
