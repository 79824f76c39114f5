/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The peer process of test_spi_lost.c (see lost.h). The process ends when its standard input ends.
 * usage: spi_lost_peer SOCKET PORT
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <rte_ethdev.h>

#include "lost.h"
#include "spi_pair.h"
#include "support/eal.h"

static struct spi_pair own;
static OVERLAPPED connecting;

static void
must(bool condition, const char *otherwise)
{
	if (condition)
		return;
	fprintf(stderr, "spi_lost_peer: %s\n", otherwise);
	_exit(1);
}

static void
start(const char *socket)
{
	struct rte_eth_link link = {0};
	char text[256];

	snprintf(text, sizeof(text), "role=client,socket=%s,socket-abstract=no,mac=" LOST_MAC,
		socket);
	test_eal_init_large();
	must(test_device_add("net_memif", text) == 0, "there is no port");
	setenv("NDPDK_SPI_CONFIG",
		"[adapter]; port = net_memif0; address = 192.0.2.2/24; mbuf_count = 1024;"
		"path_mtu = 1024; endpoints_max = 16; peer_timeout_ms = 60000;"
		"rnr_retry_count = 7",
		1);
	must(NdStartup() == S_OK, NdGetConfigurationError());
	spi_pair_side_open(&own, 1);
	while (rte_eth_link_get_nowait(0, &link) != 0 || link.link_status == RTE_ETH_LINK_DOWN)
		Sleep(1);
}

static void
listen_begin(const char *port)
{
	struct sockaddr_in address;

	memcpy(&address, &own.side[1].address, sizeof(address));
	address.sin_port = htons((uint16_t)atoi(port));
	must(IND2Adapter_CreateListener(own.side[1].adapter, &IID_IND2Listener, own.side[1].file,
		     (void **)&own.listener) == ND_SUCCESS &&
			IND2Listener_Bind(own.listener, (struct sockaddr *)&address,
				sizeof(address)) == ND_SUCCESS &&
			IND2Listener_Listen(own.listener, 0) == ND_SUCCESS,
		"no listener");
}

/** Release connector and queue pair of the previous connection, and create new ones. */
static void
renew(void)
{
	struct spi_side *side = &own.side[1];

	if (side->connector != NULL)
		IND2Connector_Release(side->connector);
	IND2QueuePair_Release(side->qp);
	side->qp = spi_pair_queue_pair(&own, 1, 16);
	side->connector = spi_pair_connector(&own, 1);
}

static void
serve(void)
{
	struct spi_side *side = &own.side[1];
	OVERLAPPED overlapped = {0};

	renew();
	must(spi_pair_finish(own.listener,
		     IND2Listener_GetConnectionRequest(
			     own.listener, (IUnknown *)side->connector, &overlapped),
		     &overlapped) == ND_SUCCESS,
		"no request");
	must(spi_pair_finish(side->connector,
		     IND2Connector_Accept(
			     side->connector, (IUnknown *)side->qp, 1, 1, NULL, 0, &overlapped),
		     &overlapped) == ND_SUCCESS,
		"Accept fails");
}

static void
connect_begin(void)
{
	struct spi_side *side = &own.side[1];
	struct sockaddr_in to;

	memcpy(&to, &side->address, sizeof(to));
	to.sin_addr.s_addr = htonl(0xC0000201);
	to.sin_port = htons(LOST_PORT);
	renew();
	must(IND2Connector_Bind(side->connector, (struct sockaddr *)&side->address,
		     sizeof(struct sockaddr_in)) == ND_SUCCESS,
		"Bind fails");
	must(spi_pair_finish(side->connector,
		     IND2Connector_Connect(side->connector, (IUnknown *)side->qp,
			     (struct sockaddr *)&to, sizeof(to), 1, 1, NULL, 0, &connecting),
		     &connecting) == ND_SUCCESS,
		"Connect fails");
}

static void
message_take(void)
{
	must(IND2QueuePair_Receive(own.side[1].qp, NULL, NULL, 0) == ND_SUCCESS, "no Receive");
	must(spi_pair_result(own.side[1].cq).Status == ND_SUCCESS, "Receive fails");
}

static void
answer(int letter)
{
	char text = (char)letter;

	must(write(STDOUT_FILENO, &text, 1) == 1, "nobody reads");
}

int
main(int argc, char *argv[])
{
	char letter;

	if (argc != 3)
		return 2;
	/*
	 * Kill this process when the test ends. SIGKILL also ends a process that SIGSTOP has
	 * stopped.
	 */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	start(argv[1]);
	listen_begin(argv[2]);
	answer(LOST_READY);
	while (read(STDIN_FILENO, &letter, 1) == 1) {
		switch (letter) {
		case LOST_SERVE:
			serve();
			break;
		case LOST_CONNECT:
			connect_begin();
			break;
		case LOST_COMPLETE:
			must(IND2Connector_CompleteConnect(own.side[1].connector, &connecting) ==
					ND_SUCCESS,
				"CompleteConnect fails");
			break;
		case LOST_RECEIVE:
			message_take();
			break;
		default:
			must(false, "an unknown letter");
		}
		answer(letter);
	}
	return 0;
}
