/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A client of the example's server that ends without releasing its objects.
 * usage: leave ADDRESS PEER PORT exit|disconnect|stay|fork
 *
 * The last argument selects when the client ends:
 * exit: at once. disconnect: after it has called Disconnect. stay: only when it is killed.
 * fork: after a child process has called exit() and the connection has executed another request.
 * The client prints "gone" before it ends.
 */
#include <sys/wait.h>
#include <unistd.h>

#define main example_main
#include "../../../examples/facade/ndv2/ndv2.cpp"
#undef main

/*
 * Post an empty WRITE and wait for its acknowledgement. The acknowledgement proves that the peer is
 * connected, even if the peer has not received the RTU.
 */
static void
Write(Endpoint *ep, const char *what)
{
	ND2_RESULT result;

	Check(ep->m_qp->Write(NULL, NULL, 0, 0, 0, 0), "Write");
	while (ep->m_cq->GetResults(&result, 1) == 0) {
	}
	Check(result.Status, what);
}

/* Fork. The end of the child process must not end the connection. */
static void
Child(Endpoint *ep)
{
	pid_t child = fork();

	if (child == 0)
		exit(0);
	Check(waitpid(child, NULL, 0) == child ? ND_SUCCESS : ND_UNSUCCESSFUL, "fork");
	/*
	 * If the child has sent a disconnect request by mistake, give the peer time to receive it.
	 */
	Sleep(200);
	Write(ep, "the connection of a parent");
}

int
main(int argc, char *argv[])
{
	if (argc != 5)
		return 2;
	Check(NdStartup(), "NdStartup");
	struct sockaddr_in address = Parse(argv[1], NULL), peer = Parse(argv[2], argv[3]);
	Endpoint *ep = new Endpoint(address);
	PeerInfo wanted = {0, 0, 0};

	Check(ep->m_connector->Bind(
		      reinterpret_cast<const struct sockaddr *>(&address), sizeof(address)),
		"Bind");
	ep->Finish(ep->m_connector,
		ep->m_connector->Connect(ep->m_qp, reinterpret_cast<const struct sockaddr *>(&peer),
			sizeof(peer), 1, 1, &wanted, sizeof(wanted), &ep->m_ov),
		"Connect");
	Check(ep->m_connector->CompleteConnect(&ep->m_ov), "CompleteConnect");
	/*
	 * Wait until the peer is connected. When this process ends, net_memif discards frames that
	 * the peer has not received, and without the RTU the peer's Accept would time out.
	 */
	Write(ep, "the new connection");
	if (strcmp(argv[4], "disconnect") == 0 &&
		ep->m_connector->Disconnect(&ep->m_ov) != ND_PENDING)
		return 1;
	if (strcmp(argv[4], "fork") == 0)
		Child(ep);
	printf("gone\n");
	fflush(stdout);
	if (strcmp(argv[4], "stay") == 0)
		Sleep(INFINITE);
	exit(0);
}
