/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * PROTOCOL_LADDER: every kind of message, with every size. Memory is split into several pieces to
 * test this case: each payload is a list of two SGEs in two registrations, and the second SGE has
 * the lower address. Windows are bound to a registration of two buffers, the second at the lower
 * address, and start at any offset. With PROTOCOL_WITH_IMMEDIATE, SEND and WRITE carry immediate
 * data. With PROTOCOL_WINDOW_STAYS no window is invalidated.
 */
#include <stdlib.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <ndpdk/nd_extension.h>

#include "peer.h"

/* Payload numbers of a step's SEND, WRITE and SEND with Invalidate. */
enum { PAYLOAD_SEND, PAYLOAD_WRITE, PAYLOAD_INVALIDATE, PAYLOADS_PER_STEP = 4 };
/* Position of each payload in the driver's local memory, in units of the largest size. */
enum { AREA_SEND, AREA_WRITE, AREA_READ, AREA_INVALIDATE, AREAS };

/* Receives of the target in each step. Only a WRITE with immediate data uses the second receive. */
enum { SLOT_SEND, SLOT_WRITE, SLOT_INVALIDATE, SLOTS };

#define SHIFT_MAX 7u /* largest offset of a window in its region */

struct ladder {
	struct conn *conn;
	uint32_t size_max;
	struct nd_mr *again; /* second registration of local memory or of the inbox */
	struct nd_mw *mw;
	struct nd_mw_descriptor whole; /* window of PROTOCOL_WINDOW_STAYS */
	struct request invalidated;
};

static bool
with_immediate(const struct ladder *ladder)
{
	return (ladder->conn->asked.arg & PROTOCOL_WITH_IMMEDIATE) != 0;
}

static bool
window_stays(const struct ladder *ladder)
{
	return (ladder->conn->asked.arg & PROTOCOL_WINDOW_STAYS) != 0;
}

static uint32_t
size_max(const struct conn *conn)
{
	const uint32_t steps = protocol_step_count(&conn->asked);

	return steps == 0 ? 0 : protocol_step_size(&conn->asked, steps - 1);
}

/* @return number of bytes of a payload that are in the first SGE */
static size_t
front(size_t size)
{
	return size / 3;
}

static uint8_t *
byte_of(uint8_t *bytes, size_t size, size_t index)
{
	return bytes + (index + size - front(size)) % size;
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
			return conn_fail(conn, "byte %zu of %zu of payload %u is 0x%02x", i, size,
				k, *byte_of(bytes, size, i));
	return true;
}

/* @return entries */
static size_t
list(const struct ladder *ladder, const struct region *region, size_t offset, size_t size,
	struct nd_sge entries[2])
{
	uint8_t *bytes = region->bytes + offset;
	const size_t first = front(size);

	entries[0] = (struct nd_sge){bytes + size - first, first, region->mr};
	entries[1] = (struct nd_sge){bytes, size - first, ladder->again};
	if (first > 0)
		return 2;
	entries[0] = entries[1];
	return size > 0;
}

static bool
register_again(struct ladder *ladder, const struct region *region)
{
	const struct nd_buffer buffer = {region->bytes, region->size};

	return conn_register_buffers(ladder->conn, &buffer, 1, &ladder->again);
}

/* Register two buffers as one region, over which the windows are bound. */
static bool
register_chain(struct conn *conn, size_t size)
{
	struct region *region = &conn->exposed;
	const size_t first = front(size);
	struct nd_buffer buffers[2];

	region->size = size;
	region->bytes = calloc(1, size);
	if (region->bytes == NULL)
		return conn_fail(conn, "no memory");
	buffers[0] = (struct nd_buffer){region->bytes + size - first, first};
	buffers[1] = (struct nd_buffer){region->bytes, size - first};
	return conn_register_buffers(conn, buffers, 2, &region->mr);
}

bool
ladder_prepare(struct conn *conn)
{
	const size_t size = size_max(conn);
	const uint32_t slot = (uint32_t)RTE_MAX(size, (size_t)PROTOCOL_OFFER_BYTES);

	if (offer_drives(conn))
		return conn_register(conn, &conn->local, AREAS * size + 1) &&
			conn_register_inbox(conn, PROTOCOL_OFFER_BYTES, 1) && conn_receive(conn, 0);
	return register_chain(conn, size + SHIFT_MAX + 3) &&
		conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) &&
		conn_register_inbox(conn, slot, SLOTS);
}

static nd_status
post_immediate(struct ladder *ladder, uint32_t step, int area, const struct nd_sge *sges,
	size_t count, const struct nd_mw_descriptor *window)
{
	struct nd_endpoint *endpoint = ladder->conn->endpoint;
	struct nd_result *result = &ladder->conn->sends[area].result;
	const uint32_t immediate = htobe32(protocol_immediate(step, area == AREA_WRITE));

	if (area == AREA_SEND)
		return nd_endpoint_send_with_imm(endpoint, result, sges, count, immediate, 0);
	return nd_endpoint_write_with_imm(endpoint, result, sges, count, window, 0, immediate, 0);
}

static nd_status
post_area(struct ladder *ladder, uint32_t step, int area, const struct nd_mw_descriptor *window)
{
	struct conn *conn = ladder->conn;
	struct nd_result *result = &conn->sends[area].result;
	struct nd_sge sges[2];
	const size_t count = list(ladder, &conn->local, (size_t)area * ladder->size_max,
		protocol_step_size(&conn->asked, step), sges);

	conn->sends[area].done = false;
	if (with_immediate(ladder) && (area == AREA_SEND || area == AREA_WRITE))
		return post_immediate(ladder, step, area, sges, count, window);
	if (window_stays(ladder) && area == AREA_INVALIDATE)
		return nd_endpoint_send(conn->endpoint, result, sges, count, ND_OP_FLAG_READ_FENCE);
	switch (area) {
	case AREA_SEND:
		return nd_endpoint_send(conn->endpoint, result, sges, count, 0);
	case AREA_WRITE:
		return nd_endpoint_write(conn->endpoint, result, sges, count, window, 0, 0);
	case AREA_READ:
		return nd_endpoint_read(conn->endpoint, result, sges, count, window, 0, 0);
	default:
		return nd_endpoint_send_and_invalidate(
			conn->endpoint, result, sges, count, window, ND_OP_FLAG_READ_FENCE);
	}
}

static bool
drive_step(struct ladder *ladder, uint32_t step)
{
	static const char *const names[AREAS] = {"send", "write", "read", "send_and_invalidate"};
	struct conn *conn = ladder->conn;
	uint8_t *local = conn->local.bytes;
	const size_t area = ladder->size_max;
	const uint32_t k = PAYLOADS_PER_STEP * step;
	struct nd_mw_descriptor window;
	struct protocol_offer offer;

	if (!offer_wait(conn, &offer, &window))
		return false;
	if (offer.size != protocol_step_size(&conn->asked, step))
		return conn_fail(conn, "step %u has %u bytes", step, offer.size);
	fill(local + AREA_SEND * area, k + PAYLOAD_SEND, offer.size);
	fill(local + AREA_WRITE * area, k + PAYLOAD_WRITE, offer.size);
	fill(local + AREA_INVALIDATE * area, k + PAYLOAD_INVALIDATE, offer.size);
	memset(local + AREA_READ * area, 0, offer.size);
	/*
	 * Post all requests at once. The SEND with Invalidate is last, because the other
	 * requests use the window.
	 */
	for (int i = 0; i < AREAS; i++)
		if (!conn_called(conn, post_area(ladder, step, i, &window), names[i]))
			return false;
	for (int i = 0; i < AREAS; i++) {
		if (!conn_succeeded(conn, &conn->sends[i], names[i]))
			return false;
		if (conn->sends[i].result.bytes_transferred != offer.size)
			return conn_fail(conn, "%s of %u bytes has %zu", names[i], offer.size,
				conn->sends[i].result.bytes_transferred);
	}
	return check(conn, local + AREA_READ * area, k + PAYLOAD_WRITE, offer.size);
}

static bool
post_receive(struct ladder *ladder, uint32_t slot, uint32_t size)
{
	struct conn *conn = ladder->conn;
	struct nd_sge sges[2];
	const size_t count =
		list(ladder, &conn->inbox, (size_t)slot * conn->slot_bytes, size, sges);

	conn->receives[slot].done = false;
	return conn_called(conn,
		nd_endpoint_receive(conn->endpoint, &conn->receives[slot].result, sges, count),
		"receive");
}

static bool
bind_window(struct ladder *ladder, size_t offset, size_t size, struct nd_mw_descriptor *window)
{
	struct conn *conn = ladder->conn;
	uint8_t *base = conn->exposed.bytes + conn->exposed.size - front(conn->exposed.size);

	conn->single.done = false;
	ladder->invalidated.done = false;
	return conn_called(conn,
		       nd_endpoint_bind(conn->endpoint, &conn->single.result, conn->exposed.mr,
			       ladder->mw, base + offset, size,
			       ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, window),
		       "bind") &&
		conn_succeeded(conn, &conn->single, "bind");
}

/*
 * Bind a window of at least one byte for a step. With PROTOCOL_WINDOW_STAYS, describe a part of the
 * one window instead.
 */
static bool
open_window(struct ladder *ladder, uint32_t step, uint32_t size, struct nd_mw_descriptor *window)
{
	const size_t offset = step % SHIFT_MAX, length = RTE_MAX(size, 1u);

	if (!window_stays(ladder))
		return bind_window(ladder, offset, length, window);
	if (step == 0 && !bind_window(ladder, 0, ladder->conn->exposed.size, &ladder->whole))
		return false;
	*window = (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(rte_be_to_cpu_64(ladder->whole.base) + offset),
		.length = rte_cpu_to_be_64(length),
		.token = ladder->whole.token,
	};
	return true;
}

static bool
check_written(struct conn *conn, uint32_t step, uint32_t size)
{
	const uint32_t k = PAYLOADS_PER_STEP * step + PAYLOAD_WRITE;

	for (uint32_t i = 0; i < size; i++)
		if (*byte_of(conn->exposed.bytes, conn->exposed.size, step % SHIFT_MAX + i) !=
			protocol_byte(k, i))
			return conn_fail(conn, "byte %u of a write of %u is wrong", i, size);
	return true;
}

/* Check the immediate data and the flags in the result of a receive. */
static bool
check_immediate(struct ladder *ladder, uint32_t slot, uint32_t step)
{
	const struct nd_result *result = &ladder->conn->receives[slot].result;
	const bool write = slot == SLOT_WRITE;
	uint32_t flags = ND_RESULT_WITH_IMM;

	if (!with_immediate(ladder))
		return result->flags == 0 ||
			conn_fail(ladder->conn, "flags 0x%x of a message", result->flags);
	if (write)
		flags |= ND_RESULT_WRITE;
	if (result->flags == flags && be32toh(result->imm_data) == protocol_immediate(step, write))
		return true;
	return conn_fail(ladder->conn, "immediate data 0x%x, flags 0x%x at step %u",
		be32toh(result->imm_data), result->flags, step);
}

static bool
serve_step(struct ladder *ladder, uint32_t step)
{
	struct conn *conn = ladder->conn;
	const uint32_t size = protocol_step_size(&conn->asked, step);
	const uint32_t k = PAYLOADS_PER_STEP * step;
	struct nd_mw_descriptor window;

	if (!post_receive(ladder, SLOT_SEND, size) ||
		(with_immediate(ladder) && !post_receive(ladder, SLOT_WRITE, 0)) ||
		!post_receive(ladder, SLOT_INVALIDATE, size) ||
		!open_window(ladder, step, size, &window) || !offer_send(conn, &window, size))
		return false;
	if (with_immediate(ladder) &&
		(!conn_received(conn, SLOT_WRITE, size) ||
			!check_immediate(ladder, SLOT_WRITE, step)))
		return false;
	return conn_received(conn, SLOT_SEND, size) && check_immediate(ladder, SLOT_SEND, step) &&
		check(conn, conn_slot(conn, SLOT_SEND), k + PAYLOAD_SEND, size) &&
		conn_received(conn, SLOT_INVALIDATE, size) &&
		check(conn, conn_slot(conn, SLOT_INVALIDATE), k + PAYLOAD_INVALIDATE, size) &&
		(window_stays(ladder) ||
			conn_succeeded(conn, &ladder->invalidated, "invalidate by the peer")) &&
		check_written(conn, step, size);
}

static bool
steps(struct ladder *ladder)
{
	const uint32_t count = protocol_step_count(&ladder->conn->asked);
	const bool driver = offer_drives(ladder->conn);

	for (uint32_t i = 0; i < count; i++)
		if (!(driver ? drive_step(ladder, i) : serve_step(ladder, i)))
			return false;
	return true;
}

bool
ladder_play(struct conn *conn)
{
	struct ladder ladder = {.conn = conn, .size_max = size_max(conn)};
	const bool driver = offer_drives(conn);
	bool played;

	if (!driver && !conn_make_window(conn, &ladder.invalidated, &ladder.mw))
		return false;
	played = register_again(&ladder, driver ? &conn->local : &conn->inbox) && steps(&ladder);
	if (ladder.again != NULL)
		played &= conn_deregister(conn, ladder.again);
	if (ladder.mw != NULL)
		played &= conn_release_window(conn, ladder.mw);
	return played;
}
