/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/build.h"

#include <string.h>

#include <criterion/criterion.h>

#include <rte_mempool.h>

#include "base/limits.h"
#include "base/random.h"
#include "support/eal.h"
#include "unit/wire_frame.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"
#include "wire/parse.h"

#define POOL_COUNT 64
#define DATA_ROOM  4500

/* Value that fills packet buffers, because a real buffer may contain bytes of an earlier packet. */
#define POISON 0xA5

static struct rte_mempool *pool;

static void
pool_setup(void)
{
	pool = test_pool_create(POOL_COUNT, DATA_ROOM);
}

static void
pool_check(void)
{
	cr_assert_eq(rte_mempool_avail_count(pool), (unsigned int)POOL_COUNT,
		"%u of %u buffers are back", rte_mempool_avail_count(pool), POOL_COUNT);
	rte_mempool_free(pool);
}

TestSuite(build, .init = pool_setup, .fini = pool_check);

/* Allocate a packet buffer without data. Fill its headroom and tailroom with POISON. */
static struct rte_mbuf *
poisoned_alloc(void)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);

	cr_assert_not_null(mbuf);
	memset(mbuf->buf_addr, POISON, mbuf->buf_len);
	return mbuf;
}

static struct rte_mbuf *
payload_make(const uint8_t *payload, uint32_t bytes)
{
	struct rte_mbuf *mbuf = poisoned_alloc();

	memcpy(rte_pktmbuf_append(mbuf, (uint16_t)bytes), payload, bytes);
	return mbuf;
}

static struct wire_path
path_of(const struct wire_view *view)
{
	return (struct wire_path){.src_mac = view->src_mac,
		.dst_mac = view->dst_mac,
		.src = view->src,
		.dst = view->dst,
		.udp_src_port = view->udp_src_port,
		.vlan = view->vlan,
		.vlan_tci = view->vlan_tci,
		.tos = view->tos,
		.ttl = view->ttl};
}

static struct wire_headers
headers_of(const struct wire_view *view)
{
	return (struct wire_headers){.bth = view->bth,
		.reth = view->reth,
		.aeth = view->aeth,
		.atomic = view->atomic,
		.atomic_original = view->atomic_original,
		.immediate = view->immediate,
		.invalidate_rkey = view->invalidate_rkey,
		.qkey = view->qkey,
		.src_qp = view->src_qp};
}

static void
vector_rebuild(unsigned int number)
{
	struct wire_headers headers;
	struct wire_template tmpl;
	struct wire_path path;
	struct rte_mbuf *mbuf;
	struct wire_view view;
	struct frame frame;
	uint8_t built[WIRE_VECTOR_MAX_BYTES];
	uint16_t ip_id;

	memset(&view, 0, sizeof(view));
	frame_load(&frame, number);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V%u", number);
	path = path_of(&view);
	headers = headers_of(&view);
	headers.bth.pad_count = 3; /* ignored: wire_build() computes it */
	wire_template_make(&tmpl, &path);
	/*
	 * Vector V4 has a flow label, but the template has flow label 0, because a path contains no
	 * flow label. So copy the label.
	 */
	if (tmpl.v6)
		memcpy(tmpl.bytes + tmpl.l3_offset, frame_ip(&frame), 4);
	ip_id = tmpl.v6 ? 0 : be_load16(frame_ip(&frame) + 4);
	mbuf = payload_make(frame.bytes + view.payload_offset, view.payload_bytes);
	wire_build(mbuf, &tmpl, &headers, ip_id);
	cr_assert_eq(rte_pktmbuf_pkt_len(mbuf), frame.count, "V%u: %u bytes, not %zu", number,
		rte_pktmbuf_pkt_len(mbuf), frame.count);
	cr_assert_arr_eq(rte_pktmbuf_read(mbuf, 0, (uint32_t)frame.count, built), frame.bytes,
		frame.count, "V%u", number);
	ASSERT_DROP(wire_parse(mbuf, &view), WIRE_OK, "V%u rebuilt", number);
	rte_pktmbuf_free(mbuf);
}

Test(build, every_vector_is_rebuilt_byte_exact)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++)
		vector_rebuild(number);
}

static struct wire_path
path_random(struct base_random *random)
{
	struct wire_path path = {.udp_src_port = (uint16_t)base_random_u32(random),
		.vlan = base_random_below(random, 2),
		.vlan_tci = (uint16_t)base_random_u32(random),
		.tos = (uint8_t)base_random_u32(random),
		.ttl = (uint8_t)base_random_u32(random)};

	for (int i = 0; i < 6; i++)
		path.src_mac.addr_bytes[i] = path.dst_mac.addr_bytes[i] = (uint8_t)(2 * i);
	if (base_random_below(random, 2)) {
		path.src = wire_gid_from_v4(0x0A000000 | base_random_below(random, 1 << 24));
		path.dst = wire_gid_from_v4(0x0A000000 | base_random_below(random, 1 << 24));
	} else {
		for (int i = 0; i < 16; i++) {
			path.src.raw[i] = (uint8_t)base_random_u32(random);
			path.dst.raw[i] = (uint8_t)base_random_u32(random);
		}
		path.src.raw[0] = path.dst.raw[0] = 0x20;
	}
	return path;
}

static struct wire_headers
headers_random(uint8_t opcode, struct base_random *random)
{
	return (struct wire_headers){.bth = {.opcode = opcode,
					     .solicited = base_random_below(random, 2),
					     .migrated = base_random_below(random, 2),
					     .ack_request = base_random_below(random, 2),
					     .becn = base_random_below(random, 2),
					     .pkey = 0xFFFF,
					     .dest_qp = base_random_below(random, 1 << 24),
					     .psn = base_random_below(random, 1 << 24)},
		.reth = {base_random_u64(random), base_random_u32(random), base_random_u32(random)},
		.aeth = {(uint8_t)base_random_u32(random), base_random_below(random, 1 << 24)},
		.atomic = {base_random_u64(random), base_random_u32(random),
			base_random_u64(random), base_random_u64(random)},
		.atomic_original = base_random_u64(random),
		.immediate = base_random_u32(random),
		.invalidate_rkey = base_random_u32(random),
		.qkey = base_random_u32(random),
		.src_qp = base_random_below(random, 1 << 24)};
}

static void
headers_compare(const struct wire_view *view, const struct wire_headers *headers)
{
	const struct wire_opcode_traits *traits = view->traits;

	cr_assert_eq(view->bth.opcode, headers->bth.opcode);
	cr_assert_eq(view->bth.solicited, headers->bth.solicited);
	cr_assert_eq(view->bth.migrated, headers->bth.migrated);
	cr_assert_eq(view->bth.ack_request, headers->bth.ack_request);
	cr_assert_eq(view->bth.becn, headers->bth.becn);
	cr_assert_eq(view->bth.dest_qp, headers->bth.dest_qp);
	cr_assert_eq(view->bth.psn, headers->bth.psn);
	cr_assert(!traits->has_reth ||
		(view->reth.address == headers->reth.address &&
			view->reth.rkey == headers->reth.rkey &&
			view->reth.length_bytes == headers->reth.length_bytes));
	cr_assert(!traits->has_aeth ||
		(view->aeth.syndrome == headers->aeth.syndrome &&
			view->aeth.msn == headers->aeth.msn));
	cr_assert(!traits->has_atomic_eth ||
		(view->atomic.address == headers->atomic.address &&
			view->atomic.rkey == headers->atomic.rkey &&
			view->atomic.swap_add == headers->atomic.swap_add &&
			view->atomic.compare == headers->atomic.compare));
	cr_assert(!traits->has_atomic_ack_eth || view->atomic_original == headers->atomic_original);
	cr_assert(!traits->has_imm || view->immediate == headers->immediate);
	cr_assert(!traits->has_ieth || view->invalidate_rkey == headers->invalidate_rkey);
	cr_assert(!traits->has_deth ||
		(view->qkey == headers->qkey && view->src_qp == headers->src_qp));
}

static void
path_compare(const struct wire_view *view, const struct wire_path *path)
{
	cr_assert(wire_gid_equal(&view->src, &path->src) && wire_gid_equal(&view->dst, &path->dst));
	cr_assert_arr_eq(&view->src_mac, &path->src_mac, 6);
	cr_assert_arr_eq(&view->dst_mac, &path->dst_mac, 6);
	cr_assert_eq(view->udp_src_port, path->udp_src_port);
	cr_assert_eq(view->vlan, path->vlan);
	cr_assert_eq(view->vlan_tci, path->vlan ? path->vlan_tci : 0);
	cr_assert_eq(view->tos, path->tos);
	cr_assert_eq(view->ttl, path->ttl);
}

/*
 * B-007, SEC-034: wire_build() overwrites the pad and all header bytes of the buffer. The oracle
 * (wire_oracle.h) computes the expected ICRC.
 */
static void
round_trip(uint8_t opcode, uint32_t bytes, struct base_random *random)
{
	struct wire_headers headers = headers_random(opcode, random);
	struct wire_path path = path_random(random);
	static uint8_t payload[LIMIT_PMTU_MAX], frame[WIRE_ORACLE_MAX_BYTES];
	struct wire_template tmpl;
	struct rte_mbuf *mbuf;
	struct wire_view view;
	uint32_t count, pad;
	rte_le32_t icrc;

	for (uint32_t i = 0; i < bytes; i++)
		payload[i] = (uint8_t)base_random_u32(random);
	mbuf = payload_make(payload, bytes);
	wire_template_make(&tmpl, &path);
	wire_build(mbuf, &tmpl, &headers, (uint16_t)base_random_u32(random));
	ASSERT_DROP(wire_parse(mbuf, &view), WIRE_OK, "opcode 0x%02x, %u bytes", opcode, bytes);
	headers_compare(&view, &headers);
	path_compare(&view, &path);
	cr_assert_eq(view.payload_bytes, bytes);
	count = rte_pktmbuf_pkt_len(mbuf);
	memmove(frame, rte_pktmbuf_read(mbuf, 0, count, frame), count);
	cr_assert_arr_eq(frame + view.payload_offset, payload, bytes);
	pad = (4 - bytes % 4) % 4;
	cr_assert_eq(view.bth.pad_count, pad);
	cr_assert_eq(count, view.payload_offset + bytes + pad + 4);
	cr_assert_arr_eq(frame + count - 4 - pad, "\0\0\0", pad);
	if (opcode == WIRE_CNP)
		cr_assert_arr_eq(
			frame + view.bth_offset + 12, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	memcpy(&icrc, frame + count - 4, sizeof(icrc));
	cr_assert_eq(rte_le_to_cpu_32(icrc), wire_oracle_icrc(frame, count - 4));
	rte_pktmbuf_free(mbuf);
}

Test(build, any_packet_is_read_back_as_it_was_asked_for)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {51};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int opcode = 0; opcode < 256; opcode++) {
		const struct wire_opcode_traits *traits = wire_opcode_traits((uint8_t)opcode);

		if (traits->kind == WIRE_KIND_UNKNOWN)
			continue;
		for (uint32_t bytes = 0; bytes <= (traits->has_payload ? 9u : 0u); bytes++)
			round_trip((uint8_t)opcode, bytes, &random);
	}
}

Test(build, any_length_up_to_the_largest_pmtu_is_read_back)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {52};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int round = 0; round < 300; round++)
		round_trip(WIRE_RC_WRITE_ONLY_IMM, base_random_below(&random, LIMIT_PMTU_MAX + 1),
			&random);
	round_trip(WIRE_RC_SEND_MIDDLE, LIMIT_PMTU_MAX, &random);
}

/* The frame is the same if wire_finish_copy() copies the payload while it computes the ICRC. */
Test(build, payload_that_is_copied_at_the_end)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {53};
	const struct wire_headers headers = {
		.bth = {.opcode = WIRE_RC_SEND_ONLY, .dest_qp = 0x1234, .psn = 0x777777}};
	uint8_t payload[LIMIT_PMTU_MAX];
	struct base_random random;

	base_random_seed(&random, seed);
	for (uint32_t i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)base_random_u32(&random);
	for (uint32_t bytes = WIRE_FUSED_BYTES_MIN; bytes <= LIMIT_PMTU_MAX; bytes += 4) {
		struct rte_mbuf *whole = payload_make(payload, bytes), *copied = poisoned_alloc();
		struct wire_path path = path_random(&random);
		struct wire_template tmpl;

		wire_template_make(&tmpl, &path);
		wire_build(whole, &tmpl, &headers, (uint16_t)bytes);
		rte_pktmbuf_append(copied, (uint16_t)bytes);
		wire_begin(copied, &tmpl, headers.bth, sizeof(struct wire_bth), (uint16_t)bytes);
		wire_finish_copy(copied, &tmpl, payload, bytes);
		cr_assert_eq(copied->pkt_len, whole->pkt_len);
		cr_assert_arr_eq(rte_pktmbuf_mtod(copied, const uint8_t *),
			rte_pktmbuf_mtod(whole, const uint8_t *), whole->pkt_len, "%u bytes",
			bytes);
		rte_pktmbuf_free(whole);
		rte_pktmbuf_free(copied);
	}
}

Test(build, template_has_every_constant_byte)
{
	static const uint8_t wanted[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x81, 0x00, 0x60, 0x64,
		0x08, 0x00, 0x45, 0x68, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2,
		2, 0xC0, 0xA1, 0x12, 0xB7, 0, 0, 0, 0};
	const struct wire_path path = {.src_mac = {{2, 0, 0, 0, 0, 1}},
		.dst_mac = {{2, 0, 0, 0, 0, 2}},
		.src = wire_gid_from_v4(0xC0000201),
		.dst = wire_gid_from_v4(0xC0000202),
		.udp_src_port = 0xC0A1,
		.vlan = true,
		.vlan_tci = 0x6064,
		.tos = 0x68,
		.ttl = 64};
	struct wire_template tmpl;

	memset(&tmpl, POISON, sizeof(tmpl));
	wire_template_make(&tmpl, &path);
	cr_assert_eq(tmpl.bth_offset, sizeof(wanted));
	cr_assert_eq(tmpl.l3_offset, 18);
	cr_assert_not(tmpl.v6);
	cr_assert_arr_eq(tmpl.bytes, wanted, sizeof(wanted));
}

/* The ports were captured from Soft-RoCE, or computed by the formula that Linux uses. */
/* SEC-007: the port is at least 0xC000. It is as hard to guess as the QPNs that determine it. */
Test(build, udp_source_port_is_the_one_linux_computes)
{
	static const struct {
		uint32_t flow_label, local_qpn, remote_qpn;
		uint16_t port;
	} vectors[] = {
		{0, 0x12, 0x13, 0xC156},
		{0, 0x11, 0x12, 0xC132},
		{0, 0x000123, 0xFEDCBA, 0xF566},
		{0, 1, 1, 0xC001},
		{0, 0x75, 0x7E, 0xF996},
		{0x00156, 1, 1, 0xC156},
		{0x4F575, 1, 1, 0xF566},
		{0x307C6, 1, 1, 0xC7CA},
		{0x9CDF5, 1, 1, 0xCDD2},
		{0x47007, 1, 1, 0xF016},
		{0xA6736, 1, 1, 0xE71F},
		{0xFBFD1, 1, 1, 0xFFEF},
		{0x33829, 1, 1, 0xF825},
		{0xAEA3C, 1, 1, 0xEA17},
	};

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		uint16_t port = wire_udp_src_port(
			vectors[i].flow_label, vectors[i].local_qpn, vectors[i].remote_qpn);

		cr_assert_eq(port, vectors[i].port, "vector %zu: 0x%x, not 0x%x", i, port,
			vectors[i].port);
		cr_assert_eq(port,
			wire_udp_src_port(vectors[i].flow_label, vectors[i].remote_qpn,
				vectors[i].local_qpn));
	}
}
