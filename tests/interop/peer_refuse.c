/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * PROTOCOL_REFUSE: one access that must be refused. Both sides report the outcome: "refused", or
 * "passed" if the peer does not enforce the bounds of windows.
 */
#include <rte_byteorder.h>
#include <rte_common.h>

#include "peer.h"

#define UNTOUCHED     7u /* number of the payload that the region initially contains */
#define WRITTEN       8u
#define MESSAGE_BYTES 8u
#define QUARTERS      4u

enum { SLOT_INVALIDATE, SLOT_BEHIND, SLOTS };
/*
 * Offsets in the driver's local memory: of the message to send, and of the bytes to write or read.
 */
enum { LOCAL_MESSAGE = 0, LOCAL_ACCESS = 64 };

static uint32_t
kind(const struct conn *conn)
{
	return conn->asked.arg & 0x7f;
}

static bool
reads(const struct conn *conn)
{
	return (conn->asked.arg & PROTOCOL_READ) != 0;
}

bool
refuse_prepare(struct conn *conn)
{
	const size_t size = conn->asked.size;

	if (size < 1 || kind(conn) >= PROTOCOL_REFUSE_KINDS)
		return conn_fail(conn, "no access of kind %u and %zu bytes", kind(conn), size);
	if (offer_drives(conn))
		return conn_register(conn, &conn->local, LOCAL_ACCESS + size) &&
			conn_register_inbox(conn, PROTOCOL_OFFER_BYTES, 1) && conn_receive(conn, 0);
	if (!conn_register(conn, &conn->exposed, QUARTERS * size) ||
		!conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) ||
		!conn_register_inbox(conn, MESSAGE_BYTES, SLOTS))
		return false;
	conn_fill(conn->exposed.bytes, UNTOUCHED, conn->exposed.size);
	return true;
}

/* @return window key and address of an access of the kind `asked.arg` */
static struct nd_mw_descriptor
target(const struct conn *conn, const struct protocol_offer *offer)
{
	const uint32_t size = conn->asked.size;
	uint64_t address = offer->address;
	uint32_t key = offer->key;

	switch (kind(conn)) {
	case PROTOCOL_REFUSE_KEY:
		key ^= 0x5a;
		break;
	case PROTOCOL_REFUSE_END:
		address += offer->length - size + 1;
		break;
	case PROTOCOL_REFUSE_START:
		address -= 1;
		break;
	case PROTOCOL_REFUSE_REGION:
		address += offer->length + 1;
		break;
	default:
		break;
	}
	return (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(address),
		.length = rte_cpu_to_be_64(size),
		.token = rte_cpu_to_be_32(key),
	};
}

static bool
use_and_close(struct conn *conn, const struct nd_mw_descriptor *window)
{
	const struct nd_sge access = conn_sge(&conn->local, LOCAL_ACCESS, conn->asked.size);
	const struct nd_sge message = conn_sge(&conn->local, LOCAL_MESSAGE, MESSAGE_BYTES);
	const nd_status status = conn_access(conn, true, window, 0, &access);

	if (status != ND_SUCCESS)
		return conn_fail(conn, "read of an open window: %s", nd_status_name(status));
	/* The window starts after the first quarter of the region. */
	for (uint32_t i = 0; i < conn->asked.size; i++)
		if (conn->local.bytes[LOCAL_ACCESS + i] !=
			protocol_byte(UNTOUCHED, conn->asked.size + i))
			return conn_fail(conn, "byte %u of what was read is wrong", i);
	conn->sends[0].done = false;
	return conn_called(conn,
		       nd_endpoint_send_and_invalidate(
			       conn->endpoint, &conn->sends[0].result, &message, 1, window, 0),
		       "send_and_invalidate") &&
		conn_succeeded(conn, &conn->sends[0], "send_and_invalidate");
}

static bool
drive(struct conn *conn)
{
	const struct nd_sge access = conn_sge(&conn->local, LOCAL_ACCESS, conn->asked.size);
	struct request *accessed = &conn->sends[0], *behind = &conn->sends[1];
	struct nd_mw_descriptor window;
	struct protocol_offer offer;
	nd_status status;

	if (!offer_wait(conn, &offer, &window))
		return false;
	window = target(conn, &offer);
	if (kind(conn) == PROTOCOL_REFUSE_SENT && !use_and_close(conn, &window))
		return false;
	conn_fill(conn->local.bytes + LOCAL_ACCESS, WRITTEN, conn->asked.size);
	accessed->done = false;
	status = reads(conn)
		? nd_endpoint_read(conn->endpoint, &accessed->result, &access, 1, &window, 0, 0)
		: nd_endpoint_write(conn->endpoint, &accessed->result, &access, 1, &window, 0, 0);
	if (!conn_called(conn, status, reads(conn) ? "read" : "write") ||
		!conn_send(conn, behind, LOCAL_MESSAGE, MESSAGE_BYTES))
		return false;
	status = conn_result(conn, accessed);
	if (status == ND_REMOTE_ERROR && conn_result(conn, behind) == ND_CANCELED)
		conn->outcome = "refused";
	else if (status == ND_SUCCESS && conn_result(conn, behind) == ND_SUCCESS)
		conn->outcome = "passed";
	else
		return conn_fail(conn, "the access: %s, the send behind it: %s",
			nd_status_name(status), nd_status_name(conn_result(conn, behind)));
	return true;
}

static bool
invalidate(struct conn *conn, struct nd_mw *mw)
{
	conn->single.done = false;
	return conn_called(conn,
		       nd_endpoint_invalidate(conn->endpoint, &conn->single.result, mw, 0),
		       "invalidate") &&
		conn_succeeded(conn, &conn->single, "invalidate");
}

/*
 * Bind the window. Some kinds of access require that the window is then invalidated or bound again.
 */
static bool
open_window(struct conn *conn, struct nd_mw *mw, struct nd_mw_descriptor *window)
{
	const uint32_t size = conn->asked.size;
	struct nd_mw_descriptor newer;
	uint32_t flags = ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;

	if (kind(conn) == PROTOCOL_REFUSE_RIGHT)
		flags = reads(conn) ? ND_OP_FLAG_ALLOW_WRITE : ND_OP_FLAG_ALLOW_READ;
	if (!conn_bind(conn, mw, size, 2 * size, flags, window))
		return false;
	if (kind(conn) == PROTOCOL_REFUSE_INVALIDATED)
		return invalidate(conn, mw);
	if (kind(conn) == PROTOCOL_REFUSE_REBOUND)
		return invalidate(conn, mw) && conn_bind(conn, mw, size, 2 * size, flags, &newer);
	return true;
}

static bool
serve_window(struct conn *conn, struct nd_mw *mw)
{
	struct nd_mw_descriptor window;
	nd_status status;
	uint32_t slot = SLOT_INVALIDATE;

	if (!conn_receive(conn, SLOT_INVALIDATE) || !conn_receive(conn, SLOT_BEHIND) ||
		!open_window(conn, mw, &window) || !offer_send(conn, &window, conn->asked.size))
		return false;
	if (kind(conn) == PROTOCOL_REFUSE_SENT && !conn_received(conn, slot++, MESSAGE_BYTES))
		return false;
	status = conn_result(conn, &conn->receives[slot]);
	conn->outcome = status == ND_SUCCESS ? "passed" : "refused";
	if (status != ND_SUCCESS && status != ND_CANCELED)
		return conn_fail(conn, "receive: %s", nd_status_name(status));
	return status == ND_SUCCESS ||
		conn_check(conn, conn->exposed.bytes, UNTOUCHED, conn->exposed.size);
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
refuse_play(struct conn *conn)
{
	return offer_drives(conn) ? drive(conn) : serve(conn);
}
