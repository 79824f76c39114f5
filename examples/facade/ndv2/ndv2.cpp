/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Network Direct version 2 in C++, as on Windows. The server opens a part of its memory with a
 * window. The client writes into the window and reads the data back, then both exchange messages.
 * After each round the server closes the window, and opens it again with another token.
 *
 *   ndv2 -s ADDRESS [PORT]            server, on the adapter with this address
 *   ndv2 -c ADDRESS PEER [PORT [ROUNDS [MESSAGES]]]
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winsock2.h>

#include <ndsupport.h>

namespace
{
const ULONG Depth = 32;
const ULONG BufferSize = 65536;
const ULONG MessageSize = 64;

/* Description of the window. The server sends these bytes to the client in a message. */
struct PeerInfo {
	UINT64 RemoteAddress;
	UINT32 RemoteToken;
	ULONG Rounds;
};

void
Check(HRESULT hr, const char *what)
{
	if (SUCCEEDED(hr))
		return;
	fprintf(stderr, "%s failed with %#x. %s\n", what, static_cast<unsigned int>(hr),
		NdGetConfigurationError());
	exit(1);
}

class Endpoint
{
      public:
	explicit Endpoint(const struct sockaddr_in &address) : m_address(address)
	{
		memset(&m_ov, 0, sizeof(m_ov));
		m_ov.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
		Check(NdOpenAdapter(IID_IND2Adapter,
			      reinterpret_cast<const struct sockaddr *>(&address), sizeof(address),
			      reinterpret_cast<void **>(&m_adapter)),
			"NdOpenAdapter");
		ND2_ADAPTER_INFO info;
		ULONG size = sizeof(info);
		info.InfoVersion = ND_VERSION_2;
		Check(m_adapter->Query(&info, &size), "Query");
		Check(m_adapter->CreateOverlappedFile(&m_file), "CreateOverlappedFile");
		Check(m_adapter->CreateCompletionQueue(IID_IND2CompletionQueue, m_file, 2 * Depth,
			      0, 0, reinterpret_cast<void **>(&m_cq)),
			"CreateCompletionQueue");
		Check(m_adapter->CreateQueuePair(IID_IND2QueuePair, m_cq, m_cq, this, Depth, Depth,
			      1, 1, info.InlineRequestThreshold, reinterpret_cast<void **>(&m_qp)),
			"CreateQueuePair");
		Check(m_adapter->CreateConnector(
			      IID_IND2Connector, m_file, reinterpret_cast<void **>(&m_connector)),
			"CreateConnector");
		m_buffer = static_cast<char *>(
			HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, BufferSize));
		Check(m_adapter->CreateMemoryRegion(
			      IID_IND2MemoryRegion, m_file, reinterpret_cast<void **>(&m_mr)),
			"CreateMemoryRegion");
		Finish(m_mr,
			m_mr->Register(m_buffer, BufferSize,
				ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK, &m_ov),
			"Register");
	}

	~Endpoint()
	{
		Finish(m_mr, m_mr->Deregister(&m_ov), "Deregister");
		m_mr->Release();
		m_qp->Release();
		m_connector->Release();
		m_cq->Release();
		m_adapter->Release();
		CloseHandle(m_file);
		CloseHandle(m_ov.hEvent);
		HeapFree(GetProcessHeap(), 0, m_buffer);
	}

	void Finish(IND2Overlapped *object, HRESULT hr, const char *what)
	{
		if (hr == ND_PENDING)
			hr = object->GetOverlappedResult(&m_ov, TRUE);
		Check(hr, what);
	}

	ND2_SGE Sge(ULONG offset, ULONG length)
	{
		ND2_SGE sge = {m_buffer + offset, length, m_mr->GetLocalToken()};
		return sge;
	}

	/* The context of a receive is the address of its buffer. The result returns the context. */
	void PostReceive(void *place)
	{
		ND2_SGE sge = {place, MessageSize, m_mr->GetLocalToken()};
		Check(m_qp->Receive(place, &sge, 1), "Receive");
	}

	/* Post as many receives as the peer may send messages before the next receive is posted. */
	void PostReceives()
	{
		for (ULONG i = 0; i < 4; i++)
			PostReceive(m_buffer + i * MessageSize);
	}

	/*
	 * Take the next result. If blocking is true, sleep until there is a result, otherwise poll.
	 */
	ND2_RESULT Wait(ND2_REQUEST_TYPE type, bool blocking)
	{
		ND2_RESULT result;

		while (m_cq->GetResults(&result, 1) == 0) {
			if (blocking)
				Finish(m_cq, m_cq->Notify(ND_CQ_NOTIFY_ANY, &m_ov), "Notify");
		}
		Check(result.Status, "a request");
		if (result.Status != ND_SUCCESS || result.RequestType != type ||
			result.QueuePairContext != this) {
			fprintf(stderr, "unexpected result\n");
			exit(1);
		}
		return result;
	}

	struct sockaddr_in m_address;
	IND2Adapter *m_adapter;
	IND2CompletionQueue *m_cq;
	IND2QueuePair *m_qp;
	IND2Connector *m_connector;
	IND2MemoryRegion *m_mr;
	HANDLE m_file;
	OVERLAPPED m_ov;
	char *m_buffer;

      private:
	Endpoint(const Endpoint &);
	Endpoint &operator=(const Endpoint &);
};

/* Offset of the window in the buffer, behind the message buffers. */
const ULONG WindowOffset = 4096;
const ULONG WindowSize = BufferSize - WindowOffset;
/* Buffer of sent messages. */
const ULONG SendOffset = 2048;

void
ServeRound(Endpoint &ep, IND2MemoryWindow *window)
{
	PeerInfo info;
	ND2_SGE sge = {&info, sizeof(info), 0};
	ULONG left = 1;

	Check(ep.m_qp->Bind(NULL, ep.m_mr, window, ep.m_buffer + WindowOffset, WindowSize,
		      ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE),
		"Bind");
	ep.Wait(Nd2RequestTypeBind, false);
	info.RemoteAddress = reinterpret_cast<UINT64>(ep.m_buffer + WindowOffset);
	info.RemoteToken = window->GetRemoteToken();
	info.Rounds = 0;
	Check(ep.m_qp->Send(NULL, &sge, 1, ND_OP_FLAG_INLINE), "Send");
	ep.Wait(Nd2RequestTypeSend, false);
	/*
	 * Each message contains the number of messages that remain in the round. Send each message
	 * back.
	 */
	while (left != 0) {
		ND2_RESULT result = ep.Wait(Nd2RequestTypeReceive, left % 100 == 1);
		memcpy(&left, result.RequestContext, sizeof(left));
		ND2_SGE back = {result.RequestContext, result.BytesTransferred, 0};
		Check(ep.m_qp->Send(NULL, &back, 1, ND_OP_FLAG_INLINE), "Send");
		ep.PostReceive(result.RequestContext);
		ep.Wait(Nd2RequestTypeSend, false);
	}
	Check(ep.m_qp->Invalidate(NULL, window, 0), "Invalidate");
	ep.Wait(Nd2RequestTypeInvalidate, false);
	/*
	 * Tell the client to continue. The client does not disconnect before this message, because
	 * Invalidate requires the connection.
	 */
	Check(ep.m_qp->Send(NULL, &sge, 1, ND_OP_FLAG_INLINE), "Send");
	ep.Wait(Nd2RequestTypeSend, false);
}

int
Serve(const struct sockaddr_in &address)
{
	Endpoint ep(address);
	IND2Listener *listener;
	IND2MemoryWindow *window;
	PeerInfo wanted;
	ULONG length = sizeof(wanted);

	Check(ep.m_adapter->CreateListener(
		      IID_IND2Listener, ep.m_file, reinterpret_cast<void **>(&listener)),
		"CreateListener");
	Check(listener->Bind(reinterpret_cast<const struct sockaddr *>(&address), sizeof(address)),
		"Bind");
	Check(listener->Listen(0), "Listen");
	printf("listening\n");
	fflush(stdout);
	ep.PostReceives();
	ep.Finish(listener, listener->GetConnectionRequest(ep.m_connector, &ep.m_ov),
		"GetConnectionRequest");
	/*
	 * The client's private data contains the number of rounds. The transport pads private data.
	 */
	HRESULT hr = ep.m_connector->GetPrivateData(&wanted, &length);
	if (hr != ND_BUFFER_OVERFLOW)
		Check(hr, "GetPrivateData");
	ep.Finish(
		ep.m_connector, ep.m_connector->Accept(ep.m_qp, 1, 1, NULL, 0, &ep.m_ov), "Accept");
	Check(ep.m_adapter->CreateMemoryWindow(
		      IID_IND2MemoryWindow, reinterpret_cast<void **>(&window)),
		"CreateMemoryWindow");
	for (ULONG i = 0; i < wanted.Rounds; i++)
		ServeRound(ep, window);
	ep.Finish(ep.m_connector, ep.m_connector->NotifyDisconnect(&ep.m_ov), "NotifyDisconnect");
	printf("%u rounds\n", wanted.Rounds);
	window->Release();
	listener->Release();
	return 0;
}

void
PlayRound(Endpoint &ep, ULONG messages)
{
	ND2_RESULT result = ep.Wait(Nd2RequestTypeReceive, true);
	char *place = ep.m_buffer + WindowOffset;
	PeerInfo info;

	memcpy(&info, result.RequestContext, sizeof(info));
	ep.PostReceive(result.RequestContext);
	memset(place, static_cast<int>(info.RemoteToken & 0xff), 8192);
	ND2_SGE sge = ep.Sge(WindowOffset, 8192);
	Check(ep.m_qp->Write(NULL, &sge, 1, info.RemoteAddress, info.RemoteToken, 0), "Write");
	ep.Wait(Nd2RequestTypeWrite, false);
	sge = ep.Sge(WindowOffset + 16384, 8192);
	Check(ep.m_qp->Read(NULL, &sge, 1, info.RemoteAddress, info.RemoteToken, 0), "Read");
	ep.Wait(Nd2RequestTypeRead, false);
	if (memcmp(place, place + 16384, 8192) != 0) {
		fprintf(stderr, "the data read differ from the data written\n");
		exit(1);
	}
	for (ULONG left = messages; left-- != 0;) {
		sge = ep.Sge(SendOffset, sizeof(left));
		memcpy(ep.m_buffer + SendOffset, &left, sizeof(left));
		Check(ep.m_qp->Send(NULL, &sge, 1, 0), "Send");
		for (int i = 0; i < 2; i++) {
			/* The reply may arrive before the result of the send. */
			while (ep.m_cq->GetResults(&result, 1) == 0)
				continue;
			Check(result.Status, "a message");
			if (result.RequestType == Nd2RequestTypeReceive)
				ep.PostReceive(result.RequestContext);
		}
	}
	result = ep.Wait(Nd2RequestTypeReceive, true);
	ep.PostReceive(result.RequestContext);
}

int
Play(const struct sockaddr_in &address, const struct sockaddr_in &peer, ULONG rounds,
	ULONG messages)
{
	Endpoint ep(address);
	PeerInfo wanted = {0, 0, rounds};

	ep.PostReceives();
	Check(ep.m_connector->Bind(
		      reinterpret_cast<const struct sockaddr *>(&address), sizeof(address)),
		"Bind");
	ep.Finish(ep.m_connector,
		ep.m_connector->Connect(ep.m_qp, reinterpret_cast<const struct sockaddr *>(&peer),
			sizeof(peer), 1, 1, &wanted, sizeof(wanted), &ep.m_ov),
		"Connect");
	Check(ep.m_connector->CompleteConnect(&ep.m_ov), "CompleteConnect");
	for (ULONG i = 0; i < rounds; i++)
		PlayRound(ep, messages);
	ep.Finish(ep.m_connector, ep.m_connector->Disconnect(&ep.m_ov), "Disconnect");
	printf("%u messages sent and returned\n", rounds * messages);
	return 0;
}

struct sockaddr_in
Parse(char *text, const char *port)
{
	struct sockaddr_in address;
	INT length = sizeof(address);

	memset(&address, 0, sizeof(address));
	if (WSAStringToAddressA(text, AF_INET, NULL, reinterpret_cast<struct sockaddr *>(&address),
		    &length) != 0) {
		fprintf(stderr, "%s is not an IPv4 address\n", text);
		exit(2);
	}
	address.sin_port = port == NULL ? 0 : htons(static_cast<USHORT>(atoi(port)));
	return address;
}

} /* namespace */

int
main(int argc, char *argv[])
{
	char port[] = "54321";
	WSADATA wsa;
	bool serves = argc >= 3 && argc <= 4 && strcmp(argv[1], "-s") == 0;

	if (!serves && (argc < 4 || argc > 7 || strcmp(argv[1], "-c") != 0)) {
		fprintf(stderr,
			"usage: ndv2 -s ADDRESS [PORT]\n"
			"       ndv2 -c ADDRESS PEER [PORT [ROUNDS [MESSAGES]]]\n");
		return 2;
	}
	if (WSAStartup(MAKEWORD(2, 2), &wsa) != 0)
		return 1;
	Check(NdStartup(), "NdStartup");
	int status = serves ? Serve(Parse(argv[2], argc > 3 ? argv[3] : port))
			    : Play(Parse(argv[2], NULL), Parse(argv[3], argc > 4 ? argv[4] : port),
				      static_cast<ULONG>(argc > 5 ? atoi(argv[5]) : 10),
				      static_cast<ULONG>(argc > 6 ? atoi(argv[6]) : 1000));
	NdCleanup();
	WSACleanup();
	return status;
}
