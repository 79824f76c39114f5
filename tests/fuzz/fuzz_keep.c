/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include <rte_common.h>

#include "fuzz/fuzzer.h"
#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Compares a responder that keeps packets after a gap with a responder that receives all packets in
 * order. The first record has settings. Each further record is a message of one to four packets.
 * One queue pair receives all packets in order. For the other queue pair, packets are delayed,
 * duplicated or lost. Then all packets from the first missing packet on are retransmitted, as by a
 * peer that goes back. At the end, both must have the same state, memory, completions and results
 * of atomics.
 */

#define PMTU     256u
#define AREA     4096u
#define BASE     UINT64_C(0x7000000000)
#define PACKETS  256u
#define PSNS     (4 * PACKETS) /* Each of at most four responses to a READ has its own PSN. */
#define RECEIVES 64u
#define LATE_MAX 16u

struct step {
	uint8_t kind; /* modulo RTE_DIM(kinds) */
	uint8_t packets;
	uint16_t tail_bytes;
	uint16_t offset;
	uint8_t key;
	uint8_t spare;
	uint32_t fates; /* fate of each packet, one byte per packet, see enum fate */
	uint32_t number;
};

static_assert(sizeof(struct step) == FUZZ_RECORD_BYTES, "mutations are of whole steps");

enum fate {
	FATE_LATE = LATE_MAX - 1,
	FATE_LOST = 0x30, /* The packet is lost if both bits are set. */
	FATE_TWICE = 0x40,
	FATE_PROGRESS = 0x80, /* The responder sends its responses after this packet. */
};

/* Opcodes of the packets of a message, by position of the packet. */
static const struct kind {
	uint8_t only, first, middle, last;
} kinds[] = {
	{WIRE_RC_WRITE_ONLY, WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_MIDDLE, WIRE_RC_WRITE_LAST},
	{WIRE_RC_WRITE_ONLY_IMM, WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_MIDDLE, WIRE_RC_WRITE_LAST_IMM},
	{WIRE_RC_SEND_ONLY, WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE, WIRE_RC_SEND_LAST},
	{WIRE_RC_SEND_ONLY_IMM, WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE, WIRE_RC_SEND_LAST_IMM},
	{WIRE_RC_SEND_ONLY_INV, WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE, WIRE_RC_SEND_LAST_INV},
	{WIRE_RC_READ_REQUEST, 0, 0, 0}, {WIRE_RC_FETCH_ADD, 0, 0, 0},
	{WIRE_RC_COMPARE_SWAP, 0, 0, 0},
	{WIRE_RC_WRITE_ONLY, WIRE_RC_WRITE_FIRST, WIRE_RC_SEND_MIDDLE,
		WIRE_RC_WRITE_LAST}, /* invalid sequence of opcodes */
};

struct packet {
	struct wire_headers headers;
	uint32_t psns;
	uint32_t number;
	uint16_t bytes;
	uint8_t fate;
};

struct run {
	struct rc_peer peer;
	struct mem_region *region;
	struct mem_window *window;
	uint32_t keys[3]; /* key of the region, key of the window, invalid key */
	uint32_t receives;
	uint64_t originals[PSNS];
	bool answered[PSNS];
	alignas(8) uint8_t memory[AREA];
};

static struct run in_order, disturbed;
static struct packet packets[PACKETS];
static uint32_t packet_count, first_psn, end_psn;

void
fuzz_start(void)
{
	test_eal_init();
}

static void
receives_post(struct run *run, uint32_t count)
{
	for (; count > 0 && run->receives < RECEIVES; count--, run->receives++) {
		struct mem_sge sge = {BASE + AREA / 2 + run->receives, AREA / 4, run->region};
		struct rc_receive_wr wr = {.context = (void *)(uintptr_t)(run->receives + 1),
			.sgl = {.sges = &sge, .count = 1}};

		fuzz_expect(rc_post_receive(run->peer.qp, &wr) == RC_OK, "receive");
	}
}

static void
run_start(struct run *run, const struct rc_peer_options *options)
{
	struct mem_bind bind = {
		.address = BASE, .length_bytes = AREA / 2, .rights = MEM_REMOTE_WRITE};

	memset(run, 0, sizeof(*run));
	rc_peer_start(&run->peer, options);
	run->region = rc_peer_region(&run->peer, run->memory, AREA, BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC |
			MEM_WINDOW_BIND);
	fuzz_expect(mem_window_create(run->peer.mem, NULL, &run->window) == RC_OK, "window");
	bind.window = run->window;
	bind.region = run->region;
	fuzz_expect(mem_bind_now(run->peer.mem, &bind, run->peer.qp->qpn) == RC_OK, "bind");
	run->keys[0] = mem_region_key(run->region);
	run->keys[1] = bind.key;
	run->keys[2] = ~run->keys[0];
}

/*
 * @return index in run.keys. The invalid key is rare. READs and atomics use the region's key, which
 * is never invalidated.
 */
static uint32_t
key_of(const struct step *step, bool answered)
{
	if (step->key == 0xFF)
		return 2;
	return answered ? 0 : step->key & 1;
}

static uint8_t
opcode_of(const struct kind *kind, uint32_t i, uint32_t count)
{
	if (count == 1)
		return kind->only;
	if (i == 0)
		return kind->first;
	return i + 1 == count ? kind->last : kind->middle;
}

/* Add the packets of a message. Both queue pairs get the same packets, but with their own keys. */
static void
message_add(const struct step *step)
{
	const struct kind *kind = &kinds[step->kind % RTE_DIM(kinds)];
	bool answered = kind->first == 0;
	uint32_t count = answered ? 1 : 1 + step->packets % 4;
	uint32_t tail = 1 + step->tail_bytes % PMTU;
	uint32_t bytes = answered ? tail * (1 + step->packets % 4) : (count - 1) * PMTU + tail;
	uint32_t key = in_order.keys[key_of(step, answered)];

	for (uint32_t i = 0; i < count && packet_count < PACKETS; i++) {
		struct packet *packet = &packets[packet_count++];
		uint8_t opcode = opcode_of(kind, i, count);
		bool read = opcode == WIRE_RC_READ_REQUEST;

		*packet = (struct packet){
			.headers = {.bth = {.opcode = opcode,
					    .psn = end_psn,
					    .ack_request = step->number & 1},
				.reth = {.address = BASE + step->offset % (AREA / 4),
					.rkey = key,
					.length_bytes = bytes},
				.atomic = {.address = BASE + step->offset % (AREA / 4) / 8 * 8,
					.rkey = key,
					.swap_add = step->number,
					.compare = step->spare},
				.immediate = step->number,
				.invalidate_rkey = in_order.keys[1 + (step->key == 0xFE)]},
			.psns = read ? (bytes + PMTU - 1) / PMTU : 1,
			.number = step->number + i,
			.bytes = (uint16_t)(answered     ? 0
					: i + 1 == count ? tail
							 : PMTU),
			.fate = (uint8_t)(step->fates >> 8 * i),
		};
		end_psn = psn_add(end_psn, packet->psns);
	}
}

static void
progress(struct run *run)
{
	struct rc_peer_packet sent;

	do {
		rc_peer_progress(&run->peer);
		while (rc_peer_next(&run->peer, &sent)) {
			uint32_t at = psn_distance(sent.view.bth.psn, first_psn);

			if (sent.view.bth.opcode != WIRE_RC_ATOMIC_ACKNOWLEDGE)
				continue;
			fuzz_expect(at < PSNS, "an answer to nothing");
			fuzz_expect(!run->answered[at] ||
					run->originals[at] == sent.view.atomic_original,
				"an atomic is executed twice");
			run->answered[at] = true;
			run->originals[at] = sent.view.atomic_original;
		}
	} while (rc_reads_pending(&run->peer.qp->responder.reads));
}

static void
deliver(struct run *run, const struct packet *packet)
{
	uint8_t payload[PMTU];

	rc_peer_pattern(payload, sizeof(payload), packet->number);
	rc_peer_inject(&run->peer, &packet->headers, payload, packet->bytes);
	if (packet->fate & FATE_PROGRESS || rc_reads_pending(&run->peer.qp->responder.reads))
		progress(run);
}

/* Deliver each packet when it is due, which is at its index in the sequence plus its delay. */
static void
deliver_disturbed(void)
{
	for (uint32_t now = 0; now < packet_count + 2 * LATE_MAX; now++) {
		for (uint32_t i = 0; i < packet_count && i <= now; i++) {
			uint32_t due = i + (packets[i].fate & FATE_LATE);
			bool again = (packets[i].fate & FATE_TWICE) && now == due + 5;

			if ((packets[i].fate & FATE_LOST) == FATE_LOST || (now != due && !again))
				continue;
			deliver(&disturbed, &packets[i]);
			disturbed.peer.now_ns += packets[i].number % 8192;
		}
	}
	progress(&disturbed);
}

/* Retransmit all packets from the expected PSN on. */
static void
deliver_rest(struct run *run)
{
	for (uint32_t i = 0; i < packet_count; i++) {
		uint32_t psn = packets[i].headers.bth.psn;

		if (psn_diff(psn, run->peer.qp->responder.expected_psn) >= 0)
			deliver(run, &packets[i]);
	}
	progress(run);
}

static void
completions_compare(void)
{
	struct rc_completion one[RECEIVES * 2], other[RECEIVES * 2];
	uint32_t count = rc_cq_poll(&in_order.peer.receive_cq, one, RTE_DIM(one));

	fuzz_expect(rc_cq_poll(&disturbed.peer.receive_cq, other, RTE_DIM(other)) == count,
		"completions");
	for (uint32_t i = 0; i < count; i++)
		fuzz_expect(one[i].context == other[i].context &&
				one[i].status == other[i].status && one[i].kind == other[i].kind &&
				one[i].bytes == other[i].bytes && one[i].flags == other[i].flags &&
				one[i].immediate == other[i].immediate,
			"completion");
}

static void
runs_compare(void)
{
	const struct rc_peer *a = &in_order.peer, *b = &disturbed.peer;
	const struct rc_counters *counters = &b->ctx.counters;

	fuzz_expect(a->qp->state == b->qp->state && a->qp->error == b->qp->error, "state");
	fuzz_expect(a->qp->responder.msn == b->qp->responder.msn &&
			a->qp->responder.expected_psn == b->qp->responder.expected_psn,
		"sequence");
	fuzz_expect(a->ctx.counters.rx_atomics == counters->rx_atomics, "atomics");
	fuzz_expect(memcmp(in_order.memory, disturbed.memory, AREA) == 0, "memory");
	fuzz_expect(memcmp(in_order.answered, disturbed.answered, sizeof(in_order.answered)) == 0 &&
			memcmp(in_order.originals, disturbed.originals,
				sizeof(in_order.originals)) == 0,
		"results of atomics");
	fuzz_expect(counters->rx_kept == counters->rx_kept_executed + counters->rx_kept_dropped,
		"kept packets");
	completions_compare();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = size / sizeof(struct step);
	struct rc_peer_options options;

	if (count < 2)
		return 0;
	rc_peer_defaults(&options);
	options.cq_entries = 2 * RECEIVES;
	options.qp.receive_entries = RECEIVES;
	/* LIMIT_READS exceeds the number of packets that the tested responder keeps. */
	options.qp.inbound_reads_max = LIMIT_READS;
	options.connect.inbound_reads = LIMIT_READS;
	options.connect.pmtu_bytes = PMTU;
	options.connect.receive_psn = data[0] & 1 ? PSN_MASK - 5 : RC_PEER_PSN;
	options.keep = (struct rc_keep_config){.mbufs_max = 1 + data[1] % 32u,
		.reorder_ns = data[2] * UINT64_C(100),
		.socket_id = SOCKET_ID_ANY};
	run_start(&in_order, &options);
	options.connect.keep_packets = data[3] % 32;
	run_start(&disturbed, &options);
	fuzz_expect(memcmp(in_order.keys, disturbed.keys, sizeof(in_order.keys)) == 0, "keys");
	first_psn = end_psn = options.connect.receive_psn;
	packet_count = 0;
	for (size_t i = 1; i < count; i++) {
		struct step step;

		memcpy(&step, data + i * sizeof(step), sizeof(step));
		message_add(&step);
	}
	receives_post(&in_order, RECEIVES);
	deliver_rest(&in_order);
	receives_post(&disturbed, data[4] % (RECEIVES + 1));
	deliver_disturbed();
	receives_post(&disturbed, RECEIVES);
	deliver_rest(&disturbed);
	runs_compare();
	rc_peer_stop(&in_order.peer);
	rc_peer_stop(&disturbed.peer);
	return 0;
}
