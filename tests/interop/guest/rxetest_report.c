/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rxetest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_BYTES 512u

static char line[1 << 16];
static size_t line_bytes;
static unsigned int completions;

static void
add(const char *format, va_list arguments)
{
	if (line_bytes < sizeof(line) - ROOM_BYTES)
		line_bytes += (size_t)vsnprintf(
			line + line_bytes, sizeof(line) - line_bytes, format, arguments);
}

void
report_add(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(format, arguments);
	va_end(arguments);
}

void
report_completion(const char *format, ...)
{
	va_list arguments;

	report_add("%s[", completions++ > 0 ? "," : "");
	va_start(arguments, format);
	add(format, arguments);
	va_end(arguments);
	report_add("]");
}

void
die(const char *call)
{
	fprintf(stderr, "rxetest: %s: %s\n", call, strerror(errno));
	exit(1);
}

void
report_begin(const struct conn *conn)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(conn->id->qp, &attr, IBV_QP_PATH_MTU | IBV_QP_AV | IBV_QP_TIMEOUT, &init))
		die("ibv_query_qp");
	report_add("{\"role\":\"%s\",\"scenario\":\"%s\",\"size\":%u,\"count\":%u,\"arg\":%u,",
		conn->is_server ? "server" : "client", scenario_name(conn->scenario), conn->size,
		conn->count, conn->arg);
	report_add("\"qpn\":%u,\"dest_qpn\":%u,\"path_mtu\":%d,\"sq_psn\":%u,\"rq_psn\":%u,",
		conn->id->qp->qp_num, attr.dest_qp_num, 128 << attr.path_mtu,
		attr.sq_psn & 0xffffff, attr.rq_psn & 0xffffff);
	report_add("\"timeout\":%u,\"retry_cnt\":%u,\"rnr_retry\":%u,\"min_rnr_timer\":%u,",
		attr.timeout, attr.retry_cnt, attr.rnr_retry, attr.min_rnr_timer);
	report_add("\"max_rd_atomic\":%u,\"max_dest_rd_atomic\":%u,\"addr\":\"0x%llx\",",
		attr.max_rd_atomic, attr.max_dest_rd_atomic,
		(unsigned long long)(uintptr_t)conn->buffer);
	report_add("\"rkey\":\"0x%x\",\"len\":%u,\"hop_limit\":%u,\"traffic_class\":%u,",
		conn->mr->rkey, conn->buffer_bytes, attr.ah_attr.grh.hop_limit,
		attr.ah_attr.grh.traffic_class);
	report_add("\"private_data_len\":%d,\"wc\":[", conn->private_bytes);
}

void
report_end(struct conn *conn, bool ok)
{
	struct ibv_async_event event;
	const char *separator = "";

	report_add("],\"async\":[");
	while (ibv_get_async_event(conn->id->verbs, &event) == 0) {
		report_add("%s\"%s\"", separator, ibv_event_type_str(event.event_type));
		ibv_ack_async_event(&event);
		separator = ",";
	}
	report_add("],\"ok\":%s}", ok ? "true" : "false");
	puts(line);
	fflush(stdout);
	line_bytes = 0;
	completions = 0;
}
