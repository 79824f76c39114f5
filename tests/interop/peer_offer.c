/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The offer, a message with which every step begins. */
#include <rte_byteorder.h>

#include "peer.h"

bool
offer_drives(const struct conn *conn)
{
	return conn->active != ((conn->asked.arg & PROTOCOL_SERVER_DRIVES) != 0);
}

bool
offer_wait(struct conn *conn, struct protocol_offer *offer, struct nd_mw_descriptor *window)
{
	if (!conn_received(conn, 0, PROTOCOL_OFFER_BYTES))
		return false;
	*offer = protocol_read_offer(conn_slot(conn, 0));
	*window = (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(offer->address),
		.length = rte_cpu_to_be_64(offer->length),
		.token = rte_cpu_to_be_32(offer->key),
	};
	return conn_receive(conn, 0);
}

bool
offer_send(struct conn *conn, const struct nd_mw_descriptor *window, uint32_t size)
{
	const struct protocol_offer offer = {
		.address = rte_be_to_cpu_64(window->base),
		.length = rte_be_to_cpu_64(window->length),
		.key = rte_be_to_cpu_32(window->token),
		.size = size,
	};

	if (conn->offered && !conn_succeeded(conn, &conn->sends[0], "send"))
		return false;
	conn->offered = true;
	protocol_write_offer(conn->local.bytes, &offer);
	return conn_send(conn, &conn->sends[0], 0, PROTOCOL_OFFER_BYTES);
}
