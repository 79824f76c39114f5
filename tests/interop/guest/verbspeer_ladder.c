/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * PROTOCOL_LADDER. Each payload is a list of two SGEs in two registrations; the second SGE has the
 * lower address. Windows start at any offset. With PROTOCOL_WINDOW_STAYS, no window is invalidated.
 */
#include "verbspeer.h"

/* Payload numbers of a step's SEND, WRITE and SEND with Invalidate. */
enum { PAYLOAD_SEND, PAYLOAD_WRITE, PAYLOAD_INVALIDATE, PAYLOADS_PER_STEP = 4 };
/*
 * Numbers of the driver's requests. A number is also the position of the payload in the driver's
 * memory, in units of the largest size.
 */
enum { AREA_SEND, AREA_WRITE, AREA_READ, AREA_INVALIDATE, AREAS };

/* Receives of the target in each step. Only a WRITE with immediate data uses the second receive. */
enum { SLOT_SEND, SLOT_WRITE, SLOT_INVALIDATE, SLOTS };

#define SHIFT_MAX 7u

static bool
with_immediate(const struct conn *conn)
{
	return (conn->asked.arg & PROTOCOL_WITH_IMMEDIATE) != 0;
}

static bool
window_stays(const struct conn *conn)
{
	return (conn->asked.arg & PROTOCOL_WINDOW_STAYS) != 0;
}

static uint32_t
size_max(const struct conn *conn)
{
	const uint32_t steps = protocol_step_count(&conn->asked);

	return steps == 0 ? 0 : protocol_step_size(&conn->asked, steps - 1);
}

static uint8_t *
byte_of(uint8_t *bytes, size_t size, size_t index)
{
	return bytes + (index + size - size / 3) % size;
}

static void
fill(uint8_t *bytes, uint32_t k, size_t size)
{
	for (size_t i = 0; i < size; i++)
		*byte_of(bytes, size, i) = protocol_byte(k, (uint32_t)i);
}

static bool
check(struct conn *conn, uint8_t *bytes, uint32_t k, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (*byte_of(bytes, size, i) != protocol_byte(k, (uint32_t)i))
			return fail(conn, "byte %zu of %zu of payload %u is 0x%02x", i, size, k,
				*byte_of(bytes, size, i));
	return true;
}

/* @return entries */
static int
list(const struct region *region, size_t offset, size_t size, struct ibv_sge entries[2])
{
	const uint64_t start = (uintptr_t)region->bytes + offset;
	const uint32_t first = (uint32_t)size / 3;

	entries[0] = (struct ibv_sge){start + size - first, first, region->mr->lkey};
	entries[1] = (struct ibv_sge){start, (uint32_t)size - first, region->again->lkey};
	if (first > 0)
		return 2;
	entries[0] = entries[1];
	return size > 0;
}

bool
ladder_prepare(struct conn *conn)
{
	const size_t size = size_max(conn);

	if (drives(conn)) {
		conn->slot_bytes = PROTOCOL_OFFER_BYTES;
		return conn_register(conn, &conn->local, AREAS * size + 1) &&
			conn_register(conn, &conn->inbox, PROTOCOL_OFFER_BYTES) &&
			post_receive(conn, 0, NULL, 0);
	}
	conn->slot_bytes = (uint32_t)size + 1;
	return conn_register(conn, &conn->exposed, size + SHIFT_MAX + 1) &&
		conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) &&
		conn_register(conn, &conn->inbox, SLOTS * (size_t)conn->slot_bytes);
}

static bool
post_area(struct conn *conn, uint32_t step, unsigned int area, const struct protocol_offer *offer)
{
	static const enum ibv_wr_opcode opcodes[AREAS] = {
		IBV_WR_SEND, IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_SEND_WITH_INV};
	const bool immediate = with_immediate(conn);
	struct ibv_sge sges[2];
	struct post post = {
		.opcode = opcodes[area],
		.number = area,
		.sges = sges,
		.address = offer->address,
		.key = offer->key,
		/*
		 * The SEND with Invalidate is fenced, because it must be executed after the READ
		 * through the window.
		 */
		.immediate = protocol_immediate(step, area == AREA_WRITE),
		.flags = area == AREA_INVALIDATE ? IBV_SEND_FENCE : 0,
	};

	if (immediate && area == AREA_SEND)
		post.opcode = IBV_WR_SEND_WITH_IMM;
	if (immediate && area == AREA_WRITE)
		post.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
	if (window_stays(conn) && area == AREA_INVALIDATE)
		post.opcode = IBV_WR_SEND;
	post.sge_count = list(&conn->local, (size_t)area * size_max(conn), offer->size, sges);
	return post_send(conn, &post);
}

static bool
drive_step(struct conn *conn, uint32_t step)
{
	static const char *const names[AREAS] = {"send", "write", "read", "send with invalidate"};
	const size_t area = size_max(conn);
	const uint32_t k = PAYLOADS_PER_STEP * step;
	uint8_t *local = conn->local.bytes;
	struct protocol_offer offer;

	if (!wait_offer(conn, &offer))
		return false;
	if (offer.size != protocol_step_size(&conn->asked, step))
		return fail(conn, "step %u has %u bytes", step, offer.size);
	fill(local + AREA_SEND * area, k + PAYLOAD_SEND, offer.size);
	fill(local + AREA_WRITE * area, k + PAYLOAD_WRITE, offer.size);
	fill(local + AREA_INVALIDATE * area, k + PAYLOAD_INVALIDATE, offer.size);
	memset(local + AREA_READ * area, 0, offer.size);
	for (unsigned int i = 0; i < AREAS; i++)
		if (!post_area(conn, step, i, &offer))
			return false;
	for (unsigned int i = 0; i < AREAS; i++)
		if (!sent(conn, i, names[i]))
			return false;
	return check(conn, local + AREA_READ * area, k + PAYLOAD_WRITE, offer.size);
}

static bool
check_written(struct conn *conn, uint32_t step, uint32_t size)
{
	const uint8_t *bytes = conn->exposed.bytes + step % SHIFT_MAX;

	for (uint32_t i = 0; i < size; i++)
		if (bytes[i] != protocol_byte(PAYLOADS_PER_STEP * step + PAYLOAD_WRITE, i))
			return fail(conn, "byte %u of a write of %u is wrong", i, size);
	return true;
}

/* Check the immediate data and the flags in the result of a receive. */
static bool
check_immediate(struct conn *conn, unsigned int slot, uint32_t step)
{
	const uint32_t expected = protocol_immediate(step, slot == SLOT_WRITE);

	if (!with_immediate(conn))
		return (conn->receive_flags[slot] & IBV_WC_WITH_IMM) == 0 ||
			fail(conn, "immediate data without having been sent");
	if ((conn->receive_flags[slot] & IBV_WC_WITH_IMM) != 0 &&
		conn->receive_immediate[slot] == expected)
		return true;
	return fail(conn, "immediate data 0x%x, flags 0x%x at step %u",
		conn->receive_immediate[slot], conn->receive_flags[slot], step);
}

static bool
post_slot(struct conn *conn, unsigned int slot, uint32_t size)
{
	struct ibv_sge sges[2];
	const int count = list(&conn->inbox, (size_t)slot * conn->slot_bytes, size, sges);

	return post_receive(conn, slot, sges, count);
}

static bool
open_window(struct conn *conn, uint32_t step, uint32_t size)
{
	const int rights = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
	const uint32_t offset = step % SHIFT_MAX, length = size > 0 ? size : 1;

	if (!window_stays(conn) && !bind_window(conn, offset, length, rights))
		return false;
	if (window_stays(conn) && step == 0 &&
		!bind_window(conn, 0, size_max(conn) + SHIFT_MAX, rights))
		return false;
	return send_offer(conn, offset, length, conn->mw->rkey, size);
}

static bool
serve_step(struct conn *conn, uint32_t step)
{
	const uint32_t size = protocol_step_size(&conn->asked, step);
	const uint32_t k = PAYLOADS_PER_STEP * step;

	if (!post_slot(conn, SLOT_SEND, size) ||
		(with_immediate(conn) && !post_slot(conn, SLOT_WRITE, 0)) ||
		!post_slot(conn, SLOT_INVALIDATE, size) || !open_window(conn, step, size))
		return false;
	if (with_immediate(conn) &&
		(!received(conn, SLOT_WRITE, size) || !check_immediate(conn, SLOT_WRITE, step)))
		return false;
	if (!received(conn, SLOT_SEND, size) || !check_immediate(conn, SLOT_SEND, step) ||
		!check(conn, conn->inbox.bytes, k + PAYLOAD_SEND, size) ||
		!received(conn, SLOT_INVALIDATE, size) ||
		!check(conn, conn->inbox.bytes + SLOT_INVALIDATE * (size_t)conn->slot_bytes,
			k + PAYLOAD_INVALIDATE, size))
		return false;
	if (!window_stays(conn) && conn->receive_key[SLOT_INVALIDATE] != conn->mw->rkey)
		return fail(conn, "key 0x%x invalidated, not 0x%x",
			conn->receive_key[SLOT_INVALIDATE], conn->mw->rkey);
	return check_written(conn, step, size);
}

bool
ladder_play(struct conn *conn)
{
	const uint32_t count = protocol_step_count(&conn->asked);

	for (uint32_t step = 0; step < count; step++)
		if (!(drives(conn) ? drive_step(conn, step) : serve_step(conn, step)))
			return false;
	return true;
}
