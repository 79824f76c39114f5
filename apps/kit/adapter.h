/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_ADAPTER_H
#define NDPDK_KIT_ADAPTER_H

#include <stddef.h>

#include <ndpdk/nd.h>

#include "kit/value.h"

/**
 * Open an adapter on a port of EAL. If the driver refuses, it logs its own reason, too. Only EAL's
 * option --log-level suppresses the log message.
 *
 * @param port replaces port_id and port_name of config
 * @param megabytes memory that EAL needs, for the error message about too little memory
 * @param why on failure, filled with one sentence; >= 320 bytes
 * @return NULL on failure
 */
struct nd_adapter *adapter_open(struct nd_adapter_config *config, const struct value_port *port,
	const char *megabytes, char *why, size_t size);

/*
 * Two processes that share a net_memif port must close it in order. When one process closes the
 * port, the driver of the other process unmaps the rings in EAL's interrupt thread. A thread that
 * polls the port at that moment reads unmapped memory (DPDK 22.11 to 26.07). Therefore the server
 * stops polling, waits, and then closes the port. The client stops polling, waits until the server
 * has closed the port, and then closes its own port.
 */

/**
 * Wait until the client has had time to stop polling, and stop the port. Call this function in a
 * server immediately before it closes its adapter, when no thread polls the adapter. Does nothing
 * for other drivers than net_memif.
 */
void adapter_linger_server(const struct nd_adapter *adapter);

/**
 * Wait until the server has closed the port, at most 1 s, and stop the port. Call this function in
 * a client immediately before it closes its adapter, when no thread polls the adapter. Does nothing
 * for other drivers than net_memif.
 */
void adapter_linger_client(const struct nd_adapter *adapter);

#endif
