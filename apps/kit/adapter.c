/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/adapter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_devargs.h>
#include <rte_ethdev.h>
#include <rte_kvargs.h>

/*
 * Time in us that adapter_close_server() waits. In this time the client notices the disconnection
 * and stops polling, even if its thread must wait for a processor.
 */
#define LINGER_SERVER_US 300000u
#define LINGER_CLIENT_US 1000000u
/*
 * Time limit in us for an alarm. It is long because EAL's interrupt thread may run late on a busy
 * machine.
 */
#define ALARM_US         10000000u
#define LOOK_US          1000u

/* @return why net_memif cannot listen on a socket, and the remedy, or NULL if it can */
static const char *
socket_obstacle(const char *path)
{
	/*
	 * A net_memif server refuses a connection of this socket type (EPROTOTYPE). Therefore it
	 * does not take the probe for a client.
	 */
	const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *obstacle = NULL;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (probe >= 0 && connect(probe, (const void *)&address, sizeof(address)) != 0) {
		if (errno == ECONNREFUSED)
			obstacle = "which a killed process left behind: remove this file";
		else if (errno == EPROTOTYPE)
			obstacle = "which another process uses: choose another socket";
	}
	if (probe >= 0)
		close(probe);
	return obstacle;
}

/* @return true if the socket file of a net_memif device is the reason why there is no port */
static bool
explain_memif(char *why, size_t size)
{
	struct rte_devargs *device;
	bool found = false;

	RTE_EAL_DEVARGS_FOREACH("vdev", device)
	{
		struct rte_kvargs *values = strncmp(device->name, "net_memif", 9) == 0
			? rte_kvargs_parse(device->args, NULL)
			: NULL;
		const char *path = values != NULL ? rte_kvargs_get(values, "socket") : NULL;
		const char *obstacle = path != NULL ? socket_obstacle(path) : NULL;

		if (!found && obstacle != NULL) {
			snprintf(why, size, "no adapter: %s cannot use its socket %s, %s",
				device->name, path, obstacle);
			found = true;
		}
		if (values != NULL)
			rte_kvargs_free(values);
	}
	return found;
}

struct nd_adapter *
adapter_open(struct nd_adapter_config *config, const struct value_port *port, const char *megabytes,
	char *why, size_t size)
{
	struct nd_adapter *adapter = NULL;
	bool no_memory, no_port;
	nd_status status;

	config->port_id = port->number;
	config->port_name = port->name[0] != '\0' ? port->name : NULL;
	status = nd_adapter_open(config, &adapter);
	if (!nd_failed(status))
		return adapter;
	no_memory = status == ND_NO_MEMORY || status == ND_INSUFFICIENT_RESOURCES;
	no_port = rte_eth_dev_count_total() == 0;
	if (no_port && explain_memif(why, size))
		return NULL;
	snprintf(why, size, "no adapter: %s (%s)%s%s%s", nd_adapter_open_error(),
		nd_status_name(status), no_memory ? ": give EAL more memory with -m " : "",
		no_memory ? megabytes : "",
		no_port ? ": give EAL a device that a driver supports, with --vdev or -a "
			  "before the --"
			: "");
	return NULL;
}

static bool
peer_may_unmap(uint16_t port_id)
{
	struct rte_eth_dev_info info;

	return rte_eth_dev_info_get(port_id, &info) == 0 &&
		strcmp(info.driver_name, "net_memif") == 0;
}

static bool
link_is_down(uint16_t port_id)
{
	struct rte_eth_link link;

	return rte_eth_link_get_nowait(port_id, &link) != 0 ||
		link.link_status == RTE_ETH_LINK_DOWN;
}

struct late_close {
	struct nd_adapter *adapter;
	bool over;
};

static void
late_close_run(void *arg)
{
	struct late_close *close = arg;

	nd_adapter_close(close->adapter);
	__atomic_store_n(&close->over, true, __ATOMIC_RELEASE);
}

/*
 * Close the adapter in EAL's interrupt thread, which runs alarms. When the peer closes its port,
 * the driver frees its memory in the same thread. Therefore the driver and this close cannot free
 * the memory at the same time.
 */
static void
close_in_interrupt_thread(struct nd_adapter *adapter)
{
	struct late_close close = {.adapter = adapter};

	if (rte_eal_alarm_set(1, late_close_run, &close) == 0) {
		for (uint32_t us = 0;
			!__atomic_load_n(&close.over, __ATOMIC_ACQUIRE) && us < ALARM_US;
			us += LOOK_US)
			rte_delay_us_sleep(LOOK_US);
		/* If the alarm is running, this call waits for its end. */
		rte_eal_alarm_cancel(late_close_run, &close);
	}
	if (!__atomic_load_n(&close.over, __ATOMIC_ACQUIRE))
		nd_adapter_close(adapter);
}

void
adapter_close_server(struct nd_adapter *adapter)
{
	if (!peer_may_unmap(nd_adapter_port_id(adapter))) {
		nd_adapter_close(adapter);
		return;
	}
	rte_delay_us_sleep(LINGER_SERVER_US);
	close_in_interrupt_thread(adapter);
}

void
adapter_close_client(struct nd_adapter *adapter)
{
	const uint16_t port_id = nd_adapter_port_id(adapter);

	if (!peer_may_unmap(port_id)) {
		nd_adapter_close(adapter);
		return;
	}
	for (uint32_t us = 0; !link_is_down(port_id) && us < LINGER_CLIENT_US; us += LOOK_US)
		rte_delay_us_sleep(LOOK_US);
	close_in_interrupt_thread(adapter);
}
