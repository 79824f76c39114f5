/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A client of the example's server that ends without disconnecting, while its objects are there:
 * exit() tells the peer. usage: leave ADDRESS PEER PORT
 */

#define main example_main
#include "../../examples/ndv2/ndv2.cpp"
#undef main

int
main(int argc, char *argv[])
{
	if (argc != 4)
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
	printf("gone\n");
	exit(0);
}
