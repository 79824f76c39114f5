/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * own_port EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS
 *
 * A client of server.c with a port that the application owns. The application creates the mempool
 * for received frames, configures and starts the port, receives frames, and stops the port at the
 * end. It passes RoCEv2 and ARP frames to the engine, and processes all other frames itself. The
 * adapter only transmits on this port.
 *
 * If the port has one receive queue for the engine alone, input_only can stay false: the engine
 * then receives from its queue itself. rte_flow or RSS must steer the frames to the right queue.
 */

#include "example.h"

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#define PORT_ID     0
#define QUEUE_ID    0
#define BURST       32
#define DESCRIPTORS 1024
#define FRAMES      4096 /* more than DESCRIPTORS, because the engine also holds frames */
#define ROCE_PORT   4791

static struct nd_adapter *adapter;
static struct nd_result received, sent;
static char answer[64];
static unsigned int frames_kept, frames_given;

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
	/* No offloads: the engine computes all checksums, and sends each frame as one mbuf. */
	const struct rte_eth_conf conf = {.rxmode = {.mq_mode = RTE_ETH_MQ_RX_NONE}};
	const int socket = rte_eth_dev_socket_id(PORT_ID);
	struct rte_mempool *pool;

	if (!rte_eth_dev_is_valid_port(PORT_ID)) {
		fprintf(stderr, "EAL found no port: give EAL a device with --vdev or -a\n");
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

static void
open_on_port(const char *own)
{
	/* The application sets the MTU of the port, so path_mtu must fit into this MTU. */
	struct nd_adapter_config config = {
		.port_id = PORT_ID,
		.queue_id = QUEUE_ID,
		.port_configured = true,
		.input_only = true,
		.path_mtu = 1024,
	};

	adapter = open_adapter(&config, own);
}

/* Select ARP, and RoCEv2 over IPv4, without VLAN. docs/tenant.md lists all frames of an engine. */
static bool
is_for_engine(const struct rte_mbuf *mbuf)
{
	const struct rte_ether_hdr *ether = rte_pktmbuf_mtod(mbuf, const struct rte_ether_hdr *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(ether + 1);
	const struct rte_udp_hdr *udp = (const struct rte_udp_hdr *)(ip + 1);

	if (ether->ether_type == rte_cpu_to_be_16(RTE_ETHER_TYPE_ARP))
		return true;
	return mbuf->data_len >= sizeof(*ether) + sizeof(*ip) + sizeof(*udp) &&
		ether->ether_type == rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4) &&
		ip->version_ihl == RTE_IPV4_VHL_DEF && ip->next_proto_id == IPPROTO_UDP &&
		udp->dst_port == rte_cpu_to_be_16(ROCE_PORT);
}

/* Execute one iteration of the application's main loop. */
static void
turn(void)
{
	struct rte_mbuf *mbufs[BURST], *roce[BURST];
	const uint16_t count = rte_eth_rx_burst(PORT_ID, QUEUE_ID, mbufs, BURST);
	uint16_t given = 0;

	for (uint16_t i = 0; i < count; i++) {
		if (is_for_engine(mbufs[i])) {
			roce[given++] = mbufs[i];
			continue;
		}
		/* An application would process frames of its own protocols here. */
		frames_kept++;
		rte_pktmbuf_free(mbufs[i]);
	}
	frames_given += given;
	/* nd_engine_input() takes ownership of the mbufs. */
	nd_engine_input(nd_adapter_engine(adapter), roce, given);
	/* With input_only, this call receives no frames. It transmits and handles timers. */
	nd_engine_poll(nd_adapter_engine(adapter));
}

/*
 * Wait until an overlapped call ends. Do not use finish() here: while a thread waits inside the
 * library, the application receives no frames.
 */
static nd_status
wait_for(nd_status status, struct nd_overlapped *overlapped)
{
	while (status == ND_PENDING) {
		turn();
		status = nd_overlapped_get_result(overlapped, NULL, false);
	}
	return status;
}

static void
wait_for_result(struct nd_cq *cq)
{
	struct nd_result *result;

	while (nd_cq_get_results(cq, &result, 1) == 0)
		turn();
	must(result->status, "result");
}

static void
ask(struct nd_connector *connector, const struct sockaddr_in *server)
{
	static char question[] = "hello from a port of my own";
	const struct nd_sge out = {question, sizeof(question), NULL};
	struct nd_sge in = {answer, sizeof(answer), NULL};
	struct nd_overlapped overlapped = {0};
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	nd_status status;

	must(nd_adapter_register_memory(adapter, answer, sizeof(answer), NULL, &in.mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, 16, &cq), "completion queue");
	must(nd_connector_create_endpoint(connector, cq, cq, 1, 1, 1, 1, 0, 0, NULL, &endpoint),
		"endpoint");
	must(nd_endpoint_receive(endpoint, &received, &in, 1), "receive");
	status = nd_connector_connect(connector, endpoint, (const struct sockaddr *)server,
		sizeof(*server), EXAMPLE_TCP, 0, NULL, 0, &overlapped);
	finish_connection(wait_for(status, &overlapped), &overlapped, connector);
	must(nd_connector_complete_connect(connector, NULL), "complete connect");
	must(nd_endpoint_send(endpoint, &sent, &out, 1, 0), "send");
	/* Wait for the results of the send and of the receive, which arrive in either order. */
	wait_for_result(cq);
	wait_for_result(cq);
	printf("\"%s\"\n", answer);
	must(wait_for(nd_connector_disconnect(connector, &overlapped), &overlapped), "disconnect");
}

int
main(int argc, char **argv)
{
	struct nd_connector *connector;
	struct rte_mempool *pool;
	const int used = start_eal(argc, argv);

	if (argc - used != 3) {
		fprintf(stderr, "usage: own_port EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS\n");
		return 2;
	}
	const struct sockaddr_in server = example_address(argv[used + 2], EXAMPLE_PORT);

	pool = start_port();
	open_on_port(argv[used + 1]);
	must(nd_adapter_create_connector(adapter, &connector), "connector");
	ask(connector, &server);
	printf("%u frames given to the engine, %u kept by it\n", frames_given, frames_kept);
	wait_for_server_port(PORT_ID);

	/* nd_adapter_close() does not stop the port, because the application owns it. */
	nd_adapter_close(adapter);
	must_port(rte_eth_dev_stop(PORT_ID), "stop");
	must_port(rte_eth_dev_close(PORT_ID), "close");
	rte_mempool_free(pool);
	rte_eal_cleanup();
	return 0;
}
