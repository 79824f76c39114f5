/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Uses version 1 of Network Direct, in C as on Windows. For each line, the server opens a memory
 * window and sends the window's descriptor. The client writes the line into the window. Then the
 * client sends the length of the line in a message that invalidates the window.
 *
 *   ndv1 ADDRESS                 server, on the adapter with this address
 *   ndv1 ADDRESS PEER [LINES]    client
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winsock2.h>

#include <ndsupport.h>

#define PORT        5100
/** IANA protocol number of TCP. Both sides must use the same number; RDMA programs use TCP. */
#define PROTOCOL    6
#define LINE_BYTES  4096
/** Offsets in the buffer, in bytes: the line, received messages, sent messages. */
#define LINE_AT     0
#define RECEIVE_AT  LINE_BYTES
#define SEND_AT     (LINE_BYTES + 64)
#define BUFFER_SIZE (LINE_BYTES + 128)

/** Objects of one side, client or server. Each pending request has its own ND_RESULT. */
struct side {
	INDAdapter *adapter;
	INDCompletionQueue *inbound, *outbound;
	INDConnector *connector;
	INDEndpoint *endpoint;
	ND_MR_HANDLE mr;
	OVERLAPPED overlapped;
	ND_RESULT received, sent, accessed;
	char *buffer;
};

static void
check(HRESULT hr, const char *what)
{
	/* SUCCEEDED(ND_TIMEOUT) is true, but a timeout is a failure here. */
	if (SUCCEEDED(hr) && hr != ND_TIMEOUT)
		return;
	fprintf(stderr, "%s failed with %#x. %s\n", what, (unsigned int)hr,
		NdGetConfigurationError());
	exit(1);
}

/** Wait until an overlapped call on an object has ended, and check its result. */
static void
finish(struct side *side, void *object, HRESULT hr, const char *what)
{
	SIZE_T bytes;

	if (hr == ND_PENDING)
		hr = INDOverlapped_GetOverlappedResult(
			(INDOverlapped *)object, &side->overlapped, &bytes, TRUE);
	check(hr, what);
}

/** Wait for the next result, which must be the expected result. */
static void
wait_for(struct side *side, INDCompletionQueue *cq, const ND_RESULT *expected, const char *what)
{
	ND_RESULT *result = NULL;

	while (INDCompletionQueue_GetResults(cq, &result, 1) == 0)
		finish(side, cq, INDCompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &side->overlapped),
			"Notify");
	if (result != expected) {
		fprintf(stderr, "unexpected result instead of that of %s\n", what);
		exit(1);
	}
	check(result->Status, what);
}

static void
open_side(struct side *side, const struct sockaddr_in *address)
{
	side->overlapped.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
	check(NdOpenV1Adapter((const struct sockaddr *)address, sizeof(*address), &side->adapter),
		"NdOpenV1Adapter");
	check(INDAdapter_CreateCompletionQueue(side->adapter, 8, &side->inbound),
		"CreateCompletionQueue");
	check(INDAdapter_CreateCompletionQueue(side->adapter, 8, &side->outbound),
		"CreateCompletionQueue");
	check(INDAdapter_CreateConnector(side->adapter, &side->connector), "CreateConnector");
	side->buffer = calloc(1, BUFFER_SIZE);
	if (side->buffer == NULL)
		exit(1);
	finish(side, side->adapter,
		INDAdapter_RegisterMemory(
			side->adapter, side->buffer, BUFFER_SIZE, &side->overlapped, &side->mr),
		"RegisterMemory");
}

static void
make_endpoint(struct side *side)
{
	check(INDConnector_CreateEndpoint(side->connector, side->inbound, side->outbound, 4, 4, 1,
		      1, 0, 0, NULL, &side->endpoint),
		"CreateEndpoint");
}

static void
close_side(struct side *side)
{
	INDEndpoint_Release(side->endpoint);
	INDConnector_Release(side->connector);
	INDCompletionQueue_Release(side->inbound);
	INDCompletionQueue_Release(side->outbound);
	finish(side, side->adapter,
		INDAdapter_DeregisterMemory(side->adapter, side->mr, &side->overlapped),
		"DeregisterMemory");
	INDAdapter_Release(side->adapter);
	CloseHandle(side->overlapped.hEvent);
	free(side->buffer);
}

static void
post_receive(struct side *side)
{
	const ND_SGE sge = {side->buffer + RECEIVE_AT, 64, side->mr};

	check(INDEndpoint_Receive(side->endpoint, &side->received, &sge, 1), "Receive");
}

/** Open a window, send its descriptor, and wait until the client has invalidated the window. */
static void
take_line(struct side *side, INDMemoryWindow *window, const ND_RESULT *invalidated)
{
	ND_MW_DESCRIPTOR descriptor;
	/* Without a registration the data is sent inline: the call copies it. */
	const ND_SGE sge = {&descriptor, sizeof(descriptor), NULL};
	UINT32 length;

	post_receive(side);
	check(INDEndpoint_Bind(side->endpoint, &side->accessed, side->mr, window,
		      side->buffer + LINE_AT, LINE_BYTES, ND_OP_FLAG_ALLOW_WRITE, &descriptor),
		"Bind");
	/* Send executes after Bind, so the window is open when the message arrives. */
	check(INDEndpoint_Send(side->endpoint, &side->sent, &sge, 1, 0), "Send");
	wait_for(side, side->outbound, &side->accessed, "Bind");
	wait_for(side, side->outbound, &side->sent, "Send");
	/* The result for the window comes before that of the message that invalidated it. */
	wait_for(side, side->inbound, invalidated, "the window");
	wait_for(side, side->inbound, &side->received, "Receive");
	memcpy(&length, side->buffer + RECEIVE_AT, sizeof(length));
	printf("%.*s\n", (int)length, side->buffer + LINE_AT);
}

static void
serve(const struct sockaddr_in *address)
{
	struct side side = {0};
	INDMemoryWindow *window;
	ND_RESULT invalidated;
	INDListen *listen;
	UINT32 lines = 0;
	SIZE_T length = sizeof(lines);
	HRESULT hr;

	open_side(&side, address);
	check(INDAdapter_Listen(side.adapter, 0, PROTOCOL, htons(PORT), NULL, &listen), "Listen");
	printf("listening\n");
	fflush(stdout);
	finish(&side, listen,
		INDListen_GetConnectionRequest(listen, side.connector, &side.overlapped),
		"GetConnectionRequest");
	/* The transport pads private data, so the received data is longer than the sent data. */
	hr = INDConnector_GetConnectionData(side.connector, NULL, NULL, &lines, &length);
	if (hr != ND_BUFFER_OVERFLOW)
		check(hr, "GetConnectionData");
	make_endpoint(&side);
	finish(&side, side.connector,
		INDConnector_Accept(side.connector, side.endpoint, NULL, 0, &side.overlapped),
		"Accept");
	check(INDAdapter_CreateMemoryWindow(side.adapter, &invalidated, &window),
		"CreateMemoryWindow");
	for (UINT32 i = 0; i < lines; i++)
		take_line(&side, window, &invalidated);
	finish(&side, side.connector,
		INDConnector_NotifyDisconnect(side.connector, &side.overlapped),
		"NotifyDisconnect");
	printf("%u lines\n", lines);
	INDMemoryWindow_Release(window);
	INDListen_Release(listen);
	close_side(&side);
}

/** Write a line into the next window of the server, and invalidate the window. */
static void
give_line(struct side *side, UINT32 number, bool is_last)
{
	const ND_SGE message = {side->buffer + SEND_AT, sizeof(UINT32), side->mr};
	ND_SGE line = {side->buffer + LINE_AT, 0, side->mr};
	ND_MW_DESCRIPTOR remote;
	UINT32 length;

	wait_for(side, side->inbound, &side->received, "Receive");
	memcpy(&remote, side->buffer + RECEIVE_AT, sizeof(remote));
	if (!is_last)
		post_receive(side);
	length = (UINT32)snprintf(side->buffer + LINE_AT, LINE_BYTES, "line %u", number);
	line.Length = length;
	memcpy(side->buffer + SEND_AT, &length, sizeof(length));
	check(INDEndpoint_Write(side->endpoint, &side->accessed, &line, 1, &remote, 0, 0), "Write");
	check(INDEndpoint_SendAndInvalidate(side->endpoint, &side->sent, &message, 1, &remote, 0),
		"SendAndInvalidate");
	wait_for(side, side->outbound, &side->accessed, "Write");
	wait_for(side, side->outbound, &side->sent, "SendAndInvalidate");
}

static void
play(const struct sockaddr_in *address, const struct sockaddr_in *peer, UINT32 lines)
{
	struct side side = {0};

	open_side(&side, address);
	make_endpoint(&side);
	post_receive(&side);
	finish(&side, side.connector,
		INDConnector_Connect(side.connector, side.endpoint, (const struct sockaddr *)peer,
			sizeof(*peer), PROTOCOL, 0, &lines, sizeof(lines), &side.overlapped),
		"Connect");
	check(INDConnector_CompleteConnect(side.connector, &side.overlapped), "CompleteConnect");
	for (UINT32 i = 1; i <= lines; i++)
		give_line(&side, i, i == lines);
	finish(&side, side.connector, INDConnector_Disconnect(side.connector, &side.overlapped),
		"Disconnect");
	printf("%u lines written\n", lines);
	close_side(&side);
}

static struct sockaddr_in
parse(const char *text)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_addr.s_addr = inet_addr(text);
	if (address.sin_addr.s_addr == INADDR_NONE) {
		fprintf(stderr, "%s is not an IPv4 address\n", text);
		exit(2);
	}
	address.sin_port = htons(PORT);
	return address;
}

int
main(int argc, char *argv[])
{
	struct sockaddr_in address, peer;
	int lines = argc > 3 ? atoi(argv[3]) : 3;

	if (argc < 2 || argc > 4 || lines < 1) {
		fprintf(stderr,
			"usage: ndv1 ADDRESS\n"
			"       ndv1 ADDRESS PEER [LINES]\n");
		return 2;
	}
	check(NdStartup(), "NdStartup");
	address = parse(argv[1]);
	if (argc == 2) {
		serve(&address);
	} else {
		peer = parse(argv[2]);
		play(&address, &peer, (UINT32)lines);
	}
	NdCleanup();
	return 0;
}
