/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "bed_link.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#define FRAME_BYTES_MAX 4352

struct bed_frame {
	TAILQ_ENTRY(bed_frame) next;
	uint64_t arrival_ns;
	uint32_t bytes;
	uint8_t data[FRAME_BYTES_MAX];
};

void
bed_link_init(struct bed_link *link, const struct bed_link_config *config)
{
	link->config = *config;
	link->lose_in = 0;
	link->free_ns = 0;
	link->sent = 0;
	link->lost = 0;
	TAILQ_INIT(&link->frames);
	TAILQ_INIT(&link->unused);
}

static void
frames_free(struct bed_frames *frames)
{
	struct bed_frame *frame;

	while ((frame = TAILQ_FIRST(frames)) != NULL) {
		TAILQ_REMOVE(frames, frame, next);
		free(frame);
	}
}

void
bed_link_fini(struct bed_link *link)
{
	frames_free(&link->frames);
	frames_free(&link->unused);
}

static struct bed_frame *
frame_take(struct bed_link *link)
{
	struct bed_frame *frame = TAILQ_FIRST(&link->unused);

	if (frame != NULL)
		TAILQ_REMOVE(&link->unused, frame, next);
	else
		frame = malloc(sizeof(*frame));
	if (frame == NULL)
		abort();
	return frame;
}

/** A frame of a longer route is overtaken by those behind it. */
static void
frame_insert(struct bed_link *link, struct bed_frame *frame)
{
	struct bed_frame *before;

	TAILQ_FOREACH_REVERSE(before, &link->frames, bed_frames, next)
	{
		if (before->arrival_ns <= frame->arrival_ns) {
			TAILQ_INSERT_AFTER(&link->frames, before, frame, next);
			return;
		}
	}
	TAILQ_INSERT_HEAD(&link->frames, frame, next);
}

static bool
loses(struct bed_link *link)
{
	if (link->lose_in != 0 && --link->lose_in == 0)
		return true;
	return link->config.loss_ppm != 0 &&
		sim_random_below(&link->random, 1000000) < link->config.loss_ppm;
}

static void
carry(struct bed_link *link, const struct rte_mbuf *mbuf, uint64_t now_ns)
{
	const struct bed_link_config *config = &link->config;
	uint64_t bytes = rte_pktmbuf_pkt_len(mbuf) + BED_FRAME_OVERHEAD_BYTES;
	struct bed_frame *frame;

	link->sent++;
	link->free_ns = RTE_MAX(link->free_ns, now_ns) + bytes * 8000 / config->rate_mbps;
	if (loses(link)) {
		link->lost++;
		return;
	}
	frame = frame_take(link);
	frame->bytes = rte_pktmbuf_pkt_len(mbuf);
	if (frame->bytes > FRAME_BYTES_MAX || rte_pktmbuf_data_len(mbuf) != frame->bytes)
		abort();
	memcpy(frame->data, rte_pktmbuf_mtod(mbuf, const void *), frame->bytes);
	frame->arrival_ns = link->free_ns + config->delay_ns;
	if (config->spread_ns != 0)
		frame->arrival_ns +=
			sim_random_below(&link->random, (uint32_t)config->spread_ns + 1);
	frame_insert(link, frame);
}

uint16_t
bed_link_transmit(struct bed_link *link, struct rte_mbuf **mbufs, uint16_t count, uint64_t now_ns)
{
	uint16_t taken;

	for (taken = 0; taken < count; taken++) {
		if (link->free_ns > now_ns + link->config.ring_ns)
			break;
		carry(link, mbufs[taken], now_ns);
	}
	rte_pktmbuf_free_bulk(mbufs, taken);
	return taken;
}

uint16_t
bed_link_receive(struct bed_link *link, struct rte_mbuf **mbufs, uint16_t max, uint64_t now_ns)
{
	struct bed_frame *frame;
	uint16_t count;

	for (count = 0; count < max; count++) {
		frame = TAILQ_FIRST(&link->frames);
		if (frame == NULL || frame->arrival_ns > now_ns)
			break;
		mbufs[count] = rte_pktmbuf_alloc(link->pool);
		if (mbufs[count] == NULL)
			break;
		memcpy(rte_pktmbuf_append(mbufs[count], (uint16_t)frame->bytes), frame->data,
			frame->bytes);
		TAILQ_REMOVE(&link->frames, frame, next);
		TAILQ_INSERT_HEAD(&link->unused, frame, next);
	}
	return count;
}
