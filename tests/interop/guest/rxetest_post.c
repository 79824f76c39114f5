/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rxetest.h"

#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "peer_protocol.h"

#define NAMES_COUNT  4096u
/* Maximum number of successful completions in the line of JSON. */
#define REPORTED_MAX 40u
#define RECEIVE_BIT  (UINT64_C(1) << 32)
/* Time in ms after which a wait yields the processor between two polls. */
#define BUSY_MS      1000

/*
 * rxe passes the kernel's flag "with invalidate" to user space unchanged. In user space, this bit
 * is called IBV_WC_IP_CSUM_OK. On a reliable connection the bit can only mean "with invalidate".
 */
#define WITH_INVALIDATE ((unsigned int)IBV_WC_WITH_INV | (unsigned int)IBV_WC_IP_CSUM_OK)

static enum ibv_wr_opcode posted[NAMES_COUNT]; /* opcode of each request, by request number */

static const char *
opcode_name(uint64_t number)
{
	static const char *const names[] = {
		[IBV_WR_RDMA_WRITE] = "WRITE",
		[IBV_WR_RDMA_WRITE_WITH_IMM] = "WRITE_IMM",
		[IBV_WR_SEND] = "SEND",
		[IBV_WR_SEND_WITH_IMM] = "SEND_IMM",
		[IBV_WR_RDMA_READ] = "READ",
		[IBV_WR_ATOMIC_CMP_AND_SWP] = "CSWAP",
		[IBV_WR_ATOMIC_FETCH_AND_ADD] = "FADD",
		[IBV_WR_LOCAL_INV] = "LOCAL_INV",
		[IBV_WR_BIND_MW] = "BIND_MW",
		[IBV_WR_SEND_WITH_INV] = "SEND_INV",
	};

	return names[posted[number % NAMES_COUNT]];
}

void
post_receive(struct conn *conn)
{
	uint32_t slot = conn->receives_posted % RECEIVES_MAX;
	struct ibv_sge sge = {
		(uintptr_t)(conn->receive_buffer + (size_t)slot * conn->receive_bytes),
		conn->receive_bytes, conn->receive_mr->lkey};
	struct ibv_recv_wr request = {
		.wr_id = RECEIVE_BIT | conn->receives_posted, .sg_list = &sge, .num_sge = 1};
	struct ibv_recv_wr *bad;

	if (ibv_post_recv(conn->id->qp, &request, &bad))
		die("ibv_post_recv");
	conn->receives_posted++;
}

void
post_request(struct conn *conn, struct request request)
{
	struct ibv_sge sge = {
		(uintptr_t)(conn->buffer + request.offset), request.length, conn->mr->lkey};
	struct ibv_send_wr work = {
		.wr_id = conn->sends_posted,
		.sg_list = &sge,
		.num_sge = request.opcode == IBV_WR_LOCAL_INV ? 0 : 1,
		.opcode = request.opcode,
		.send_flags = IBV_SEND_SIGNALED | (request.inlined ? IBV_SEND_INLINE : 0) |
			(request.solicited ? IBV_SEND_SOLICITED : 0),
	};
	struct ibv_send_wr *bad;

	if (request.opcode == IBV_WR_SEND_WITH_INV || request.opcode == IBV_WR_LOCAL_INV) {
		work.invalidate_rkey = request.remote_key;
	} else if (request.opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
		request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		work.wr.atomic.remote_addr = request.remote_address;
		work.wr.atomic.rkey = request.remote_key;
		work.wr.atomic.compare_add = request.compare_add;
		work.wr.atomic.swap = request.swap;
	} else {
		work.imm_data = htobe32(request.immediate);
		work.wr.rdma.remote_addr = request.remote_address;
		work.wr.rdma.rkey = request.remote_key;
	}
	posted[conn->sends_posted % NAMES_COUNT] = request.opcode;
	if (ibv_post_send(conn->id->qp, &work, &bad))
		die("ibv_post_send");
	conn->sends_posted++;
	if (options.gap_us > 0)
		usleep((useconds_t)options.gap_us);
}

void
post_word(struct conn *conn, uint32_t word)
{
	uint32_t offset = conn->buffer_bytes - 8;

	protocol_put32(conn->buffer + offset, word);
	post_request(conn, (struct request){.opcode = IBV_WR_SEND, .offset = offset, .length = 4});
}

bool
bind_window(struct conn *conn, int type, uint32_t length, unsigned int access)
{
	struct ibv_mw_bind_info info = {conn->mr, (uintptr_t)conn->buffer, length, access};
	struct ibv_mw_bind bind = {
		.wr_id = conn->sends_posted, .send_flags = IBV_SEND_SIGNALED, .bind_info = info};
	struct ibv_send_wr work = {.wr_id = conn->sends_posted,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED};
	struct ibv_send_wr *bad;

	if (conn->mw == NULL)
		conn->mw = ibv_alloc_mw(conn->pd, type == 1 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2);
	if (conn->mw == NULL)
		die("ibv_alloc_mw");
	posted[conn->sends_posted % NAMES_COUNT] = IBV_WR_BIND_MW;
	if (type == 1) {
		if (ibv_bind_mw(conn->id->qp, conn->mw, &bind))
			die("ibv_bind_mw");
	} else {
		work.bind_mw.mw = conn->mw;
		work.bind_mw.rkey = ibv_inc_rkey(conn->mw->rkey);
		work.bind_mw.bind_info = info;
		if (ibv_post_send(conn->id->qp, &work, &bad))
			die("ibv_post_send");
		conn->mw->rkey = work.bind_mw.rkey;
	}
	conn->sends_posted++;
	if (!reap_all(conn))
		return false;
	report_completion("\"mw_rkey\",\"0x%x\"", conn->mw->rkey);
	return true;
}

static void
receive_take(struct conn *conn, const struct ibv_wc *completion)
{
	char extra[32] = "";

	conn->last_bytes = completion->byte_len;
	if (completion->wc_flags & IBV_WC_WITH_IMM) {
		conn->last_immediate = be32toh(completion->imm_data);
		snprintf(extra, sizeof(extra), ",\"imm=0x%x\"", conn->last_immediate);
	} else if (completion->wc_flags & WITH_INVALIDATE) {
		conn->last_invalidated = completion->invalidated_rkey;
		snprintf(extra, sizeof(extra), ",\"inv=0x%x\"", conn->last_invalidated);
	}
	if (conn->receives_done + conn->sends_done < REPORTED_MAX)
		report_completion("\"RECV\",\"success\",%u%s", completion->byte_len, extra);
}

static void
take(struct conn *conn, const struct ibv_wc *completion)
{
	bool is_receive = (completion->wr_id & RECEIVE_BIT) != 0;

	conn->failed = completion->status != IBV_WC_SUCCESS;
	if (is_receive)
		conn->receives_done++;
	else
		conn->sends_done++;
	if (is_receive && !conn->failed)
		receive_take(conn, completion);
	else if (conn->failed || conn->receives_done + conn->sends_done < REPORTED_MAX)
		report_completion("\"%s\",\"%s\"",
			is_receive ? "RECV" : opcode_name(completion->wr_id),
			ibv_wc_status_str(completion->status));
}

static uint64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool
reap(struct conn *conn, uint32_t sends, uint32_t receives, int wait_ms)
{
	uint64_t end_ms = now_ms() + (uint64_t)wait_ms;

	while ((int32_t)(sends - conn->sends_done) > 0 ||
		(int32_t)(receives - conn->receives_done) > 0) {
		struct pollfd event = {.fd = conn->channel->fd, .events = POLLIN};
		struct ibv_wc completion;
		/*
		 * The server stops waiting after the client has disconnected. Check this before the
		 * completions, because all messages have arrived before the disconnect.
		 */
		bool over = now_ms() > end_ms || (conn->is_server && poll(&event, 1, 0) > 0);
		int count = ibv_poll_cq(conn->cq, 1, &completion);

		if (count < 0)
			die("ibv_poll_cq");
		if (count > 0) {
			take(conn, &completion);
			if (conn->failed)
				return false;
			continue;
		}
		if (over)
			return false;
		if (wait_ms > BUSY_MS)
			usleep(20);
	}
	return true;
}

bool
reap_all(struct conn *conn)
{
	return reap(conn, conn->sends_posted, 0, WAIT_MS);
}

bool
reap_room(struct conn *conn)
{
	if (conn->sends_posted - conn->sends_done < options.depth)
		return true;
	return reap(conn, conn->sends_posted - options.depth + 1, 0, WAIT_MS);
}

const uint8_t *
last_message(const struct conn *conn)
{
	uint32_t slot = (conn->receives_done - 1) % RECEIVES_MAX;

	return conn->receive_buffer + (size_t)slot * conn->receive_bytes;
}

uint32_t
slot_of(const struct conn *conn, uint32_t k)
{
	uint32_t each = (conn->size + 7) & ~7u;

	return each > 0 ? each * (k % (conn->buffer_bytes / each)) : 0;
}
