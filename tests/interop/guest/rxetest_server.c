/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rxetest.h"

#include <string.h>
#include <unistd.h>

#include "peer_protocol.h"

#define IMMEDIATE_BASE 0x1000u
/* Cast to unsigned int, because the flags of libibverbs are signed. */
#define READ_WRITE     ((uint32_t)IBV_ACCESS_REMOTE_WRITE | (uint32_t)IBV_ACCESS_REMOTE_READ)

static bool
is_pattern(const uint8_t *bytes, uint32_t k, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (bytes[i] != protocol_byte(k, i))
			return false;
	return true;
}

/* Check the effect of operation k: a message, bytes in the buffer, or immediate data. */
static bool
is_right(const struct conn *conn, uint32_t k)
{
	const uint8_t *written = conn->buffer + slot_of(conn, k);
	enum scenario scenario = conn->scenario;
	bool has_immediate = scenario == SCENARIO_SENDIMM || scenario == SCENARIO_WRITEIMM;

	if (conn->last_bytes != conn->size)
		return false;
	if (has_immediate && conn->last_immediate != IMMEDIATE_BASE + k)
		return false;
	if (scenario != SCENARIO_WRITEIMM && !is_pattern(last_message(conn), k, conn->size))
		return false;
	return (scenario != SCENARIO_WRITEIMM && scenario != SCENARIO_INLINE) ||
		is_pattern(written, k, conn->size);
}

static bool
serve_messages(struct conn *conn)
{
	bool ok = true;

	for (uint32_t k = 0; k < conn->count; k++) {
		if (!reap(conn, 0, k + 1, WAIT_MS))
			return false;
		ok = ok && is_right(conn, k);
		if (conn->receives_posted < conn->count)
			post_receive(conn);
	}
	if (conn->scenario == SCENARIO_SRVDISC)
		rdma_disconnect(conn->id);
	return ok;
}

static bool
serve_pingpong(struct conn *conn)
{
	bool ok = true;

	for (uint32_t k = 0; k < conn->count; k++) {
		if (!reap(conn, 0, k + 1, WAIT_MS))
			return false;
		ok = ok && is_right(conn, k);
		memcpy(conn->buffer, last_message(conn), conn->size);
		if (conn->receives_posted < conn->count)
			post_receive(conn);
		post_request(conn, (struct request){.opcode = IBV_WR_SEND, .length = conn->size});
		if (!reap_all(conn))
			return false;
	}
	return ok;
}

/*
 * Wait for a message of the client. The message means that the client no longer uses the buffer.
 * Then check the buffer.
 */
static bool
serve_memory(struct conn *conn)
{
	uint32_t k = conn->count > 8 ? conn->count - 8 : 0;
	uint64_t sum;
	bool ok = true;

	if (!reap(conn, 0, 1, WAIT_LONG_MS))
		return false;
	for (; k < conn->count && conn->scenario == SCENARIO_WRITE; k++)
		ok = ok && is_pattern(conn->buffer + slot_of(conn, k), k, conn->size);
	if (conn->scenario == SCENARIO_FADD) {
		memcpy(&sum, conn->buffer, sizeof(sum));
		ok = sum == (uint64_t)conn->count * (conn->count + 1) / 2;
	}
	return ok;
}

static bool
serve_window(struct conn *conn)
{
	enum scenario scenario = conn->scenario;
	uint32_t bytes = conn->buffer_bytes / (scenario == SCENARIO_MWBOUND ? 2 : 1);
	unsigned int access = scenario == SCENARIO_MWPERM ? IBV_ACCESS_REMOTE_READ : READ_WRITE;
	bool ok = true;

	if (!bind_window(conn, scenario == SCENARIO_MW1 ? 1 : 2, bytes, access))
		return false;
	post_word(conn, conn->mw->rkey);
	if (!reap_all(conn))
		return false;
	if (scenario == SCENARIO_MWPERM || scenario == SCENARIO_MWBOUND)
		return true;
	if (!reap(conn, 0, 1, WAIT_MS))
		return false;
	for (uint32_t k = 0; k < conn->count; k++)
		ok = ok && is_pattern(conn->buffer + slot_of(conn, k), k, conn->size);
	if (scenario == SCENARIO_MW2)
		return ok && conn->last_invalidated == conn->mw->rkey;
	if (scenario == SCENARIO_MW2LINV)
		post_request(conn,
			(struct request){.opcode = IBV_WR_LOCAL_INV, .remote_key = conn->mw->rkey});
	else if (!bind_window(conn, 1, 64, READ_WRITE))
		return false;
	post_word(conn, 0);
	return reap_all(conn) && ok;
}

/* Post the receives only after arg ms, or never if arg is 0. */
static bool
serve_late(struct conn *conn)
{
	if (conn->arg == 0)
		return true;
	usleep(conn->arg * 1000);
	for (uint32_t k = 0; k < conn->count && k < RECEIVES_MAX; k++)
		post_receive(conn);
	return serve_messages(conn);
}

static bool
serve_dead(struct conn *conn)
{
	rdma_destroy_qp(conn->id);
	return true;
}

static bool
serve_nothing(struct conn *conn)
{
	(void)conn;
	return true;
}

bool
server_play(struct conn *conn)
{
	switch (conn->scenario) {
	case SCENARIO_SEND:
	case SCENARIO_SENDIMM:
	case SCENARIO_WRITEIMM:
	case SCENARIO_INLINE:
	case SCENARIO_SOLICIT:
	case SCENARIO_SRVDISC:
		return serve_messages(conn);
	case SCENARIO_PINGPONG:
		return serve_pingpong(conn);
	case SCENARIO_WRITE:
	case SCENARIO_READ:
	case SCENARIO_FADD:
	case SCENARIO_CSWAP:
		return serve_memory(conn);
	case SCENARIO_MW2:
	case SCENARIO_MW2LINV:
	case SCENARIO_MW1:
	case SCENARIO_MWPERM:
	case SCENARIO_MWBOUND:
		return serve_window(conn);
	case SCENARIO_RNR:
		return serve_late(conn);
	case SCENARIO_DEADQP:
		return serve_dead(conn);
	default:
		return serve_nothing(conn);
	}
}
