/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_NAME_H
#define NDPDK_ND_NAME_H

#include <ndpdk/nd_adapter.h>

/* Names of adapters, and of the ports that they are opened on. */

/** Of a default name: the port's, a point and a queue. */
#define NAME_BYTES 80u

/**
 * Find the port that a configuration names, and choose the name of its adapter.
 *
 * @param config port_id is set when port_name names a port
 * @param name out, NAME_BYTES; the adapter's
 * @param why out, on failure: one sentence, which names the ports that there are
 * @return ND_SUCCESS; ND_DEVICE_NOT_READY: no such port; ND_INVALID_PARAMETER: not a valid name;
 *         ND_SHARING_VIOLATION: an open adapter has this name
 */
nd_status name_resolve(struct nd_adapter_config *config, char *name, char *why, size_t size);

/** @return whether an application may give an adapter this name */
bool name_is_valid(const char *name);

/**
 * Say that a name is not valid.
 *
 * @param why out: one sentence
 * @return ND_INVALID_PARAMETER
 */
nd_status name_refuse(const char *name, char *why, size_t size);

#endif
