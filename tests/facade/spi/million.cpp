/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Many messages between two adapters, written like a program for Network Direct on Windows. In each
 * round of 1000 messages, the passive side binds a window and at the end invalidates it. Of four
 * messages, one is a Write into the window, one is a Read of the written bytes, and two are Sends.
 * Both sides check all received bytes. Every four rounds use these ways of waiting in turn: poll,
 * sleep in GetOverlappedResult(), poll, sleep in WaitForSingleObject().
 *
 *   million -s ADDRESS                        passive side
 *   million -c ADDRESS PEER [MESSAGES]        active side
 *   million -b ADDRESS PEER [MESSAGES]        both sides, each in a thread
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winsock2.h>

#include <ndspi.h>
#include <ndsupport.h>

namespace
{
const ULONG RoundMessages = 1000;
const ULONG Batch = 16;
const ULONG MessageSize = 64;
const ULONG Depth = 64;
const USHORT Port = 54321;
/* Number of consecutive empty polls of a queue after which the thread yields the processor. */
const ULONG Patience = 64;

/* Offsets of three areas of the buffer: outgoing data, received messages, data of Reads. */
const ULONG OutOffset = 0;
const ULONG InOffset = Batch * MessageSize;
const ULONG BackOffset = 2 * Batch * MessageSize;
const ULONG ControlOffset = 3 * Batch * MessageSize;
const ULONG WindowOffset = 4096;
const ULONG WindowSize = Batch * MessageSize;
const ULONG BufferSize = WindowOffset + WindowSize;

/* A control message announces the window of a round, or the end of a batch. */
struct Control {
	UINT64 RemoteAddress;
	/*
	 * The total number of messages in private data, and the number so far at the end of a
	 * batch.
	 */
	UINT64 Messages;
	UINT32 RemoteToken;
};

struct Counts {
	ULONG64 Writes, Reads, Sends, Windows, Sleeps;
};

void
Check(HRESULT hr, const char *what)
{
	if (hr == ND_SUCCESS)
		return;
	fprintf(stderr, "%s gave %#x. %s\n", what, static_cast<unsigned int>(hr),
		NdGetConfigurationError());
	exit(1);
}

void
Require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	exit(1);
}

/* Fill message n with a word that no other message contains. */
void
Fill(char *place, ULONG64 n)
{
	ULONG64 word = n * 0x9e3779b97f4a7c15ULL + 1;

	for (ULONG i = 0; i < MessageSize; i += sizeof(word), word++)
		memcpy(place + i, &word, sizeof(word));
}

void
CheckMessage(const char *place, ULONG64 n, const char *what)
{
	char expected[MessageSize];

	Fill(expected, n);
	Require(memcmp(place, expected, MessageSize) == 0, what);
}

bool
IsWrite(ULONG64 n)
{
	return n % 4 == 0;
}

bool
IsRead(ULONG64 n)
{
	return n % 4 == 1;
}

void
ReleaseLast(IUnknown *object, const char *what)
{
	Require(object->Release() == 0, what);
}

class Side
{
      public:
	explicit Side(const struct sockaddr_in &address) : m_address(address), m_blocking(0)
	{
		ND2_ADAPTER_INFO info;
		ULONG size = sizeof(info);

		memset(&m_ov, 0, sizeof(m_ov));
		memset(&m_counts, 0, sizeof(m_counts));
		m_ov.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
		Require(m_ov.hEvent != NULL, "there is no event");
		Check(NdOpenAdapter(IID_IND2Adapter, Address(), sizeof(m_address),
			      reinterpret_cast<void **>(&m_adapter)),
			"NdOpenAdapter");
		info.InfoVersion = ND_VERSION_2;
		Check(m_adapter->Query(&info, &size), "Query");
		Require(info.MaxInitiatorQueueDepth >= Depth && info.MaxReceiveQueueDepth >= Depth,
			"queues of the adapter are too short");
		Check(m_adapter->CreateOverlappedFile(&m_file), "CreateOverlappedFile");
		Create(info.InlineRequestThreshold);
	}

	~Side()
	{
		Finish(m_mr, m_mr->Deregister(&m_ov), "Deregister");
		ReleaseLast(m_mr, "the region is still used");
		ReleaseLast(m_connector, "the connector is still used");
		ReleaseLast(m_qp, "the queue pair is still used");
		ReleaseLast(m_receives, "the completion queue of receives is still used");
		ReleaseLast(m_requests, "the completion queue of requests is still used");
		ReleaseLast(m_adapter, "the adapter is still used");
		CloseHandle(m_file);
		CloseHandle(m_ov.hEvent);
		HeapFree(GetProcessHeap(), 0, m_buffer);
	}

	const struct sockaddr *Address() const
	{
		return reinterpret_cast<const struct sockaddr *>(&m_address);
	}

	void Finish(IND2Overlapped *object, HRESULT hr, const char *what)
	{
		if (hr == ND_PENDING)
			hr = object->GetOverlappedResult(&m_ov, TRUE);
		Check(hr, what);
	}

	/* Select how this side waits during a round. */
	void BeginRound(ULONG64 round)
	{
		m_blocking = static_cast<ULONG>(round % 4);
	}

	/* Wait for the next result. Fail unless it has this type. */
	ND2_RESULT Wait(ND2_REQUEST_TYPE type)
	{
		IND2CompletionQueue *cq = type == Nd2RequestTypeReceive ? m_receives : m_requests;
		ND2_RESULT result;

		for (ULONG empty = 1; cq->GetResults(&result, 1) == 0; empty++) {
			if (m_blocking % 2 != 0)
				Sleep(cq, m_blocking == 3);
			else if (empty % Patience == 0)
				SwitchToThread();
		}
		Check(result.Status, "a request");
		Require(result.RequestType == type && result.QueuePairContext == this,
			"a result is of another type, or of another queue pair");
		return result;
	}

	char *Place(ULONG offset, ULONG slot)
	{
		return m_buffer + offset + slot * MessageSize;
	}

	ND2_SGE Entry(char *place, ULONG length)
	{
		ND2_SGE sge = {place, length, m_mr->GetLocalToken()};
		return sge;
	}

	void PostReceive(char *place)
	{
		ND2_SGE sge = Entry(place, MessageSize);

		Check(m_qp->Receive(place, &sge, 1), "Receive");
	}

	void SendControl(const Control &control)
	{
		ND2_SGE sge = {const_cast<Control *>(&control), sizeof(control), 0};

		Check(m_qp->Send(NULL, &sge, 1, ND_OP_FLAG_INLINE), "Send");
		Wait(Nd2RequestTypeSend);
	}

	/* Wait for a control message. Its memory is reused after one more control message. */
	Control WaitControl()
	{
		ND2_RESULT result = Wait(Nd2RequestTypeReceive);
		Control control;

		Require(result.BytesTransferred == sizeof(control), "a message has another length");
		memcpy(&control, result.RequestContext, sizeof(control));
		PostReceive(static_cast<char *>(result.RequestContext));
		return control;
	}

	IND2Adapter *m_adapter;
	IND2CompletionQueue *m_receives;
	IND2CompletionQueue *m_requests;
	IND2QueuePair *m_qp;
	IND2Connector *m_connector;
	IND2MemoryRegion *m_mr;
	HANDLE m_file;
	OVERLAPPED m_ov;
	struct sockaddr_in m_address;
	char *m_buffer;
	Counts m_counts;

      private:
	void CreateQueue(IND2CompletionQueue **cq)
	{
		Check(m_adapter->CreateCompletionQueue(IID_IND2CompletionQueue, m_file, Depth, 0, 0,
			      reinterpret_cast<void **>(cq)),
			"CreateCompletionQueue");
	}

	void Create(ULONG inline_bytes)
	{
		CreateQueue(&m_receives);
		CreateQueue(&m_requests);
		Check(m_adapter->CreateQueuePair(IID_IND2QueuePair, m_receives, m_requests, this,
			      Depth, Depth, 1, 1, inline_bytes, reinterpret_cast<void **>(&m_qp)),
			"CreateQueuePair");
		Check(m_adapter->CreateConnector(
			      IID_IND2Connector, m_file, reinterpret_cast<void **>(&m_connector)),
			"CreateConnector");
		Check(m_adapter->CreateMemoryRegion(
			      IID_IND2MemoryRegion, m_file, reinterpret_cast<void **>(&m_mr)),
			"CreateMemoryRegion");
		m_buffer = static_cast<char *>(
			HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, BufferSize));
		Require(m_buffer != NULL, "there is no memory");
		Finish(m_mr,
			m_mr->Register(m_buffer, BufferSize,
				ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK, &m_ov),
			"Register");
	}

	/* Sleep until the queue may have a result. */
	void Sleep(IND2CompletionQueue *cq, bool by_event)
	{
		HRESULT hr = cq->Notify(ND_CQ_NOTIFY_ANY, &m_ov);

		if (hr == ND_PENDING && by_event)
			Require(WaitForSingleObject(m_ov.hEvent, INFINITE) == WAIT_OBJECT_0,
				"a wait for an event ends with something else");
		Finish(cq, hr, "Notify");
		m_counts.Sleeps++;
	}

	ULONG m_blocking;

	Side(const Side &);
	Side &operator=(const Side &);
};

/* ---- the passive side, which owns the window ---- */

/* Receive the Sends of a batch. Afterwards the Writes of the batch have also arrived. */
void
ServeBatch(Side &side, ULONG64 first, ULONG64 end)
{
	for (ULONG64 n = first; n < end; n++) {
		ULONG slot = static_cast<ULONG>(n - first);

		if (IsWrite(n) || IsRead(n))
			continue;
		ND2_RESULT result = side.Wait(Nd2RequestTypeReceive);
		char *place = static_cast<char *>(result.RequestContext);
		Require(result.BytesTransferred == MessageSize, "a message has another length");
		CheckMessage(place, n, "a message is not what was sent");
		side.PostReceive(place);
		side.m_counts.Sends++;
		if (n % 4 != 2)
			continue;
		CheckMessage(side.Place(WindowOffset, slot - 2), n - 2,
			"what was written before a message is not there with it");
		side.m_counts.Writes++;
	}
}

void
ServeRound(Side &side, IND2MemoryWindow *window, ULONG64 first, ULONG64 end, UINT32 *last_token)
{
	Control control = {reinterpret_cast<UINT64>(side.Place(WindowOffset, 0)), first, 0};

	Check(side.m_qp->Bind(&control, side.m_mr, window, side.Place(WindowOffset, 0), WindowSize,
		      ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE),
		"Bind");
	Require(side.Wait(Nd2RequestTypeBind).RequestContext == &control, "another context");
	control.RemoteToken = window->GetRemoteToken();
	Require(control.RemoteToken != *last_token, "a window has its last token again");
	*last_token = control.RemoteToken;
	side.SendControl(control);
	for (ULONG64 n = first; n < end; n += Batch) {
		control.Messages = n + Batch < end ? n + Batch : end;
		ServeBatch(side, n, control.Messages);
		if (control.Messages < end)
			side.SendControl(control);
	}
	/* Announce the end of the last batch only after the window was invalidated. */
	Check(side.m_qp->Invalidate(&control, window, 0), "Invalidate");
	Require(side.Wait(Nd2RequestTypeInvalidate).RequestContext == &control, "another context");
	side.m_counts.Windows++;
	side.SendControl(control);
}

/* Accept a connection. Returns the number of messages that the peer will send. */
ULONG64
Accept(Side &side, IND2Listener *listener)
{
	Control wanted;
	ULONG length = sizeof(wanted);

	for (ULONG slot = 0; slot < Batch; slot++)
		side.PostReceive(side.Place(InOffset, slot));
	side.Finish(listener, listener->GetConnectionRequest(side.m_connector, &side.m_ov),
		"GetConnectionRequest");
	/*
	 * The buffer is smaller than the private data, because the transport has padded the data.
	 */
	HRESULT hr = side.m_connector->GetPrivateData(&wanted, &length);
	Require(hr == ND_SUCCESS || hr == ND_BUFFER_OVERFLOW, "there is no private data");
	side.Finish(side.m_connector,
		side.m_connector->Accept(side.m_qp, 1, 1, NULL, 0, &side.m_ov), "Accept");
	return wanted.Messages;
}

void
Serve(Side &side, HANDLE listening)
{
	IND2Listener *listener;
	IND2MemoryWindow *window;
	UINT32 last_token = 0;

	Check(side.m_adapter->CreateListener(
		      IID_IND2Listener, side.m_file, reinterpret_cast<void **>(&listener)),
		"CreateListener");
	Check(listener->Bind(side.Address(), sizeof(side.m_address)), "Bind");
	Check(listener->Listen(0), "Listen");
	if (listening != NULL) {
		SetEvent(listening);
	} else {
		printf("listening\n");
		fflush(stdout);
	}
	Check(side.m_adapter->CreateMemoryWindow(
		      IID_IND2MemoryWindow, reinterpret_cast<void **>(&window)),
		"CreateMemoryWindow");
	ULONG64 messages = Accept(side, listener);
	for (ULONG64 first = 0, round = 0; first < messages; first += RoundMessages, round++) {
		ULONG64 end = first + RoundMessages;

		side.BeginRound(round);
		ServeRound(side, window, first, end < messages ? end : messages, &last_token);
	}
	side.Finish(side.m_connector, side.m_connector->NotifyDisconnect(&side.m_ov),
		"NotifyDisconnect");
	ReleaseLast(window, "the window is still used");
	ReleaseLast(listener, "the listener is still used");
	printf("passive side: %llu messages received, %llu found in windows, %llu windows, "
	       "%llu sleeps\n",
		static_cast<unsigned long long>(side.m_counts.Sends),
		static_cast<unsigned long long>(side.m_counts.Writes),
		static_cast<unsigned long long>(side.m_counts.Windows),
		static_cast<unsigned long long>(side.m_counts.Sleeps));
}

/* ---- the active side, which writes, reads and sends ---- */

void
PostMessageNumber(Side &side, const Control &window, ULONG64 n, ULONG slot)
{
	char *place = side.Place(OutOffset, slot);
	/* A Read gets the bytes of the preceding Write. */
	UINT64 remote = window.RemoteAddress + (IsRead(n) ? slot - 1 : slot) * MessageSize;

	if (IsRead(n)) {
		char *back = side.Place(BackOffset, slot);
		ND2_SGE sink = side.Entry(back, MessageSize);

		memset(back, 0, MessageSize);
		Check(side.m_qp->Read(back, &sink, 1, remote, window.RemoteToken, 0), "Read");
		return;
	}
	ND2_SGE source = side.Entry(place, MessageSize);
	Fill(place, n);
	if (IsWrite(n))
		Check(side.m_qp->Write(place, &source, 1, remote, window.RemoteToken, 0), "Write");
	else
		Check(side.m_qp->Send(place, &source, 1, 0), "Send");
}

void
FinishMessage(Side &side, ULONG64 n, ULONG slot)
{
	ND2_REQUEST_TYPE type = IsWrite(n) ? Nd2RequestTypeWrite
		: IsRead(n)                ? Nd2RequestTypeRead
					   : Nd2RequestTypeSend;
	ND2_RESULT result = side.Wait(type);

	Require(result.RequestContext == side.Place(IsRead(n) ? BackOffset : OutOffset, slot),
		"a result has the context of another request");
	if (type == Nd2RequestTypeRead)
		CheckMessage(side.Place(BackOffset, slot), n - 1,
			"what was read is not what was written");
	side.m_counts.Writes += type == Nd2RequestTypeWrite;
	side.m_counts.Reads += type == Nd2RequestTypeRead;
	side.m_counts.Sends += type == Nd2RequestTypeSend;
}

void
PlayRound(Side &side, ULONG64 first, ULONG64 end)
{
	const Control window = side.WaitControl();
	Require(window.Messages == first, "the peer is in another round");
	for (ULONG64 n = first; n < end; n += Batch) {
		ULONG count = static_cast<ULONG>(n + Batch < end ? Batch : end - n);

		/* The peer answers a batch after it has received the whole batch. */
		for (ULONG slot = 0; slot < count; slot++)
			PostMessageNumber(side, window, n + slot, slot);
		for (ULONG slot = 0; slot < count; slot++)
			FinishMessage(side, n + slot, slot);
		Require(side.WaitControl().Messages == n + count, "the peer counts otherwise");
	}
	side.m_counts.Windows++;
}

void
Play(Side &side, const struct sockaddr_in &peer, ULONG64 messages)
{
	const Control wanted = {0, messages, 0};
	ULONGLONG begin = GetTickCount64();

	Check(side.m_connector->Bind(side.Address(), sizeof(side.m_address)), "Bind");
	for (ULONG slot = 0; slot < 2; slot++)
		side.PostReceive(side.Place(ControlOffset, slot));
	side.Finish(side.m_connector,
		side.m_connector->Connect(side.m_qp,
			reinterpret_cast<const struct sockaddr *>(&peer), sizeof(peer), 1, 1,
			&wanted, sizeof(wanted), &side.m_ov),
		"Connect");
	Check(side.m_connector->CompleteConnect(&side.m_ov), "CompleteConnect");
	for (ULONG64 first = 0, round = 0; first < messages; first += RoundMessages, round++) {
		ULONG64 end = first + RoundMessages;

		side.BeginRound(round);
		PlayRound(side, first, end < messages ? end : messages);
	}
	side.Finish(side.m_connector, side.m_connector->Disconnect(&side.m_ov), "Disconnect");
	printf("active side: %llu messages: %llu writes, %llu reads, %llu sends, %llu windows, "
	       "%llu sleeps, %.1f s\n",
		static_cast<unsigned long long>(messages),
		static_cast<unsigned long long>(side.m_counts.Writes),
		static_cast<unsigned long long>(side.m_counts.Reads),
		static_cast<unsigned long long>(side.m_counts.Sends),
		static_cast<unsigned long long>(side.m_counts.Windows),
		static_cast<unsigned long long>(side.m_counts.Sleeps),
		static_cast<double>(GetTickCount64() - begin) / 1000);
}

/* ---- both sides in one process ---- */

struct Passive {
	struct sockaddr_in address;
	HANDLE listening;
};

DWORD WINAPI
PassiveThread(LPVOID arg)
{
	const Passive *passive = static_cast<Passive *>(arg);
	Side side(passive->address);

	Serve(side, passive->listening);
	return 0;
}

void
PlayBoth(const struct sockaddr_in &address, const struct sockaddr_in &peer, ULONG64 messages)
{
	Passive passive = {peer, CreateEvent(NULL, FALSE, FALSE, NULL)};
	HANDLE thread = CreateThread(NULL, 0, PassiveThread, &passive, 0, NULL);

	Require(thread != NULL, "there is no thread");
	Require(WaitForSingleObject(passive.listening, INFINITE) == WAIT_OBJECT_0, "no listener");
	{
		Side side(address);

		Play(side, peer, messages);
	}
	Require(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0, "the thread stays");
	CloseHandle(thread);
	CloseHandle(passive.listening);
}

struct sockaddr_in
Parse(char *text, USHORT port)
{
	struct sockaddr_in address;
	INT length = sizeof(address);

	memset(&address, 0, sizeof(address));
	if (WSAStringToAddressA(text, AF_INET, NULL, reinterpret_cast<struct sockaddr *>(&address),
		    &length) != 0) {
		fprintf(stderr, "%s is no IPv4 address such as 198.51.100.1\n", text);
		exit(2);
	}
	address.sin_port = htons(port);
	return address;
}

} /* namespace */

int
main(int argc, char *argv[])
{
	const char mode = argc > 2 && argv[1][0] == '-' ? argv[1][1] : '?';
	const int needed = mode == 's' ? 3 : 4;
	WSADATA wsa;

	if (strchr("scb", mode) == NULL || argc < needed || argc > (mode == 's' ? 3 : 5)) {
		fprintf(stderr,
			"usage: million -s ADDRESS\n"
			"       million -c ADDRESS PEER [MESSAGES]\n"
			"       million -b ADDRESS PEER [MESSAGES]\n");
		return 2;
	}
	ULONG64 messages = argc > 4 ? strtoull(argv[4], NULL, 10) : 1000000;
	if (messages == 0) {
		fprintf(stderr, "%s: a number of messages is expected, 1 or more\n", argv[4]);
		return 2;
	}
	Require(WSAStartup(MAKEWORD(2, 2), &wsa) == 0, "WSAStartup");
	Check(NdStartup(), "NdStartup");
	if (mode == 's') {
		Side side(Parse(argv[2], Port));

		Serve(side, NULL);
	} else if (mode == 'c') {
		Side side(Parse(argv[2], 0));

		Play(side, Parse(argv[3], Port), messages);
	} else {
		PlayBoth(Parse(argv[2], 0), Parse(argv[3], Port), messages);
	}
	Check(NdCleanup(), "NdCleanup");
	WSACleanup();
	return 0;
}
