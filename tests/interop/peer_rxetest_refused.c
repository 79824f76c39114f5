/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Client of those rxetest scenarios in which requests must fail: remote accesses and messages. */
#include <rte_byteorder.h>

#include "peer.h"
#include "peer_rxetest.h"
#include "peer_task.h"

#define ARG_READ        1u
#define BEYOND_BYTES    4096u
#define SETTLE_SECONDS  0.2
#define DESTROY_SECONDS 1.0

static bool
expect(struct conn *conn, const char *what, struct request *request, nd_status expected)
{
	const nd_status status = conn_result(conn, request);

	return status == expected ||
		conn_fail(conn, "%s: %s, not %s", what, nd_status_name(status),
			nd_status_name(expected));
}

static bool
messages_fail(struct conn *conn)
{
	struct request *first = &conn->sends[0], *second = &conn->sends[1];
	const nd_status expected =
		conn->asked.scenario == RXETEST_LENERR ? ND_REMOTE_ERROR : ND_IO_TIMEOUT;

	if (conn->asked.scenario == RXETEST_DEADQP)
		task_sleep(DESTROY_SECONDS);
	return conn_send(conn, first, 0, conn->asked.size) &&
		conn_send(conn, second, 0, conn->asked.size) &&
		expect(conn, "send", first, expected) &&
		expect(conn, "send behind it", second, ND_CANCELED);
}

static bool
access_fails(struct conn *conn)
{
	const struct nd_sge sge = conn_sge(&conn->local, 0, conn->asked.size);
	const uint32_t length = protocol_get32(conn->peer_data + 16);
	struct nd_mw_descriptor window = rxetest_exposed(conn);
	uint64_t offset = 0;
	nd_status status;

	if (conn->asked.scenario == RXETEST_QPPERM)
		task_sleep(SETTLE_SECONDS);
	if (conn->asked.scenario == RXETEST_BADRKEY || conn->asked.scenario == RXETEST_OOB) {
		status = conn_access(conn, false, &window, 0, &sge);
		if (status != ND_SUCCESS)
			return conn_fail(conn, "a good write: %s", nd_status_name(status));
	}
	if (conn->asked.scenario == RXETEST_BADRKEY)
		window.token ^= RTE_BE32(0x5a);
	if (conn->asked.scenario == RXETEST_OOB) {
		window.length = rte_cpu_to_be_64(length + BEYOND_BYTES);
		offset = length - conn->asked.size + 8;
	}
	conn->sends[0].done = false;
	if (conn->asked.arg == ARG_READ)
		status = nd_endpoint_read(
			conn->endpoint, &conn->sends[0].result, &sge, 1, &window, offset, 0);
	else
		status = nd_endpoint_write(
			conn->endpoint, &conn->sends[0].result, &sge, 1, &window, offset, 0);
	return conn_called(conn, status, "bad access") &&
		conn_send(conn, &conn->sends[1], 0, conn->asked.size) &&
		expect(conn, "bad access", &conn->sends[0], ND_REMOTE_ERROR) &&
		expect(conn, "send behind it", &conn->sends[1], ND_CANCELED);
}

bool
rxetest_client_refused(struct conn *conn)
{
	if (conn->asked.scenario == RXETEST_LENERR || conn->asked.scenario == RXETEST_DEADQP ||
		conn->asked.scenario == RXETEST_RNR)
		return messages_fail(conn);
	return access_fails(conn);
}
