/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_EXAMPLES_EXAMPLE_H
#define NDPDK_EXAMPLES_EXAMPLE_H

/*
 * Functions that the examples share: report an error, wait for a result, open an adapter. Each wait
 * polls the engine, because the engine runs in the thread of the program.
 */

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_end.h>

#define EXAMPLE_PORT 7174u /* port number of the listener, host byte order */
#define EXAMPLE_TCP  6     /* IANA protocol number of TCP; rdma_cm of Linux uses this port space */

/** End the program if a call has failed. ND_PENDING is not a failure; wait with finish() then. */
static inline void
must(nd_status status, const char *what)
{
	if (!nd_failed(status))
		return;
	fprintf(stderr, "%s: %s\n", what, nd_status_name(status));
	exit(EXIT_FAILURE);
}

/**
 * Wait for the end of an overlapped call, and end the program if it failed. If the status is not
 * ND_PENDING, the operation is already complete.
 */
static inline void
finish(nd_status status, struct nd_overlapped *overlapped, const char *what)
{
	if (status == ND_PENDING)
		status = nd_overlapped_get_result(overlapped, NULL, true);
	must(status, what);
	*overlapped = (struct nd_overlapped){0};
}

/**
 * Wait for a connection. If the attempt fails, print the reason (nd_end_reason), because the status
 * does not contain the reason.
 */
static inline void
finish_connection(
	nd_status status, struct nd_overlapped *overlapped, struct nd_connector *connector)
{
	struct nd_end end = {.reason = ND_END_NONE};

	if (status == ND_PENDING)
		status = nd_overlapped_get_result(overlapped, NULL, true);
	if (nd_failed(status)) {
		nd_connector_get_end_reason(connector, &end);
		fprintf(stderr, "no connection: %s (%s)\n", nd_end_reason_text(end.reason),
			nd_status_name(status));
		exit(EXIT_FAILURE);
	}
	*overlapped = (struct nd_overlapped){0};
}

/** Wait for the next result of any request. @return the result */
static inline struct nd_result *
next_result(struct nd_adapter *adapter, struct nd_cq *cq)
{
	struct nd_result *result;

	while (nd_cq_get_results(cq, &result, 1) == 0)
		nd_engine_poll(nd_adapter_engine(adapter));
	return result;
}

static inline struct sockaddr_in
example_address(const char *text, uint16_t port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};

	if (inet_pton(AF_INET, text, &address.sin_addr) == 1)
		return address;
	fprintf(stderr, "%s is not an IPv4 address\n", text);
	exit(EXIT_FAILURE);
}

/** Start EAL. @return number of arguments for EAL, before the program's own arguments */
static inline int
start_eal(int argc, char **argv)
{
	const int used = rte_eal_init(argc, argv);

	if (used >= 0)
		return used;
	fprintf(stderr,
		"EAL did not start: see its messages above (without hugepages, give "
		"--no-huge)\n");
	exit(EXIT_FAILURE);
}

static inline struct nd_adapter *
open_adapter(struct nd_adapter_config *config, const char *own)
{
	const struct sockaddr_in address = example_address(own, 0);
	struct nd_adapter *adapter = NULL;

	memcpy(&config->address, &address, sizeof(address));
	/*
	 * Set a time limit. Without a limit, a side that only waits for messages would not detect a
	 * failed peer.
	 */
	if (config->peer_timeout_ms == 0)
		config->peer_timeout_ms = 5000;
	if (nd_adapter_open(config, &adapter) == ND_SUCCESS)
		return adapter;
	fprintf(stderr, "no adapter: %s%s\n", nd_adapter_open_error(),
		rte_eth_dev_count_total() == 0 ? ": give EAL a device with --vdev or -a" : "");
	exit(EXIT_FAILURE);
}

/*
 * @return true if the port has the driver net_memif. Then the two sides must close their ports in
 *         a certain order.
 *
 * When the peer closes its port, the driver of net_memif unmaps the rings. The driver does this in
 * EAL's interrupt thread, even while another thread polls the port, and the polling thread then
 * reads unmapped memory. Therefore each side closes its port only after the other side has stopped
 * polling: first the server, after the client has received the reply to its disconnect, and then
 * the client.
 */
static inline bool
peer_may_unmap(uint16_t port_id)
{
	struct rte_eth_dev_info info;

	return rte_eth_dev_info_get(port_id, &info) == 0 &&
		strcmp(info.driver_name, "net_memif") == 0;
}

/**
 * For a server with net_memif: wait 1 s before closing the port, so that the client has stopped
 * polling. The client polls until it has received the reply to its disconnect, and on a busy
 * machine the client may not run for some time.
 */
static inline void
wait_for_client(uint16_t port_id)
{
	if (peer_may_unmap(port_id))
		rte_delay_us_sleep(1000000);
}

static inline void
note_alarm(void *arg)
{
	__atomic_store_n((bool *)arg, true, __ATOMIC_RELEASE);
}

/**
 * For a client with net_memif, after its last poll: wait until the server has closed its port, at
 * most ten seconds. The driver reports the link as down before it frees the rings. The thread that
 * frees the rings also runs alarms, one after another. Therefore set an alarm after the report.
 * When the alarm has run, the rings are freed.
 */
static inline void
wait_for_server_port(uint16_t port_id)
{
	/*
	 * The variable is static, because an alarm may still write it after this function has
	 * returned.
	 */
	static bool over;
	struct rte_eth_link link;

	if (!peer_may_unmap(port_id))
		return;
	for (int i = 0; i < 1000; i++) {
		rte_delay_us_sleep(10000);
		if (rte_eth_link_get_nowait(port_id, &link) != 0 ||
			link.link_status == RTE_ETH_LINK_DOWN)
			break;
	}
	__atomic_store_n(&over, false, __ATOMIC_RELEASE);
	if (rte_eal_alarm_set(1, note_alarm, &over) != 0)
		return;
	for (int i = 0; i < 1000 && !__atomic_load_n(&over, __ATOMIC_ACQUIRE); i++)
		rte_delay_us_sleep(1000);
}

#endif
