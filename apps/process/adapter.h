/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROCESS_ADAPTER_H
#define NDPDK_PROCESS_ADAPTER_H

#include <stddef.h>

#include <ndpdk/nd.h>

/**
 * Open an adapter on a port that EAL should have found. The driver logs its own reason for a
 * failure; only EAL's option --log-level suppresses it.
 *
 * @param megabytes for the sentence that EAL has too little memory: how much it needs
 * @param why on failure, filled with one sentence; >= 320 bytes
 * @return NULL on failure
 */
struct nd_adapter *
adapter_open(const struct nd_adapter_config *config, const char *megabytes, char *why, size_t size);

#endif
