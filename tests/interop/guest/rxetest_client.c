/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rxetest.h"

#include <stdio.h>
#include <string.h>

#include "peer_protocol.h"

#define IMMEDIATE_BASE 0x1000u
#define NO_KEY         0x7fff12u
#define NO_KEY_MS      20000

static void
fill(struct conn *conn, uint32_t offset, uint32_t k)
{
	for (uint32_t i = 0; i < conn->size; i++)
		conn->buffer[offset + i] = protocol_byte(k, i);
}

/* @return true if the sends must fail because the server has posted no receive. */
static bool
is_doomed(const struct conn *conn)
{
	return conn->scenario == SCENARIO_LENERR || conn->scenario == SCENARIO_DEADQP ||
		(conn->scenario == SCENARIO_RNR && conn->arg == 0);
}

static bool
send_messages(struct conn *conn)
{
	bool has_immediate = conn->scenario == SCENARIO_SENDIMM;

	for (uint32_t k = 0; k < conn->count && !conn->failed; k++) {
		if (!reap_room(conn))
			break;
		fill(conn, slot_of(conn, k), k);
		post_request(conn,
			(struct request){
				.opcode = has_immediate ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
				.offset = slot_of(conn, k),
				.length = conn->size,
				.immediate = IMMEDIATE_BASE + k,
				.solicited = conn->scenario == SCENARIO_SOLICIT && k % 2 == 1,
			});
	}
	if (!conn->failed)
		reap_all(conn);
	return is_doomed(conn) ? conn->failed : conn->sends_done == conn->count && !conn->failed;
}

static bool
send_pings(struct conn *conn)
{
	bool ok = true;

	for (uint32_t k = 0; k < conn->count; k++) {
		fill(conn, 0, k);
		if (conn->receives_posted < conn->count)
			post_receive(conn);
		post_request(conn, (struct request){.opcode = IBV_WR_SEND, .length = conn->size});
		if (!reap(conn, conn->sends_posted, k + 1, WAIT_MS))
			return false;
		ok = ok && memcmp(conn->buffer, last_message(conn), conn->size) == 0;
	}
	return ok;
}

/* Close the window: either ask the server to invalidate it, or invalidate it from this side. */
static bool
close_window(struct conn *conn, uint32_t key)
{
	uint32_t receives = 1;

	if (conn->scenario == SCENARIO_MW2) {
		post_request(conn,
			(struct request){
				.opcode = IBV_WR_SEND_WITH_INV, .length = 8, .remote_key = key});
	} else if (conn->scenario == SCENARIO_MW2LINV || conn->scenario == SCENARIO_MW1) {
		post_word(conn, 0);
		receives = 2;
	}
	return reap(conn, conn->sends_posted, receives, WAIT_MS);
}

/*
 * Wait for the server's message with the key of the window, and use the window correctly. Then make
 * a forbidden access.
 */
static bool
use_window(struct conn *conn)
{
	struct request last = {
		.opcode = conn->scenario == SCENARIO_MW2LINV ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
		.length = conn->size,
		.remote_address = conn->remote_address};
	struct request request = last;

	if (!reap(conn, 0, 1, WAIT_MS))
		return false;
	last.remote_key = protocol_get32(last_message(conn));
	request.remote_key = last.remote_key;
	request.opcode = IBV_WR_RDMA_WRITE;
	for (uint32_t k = 0; k < conn->count && conn->scenario != SCENARIO_MWPERM; k++) {
		if (!reap_room(conn))
			return false;
		request.offset = slot_of(conn, k);
		request.remote_address = conn->remote_address + request.offset;
		fill(conn, request.offset, k);
		post_request(conn, request);
	}
	request.opcode = IBV_WR_RDMA_READ;
	request.offset = conn->buffer_bytes - conn->size - 8;
	request.remote_address = conn->remote_address;
	post_request(conn, request);
	if (!reap_all(conn) || !close_window(conn, last.remote_key))
		return false;
	if (conn->scenario == SCENARIO_MWBOUND)
		last.remote_address += conn->remote_bytes / 2 - conn->size + 1;
	post_request(conn, last);
	reap_all(conn);
	return conn->failed;
}

/*
 * Send an Invalidate for a key that does not exist. The server checks that nothing was invalidated.
 */
static bool
invalidate_nothing(struct conn *conn)
{
	post_request(conn,
		(struct request){.opcode = IBV_WR_SEND_WITH_INV,
			.length = conn->size,
			.remote_key = NO_KEY});
	reap(conn, conn->sends_posted, 0, NO_KEY_MS);
	return true;
}

static bool (*player(enum scenario scenario))(struct conn *conn)
{
	switch (scenario) {
	case SCENARIO_SEND:
	case SCENARIO_SENDIMM:
	case SCENARIO_SOLICIT:
	case SCENARIO_RNR:
	case SCENARIO_LENERR:
	case SCENARIO_DEADQP:
	case SCENARIO_SRVDISC:
	case SCENARIO_REJ:
		return send_messages;
	case SCENARIO_PINGPONG:
		return send_pings;
	case SCENARIO_MW2:
	case SCENARIO_MW2LINV:
	case SCENARIO_MW1:
	case SCENARIO_MWPERM:
	case SCENARIO_MWBOUND:
		return use_window;
	case SCENARIO_SINVBAD:
		return invalidate_nothing;
	default:
		return NULL;
	}
}

bool
client_has(enum scenario scenario)
{
	return player(scenario) != NULL;
}

bool
client_play(struct conn *conn)
{
	return player(conn->scenario)(conn);
}
