/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Runs a replay: time, sent and received frames, and the frames of the capture in order. */

#include "play.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_errno.h>
#include <rte_mbuf.h>

#include "kit/eal.h"
#include "kit/stop.h"

#include <ndpdk/nd_virtual.h>

#include "play_lack.h"
#include "play_plot.h"

#define POOL_MBUFS       8192u
#define POOL_MEGABYTES   256u
/** Maximum delay of a timer, in ns, because deadlines are counted in steps of 16.4 us. */
#define TIMER_STEP_NS    UINT64_C(16384)
/** Time for our side to finish after the last frame, in ns: acknowledgements are immediate. */
#define SETTLE_NS        UINT64_C(2000000)
/** All timers of a connection expire within this time, in ns. */
#define SILENCE_NS       UINT64_C(600000000000)
/** Shortest RNR timer, in nanoseconds. */
#define RNR_TIMER_MIN_NS UINT64_C(10000)
/** Maximum number of polls without advancing the time. */
#define TURNS_MAX        100000

bool
play_begin(const char *program, struct rte_mempool **pool, char *why, size_t size)
{
	char name[64];
	char *arguments[] = {name, NULL};
	const struct eal_arguments divided = {.application_count = 1, .application = arguments};

	snprintf(name, sizeof(name), "%s", program);
	if (!eal_start(&divided, POOL_MEGABYTES, NULL, why, size))
		return false;
	*pool = rte_pktmbuf_pool_create("ndreplay", POOL_MBUFS, 256, 0,
		RTE_PKTMBUF_HEADROOM + PACKET_BYTES_MAX, SOCKET_ID_ANY);
	if (*pool == NULL)
		eal_pool_error("captured connections", why, size);
	return *pool != NULL;
}

void
play_unjudged(struct play *play, const char *what)
{
	outcome_unjudged(play->outcome, play->number, what);
}

/* ---- frames out ---- */

/** @return the 64-bit PSN nearest to a known PSN whose low 24 bits are psn */
static uint64_t
unwrap(uint64_t near, uint32_t psn)
{
	const uint32_t ahead = (psn - (uint32_t)near) & 0xFFFFFF;

	return ahead < 0x800000 ? near + ahead : near + ahead - 0x1000000;
}

static uint64_t
packets_of(const struct play *play, uint64_t bytes)
{
	const uint64_t mtu = play->connection->path_mtu_bytes;

	return bytes == 0 || mtu == 0 ? 1 : (bytes + mtu - 1) / mtu;
}

/** Extend the PSN of a frame as in the model. A request also updates sent and sent_now. */
static void
frame_place(struct play *play, struct play_frame *frame)
{
	const uint8_t opcode = frame->headers.opcode;
	const uint32_t psn = frame->headers.psn;
	uint64_t end;

	if (opcode > PACKET_SEND_ONLY_INVALIDATE)
		return;
	if (!packet_is_request(opcode)) {
		frame->sequence = unwrap(play->answers_near,
			(psn - play->map.psn_ours + play->map.psn_recorded) & 0xFFFFFF);
		return;
	}
	frame->sequence = unwrap(play->sent, psn);
	end = frame->sequence + 1;
	if (opcode == PACKET_READ_REQUEST)
		end = frame->sequence + packets_of(play, frame->headers.length);
	if (end > play->sent)
		play->sent = end;
	if (end > play->sent_now)
		play->sent_now = end;
}

/** Draw a frame of the replay. */
static void
frame_show(const struct play *play, const uint8_t *bytes, size_t count)
{
	if (play->course != NULL)
		course_feed(play->course, play_capture_time(play, play->now_ns), bytes,
			(uint32_t)count, (uint32_t)count);
}

/**
 * The engine sets ECN bits only with a congestion control, which is off because congestion windows
 * depend on events that the capture does not show. Therefore the recorded ECN bits are set here.
 */
static void
frame_mark(const struct play *play, struct play_frame *frame)
{
	const size_t ip = frame->packet.ip;

	if (frame->headers.opcode == PACKET_UD_SEND || frame->headers.opcode == PACKET_CNP)
		return;
	frame->headers.tos |= play->ecn;
	frame->bytes[ip + 1] |= frame->packet.v6 ? (uint8_t)(play->ecn << 4) : play->ecn;
}

static void
frame_keep(struct play *play, const struct rte_mbuf *mbuf)
{
	struct play_frame *frame;

	if (play->frame_count == play->frame_room) {
		const size_t room = play->frame_room == 0 ? 256 : 2 * play->frame_room;

		frame = realloc(play->frames, room * sizeof(*frame));
		if (frame == NULL) {
			play->outcome->memory_exhausted = true;
			return;
		}
		play->frames = frame;
		play->frame_room = room;
	}
	frame = &play->frames[play->frame_count];
	*frame = (struct play_frame){
		.time_ns = play->now_ns, .count = mbuf->pkt_len, .behind = play->number};
	frame->bytes = malloc(frame->count);
	if (frame->bytes == NULL) {
		play->outcome->memory_exhausted = true;
		return;
	}
	memcpy(frame->bytes, rte_pktmbuf_read(mbuf, 0, mbuf->pkt_len, frame->bytes), mbuf->pkt_len);
	/* ARP and neighbour discovery are not part of the conversation. */
	if (!packet_find(frame->bytes, frame->count, &frame->packet) ||
		!nd_model_decode(frame->bytes, frame->count, &frame->headers) ||
		play_stale_refuses(play, &frame->packet)) {
		free(frame->bytes);
		return;
	}
	frame_mark(play, frame);
	frame_place(play, frame);
	frame_show(play, frame->bytes, frame->count);
	play->frame_count++;
	play_sent_cm(play, frame);
}

static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	struct play *play = arg;

	(void)port_id, (void)queue_id;
	for (uint16_t i = 0; i < count; i++)
		if (!play->closing)
			frame_keep(play, mbufs[i]);
	rte_pktmbuf_free_bulk(mbufs, count);
	return count;
}

nd_transmit_fn
play_transmit(void)
{
	return transmit;
}

/* ---- time ---- */

void
play_settle(struct play *play)
{
	for (uint32_t turn = 0; turn < TURNS_MAX; turn++) {
		const unsigned int done = nd_engine_poll(play->engine);

		play_results(play);
		play_calls(play);
		if (done == 0)
			return;
	}
}

static uint64_t
wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/** With --speed, wait until the clock of the machine reaches the time of the replay. */
static void
keep_pace(const struct play *play)
{
	uint64_t due_ns, now_ns;

	if (play->speed == 0)
		return;
	due_ns = play->wall_begin_ns + (play->now_ns - PLAY_BEGIN_NS) / play->speed;
	while ((now_ns = wall_ns()) < due_ns && !stop_is_wanted()) {
		const uint64_t left_ns = due_ns - now_ns;
		const struct timespec pause = {
			.tv_nsec = (long)(left_ns > 50000000 ? 50000000 : left_ns)};

		nanosleep(&pause, NULL);
	}
}

/** Advance the time to the next deadline, but not beyond until_ns. */
static void
step(struct play *play, uint64_t until_ns)
{
	uint64_t next_ns = nd_engine_next_deadline(play->engine);

	if (next_ns <= play->now_ns)
		next_ns = play->now_ns + TIMER_STEP_NS;
	play->now_ns = next_ns < until_ns ? next_ns : until_ns;
	keep_pace(play);
	play_settle(play);
	if (stop_is_wanted())
		play->stopped = true;
}

void
play_advance(struct play *play, uint64_t until_ns)
{
	while (play->now_ns < until_ns && !play->stopped)
		step(play, until_ns);
}

bool
play_wait(struct play *play, bool (*done)(const struct play *play, uint64_t argument),
	uint64_t argument, uint64_t limit_ns)
{
	const uint64_t begin_ns = play->now_ns, until_ns = begin_ns + limit_ns;

	play_settle(play);
	while (!done(play, argument) && play->now_ns < until_ns && !play->stopped)
		step(play, until_ns);
	/* All later recorded frames are delayed by the same time. */
	play->shift_ns += play->now_ns - begin_ns;
	return done(play, argument);
}

void
play_input(struct play *play, const uint8_t *bytes, size_t count)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(play->pool);
	char *room = mbuf == NULL ? NULL : rte_pktmbuf_append(mbuf, (uint16_t)count);

	if (room == NULL) {
		rte_pktmbuf_free(mbuf);
		play_unjudged(play, "a frame does not fit a packet buffer");
		return;
	}
	memcpy(room, bytes, count);
	frame_show(play, bytes, count);
	outcome_last(play->outcome)->fed++;
	nd_engine_input(play->engine, &mbuf, 1);
	play_settle(play);
}

/* ---- the capture, frame by frame ---- */

static void
own_frame(struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	if (frame->part == ND_MODEL_FRAME_CM)
		play_own_cm(play, number);
	else if (frame->part == ND_MODEL_FRAME_REQUEST && frame->operation != ND_MODEL_NONE &&
		frame->operation >= play->next_operation && !play->ended &&
		frame->sequence < play->lacks[play->ours])
		play_post(play, frame->operation);
}

/**
 * Called before an RNR NAK of the peer is replayed. Posts the requests that our side sent after the
 * RNR NAK within the shortest RNR timer. Our host posted these requests before it processed the RNR
 * NAK, although the RNR NAK was captured first.
 *
 * @param at index of the RNR NAK among the frames of the connection
 */
static void
posted_before(struct play *play, size_t at, const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;
	uint64_t number;

	for (size_t i = at + 1; (number = play_frame(play, i, &frame)) != 0 &&
		frame.time_ns - nak->time_ns < RNR_TIMER_MIN_NS;
		i++)
		if (frame.side == play->ours && frame.part == ND_MODEL_FRAME_REQUEST)
			own_frame(play, number, &frame);
}

static void
frames_play(struct play *play)
{
	struct nd_model_frame frame;
	uint64_t number, due_ns;

	for (size_t i = 0; !play->stopped && (number = play_frame(play, i, &frame)) != 0; i++) {
		due_ns = frame.time_ns - play->begin_ns + play->shift_ns;
		/* A longer silence, or a changed clock, has no effect. */
		if (frame.time_ns > play->begin_ns && due_ns > play->now_ns + SILENCE_NS) {
			play->shift_ns -= due_ns - play->now_ns - SILENCE_NS;
			due_ns = play->now_ns + SILENCE_NS;
		}
		if (frame.time_ns > play->begin_ns)
			play_pauses_pass(play, number, due_ns);
		play->number = number;
		if (frame.side == play->ours) {
			play_catch_up(play, i, &frame);
			own_frame(play, number, &frame);
			continue;
		}
		if (frame.part == ND_MODEL_FRAME_CM && play_cm_is_lost(play, i, &frame))
			continue;
		if (frame.part == ND_MODEL_FRAME_CM)
			play_before_cm(play, i, &frame);
		if (frame.part == ND_MODEL_FRAME_RNR_NAK)
			posted_before(play, i, &frame);
		if (play_lack_omits(play, &frame))
			play_unjudged(play,
				"frames of the other side that need a request that the capture "
				"lacks");
		else if (!play_is_lost(play, number) && !play_memory_is_early(play, &frame))
			play_feed(play, number, &frame);
	}
	play_advance(play, play->now_ns + SETTLE_NS);
}

static void
describe(struct play *play)
{
	struct outcome_connection *outcome = outcome_last(play->outcome);
	const struct nd_trace_connection *report = play->connection->report;

	snprintf(
		outcome->address, sizeof(outcome->address), "%s", report->side[play->ours].address);
	snprintf(outcome->peer, sizeof(outcome->peer), "%s", report->side[play->theirs].address);
}

static void
frames_free(struct play *play)
{
	for (size_t i = 0; i < play->frame_count; i++)
		free(play->frames[i].bytes);
	free(play->frames);
}

/** A replay needs frames of both sides. */
static bool
has_both_sides(struct play *play)
{
	static const char *const missing[2] = {"no frame of the played side was captured",
		"no frame of the other side was captured"};
	struct nd_model_frame frame;
	bool seen[2] = {false, false};

	for (size_t i = 0; play_frame(play, i, &frame) != 0; i++)
		seen[frame.side & 1] = true;
	play->number = play_frame(play, 0, &frame);
	if (!seen[play->ours] || !seen[play->theirs])
		play_unjudged(play, missing[seen[play->ours]]);
	return seen[0] && seen[1];
}

/** Run one replay. @return false: Ctrl-C, the process must end */
static bool
play_once(const struct play *given, struct outcome *outcome)
{
	struct play *play = malloc(sizeof(*play));
	struct nd_model_frame first;
	bool stopped;

	if (play == NULL || outcome_add(outcome, given->index, given->ours) == NULL) {
		outcome->memory_exhausted = true;
		free(play);
		return true;
	}
	*play = *given;
	play->outcome = outcome;
	outcome_last(outcome)->selective = play->keep != 0;
	play->now_ns = play->shift_ns = PLAY_BEGIN_NS;
	if (nd_model_frame_get(play->model, play->connection->first_frame, &first))
		play->begin_ns = first.time_ns;
	play->wall_begin_ns = wall_ns();
	play->course = play_plot_begin(play->capture->plot, play->index);
	describe(play);
	if (has_both_sides(play) && play_open(play)) {
		if (play->connection->req_seen || play_make_connection(play))
			frames_play(play);
		play->closing = true;
		if (!play->stopped)
			play_compare(play);
	}
	outcome_last(outcome)->sent = play->frame_count;
	play_close(play);
	frames_free(play);
	stopped = play->stopped;
	free(play);
	return !stopped;
}

/** Run another replay; the one with fewer unexplained differences counts. @return false: Ctrl-C */
static bool
play_again(const struct play *play, struct outcome *outcome, size_t first_difference)
{
	struct outcome other = {.keep_explained = outcome->keep_explained};
	const bool goes_on = play_once(play, &other);

	if (other.memory_exhausted) {
		outcome->memory_exhausted = true;
	} else if (goes_on &&
		outcome_last(&other)->unexplained < outcome_last(outcome)->unexplained) {
		outcome_replace(outcome, first_difference, &other);
		play_plot_keep(play->capture->plot, play->index);
	}
	outcome_free(&other);
	return goes_on;
}

/** Run the first or a further replay with the current settings. @return false: Ctrl-C */
static bool
play_in_turn(struct play *play, struct outcome *outcome, size_t first_difference)
{
	if (play->plays++ != 0)
		return play_again(play, outcome, first_difference);
	if (!play_once(play, outcome))
		return false;
	play_plot_keep(play->capture->plot, play->index);
	return true;
}

static bool
is_played(const struct play *play, struct outcome *outcome)
{
	return outcome->memory_exhausted ||
		(play->plays != 0 && outcome_last(outcome)->unexplained == 0);
}

/** Replay with each distance that fits the answers. @return false: Ctrl-C */
static bool
play_fitting(struct play *play, struct outcome *outcome, size_t first_difference)
{
	bool goes_on = true;

	play_fit_free(&play->fit);
	play_fit_make(play, &play->fit);
	for (size_t i = 0; i <= play->fit.other_count && goes_on && !is_played(play, outcome);
		i++) {
		play->keep = i == 0 ? play->fit.keep : play->fit.others[i - 1];
		play_fit_gaps(play, &play->fit);
		goes_on = play_in_turn(play, outcome, first_difference);
	}
	return goes_on;
}

bool
play_connection(const struct play_capture *capture, size_t index, unsigned ours, uint32_t speed,
	struct rte_mempool *pool, struct outcome *outcome)
{
	const size_t first_difference = outcome->difference_count;
	bool goes_on = true;
	struct play play = {.capture = capture,
		.model = capture->model,
		.connection = nd_model_connection(capture->model, index),
		.index = index,
		.ours = ours,
		.theirs = !ours,
		.outcome = outcome,
		.speed = speed,
		.pool = pool};

	play_prepare(&play);
	/*
	 * Packets do not show how a side recovers, or which packets were lost after the place of
	 * the capture. Therefore try all assumptions, and use the replay with the fewest
	 * unexplained differences.
	 */
	for (unsigned int i = 0;
		i < PLAY_PAUSES_WAYS * PLAY_DOUBTS && goes_on && !is_played(&play, outcome); i++) {
		play.doubts = (uint8_t)(i % PLAY_DOUBTS);
		play.pauses = (enum play_pauses)(i / PLAY_DOUBTS);
		if (play.doubts == 0)
			play_pauses_find(&play);
		goes_on = play_fitting(&play, outcome, first_difference);
	}
	play_fit_free(&play.fit);
	free(play.still.at);
	return goes_on;
}
