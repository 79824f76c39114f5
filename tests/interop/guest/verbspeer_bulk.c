/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* PROTOCOL_BULK, PROTOCOL_IDLE. */
#include "verbspeer.h"

#include <time.h>

#define IDLE_SECONDS 3600

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
		return fail(conn, "requests of 0 bytes, or no request");
	if (drives(conn)) {
		conn->slot_bytes = PROTOCOL_OFFER_BYTES;
		return conn_register(conn, &conn->local, window_bytes(conn)) &&
			conn_register(conn, &conn->inbox, PROTOCOL_OFFER_BYTES) &&
			post_receive(conn, 0, NULL, 0);
	}
	conn->slot_bytes = 1;
	return conn_register(conn, &conn->exposed, window_bytes(conn)) &&
		conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) &&
		conn_register(conn, &conn->inbox, 1) && post_receive(conn, 0, NULL, 0);
}

static void
fill(struct conn *conn, uint8_t *bytes)
{
	for (uint32_t part = 0; part < protocol_bulk_depth(&conn->asked); part++)
		for (uint32_t i = 0; i < conn->asked.size; i++)
			*bytes++ = protocol_byte(part, i);
}

/* Check the bytes of all parts of the window that requests have used. */
static bool
check(struct conn *conn, const uint8_t *bytes)
{
	const uint32_t depth = protocol_bulk_depth(&conn->asked);

	for (uint32_t part = 0; part < depth && part < conn->asked.count; part++)
		for (uint32_t i = 0; i < conn->asked.size; i++, bytes++)
			if (*bytes != protocol_byte(part, i))
				return fail(conn, "byte %u of part %u is 0x%02x", i, part, *bytes);
	return true;
}

static bool
post(struct conn *conn, uint32_t number, const struct protocol_offer *offer)
{
	const uint32_t part = number % protocol_bulk_depth(&conn->asked);
	const uint64_t offset = (uint64_t)part * conn->asked.size;
	struct ibv_sge sge = {
		(uintptr_t)conn->local.bytes + offset, conn->asked.size, conn->local.mr->lkey};

	return post_send(conn,
		&(struct post){
			.opcode = reads(conn) ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
			.number = part,
			.sges = &sge,
			.sge_count = 1,
			.address = offer->address + offset,
			.key = offer->key,
		});
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool
transfer(struct conn *conn, const struct protocol_offer *offer)
{
	const uint32_t depth = protocol_bulk_depth(&conn->asked), count = conn->asked.count;
	const double start = now();

	for (uint32_t i = 0; i < count + depth; i++) {
		if (i >= depth && !sent(conn, i % depth, reads(conn) ? "read" : "write"))
			return false;
		if (i < count && !post(conn, i, offer))
			return false;
	}
	conn->transfer_seconds = now() - start;
	return true;
}

static bool
drive(struct conn *conn)
{
	struct protocol_offer offer;

	if (!wait_offer(conn, &offer))
		return false;
	if (!reads(conn))
		fill(conn, conn->local.bytes);
	return transfer(conn, &offer) &&
		post_send(conn, &(struct post){.opcode = IBV_WR_SEND, .number = 0}) &&
		sent(conn, 0, "send") && (!reads(conn) || check(conn, conn->local.bytes));
}

static bool
serve(struct conn *conn)
{
	const int right = reads(conn) ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;

	if (reads(conn))
		fill(conn, conn->exposed.bytes);
	return bind_window(conn, 0, window_bytes(conn), right) &&
		send_offer(conn, 0, window_bytes(conn), conn->mw->rkey, conn->asked.size) &&
		received(conn, 0, 0) && (reads(conn) || check(conn, conn->exposed.bytes));
}

bool
bulk_play(struct conn *conn)
{
	return drives(conn) ? drive(conn) : serve(conn);
}

bool
idle_play(struct conn *conn)
{
	return conn_wait_event(conn, RDMA_CM_EVENT_DISCONNECTED, IDLE_SECONDS);
}
