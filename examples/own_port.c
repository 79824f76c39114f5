/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * own_port EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS
 *
 * A client of server.c whose port belongs to the application: it makes the pool of received frames,
 * configures and starts the port, and stops it in the end. The adapter uses one queue of it and
 * leaves everything else as it is. A port with more queues can have others for the application's
 * own traffic; which frames come to which queue is then its affair (rte_flow, RSS).
 */

#include "example.h"

#include <rte_mbuf.h>

#define PORT_ID     0
#define QUEUE_ID    0
#define DESCRIPTORS 1024
#define FRAMES      4096 /* more than the descriptors: some are with the engine */

static struct nd_result received, sent;
static char answer[64];

static void
must_port(int error, const char *what)
{
	if (error == 0)
		return;
	fprintf(stderr, "port %d: %s: %s\n", PORT_ID, what, rte_strerror(-error));
	exit(EXIT_FAILURE);
}

static struct rte_mempool *
start_port(void)
{
	/* No offload: the engine computes all sums itself, and one mbuf is one frame. */
	const struct rte_eth_conf conf = {.rxmode = {.mq_mode = RTE_ETH_MQ_RX_NONE}};
	const int socket = rte_eth_dev_socket_id(PORT_ID);
	struct rte_mempool *pool;

	if (!rte_eth_dev_is_valid_port(PORT_ID)) {
		fprintf(stderr, "EAL has found no port: give it a device with --vdev or -a\n");
		exit(EXIT_FAILURE);
	}
	pool = rte_pktmbuf_pool_create("frames", FRAMES, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
		socket < 0 ? SOCKET_ID_ANY : socket);
	if (pool == NULL)
		must_port(-rte_errno, "pool");
	must_port(rte_eth_dev_configure(PORT_ID, 1, 1, &conf), "configure");
	must_port(rte_eth_rx_queue_setup(
			  PORT_ID, QUEUE_ID, DESCRIPTORS, (unsigned int)socket, NULL, pool),
		"receive queue");
	must_port(
		rte_eth_tx_queue_setup(PORT_ID, QUEUE_ID, DESCRIPTORS, (unsigned int)socket, NULL),
		"transmit queue");
	must_port(rte_eth_dev_start(PORT_ID), "start");
	return pool;
}

static struct nd_adapter *
open_on_queue(const char *own)
{
	/* The port's MTU is the application's, so the path MTU has to fit it. */
	struct nd_adapter_config config = {
		.port_id = PORT_ID,
		.queue_id = QUEUE_ID,
		.port_configured = true,
		.path_mtu = 1024,
	};

	return open_adapter(&config, own);
}

static void
ask(struct nd_adapter *adapter, struct nd_connector *connector, const struct sockaddr_in *server)
{
	static char question[] = "hello from a port of my own";
	const struct nd_sge out = {question, sizeof(question), NULL};
	struct nd_sge in = {answer, sizeof(answer), NULL};
	struct nd_overlapped overlapped = {0};
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;

	must(nd_adapter_register_memory(adapter, answer, sizeof(answer), NULL, &in.mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, 16, &cq), "completion queue");
	must(nd_connector_create_endpoint(connector, cq, cq, 1, 1, 1, 1, 0, 0, NULL, &endpoint),
		"endpoint");
	must(nd_endpoint_receive(endpoint, &received, &in, 1), "receive");
	finish_connection(nd_connector_connect(connector, endpoint, (const struct sockaddr *)server,
				  sizeof(*server), EXAMPLE_TCP, 0, NULL, 0, &overlapped),
		&overlapped, connector);
	must(nd_connector_complete_connect(connector, NULL), "complete connect");
	must(nd_endpoint_send(endpoint, &sent, &out, 1, 0), "send");
	must(next_result(adapter, cq)->status, "first result");
	must(next_result(adapter, cq)->status, "second result");
	printf("\"%s\"\n", answer);
	finish(nd_connector_disconnect(connector, &overlapped), &overlapped, "disconnect");
}

int
main(int argc, char **argv)
{
	struct rte_eth_stats stats = {0};
	struct nd_connector *connector;
	struct nd_adapter *adapter;
	struct rte_mempool *pool;
	const int used = start_eal(argc, argv);

	if (argc - used != 3) {
		fprintf(stderr, "usage: own_port EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS\n");
		return 2;
	}
	const struct sockaddr_in server = example_address(argv[used + 2], EXAMPLE_PORT);

	pool = start_port();
	adapter = open_on_queue(argv[used + 1]);
	must(nd_adapter_create_connector(adapter, &connector), "connector");
	ask(adapter, connector, &server);
	wait_for_server_port(PORT_ID);

	/* The adapter leaves the port running, with the application's counters. */
	nd_adapter_close(adapter);
	must_port(rte_eth_stats_get(PORT_ID, &stats), "statistics");
	printf("%llu frames sent\n", (unsigned long long)stats.opackets);
	must_port(rte_eth_dev_stop(PORT_ID), "stop");
	must_port(rte_eth_dev_close(PORT_ID), "close");
	rte_mempool_free(pool);
	rte_eal_cleanup();
	return 0;
}
