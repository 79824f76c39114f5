/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/connect_error.h"

#include <stdio.h>

#include <ndpdk/nd_end.h>

/* Reject reasons of a REJ (IBTA volume 1, 12.6.7.2). */
#define REJECT_SERVICE_ID 8u
#define REJECT_PATH_MTU   26u
#define REJECT_CONSUMER   28u

static const struct {
	uint16_t code;
	const char *text;
} refusals[] = {
	{1, "connection refused: the server has no free queue pair"},
	{3, "connection refused: the server has no resources for another connection"},
	{4, "connection refused: the server did not complete the handshake in time"},
	{5, "connection refused: the server does not support the request"},
	{6, "connection refused: the server has already given up this attempt"},
	{9, "connection refused: the server does not offer reliable connections"},
	{10,
		"connection refused: the server still has an older connection of this queue pair; "
		"try again"},
	{12,
		"connection refused: the addresses in the request differ from those of its packet: "
		"check for address translation (NAT) in the network"},
};

static const char *
path_mtu_refusal(const struct connect_attempt *attempt, const struct nd_end *end, char *to)
{
	const uint16_t own = nd_adapter_path_mtu(attempt->adapter);

	if (end->accepted_path_mtu != 0)
		snprintf(to, CONNECT_ERROR_BYTES,
			"connection refused: the sides use different path MTUs (%u, %u): give "
			"--path-mtu=%u here, or a larger --path-mtu at the server",
			own, end->accepted_path_mtu, end->accepted_path_mtu);
	else
		snprintf(to, CONNECT_ERROR_BYTES,
			"connection refused: the sides use different path MTUs (%u here): give a "
			"lower --path-mtu here, or a larger --path-mtu at the server",
			own);
	return to;
}

const char *
connect_refusal(const struct connect_attempt *attempt, char *to)
{
	struct nd_end end = {.reason = ND_END_NONE};

	if (attempt->status != ND_CONNECTION_REFUSED || attempt->connector == NULL ||
		nd_failed(nd_connector_get_end_reason(attempt->connector, &end)) ||
		end.reject_reason == 0 || end.reject_reason == REJECT_SERVICE_ID ||
		end.reject_reason == REJECT_CONSUMER)
		return NULL;
	if (end.reject_reason == REJECT_PATH_MTU)
		return path_mtu_refusal(attempt, &end, to);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (refusals[i].code == end.reject_reason)
			return refusals[i].text;
	snprintf(to, CONNECT_ERROR_BYTES,
		"connection refused: REJ with code %u (IBTA volume 1, 12.6.7.2)",
		end.reject_reason);
	return to;
}

const char *
connect_error(const struct connect_attempt *attempt, char *to)
{
	const char *refusal = connect_refusal(attempt, to);

	if (refusal != NULL)
		return refusal;
	switch (attempt->status) {
	case ND_CONNECTION_REFUSED:
		return "connection refused: no server listens on that port, or the server is busy";
	case ND_CONNECTION_ABORTED:
		return "the server aborted the connection attempt";
	case ND_HOST_UNREACHABLE:
		return "the server's MAC address cannot be resolved: start the server, or give "
		       "--neighbour=IP,MAC";
	case ND_NETWORK_UNREACHABLE:
		return "no route to the server: it is outside the network of --address, and there "
		       "is no --gateway";
	case ND_INVALID_ADDRESS:
		return "the server's address is not a unicast address, or is the address of this "
		       "side";
	case ND_IO_TIMEOUT:
		return "the server does not answer";
	default:
		return nd_status_name(attempt->status);
	}
}
