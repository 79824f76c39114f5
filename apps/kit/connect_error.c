/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/connect_error.h"

const char *
connect_error(nd_status status)
{
	switch (status) {
	case ND_CONNECTION_REFUSED:
		return "connection refused: no server listens on that port, or it is busy";
	case ND_CONNECTION_ABORTED:
		return "the server gave up while the connection was made";
	case ND_HOST_UNREACHABLE:
		return "the server's MAC address cannot be found: start the server, or give "
		       "--neighbour=IP,MAC";
	case ND_NETWORK_UNREACHABLE:
		return "no route to the server: it is outside the network of --address, and there "
		       "is no --gateway";
	case ND_INVALID_ADDRESS:
		return "the server's address is no unicast address, or this side's own";
	case ND_IO_TIMEOUT:
		return "the server does not answer";
	default:
		return nd_status_name(status);
	}
}
