/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/rc_peer.h"

#include <string.h>

#include <criterion/criterion.h>

#include <rte_mempool.h>

#include "support/eal.h"

#define POOL_DATA_ROOM (LIMIT_PMTU_MAX + LIMIT_HEADER_BYTES + LIMIT_TRAILER_BYTES)

static const struct wire_path default_path = {
	.src_mac.addr_bytes = {0x02, 0, 0, 0, 0, 0x01},
	.dst_mac.addr_bytes = {0x02, 0, 0, 0, 0, 0x02},
	.udp_src_port = 0xC123,
	.ttl = 64,
};

void
rc_peer_defaults(struct rc_peer_options *options)
{
	*options = (struct rc_peer_options){
		.qp =
			{
				.qpn = RC_PEER_QPN,
				.receive_entries = 16,
				.send_entries = 16,
				.receive_sge_max = 4,
				.send_sge_max = 4,
				.inline_max = 64,
				.inbound_reads_max = 4,
				.socket_id = SOCKET_ID_ANY,
				.owner = RC_PEER_OWNER,
			},
		.connect =
			{
				.path = default_path,
				.remote_qpn = RC_PEER_REMOTE_QPN,
				.pmtu_bytes = 1024,
				.send_psn = RC_PEER_SEND_PSN,
				.receive_psn = RC_PEER_PSN,
				.outbound_reads = 4,
				.inbound_reads = 4,
				.ack_timeout = 0,
				.retry_count = 3,
				.rnr_retry_count = 3,
				.rnr_timer = 12,
				.remote_read = true,
				.remote_write = true,
				.remote_atomic = true,
			},
		.cq_entries = 64,
		.pool_mbufs = 1024,
		.keep = {.socket_id = SOCKET_ID_ANY},
	};
	options->connect.path.src = wire_gid_from_v4(0xC0000201); /* 192.0.2.1 */
	options->connect.path.dst = wire_gid_from_v4(0xC0000202); /* 192.0.2.2 */
}

void
rc_peer_events(struct rc_peer *peer)
{
	unsigned int events = rc_qp_events_take(peer->qp);

	peer->event_first_count += (events & RC_EVENT_FIRST_PACKET) != 0;
	peer->event_refused_count += (events & RC_EVENT_REFUSED) != 0;
	peer->event_error_count += (events & RC_EVENT_ERROR) != 0;
}

static void
on_send_notify(void *arg, bool overrun)
{
	struct rc_peer *peer = arg;

	peer->send_notify_count++;
	peer->notify_overrun |= overrun;
}

static void
on_receive_notify(void *arg, bool overrun)
{
	struct rc_peer *peer = arg;

	peer->receive_notify_count++;
	peer->notify_overrun |= overrun;
}

static struct wire_path
reversed(const struct wire_path *path)
{
	struct wire_path back = *path;

	back.src_mac = path->dst_mac;
	back.dst_mac = path->src_mac;
	back.src = path->dst;
	back.dst = path->src;
	return back;
}

static void
make_domain(struct rc_peer *peer)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1, 2, 3};

	base_random_seed(&peer->random, seed);
	cr_assert_eq(mem_domain_create(
			     &(struct mem_domain_config){
				     .key_slots = 256,
				     .key_slots_max = 256,
				     .region_max = 64,
				     .window_max = 64,
				     .reader_max = 2,
				     .socket_id = SOCKET_ID_ANY,
				     .random = &peer->random,
			     },
			     &peer->mem),
		RC_OK);
}

static void
keep_start(struct rc_peer *peer, const struct rc_keep_config *given)
{
	struct rc_keep_config config = *given;

	if (config.mbufs_max == 0)
		return;
	config.random = &peer->random;
	peer->ctx.keep = rc_keep_create(&config);
	cr_assert_not_null(peer->ctx.keep);
}

static void
on_step(const struct rc_qp *qp, enum rc_moment step, unsigned detail)
{
	struct rc_peer *peer = base_list_entry(qp->ctx, struct rc_peer, ctx);

	cr_assert_lt(detail, MEM_REFUSED_COUNT);
	cr_assert(step != RC_STEP_STATE || qp->state != RC_QP_INIT);
	peer->steps[step]++;
}

void
rc_peer_start(struct rc_peer *peer, const struct rc_peer_options *given)
{
	struct rc_peer_options options;
	struct wire_path back;

	if (given != NULL)
		options = *given;
	else
		rc_peer_defaults(&options);
	*peer = (struct rc_peer){.now_ns = 1000, .connect = options.connect};
	peer->pool = test_pool_create(options.pool_mbufs, POOL_DATA_ROOM);
	peer->pool_count = rte_mempool_avail_count(peer->pool);
	make_domain(peer);
	peer->ctx = (struct rc_context){
		.mem = peer->mem,
		.pool = peer->pool,
		.random = &peer->random,
	};
	peer->ctx.observe = on_step;
	keep_start(peer, &options.keep);
	cr_assert_eq(
		rc_cq_init(&peer->send_cq, options.cq_entries, SOCKET_ID_ANY, on_send_notify, peer),
		RC_OK);
	cr_assert_eq(rc_cq_init(&peer->receive_cq, options.cq_entries, SOCKET_ID_ANY,
			     on_receive_notify, peer),
		RC_OK);
	options.qp.send_cq = &peer->send_cq;
	options.qp.receive_cq = &peer->receive_cq;
	cr_assert_eq(rc_qp_create(&peer->ctx, &options.qp, &peer->qp), RC_OK);
	back = reversed(&options.connect.path);
	wire_template_make(&peer->remote_tmpl, &back);
	if (!options.stay_init)
		cr_assert_eq(rc_qp_connect(peer->qp, &options.connect), RC_OK);
}

void
rc_peer_check_leaks(const struct rc_peer *peer)
{
	unsigned available = rte_mempool_avail_count(peer->pool);
	unsigned held = 0;

	for (uint32_t i = peer->taken; i < peer->ctx.packet_count; i++)
		held += peer->ctx.packets[i]->nb_segs;
	if (peer->ctx.keep != NULL)
		held += peer->ctx.keep->mbufs;
	cr_assert_eq(available + held, peer->pool_count,
		"%u mbufs in the pool, %u to be sent or kept, of %u", available, held,
		peer->pool_count);
}

/* Compare the calls of the queue pair's observer with the counters. */
static void
check_steps(const struct rc_peer *peer)
{
	const struct rc_counters *counters = &peer->ctx.counters;
	const uint64_t *steps = peer->steps;
	uint64_t refused = counters->refused_invalidate;

	for (unsigned i = 0; i < MEM_REFUSED_COUNT; i++)
		refused += counters->refused[i];
	cr_assert_eq(steps[RC_STEP_TIMEOUT], counters->retries_timeout);
	cr_assert_eq(steps[RC_STEP_GAP], counters->retries_sequence + counters->retries_implied);
	cr_assert_leq(steps[RC_STEP_RNR], counters->rx_rnr_naks);
	cr_assert_eq(steps[RC_STEP_SELECTIVE], counters->retries_selective);
	cr_assert_eq(steps[RC_STEP_PROBE], counters->probes);
	cr_assert_eq(steps[RC_STEP_REFUSED], refused);
	cr_assert(peer->qp->state == RC_QP_INIT || steps[RC_STEP_STATE] > 0);
}

void
rc_peer_stop(struct rc_peer *peer)
{
	rc_peer_drain(peer);
	check_steps(peer);
	rc_qp_destroy(peer->qp);
	rc_peer_check_leaks(peer);
	rc_cq_fini(&peer->send_cq);
	rc_cq_fini(&peer->receive_cq);
	rc_keep_destroy(peer->ctx.keep);
	mem_domain_destroy(peer->mem);
	rte_mempool_free(peer->pool);
}

struct rte_mbuf *
rc_peer_frame(struct rc_peer *peer, const struct wire_headers *headers, const void *payload,
	uint16_t payload_bytes)
{
	struct wire_headers sent = *headers;
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(peer->pool);
	char *data;

	cr_assert_not_null(mbuf, "test pool is empty");
	data = rte_pktmbuf_append(mbuf, payload_bytes);
	cr_assert_not_null(data);
	if (payload_bytes > 0)
		memcpy(data, payload, payload_bytes);
	if (sent.bth.pkey == 0)
		sent.bth.pkey = WIRE_PKEY_DEFAULT;
	if (sent.bth.dest_qp == 0)
		sent.bth.dest_qp = RC_PEER_QPN;
	wire_build(mbuf, &peer->remote_tmpl, &sent, peer->remote_ip_id++);
	return mbuf;
}

void
rc_peer_input(struct rc_peer *peer, struct rte_mbuf *mbuf)
{
	struct wire_view view;
	enum wire_drop drop = wire_parse(mbuf, &view);

	cr_assert_eq(drop, WIRE_OK, "frame of the test dropped: %s", wire_drop_name(drop));
	rc_qp_input(peer->qp, mbuf, &view, peer->now_ns);
	rc_peer_events(peer);
	rte_pktmbuf_free(mbuf);
}

void
rc_peer_inject(struct rc_peer *peer, const struct wire_headers *headers, const void *payload,
	uint16_t payload_bytes)
{
	rc_peer_input(peer, rc_peer_frame(peer, headers, payload, payload_bytes));
}

void
rc_peer_inject_ack(struct rc_peer *peer, uint32_t psn, uint8_t syndrome, uint32_t msn)
{
	rc_peer_inject(peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_ACKNOWLEDGE, .psn = psn & PSN_MASK},
			.aeth = {.syndrome = syndrome, .msn = msn},
		},
		NULL, 0);
}

void
rc_peer_send(struct rc_peer *peer, uint8_t opcode, uint32_t psn, const void *payload,
	uint16_t payload_bytes)
{
	rc_peer_write(peer, opcode, psn, NULL, payload, payload_bytes);
}

void
rc_peer_write(struct rc_peer *peer, uint8_t opcode, uint32_t psn,
	const struct wire_reth_value *reth, const void *payload, uint16_t payload_bytes)
{
	struct wire_headers headers = {
		.bth =
			{
				.opcode = opcode,
				.psn = psn & PSN_MASK,
				.ack_request = wire_opcode_traits(opcode)->ends,
			},
	};

	if (reth != NULL)
		headers.reth = *reth;
	rc_peer_inject(peer, &headers, payload, payload_bytes);
}

void
rc_peer_read(struct rc_peer *peer, uint32_t psn, const struct wire_reth_value *reth)
{
	rc_peer_write(peer, WIRE_RC_READ_REQUEST, psn, reth, NULL, 0);
}

bool
rc_peer_progress(struct rc_peer *peer)
{
	bool again = rc_qp_progress(peer->qp, peer->now_ns);

	rc_peer_events(peer);
	return again;
}

static struct rte_mbuf *
take(struct rc_peer *peer)
{
	struct rte_mbuf *mbuf;

	if (peer->taken == peer->ctx.packet_count)
		return NULL;
	mbuf = peer->ctx.packets[peer->taken++];
	if (peer->taken == peer->ctx.packet_count) {
		peer->taken = 0;
		peer->ctx.packet_count = 0;
	}
	return mbuf;
}

bool
rc_peer_next(struct rc_peer *peer, struct rc_peer_packet *packet)
{
	struct rte_mbuf *mbuf = take(peer);
	enum wire_drop drop;

	if (mbuf == NULL)
		return false;
	drop = wire_parse(mbuf, &packet->view);
	cr_assert_eq(drop, WIRE_OK, "queue pair sent a bad frame: %s", wire_drop_name(drop));
	cr_assert_eq(packet->view.bth.dest_qp, peer->connect.remote_qpn);
	cr_assert(wire_gid_equal(&packet->view.src, &peer->connect.path.src));
	cr_assert(wire_gid_equal(&packet->view.dst, &peer->connect.path.dst));
	cr_assert_leq(packet->view.payload_bytes, peer->connect.pmtu_bytes);
	wire_payload_copy(mbuf, &packet->view, 0, packet->payload, packet->view.payload_bytes);
	packet->frame_bytes = (uint16_t)mbuf->pkt_len;
	rte_pktmbuf_free(mbuf);
	return true;
}

unsigned
rc_peer_drain(struct rc_peer *peer)
{
	struct rte_mbuf *mbuf;
	unsigned count = 0;

	while ((mbuf = take(peer)) != NULL) {
		rte_pktmbuf_free(mbuf);
		count++;
	}
	return count;
}

void
rc_peer_expect_ack(struct rc_peer *peer, uint8_t syndrome, uint32_t psn)
{
	struct rc_peer_packet packet;

	cr_assert(rc_peer_next(peer, &packet), "no answer, syndrome 0x%02x of PSN 0x%06x expected",
		syndrome, psn & PSN_MASK);
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_ACKNOWLEDGE, "%s, an Acknowledge expected",
		packet.view.traits->name);
	cr_assert_eq(packet.view.aeth.syndrome, syndrome,
		"syndrome 0x%02x of PSN 0x%06x, 0x%02x of 0x%06x expected",
		packet.view.aeth.syndrome, packet.view.bth.psn, syndrome, psn & PSN_MASK);
	cr_assert_eq(packet.view.bth.psn, psn & PSN_MASK, "PSN 0x%06x, 0x%06x expected",
		packet.view.bth.psn, psn & PSN_MASK);
	rc_peer_expect_silence(peer);
}

void
rc_peer_expect_silence(struct rc_peer *peer)
{
	struct rc_peer_packet packet;

	if (rc_peer_next(peer, &packet))
		cr_assert_fail("unexpected %s, PSN 0x%06x, syndrome 0x%02x",
			packet.view.traits->name, packet.view.bth.psn, packet.view.aeth.syndrome);
}

struct rc_completion
rc_peer_completion(struct rc_cq *cq)
{
	struct rc_completion completion = {0};

	cr_assert_eq(rc_cq_poll(cq, &completion, 1), 1, "no completion");
	return completion;
}

struct mem_region *
rc_peer_region(struct rc_peer *peer, void *memory, size_t bytes, uint64_t base, uint32_t rights)
{
	struct mem_buffer buffer = {.address = memory, .length_bytes = bytes};
	struct mem_region *region = NULL;

	cr_assert_eq(mem_region_register(peer->mem,
			     &(struct mem_region_attr){
				     .base = base,
				     .buffers = &buffer,
				     .buffer_count = 1,
				     .rights = rights,
			     },
			     &region),
		RC_OK);
	return region;
}

void
rc_peer_post_receive(struct rc_peer *peer, void *context, const struct mem_region *region,
	uint64_t address, uint64_t bytes)
{
	struct mem_sge sge = {.region = region, .address = address, .length_bytes = bytes};
	struct rc_receive_wr wr = {
		.context = context,
		.sgl = {.sges = &sge, .count = region != NULL},
	};

	cr_assert_eq(rc_post_receive(peer->qp, &wr), RC_OK);
}

void
rc_peer_pattern(void *memory, size_t bytes, uint32_t seed)
{
	uint8_t *at = memory;

	for (size_t i = 0; i < bytes; i++)
		at[i] = (uint8_t)((i * 131 + (i >> 8) * 7 + seed * 29 + 1) ^ (seed >> 3));
}

void
rc_peer_split(struct rte_mbuf *mbuf, uint32_t at)
{
	struct rte_mbuf *rest = rte_pktmbuf_alloc(mbuf->pool);
	uint16_t bytes = (uint16_t)(mbuf->data_len - at);
	uint8_t *moved = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, at);

	cr_assert_not_null(rest);
	memcpy(rte_pktmbuf_append(rest, bytes), moved, bytes);
	/* code that reads beyond the first segment finds wrong bytes */
	memset(moved, 0x5A, bytes);
	cr_assert_eq(rte_pktmbuf_trim(mbuf, bytes), 0);
	cr_assert_eq(rte_pktmbuf_chain(mbuf, rest), 0);
}
