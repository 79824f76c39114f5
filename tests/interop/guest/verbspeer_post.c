/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "verbspeer.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

#define RECEIVE_BIT     (UINT64_C(1) << 32)
#define WAIT_MS         200
/*
 * rxe passes the kernel's flag "with invalidate" to user space unchanged. In user space, this bit
 * is called IBV_WC_IP_CSUM_OK. On a reliable connection the bit can only mean "with invalidate".
 */
#define WITH_INVALIDATE ((unsigned int)IBV_WC_WITH_INV | (unsigned int)IBV_WC_IP_CSUM_OK)

/*
 * NUMBER_WINDOW is a bind or an invalidate, for which the caller waits at once. NUMBER_OFFER is the
 * SEND of an offer.
 */
enum { NUMBER_WINDOW = SENDS - 1, NUMBER_OFFER = SENDS - 2 };

bool
drives(const struct conn *conn)
{
	return conn->client != ((conn->asked.arg & PROTOCOL_SERVER_DRIVES) != 0);
}

bool
post_send(struct conn *conn, const struct post *post)
{
	struct ibv_send_wr request = {
		.wr_id = post->number,
		.sg_list = post->sges,
		.num_sge = post->sge_count,
		.opcode = post->opcode,
		.send_flags = IBV_SEND_SIGNALED | post->flags,
	};
	struct ibv_send_wr *bad;
	int error;

	if (post->opcode == IBV_WR_SEND_WITH_INV || post->opcode == IBV_WR_LOCAL_INV) {
		request.invalidate_rkey = post->key;
	} else if (post->opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
		post->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		request.wr.atomic.remote_addr = post->address;
		request.wr.atomic.rkey = post->key;
		request.wr.atomic.compare_add = post->add;
		request.wr.atomic.swap = post->swap;
	} else {
		request.wr.rdma.remote_addr = post->address;
		request.wr.rdma.rkey = post->key;
		if (post->opcode == IBV_WR_SEND_WITH_IMM ||
			post->opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
			request.imm_data = htobe32(post->immediate);
	}
	conn->sent[post->number] = false;
	error = ibv_post_send(conn->id->qp, &request, &bad);
	return error == 0 || fail(conn, "ibv_post_send: error %d", error);
}

bool
post_receive(struct conn *conn, unsigned int slot, struct ibv_sge *sges, int sge_count)
{
	struct ibv_sge whole = {(uintptr_t)conn->inbox.bytes + (size_t)slot * conn->slot_bytes,
		conn->slot_bytes, conn->inbox.mr->lkey};
	struct ibv_recv_wr request = {
		.wr_id = RECEIVE_BIT | slot,
		.sg_list = sges != NULL ? sges : &whole,
		.num_sge = sges != NULL ? sge_count : 1,
	};
	struct ibv_recv_wr *bad;

	conn->received[slot] = false;
	return ibv_post_recv(conn->id->qp, &request, &bad) == 0 || fail(conn, "ibv_post_recv");
}

static void
take(struct conn *conn, const struct ibv_wc *wc)
{
	const unsigned int number = (unsigned int)(wc->wr_id & (RECEIVE_BIT - 1));

	if ((wc->wr_id & RECEIVE_BIT) == 0) {
		conn->sent[number] = true;
		conn->send_status[number] = wc->status;
		return;
	}
	conn->received[number] = true;
	conn->receive_status[number] = wc->status;
	conn->receive_flags[number] = wc->status == IBV_WC_SUCCESS ? wc->wc_flags : 0;
	conn->receive_bytes[number] = wc->byte_len;
	conn->receive_key[number] =
		(conn->receive_flags[number] & WITH_INVALIDATE) != 0 ? wc->invalidated_rkey : 0;
	conn->receive_immediate[number] = be32toh(wc->imm_data);
}

/* Sleep until the completion queue reports an event, at most for WAIT_MS. */
static void
wait_completion(struct conn *conn)
{
	struct pollfd readable = {.fd = conn->completions->fd, .events = POLLIN};
	struct ibv_cq *cq;
	void *context;

	if (poll(&readable, 1, WAIT_MS) <= 0)
		return;
	if (ibv_get_cq_event(conn->completions, &cq, &context) == 0)
		ibv_ack_cq_events(cq, 1);
}

/* Wait until a flag is set. @param what name of the event, for the text of a failure */
static bool
wait_flag(struct conn *conn, const bool *flag, const char *what)
{
	const unsigned int seconds = conn->options->wait_seconds;
	const time_t end = time(NULL) + seconds;
	struct ibv_wc wc;

	for (;;) {
		while (ibv_poll_cq(conn->cq, 1, &wc) > 0)
			take(conn, &wc);
		if (*flag)
			return true;
		if (time(NULL) > end)
			return fail(conn, "no completion of a %s within %u s", what, seconds);
		if (ibv_req_notify_cq(conn->cq, 0) != 0)
			return fail(conn, "ibv_req_notify_cq");
		/*
		 * Poll again after arming the queue, because results that arrived before the arming
		 * cause no event.
		 */
		if (ibv_poll_cq(conn->cq, 1, &wc) > 0)
			take(conn, &wc);
		else
			wait_completion(conn);
	}
}

bool
wait_sent(struct conn *conn, unsigned int number, enum ibv_wc_status *status)
{
	if (!wait_flag(conn, &conn->sent[number], "request"))
		return false;
	*status = conn->send_status[number];
	return true;
}

bool
wait_received(struct conn *conn, unsigned int slot, enum ibv_wc_status *status)
{
	if (!wait_flag(conn, &conn->received[slot], "receive"))
		return false;
	*status = conn->receive_status[slot];
	return true;
}

bool
sent(struct conn *conn, unsigned int number, const char *what)
{
	enum ibv_wc_status status;

	if (!wait_sent(conn, number, &status))
		return false;
	return status == IBV_WC_SUCCESS || fail(conn, "%s: %s", what, ibv_wc_status_str(status));
}

bool
received(struct conn *conn, unsigned int slot, uint32_t size)
{
	enum ibv_wc_status status;

	if (!wait_received(conn, slot, &status))
		return false;
	if (status != IBV_WC_SUCCESS)
		return fail(conn, "receive: %s", ibv_wc_status_str(status));
	return conn->receive_bytes[slot] == size ||
		fail(conn, "a message of %u bytes instead of %u", conn->receive_bytes[slot], size);
}

static bool
offer_acknowledged(struct conn *conn)
{
	return !conn->offered || sent(conn, NUMBER_OFFER, "send");
}

bool
bind_window(struct conn *conn, uint64_t offset, uint64_t size, int rights)
{
	struct ibv_send_wr request = {
		.wr_id = NUMBER_WINDOW,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_send_wr *bad;

	/*
	 * First wait for the acknowledgement of the offer, because the kernel's send queue stops at
	 * a bind if an earlier request must be retransmitted.
	 */
	if (!offer_acknowledged(conn))
		return false;
	if (conn->mw == NULL && (conn->mw = ibv_alloc_mw(conn->pd, IBV_MW_TYPE_2)) == NULL)
		return fail(conn, "ibv_alloc_mw: error %d", errno);
	request.bind_mw.mw = conn->mw;
	request.bind_mw.rkey = ibv_inc_rkey(conn->mw->rkey);
	request.bind_mw.bind_info = (struct ibv_mw_bind_info){
		.mr = conn->exposed.mr,
		.addr = (uintptr_t)conn->exposed.bytes + offset,
		.length = size,
		.mw_access_flags = (unsigned int)rights,
	};
	conn->sent[NUMBER_WINDOW] = false;
	if (ibv_post_send(conn->id->qp, &request, &bad) != 0)
		return fail(conn, "bind: error %d", errno);
	conn->mw->rkey = request.bind_mw.rkey;
	return sent(conn, NUMBER_WINDOW, "bind");
}

bool
invalidate_window(struct conn *conn)
{
	return post_send(conn,
		       &(struct post){
			       .opcode = IBV_WR_LOCAL_INV,
			       .number = NUMBER_WINDOW,
			       .key = conn->mw->rkey,
		       }) &&
		sent(conn, NUMBER_WINDOW, "invalidate");
}

bool
send_offer(struct conn *conn, uint64_t offset, uint64_t size, uint32_t key, uint32_t step)
{
	const struct protocol_offer offer = {
		.address = (uintptr_t)conn->exposed.bytes + offset,
		.length = size,
		.key = key,
		.size = step,
	};
	struct ibv_sge sge = {
		(uintptr_t)conn->local.bytes, PROTOCOL_OFFER_BYTES, conn->local.mr->lkey};

	if (!offer_acknowledged(conn))
		return false;
	conn->offered = true;
	protocol_write_offer(conn->local.bytes, &offer);
	return post_send(conn,
		&(struct post){
			.opcode = IBV_WR_SEND,
			.number = NUMBER_OFFER,
			.sges = &sge,
			.sge_count = 1,
		});
}

bool
wait_offer(struct conn *conn, struct protocol_offer *offer)
{
	if (!received(conn, 0, PROTOCOL_OFFER_BYTES))
		return false;
	*offer = protocol_read_offer(conn->inbox.bytes);
	return post_receive(conn, 0, NULL, 0);
}
