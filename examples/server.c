/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * server EAL-ARGUMENTS -- OWN-ADDRESS
 *
 * Accepts one client and sends each message back until the client disconnects. The clients are
 * client.c, own_port.c and hello.cpp.
 */

#include "example.h"

#define MESSAGE_BYTES 4096u

/* Results of the pending requests. The completion queue returns their addresses. */
static struct nd_result received, sent;
static char message[MESSAGE_BYTES];

static void
post_receive(struct nd_endpoint *endpoint, struct nd_mr *mr)
{
	const struct nd_sge sge = {message, sizeof(message), mr};

	must(nd_endpoint_receive(endpoint, &received, &sge, 1), "receive");
}

/* Send each message back until the client disconnects. @return number of messages sent back */
static unsigned int
echo(struct nd_adapter *adapter, struct nd_cq *cq, struct nd_endpoint *endpoint, struct nd_mr *mr)
{
	unsigned int count = 0;

	/* When the connection ends, all pending requests complete with ND_CANCELED. */
	while (next_result(adapter, cq)->status == ND_SUCCESS) {
		const struct nd_sge sge = {message, received.bytes_transferred, mr};

		must(nd_endpoint_send(endpoint, &sent, &sge, 1, 0), "send");
		if (next_result(adapter, cq)->status != ND_SUCCESS)
			break;
		/*
		 * The client sends its next message after this reply, so the message may arrive
		 * before the receive is posted. In this case, this side sends an RNR NAK, and the
		 * client retransmits the message later. A server with two buffers can post the
		 * receive before the reply.
		 */
		post_receive(endpoint, mr);
		count++;
	}
	return count;
}

int
main(int argc, char **argv)
{
	struct nd_adapter_config config = {.port_id = 0};
	struct nd_overlapped overlapped = {0};
	struct nd_adapter *adapter;
	struct nd_listener *listener;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	struct nd_mr *mr;
	const int used = start_eal(argc, argv);

	if (argc - used != 2) {
		fprintf(stderr, "usage: server EAL-ARGUMENTS -- OWN-ADDRESS\n");
		return 2;
	}
	adapter = open_adapter(&config, argv[used + 1]);
	must(nd_adapter_register_memory(adapter, message, sizeof(message), NULL, &mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, 16, &cq), "completion queue");
	must(nd_adapter_create_connector(adapter, &connector), "connector");
	must(nd_adapter_listen(adapter, 1, EXAMPLE_TCP, htons(EXAMPLE_PORT), NULL, &listener),
		"listener");
	printf("listening\n");
	fflush(stdout);

	finish(nd_listener_get_connection_request(listener, connector, &overlapped), &overlapped,
		"connection request");
	must(nd_connector_create_endpoint(connector, cq, cq, 1, 1, 1, 1, 0, 0, NULL, &endpoint),
		"endpoint");
	/* Post the receive before the accept, so that it is ready for the first message. */
	post_receive(endpoint, mr);
	finish_connection(nd_connector_accept(connector, endpoint, NULL, 0, &overlapped),
		&overlapped, connector);
	printf("%u messages sent back\n", echo(adapter, cq, endpoint, mr));
	wait_for_client(config.port_id);

	/* nd_adapter_close() also releases all objects that were created on the adapter. */
	nd_adapter_close(adapter);
	rte_eal_cleanup();
	return 0;
}
