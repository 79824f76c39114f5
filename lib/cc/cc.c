/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/cc.h"

#include <stddef.h>

/*
 * Front of the congestion control algorithms. Each algorithm is one row of a table; a call with
 * nothing to do for an algorithm is NULL in its row. CC_NONE has an empty row: it never delays a
 * packet and only counts what the network tells.
 */

struct algorithm {
	uint64_t (*send_time_ns)(const struct cc_flow *flow, uint64_t now_ns);
	void (*packet_sent)(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns);
	void (*ack_received)(struct cc_flow *flow, uint32_t packet_count, uint64_t now_ns);
	void (*cnp_received)(struct cc_flow *flow, uint64_t now_ns);
	void (*timeout)(struct cc_flow *flow, uint64_t now_ns);
};

static const struct algorithm algorithms[] = {
	[CC_NONE] = {.send_time_ns = NULL},
};

void
cc_flow_init(struct cc_flow *flow, enum cc_algorithm algorithm)
{
	*flow = (struct cc_flow){.algorithm = algorithm};
}

uint64_t
cc_send_time_ns(const struct cc_flow *flow, uint64_t now_ns)
{
	const struct algorithm *algorithm = &algorithms[flow->algorithm];

	return algorithm->send_time_ns != NULL ? algorithm->send_time_ns(flow, now_ns) : 0;
}

void
cc_packet_sent(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns)
{
	const struct algorithm *algorithm = &algorithms[flow->algorithm];

	if (algorithm->packet_sent != NULL)
		algorithm->packet_sent(flow, frame_bytes, now_ns);
}

void
cc_ack_received(struct cc_flow *flow, uint32_t packet_count, uint64_t now_ns)
{
	const struct algorithm *algorithm = &algorithms[flow->algorithm];

	if (algorithm->ack_received != NULL)
		algorithm->ack_received(flow, packet_count, now_ns);
}

void
cc_cnp_received(struct cc_flow *flow, uint64_t now_ns)
{
	const struct algorithm *algorithm = &algorithms[flow->algorithm];

	flow->cnp_count++;
	if (algorithm->cnp_received != NULL)
		algorithm->cnp_received(flow, now_ns);
}

void
cc_timeout(struct cc_flow *flow, uint64_t now_ns)
{
	const struct algorithm *algorithm = &algorithms[flow->algorithm];

	if (algorithm->timeout != NULL)
		algorithm->timeout(flow, now_ns);
}
