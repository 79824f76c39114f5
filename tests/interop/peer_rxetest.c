/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer_rxetest.h"

#include <rte_byteorder.h>
#include <rte_common.h>

#include "peer.h"

#define EXPOSED_MIN  4096u
#define SERVER_SLOTS 48u
#define SEND_AREAS   16u

uint32_t
rxetest_message_bytes(const struct conn *conn)
{
	return RTE_MAX(conn->asked.size, 8u);
}

uint32_t
rxetest_stride(const struct conn *conn)
{
	return RTE_MAX(RTE_ALIGN_CEIL(conn->asked.size, 8u), 8u);
}

uint32_t
rxetest_exposed_bytes(const struct conn *conn)
{
	const uint64_t bytes =
		(uint64_t)rxetest_message_bytes(conn) * ((uint64_t)conn->asked.count + 4);

	return (uint32_t)RTE_MIN(RTE_MAX(bytes, (uint64_t)EXPOSED_MIN), PROTOCOL_SIZE_MAX);
}

/*
 * @return number of receives. It equals the number of messages that may arrive before this side
 * posts again.
 */
static uint32_t
slots(const struct conn *conn)
{
	const uint32_t count = RTE_MIN(RTE_MAX(conn->asked.count, 1u), SERVER_SLOTS);

	if (!conn->active)
		return conn->asked.scenario == RXETEST_LENERR ? 1 : count;
	return conn->asked.scenario >= RXETEST_MW2 && conn->asked.scenario <= RXETEST_MWBOUND ? 2
											      : 1;
}

bool
rxetest_prepare(struct conn *conn)
{
	uint32_t bytes = rxetest_message_bytes(conn);

	if (!conn_register(conn, &conn->local, SEND_AREAS * (size_t)rxetest_stride(conn) + 64))
		return false;
	if (!conn->active) {
		if (!conn_register(conn, &conn->exposed, rxetest_exposed_bytes(conn)))
			return false;
		conn_fill(conn->exposed.bytes, RXETEST_EXPOSED, conn->exposed.size);
		if (conn->asked.scenario == RXETEST_LENERR)
			bytes /= 2;
	}
	if (!conn_register_inbox(conn, bytes, slots(conn)))
		return false;
	/* In RXETEST_RNR, the server must not have posted a receive. */
	if (!conn->active && conn->asked.scenario == RXETEST_RNR)
		return true;
	for (uint32_t slot = 0; slot < conn->slots; slot++)
		if (!conn_receive(conn, slot))
			return false;
	return true;
}

struct nd_mw_descriptor
rxetest_exposed(const struct conn *conn)
{
	return (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(protocol_get64(conn->peer_data + 8)),
		.length = rte_cpu_to_be_64(protocol_get32(conn->peer_data + 16)),
		.token = rte_cpu_to_be_32(protocol_get32(conn->peer_data + 4)),
	};
}

bool
rxetest_wait_key(struct conn *conn, uint32_t slot, struct nd_mw_descriptor *window)
{
	if (!conn_received(conn, slot, sizeof(uint32_t)))
		return false;
	*window = rxetest_exposed(conn);
	window->token = rte_cpu_to_be_32(protocol_get32(conn_slot(conn, slot)));
	return true;
}
