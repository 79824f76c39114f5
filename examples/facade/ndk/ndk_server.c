/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * ndk_server EAL-ARGUMENTS -- OWN-ADDRESS
 *
 * Uses the kernel interface of Network Direct. Accepts one client (ndk_client.c). For each request
 * of the client, the server opens a memory window. The client writes a line and then invalidates
 * the window (send and invalidate). The server prints the line.
 */

#include "ndk.h"

#define WINDOW_BYTES 256u

static VOID
asked(PVOID context, NDK_CONNECTOR *connector)
{
	struct peer *server = context;

	if (server->connector == NULL)
		server->connector = connector;
	else
		connector->Dispatch->NdkCloseConnector(&connector->Header, NULL, NULL);
}

static void
accept_client(struct peer *server)
{
	struct waiting listening = {0}, accepting = {0};
	const struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(EXAMPLE_PORT)};
	NDK_LISTENER *listener;
	NTSTATUS status;

	need(server->adapter->Dispatch->NdkCreateListener(
		     server->adapter, asked, server, never_pending, NULL, &listener),
		"listener");
	need(listener->Dispatch->NdkListen(
		     listener, (PSOCKADDR)(uintptr_t)&any, sizeof(any), is_over, &listening),
		"listen");
	printf("listening\n");
	fflush(stdout);
	while (server->connector == NULL)
		turn(server);
	/* Post the receive before the accept, so that it is ready for the first message. */
	post_receive(server, server->memory, WINDOW_BYTES);
	status = server->connector->Dispatch->NdkAccept(server->connector, server->qp, 0, 0, NULL,
		0, has_left, server, is_over, &accepting);
	wait_for(server, status, &accepting, "accept");
}

/**
 * Bind the window and send its token. The bind is posted as deferred, so it is submitted together
 * with the send that follows.
 */
static void
invite(struct peer *server, NDK_MW *window)
{
	char *place = server->memory + WINDOW_BYTES;
	struct invitation invitation = {.address = (uintptr_t)place, .bytes = WINDOW_BYTES};
	const NDK_SGE sge = {.VirtualAddress = &invitation, .Length = sizeof(invitation)};

	need(server->qp->Dispatch->NdkBind(server->qp, NULL, server->mr, window, place,
		     WINDOW_BYTES,
		     NDK_OP_FLAG_ALLOW_REMOTE_WRITE | NDK_OP_FLAG_SILENT_SUCCESS |
			     NDK_OP_FLAG_DEFER),
		"bind");
	invitation.token = window->Dispatch->NdkGetRemoteTokenFromMw(window);
	need(server->qp->Dispatch->NdkSend(
		     server->qp, NULL, &sge, 1, NDK_OP_FLAG_INLINE | NDK_OP_FLAG_SILENT_SUCCESS),
		"send");
}

int
main(int argc, char **argv)
{
	struct nd_adapter_config config = {.port_id = 0};
	static struct peer server;
	NDK_RESULT_EX result;
	NDK_MW *window;
	unsigned int written = 0;
	const int used = start_eal(argc, argv);

	if (argc - used != 2) {
		fprintf(stderr, "usage: ndk_server EAL-ARGUMENTS -- OWN-ADDRESS\n");
		return 2;
	}
	open_peer(&server, &config, argv[used + 1]);
	need(server.pd->Dispatch->NdkCreateMw(server.pd, never_pending, NULL, &window), "window");
	accept_client(&server);
	while (result_of(&server, &result)) {
		/* Post the receive before the client can send its next message. */
		post_receive(&server, server.memory, WINDOW_BYTES);
		if (result.Type != NdkOperationTypeReceiveAndInvalidate) {
			invite(&server, window);
			continue;
		}
		/* The window is invalid, so the client cannot change these bytes any more. */
		printf("%s\n", server.memory + WINDOW_BYTES);
		written++;
	}
	printf("%u windows written and closed by the client\n", written);
	wait_for_client(config.port_id);
	/* ndk_adapter_close() also closes all objects that were created on the adapter. */
	need(ndk_adapter_close(server.adapter), "close");
	nd_adapter_close(server.native);
	rte_eal_cleanup();
	return 0;
}
