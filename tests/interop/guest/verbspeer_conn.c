/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "verbspeer.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ANSWER_SECONDS   60
#define WRS              64
#define SGES             2
#define READS            4
#define RNR_RETRY_ALWAYS 7

bool
fail(struct conn *conn, const char *format, ...)
{
	va_list arguments;

	if (conn->why[0] != '\0')
		return false;
	va_start(arguments, format);
	vsnprintf(conn->why, sizeof(conn->why), format, arguments);
	va_end(arguments);
	return false;
}

static void
keep_private_data(struct conn *conn, const struct rdma_conn_param *param)
{
	const uint8_t *bytes = param->private_data;

	for (size_t i = 0; bytes != NULL && i < param->private_data_len; i++)
		snprintf(conn->private_data + 2 * i, 3, "%02x", bytes[i]);
}

bool
conn_wait_event(struct conn *conn, enum rdma_cm_event_type type, int seconds)
{
	struct pollfd readable = {.fd = conn->events->fd, .events = POLLIN};
	struct rdma_cm_event *event;
	enum rdma_cm_event_type got;

	if (poll(&readable, 1, 1000 * seconds) <= 0)
		return fail(
			conn, "no event within %d s, %s is awaited", seconds, rdma_event_str(type));
	if (rdma_get_cm_event(conn->events, &event) != 0)
		return fail(conn, "rdma_get_cm_event: error %d", errno);
	got = event->event;
	if (got == RDMA_CM_EVENT_REJECTED)
		conn->reject_reason = event->status;
	if (got == RDMA_CM_EVENT_REJECTED || got == RDMA_CM_EVENT_ESTABLISHED)
		keep_private_data(conn, &event->param.conn);
	if (got == RDMA_CM_EVENT_ESTABLISHED)
		conn->established = true;
	if (got == RDMA_CM_EVENT_DISCONNECTED)
		conn->gone = true;
	rdma_ack_cm_event(event);
	return got == type || fail(conn, "%s", rdma_event_str(got));
}

bool
conn_register(struct conn *conn, struct region *region, size_t size)
{
	const int rights = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
		IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;

	region->size = size;
	region->bytes = calloc(1, size);
	if (region->bytes == NULL)
		return fail(conn, "no memory");
	region->mr = ibv_reg_mr(conn->pd, region->bytes, size, rights);
	region->again = ibv_reg_mr(conn->pd, region->bytes, size, rights);
	if (region->mr == NULL || region->again == NULL)
		return fail(conn, "ibv_reg_mr: error %d", errno);
	return true;
}

bool
conn_open(struct conn *conn)
{
	struct ibv_qp_init_attr attributes = {
		.qp_type = IBV_QPT_RC,
		.cap =
			{
				.max_send_wr = WRS,
				.max_recv_wr = WRS,
				.max_send_sge = SGES,
				.max_recv_sge = SGES,
			},
	};

	conn->pd = ibv_alloc_pd(conn->id->verbs);
	conn->completions = ibv_create_comp_channel(conn->id->verbs);
	if (conn->pd == NULL || conn->completions == NULL)
		return fail(conn, "protection domain: error %d", errno);
	conn->cq = ibv_create_cq(conn->id->verbs, 4 * WRS, NULL, conn->completions, 0);
	if (conn->cq == NULL)
		return fail(conn, "ibv_create_cq: error %d", errno);
	attributes.send_cq = conn->cq;
	attributes.recv_cq = conn->cq;
	if (conn->options->ack_timeout > 0) {
		uint8_t timeout = conn->options->ack_timeout;

		rdma_set_option(conn->id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout,
			sizeof(timeout));
	}
	return rdma_create_qp(conn->id, conn->pd, &attributes) == 0 ||
		fail(conn, "rdma_create_qp: error %d", errno);
}

bool
conn_connect(struct conn *conn)
{
	uint8_t data[PROTOCOL_REQUEST_BYTES];
	struct rdma_conn_param param = {
		.private_data = data,
		.private_data_len = sizeof(data),
		.responder_resources = READS,
		.initiator_depth = READS,
		.retry_count = conn->options->retries,
		.rnr_retry_count = RNR_RETRY_ALWAYS,
	};

	protocol_write_request(data, &conn->asked, "verbspeer");
	if (rdma_connect(conn->id, &param) != 0)
		return fail(conn, "rdma_connect: error %d", errno);
	return conn_wait_event(conn, RDMA_CM_EVENT_ESTABLISHED, ANSWER_SECONDS);
}

static uint8_t
smaller(uint8_t one, uint8_t other)
{
	return one < other ? one : other;
}

bool
conn_accept(struct conn *conn, const struct rdma_conn_param *request)
{
	uint8_t data[PROTOCOL_REPLY_BYTES];
	struct rdma_conn_param param = {
		.private_data = data,
		.private_data_len = sizeof(data),
		.responder_resources = smaller(request->initiator_depth, READS),
		.initiator_depth = smaller(request->responder_resources, READS),
		.rnr_retry_count = RNR_RETRY_ALWAYS,
	};

	protocol_write_reply(data, 0, 0, 0);
	if (rdma_accept(conn->id, &param) != 0)
		return fail(conn, "rdma_accept: error %d", errno);
	return conn_wait_event(conn, RDMA_CM_EVENT_ESTABLISHED, ANSWER_SECONDS);
}

static void
release_region(struct region *region)
{
	if (region->again != NULL)
		ibv_dereg_mr(region->again);
	if (region->mr != NULL)
		ibv_dereg_mr(region->mr);
	free(region->bytes);
}

void
conn_close(struct conn *conn)
{
	if (conn->mw != NULL)
		ibv_dealloc_mw(conn->mw);
	if (conn->id != NULL && conn->id->qp != NULL)
		rdma_destroy_qp(conn->id);
	if (conn->cq != NULL)
		ibv_destroy_cq(conn->cq);
	if (conn->completions != NULL)
		ibv_destroy_comp_channel(conn->completions);
	release_region(&conn->exposed);
	release_region(&conn->local);
	release_region(&conn->inbox);
	if (conn->pd != NULL)
		ibv_dealloc_pd(conn->pd);
	if (conn->id != NULL)
		rdma_destroy_id(conn->id);
	if (conn->events != NULL)
		rdma_destroy_event_channel(conn->events);
}
