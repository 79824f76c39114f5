/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * PROTOCOL_BULK: executes many requests of one kind and measures their time. PROTOCOL_IDLE: a
 * connection without requests.
 */
#include <stdio.h>

#include <rte_common.h>

#include "peer.h"
#include "peer_task.h"

static bool
reads(const struct conn *conn)
{
	return (conn->asked.arg & PROTOCOL_READ) != 0;
}

static size_t
window_bytes(const struct conn *conn)
{
	return (size_t)protocol_bulk_depth(&conn->asked) * conn->asked.size;
}

bool
bulk_prepare(struct conn *conn)
{
	if (conn->asked.size == 0 || conn->asked.count == 0)
		return conn_fail(conn, "requests of 0 bytes, or no request");
	if (offer_drives(conn))
		return conn_register(conn, &conn->local, window_bytes(conn)) &&
			conn_register_inbox(conn, PROTOCOL_OFFER_BYTES, 1) && conn_receive(conn, 0);
	return conn_register(conn, &conn->exposed, window_bytes(conn)) &&
		conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) &&
		conn_register_inbox(conn, 1, 1) && conn_receive(conn, 0);
}

static void
fill(struct conn *conn, uint8_t *bytes)
{
	for (uint32_t part = 0; part < protocol_bulk_depth(&conn->asked); part++)
		conn_fill(bytes + (size_t)part * conn->asked.size, part, conn->asked.size);
}

/* Check the bytes of all parts of the window that requests have used. */
static bool
check(struct conn *conn, const uint8_t *bytes)
{
	const uint32_t parts = RTE_MIN(protocol_bulk_depth(&conn->asked), conn->asked.count);

	for (uint32_t part = 0; part < parts; part++)
		if (!conn_check(
			    conn, bytes + (size_t)part * conn->asked.size, part, conn->asked.size))
			return false;
	return true;
}

static bool
post(struct conn *conn, uint32_t number, const struct nd_mw_descriptor *window)
{
	const uint32_t part = number % protocol_bulk_depth(&conn->asked);
	const size_t offset = (size_t)part * conn->asked.size;
	const struct nd_sge sge = conn_sge(&conn->local, offset, conn->asked.size);
	struct nd_result *result = &conn->sends[part].result;

	conn->sends[part].done = false;
	if (reads(conn))
		return conn_called(conn,
			nd_endpoint_read(conn->endpoint, result, &sge, 1, window, offset, 0),
			"read");
	return conn_called(conn,
		nd_endpoint_write(conn->endpoint, result, &sge, 1, window, offset, 0), "write");
}

/* Execute all requests. At depth 1, print the time of each request. */
static bool
transfer(struct conn *conn, const struct nd_mw_descriptor *window)
{
	const uint32_t depth = protocol_bulk_depth(&conn->asked), count = conn->asked.count;
	const char *what = reads(conn) ? "read" : "write";
	const double start = task_now();
	double posted = start;

	for (uint32_t i = 0; i < count + depth; i++) {
		if (i >= depth && !conn_succeeded(conn, &conn->sends[i % depth], what))
			return false;
		if (i >= depth && depth == 1)
			printf("request of connection %u took %.0f us\n", conn->number,
				1e6 * (task_now() - posted));
		posted = task_now();
		if (i < count && !post(conn, i, window))
			return false;
	}
	conn->transfer_seconds = task_now() - start;
	return true;
}

static bool
drive(struct conn *conn)
{
	struct protocol_offer offer;
	struct nd_mw_descriptor window;

	if (!offer_wait(conn, &offer, &window))
		return false;
	if (!reads(conn))
		fill(conn, conn->local.bytes);
	return transfer(conn, &window) && conn_send(conn, &conn->sends[0], 0, 0) &&
		conn_succeeded(conn, &conn->sends[0], "send") &&
		(!reads(conn) || check(conn, conn->local.bytes));
}

static bool
serve_window(struct conn *conn, struct nd_mw *mw)
{
	const uint32_t right = reads(conn) ? ND_OP_FLAG_ALLOW_READ : ND_OP_FLAG_ALLOW_WRITE;
	struct nd_mw_descriptor window;

	if (reads(conn))
		fill(conn, conn->exposed.bytes);
	return conn_bind(conn, mw, 0, window_bytes(conn), right, &window) &&
		offer_send(conn, &window, conn->asked.size) && conn_received(conn, 0, 0) &&
		(reads(conn) || check(conn, conn->exposed.bytes));
}

static bool
serve(struct conn *conn)
{
	struct request invalidated = {0};
	struct nd_mw *mw;
	bool served;

	if (!conn_make_window(conn, &invalidated, &mw))
		return false;
	served = serve_window(conn, mw);
	return conn_release_window(conn, mw) && served;
}

bool
bulk_play(struct conn *conn)
{
	return offer_drives(conn) ? drive(conn) : serve(conn);
}

bool
idle_prepare(struct conn *conn)
{
	(void)conn;
	return true;
}

bool
idle_play(struct conn *conn)
{
	while (!conn_is_gone(conn) && !conn->peer->stopped)
		task_yield();
	conn_keep_end(conn);
	return conn->end.reason == ND_END_NONE || conn->end.reason == ND_END_PEER_DISCONNECT ||
		conn_fail(conn, "%s", nd_end_reason_text(conn->end.reason));
}
