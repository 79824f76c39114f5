/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "base/be.h"
#include "fuzz/fuzzer.h"
#include "unit/wire_chain.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"
#include "wire/parse_usual.h"
#include "wire/peek.h"

/*
 * Parses a burst of frames in three ways: as a burst, one by one, and one by one by the slow path
 * (ladder) only. Each record is one frame. Results and views must be equal. For an accepted frame,
 * wire_peek_home_qpn() must find the destination QP, and the payload must be the bytes of the
 * frame. A frame is a vector of unit/wire_vectors.h or the previous frame, with edits. The record
 * selects which lengths and checksums are corrected, because otherwise few frames would pass the
 * first checks.
 */

#define BURST     16
#define FRAME_MAX 2048
#define EDITS     4
#define UNTOUCHED 0xDEADBEEF

/* Only the first bytes of a frame are edited, because the parser compares only headers. */
#define EDIT_BYTES 96u

enum seal {
	SEAL_LENGTHS = 1 << 0,
	SEAL_UDP = 1 << 1,
	SEAL_IP = 1 << 2,
	SEAL_ICRC = 1 << 3,
};

/* Form of the mbuf. All values without a name mean one segment without VLAN tag. */
enum shape {
	SHAPE_VLAN_STRIPPED = 10,
	SHAPE_QINQ_STRIPPED,
	SHAPE_BOTH_STRIPPED,
	SHAPE_TAGGED,
	SHAPE_SEGMENTS,
	SHAPE_TAGGED_SEGMENTS,
};

struct record {
	/*
	 * If the high bit is set, the low 7 bits select a vector; otherwise the previous frame is
	 * used.
	 */
	uint8_t origin;
	uint8_t seals_shape; /* low 4 bits: enum seal; high 4 bits: enum shape */
	int8_t longer;       /* change of the length before checksums, in units of 4 bytes */
	/* low 4 bits: number of bytes after the ICRC; high 4 bits: segment boundaries */
	uint8_t trailer_cuts;
	struct {
		uint8_t at; /* offset of the edit in the frame, in bytes, modulo EDIT_BYTES */
		uint8_t value;
		/* kind of edit, modulo 8: 1 set, 2 XOR, 3 add, other values: no edit */
		uint8_t how;
	} edits[EDITS];
};

static_assert(sizeof(struct record) == FUZZ_RECORD_BYTES, "mutations are of whole frames");

struct frame {
	uint8_t bytes[FRAME_MAX + WIRE_VECTOR_MAX_BYTES];
	uint32_t count;
	uint64_t ol_flags;
	uint32_t segments;
	uint8_t seed; /* seed for the positions of the segment boundaries */
};

void
fuzz_start(void)
{
}

static void
frame_resize(struct frame *frame, int32_t change)
{
	int32_t count = (int32_t)frame->count + change;

	count = RTE_MAX(0, RTE_MIN(count, FRAME_MAX));
	if ((uint32_t)count > frame->count)
		memset(frame->bytes + frame->count, 0, (uint32_t)count - frame->count);
	frame->count = (uint32_t)count;
}

static void
frame_tag(struct frame *frame)
{
	if (frame->count < 12 || frame->count + 4 > FRAME_MAX)
		return;
	memmove(frame->bytes + 16, frame->bytes + 12, frame->count - 12);
	memcpy(frame->bytes + 12, "\x81\x00\x00\x07", 4);
	frame->count += 4;
}

static void
frame_edit(struct frame *frame, const struct record *record)
{
	for (size_t i = 0; i < EDITS; i++) {
		uint8_t value = record->edits[i].value, *byte;

		if (frame->count == 0)
			return;
		byte = &frame->bytes[record->edits[i].at % RTE_MIN(frame->count, EDIT_BYTES)];
		switch (record->edits[i].how % 8) {
		case 1:
			*byte = value;
			break;
		case 2:
			*byte ^= value;
			break;
		case 3:
			*byte = (uint8_t)(*byte + value);
			break;
		default:
			break;
		}
	}
}

static void
lengths_set(struct frame *frame)
{
	uint32_t l3 = (uint32_t)wire_oracle_l3_offset(frame->bytes);
	uint32_t udp = (uint32_t)wire_oracle_bth_offset(frame->bytes) - 8;
	bool v6 = wire_oracle_v6(frame->bytes);

	be_store16(frame->bytes + l3 + (v6 ? 4 : 2), (uint16_t)(frame->count - (v6 ? udp : l3)));
	be_store16(frame->bytes + udp + 4, (uint16_t)(frame->count - udp));
}

/*
 * Set the lengths first, because the checksums cover them. The ICRC does not depend on the UDP
 * checksum.
 */
static void
frame_seal(struct frame *frame, uint8_t seals)
{
	if (frame->count < 14 + 4 || frame->count < wire_oracle_bth_offset(frame->bytes) + 12 + 4)
		return;
	if (seals & SEAL_LENGTHS)
		lengths_set(frame);
	if (seals & SEAL_IP)
		wire_oracle_seal_ip(frame->bytes);
	if (seals & SEAL_ICRC)
		wire_oracle_seal_icrc(frame->bytes, frame->count);
	if (seals & SEAL_UDP)
		wire_oracle_seal_udp(frame->bytes, frame->count);
}

/* Build the frame of a record. @param[in,out] frame previous frame; replaced by the new frame */
static void
frame_next(struct frame *frame, const struct record *record)
{
	unsigned int vector = 1 + (record->origin & 0x7F) % WIRE_VECTOR_COUNT;
	unsigned int shape = record->seals_shape >> 4;

	if (record->origin & 0x80 || frame->count == 0)
		frame->count = (uint32_t)wire_vector_get(vector, frame->bytes);
	if (shape == SHAPE_TAGGED || shape == SHAPE_TAGGED_SEGMENTS)
		frame_tag(frame);
	frame_resize(frame, 4 * record->longer);
	frame_edit(frame, record);
	frame_seal(frame, record->seals_shape);
	frame_resize(frame, record->trailer_cuts & 0x0F);
	frame->seed = record->trailer_cuts >> 4;
	frame->segments = shape >= SHAPE_SEGMENTS ? 1u + frame->seed : 1;
	frame->ol_flags = 0;
	if (shape == SHAPE_VLAN_STRIPPED || shape == SHAPE_BOTH_STRIPPED)
		frame->ol_flags |= RTE_MBUF_F_RX_VLAN_STRIPPED;
	if (shape == SHAPE_QINQ_STRIPPED || shape == SHAPE_BOTH_STRIPPED)
		frame->ol_flags |= RTE_MBUF_F_RX_QINQ_STRIPPED;
}

static void
chain_make(struct wire_chain *chain, const struct frame *frame)
{
	const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {frame->seed};
	struct base_random random;

	base_random_seed(&random, seed);
	wire_chain_make(chain, frame->bytes, frame->count, frame->segments, &random);
	chain->segments[0].ol_flags = frame->ol_flags;
	chain->segments[0].vlan_tci = 7;
}

static void
peek_check(const struct rte_mbuf *mbuf, enum wire_drop drop, const struct wire_view *view)
{
	uint32_t qpn = UNTOUCHED;
	bool found = wire_peek_home_qpn(mbuf, &qpn);

	fuzz_expect(found ? qpn <= 0xFFFFFF : qpn == UNTOUCHED, "peek: destination QP written");
	fuzz_expect(drop != WIRE_OK || (found && qpn == view->bth.dest_qp), "peek: destination QP");
}

static void
payload_check(const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	uint8_t payload[FRAME_MAX], whole[FRAME_MAX];
	const uint8_t *bytes = rte_pktmbuf_read(mbuf, 0, rte_pktmbuf_pkt_len(mbuf), whole);

	fuzz_expect(view->payload_offset + view->payload_bytes <= rte_pktmbuf_pkt_len(mbuf),
		"payload outside the frame");
	wire_payload_copy(mbuf, view, 0, payload, view->payload_bytes);
	fuzz_expect(
		memcmp(payload, bytes + view->payload_offset, view->payload_bytes) == 0, "payload");
}

/*
 * Parse a single frame with the fast path and with the slow path. Compare both results with the
 * result of parsing the burst.
 * @param drop, view result for this frame when the burst was parsed
 */
static void
frame_check(const struct rte_mbuf *mbuf, enum wire_drop drop, const struct wire_view *view)
{
	struct wire_view one, ladder;
	bool filled = drop == WIRE_OK || drop == WIRE_DROP_ICRC;

	memset(&one, 0, sizeof(one));
	memset(&ladder, 0, sizeof(ladder));
	fuzz_expect(wire_parse(mbuf, &one) == drop, "result of one packet");
	fuzz_expect(wire_parse_ladder(mbuf, &ladder) == drop, "result of the ladder");
	if (filled) {
		fuzz_expect(memcmp(&one, view, sizeof(one)) == 0, "view of one packet");
		fuzz_expect(memcmp(&ladder, view, sizeof(ladder)) == 0, "view of the ladder");
	}
	peek_check(mbuf, drop, view);
	if (drop == WIRE_OK)
		payload_check(mbuf, view);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wire_chain chains[BURST];
	static struct wire_view views[BURST];
	enum wire_drop drops[BURST];
	struct wire_burst burst = {0};
	struct frame frame = {0};
	size_t count = RTE_MIN(size / sizeof(struct record), (size_t)BURST);

	memset(views, 0, sizeof(views));
	for (size_t i = 0; i < count; i++) {
		struct record record;

		memcpy(&record, data + i * sizeof(record), sizeof(record));
		frame_next(&frame, &record);
		chain_make(&chains[i], &frame);
		drops[i] = wire_parse_in_burst(&chains[i].segments[0], &views[i], &burst);
	}
	for (size_t i = 0; i < count; i++)
		frame_check(&chains[i].segments[0], drops[i], &views[i]);
	for (size_t i = 0; i < count; i++)
		wire_chain_free(&chains[i]);
	return 0;
}
