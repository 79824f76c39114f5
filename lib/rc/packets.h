/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_PACKETS_H
#define NDPDK_RC_PACKETS_H

#include <stdint.h>
#include <string.h>

#include "rc/out.h"

/*
 * Functions that build several packets of a queue pair together. The mbufs come from
 * rc_out_reserve_bulk(), which stores them after the queued packets.
 *
 * First all payloads are copied and all headers are written. Then all ICRCs are computed. This
 * order gives the narrow stores of the headers time to complete, because otherwise the wide loads
 * of the ICRC code would stall on them.
 */

#define RC_BURST_MAX 64

struct rc_send_wqe;
struct rc_read_job;

struct rc_packet {
	union {
		struct rc_send_wqe *wqe;
		struct rc_read_job *job;
	};
	const uint8_t *from; /**< payload; not NULL even if bytes is 0 */
	uint32_t bytes;
};

/** Copy the short payloads into the mbufs. @return total bytes of all payloads */
static __rte_always_inline uint64_t
rc_packets_copy(const struct rc_packet *packets, struct rte_mbuf **mbufs, uint32_t count)
{
	uint64_t total_bytes = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint8_t *to = (uint8_t *)mbufs[i]->buf_addr + RTE_PKTMBUF_HEADROOM;

		if (!wire_payload_fuses(packets[i].bytes))
			memcpy(to, packets[i].from, packets[i].bytes);
		total_bytes += packets[i].bytes;
	}
	return total_bytes;
}

/** Finish packets with complete headers: copy the long payloads, and append the ICRCs. */
static __rte_always_inline void
rc_packets_finish(const struct wire_template *tmpl, const struct rc_packet *packets,
	struct rte_mbuf **mbufs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (wire_payload_fuses(packets[i].bytes))
			wire_finish_copy(mbufs[i], tmpl, packets[i].from, packets[i].bytes);
		else
			wire_finish(mbufs[i], tmpl);
	}
}

/** Append complete packets to the output queue and count them. @param bytes total payload bytes */
static inline void
rc_packets_queue(struct rc_context *ctx, uint32_t count, uint64_t bytes)
{
	ctx->counters.tx_packets += count;
	ctx->counters.tx_bytes += bytes;
	ctx->ip_id = (uint16_t)(ctx->ip_id + count);
	ctx->packet_count = (uint16_t)(ctx->packet_count + count);
}

#endif
