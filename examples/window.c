/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * window EAL-ARGUMENTS -- OWN-ADDRESS                   the owner of the memory
 * window EAL-ARGUMENTS -- OWN-ADDRESS OWNER-ADDRESS     the writer
 *
 * Opens a memory window for each request. The owner binds the window to a buffer and sends the
 * window's descriptor. The writer writes into the buffer, and then sends a message that
 * invalidates the window. After this message the writer cannot access the buffer, so the owner can
 * use the data without a copy.
 */

#include "example.h"

#define REQUESTS     1000u
#define BUFFER_BYTES 4096u

static struct nd_adapter *adapter;
static struct nd_connector *connector;
static struct nd_endpoint *endpoint;
static struct nd_cq *cq;
static struct nd_mr *mr;

/* On the owner: the memory that the window opens. On the writer: the data to write. */
static char buffer[BUFFER_BYTES];
static struct nd_result received, sent, invalidated;

/* Take results until the wanted result has arrived. Sends and receives complete in any order. */
static void
wait_for(const struct nd_result *wanted)
{
	while (wanted->status == ND_PENDING)
		must(next_result(adapter, cq)->status, "request");
}

static void
set_up(const char *own)
{
	struct nd_adapter_config config = {.port_id = 0};

	adapter = open_adapter(&config, own);
	must(nd_adapter_register_memory(adapter, buffer, sizeof(buffer), NULL, &mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, 16, &cq), "completion queue");
	must(nd_adapter_create_connector(adapter, &connector), "connector");
}

/*
 * Create the endpoint. One receive and two requests can be outstanding, because each batch has two
 * requests.
 */
static void
make_endpoint(void)
{
	must(nd_connector_create_endpoint(connector, cq, cq, 1, 2, 1, 1, 0, 0, NULL, &endpoint),
		"endpoint");
}

static void
post_receive(const struct nd_sge *sge, size_t count)
{
	received.status = ND_PENDING;
	must(nd_endpoint_receive(endpoint, &received, sge, count), "receive");
}

/* Bind the window and send its descriptor. The send is executed after the bind. */
static void
offer(struct nd_mw *mw)
{
	static struct nd_result bound;
	struct nd_mw_descriptor descriptor;
	const struct nd_sge key = {&descriptor, sizeof(descriptor), NULL};

	sent.status = invalidated.status = ND_PENDING;
	nd_endpoint_start_request_batch(endpoint);
	must(nd_endpoint_bind(endpoint, &bound, mr, mw, buffer, sizeof(buffer),
		     ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &descriptor),
		"bind");
	must(nd_endpoint_send(endpoint, &sent, &key, 1, 0), "send");
	nd_endpoint_submit_request_batch(endpoint);
}

static void
own(void)
{
	struct nd_overlapped overlapped = {0};
	struct nd_listener *listener;
	struct nd_mw *mw;

	must(nd_adapter_create_memory_window(adapter, &invalidated, &mw), "window");
	must(nd_adapter_listen(adapter, 1, EXAMPLE_TCP, htons(EXAMPLE_PORT), NULL, &listener),
		"listener");
	printf("listening\n");
	fflush(stdout);
	finish(nd_listener_get_connection_request(listener, connector, &overlapped), &overlapped,
		"connection request");
	make_endpoint();
	finish_connection(nd_connector_accept(connector, endpoint, NULL, 0, &overlapped),
		&overlapped, connector);

	for (unsigned int i = 0; i < REQUESTS; i++) {
		post_receive(NULL, 0);
		offer(mw);
		wait_for(&sent);
		/* The window's result comes before that of the message that invalidated it. */
		wait_for(&invalidated);
		wait_for(&received);
		if (buffer[0] == (char)i && buffer[sizeof(buffer) - 1] == (char)i)
			continue;
		fprintf(stderr, "request %u returned different data\n", i);
		exit(EXIT_FAILURE);
	}
	printf("%u windows opened, written and closed\n", REQUESTS);
	/* The writer disconnects. */
	finish(nd_connector_notify_disconnect(connector, &overlapped), &overlapped, "end");
	wait_for_client(0);
}

/* Write the data, then send a message that invalidates the window. Both arrive in this order. */
static void
write_into(const struct nd_mw_descriptor *window)
{
	static struct nd_result written;
	const struct nd_sge data = {buffer, sizeof(buffer), mr};

	sent.status = ND_PENDING;
	nd_endpoint_start_request_batch(endpoint);
	must(nd_endpoint_write(endpoint, &written, &data, 1, window, 0, ND_OP_FLAG_SILENT_SUCCESS),
		"write");
	must(nd_endpoint_send_and_invalidate(endpoint, &sent, NULL, 0, window, 0), "send");
	nd_endpoint_submit_request_batch(endpoint);
}

static void
write_to(const char *owner)
{
	static struct nd_mw_descriptor arrived;
	const struct sockaddr_in address = example_address(owner, EXAMPLE_PORT);
	struct nd_sge key = {&arrived, sizeof(arrived), NULL};
	struct nd_overlapped overlapped = {0};

	must(nd_adapter_register_memory(adapter, &arrived, sizeof(arrived), NULL, &key.mr),
		"memory");
	make_endpoint();
	post_receive(&key, 1);
	finish_connection(
		nd_connector_connect(connector, endpoint, (const struct sockaddr *)&address,
			sizeof(address), EXAMPLE_TCP, 0, NULL, 0, &overlapped),
		&overlapped, connector);
	must(nd_connector_complete_connect(connector, NULL), "complete connect");

	for (unsigned int i = 0; i < REQUESTS; i++) {
		wait_for(&received);
		const struct nd_mw_descriptor window = arrived;

		memset(buffer, (char)i, sizeof(buffer));
		/*
		 * Post the receive first, because the invalidation makes the owner send the next
		 * key.
		 */
		post_receive(&key, 1);
		write_into(&window);
		wait_for(&sent);
	}
	printf("%u requests written\n", REQUESTS);
	finish(nd_connector_disconnect(connector, &overlapped), &overlapped, "disconnect");
	wait_for_server_port(0);
}

int
main(int argc, char **argv)
{
	const int used = start_eal(argc, argv);
	const int count = argc - used;

	if (count != 2 && count != 3) {
		fprintf(stderr, "usage: window EAL-ARGUMENTS -- OWN-ADDRESS [OWNER-ADDRESS]\n");
		return 2;
	}
	set_up(argv[used + 1]);
	if (count == 2)
		own();
	else
		write_to(argv[used + 2]);
	nd_adapter_close(adapter);
	rte_eal_cleanup();
	return 0;
}
