/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdbool.h>
#include <string.h>

#include <json-c/json.h>
#include <rte_common.h>
#include <rte_mempool.h>

#include <ndpdk/nd_model.h>

#include "fuzz/damaged.h"
#include "fuzz/fuzzer.h"
#include "ndreplay/player/packet.h"
#include "ndreplay/player/play.h"
#include "ndreplay/player/play_plot.h"

/*
 * Replays damaged captures (damaged.h). The engine replays each side of the first connections, in
 * virtual time. Conditions that must hold: the replay ends, all packet buffers are freed, and each
 * reported difference refers to a frame and a connection that exist. Before the replay, each frame
 * is passed to the functions that find and change packet headers.
 */

/*
 * Maximum numbers of connections and frames that are replayed. Larger numbers would only cost time.
 */
#define CONNECTIONS_MAX 2u
#define FRAMES_MAX      64u

static struct rte_mempool *pool;

void
fuzz_start(void)
{
	char why[256];

	fuzz_expect(play_begin("fuzz_player", &pool, why, sizeof(why)), "EAL");
	damaged_load();
}

static void
packet_check(const uint8_t *bytes, size_t count)
{
	uint8_t frame[PACKET_BYTES_MAX];
	struct packet packet;
	size_t at;

	if (count > sizeof(frame))
		return;
	memcpy(frame, bytes, count);
	if (!packet_find(frame, count, &packet))
		return;
	fuzz_expect(packet.bytes <= count && packet.icrc + 4 == packet.bytes &&
			packet.bth + 12 <= packet.icrc,
		"place of the headers");
	at = packet_target(&packet);
	fuzz_expect(at == 0 || at + 12 <= packet.icrc, "place of a key");
	at = packet_invalidate(&packet);
	fuzz_expect(at == 0 || at + 4 <= packet.icrc, "place of a key to invalidate");
	at = packet_mad(&packet);
	fuzz_expect(at == 0 || at + PACKET_MAD_BYTES <= packet.icrc, "place of a MAD");
	packet_seal(&packet, true);
	fuzz_expect(packet_is_right(&packet), "ICRC that was made right");
	packet_seal(&packet, false);
	fuzz_expect(!packet_is_right(&packet), "ICRC that was made wrong");
}

static void
take(void *arg, uint64_t time_ns, const uint8_t *frame, size_t captured, size_t on_wire)
{
	nd_model_frame(arg, time_ns, frame, captured, on_wire);
	packet_check(frame, captured);
}

static void
outcome_check(const struct outcome *outcome, const struct nd_model *model)
{
	fuzz_expect(!outcome->memory_exhausted, "memory");
	for (size_t i = 0; i < outcome->difference_count; i++) {
		fuzz_expect(outcome->differences[i].frame <= nd_model_frame_count(model),
			"frame of a difference");
		fuzz_expect(outcome->differences[i].connection < nd_model_connection_count(model),
			"connection of a difference");
	}
	json_object_put(outcome_json("input", "respond", outcome));
}

static void
side_play(const struct nd_model *model, unsigned side)
{
	struct outcome outcome = {.keep_explained = true};
	const size_t count = nd_model_connection_count(model);
	const unsigned int buffers = rte_mempool_avail_count(pool);
	struct play_capture capture;

	fuzz_expect(play_capture_open(&capture, model), "memory");
	for (size_t i = 0; i < RTE_MIN(count, (size_t)CONNECTIONS_MAX); i++)
		fuzz_expect(play_connection(&capture, i, side, 0, pool, &outcome), "a signal");
	outcome_check(&outcome, model);
	play_capture_close(&capture);
	outcome_free(&outcome);
	fuzz_expect(rte_mempool_avail_count(pool) == buffers, "packet buffers that are lost");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nd_model *model;

	if (size < FUZZ_RECORD_BYTES)
		return 0;
	model = nd_model_open(NULL);
	fuzz_expect(model != NULL, "memory");
	damaged_play(data, RTE_MIN(size, (size_t)FUZZ_RECORD_BYTES * FRAMES_MAX), take, model);
	fuzz_expect(nd_model_finish(model), "memory");
	/* The engine acts as the requester (side 0), and then as the responder (side 1). */
	for (unsigned side = 0; side < 2; side++)
		side_play(model, side);
	nd_model_close(model);
	return 0;
}
