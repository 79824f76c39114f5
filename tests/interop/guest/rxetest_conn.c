/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rxetest.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer_protocol.h"

#define BUFFER_BYTES_MAX (4u << 20)
#define PAGE_BYTES       4096u
#define EVENT_MS         30000

static void
memory_get(struct conn *conn)
{
	uint32_t each = conn->size > 8 ? conn->size : 8;
	uint64_t bytes = (uint64_t)each * (conn->count + 4);
	size_t receive_bytes;

	bytes = bytes < PAGE_BYTES ? PAGE_BYTES : bytes;
	conn->buffer_bytes = bytes > BUFFER_BYTES_MAX ? BUFFER_BYTES_MAX : (uint32_t)bytes;
	conn->receive_bytes = conn->scenario == SCENARIO_LENERR ? each / 2 : each;
	receive_bytes = (size_t)conn->receive_bytes * RECEIVES_MAX;
	if (posix_memalign((void **)&conn->buffer, PAGE_BYTES, conn->buffer_bytes) ||
		posix_memalign((void **)&conn->receive_buffer, PAGE_BYTES, receive_bytes))
		die("memory");
	memset(conn->receive_buffer, 0, receive_bytes);
	for (uint32_t i = 0; i < conn->buffer_bytes; i++)
		conn->buffer[i] = protocol_byte(conn->is_server ? SOURCE_PATTERN : 0, i);
	if (conn->scenario == SCENARIO_FADD || conn->scenario == SCENARIO_CSWAP)
		memset(conn->buffer, 0, conn->buffer_bytes);
}

static void
memory_register(struct conn *conn)
{
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
		IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;

	conn->mr = ibv_reg_mr(conn->pd, conn->buffer, conn->buffer_bytes, access);
	conn->receive_mr = ibv_reg_mr(conn->pd, conn->receive_buffer,
		(size_t)conn->receive_bytes * RECEIVES_MAX, IBV_ACCESS_LOCAL_WRITE);
	conn->plain_mr =
		ibv_reg_mr(conn->pd, conn->buffer, conn->buffer_bytes, IBV_ACCESS_LOCAL_WRITE);
	if (conn->mr == NULL || conn->receive_mr == NULL || conn->plain_mr == NULL)
		die("ibv_reg_mr");
}

void
conn_setup(struct conn *conn)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 128,
			.max_recv_wr = 128,
			.max_send_sge = 2,
			.max_recv_sge = 2,
			.max_inline_data = 256},
	};
	int events = conn->id->verbs->async_fd;

	conn->pd = ibv_alloc_pd(conn->id->verbs);
	conn->cq = ibv_create_cq(conn->id->verbs, 512, NULL, NULL, 0);
	if (conn->pd == NULL || conn->cq == NULL)
		die("ibv_alloc_pd, ibv_create_cq");
	memory_get(conn);
	memory_register(conn);
	attr.send_cq = conn->cq;
	attr.recv_cq = conn->cq;
	if (rdma_create_qp(conn->id, conn->pd, &attr))
		die("rdma_create_qp");
	fcntl(events, F_SETFL, fcntl(events, F_GETFL) | O_NONBLOCK);
}

void
conn_teardown(struct conn *conn)
{
	if (conn->mw != NULL)
		ibv_dealloc_mw(conn->mw);
	if (conn->id->qp != NULL)
		rdma_destroy_qp(conn->id);
	if (conn->cq != NULL)
		ibv_destroy_cq(conn->cq);
	if (conn->plain_mr != NULL)
		ibv_dereg_mr(conn->plain_mr);
	if (conn->receive_mr != NULL)
		ibv_dereg_mr(conn->receive_mr);
	if (conn->mr != NULL)
		ibv_dereg_mr(conn->mr);
	if (conn->pd != NULL)
		ibv_dealloc_pd(conn->pd);
	free(conn->buffer);
	free(conn->receive_buffer);
	rdma_destroy_id(conn->id);
}

void
conn_set_options(struct rdma_cm_id *id)
{
	uint8_t value = (uint8_t)options.ack_timeout;

	if (options.ack_timeout >= 0 &&
		rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &value, 1))
		perror("rxetest: ack timeout");
	value = (uint8_t)options.tos;
	if (options.tos >= 0 && rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &value, 1))
		perror("rxetest: tos");
}

struct rdma_cm_event *
conn_event(struct conn *conn, int wait_ms)
{
	struct pollfd state = {.fd = conn->channel->fd, .events = POLLIN};
	struct rdma_cm_event *event;

	if (poll(&state, 1, wait_ms) <= 0)
		return NULL;
	if (rdma_get_cm_event(conn->channel, &event))
		die("rdma_get_cm_event");
	return event;
}

void
conn_expect(struct conn *conn, enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event = conn_event(conn, EVENT_MS);

	if (event == NULL) {
		fprintf(stderr, "rxetest: no event %s\n", rdma_event_str(type));
		exit(1);
	}
	if (event->event != type) {
		fprintf(stderr, "rxetest: event %s, status %d, instead of %s\n",
			rdma_event_str(event->event), event->status, rdma_event_str(type));
		printf("{\"role\":\"%s\",\"event\":\"%s\",\"status\":%d}\n",
			conn->is_server ? "server" : "client", rdma_event_str(event->event),
			event->status);
		exit(1);
	}
	rdma_ack_cm_event(event);
}
