/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * ndk_client EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS
 *
 * Uses the kernel interface of Network Direct. Three times, the client requests a memory window
 * from ndk_server.c, writes a line into the window, and sends a message that invalidates the
 * window.
 */

#include "ndk.h"

#define LINES 3u

static void
connect_to(struct peer *client, const char *own, const char *server)
{
	struct sockaddr_in source = example_address(own, 0);
	struct sockaddr_in destination = example_address(server, EXAMPLE_PORT);
	struct waiting connecting = {0}, completing = {0};
	NTSTATUS status;

	need(client->adapter->Dispatch->NdkCreateConnector(
		     client->adapter, never_pending, NULL, &client->connector),
		"connector");
	status = client->connector->Dispatch->NdkConnect(client->connector, client->qp,
		(PSOCKADDR)&source, sizeof(source), (PSOCKADDR)&destination, sizeof(destination), 0,
		0, NULL, 0, is_over, &connecting);
	wait_for(client, status, &connecting, "connect");
	need(client->connector->Dispatch->NdkCompleteConnect(
		     client->connector, has_left, client, is_over, &completing),
		"complete connect");
}

/** Request a window, and wait for the message that describes the window. */
static void
ask(struct peer *client, struct invitation *invitation)
{
	NDK_RESULT_EX result;

	post_receive(client, client->memory, sizeof(*invitation));
	need(client->qp->Dispatch->NdkSend(client->qp, NULL, NULL, 0, NDK_OP_FLAG_SILENT_SUCCESS),
		"send");
	if (!result_of(client, &result) || result.BytesTransferred != sizeof(*invitation)) {
		fprintf(stderr, "the server did not reply with a memory window\n");
		exit(EXIT_FAILURE);
	}
	memcpy(invitation, client->memory, sizeof(*invitation));
}

/**
 * Write a line into the window and invalidate the window. The write is posted as deferred, so it is
 * transmitted together with the send that follows.
 */
static void
write_line(struct peer *client, const struct invitation *invitation, unsigned int number)
{
	char *line = client->memory + 1024;
	NDK_SGE sge = {.VirtualAddress = line, .MemoryRegionToken = client->token};
	NDK_RESULT_EX result;

	sge.Length = 1 + (ULONG)snprintf(line, invitation->bytes, "line %u", number);
	need(client->qp->Dispatch->NdkWrite(client->qp, NULL, &sge, 1, invitation->address,
		     invitation->token, NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_DEFER),
		"write");
	need(client->qp->Dispatch->NdkSendAndInvalidate(
		     client->qp, NULL, NULL, 0, 0, invitation->token),
		"send and invalidate");
	if (!result_of(client, &result)) {
		fprintf(stderr, "the server has disconnected\n");
		exit(EXIT_FAILURE);
	}
}

int
main(int argc, char **argv)
{
	struct nd_adapter_config config = {.port_id = 0};
	struct invitation invitation;
	struct waiting leaving = {0};
	static struct peer client;
	NTSTATUS status;
	const int used = start_eal(argc, argv);

	if (argc - used != 3) {
		fprintf(stderr, "usage: ndk_client EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS\n");
		return 2;
	}
	open_peer(&client, &config, argv[used + 1]);
	connect_to(&client, argv[used + 1], argv[used + 2]);
	for (unsigned int i = 0; i < LINES; i++) {
		ask(&client, &invitation);
		write_line(&client, &invitation, i);
	}
	printf("%u lines written\n", LINES);
	status = client.connector->Dispatch->NdkDisconnect(client.connector, is_over, &leaving);
	wait_for(&client, status, &leaving, "disconnect");
	wait_for_server_port(config.port_id);
	need(ndk_adapter_close(client.adapter), "close");
	nd_adapter_close(client.native);
	rte_eal_cleanup();
	return 0;
}
