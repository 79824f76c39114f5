/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_EXAMPLES_EXAMPLE_H
#define NDPDK_EXAMPLES_EXAMPLE_H

/*
 * What the examples have in common: one way to fail, one way to wait, one way to open an adapter.
 * Each wait polls the engine, because the engine runs on the thread of the program.
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

#define EXAMPLE_PORT 7174u /* of the listener, host byte order */
#define EXAMPLE_TCP  6     /* protocol number: the port space that Linux' rdma_cm uses, too */

/** End the program unless a call has succeeded. ND_PENDING is no failure: use finish() then. */
static inline void
must(nd_status status, const char *what)
{
	if (!nd_failed(status))
		return;
	fprintf(stderr, "%s: %s\n", what, nd_status_name(status));
	exit(EXIT_FAILURE);
}

/** Wait for an overlapped call. Its operation is complete at once unless it returns ND_PENDING. */
static inline void
finish(nd_status status, struct nd_overlapped *overlapped, const char *what)
{
	if (status == ND_PENDING)
		status = nd_overlapped_get_result(overlapped, NULL, true);
	must(status, what);
	*overlapped = (struct nd_overlapped){0};
}

/** Wait for a connection. A failure names its cause, which the status alone does not say. */
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

/** Wait for the next result, of any request. */
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
	fprintf(stderr, "%s is no IPv4 address\n", text);
	exit(EXIT_FAILURE);
}

/** Start EAL. @return how many of the arguments are EAL's: the program's own are behind them. */
static inline int
start_eal(int argc, char **argv)
{
	const int used = rte_eal_init(argc, argv);

	if (used >= 0)
		return used;
	fprintf(stderr,
		"EAL did not start: its own lines say why (without hugepages it needs "
		"--no-huge)\n");
	exit(EXIT_FAILURE);
}

static inline struct nd_adapter *
open_adapter(struct nd_adapter_config *config, const char *own)
{
	const struct sockaddr_in address = example_address(own, 0);
	struct nd_adapter *adapter = NULL;

	memcpy(&config->address, &address, sizeof(address));
	/* A peer that is gone is noticed also by a side that only waits for messages. */
	if (config->peer_timeout_ms == 0)
		config->peer_timeout_ms = 5000;
	if (nd_adapter_open(config, &adapter) == ND_SUCCESS)
		return adapter;
	fprintf(stderr, "no adapter: %s%s\n", nd_adapter_open_error(),
		rte_eth_dev_count_total() == 0 ? ": give it a device with --vdev or -a" : "");
	exit(EXIT_FAILURE);
}

/*
 * The driver of net_memif unmaps the rings when the peer closes its port. It does so in EAL's
 * interrupt thread, also while another thread polls the port, which then reads what is not mapped.
 * So each side closes its port only when the other side polls no more: the server after the time in
 * which the client has got the answer to its disconnect, and the client after the server.
 */
static inline bool
peer_may_unmap(uint16_t port_id)
{
	struct rte_eth_dev_info info;

	return rte_eth_dev_info_get(port_id, &info) == 0 &&
		strcmp(info.driver_name, "net_memif") == 0;
}

/**
 * Server with net_memif: wait before the port is closed. The client polls until it has the answer
 * to its disconnect, and on a busy machine it may not run for some time.
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
 * Client with net_memif, which polls no more: wait until the server has closed its port, for ten
 * seconds at most. The driver says that the link is down before it frees what it frees then. The
 * thread that does it also runs alarms, one after the other: when the alarm has run, it is done.
 */
static inline void
wait_for_server_port(uint16_t port_id)
{
	static bool over; /* static: an alarm that comes too late still finds it */
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
