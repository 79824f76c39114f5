/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "process/adapter.h"

#include <stdio.h>

#include <rte_ethdev.h>

struct nd_adapter *
adapter_open(const struct nd_adapter_config *config, char *why, size_t size)
{
	struct nd_adapter *adapter = NULL;
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
	snprintf(why, size, "no adapter: %s (%s)%s", nd_adapter_open_error(),
		nd_status_name(status),
		status == ND_NO_MEMORY ? ": give EAL more memory with -m MEGABYTES" : "");
	return NULL;
}
