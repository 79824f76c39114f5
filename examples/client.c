/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * client EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS
 *
 * Sends ten messages to server.c. After each message, waits for the same message as the reply.
 */

#include "example.h"

#define MESSAGES 10u

static struct nd_result received, sent;
static char question[64], answer[64];

/* Send a message and wait for its reply. */
static void
ask(struct nd_adapter *adapter, struct nd_cq *cq, struct nd_endpoint *endpoint, struct nd_mr *mr)
{
	/* With mr = NULL, the call copies the bytes, so they need not be registered. */
	const struct nd_sge out = {question, strlen(question) + 1, NULL};
	const struct nd_sge in = {answer, sizeof(answer), mr};

	/* Post the receive before the send, so that it is ready when the reply arrives. */
	must(nd_endpoint_receive(endpoint, &received, &in, 1), "receive");
	must(nd_endpoint_send(endpoint, &sent, &out, 1, 0), "send");
	/* The results of the send and of the receive may arrive in either order. */
	must(next_result(adapter, cq)->status, "first result");
	must(next_result(adapter, cq)->status, "second result");
	if (received.bytes_transferred == out.length && strcmp(question, answer) == 0)
		return;
	fprintf(stderr, "sent \"%s\" and received %zu different bytes\n", question,
		received.bytes_transferred);
	exit(EXIT_FAILURE);
}

int
main(int argc, char **argv)
{
	struct nd_adapter_config config = {.port_id = 0};
	struct nd_overlapped overlapped = {0};
	struct nd_adapter *adapter;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	struct nd_mr *mr;
	const int used = start_eal(argc, argv);

	if (argc - used != 3) {
		fprintf(stderr, "usage: client EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS\n");
		return 2;
	}
	const struct sockaddr_in server = example_address(argv[used + 2], EXAMPLE_PORT);

	adapter = open_adapter(&config, argv[used + 1]);
	must(nd_adapter_register_memory(adapter, answer, sizeof(answer), NULL, &mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, 16, &cq), "completion queue");
	must(nd_adapter_create_connector(adapter, &connector), "connector");
	must(nd_connector_create_endpoint(connector, cq, cq, 1, 1, 1, 1, 0, 0, NULL, &endpoint),
		"endpoint");
	finish_connection(
		nd_connector_connect(connector, endpoint, (const struct sockaddr *)&server,
			sizeof(server), EXAMPLE_TCP, 0, NULL, 0, &overlapped),
		&overlapped, connector);
	must(nd_connector_complete_connect(connector, NULL), "complete connect");

	for (unsigned int i = 0; i < MESSAGES; i++) {
		snprintf(question, sizeof(question), "message %u", i);
		ask(adapter, cq, endpoint, mr);
	}
	printf("%u messages sent and returned\n", MESSAGES);

	finish(nd_connector_disconnect(connector, &overlapped), &overlapped, "disconnect");
	wait_for_server_port(config.port_id);
	nd_adapter_close(adapter);
	rte_eal_cleanup();
	return 0;
}
