/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Building and parsing of a WRITE Only packet over IPv4. Floor: copy the whole frame and compute
 * its CRC, because every stack does this at least once at each end.
 */

#include <stdlib.h>
#include <string.h>

#include <isa-l/crc.h>

#include <rte_mbuf.h>

#include "base/limits.h"
#include "bench.h"
#include "wire/build.h"
#include "wire/parse.h"

#define FRAME_BYTES_MAX (LIMIT_HEADER_BYTES + LIMIT_PMTU_MAX + LIMIT_TRAILER_BYTES)

struct packet {
	struct rte_mbuf *built;  /* packet that is built again and again */
	struct rte_mbuf *parsed; /* complete frame that is parsed */
	uint32_t payload_bytes;
	struct wire_template tmpl;
	struct wire_headers headers;
	uint16_t ip_id;
	uint8_t copy[FRAME_BYTES_MAX];
};

static struct packet packets[] = {
	{.payload_bytes = 0},
	{.payload_bytes = 64},
	{.payload_bytes = 1024},
	{.payload_bytes = 4096},
};

/** Reset the mbuf so that it contains only its payload, as after rc_out_reserve() and a gather. */
static inline void
payload_only(struct rte_mbuf *mbuf, uint32_t payload_bytes)
{
	mbuf->data_off = RTE_PKTMBUF_HEADROOM;
	mbuf->data_len = (uint16_t)payload_bytes;
	mbuf->pkt_len = payload_bytes;
}

static void
build_run(void *arg, uint32_t iterations)
{
	struct packet *packet = arg;

	for (uint32_t i = 0; i < iterations; i++) {
		payload_only(packet->built, packet->payload_bytes);
		packet->headers.bth.psn = i & 0xFFFFFF;
		wire_build(packet->built, &packet->tmpl, &packet->headers, packet->ip_id++);
	}
}

static void
parse_run(void *arg, uint32_t iterations)
{
	const struct packet *packet = arg;
	struct wire_view view;
	uint32_t bad_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		bad_count += wire_parse(packet->parsed, &view) != WIRE_OK;
		bench_keep(view.bth.psn);
	}
	BENCH_REQUIRE(bad_count == 0);
}

static void
copy_run(void *arg, uint32_t iterations)
{
	struct packet *packet = arg;
	const uint8_t *frame = rte_pktmbuf_mtod(packet->parsed, const uint8_t *);
	uint32_t bytes = rte_pktmbuf_pkt_len(packet->parsed);

	for (uint32_t i = 0; i < iterations; i++) {
		memcpy(packet->copy, frame, bytes);
		bench_keep(crc32_gzip_refl(0, packet->copy, bytes));
	}
}

static void
packet_make(struct packet *packet, struct rte_mempool *pool)
{
	const struct wire_path path = {
		.src_mac = {{2, 0, 0, 0, 0, 1}},
		.dst_mac = {{2, 0, 0, 0, 0, 2}},
		.src = wire_gid_from_v4(0xC0000201),
		.dst = wire_gid_from_v4(0xC0000202),
		.udp_src_port = 0xC123,
		.ttl = 64,
	};
	struct wire_view view;

	wire_template_make(&packet->tmpl, &path);
	packet->headers = (struct wire_headers){
		.bth = {.opcode = WIRE_RC_WRITE_ONLY,
			.migrated = true,
			.pkey = WIRE_PKEY_DEFAULT,
			.dest_qp = 0x1234,
			.ack_request = true},
		.reth = {.address = 0x7F0000001000,
			.rkey = 0x12345678,
			.length_bytes = packet->payload_bytes},
	};
	packet->built = rte_pktmbuf_alloc(pool);
	packet->parsed = rte_pktmbuf_alloc(pool);
	BENCH_REQUIRE(packet->built != NULL && packet->parsed != NULL);
	memset(rte_pktmbuf_mtod(packet->built, void *), 0x5A, packet->payload_bytes);
	memset(rte_pktmbuf_mtod(packet->parsed, void *), 0x5A, packet->payload_bytes);
	payload_only(packet->parsed, packet->payload_bytes);
	wire_build(packet->parsed, &packet->tmpl, &packet->headers, 0);
	BENCH_REQUIRE(wire_parse(packet->parsed, &view) == WIRE_OK);
	BENCH_REQUIRE(view.payload_bytes == packet->payload_bytes);
}

static void
row_make(struct bench_row *row, const char *what, struct packet *packet,
	void (*run)(void *arg, uint32_t iterations))
{
	*row = (struct bench_row){.run = run, .arg = packet};
	bench_name(row->name, what, packet->payload_bytes);
	bench_name(row->floor, "copy_crc", packet->payload_bytes);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 2000};
	struct bench_row rows[3 * RTE_DIM(packets)];
	struct rte_mempool *pool;
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	pool = rte_pktmbuf_pool_create("bench_wire", 2 * RTE_DIM(packets), 0, 0,
		RTE_PKTMBUF_HEADROOM + FRAME_BYTES_MAX, SOCKET_ID_ANY);
	BENCH_REQUIRE(pool != NULL);
	for (size_t i = 0; i < RTE_DIM(packets); i++) {
		packet_make(&packets[i], pool);
		row_make(&rows[3 * i], "copy_crc", &packets[i], copy_run);
		row_make(&rows[3 * i + 1], "wire_build", &packets[i], build_run);
		row_make(&rows[3 * i + 2], "wire_parse", &packets[i], parse_run);
	}
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
