/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/out.h"

#include <assert.h>
#include <string.h>

#include "base/assert.h"

static_assert(RTE_PKTMBUF_HEADROOM >= LIMIT_HEADER_BYTES, "a new mbuf has room for all headers");

static struct rte_mbuf *
mbuf_take(struct rc_context *ctx, uint16_t payload_bytes)
{
	struct rte_mbuf *mbuf = rte_mbuf_raw_alloc(ctx->pool);

	if (mbuf == NULL) {
		ctx->counters.drop_no_mbuf++;
		return NULL;
	}
	rc_out_prepare(mbuf, payload_bytes);
	return mbuf;
}

struct rte_mbuf *
rc_out_reserve(struct rc_context *ctx, uint16_t payload_bytes)
{
	return rc_out_room(ctx) > 0 ? mbuf_take(ctx, payload_bytes) : NULL;
}

struct rte_mbuf *
rc_out_reserve_datagram(struct rc_context *ctx, uint16_t bytes)
{
	return ctx->packet_count < RTE_DIM(ctx->packets) ? mbuf_take(ctx, bytes) : NULL;
}

void
rc_out_send_datagram(struct rc_context *ctx, struct rte_mbuf *mbuf,
	const struct wire_template *tmpl, const struct wire_headers *headers)
{
	BASE_ASSERT(ctx->packet_count < RTE_DIM(ctx->packets));
	wire_build(mbuf, tmpl, headers, ctx->ip_id++);
	ctx->packets[ctx->packet_count++] = mbuf;
}

__rte_cold void
rc_out_move(struct rc_context *ctx, uint16_t count)
{
	memmove(ctx->packets, ctx->packets + count, ctx->packet_count * sizeof(*ctx->packets));
}
