/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * ucmatose of librdmacm: the server sends count messages. The client receives these messages and
 * sends count messages back. The contents are not checked, because ucmatose leaves the buffers
 * unset.
 */
#include <rte_common.h>

#include "peer.h"

bool
ucmatose_prepare(struct conn *conn)
{
	const uint32_t count = conn->asked.count, size = RTE_MAX(conn->asked.size, 1u);

	if (count > RTE_MIN(CONN_RECEIVES, CONN_SENDS))
		return conn_fail(conn, "%u messages are too many", count);
	if (!conn_register(conn, &conn->local, size) ||
		!conn_register_inbox(conn, size, RTE_MAX(count, 1u)))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!conn_receive(conn, i))
			return false;
	return true;
}

static bool
send_all(struct conn *conn)
{
	for (uint32_t i = 0; i < conn->asked.count; i++)
		if (!conn_send(conn, &conn->sends[i], 0, conn->asked.size))
			return false;
	for (uint32_t i = 0; i < conn->asked.count; i++)
		if (!conn_succeeded(conn, &conn->sends[i], "send"))
			return false;
	return true;
}

static bool
receive_all(struct conn *conn)
{
	for (uint32_t i = 0; i < conn->asked.count; i++)
		if (!conn_received(conn, i, conn->asked.size))
			return false;
	return true;
}

bool
ucmatose_client(struct conn *conn)
{
	return receive_all(conn) && send_all(conn);
}

bool
ucmatose_server(struct conn *conn)
{
	return send_all(conn) && receive_all(conn);
}
