/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "fixture/capture.h"
#include "fuzz/fuzzer.h"

/*
 * Recorded traffic that is not what was sent. The first record chooses a capture; each other one
 * takes its next frame, or one near by, changes bytes of it, cuts it, and makes its ICRC right
 * again. What must hold: a frame is counted once, and a report names frames that were fed,
 * connections that exist, and rules and addresses that are text.
 */

#define FRAME_MAX  2048u
#define EDIT_BYTES 128u
#define VIOLATIONS 32u
#define CUT        0xE0
#define BTH_BYTES  12u
#define ICRC_BYTES 4u

struct record {
	int8_t skip;   /* frames, from the next one; most values: none */
	uint8_t seals; /* bit 0: leave the ICRC as it is */
	uint8_t cut;   /* from CUT on: so many bytes are missing at the end, times 16 */
	struct {
		uint8_t at; /* from the start of the frame, modulo EDIT_BYTES */
		uint8_t value;
		uint8_t how; /* modulo 16: set, XOR, add, or nothing */
	} edits[4];
	uint8_t time; /* since the frame before, units of 2^time ns, modulo 32 */
};

static_assert(sizeof(struct record) == FUZZ_RECORD_BYTES, "mutations are of whole frames");

static const char *const files[] = {"bidir.pcap", "cm-slow-accept.pcap", "cswap.pcap",
	"dup-read.pcap", "ecn-ce.pcap", "ipv6-mixed.pcap", "loss-mixed.pcap", "loss-read.pcap",
	"mixed.pcap", "mw2-sendinv.pcap", "nak-badrkey-write.pcap", "loss-cm.pcap"};

static struct capture captures[RTE_DIM(files)];

void
fuzz_start(void)
{
	for (size_t i = 0; i < RTE_DIM(files); i++)
		capture_load(&captures[i], files[i]);
}

static void
edit(const struct record *record, uint8_t *frame, uint32_t bytes)
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

/* A copy of exactly the bytes that are captured, so that a sanitizer sees what is read beyond. */
static void
feed(struct nd_trace *trace, const struct record *record, const struct capture_frame *original,
	uint64_t time_ns)
{
	struct capture_frame frame = *original;
	uint32_t cut = record->cut >= CUT ? (record->cut - CUT) * 16u : 0;
	uint8_t *captured;

	frame.bytes = malloc(frame.count);
	fuzz_expect(frame.bytes != NULL, "memory");
	memcpy(frame.bytes, original->bytes, frame.count);
	edit(record, frame.bytes, frame.count);
	if ((record->seals & 1) == 0 && frame.count >= 14 &&
		frame.count >= capture_bth(&frame) + BTH_BYTES + ICRC_BYTES)
		capture_seal(&frame);
	cut = RTE_MIN(cut, frame.count);
	captured = malloc(RTE_MAX(frame.count - cut, 1u));
	fuzz_expect(captured != NULL, "memory");
	memcpy(captured, frame.bytes, frame.count - cut);
	nd_trace_frame(trace, time_ns, captured, frame.count - cut, frame.count);
	free(captured);
	free(frame.bytes);
}

static bool
is_text(const char *text, size_t max)
{
	return text != NULL && memchr(text, 0, max) != NULL;
}

static void
finding_check(
	const struct nd_trace *trace, const struct nd_trace_violation *finding, uint64_t frames)
{
	fuzz_expect(finding != NULL, "a finding that is not kept");
	fuzz_expect(finding->frame >= 1 && finding->frame <= frames, "frame of a finding");
	fuzz_expect(is_text(finding->rule, 16) && is_text(finding->text, 1024), "text");
	fuzz_expect(is_text(finding->sender, sizeof(finding->sender)) &&
			is_text(finding->receiver, sizeof(finding->receiver)),
		"address");
	fuzz_expect(finding->connection == ND_TRACE_NO_CONNECTION ||
			(nd_trace_connection(trace, finding->connection) != NULL &&
				finding->side <= 1),
		"connection of a finding");
}

static void
report_check(const struct nd_trace *trace, uint64_t frames)
{
	struct nd_trace_totals totals;
	size_t violations = nd_trace_violation_count(trace), doubts = nd_trace_doubt_count(trace);
	size_t connections = nd_trace_connection_count(trace);

	nd_trace_totals(trace, &totals);
	fuzz_expect(totals.frames == frames, "frames");
	fuzz_expect(totals.icrc_ok + totals.icrc_bad == totals.roce_packets, "RoCE packets");
	fuzz_expect(
		totals.roce_packets + totals.truncated + totals.hidden <= frames, "counted twice");
	/* A malformed packet with a right ICRC is one of icrc_ok, and a violation. */
	fuzz_expect(totals.roce_packets + totals.malformed + totals.truncated + totals.hidden <=
			frames + RTE_MIN(totals.icrc_ok, (uint64_t)violations),
		"malformed and right, without a violation");
	fuzz_expect(nd_trace_connection(trace, connections) == NULL, "connection beyond the last");
	for (size_t i = 0; i < connections; i++) {
		const struct nd_trace_connection *connection = nd_trace_connection(trace, i);

		fuzz_expect(connection->first_frame >= 1 &&
				connection->first_frame <= connection->last_frame &&
				connection->last_frame <= frames,
			"frames of a connection");
	}
	for (size_t i = 0; i < RTE_MIN(violations, (size_t)VIOLATIONS); i++)
		finding_check(trace, nd_trace_violation(trace, i), frames);
	for (size_t i = 0; i < RTE_MIN(doubts, (size_t)VIOLATIONS); i++)
		finding_check(trace, nd_trace_doubt(trace, i), frames);
}

static void
on_line(void *arg, uint64_t frame, const char *text)
{
	(void)arg;
	fuzz_expect(frame >= 1 && is_text(text, 4096), "line");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = RTE_MIN(size / sizeof(struct record), (size_t)256);
	struct nd_trace_config config = {.line = on_line, .violations_max = VIOLATIONS};
	const struct capture *capture;
	struct nd_trace *trace;
	uint64_t time_ns = 0;
	uint32_t next = 0;

	if (count == 0)
		return 0;
	config.complete = data[1] & 1;
	capture = &captures[data[0] % RTE_DIM(captures)];
	trace = nd_trace_open(&config);
	fuzz_expect(trace != NULL, "trace");
	for (size_t i = 1; i < count; i++) {
		struct record record;

		memcpy(&record, data + i * sizeof(record), sizeof(record));
		if (record.skip >= -4 && record.skip <= 4)
			next += capture->count + (uint32_t)record.skip;
		time_ns += UINT64_C(1) << record.time % 32;
		feed(trace, &record, &capture->frames[next++ % capture->count], time_ns);
	}
	nd_trace_finish(trace);
	report_check(trace, count - 1);
	nd_trace_close(trace);
	return 0;
}
