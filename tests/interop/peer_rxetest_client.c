/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Client of rxetest's scenarios, except scenarios with operations that this API does not have. */
#include <rte_byteorder.h>
#include <rte_common.h>

#include "peer.h"
#include "peer_rxetest.h"
#include "peer_task.h"

#define DEPTH        16u
#define SAY_VALUE    0xd0eu
#define INLINE_BYTES 256u
#define INVALID_KEY  0x7fff12u

/* Send a message of 4 bytes, and wait until the request has completed. */
static bool
say(struct conn *conn)
{
	struct request *request = &conn->sends[DEPTH];
	const size_t offset = conn->local.size - 8;

	protocol_put32(conn->local.bytes + offset, SAY_VALUE);
	return conn_send(conn, request, offset, 4) && conn_succeeded(conn, request, "send");
}

/*
 * Wait until conn->sends[k % DEPTH] is free, because the previous request in this entry has
 * completed.
 */
static bool
room(struct conn *conn, uint32_t k, const char *what)
{
	return k < DEPTH || conn_succeeded(conn, &conn->sends[k % DEPTH], what);
}

static bool
drain(struct conn *conn, const char *what)
{
	const uint32_t count = conn->asked.count;

	for (uint32_t k = count > DEPTH ? count - DEPTH : 0; k < count; k++)
		if (!conn_succeeded(conn, &conn->sends[k % DEPTH], what))
			return false;
	return true;
}

bool
rxetest_client_send(struct conn *conn)
{
	const uint32_t stride = rxetest_stride(conn), size = conn->asked.size;

	for (uint32_t k = 0; k < conn->asked.count; k++) {
		struct request *request = &conn->sends[k % DEPTH];
		const size_t offset = (size_t)stride * (k % DEPTH);
		const struct nd_sge sge = conn_sge(&conn->local, offset, size);
		const bool solicited = conn->asked.scenario == RXETEST_SOLICIT && (k & 1) != 0;

		if (!room(conn, k, "send"))
			return false;
		conn_fill(conn->local.bytes + offset, k, size);
		request->done = false;
		if (!conn_called(conn,
			    nd_endpoint_send(conn->endpoint, &request->result, &sge, size > 0,
				    solicited ? ND_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0),
			    "send"))
			return false;
	}
	return drain(conn, "send");
}

bool
rxetest_client_pingpong(struct conn *conn)
{
	const uint32_t size = conn->asked.size;

	for (uint32_t k = 0; k < conn->asked.count; k++) {
		conn_fill(conn->local.bytes, k, size);
		if (!conn_send(conn, &conn->sends[0], 0, size) ||
			!conn_succeeded(conn, &conn->sends[0], "send") ||
			!conn_received(conn, 0, size) ||
			!conn_check(conn, conn_slot(conn, 0), k, size))
			return false;
		if (k + 1 < conn->asked.count && !conn_receive(conn, 0))
			return false;
	}
	return true;
}

static bool
post_remote(struct conn *conn, uint32_t k, const struct nd_mw_descriptor *window)
{
	struct request *request = &conn->sends[k % DEPTH];
	const uint32_t stride = rxetest_stride(conn), size = conn->asked.size;
	const uint32_t places = (uint32_t)(rte_be_to_cpu_64(window->length) / stride);
	const size_t offset = (size_t)stride * (k % DEPTH);
	const struct nd_sge sge = conn_sge(&conn->local, offset, size);

	request->done = false;
	if (conn->asked.scenario == RXETEST_READ) {
		memset(conn->local.bytes + offset, 0, size);
		return conn_called(conn,
			nd_endpoint_read(
				conn->endpoint, &request->result, &sge, size > 0, window, 0, 0),
			"read");
	}
	conn_fill(conn->local.bytes + offset, k, size);
	return conn_called(conn,
		nd_endpoint_write(conn->endpoint, &request->result, &sge, size > 0, window,
			(uint64_t)stride * (k % places), 0),
		"write");
}

/* Execute WRITEs or READs in the memory that the server exposes. */
bool
rxetest_client_remote(struct conn *conn)
{
	const bool read = conn->asked.scenario == RXETEST_READ;
	const char *what = read ? "read" : "write";
	const struct nd_mw_descriptor window = rxetest_exposed(conn);
	const uint32_t stride = rxetest_stride(conn), size = conn->asked.size;

	for (uint32_t k = 0; k < conn->asked.count; k++) {
		if (!room(conn, k, what))
			return false;
		if (read && k >= DEPTH &&
			!conn_check(conn, conn->local.bytes + (size_t)stride * (k % DEPTH),
				RXETEST_EXPOSED, size))
			return false;
		if (!post_remote(conn, k, &window))
			return false;
	}
	if (!drain(conn, what))
		return false;
	for (uint32_t k = 0; read && k < RTE_MIN(conn->asked.count, DEPTH); k++)
		if (!conn_check(
			    conn, conn->local.bytes + (size_t)stride * k, RXETEST_EXPOSED, size))
			return false;
	return say(conn);
}

bool
rxetest_client_inline(struct conn *conn)
{
	const struct nd_mw_descriptor window = rxetest_exposed(conn);
	const uint32_t stride = rxetest_stride(conn);
	const uint32_t places = (uint32_t)(rte_be_to_cpu_64(window.length) / stride);
	uint8_t bytes[INLINE_BYTES];
	struct nd_sge sge = {bytes, conn->asked.size, NULL};

	if (conn->asked.size > sizeof(bytes))
		return conn_fail(conn, "%u bytes cannot be inline", conn->asked.size);
	for (uint32_t k = 0; k < conn->asked.count; k++) {
		conn_fill(bytes, k, conn->asked.size);
		conn->sends[0].done = conn->sends[1].done = false;
		if (!conn_called(conn,
			    nd_endpoint_write(conn->endpoint, &conn->sends[0].result, &sge, 1,
				    &window, (uint64_t)stride * (k % places), 0),
			    "inline write") ||
			!conn_called(conn,
				nd_endpoint_send(
					conn->endpoint, &conn->sends[1].result, &sge, 1, 0),
				"inline send"))
			return false;
		memset(bytes, 0, sizeof(bytes));
		if (!conn_succeeded(conn, &conn->sends[0], "inline write") ||
			!conn_succeeded(conn, &conn->sends[1], "inline send"))
			return false;
	}
	return true;
}

static bool
expect(struct conn *conn, const char *what, nd_status status, nd_status expected)
{
	return status == expected ||
		conn_fail(conn, "%s: %s, not %s", what, nd_status_name(status),
			nd_status_name(expected));
}

/*
 * Access memory through a bound window: by WRITEs, unless the window permits only READs, and by a
 * READ.
 */
static bool
use_window(struct conn *conn, const struct nd_mw_descriptor *window)
{
	const struct nd_sge sge = conn_sge(&conn->local, 0, conn->asked.size);
	const uint32_t stride = rxetest_stride(conn);
	const bool writable = conn->asked.scenario != RXETEST_MWPERM;

	for (uint32_t k = 0; writable && k < conn->asked.count; k++) {
		conn_fill(conn->local.bytes, k, conn->asked.size);
		if (!expect(conn, "write",
			    conn_access(conn, false, window, (uint64_t)stride * k, &sge),
			    ND_SUCCESS))
			return false;
	}
	return expect(conn, "read", conn_access(conn, true, window, 0, &sge), ND_SUCCESS) &&
		conn_check(
			conn, conn->local.bytes, writable ? 0 : RXETEST_EXPOSED, conn->asked.size);
}

/* Close the window. The scenario determines whether the server or this side invalidates it. */
static bool
close_window(struct conn *conn, const struct nd_mw_descriptor *window)
{
	const struct nd_sge sge = conn_sge(&conn->local, 0, 8);

	if (conn->asked.scenario == RXETEST_MW2) {
		conn->sends[0].done = false;
		return conn_called(conn,
			       nd_endpoint_send_and_invalidate(
				       conn->endpoint, &conn->sends[0].result, &sge, 1, window, 0),
			       "send_and_invalidate") &&
			conn_succeeded(conn, &conn->sends[0], "send_and_invalidate");
	}
	if (conn->asked.scenario == RXETEST_MWPERM || conn->asked.scenario == RXETEST_MWBOUND)
		return true;
	return say(conn) && conn_received(conn, 1, sizeof(uint32_t));
}

bool
rxetest_client_window(struct conn *conn)
{
	const uint32_t size = conn->asked.size;
	const struct nd_sge sge = conn_sge(&conn->local, 0, size);
	const bool read = conn->asked.scenario == RXETEST_MW2LINV;
	struct nd_mw_descriptor window;
	nd_status status;

	if (!rxetest_wait_key(conn, 0, &window) || !use_window(conn, &window) ||
		!close_window(conn, &window))
		return false;
	if (conn->asked.scenario != RXETEST_MWBOUND)
		return expect(conn, "access to a closed window",
			conn_access(conn, read, &window, 0, &sge), ND_REMOTE_ERROR);
	status = conn_access(
		conn, false, &window, rte_be_to_cpu_64(window.length) / 2 - size + 1, &sge);
	conn->outcome = status == ND_SUCCESS ? "passed" : "refused";
	return status == ND_SUCCESS || expect(conn, "write", status, ND_REMOTE_ERROR);
}

/*
 * Send an Invalidate for a key that is not valid. rxe acknowledges the message, and then its queue
 * pair fails.
 */
bool
rxetest_client_sinvbad(struct conn *conn)
{
	const struct nd_mw_descriptor window = {.token = RTE_BE32(INVALID_KEY)};
	const struct nd_sge sge = conn_sge(&conn->local, 0, conn->asked.size);

	conn->sends[0].done = false;
	return conn_called(conn,
		       nd_endpoint_send_and_invalidate(
			       conn->endpoint, &conn->sends[0].result, &sge, 1, &window, 0),
		       "send_and_invalidate") &&
		conn_succeeded(conn, &conn->sends[0], "send_and_invalidate");
}
