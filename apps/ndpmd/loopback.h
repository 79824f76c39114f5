/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LOOPBACK_H
#define NDPDK_NDPMD_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Make two ethdev ports of which each receives what the other sends, without device.
 *
 * @param ports filled with their numbers
 * @param why   filled with one sentence on failure; >= 256 bytes
 */
bool loopback_create(uint16_t ports[2], char *why, size_t size);

#endif
