/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LOOPBACK_H
#define NDPDK_NDPMD_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/**
 * Create two ethdev ports without a device. Each port receives the frames that the other port
 * transmits, on the queue with the same number.
 *
 * @param queues number of queues of each port and direction, 1 to OPTIONS_LCORES_MAX
 * @param ports filled with the ports
 * @param why   filled with one sentence on failure; >= 256 bytes
 */
bool loopback_create(struct value_port ports[2], uint16_t queues, char *why, size_t size);

#endif
