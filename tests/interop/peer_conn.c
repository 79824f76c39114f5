/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer_conn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_common.h>

#include "peer.h"
#include "peer_task.h"

#define REQUESTS_PER_ENDPOINT 128u
#define SGES_PER_REQUEST      2u
#define PAGE_BYTES            4096u

bool
conn_fail(struct conn *conn, const char *format, ...)
{
	va_list arguments;

	if (conn->why[0] != '\0')
		return false;
	va_start(arguments, format);
	vsnprintf(conn->why, sizeof(conn->why), format, arguments);
	va_end(arguments);
	printf("{\"failing\":%u,\"why\":\"%s\"}\n", conn->number, conn->why);
	fflush(stdout);
	return false;
}

bool
conn_called(struct conn *conn, nd_status status, const char *call)
{
	return status == ND_SUCCESS || conn_fail(conn, "%s: %s", call, nd_status_name(status));
}

nd_status
conn_finish(struct conn *conn, nd_status status, struct nd_overlapped *overlapped)
{
	const double end = task_now() + conn->peer->options.wait_seconds;

	if (status != ND_PENDING)
		return status;
	while ((status = nd_overlapped_get_result(overlapped, NULL, false)) == ND_PENDING) {
		if (task_now() > end) {
			nd_overlapped_cancel(overlapped);
			return ND_TIMEOUT;
		}
		task_yield();
	}
	return status;
}

bool
conn_open(struct conn *conn)
{
	struct nd_adapter *adapter = conn->peer->adapter;
	const size_t reads = conn->peer->options.read_limit;

	if (conn->connector == NULL &&
		!conn_called(conn, nd_adapter_create_connector(adapter, &conn->connector),
			"create_connector"))
		return false;
	if (!conn_called(conn,
		    nd_adapter_create_completion_queue(
			    adapter, 4 * REQUESTS_PER_ENDPOINT, &conn->cq),
		    "create_completion_queue") ||
		!conn_called(conn,
			nd_connector_create_endpoint(conn->connector, conn->cq, conn->cq,
				REQUESTS_PER_ENDPOINT, REQUESTS_PER_ENDPOINT, SGES_PER_REQUEST,
				SGES_PER_REQUEST, reads, reads, NULL, &conn->endpoint),
			"create_endpoint"))
		return false;
	conn->peer->endpoints++;
	return true;
}

bool
conn_register_buffers(
	struct conn *conn, const struct nd_buffer *buffers, size_t count, struct nd_mr **mr)
{
	struct nd_adapter *adapter = conn->peer->adapter;
	nd_status status;

	if (count == 1)
		status = nd_adapter_register_memory(
			adapter, buffers->address, buffers->length, NULL, mr);
	else
		status = nd_adapter_register_memory_chain(adapter, buffers, count, NULL, NULL, mr);
	conn->peer->regions += status == ND_SUCCESS;
	return conn_called(conn, status, "register_memory");
}

bool
conn_deregister(struct conn *conn, struct nd_mr *mr)
{
	nd_status status = nd_adapter_deregister_memory(conn->peer->adapter, mr, NULL);

	conn->peer->regions -= status == ND_SUCCESS;
	return conn_called(conn, status, "deregister_memory");
}

bool
conn_register(struct conn *conn, struct region *region, size_t size)
{
	struct nd_buffer buffer = {.length = size};

	region->size = size;
	region->bytes = aligned_alloc(PAGE_BYTES, RTE_ALIGN_CEIL(size, PAGE_BYTES));
	if (region->bytes == NULL)
		return conn_fail(conn, "no memory");
	memset(region->bytes, 0, size);
	buffer.address = region->bytes;
	return conn_register_buffers(conn, &buffer, 1, &region->mr);
}

bool
conn_make_window(struct conn *conn, struct request *invalidated, struct nd_mw **mw)
{
	const nd_status status =
		nd_adapter_create_memory_window(conn->peer->adapter, &invalidated->result, mw);

	conn->peer->windows += status == ND_SUCCESS;
	return conn_called(conn, status, "create_memory_window");
}

bool
conn_release_window(struct conn *conn, struct nd_mw *mw)
{
	const nd_status status = nd_mw_release(conn->peer->adapter, mw);

	conn->peer->windows -= status == ND_SUCCESS;
	return conn_called(conn, status, "mw_release");
}

bool
conn_register_inbox(struct conn *conn, uint32_t slot_bytes, uint32_t slots)
{
	conn->slot_bytes = slot_bytes;
	conn->slots = RTE_MIN(slots, CONN_RECEIVES);
	return conn_register(conn, &conn->inbox, (size_t)conn->slot_bytes * conn->slots);
}

void
conn_keep_peer_data(struct conn *conn)
{
	conn->peer_data_bytes = sizeof(conn->peer_data);
	if (nd_connector_get_connection_data(conn->connector, NULL, NULL, conn->peer_data,
		    &conn->peer_data_bytes) != ND_SUCCESS)
		conn->peer_data_bytes = 0;
}

static bool
watch(struct conn *conn)
{
	conn->gone_status = nd_connector_notify_disconnect(conn->connector, &conn->gone);
	conn->watched = true;
	return conn->gone_status == ND_PENDING || conn->gone_status == ND_SUCCESS ||
		conn_called(conn, conn->gone_status, "notify_disconnect");
}

bool
conn_connect(struct conn *conn, const void *data, size_t bytes)
{
	const struct sockaddr_storage *peer = &conn->peer->options.peer;
	struct nd_overlapped overlapped = {0};
	nd_status status = nd_connector_connect(conn->connector, conn->endpoint,
		(const struct sockaddr *)peer, sizeof(*peer), 6, 0, data, bytes, &overlapped);

	conn->connect_status = conn_finish(conn, status, &overlapped);
	conn_keep_peer_data(conn);
	if (!conn_called(conn, conn->connect_status, "connect"))
		return false;
	if (conn->peer->options.reject_reply)
		return true;
	overlapped = (struct nd_overlapped){0};
	status = nd_connector_complete_connect(conn->connector, &overlapped);
	return conn_called(conn, conn_finish(conn, status, &overlapped), "complete_connect") &&
		watch(conn);
}

bool
conn_accept(struct conn *conn, const void *data, size_t bytes)
{
	struct nd_overlapped overlapped = {0};
	const nd_status status =
		nd_connector_accept(conn->connector, conn->endpoint, data, bytes, &overlapped);

	conn->connect_status = conn_finish(conn, status, &overlapped);
	return conn_called(conn, conn->connect_status, "accept") && watch(conn);
}

bool
conn_disconnect(struct conn *conn)
{
	struct nd_overlapped overlapped = {0};
	const nd_status status = nd_connector_disconnect(conn->connector, &overlapped);

	return conn_called(conn, conn_finish(conn, status, &overlapped), "disconnect");
}

bool
conn_is_gone(struct conn *conn)
{
	return conn->gone_status != ND_PENDING ||
		nd_overlapped_get_result(&conn->gone, NULL, false) != ND_PENDING;
}

void
conn_keep_end(struct conn *conn)
{
	conn_called(
		conn, nd_connector_get_end_reason(conn->connector, &conn->end), "get_end_reason");
}

bool
conn_wait_gone(struct conn *conn)
{
	const nd_status status = conn_finish(conn, conn->gone_status, &conn->gone);

	/*
	 * In this state, this side has disconnected and has released its endpoint, which cancelled
	 * the notification.
	 */
	if (status == ND_CANCELED && conn->endpoint == NULL)
		return true;
	return conn_called(conn, status, "end of the connection");
}

static void
release_region(struct conn *conn, struct region *region)
{
	if (region->mr != NULL)
		conn_deregister(conn, region->mr);
	free(region->bytes);
	*region = (struct region){0};
}

void
conn_release_endpoint(struct conn *conn)
{
	const nd_status status = nd_endpoint_release(conn->endpoint);

	conn->endpoint = NULL;
	conn->peer->endpoints -= status == ND_SUCCESS;
	conn_called(conn, status, "endpoint_release");
}

void
conn_close(struct conn *conn)
{
	if (conn->connector != NULL)
		conn_keep_end(conn);
	if (conn->endpoint != NULL)
		conn_release_endpoint(conn);
	if (conn->connector != NULL)
		conn_called(conn, nd_connector_release(conn->connector), "connector_release");
	if (conn->cq != NULL)
		conn_called(conn, nd_cq_release(conn->cq), "cq_release");
	conn->connector = NULL;
	conn->cq = NULL;
	release_region(conn, &conn->exposed);
	release_region(conn, &conn->local);
	release_region(conn, &conn->inbox);
}

struct nd_sge
conn_sge(const struct region *region, size_t offset, size_t size)
{
	return (struct nd_sge){region->bytes + offset, size, region->mr};
}

uint8_t *
conn_slot(struct conn *conn, uint32_t slot)
{
	return conn->inbox.bytes + (size_t)slot * conn->slot_bytes;
}

bool
conn_receive(struct conn *conn, uint32_t slot)
{
	const struct nd_sge sge =
		conn_sge(&conn->inbox, (size_t)slot * conn->slot_bytes, conn->slot_bytes);

	conn->receives[slot].done = false;
	return conn_called(conn,
		nd_endpoint_receive(conn->endpoint, &conn->receives[slot].result, &sge, 1),
		"receive");
}

bool
conn_send(struct conn *conn, struct request *request, size_t offset, size_t size)
{
	const struct nd_sge sge = conn_sge(&conn->local, offset, size);

	request->done = false;
	return conn_called(conn,
		nd_endpoint_send(conn->endpoint, &request->result, &sge, size > 0, 0), "send");
}

static void
take_results(struct conn *conn)
{
	struct nd_result *results[16];
	size_t count;

	while ((count = nd_cq_get_results(conn->cq, results, RTE_DIM(results))) > 0)
		for (size_t i = 0; i < count; i++)
			((struct request *)results[i])->done = true;
}

nd_status
conn_result(struct conn *conn, struct request *request)
{
	const double end = task_now() + conn->peer->options.wait_seconds;

	for (;;) {
		take_results(conn);
		if (request->done)
			return request->result.status;
		if (task_now() > end)
			return ND_TIMEOUT;
		task_yield();
	}
}

bool
conn_succeeded(struct conn *conn, struct request *request, const char *what)
{
	const nd_status status = conn_result(conn, request);

	return status == ND_SUCCESS || conn_fail(conn, "%s: %s", what, nd_status_name(status));
}

bool
conn_received(struct conn *conn, uint32_t slot, size_t size)
{
	struct request *receive = &conn->receives[slot];

	if (!conn_succeeded(conn, receive, "receive"))
		return false;
	return receive->result.bytes_transferred == size ||
		conn_fail(conn, "a message of %zu bytes instead of %zu",
			receive->result.bytes_transferred, size);
}

bool
conn_bind(struct conn *conn, struct nd_mw *mw, size_t offset, size_t size, uint32_t flags,
	struct nd_mw_descriptor *descriptor)
{
	conn->single.done = false;
	return conn_called(conn,
		       nd_endpoint_bind(conn->endpoint, &conn->single.result, conn->exposed.mr, mw,
			       conn->exposed.bytes + offset, size, flags, descriptor),
		       "bind") &&
		conn_succeeded(conn, &conn->single, "bind");
}

nd_status
conn_access(struct conn *conn, bool read, const struct nd_mw_descriptor *window, uint64_t offset,
	const struct nd_sge *local)
{
	struct nd_result *result = &conn->single.result;
	nd_status status;

	conn->single.done = false;
	if (read)
		status = nd_endpoint_read(conn->endpoint, result, local, 1, window, offset, 0);
	else
		status = nd_endpoint_write(conn->endpoint, result, local, 1, window, offset, 0);
	return status == ND_SUCCESS ? conn_result(conn, &conn->single) : status;
}

void
conn_fill(uint8_t *bytes, uint32_t k, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = protocol_byte(k, (uint32_t)i);
}

bool
conn_check(struct conn *conn, const uint8_t *bytes, uint32_t k, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != protocol_byte(k, (uint32_t)i))
			return conn_fail(conn, "byte %zu of %zu of payload %u is 0x%02x", i, size,
				k, bytes[i]);
	return true;
}
