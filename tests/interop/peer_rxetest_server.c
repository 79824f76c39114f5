/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Server of rxetest's scenarios. Memory for the client is in windows, whose keys are sent in
 * messages.
 */
#include <rte_byteorder.h>

#include "peer.h"
#include "peer_rxetest.h"
#include "peer_task.h"

#define CLOSED_VALUE   0x600du
#define REBOUND_BYTES  64u
#define MS_PER_SECOND  1000.0
#define MESSAGE_OFFSET 0u

bool
rxetest_server_receive(struct conn *conn)
{
	const uint32_t size = conn->asked.size, count = conn->asked.count;

	for (uint32_t k = 0; k < count; k++) {
		const uint32_t slot = k % conn->slots;

		if (!conn_received(conn, slot, size) ||
			!conn_check(conn, conn_slot(conn, slot), k, size))
			return false;
		if (k + conn->slots < count && !conn_receive(conn, slot))
			return false;
	}
	return true;
}

bool
rxetest_server_pingpong(struct conn *conn)
{
	const uint32_t size = conn->asked.size, count = conn->asked.count;

	for (uint32_t k = 0; k < count; k++) {
		const uint32_t slot = k % conn->slots;

		if (!conn_received(conn, slot, size) ||
			!conn_check(conn, conn_slot(conn, slot), k, size))
			return false;
		memcpy(conn->local.bytes, conn_slot(conn, slot), size);
		if (k + conn->slots < count && !conn_receive(conn, slot))
			return false;
		if (!conn_send(conn, &conn->sends[0], 0, size) ||
			!conn_succeeded(conn, &conn->sends[0], "send"))
			return false;
	}
	return true;
}

bool
rxetest_server_rnr(struct conn *conn)
{
	if (conn->asked.arg == 0)
		return true;
	task_sleep(conn->asked.arg / MS_PER_SECOND);
	for (uint32_t slot = 0; slot < conn->slots; slot++)
		if (!conn_receive(conn, slot))
			return false;
	return rxetest_server_receive(conn);
}

bool
rxetest_server_idle(struct conn *conn)
{
	(void)conn;
	return true;
}

bool
rxetest_server_deadqp(struct conn *conn)
{
	conn_release_endpoint(conn);
	return true;
}

static bool
say(struct conn *conn, uint32_t value)
{
	protocol_put32(conn->local.bytes + MESSAGE_OFFSET, value);
	return conn_send(conn, &conn->sends[0], MESSAGE_OFFSET, sizeof(value)) &&
		conn_succeeded(conn, &conn->sends[0], "send");
}

static bool
check_written(struct conn *conn)
{
	const uint32_t stride = rxetest_stride(conn);

	for (uint32_t k = 0; k < conn->asked.count; k++)
		if (!conn_check(
			    conn, conn->exposed.bytes + (size_t)stride * k, k, conn->asked.size))
			return false;
	return true;
}

/* Wait for the client's message that it has used the window. Then invalidate the window. */
static bool
close_window(struct conn *conn, struct nd_mw *mw, struct request *invalidated)
{
	struct nd_mw_descriptor newer;

	if (!conn_succeeded(conn, &conn->receives[0], "receive") || !check_written(conn))
		return false;
	if (conn->asked.scenario == RXETEST_MW2)
		return conn_succeeded(conn, invalidated, "invalidate by the peer");
	conn->single.done = false;
	if (!conn_called(conn, nd_endpoint_invalidate(conn->endpoint, &conn->single.result, mw, 0),
		    "invalidate") ||
		!conn_succeeded(conn, &conn->single, "invalidate"))
		return false;
	if (conn->asked.scenario == RXETEST_MW1 &&
		!conn_bind(conn, mw, 0, REBOUND_BYTES, ND_OP_FLAG_ALLOW_READ, &newer))
		return false;
	return say(conn, CLOSED_VALUE);
}

static bool
serve_window(struct conn *conn, struct nd_mw *mw, struct request *invalidated)
{
	const uint32_t scenario = conn->asked.scenario;
	const size_t size =
		scenario == RXETEST_MWBOUND ? conn->exposed.size / 2 : conn->exposed.size;
	struct nd_mw_descriptor window;
	uint32_t flags = ND_OP_FLAG_ALLOW_READ;

	if (scenario != RXETEST_MWPERM)
		flags |= ND_OP_FLAG_ALLOW_WRITE;
	if (!conn_bind(conn, mw, 0, size, flags, &window) ||
		!say(conn, rte_be_to_cpu_32(window.token)))
		return false;
	if (scenario != RXETEST_MWPERM && scenario != RXETEST_MWBOUND &&
		!close_window(conn, mw, invalidated))
		return false;
	/* The client's access is refused. Keep the window until the client has disconnected. */
	return conn_wait_gone(conn);
}

bool
rxetest_server_window(struct conn *conn)
{
	struct request invalidated = {0};
	struct nd_mw *mw;
	bool served;

	if (!conn_make_window(conn, &invalidated, &mw))
		return false;
	served = serve_window(conn, mw, &invalidated);
	return conn_release_window(conn, mw) && served;
}
