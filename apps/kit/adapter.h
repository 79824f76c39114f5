/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_ADAPTER_H
#define NDPDK_KIT_ADAPTER_H

#include <stddef.h>

#include <ndpdk/nd.h>

#include "kit/value.h"

/**
 * Open an adapter on a port that EAL should have found. The driver logs its own reason for a
 * failure; only EAL's option --log-level suppresses it.
 *
 * @param port in place of config's port_id and port_name
 * @param megabytes for the sentence that EAL has too little memory: how much it needs
 * @param why on failure, filled with one sentence; >= 320 bytes
 * @return NULL on failure
 */
struct nd_adapter *adapter_open(struct nd_adapter_config *config, const struct value_port *port,
	const char *megabytes, char *why, size_t size);

/*
 * The end of two processes that share a port of net_memif. When one of them closes it, the driver
 * of the other one unmaps the rings, in EAL's interrupt thread, and a thread that polls the port at
 * that moment reads unmapped memory (DPDK 22.11 to 26.07). So the server stops polling, lingers and
 * closes; the client stops polling and closes when the server has closed.
 */

/**
 * A server's last step before it closes its adapter: give the client the time to stop polling.
 * Returns at once for any other driver than net_memif. No thread polls the adapter any more.
 */
void adapter_linger_server(const struct nd_adapter *adapter);

/**
 * A client's last step before it closes its adapter: wait until the server has closed the port, for
 * a second if the server goes on. Returns at once for any other driver than net_memif. No
 * thread polls the adapter any more.
 */
void adapter_linger_client(const struct nd_adapter *adapter);

#endif
