/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_link.h"

#include <stdlib.h>
#include <string.h>

#include <rte_mbuf.h>

void
sim_link_init(struct sim_link *link)
{
	link->cut = false;
	link->bad = false;
	link->paused = false;
	link->free_ns = 0;
	link->last_ns = 0;
	link->serial = 0;
	sim_frames_init(&link->held);
	for (uint32_t i = 0; i < link->queue_count; i++)
		sim_frames_init(&link->queues[i]);
}

void
sim_link_fini(struct sim_link *link)
{
	sim_frames_fini(&link->held);
	for (uint32_t i = 0; i < link->queue_count; i++)
		sim_frames_fini(&link->queues[i]);
}

uint64_t
sim_link_next_ns(const struct sim_link *link)
{
	uint64_t next_ns = UINT64_MAX;

	for (uint32_t i = 0; i < link->queue_count; i++)
		next_ns = RTE_MIN(next_ns, sim_frames_next_ns(&link->queues[i]));
	return next_ns;
}

/** @return time in ns until the wire has sent all frames in the output queue */
static uint64_t
backlog_ns(const struct sim_link *link)
{
	uint64_t from_ns = link->paused ? link->pause_ns : *link->now_ns;

	return link->free_ns > from_ns ? link->free_ns - from_ns : 0;
}

uint64_t
sim_link_queue_bytes(const struct sim_link *link)
{
	return backlog_ns(link) * link->config.rate_mbps / 8000;
}

bool
sim_link_refuses(struct sim_link *link)
{
	const struct sim_link_config *config = &link->config;

	if (config->ring_ns != 0 && backlog_ns(link) > config->ring_ns)
		return true;
	return sim_random_chance(&link->random, config->refuse);
}

static struct sim_frames *
queue_of(struct sim_link *link, const struct sim_frame *frame)
{
	if (link->queue_count == 1)
		return &link->queues[0];
	return &link->queues[sim_frame_hash(frame, link->queue_salt) % link->queue_count];
}

static void
launch(struct sim_link *link, struct sim_frame *frame, uint64_t arrival_ns)
{
	frame->arrival_ns = arrival_ns;
	frame->serial = link->serial++;
	sim_frames_push(link->paused ? &link->held : queue_of(link, frame), frame);
}

static bool
dark(const struct sim_link *link)
{
	uint64_t now_ns = *link->now_ns;

	return link->cut ||
		(now_ns >= link->config.outage_at_ns &&
			now_ns - link->config.outage_at_ns < link->config.outage_ns);
}

static void
burst_turn(struct sim_link *link, bool bad)
{
	link->bad = bad;
	link->bad_ns = *link->now_ns;
}

/** @return true if a loss burst in progress loses this frame */
static bool
burst_takes(struct sim_link *link)
{
	const struct sim_link_config *config = &link->config;

	if (config->burst_begin == 0)
		return false;
	if (sim_random_chance(&link->random, link->bad ? config->burst_end : config->burst_begin))
		burst_turn(link, !link->bad);
	if (link->bad && config->burst_max_ns != 0 &&
		*link->now_ns - link->bad_ns > config->burst_max_ns)
		link->bad = false;
	return link->bad && sim_random_chance(&link->random, config->burst_loss);
}

/**
 * Mark a frame at random (RED), depending on the queue length before the frame. @return true if the
 * frame was marked
 */
static bool
red(struct sim_link *link, struct sim_frame *frame)
{
	const struct sim_link_config *config = &link->config;
	uint64_t waiting = sim_link_queue_bytes(link), below_max;

	if (config->mark_max_bytes == 0 || waiting < config->mark_min_bytes)
		return false;
	below_max = config->mark_max_bytes - config->mark_min_bytes;
	if (waiting < config->mark_max_bytes &&
		sim_random_below(&link->random, 1000000) >=
			config->mark * 1000 * (waiting - config->mark_min_bytes) / below_max)
		return false;
	if (!sim_frame_mark(frame))
		return false;
	link->marked++;
	return true;
}

/** @return reason why the frame is dropped before the queue; NULL if the frame is not dropped */
static const char *
drop_reason(struct sim_link *link, const struct sim_frame *frame)
{
	const struct sim_link_config *config = &link->config;

	if (config->frame_max != 0 && frame->bytes > config->frame_max) {
		link->size_drops++;
		return "too long";
	}
	if (config->queue_bytes != 0 &&
		sim_link_queue_bytes(link) + frame->bytes > config->queue_bytes) {
		link->queue_drops++;
		return "queue full";
	}
	return NULL;
}

static uint64_t
depart_ns(struct sim_link *link, struct sim_frame *frame)
{
	uint64_t waiting;

	frame->start_ns = RTE_MAX(link->free_ns, link->paused ? link->pause_ns : *link->now_ns);
	link->free_ns = frame->start_ns;
	if (link->config.rate_mbps != 0)
		link->free_ns += (uint64_t)frame->bytes * 8000 / link->config.rate_mbps;
	waiting = sim_link_queue_bytes(link);
	link->queue_max_bytes = RTE_MAX(link->queue_max_bytes, waiting);
	return link->free_ns;
}

static uint64_t
travel_ns(struct sim_link *link)
{
	const struct sim_link_config *config = &link->config;
	uint64_t ns = config->latency_ns;

	if (config->jitter_ns != 0)
		ns += sim_random_below(&link->random, (uint32_t)config->jitter_ns);
	if (config->swing_period_ns != 0) {
		uint64_t half_ns = config->swing_period_ns / 2 + 1;
		uint64_t at_ns = *link->now_ns % (2 * half_ns);

		ns += config->swing_ns * (at_ns < half_ns ? at_ns : 2 * half_ns - at_ns) / half_ns;
	}
	return ns;
}

const char *
sim_link_carry(struct sim_link *link, struct sim_frame *frame)
{
	const struct sim_link_config *config = &link->config;
	struct sim_random *random = &link->random;
	const char *fate = drop_reason(link, frame);
	uint64_t arrival_ns;

	link->sent++;
	if (fate != NULL) {
		sim_frame_free(frame);
		return fate;
	}
	fate = red(link, frame) ? "marked" : "sent";
	arrival_ns = depart_ns(link, frame);
	arrival_ns += travel_ns(link);
	if (dark(link) || burst_takes(link) || sim_random_chance(random, config->loss)) {
		link->lost++;
		sim_frame_free(frame);
		return "lost";
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
		launch(link, sim_frame_clone(frame),
			arrival_ns + sim_random_below(random, (uint32_t)config->duplicate_ns + 1));
		link->duplicated++;
		fate = "doubled";
	}
	if (sim_random_chance(random, config->corrupt)) {
		link->corrupted += sim_frame_corrupt(frame, random);
		fate = "corrupted";
	}
	launch(link, frame, arrival_ns);
	return fate;
}

/** Move the frames whose transmission has not begun from a queue to link->held. */
static void
queue_hold(struct sim_link *link, struct sim_frames *queue)
{
	struct sim_frames all = *queue;

	sim_frames_init(queue);
	for (uint32_t i = 0; i < all.count; i++) {
		bool begun = all.heap[i]->start_ns <= *link->now_ns;

		sim_frames_push(begun ? queue : &link->held, all.heap[i]);
	}
	free(all.heap);
}

void
sim_link_pause(struct sim_link *link)
{
	if (link->paused)
		return;
	link->paused = true;
	link->pauses++;
	link->pause_ns = *link->now_ns;
	for (uint32_t i = 0; i < link->queue_count; i++)
		queue_hold(link, &link->queues[i]);
}

void
sim_link_resume(struct sim_link *link)
{
	uint64_t pause_ns = *link->now_ns - link->pause_ns;

	if (!link->paused)
		return;
	link->paused = false;
	if (link->free_ns > link->pause_ns)
		link->free_ns += pause_ns;
	while (link->held.count != 0) {
		struct sim_frame *frame = sim_frames_pop(&link->held);

		frame->start_ns += pause_ns;
		frame->arrival_ns += pause_ns;
		link->last_ns = RTE_MAX(link->last_ns, frame->arrival_ns);
		sim_frames_push(queue_of(link, frame), frame);
	}
}

struct sim_frame *
sim_link_take(struct sim_link *link)
{
	return sim_frames_pop(&link->queues[0]);
}

/**
 * Copy a frame into a buffer of the receiver's pool. @return the buffer; NULL if the pool is empty
 */
static struct rte_mbuf *
arrive(struct sim_link *link, uint32_t queue, const struct sim_frame *frame)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(link->pools[queue]);
	char *data = mbuf == NULL ? NULL : rte_pktmbuf_append(mbuf, (uint16_t)frame->bytes);

	if (data == NULL) {
		rte_pktmbuf_free(mbuf);
		return NULL;
	}
	memcpy(data, frame->data, frame->bytes);
	link->delivered++;
	link->corrupted_delivered += frame->corrupted;
	return mbuf;
}

/**
 * The receiver's pool is empty. Keep up to SIM_LINK_RING arrived frames, as in a receive ring, and
 * drop the others.
 */
static void
ring_keep(struct sim_link *link, struct sim_frames *frames)
{
	struct sim_frame *ring[SIM_LINK_RING];
	uint32_t count = 0;

	while (sim_frames_next_ns(frames) <= *link->now_ns) {
		struct sim_frame *frame = sim_frames_pop(frames);

		if (count < SIM_LINK_RING) {
			ring[count++] = frame;
			continue;
		}
		link->no_mbuf++;
		sim_frame_free(frame);
	}
	while (count != 0)
		sim_frames_push(frames, ring[--count]);
}

uint16_t
sim_link_receive(struct sim_link *link, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max)
{
	struct sim_frames *frames = &link->queues[queue];
	uint16_t count = 0;

	while (count < max && sim_frames_next_ns(frames) <= *link->now_ns) {
		struct rte_mbuf *mbuf = arrive(link, queue, frames->heap[0]);
		struct sim_frame *frame;

		if (mbuf == NULL) {
			ring_keep(link, frames);
			break;
		}
		frame = sim_frames_pop(frames);
		if (link->trace != NULL)
			sim_trace_event(link->trace, link->way, "arrived", (int64_t)frame->serial,
				frame->bytes);
		mbufs[count++] = mbuf;
		sim_frame_free(frame);
	}
	return count;
}
