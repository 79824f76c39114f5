/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* PROTOCOL_REFUSE, as in peer_refuse.c. */
#include "verbspeer.h"

#define UNTOUCHED     7u
#define WRITTEN       8u
#define MESSAGE_BYTES 8u
#define QUARTERS      4u

enum { SLOT_INVALIDATE, SLOT_BEHIND };
enum { LOCAL_MESSAGE = 0, LOCAL_ACCESS = 64 };
enum { NUMBER_ACCESS, NUMBER_BEHIND, NUMBER_FIRST };

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

static void
fill(uint8_t *bytes, uint32_t k, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = protocol_byte(k, (uint32_t)i);
}

static bool
check(struct conn *conn, const uint8_t *bytes, uint32_t k, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != protocol_byte(k, (uint32_t)i))
			return fail(conn, "byte %zu of %zu of payload %u is 0x%02x", i, size, k,
				bytes[i]);
	return true;
}

bool
refuse_prepare(struct conn *conn)
{
	const size_t size = conn->asked.size;

	if (size < 1 || kind(conn) >= PROTOCOL_REFUSE_KINDS)
		return fail(conn, "no access of kind %u and %zu bytes", kind(conn), size);
	if (drives(conn)) {
		conn->slot_bytes = PROTOCOL_OFFER_BYTES;
		return conn_register(conn, &conn->local, LOCAL_ACCESS + size) &&
			conn_register(conn, &conn->inbox, PROTOCOL_OFFER_BYTES) &&
			post_receive(conn, 0, NULL, 0);
	}
	conn->slot_bytes = MESSAGE_BYTES;
	if (!conn_register(conn, &conn->exposed, QUARTERS * size) ||
		!conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) ||
		!conn_register(conn, &conn->inbox, 2 * MESSAGE_BYTES))
		return false;
	fill(conn->exposed.bytes, UNTOUCHED, conn->exposed.size);
	return true;
}

static struct post
access_of(struct conn *conn, const struct protocol_offer *offer, struct ibv_sge *sge)
{
	struct post post = {
		.opcode = reads(conn) ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
		.number = NUMBER_ACCESS,
		.sges = sge,
		.sge_count = 1,
		.address = offer->address,
		.key = offer->key,
	};

	*sge = (struct ibv_sge){(uintptr_t)conn->local.bytes + LOCAL_ACCESS, conn->asked.size,
		conn->local.mr->lkey};
	switch (kind(conn)) {
	case PROTOCOL_REFUSE_KEY:
		post.key ^= 0x5a;
		break;
	case PROTOCOL_REFUSE_END:
		post.address += offer->length - conn->asked.size + 1;
		break;
	case PROTOCOL_REFUSE_START:
		post.address -= 1;
		break;
	case PROTOCOL_REFUSE_REGION:
		post.address += offer->length + 1;
		break;
	default:
		break;
	}
	return post;
}

/*
 * Check the bytes that the access has read. The window starts after the first quarter of the
 * region.
 */
static bool
check_read(struct conn *conn)
{
	const uint32_t size = conn->asked.size;

	for (uint32_t i = 0; i < size; i++)
		if (conn->local.bytes[LOCAL_ACCESS + i] != protocol_byte(UNTOUCHED, size + i))
			return fail(conn, "byte %u of what was read is wrong", i);
	return true;
}

/* Make a valid access. Then invalidate the window from this side. */
static bool
use_and_close(struct conn *conn, const struct post *access)
{
	struct ibv_sge message = {
		(uintptr_t)conn->local.bytes + LOCAL_MESSAGE, MESSAGE_BYTES, conn->local.mr->lkey};
	struct post read = *access,
		    close = {
			    .opcode = IBV_WR_SEND_WITH_INV,
			    .number = NUMBER_FIRST,
			    .sges = &message,
			    .sge_count = 1,
			    .key = access->key,
		    };

	read.opcode = IBV_WR_RDMA_READ;
	return post_send(conn, &read) && sent(conn, NUMBER_ACCESS, "read of an open window") &&
		check_read(conn) && post_send(conn, &close) &&
		sent(conn, NUMBER_FIRST, "send with invalidate");
}

static bool
drive(struct conn *conn)
{
	struct ibv_sge message = {
		(uintptr_t)conn->local.bytes + LOCAL_MESSAGE, MESSAGE_BYTES, conn->local.mr->lkey};
	struct post behind = {
		.opcode = IBV_WR_SEND, .number = NUMBER_BEHIND, .sges = &message, .sge_count = 1};
	enum ibv_wc_status first, second;
	struct protocol_offer offer;
	struct ibv_sge sge;
	struct post access;

	if (!wait_offer(conn, &offer))
		return false;
	access = access_of(conn, &offer, &sge);
	if (kind(conn) == PROTOCOL_REFUSE_SENT && !use_and_close(conn, &access))
		return false;
	fill(conn->local.bytes + LOCAL_ACCESS, WRITTEN, conn->asked.size);
	if (!post_send(conn, &access) || !post_send(conn, &behind) ||
		!wait_sent(conn, NUMBER_ACCESS, &first) || !wait_sent(conn, NUMBER_BEHIND, &second))
		return false;
	if (first == IBV_WC_REM_ACCESS_ERR && second == IBV_WC_WR_FLUSH_ERR)
		conn->outcome = "refused";
	else if (first == IBV_WC_SUCCESS && second == IBV_WC_SUCCESS)
		conn->outcome = "passed";
	else
		return fail(conn, "the access: %s, the send behind it: %s",
			ibv_wc_status_str(first), ibv_wc_status_str(second));
	return true;
}

static bool
open_window(struct conn *conn, uint32_t *key)
{
	const uint32_t size = conn->asked.size;
	int rights = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;

	if (kind(conn) == PROTOCOL_REFUSE_RIGHT)
		rights = reads(conn) ? IBV_ACCESS_REMOTE_WRITE : IBV_ACCESS_REMOTE_READ;
	if (!bind_window(conn, size, 2 * size, rights))
		return false;
	*key = conn->mw->rkey;
	if (kind(conn) == PROTOCOL_REFUSE_INVALIDATED)
		return invalidate_window(conn);
	if (kind(conn) == PROTOCOL_REFUSE_REBOUND)
		return invalidate_window(conn) && bind_window(conn, size, 2 * size, rights);
	return true;
}

static bool
serve(struct conn *conn)
{
	unsigned int slot = SLOT_INVALIDATE;
	enum ibv_wc_status status;
	uint32_t key;

	if (!post_receive(conn, SLOT_INVALIDATE, NULL, 0) ||
		!post_receive(conn, SLOT_BEHIND, NULL, 0) || !open_window(conn, &key) ||
		!send_offer(conn, conn->asked.size, 2 * conn->asked.size, key, conn->asked.size))
		return false;
	if (kind(conn) == PROTOCOL_REFUSE_SENT && !received(conn, slot++, MESSAGE_BYTES))
		return false;
	if (!wait_received(conn, slot, &status))
		return false;
	conn->outcome = status == IBV_WC_SUCCESS ? "passed" : "refused";
	if (status != IBV_WC_SUCCESS && status != IBV_WC_WR_FLUSH_ERR)
		return fail(conn, "receive: %s", ibv_wc_status_str(status));
	return status == IBV_WC_SUCCESS ||
		check(conn, conn->exposed.bytes, UNTOUCHED, conn->exposed.size);
}

bool
refuse_play(struct conn *conn)
{
	return drives(conn) ? drive(conn) : serve(conn);
}
