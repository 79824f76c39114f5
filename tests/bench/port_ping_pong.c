/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Round trips of frames between two processes over port 0 of each, or between two lcores of one
 * process over ports that two rings connect. These are the floors of ndpmd and ndtick over the
 * same driver. Port, packet buffers and bursts are as in the library: frames are received in
 * bursts of LIMIT_BURST and freed as a burst, and each answer uses separate buffers. There is no
 * protocol: headers are not read, and no checksums are computed. A message longer than the path
 * MTU is sent as several frames in one burst.
 *
 * usage: port_ping_pong EAL-ARGUMENTS -- server
 *        port_ping_pong EAL-ARGUMENTS -- client ROUND_TRIPS THERE:BACK...
 *        port_ping_pong EAL-ARGUMENTS -- rings ROUND_TRIPS THERE:BACK...
 *
 * THERE and BACK are payloads in bytes. For each pair of them, the client prints a row with the
 * time of a single round trip. The pairs are measured alternately. The server ends with the
 * client.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>

#include "base/limits.h"
#include "bench.h"
#include "engine/engine.h"
#include "port/port.h"
#include "wire/header.h"

/** Length of the headers (Ethernet, IPv4, UDP, BTH, RETH) and of the ICRC after the payload. */
#define HEADER_BYTES     (14u + 28u + sizeof(struct wire_bth) + sizeof(struct wire_reth))
#define TRAILER_BYTES    4u
#define FRAME_BYTES_MAX  (HEADER_BYTES + LIMIT_PMTU_MAX + TRAILER_BYTES)
/**
 * Maximum payload of a message. A message is one burst of LIMIT_BURST frames, and LIMIT_PMTU_MIN is
 * the smallest path MTU.
 */
#define PAYLOAD_MAX      (LIMIT_BURST * LIMIT_PMTU_MIN)
#define MBUF_COUNT       8192u
#define PAIRS_MAX        8u
/** Number of round trips of one pair before the next pair takes its turn. */
#define TURN_TRIPS       256u
#define LINK_SECONDS     10u
#define WHY_BYTES        160u
#define RING_ENTRIES     1024u
#define NS_PER_SECOND    1e9
/** Offset of struct note in a frame, after the Ethernet header. */
#define NOTE_OFFSET      14u
#define ETHER_TYPE_OTHER 0x88b5u /* for experiments, IEEE 802 */

/** Control data, which follow the Ethernet header of each frame of a message. */
struct note {
	uint32_t answer; /**< length of the requested answer + 1; 0 ends the server */
	uint32_t left;   /**< number of later frames of the same message */
};

struct side {
	const struct port_io *io;
	struct rte_mempool *pool;
	uint16_t path_mtu;
	uint8_t source[FRAME_BYTES_MAX]; /**< template: each frame begins like this array */
};

/** Payload lengths of a request and its answer, in bytes, and the measured round-trip times. */
struct pair {
	uint32_t there, back;
	uint32_t count;
	double *samples; /**< ns */
};

static void
link_wait(uint16_t port_id)
{
	const uint64_t end = rte_get_tsc_cycles() + LINK_SECONDS * rte_get_tsc_hz();
	struct rte_eth_link link = {0};

	while (link.link_status != RTE_ETH_LINK_UP) {
		if (rte_get_tsc_cycles() > end)
			bench_fail("port", "has no link");
		BENCH_REQUIRE(rte_eth_link_get_nowait(port_id, &link) == 0);
	}
}

static struct port *
side_open(struct side *side, uint16_t port_id)
{
	const rte_be16_t type = rte_cpu_to_be_16(ETHER_TYPE_OTHER);
	struct port_config config = {.port_id = port_id, .queue_count = 1};
	char why[WHY_BYTES] = "";
	struct port *port;
	int socket_id;

	BENCH_REQUIRE(port_query(port_id, &config.mtu, &socket_id) == PORT_OK);
	side->path_mtu = port_path_mtu(config.mtu);
	BENCH_REQUIRE(side->path_mtu != 0);
	side->pool = engine_pool_create(MBUF_COUNT, side->path_mtu, socket_id);
	BENCH_REQUIRE(side->pool != NULL);
	config.pools[0] = side->pool;
	if (port_open(&config, &port, why, sizeof(why)) != PORT_OK)
		bench_fail("port", why);
	side->io = port_get_io(port, 0);
	memcpy(side->source + 2 * RTE_ETHER_ADDR_LEN, &type, sizeof(type));
	link_wait(port_id);
	return port;
}

static struct rte_mbuf *
frame_make(struct side *side, uint32_t payload, const struct note *note)
{
	const uint16_t bytes = (uint16_t)(HEADER_BYTES + payload + TRAILER_BYTES);
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(side->pool);

	BENCH_REQUIRE(mbuf != NULL);
	memcpy(side->source + NOTE_OFFSET, note, sizeof(*note));
	memcpy(rte_pktmbuf_append(mbuf, bytes), side->source, bytes);
	return mbuf;
}

static void
message_send(struct side *side, uint32_t payload, uint32_t answer)
{
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count = 0;

	do {
		const uint32_t part = RTE_MIN(payload, (uint32_t)side->path_mtu);
		const struct note note = {
			answer, (payload - part + side->path_mtu - 1) / side->path_mtu};

		mbufs[count++] = frame_make(side, part, &note);
		payload -= part;
	} while (payload > 0);
	BENCH_REQUIRE(side->io->transmit(side->io->arg, mbufs, count) == count);
}

/** Wait for a whole message. @return member `answer` of struct note in this message */
static uint32_t
message_await(const struct side *side)
{
	struct rte_mbuf *mbufs[LIMIT_BURST];
	struct note note = {.left = 1};

	while (note.left > 0) {
		const uint16_t count = side->io->receive(side->io->arg, mbufs, LIMIT_BURST);

		if (count == 0)
			continue;
		memcpy(&note, rte_pktmbuf_mtod_offset(mbufs[count - 1], void *, NOTE_OFFSET),
			sizeof(note));
		rte_pktmbuf_free_bulk(mbufs, count);
	}
	return note.answer;
}

static void
serve(struct side *side)
{
	uint32_t answer;

	while ((answer = message_await(side)) != 0)
		message_send(side, answer - 1, 0);
}

static void
trips_make(struct side *side, struct pair *pair, uint32_t trips)
{
	const double ns_per_cycle = NS_PER_SECOND / (double)rte_get_tsc_hz();
	uint64_t start = rte_rdtsc();

	for (uint32_t i = 0; i < trips; i++) {
		uint64_t now;

		message_send(side, pair->there, pair->back + 1);
		message_await(side);
		now = rte_rdtsc();
		pair->samples[pair->count++] = (double)(now - start) * ns_per_cycle;
		start = now;
	}
}

static void
row_print(struct pair *pair)
{
	const struct bench bench = {.rounds = pair->count};
	char name[BENCH_NAME_BYTES];
	const struct bench_samples row = {
		.name = name,
		.floor = name,
		.unit = "ns",
		.samples = pair->samples,
		.floor_samples = pair->samples,
	};

	snprintf(name, sizeof(name), "frames_%u_%u", pair->there, pair->back);
	bench_samples(&bench, &row);
}

static void
pairs_play(struct side *side, struct pair *pairs, unsigned int pair_count, uint32_t trips)
{
	/* Warm up, because the first round trips have cold caches. */
	for (unsigned int i = 0; i < pair_count; i++) {
		trips_make(side, &pairs[i], TURN_TRIPS);
		pairs[i].count = 0;
	}
	for (uint32_t done = 0; done < trips; done += TURN_TRIPS)
		for (unsigned int i = 0; i < pair_count; i++)
			trips_make(side, &pairs[i], TURN_TRIPS);
	message_send(side, 0, 0);
	for (unsigned int i = 0; i < pair_count; i++) {
		row_print(&pairs[i]);
		free(pairs[i].samples);
	}
}

static int
serve_launched(void *side)
{
	serve(side);
	return 0;
}

static void
rings_make(uint16_t port_ids[2])
{
	struct rte_ring *rings[2];

	for (unsigned int i = 0; i < 2; i++) {
		rings[i] = rte_ring_create(i == 0 ? "there" : "back", RING_ENTRIES,
			(int)rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
		BENCH_REQUIRE(rings[i] != NULL);
	}
	for (unsigned int i = 0; i < 2; i++) {
		const int port = rte_eth_from_rings(i == 0 ? "client" : "server", &rings[i], 1,
			&rings[1 - i], 1, rte_socket_id());

		BENCH_REQUIRE(port >= 0);
		port_ids[i] = (uint16_t)port;
	}
}

static void
rings_play(struct pair *pairs, unsigned int pair_count, uint32_t trips)
{
	const unsigned int worker = rte_get_next_lcore(-1, 1, 0);
	static struct side sides[2];
	struct port *ports[2];
	uint16_t port_ids[2];

	if (worker == RTE_MAX_LCORE)
		bench_fail("rings", "needs two lcores: give EAL -l 0,1");
	rings_make(port_ids);
	for (unsigned int i = 0; i < 2; i++)
		ports[i] = side_open(&sides[i], port_ids[i]);
	rte_eal_remote_launch(serve_launched, &sides[1], worker);
	pairs_play(&sides[0], pairs, pair_count, trips);
	rte_eal_wait_lcore(worker);
	for (unsigned int i = 0; i < 2; i++)
		port_close(ports[i]);
}

static void
usage(void)
{
	fprintf(stderr,
		"usage: port_ping_pong EAL-ARGUMENTS -- server\n"
		"       port_ping_pong EAL-ARGUMENTS -- client|rings ROUND_TRIPS THERE:BACK...\n");
	exit(2);
}

static void
pair_read(struct pair *pair, const char *word, uint32_t trips)
{
	const uint32_t room = RTE_ALIGN_CEIL(trips, TURN_TRIPS);

	if (sscanf(word, "%u:%u", &pair->there, &pair->back) != 2 || pair->there > PAYLOAD_MAX ||
		pair->back > PAYLOAD_MAX)
		usage();
	pair->samples = calloc(RTE_MAX(room, TURN_TRIPS), sizeof(*pair->samples));
	BENCH_REQUIRE(pair->samples != NULL);
}

static void
play(int count, char **words)
{
	struct pair pairs[PAIRS_MAX] = {0};
	const unsigned int pair_count = (unsigned int)count - 2;
	const uint32_t trips = (uint32_t)strtoul(words[1], NULL, 10);
	static struct side side;
	struct port *port;

	for (unsigned int i = 0; i < pair_count; i++)
		pair_read(&pairs[i], words[2 + i], trips);
	if (strcmp(words[0], "rings") == 0) {
		rings_play(pairs, pair_count, trips);
		return;
	}
	port = side_open(&side, 0);
	pairs_play(&side, pairs, pair_count, trips);
	port_close(port);
}

int
main(int argc, char **argv)
{
	static struct side side;
	const int taken = rte_eal_init(argc, argv);
	const int count = argc - taken - 1;
	char **words = argv + taken + 1;

	if (taken < 0)
		bench_fail("EAL", "did not start");
	if (count == 1 && strcmp(words[0], "server") == 0) {
		struct port *port = side_open(&side, 0);

		serve(&side);
		port_close(port);
	} else if (count >= 3 && count <= (int)PAIRS_MAX + 2 &&
		(strcmp(words[0], "client") == 0 || strcmp(words[0], "rings") == 0)) {
		play(count, words);
	} else {
		usage();
	}
	rte_eal_cleanup();
	return EXIT_SUCCESS;
}
