/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pcap/pcap.h>
#include <rte_mbuf.h>

#include <ndpdk/nd_status.h>
#include <ndpdk/nd_trace.h>

#include "wire/dump.h"

/** Size of the buffer for a frame. The frame is copied, because it is hashed word by word. */
#define FRAME_BYTES_MAX 8192

/**
 * Open the capture file. Time stamps in the file are virtual time. Frames are written when they are
 * sent.
 */
static bool
capture_open(struct sim_trace *trace, const char *name)
{
	if (name == NULL)
		return true;
	trace->pcap = pcap_open_dead_with_tstamp_precision(
		DLT_EN10MB, FRAME_BYTES_MAX, PCAP_TSTAMP_PRECISION_NANO);
	if (trace->pcap != NULL)
		trace->capture = pcap_dump_open(trace->pcap, name);
	return trace->capture != NULL;
}

bool
sim_trace_init(struct sim_trace *trace, const uint64_t *now_ns, const struct sim_watch *watch)
{
	*trace = (struct sim_trace){
		.hash = UINT64_C(0xCBF29CE484222325), .now_ns = now_ns, .verbose = watch->verbose};
	trace->judge = nd_trace_open(&(struct nd_trace_config){.complete = true});
	if (trace->judge == NULL)
		abort();
	trace->capture_at = watch->capture_at;
	return capture_open(trace, watch->capture);
}

void
sim_trace_fini(struct sim_trace *trace)
{
	nd_trace_close(trace->judge);
	trace->judge = NULL;
	if (trace->capture != NULL)
		pcap_dump_close(trace->capture);
	if (trace->pcap != NULL)
		pcap_close(trace->pcap);
}

static void
capture_frame(struct sim_trace *trace, const void *frame, uint32_t bytes, uint32_t length)
{
	struct pcap_pkthdr header = {
		.ts = {.tv_sec = (time_t)(*trace->now_ns / 1000000000),
			.tv_usec = (suseconds_t)(*trace->now_ns % 1000000000)},
		.caplen = bytes,
		.len = length,
	};

	pcap_dump((u_char *)trace->capture, &header, frame);
	/* Flush the file, because the run may crash later. */
	pcap_dump_flush(trace->capture);
}

static void
mix(struct sim_trace *trace, uint64_t word)
{
	trace->hash = (trace->hash ^ word) * UINT64_C(0x100000001B3);
	trace->hash ^= trace->hash >> 29;
}

static void
mix_bytes(struct sim_trace *trace, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	mix(trace, count);
	for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), at += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, at, sizeof(word));
		mix(trace, word);
	}
	for (; count != 0; count--)
		mix(trace, *at++);
}

static void
line_begin(struct sim_trace *trace, const char *who, const char *what)
{
	mix(trace, *trace->now_ns);
	mix_bytes(trace, who, strlen(who));
	mix_bytes(trace, what, strlen(what));
	trace->events++;
	if (trace->verbose)
		fprintf(stderr, "%12.3f us %-4s %-18s", (double)*trace->now_ns / 1000, who, what);
}

static void
frame_print(const struct rte_mbuf *mbuf)
{
	char text[256];
	struct wire_view view;
	enum wire_drop drop = wire_parse(mbuf, &view);

	if (drop == WIRE_OK)
		wire_dump(&view, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%" PRIu32 " bytes, not RoCE (%d)", mbuf->pkt_len,
			(int)drop);
	fprintf(stderr, " %s\n", text);
	if (drop == WIRE_OK && view.traits->kind == WIRE_KIND_DATAGRAM &&
		view.payload_bytes == LIMIT_MAD_BYTES) {
		uint8_t mad[LIMIT_MAD_BYTES];
		struct wire_cm_msg msg;

		wire_payload_copy(mbuf, &view, 0, mad, sizeof(mad));
		if (wire_cm_decode(mad, sizeof(mad), &msg) != WIRE_MAD_OK)
			return;
		wire_cm_dump(&msg, text, sizeof(text));
		fprintf(stderr, "%38s %s\n", "", text);
	}
}

/** Pass a frame to the judge (which checks the protocol), and write the frame to the capture. */
static void
record(struct sim_trace *trace, const void *frame, uint32_t bytes, uint32_t length)
{
	nd_trace_frame(trace->judge, *trace->now_ns, frame, bytes, length);
	if (trace->capture != NULL && trace->capture_at == '\0')
		capture_frame(trace, frame, bytes, length);
}

void
sim_trace_frame(
	struct sim_trace *trace, const char *way, const char *fate, const struct rte_mbuf *mbuf)
{
	uint8_t copy[FRAME_BYTES_MAX];
	uint32_t bytes = RTE_MIN(mbuf->pkt_len, (uint32_t)sizeof(copy));

	const void *frame = rte_pktmbuf_read(mbuf, 0, bytes, copy);

	line_begin(trace, way, fate);
	mix_bytes(trace, frame, bytes);
	record(trace, frame, bytes, mbuf->pkt_len);
	/*
	 * A duplicated frame is recorded twice, because its receiver may answer the duplicate
	 * separately and much later.
	 */
	if (strcmp(fate, "doubled") == 0)
		record(trace, frame, bytes, mbuf->pkt_len);
	if (trace->verbose)
		frame_print(mbuf);
}

/** A copy of a frame. It is needed because the mbuf may be freed before the frame is written. */
struct sim_trace_copy {
	uint32_t bytes, length;
	uint8_t frame[FRAME_BYTES_MAX];
};

static void
copy_make(struct sim_trace_copy *copy, const struct rte_mbuf *mbuf)
{
	const void *frame;

	copy->length = mbuf->pkt_len;
	copy->bytes = RTE_MIN(copy->length, (uint32_t)sizeof(copy->frame));
	frame = rte_pktmbuf_read(mbuf, 0, copy->bytes, copy->frame);
	if (frame != copy->frame)
		memcpy(copy->frame, frame, copy->bytes);
}

static bool
captures(const struct sim_trace *trace, const char *node)
{
	return trace->capture != NULL && trace->capture_at == node[0];
}

void
sim_trace_received(struct sim_trace *trace, const char *node, const struct rte_mbuf *mbuf)
{
	struct sim_trace_copy copy;

	if (!captures(trace, node))
		return;
	copy_make(&copy, mbuf);
	capture_frame(trace, copy.frame, copy.bytes, copy.length);
}

void
sim_trace_offer(
	struct sim_trace *trace, const char *node, struct rte_mbuf *const mbufs[], uint16_t count)
{
	if (!captures(trace, node) || count == 0)
		return;
	trace->offered = malloc(count * sizeof(*trace->offered));
	if (trace->offered == NULL)
		abort();
	for (uint16_t i = 0; i < count; i++)
		copy_make(&trace->offered[i], mbufs[i]);
}

void
sim_trace_taken(struct sim_trace *trace, uint16_t count)
{
	if (trace->offered == NULL)
		return;
	for (uint16_t i = 0; i < count; i++)
		capture_frame(trace, trace->offered[i].frame, trace->offered[i].bytes,
			trace->offered[i].length);
	free(trace->offered);
	trace->offered = NULL;
}

void
sim_trace_event(struct sim_trace *trace, const char *who, const char *what, int64_t a, int64_t b)
{
	line_begin(trace, who, what);
	mix(trace, (uint64_t)a);
	mix(trace, (uint64_t)b);
	if (trace->verbose)
		fprintf(stderr, " %" PRId64 " %" PRId64 "\n", a, b);
}

void
sim_trace_status(
	struct sim_trace *trace, const char *who, const char *what, int64_t a, int32_t status)
{
	line_begin(trace, who, what);
	mix(trace, (uint64_t)a);
	mix(trace, (uint32_t)status);
	if (trace->verbose)
		fprintf(stderr, " %" PRId64 " %s\n", a, nd_status_name(status));
}
