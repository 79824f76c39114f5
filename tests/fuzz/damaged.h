/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_FUZZ_DAMAGED_H
#define NDPDK_FUZZ_DAMAGED_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "fixture/capture.h"
#include "fuzz/fuzzer.h"

/*
 * Damaged captures. An input is an array of struct damaged_record. The first damaged_record selects
 * a recorded capture. Each later damaged_record selects a frame of the capture: the frame after the
 * previously selected frame, or a frame near it (skip). The damaged_record also contains the edits
 * of the frame. After the edits, the ICRC is corrected (seals) and the frame is truncated (cut).
 */

#define EDIT_BYTES  128u
#define CUT         0xE0
#define BTH_BYTES   12u
#define ICRC_BYTES  4u
#define RECORDS_MAX 256u

struct damaged_record {
	int8_t skip;   /* number of frames to skip, -4 .. 4 (< 0: go back); other values mean 0 */
	uint8_t seals; /* If bit 0 is set, the ICRC is not corrected. */
	/* If the value is CUT or more, (cut - CUT) * 16 bytes are removed at the end. */
	uint8_t cut;
	struct {
		uint8_t at; /* offset of the edit in the frame, in bytes, modulo EDIT_BYTES */
		uint8_t value;
		/* kind of edit, modulo 16: 1 set, 2 XOR, 3 add, other values: no edit */
		uint8_t how;
	} edits[4];
	uint8_t time; /* time since the previous frame: 2^(time modulo 32) ns */
};

static_assert(sizeof(struct damaged_record) == FUZZ_RECORD_BYTES, "mutations are of whole frames");

static const char *const damaged_files[] = {"bidir.pcap", "cm-slow-accept.pcap", "cswap.pcap",
	"dup-read.pcap", "ecn-ce.pcap", "ipv6-mixed.pcap", "loss-mixed.pcap", "loss-read.pcap",
	"mixed.pcap", "mw2-sendinv.pcap", "nak-badrkey-write.pcap", "loss-cm.pcap"};

static struct capture damaged_captures[RTE_DIM(damaged_files)];

static inline void
damaged_load(void)
{
	for (size_t i = 0; i < RTE_DIM(damaged_files); i++)
		capture_load(&damaged_captures[i], damaged_files[i]);
}

/**
 * Receives a frame. `captured` is the length in memory, `on_wire` is the length on the wire, in
 * bytes.
 */
typedef void (*damaged_fn)(
	void *arg, uint64_t time_ns, const uint8_t *frame, size_t captured, size_t on_wire);

static inline void
damaged_edit(const struct damaged_record *record, uint8_t *frame, uint32_t bytes)
{
	for (size_t i = 0; i < RTE_DIM(record->edits); i++) {
		uint8_t *byte = &frame[record->edits[i].at % RTE_MIN(bytes, EDIT_BYTES)];
		uint8_t value = record->edits[i].value;

		switch (record->edits[i].how % 16) {
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

/*
 * Pass a copy that has exactly the captured bytes. Then a sanitizer detects reads beyond the end.
 */
static inline void
damaged_feed(const struct damaged_record *record, const struct capture_frame *original,
	uint64_t time_ns, damaged_fn take, void *arg)
{
	struct capture_frame frame = *original;
	uint32_t cut = record->cut >= CUT ? (record->cut - CUT) * 16u : 0;
	uint8_t *captured;

	frame.bytes = malloc(frame.count);
	fuzz_expect(frame.bytes != NULL, "memory");
	memcpy(frame.bytes, original->bytes, frame.count);
	damaged_edit(record, frame.bytes, frame.count);
	if ((record->seals & 1) == 0 && frame.count >= 14 &&
		frame.count >= capture_bth(&frame) + BTH_BYTES + ICRC_BYTES)
		capture_seal(&frame);
	cut = RTE_MIN(cut, frame.count);
	captured = malloc(RTE_MAX(frame.count - cut, 1u));
	fuzz_expect(captured != NULL, "memory");
	memcpy(captured, frame.bytes, frame.count - cut);
	take(arg, time_ns, captured, frame.count - cut, frame.count);
	free(captured);
	free(frame.bytes);
}

/* Pass all frames of an input to take(). @return number of frames */
static inline size_t
damaged_play(const uint8_t *data, size_t size, damaged_fn take, void *arg)
{
	size_t count = RTE_MIN(size / sizeof(struct damaged_record), (size_t)RECORDS_MAX);
	const struct capture *capture = &damaged_captures[data[0] % RTE_DIM(damaged_captures)];
	uint64_t time_ns = 0;
	uint32_t next = 0;

	for (size_t i = 1; i < count; i++) {
		struct damaged_record record;

		memcpy(&record, data + i * sizeof(record), sizeof(record));
		if (record.skip >= -4 && record.skip <= 4)
			next += capture->count + (uint32_t)record.skip;
		time_ns += UINT64_C(1) << record.time % 32;
		damaged_feed(
			&record, &capture->frames[next++ % capture->count], time_ns, take, arg);
	}
	return count == 0 ? 0 : count - 1;
}

#endif
