/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <netinet/in.h>

#include <rte_common.h>
#include <rte_ip.h>

#include "fuzz/fuzzer.h"
#include "unit/neigh_frames.h"
#include "unit/neigh_rig.h"

/*
 * Tests the neighbours of an adapter. Hosts send frames that claim any address: ARP or neighbour
 * discovery, listener queries and echo requests. A frame is a template with the addresses of a
 * host, and with edits. After the edits, its checksums may be corrected. The frame is in memory of
 * exactly its size. Conditions that must hold:
 *
 * - the static neighbour keeps its MAC address;
 * - the MAC address of a known neighbour changes only after the module sent a request about it, or
 *   after a minute without lookup; it is a valid address of a host, and not the adapter's own;
 * - the module reports that a neighbour moved only if it sent a request about this neighbour;
 * - the number of known neighbours does not exceed the size of the table;
 * - a received frame causes at most two frames, and a tick at most one frame per timer and one
 *   report. All sent frames have the adapter's MAC address.
 */

#define HOSTS           10u
#define STATIC_HOST     9u
#define ENTRIES         6u
#define IDLE_NS         (60 * RIG_SECOND)
#define TICK_FRAMES     34u
#define SENT_BY_ADAPTER 0xF0
#define CUT             0xA0
/**
 * Maximum number of addresses in the requests of one input: one address per step, and the hosts.
 */
#define ASKED_MAX       (256 + HOSTS)

enum step_kind {
	STEP_FRAME,
	STEP_LOOKUP,
	STEP_TIME,
	STEP_CONFIRM,
	STEP_DOUBT,
	STEP_ANNOUNCE,
	STEP_KINDS,
};

struct step {
	uint8_t kind; /* modulo STEP_KINDS */
	uint8_t what; /* selects the template */
	/* sender, modulo HOSTS; from SENT_BY_ADAPTER on, the sender has the adapter's addresses */
	uint8_t host;
	uint8_t mac;
	struct {
		uint8_t at; /* offset in the frame, in bytes */
		uint8_t value;
		/* kind of edit, modulo 16: 1 set, 2 XOR, 3 add, other values: no edit */
		uint8_t how;
	} edits[3];
	/* From CUT on: cut - CUT is the length of the frame or of its first segment. */
	uint8_t cut;
	uint16_t time;
};

static_assert(sizeof(struct step) == FUZZ_RECORD_BYTES, "mutations are of whole steps");

static struct {
	struct neigh_rig *rig;
	bool v6;
	struct rig_bytes frames[RTE_DIM(neigh_v4_frames)];
	/* addresses in requests so far, including addresses of no host */
	struct wire_gid asked[ASKED_MAX];
	uint32_t asked_count;
	struct {
		struct rte_ether_addr mac;
		bool found;
		bool asked; /* A request was sent since the last lookup, or is pending. */
		uint64_t asked_ns;
		uint64_t found_ns;
	} hosts[HOSTS];
} model;

void
fuzz_start(void)
{
	test_eal_init();
}

static struct wire_gid
host_address(unsigned int host)
{
	return model.v6 ? rig_v6((uint8_t)(2 + host)) : rig_v4((uint8_t)(2 + host));
}

static uint16_t
sum_finish(uint32_t sum)
{
	return (uint16_t)~__rte_raw_cksum_reduce(sum);
}

static void
sums_set_v4(uint8_t *l3, uint32_t bytes)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)l3;
	uint16_t sum = 0;

	if (bytes < 28)
		return;
	ip->hdr_checksum = 0;
	ip->hdr_checksum = sum_finish(rte_raw_cksum(ip, sizeof(*ip)));
	memcpy(l3 + 22, &sum, sizeof(sum));
	sum = sum_finish(rte_raw_cksum(l3 + 20, bytes - 20));
	memcpy(l3 + 22, &sum, sizeof(sum));
}

static void
sums_set_v6(uint8_t *l3, uint32_t bytes)
{
	struct rte_ipv6_hdr ip;
	uint32_t body = l3[6] == 0 ? 48 : 40; /* A hop-by-hop header has 8 bytes. */
	uint16_t sum = 0;

	if (bytes < body + 4)
		return;
	memcpy(&ip, l3, sizeof(ip));
	ip.proto = IPPROTO_ICMPV6;
	ip.payload_len = rte_cpu_to_be_16((uint16_t)(bytes - body));
	memcpy(l3 + body + 2, &sum, sizeof(sum));
	sum = sum_finish(
		(uint32_t)rte_ipv6_phdr_cksum(&ip, 0) + rte_raw_cksum(l3 + body, bytes - body));
	memcpy(l3 + body + 2, &sum, sizeof(sum));
}

static void
sums_set(struct rig_bytes *frame)
{
	uint8_t *l3 = frame->data + sizeof(struct rte_ether_hdr);
	uint32_t bytes = frame->count - sizeof(struct rte_ether_hdr);

	if (frame->data[12] == 0x86 && frame->data[13] == 0xDD)
		sums_set_v6(l3, bytes);
	else if (frame->data[12] == 0x08 && frame->data[13] == 0)
		sums_set_v4(l3, bytes);
}

/** Write the sender's addresses to all places of a template that contain them. */
static void
sender_set(struct rig_bytes *frame, uint8_t address, uint8_t mac)
{
	static const uint8_t own_mac[] = {2, 0, 0, 0, 0, 2};
	static const uint8_t v4[] = {0xC0, 0, 2, 2}, v6[] = {0, 0, 0, 0, 0, 0, 0, 2};
	const uint8_t *pattern = model.v6 ? v6 : v4;
	size_t bytes = model.v6 ? sizeof(v6) : sizeof(v4);

	for (size_t at = 6; at + sizeof(own_mac) <= frame->count; at++)
		if (memcmp(frame->data + at, own_mac, sizeof(own_mac)) == 0)
			frame->data[at + 5] = mac;
	for (size_t at = 14; at + bytes <= frame->count; at++)
		if (memcmp(frame->data + at, pattern, bytes) == 0)
			frame->data[at + bytes - 1] = address;
}

static void
frame_edit(const struct step *step, struct rig_bytes *frame)
{
	for (size_t i = 0; i < RTE_DIM(step->edits); i++) {
		fuzz_byte_edit(&frame->data[step->edits[i].at % frame->count], step->edits[i].value,
			step->edits[i].how % 16);
	}
}

static struct rte_mbuf
segment_of(const uint8_t *data, uint16_t bytes)
{
	uint8_t *memory = malloc(RTE_MAX(bytes, (uint16_t)1));

	fuzz_expect(memory != NULL, "memory");
	memcpy(memory, data, bytes);
	return (struct rte_mbuf){.buf_addr = memory,
		.buf_len = bytes,
		.data_len = bytes,
		.pkt_len = bytes,
		.nb_segs = 1};
}

static void
frame_input(const struct step *step)
{
	struct rig_bytes frame = model.frames[step->what % RTE_DIM(model.frames)];
	struct rte_mbuf head, tail;
	uint16_t first;

	sender_set(&frame, step->host >= SENT_BY_ADAPTER ? 1 : (uint8_t)(2 + step->host % HOSTS),
		step->mac);
	frame_edit(step, &frame);
	if ((step->time & 1) == 0)
		sums_set(&frame);
	first = step->cut >= CUT ? (step->cut - CUT) % (frame.count + 1u) : frame.count;
	head = segment_of(frame.data, first);
	tail = segment_of(frame.data + first, (uint16_t)(frame.count - first));
	if (step->time & 2) {
		head.next = &tail;
		head.nb_segs = 2;
		head.pkt_len = frame.count;
	}
	(void)neigh_input(model.rig->neigh, &head, model.rig->now_ns);
	free(head.buf_addr);
	free(tail.buf_addr);
}

static void
lookup(unsigned int host)
{
	struct rte_ether_addr mac;
	enum neigh_result result = rig_lookup(model.rig, host_address(host), &mac);
	bool same;

	if (host == STATIC_HOST) {
		fuzz_expect(result == NEIGH_FOUND && rte_is_same_ether_addr(&mac, &rig_other_mac),
			"static neighbour");
		return;
	}
	fuzz_expect(result != NEIGH_NO_ROUTE, "no route");
	if (result != NEIGH_FOUND)
		return;
	fuzz_expect(rte_is_valid_assigned_ether_addr(&mac), "MAC address that no host has");
	fuzz_expect(!rte_is_same_ether_addr(&mac, &rig_own_mac), "own MAC address");
	same = rte_is_same_ether_addr(&mac, &model.hosts[host].mac);
	fuzz_expect(!model.hosts[host].found || same || model.hosts[host].asked ||
			model.rig->now_ns - model.hosts[host].found_ns >= IDLE_NS,
		"MAC address overwritten");
	/*
	 * A request stays pending for at most 1 s. Then its timer repeats the request or gives up.
	 */
	if ((model.hosts[host].found && !same) ||
		model.rig->now_ns - model.hosts[host].asked_ns > RIG_SECOND)
		model.hosts[host].asked = false;
	model.hosts[host].mac = mac;
	model.hosts[host].found = true;
	model.hosts[host].found_ns = model.rig->now_ns;
}

static bool
was_asked(const struct wire_gid *address)
{
	for (uint32_t i = 0; i < model.asked_count; i++)
		if (wire_gid_equal(&model.asked[i], address))
			return true;
	return false;
}

/**
 * Parse a sent frame.
 * @param[out] address address for which a request asks
 * @return true if the frame is a request
 */
static bool
question_parse(const uint8_t *frame, struct wire_gid *address)
{
	rte_be32_t target;

	if (frame[12] == 0x08 && frame[13] == 0x06 && frame[21] == 1) {
		memcpy(&target, frame + 38, sizeof(target));
		*address = wire_gid_from_v4(rte_be_to_cpu_32(target));
	} else if (frame[12] == 0x86 && frame[20] == IPPROTO_ICMPV6 && frame[54] == 135) {
		memcpy(address->raw, frame + 62, sizeof(address->raw));
	} else {
		return false;
	}
	return true;
}

/** Check a sent frame. If the frame is a request, store the address for which it asks. */
static void
sent_note(const uint8_t *frame)
{
	struct wire_gid address;

	fuzz_expect(memcmp(frame + 6, &rig_own_mac, 6) == 0, "sent with another MAC address");
	if (!question_parse(frame, &address))
		return;
	if (!was_asked(&address)) {
		fuzz_expect(model.asked_count < ASKED_MAX, "more addresses asked for than named");
		model.asked[model.asked_count++] = address;
	}
	for (unsigned int host = 0; host < HOSTS; host++) {
		const struct wire_gid peer = host_address(host);

		if (!wire_gid_equal(&peer, &address))
			continue;
		model.hosts[host].asked = true;
		model.hosts[host].asked_ns = model.rig->now_ns;
	}
}

static void
sent_check(const struct step *step)
{
	struct neigh_rig *rig = model.rig;
	uint32_t count = rig->sent_count;

	/*
	 * At most two frames answer the received frame. A third frame may be the request of the
	 * previous step's lookup.
	 */
	if (step->kind % STEP_KINDS == STEP_FRAME)
		fuzz_expect(count <= 3, "many frames for one");
	for (uint32_t i = 0; i < count; i++)
		sent_note(rig->sent[i]);
	rig->sent_count = rig->taken = 0;
	if (rig->moved_count > 0)
		fuzz_expect(was_asked(&rig->moved_address), "moved without a question");
	rig->moved_count = 0;
}

static void
advance(uint64_t ns)
{
	struct neigh_rig *rig = model.rig;
	uint64_t end_ns = rig->now_ns + ns;

	while (neigh_deadline(rig->neigh) <= end_ns) {
		uint32_t before = rig->sent_count;

		rig->now_ns = RTE_MAX(rig->now_ns, neigh_deadline(rig->neigh));
		neigh_tick(rig->neigh, rig->now_ns);
		fuzz_expect(rig->sent_count - before <= TICK_FRAMES, "storm of a timer");
	}
	rig->now_ns = end_ns;
}

static void
step_run(const struct step *step)
{
	unsigned int host = step->host % HOSTS;
	const struct wire_gid peer = host_address(host);
	const struct rte_ether_addr mac = {{2, 0, 0, 0, 0, step->mac}};
	struct neigh *neigh = model.rig->neigh;

	switch (step->kind % STEP_KINDS) {
	case STEP_FRAME:
		frame_input(step);
		return;
	case STEP_LOOKUP:
		lookup(host);
		return;
	case STEP_TIME:
		advance(step->time * (RIG_SECOND / 1000));
		return;
	case STEP_CONFIRM:
		neigh_confirm(neigh, &peer, &mac, model.rig->now_ns);
		return;
	case STEP_DOUBT:
		neigh_doubt(neigh, &peer, model.rig->now_ns);
		return;
	default:
		if (step->what == 0)
			neigh_announce(neigh);
		return;
	}
}

static void
model_start(const uint8_t *setting)
{
	struct wire_gid peer;

	memset(&model, 0, sizeof(model));
	model.v6 = setting[0] & 1;
	for (size_t i = 0; i < RTE_DIM(model.frames); i++)
		model.frames[i] = rig_hex(model.v6 ? neigh_v6_frames[i] : neigh_v4_frames[i]);
	model.rig = rig_start(&(struct neigh_config){
		.address = model.v6 ? rig_v6(1) : rig_v4(1),
		.prefix_length = model.v6 ? 64 : 24,
		.entries_max = 1 + ENTRIES,
	});
	peer = host_address(STATIC_HOST);
	fuzz_expect(neigh_add_static(model.rig->neigh, &peer, &rig_other_mac) == RC_OK, "static");
	if (setting[1] & 1)
		neigh_start(model.rig->neigh, model.rig->now_ns);
	model.rig->sent_count = 0;
}

static void
model_stop(void)
{
	unsigned int found = 0;

	for (unsigned int host = 0; host < HOSTS; host++) {
		const struct wire_gid peer = host_address(host);
		struct rte_ether_addr mac;

		found += neigh_lookup(model.rig->neigh, &peer, &mac, model.rig->now_ns) ==
			NEIGH_FOUND;
	}
	fuzz_expect(found <= 1 + ENTRIES, "more neighbours than entries");
	model.rig->taken = model.rig->sent_count;
	rig_stop(model.rig);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = RTE_MIN(size / sizeof(struct step), (size_t)256);

	if (count == 0)
		return 0;
	model_start(data);
	for (size_t i = 1; i < count; i++) {
		struct step step;

		memcpy(&step, data + i * sizeof(step), sizeof(step));
		step_run(&step);
		sent_check(&step);
		if (model.hosts[step.host % HOSTS].found)
			lookup(step.host % HOSTS);
		lookup(STATIC_HOST);
	}
	model_stop();
	return 0;
}
