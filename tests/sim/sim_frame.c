/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_frame.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_jhash.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

/** Minimum length in bytes of a RoCE frame: Ethernet, IPv4, UDP, BTH, ICRC. */
#define ROCE_BYTES_MIN    (14 + 20 + 8 + 12 + 4)
/** Minimum length in bytes of a frame that may be corrupted. */
#define DAMAGED_BYTES_MIN 60
#define CLASSES           32
/** Mask of the ECN field, and the value CE (congestion experienced) of this field. */
#define ECN_CE            3

struct idle {
	struct idle *next;
};

/**
 * Lists of released frames, which are reused because malloc() is slow above 1 KB. Each list is for
 * one size class, a power of two. With a sanitizer, all frames use malloc() and free(), so that the
 * sanitizer can check them.
 */
static struct idle *idle[CLASSES];

static uint32_t
class_of(uint32_t bytes)
{
	return rte_log2_u32((uint32_t)sizeof(struct sim_frame) + bytes);
}

static struct sim_frame *
frame_new(uint32_t bytes)
{
	uint32_t class = class_of(bytes);
	struct idle *place = idle[class];
	struct sim_frame *frame;

	if (place != NULL)
		idle[class] = place->next;
	else
		place = malloc(SANITIZED ? sizeof(*frame) + bytes : (size_t)1 << class);
	if (place == NULL)
		abort();
	frame = (struct sim_frame *)place;
	*frame = (struct sim_frame){.bytes = bytes};
	return frame;
}

void
sim_frame_free(struct sim_frame *frame)
{
	struct idle *place = (struct idle *)frame;
	uint32_t class = class_of(frame->bytes);

	if (SANITIZED) {
		free(frame);
		return;
	}
	place->next = idle[class];
	idle[class] = place;
}

struct sim_frame *
sim_frame_copy(const struct rte_mbuf *mbuf)
{
	struct sim_frame *frame = frame_new(mbuf->pkt_len);
	uint32_t at = 0;

	for (const struct rte_mbuf *m = mbuf; m != NULL; m = m->next) {
		memcpy(frame->data + at, rte_pktmbuf_mtod(m, const void *), m->data_len);
		at += m->data_len;
	}
	return frame;
}

struct sim_frame *
sim_frame_clone(const struct sim_frame *frame)
{
	struct sim_frame *copy = frame_new(frame->bytes);

	memcpy(copy, frame, sizeof(*frame) + frame->bytes);
	return copy;
}

/** @return offset of the EtherType, after the VLAN tag if a frame has one */
static uint32_t
type_offset(const struct sim_frame *frame)
{
	const uint8_t *data = frame->data;

	return data[12] == 0x81 && data[13] == 0x00 ? 16 : 12;
}

uint32_t
sim_frame_bth(const struct sim_frame *frame)
{
	const uint8_t *data = frame->data;
	uint32_t at, udp;

	if (frame->bytes < ROCE_BYTES_MIN)
		return 0;
	at = type_offset(frame);
	udp = at + 2 + (data[at] == 0x86 ? 40 : 20);
	if ((data[at] != 0x08 || data[at + 1] != 0x00) && data[at] != 0x86)
		return 0;
	if (frame->bytes < udp + 8 + 16 || data[udp + 2] != 0x12 || data[udp + 3] != 0xB7)
		return 0;
	return udp + 8;
}

uint32_t
sim_frame_hash(const struct sim_frame *frame, uint32_t salt)
{
	uint32_t bth = sim_frame_bth(frame);
	const uint8_t *from =
		bth == 0 ? frame->data : frame->data + bth - sizeof(struct rte_udp_hdr);
	uint32_t bytes = bth == 0 ? RTE_ETHER_HDR_LEN : sizeof(rte_be16_t);
	uint32_t key[4] = {0}; /* aligned, because the hash function reads words */

	memcpy(key, from, RTE_MIN(bytes, frame->bytes));
	return rte_jhash(key, bytes, salt);
}

bool
sim_frame_corrupt(struct sim_frame *frame, struct sim_random *random)
{
	uint32_t bth = sim_frame_bth(frame);
	uint32_t at;

	/* Corrupt a frame only once, because a second bit flip could undo the first. */
	if (bth == 0 || frame->bytes < DAMAGED_BYTES_MIN || frame->corrupted)
		return false;
	at = sim_random_range(random, bth, frame->bytes - 1);
	/* Skip resv8a, because the ICRC does not cover this byte of the BTH. */
	if (at == bth + 4)
		at++;
	frame->data[at] ^= (uint8_t)(1u << sim_random_below(random, 8));
	frame->corrupted = true;
	return true;
}

bool
sim_frame_mark(struct sim_frame *frame)
{
	uint32_t bth = sim_frame_bth(frame);
	uint8_t *ip;

	if (bth == 0)
		return false;
	ip = frame->data + type_offset(frame) + 2;
	if (ip[0] >> 4 == 6) {
		/*
		 * The traffic class of IPv6 is in the middle of the first two bytes, so the ECN
		 * field is in the upper half of ip[1].
		 */
		if ((ip[1] >> 4 & ECN_CE) == 0)
			return false;
		ip[1] |= ECN_CE << 4;
	} else {
		struct rte_ipv4_hdr header;

		if ((ip[1] & ECN_CE) == 0)
			return false;
		ip[1] |= ECN_CE;
		memcpy(&header, ip, sizeof(header));
		header.hdr_checksum = 0;
		header.hdr_checksum = rte_ipv4_cksum(&header);
		memcpy(ip, &header, sizeof(header));
	}
	return true;
}

void
sim_frames_init(struct sim_frames *frames)
{
	frames->count = 0;
	frames->room = 64;
	frames->heap = malloc(frames->room * sizeof(*frames->heap));
	if (frames->heap == NULL)
		abort();
}

void
sim_frames_fini(struct sim_frames *frames)
{
	for (uint32_t i = 0; i < frames->count; i++)
		sim_frame_free(frames->heap[i]);
	free(frames->heap);
	*frames = (struct sim_frames){0};
}

static bool
before(const struct sim_frame *a, const struct sim_frame *b)
{
	return a->arrival_ns != b->arrival_ns ? a->arrival_ns < b->arrival_ns
					      : a->serial < b->serial;
}

void
sim_frames_push(struct sim_frames *frames, struct sim_frame *frame)
{
	uint32_t at = frames->count;

	if (frames->count == frames->room) {
		frames->room *= 2;
		frames->heap = realloc(frames->heap, frames->room * sizeof(*frames->heap));
		if (frames->heap == NULL)
			abort();
	}
	frames->count++;
	while (at != 0 && before(frame, frames->heap[(at - 1) / 2])) {
		frames->heap[at] = frames->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	frames->heap[at] = frame;
}

struct sim_frame *
sim_frames_pop(struct sim_frames *frames)
{
	struct sim_frame *first = frames->heap[0];
	struct sim_frame *last = frames->heap[--frames->count];
	uint32_t at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= frames->count)
			break;
		if (child + 1 < frames->count &&
			before(frames->heap[child + 1], frames->heap[child]))
			child++;
		if (!before(frames->heap[child], last))
			break;
		frames->heap[at] = frames->heap[child];
		at = child;
	}
	frames->heap[at] = last;
	return first;
}
