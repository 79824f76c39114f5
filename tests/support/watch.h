/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_WATCH_H
#define NDPDK_SUPPORT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * ThreadSanitizer does not see inside DPDK drivers. Therefore it does not know that a thread
 * receives a frame only after the sender has written it, and that a packet buffer is reused only
 * after its previous use. In builds with ThreadSanitizer, these functions make the order visible:
 * ports get callbacks for frames, packet buffers are kept in a list with a mutex, and the functions
 * of DPDK's heap are wrapped. In builds without ThreadSanitizer, the functions have no effect.
 */

/** Watch two ports that are connected by rings. @return false if callbacks could not be added */
bool watch_ports(uint16_t one, uint16_t other);

/** Watch the packet buffer pools that are created after this call. @return false if not possible */
bool watch_pools(void);

#endif
