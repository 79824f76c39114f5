/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Receive mutated frames in random order and at random times. Each frame is in a memory block of
 * exactly its size, so that a sanitizer detects any read beyond the frame.
 */

#include <stdlib.h>

#include "base/random.h"
#include "neigh_frames.h"
#include "neigh_rig.h"

#define ROUNDS 100000

static void
input_exact(struct neigh_rig *rig, const struct rig_bytes *frame, uint16_t bytes)
{
	uint8_t *memory = malloc(RTE_MAX(bytes, (uint16_t)1));
	struct rte_mbuf mbuf = {
		.buf_addr = memory,
		.buf_len = bytes,
		.data_len = bytes,
		.pkt_len = bytes,
		.nb_segs = 1,
	};

	cr_assert_not_null(memory);
	memcpy(memory, frame->data, bytes);
	neigh_input(rig->neigh, &mbuf, rig->now_ns);
	free(memory);
}

static void
round_play(struct neigh_rig *rig, struct base_random *random, struct rig_bytes frame, bool v6)
{
	uint8_t host = (uint8_t)base_random_below(random, 16);
	uint32_t flips = base_random_below(random, 3);
	uint16_t bytes = frame.count;

	for (uint32_t i = 0; i < flips; i++)
		frame.data[base_random_below(random, bytes)] ^=
			(uint8_t)(1u << base_random_below(random, 8));
	if (base_random_below(random, 4) == 0)
		bytes = (uint16_t)base_random_below(random, bytes + 1u);
	input_exact(rig, &frame, bytes);
	if (base_random_below(random, 4) == 0) {
		struct wire_gid peer = v6 ? rig_v6(host) : rig_v4(host);
		struct rte_ether_addr mac;

		if (rig_lookup(rig, peer, &mac) == NEIGH_FOUND)
			cr_assert(rte_is_valid_assigned_ether_addr(&mac));
		neigh_confirm(rig->neigh, &peer, &rig_peer_mac, rig->now_ns);
		if (base_random_below(random, 4) == 0)
			neigh_doubt(rig->neigh, &peer, rig->now_ns);
	}
	rig_advance(rig, (uint64_t)base_random_below(random, 2000) * (RIG_SECOND / 1000));
	if (rig->sent_count > RIG_SENT_MAX / 2)
		rig->sent_count = rig->taken = 0;
}

static void
play(struct neigh_rig *rig, const char *const *texts, uint32_t text_count, bool v6)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = "neighbours";
	const struct neigh_counters *counters = rig_counters(rig);
	struct rig_bytes frames[RTE_DIM(neigh_v4_frames)];
	struct base_random random;

	cr_log_info("seed \"%s\"", (const char *)seed);
	base_random_seed(&random, seed);
	for (uint32_t i = 0; i < text_count; i++)
		frames[i] = rig_hex(texts[i]);
	for (unsigned int i = 0; i < ROUNDS; i++)
		round_play(rig, &random, frames[base_random_below(&random, text_count)], v6);
	cr_assert(counters->rx_requests > 100 && counters->rx_replies > 100 &&
		counters->rx_echo > 100 && counters->drop_malformed > 100 &&
		counters->drop_unasked > 100 && counters->tx_requests > 100);
	rig->taken = rig->sent_count;
	rig_stop(rig);
}

Test(neigh_fuzz, mutated_v4_frames_are_survived)
{
	play(rig_start(&(struct neigh_config){
		     .address = rig_v4(1), .prefix_length = 24, .entries_max = 8}),
		neigh_v4_frames, RTE_DIM(neigh_v4_frames), false);
}

Test(neigh_fuzz, mutated_v6_frames_are_survived)
{
	play(rig_start(&(struct neigh_config){
		     .address = rig_v6(1), .prefix_length = 64, .entries_max = 8}),
		neigh_v6_frames, RTE_DIM(neigh_v6_frames), true);
}
