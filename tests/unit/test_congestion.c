/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Several connections send long messages through one queue in virtual time. The queue is the RX
 * ring of a slow receiver. It holds fewer packets than all send windows together. Packets that
 * arrive at a full queue are lost. ACKs are not lost.
 */

#define FLOWS         12
#define MESSAGES      2
#define MESSAGE_BYTES (1u << 20)
#define PMTU          1024u
#define PACKETS       (FLOWS * MESSAGES * (MESSAGE_BYTES / PMTU))
#define BASE          UINT64_C(0x5000000)
#define TURN_NS       UINT64_C(20000)
#define QUEUE_MAX     512u
#define ROUNDS_MAX    16 /* calls of the requester per turn, enough to send a full window */

struct end {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t *memory;
};

struct flow {
	struct end from;
	struct end to;
	uint32_t completed;
};

struct path {
	struct flow flows[FLOWS];
	uint32_t queue_size;       /* capacity of the queue in packets */
	uint32_t packets_per_turn; /* number of packets that the receiver takes per turn */
	struct rte_mbuf *queue[QUEUE_MAX];
	uint8_t queue_flow[QUEUE_MAX];
	uint32_t queue_count;
	uint64_t sent;
	uint64_t now_ns;
};

static struct path path;

static void
start_end(struct end *end, const struct rc_peer_options *options)
{
	test_eal_init_large();
	rc_peer_start(&end->peer, options);
	end->memory = calloc(1, MESSAGE_BYTES);
	end->region = rc_peer_region(&end->peer, end->memory, MESSAGE_BYTES, BASE, MEM_LOCAL_WRITE);
}

static void
start_flow(struct flow *flow)
{
	struct rc_peer_options options;
	struct wire_path back;

	rc_peer_defaults(&options);
	options.connect.ack_timeout = 14;
	options.connect.retry_count = 7;
	options.pool_mbufs = 511;
	options.connect.receive_psn = RC_PEER_SEND_PSN;
	start_end(&flow->from, &options);
	back = options.connect.path;
	back.src = options.connect.path.dst;
	back.dst = options.connect.path.src;
	options.connect.path = back;
	options.connect.remote_qpn = RC_PEER_QPN;
	options.qp.qpn = RC_PEER_REMOTE_QPN;
	start_end(&flow->to, &options);
	rc_peer_pattern(flow->from.memory, MESSAGE_BYTES, 1);
	for (uintptr_t i = 0; i < MESSAGES; i++) {
		struct mem_sge sge = {BASE, MESSAGE_BYTES, flow->from.region};
		struct rc_send_wr wr = {.opcode = RC_SEND, .sgl = {&sge, 1}};

		rc_peer_post_receive(&flow->to.peer, NULL, flow->to.region, BASE, MESSAGE_BYTES);
		cr_assert_eq(rc_post_send(flow->from.peer.qp, &wr), RC_OK);
	}
}

static void
stop_end(struct end *end)
{
	rc_peer_stop(&end->peer);
	free(end->memory);
}

/* Send requests of a flow. The port accepts each packet, but a full queue loses the packet. */
static void
send_requests(uint8_t index)
{
	struct rc_peer *peer = &path.flows[index].from.peer;
	bool again = true;

	peer->now_ns = path.now_ns;
	for (uint32_t round = 0; again && round < ROUNDS_MAX; round++) {
		again = rc_peer_progress(peer);
		for (uint16_t i = 0; i < peer->ctx.packet_count; i++) {
			path.sent++;
			if (path.queue_count == path.queue_size) {
				rte_pktmbuf_free(peer->ctx.packets[i]);
				continue;
			}
			path.queue[path.queue_count] = peer->ctx.packets[i];
			path.queue_flow[path.queue_count++] = index;
		}
		peer->ctx.packet_count = 0;
	}
}

static void
take_requests(void)
{
	uint32_t count = RTE_MIN(path.packets_per_turn, path.queue_count);

	for (uint32_t i = 0; i < count; i++) {
		struct rc_peer *to = &path.flows[path.queue_flow[i]].to.peer;

		to->now_ns = path.now_ns;
		rc_peer_input(to, path.queue[i]);
	}
	path.queue_count -= count;
	memmove(path.queue, path.queue + count, path.queue_count * sizeof(path.queue[0]));
	memmove(path.queue_flow, path.queue_flow + count, path.queue_count);
}

static void
send_answers(struct flow *flow)
{
	struct rc_context *ctx = &flow->to.peer.ctx;
	struct rc_completion completion;

	flow->to.peer.now_ns = path.now_ns;
	flow->from.peer.now_ns = path.now_ns;
	rc_peer_progress(&flow->to.peer);
	for (uint16_t i = 0; i < ctx->packet_count; i++)
		rc_peer_input(&flow->from.peer, ctx->packets[i]);
	ctx->packet_count = 0;
	while (rc_cq_poll(&flow->from.peer.send_cq, &completion, 1) == 1) {
		cr_assert_eq(completion.status, RC_OK, "%s", rc_status_name(completion.status));
		flow->completed++;
	}
}

static uint32_t
completed(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < FLOWS; i++)
		count += path.flows[i].completed;
	return count;
}

static void
run(uint32_t queue_size, uint32_t packets_per_turn, uint64_t turns_max)
{
	path = (struct path){
		.queue_size = queue_size, .packets_per_turn = packets_per_turn, .now_ns = 1000};
	for (uint32_t i = 0; i < FLOWS; i++)
		start_flow(&path.flows[i]);
	for (uint64_t turns = 0; completed() < FLOWS * MESSAGES; turns++) {
		cr_assert_lt(turns, turns_max, "%u of %u messages after %.1f ms, %lu packets sent",
			completed(), FLOWS * MESSAGES, (double)path.now_ns / 1e6,
			(unsigned long)path.sent);
		for (uint8_t i = 0; i < FLOWS; i++)
			send_requests(i);
		take_requests();
		for (uint32_t i = 0; i < FLOWS; i++)
			send_answers(&path.flows[i]);
		path.now_ns += TURN_NS;
	}
	for (uint32_t i = 0; i < path.queue_count; i++)
		rte_pktmbuf_free(path.queue[i]);
	for (uint32_t i = 0; i < FLOWS; i++) {
		struct flow *flow = &path.flows[i];

		cr_assert_arr_eq(flow->to.memory, flow->from.memory, MESSAGE_BYTES);
		stop_end(&flow->from);
		stop_end(&flow->to);
	}
}

/*
 * Run until all messages have arrived. A run may take 20 times as long as `ideal`, the number of
 * turns without loss. Fail if more than a quarter of the packets was retransmitted.
 */
static void
check(uint32_t queue_size, uint32_t packets_per_turn)
{
	uint64_t ideal = PACKETS / packets_per_turn;

	run(queue_size, packets_per_turn, 20 * ideal);
	cr_assert_leq(path.sent, PACKETS * 5 / 4, "%lu packets sent for %u",
		(unsigned long)path.sent, PACKETS);
}

Test(congestion, long_messages_share_a_long_queue)
{
	check(512, 16);
}

/* The first windows of all connections together are six times as large as the queue. */
Test(congestion, long_messages_share_a_short_queue)
{
	check(128, 16);
}

/* The queue holds fewer than three packets per connection. All connections must make progress. */
Test(congestion, long_messages_share_a_tiny_queue)
{
	check(32, 4);
}
