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
 * polls or closes the port at that moment uses unmapped memory (DPDK 22.11 to 26.07). Therefore the
 * server stops polling, waits, and closes the port. The client stops polling, waits until the
 * server has closed the port, and closes its own port. Each process closes its port in EAL's
 * interrupt thread, so that the close and the unmapping cannot run at the same time.
 */

/**
 * Close the adapter of a server. If its driver is net_memif, first wait until the client has had
 * time to stop polling. No thread may poll the adapter during this call.
 */
void adapter_close_server(struct nd_adapter *adapter);

/**
 * Close the adapter of a client. If its driver is net_memif, first wait until the server has closed
 * its port, at most 1 s. No thread may poll the adapter during this call.
 */
void adapter_close_client(struct nd_adapter *adapter);

#endif
