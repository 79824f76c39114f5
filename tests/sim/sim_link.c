/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_link.h"

#include <stdlib.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_jhash.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

/** A RoCE frame has as many: Ethernet, IPv4, UDP, BTH, ICRC. */
#define ROCE_BYTES_MIN    (14 + 20 + 8 + 12 + 4)
/** Shorter frames are not damaged. */
#define DAMAGED_BYTES_MIN 60

struct sim_frame {
	uint64_t arrival_ns;
	uint64_t serial;
	uint32_t bytes;
	bool corrupted;
	uint8_t data[];
};

static void
frames_init(struct sim_frames *frames)
{
	frames->count = 0;
	frames->room = 64;
	frames->heap = malloc(frames->room * sizeof(*frames->heap));
	if (frames->heap == NULL)
		abort();
}

void
sim_link_init(struct sim_link *link)
{
	link->cut = false;
	link->free_ns = 0;
	link->last_ns = 0;
	link->serial = 0;
	for (uint32_t i = 0; i < link->queue_count; i++)
		frames_init(&link->queues[i]);
}

static void
frames_fini(struct sim_frames *frames)
{
	for (uint32_t i = 0; i < frames->count; i++)
		free(frames->heap[i]);
	free(frames->heap);
	*frames = (struct sim_frames){0};
}

void
sim_link_fini(struct sim_link *link)
{
	for (uint32_t i = 0; i < link->queue_count; i++)
		frames_fini(&link->queues[i]);
}

static bool
before(const struct sim_frame *a, const struct sim_frame *b)
{
	return a->arrival_ns != b->arrival_ns ? a->arrival_ns < b->arrival_ns
					      : a->serial < b->serial;
}

static void
heap_push(struct sim_frames *frames, struct sim_frame *frame)
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

static struct sim_frame *
heap_pop(struct sim_frames *frames)
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

static uint64_t
frames_next_ns(const struct sim_frames *frames)
{
	return frames->count == 0 ? UINT64_MAX : frames->heap[0]->arrival_ns;
}

uint64_t
sim_link_next_ns(const struct sim_link *link)
{
	uint64_t next_ns = UINT64_MAX;

	for (uint32_t i = 0; i < link->queue_count; i++)
		next_ns = RTE_MIN(next_ns, frames_next_ns(&link->queues[i]));
	return next_ns;
}

/** @return offset of the BTH, or 0 when the frame is not RoCE. */
static uint32_t
bth_offset(const uint8_t *frame, uint32_t bytes)
{
	uint32_t at = 12, udp;

	if (bytes < ROCE_BYTES_MIN)
		return 0;
	if (frame[at] == 0x81 && frame[at + 1] == 0x00)
		at += 4;
	udp = at + 2 + (frame[at] == 0x86 ? 40 : 20);
	if ((frame[at] != 0x08 || frame[at + 1] != 0x00) && frame[at] != 0x86)
		return 0;
	if (bytes < udp + 8 + 16 || frame[udp + 2] != 0x12 || frame[udp + 3] != 0xB7)
		return 0;
	return udp + 8;
}

/**
 * @return the queue that RSS of the receiver's port chooses: by the UDP source port of RoCE, by the
 *         Ethernet header of everything else
 */
static struct sim_frames *
queue_of(struct sim_link *link, const struct sim_frame *frame)
{
	uint32_t bth = bth_offset(frame->data, frame->bytes);
	const uint8_t *from =
		bth == 0 ? frame->data : frame->data + bth - sizeof(struct rte_udp_hdr);
	uint32_t bytes = bth == 0 ? RTE_ETHER_HDR_LEN : sizeof(rte_be16_t);
	uint32_t key[4] = {0}; /* aligned, as the hash reads it */
	uint32_t hash;

	if (link->queue_count == 1)
		return &link->queues[0];
	memcpy(key, from, RTE_MIN(bytes, frame->bytes));
	hash = rte_jhash(key, bytes, link->queue_salt);
	return &link->queues[hash % link->queue_count];
}

static void
corrupt(struct sim_link *link, struct sim_frame *frame)
{
	uint32_t bth = bth_offset(frame->data, frame->bytes);
	uint32_t at;

	if (bth == 0 || frame->bytes < DAMAGED_BYTES_MIN)
		return;
	at = sim_random_range(&link->random, bth, frame->bytes - 1);
	/* The one byte of the BTH that the ICRC does not cover (resv8a). */
	if (at == bth + 4)
		at++;
	frame->data[at] ^= (uint8_t)(1u << sim_random_below(&link->random, 8));
	frame->corrupted = true;
	link->corrupted++;
}

static struct sim_frame *
frame_copy(const struct rte_mbuf *mbuf)
{
	struct sim_frame *frame = malloc(sizeof(*frame) + mbuf->pkt_len);
	uint32_t at = 0;

	if (frame == NULL)
		abort();
	for (const struct rte_mbuf *m = mbuf; m != NULL; m = m->next) {
		memcpy(frame->data + at, rte_pktmbuf_mtod(m, const void *), m->data_len);
		at += m->data_len;
	}
	frame->bytes = at;
	frame->corrupted = false;
	return frame;
}

static void
launch(struct sim_link *link, const struct rte_mbuf *mbuf, uint64_t arrival_ns, bool corrupting)
{
	struct sim_frame *frame = frame_copy(mbuf);

	frame->arrival_ns = arrival_ns;
	frame->serial = link->serial++;
	if (corrupting)
		corrupt(link, frame);
	heap_push(queue_of(link, frame), frame);
}

static bool
dark(const struct sim_link *link)
{
	uint64_t now_ns = *link->now_ns;

	return link->cut ||
		(now_ns >= link->config.outage_at_ns &&
			now_ns - link->config.outage_at_ns < link->config.outage_ns);
}

static uint64_t
depart_ns(struct sim_link *link, uint32_t bytes)
{
	uint64_t start_ns = RTE_MAX(link->free_ns, *link->now_ns);

	link->free_ns = start_ns;
	if (link->config.rate_mbps != 0)
		link->free_ns += (uint64_t)bytes * 8000 / link->config.rate_mbps;
	return link->free_ns;
}

/** Decide the fate of one frame. */
static void
carry(struct sim_link *link, const struct rte_mbuf *mbuf)
{
	const struct sim_link_config *config = &link->config;
	struct sim_random *random = &link->random;
	uint64_t arrival_ns = depart_ns(link, mbuf->pkt_len) + config->latency_ns;
	const char *fate = "sent";

	link->sent++;
	if (config->jitter_ns != 0)
		arrival_ns += sim_random_below(random, (uint32_t)config->jitter_ns);
	if (dark(link) || sim_random_chance(random, config->loss)) {
		link->lost++;
		sim_trace_frame(link->trace, link->way, "lost", mbuf);
		return;
	}
	if (sim_random_chance(random, config->reorder)) {
		arrival_ns += sim_random_below(random, (uint32_t)config->reorder_ns + 1);
		link->reordered++;
		fate = "late";
	} else {
		arrival_ns = RTE_MAX(arrival_ns, link->last_ns);
		link->last_ns = arrival_ns;
	}
	if (sim_random_chance(random, config->duplicate)) {
		launch(link, mbuf,
			arrival_ns + sim_random_below(random, (uint32_t)config->duplicate_ns + 1),
			false);
		link->duplicated++;
		fate = "doubled";
	}
	if (sim_random_chance(random, config->corrupt)) {
		launch(link, mbuf, arrival_ns, true);
		fate = "corrupted";
	} else {
		launch(link, mbuf, arrival_ns, false);
	}
	sim_trace_frame(link->trace, link->way, fate, mbuf);
}

static bool
refuses(struct sim_link *link)
{
	const struct sim_link_config *config = &link->config;

	if (config->ring_ns != 0 && link->free_ns > *link->now_ns + config->ring_ns)
		return true;
	return sim_random_chance(&link->random, config->refuse);
}

uint16_t
sim_link_transmit(struct sim_link *link, struct rte_mbuf **mbufs, uint16_t count)
{
	uint16_t taken;

	for (taken = 0; taken < count; taken++) {
		if (refuses(link))
			break;
		carry(link, mbufs[taken]);
		rte_pktmbuf_free(mbufs[taken]);
	}
	return taken;
}

/** @return the frame in a buffer of the receiver, or NULL when it has none. */
static struct rte_mbuf *
arrive(struct sim_link *link, uint32_t queue, const struct sim_frame *frame)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(link->pools[queue]);
	char *data = mbuf == NULL ? NULL : rte_pktmbuf_append(mbuf, (uint16_t)frame->bytes);

	if (data == NULL) {
		rte_pktmbuf_free(mbuf);
		link->no_mbuf++;
		return NULL;
	}
	memcpy(data, frame->data, frame->bytes);
	link->delivered++;
	link->corrupted_delivered += frame->corrupted;
	return mbuf;
}

uint16_t
sim_link_receive(struct sim_link *link, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max)
{
	struct sim_frames *frames = &link->queues[queue];
	uint16_t count = 0;

	while (count < max && frames_next_ns(frames) <= *link->now_ns) {
		struct sim_frame *frame = heap_pop(frames);
		struct rte_mbuf *mbuf = arrive(link, queue, frame);

		if (mbuf != NULL) {
			sim_trace_event(link->trace, link->way, "arrived", (int64_t)frame->serial,
				frame->bytes);
			mbufs[count++] = mbuf;
		}
		free(frame);
	}
	return count;
}
