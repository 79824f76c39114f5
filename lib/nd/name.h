/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_NAME_H
#define NDPDK_ND_NAME_H

#include <ndpdk/nd_adapter.h>

/* Names of adapters, and of the ports on which adapters are opened. */

/** Size of the longest default name, "PORT.QUEUE", including the terminator. */
#define NAME_BYTES 80u

/**
 * Find the port that a configuration names, and choose the name of the adapter.
 *
 * @param config port_id is set if port_name names a port
 * @param name out: name of the adapter, at most NAME_BYTES
 * @param why out, on failure: one sentence; if the port does not exist, it lists the existing ports
 * @return ND_SUCCESS; ND_DEVICE_NOT_READY: no such port; ND_INVALID_PARAMETER: the name is invalid;
 *         ND_SHARING_VIOLATION: an open adapter has this name
 */
nd_status name_resolve(struct nd_adapter_config *config, char *name, char *why, size_t size);

bool name_is_valid(const char *name);

/** Explain that a name is invalid. @param why out: one sentence @return ND_INVALID_PARAMETER */
nd_status name_refuse(const char *name, char *why, size_t size);

#endif
