/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "process/adapter.h"

#include <stdio.h>

#include <rte_ethdev.h>

struct nd_adapter *
adapter_open(const struct nd_adapter_config *config, const char *megabytes, char *why, size_t size)
{
	struct nd_adapter *adapter = NULL;
	bool no_memory;
	nd_status status;

	if (!rte_eth_dev_is_valid_port(config->port_id)) {
		snprintf(why, size,
			"port %u does not exist, EAL has found %u: give it a device that its "
			"driver takes, for instance --vdev or -a, in front of a lone --",
			config->port_id, rte_eth_dev_count_avail());
		return NULL;
	}
	status = nd_adapter_open(config, &adapter);
	if (!nd_failed(status))
		return adapter;
	no_memory = status == ND_NO_MEMORY || status == ND_INSUFFICIENT_RESOURCES;
	snprintf(why, size, "no adapter: %s (%s)%s%s", nd_adapter_open_error(),
		nd_status_name(status), no_memory ? ": give EAL more memory with -m " : "",
		no_memory ? megabytes : "");
	return NULL;
}
