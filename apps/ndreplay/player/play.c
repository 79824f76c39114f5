/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Runs the replays of a connection. A replay has several parts (play_*.c). Only this file calls the
 * parts, which do not call each other.
 */

#include "play.h"

#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_mbuf.h>

#include "kit/eal.h"
#include "kit/stop.h"

#include "compare.h"
#include "play_answer.h"
#include "play_arrival.h"
#include "play_handshake.h"
#include "play_memory.h"
#include "play_pause.h"
#include "play_plot.h"
#include "play_prepare.h"
#include "play_search.h"
#include "play_stale.h"
#include "play_uncaptured.h"
#include "play_work.h"

#define POOL_MBUFS       8192u
#define POOL_MEGABYTES   256u
/**
 * Time in ns after the last frame in which our side can finish. The time is short, because ACKs are
 * immediate.
 */
#define SETTLE_NS        UINT64_C(2000000)
/**
 * Maximum time in ns that a replay waits between two frames. All timers of a connection expire
 * within this time.
 */
#define SILENCE_NS       UINT64_C(600000000000)
#define RNR_TIMER_MIN_NS UINT64_C(10000)

/** A connection, and the assumptions about our side in the current replay. */
struct trial {
	struct play_recorded recorded;
	struct play_search search;
	struct play_pauses pauses;
	uint16_t keep;  /**< maximum number of packets kept after a gap; 0: go-back-N */
	unsigned plays; /**< number of replays of this connection until now */
	uint32_t speed;
	struct rte_mempool *pool;
};

struct play {
	const struct play_recorded *recorded;
	struct play_pauses pauses;
	struct play_engine engine;
	struct play_map map;
	struct play_sent sent;
	struct play_arrival arrival;
	struct play_answers answers;
	struct play_handshake handshake;
	struct play_work work;
	struct play_memory memory;
	bool closing; /**< true at the end: frames of the engine are ignored */
};

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

/* ---- frames of the engine ---- */

/**
 * Extend the PSN of the engine's frame to 64 bits, as in the model. If the frame is a request,
 * update the highest PSN of our requests, too.
 */
static void
frame_place(struct play *play, struct play_frame *frame)
{
	const uint64_t mtu = play->recorded->connection->path_mtu_bytes;
	const uint8_t opcode = frame->headers.opcode;
	const uint32_t psn = frame->headers.psn;
	uint64_t packets = 1;

	if (opcode > PACKET_SEND_ONLY_INVALIDATE)
		return;
	if (!packet_is_request(opcode)) {
		frame->sequence = play_unwrap(play->sent.answers_near,
			(psn - play->map.psn + play->recorded->psn_first) & 0xFFFFFF);
		return;
	}
	frame->sequence = play_unwrap(play->sent.end, psn);
	if (opcode == PACKET_READ_REQUEST && frame->headers.length != 0 && mtu != 0)
		packets = (frame->headers.length + mtu - 1) / mtu;
	play_sent_request(&play->sent, frame->sequence + packets);
}

/**
 * Set the recorded ECN bits in a frame of the engine. The engine sets ECN bits only with congestion
 * control. A replay has no congestion control, because congestion windows depend on events that the
 * capture does not show.
 */
static void
frame_mark(const struct play_recorded *recorded, struct play_frame *frame)
{
	const size_t ip = frame->packet.ip;

	if (frame->headers.opcode == PACKET_UD_SEND || frame->headers.opcode == PACKET_CNP)
		return;
	frame->headers.tos |= recorded->ecn;
	frame->bytes[ip + 1] |= frame->packet.v6 ? (uint8_t)(recorded->ecn << 4) : recorded->ecn;
}

static void
frame_keep(struct play *play, const struct rte_mbuf *mbuf)
{
	struct play_frame frame = {
		.time_ns = play->engine.clock.now_ns, .behind = play->engine.number};
	bool *no_memory = &play->engine.outcome->memory_exhausted;

	if (!play_sent_copy(mbuf, &frame, no_memory))
		return;
	if (play_stale_refuses(play->handshake.stale_comm_id, &frame.packet)) {
		free(frame.bytes);
		return;
	}
	frame_mark(play->recorded, &frame);
	frame_place(play, &frame);
	play_show(&play->engine, frame.bytes, frame.count);
	play_map_learn(&play->map, &frame);
	if (!play_sent_add(&play->sent, &frame))
		*no_memory = true;
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

/** Process results and completed calls. Called after each poll of the engine. */
static void
polled(void *arg)
{
	struct play *play = arg;

	play_results(&play->work);
	if (play_calls(&play->handshake))
		play_memory_bind(&play->memory);
}

/* ---- frames of the peer ---- */

static void
request_execute(struct play *play, size_t operation, uint32_t packet, bool kept)
{
	play_memory_prepare(&play->memory, operation, packet, kept);
	play_arrival_execute(&play->arrival, play->recorded, operation);
}

/**
 * Prepare memory and receives before the engine gets a request of the peer. For the next request in
 * order, and for the kept requests that follow it, write the recorded content into memory. For a
 * duplicate, do not change memory.
 */
static void
request_take(struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	struct play_arrival *arrival = &play->arrival;
	const bool there = play_receive(&play->work, frame->operation, number);
	struct play_ahead *ahead;

	switch (play_arrival_take(arrival, play->recorded, frame, there)) {
	case PLAY_DUPLICATE:
		play_memory_repeat(&play->memory, number, frame->operation);
		return;
	case PLAY_LATER:
		return;
	case PLAY_NEXT:
		break;
	}
	request_execute(play, frame->operation, frame->packet, false);
	/*
	 * The engine drops packets that it has kept for too long, which happens if the replay had
	 * to wait.
	 */
	if (play_arrival_kept(arrival) != NULL && play_engine_kept(&play->engine) == 0)
		play_arrival_drop(arrival);
	while ((ahead = play_arrival_kept(arrival)) != NULL) {
		if (ahead->lacks && !play_receive(&play->work, ahead->operation, number)) {
			play_arrival_await(arrival);
			return;
		}
		ahead->there = false;
		request_execute(play, ahead->operation, ahead->packet, true);
	}
}

static void
request_feed(struct play *play, const struct packet *packet, uint64_t number,
	const struct nd_model_frame *frame)
{
	const size_t target = packet_target(packet), invalidate = packet_invalidate(packet);
	uint8_t *key = packet->frame + (target != 0 ? target + 8 : invalidate);
	uint32_t psn;

	play_before_request(&play->handshake);
	psn = packet_psn(packet) - play->recorded->psn_first + play->map.psn;
	packet_store(packet->frame + packet->bth + 9, 3, psn & 0xFFFFFF);
	play->sent.answers_near = frame->sequence;
	if (frame->operation != ND_MODEL_NONE)
		request_take(play, number, frame);
	if (target != 0 || invalidate != 0)
		packet_store(key, 4,
			play_memory_key(&play->memory, (uint32_t)packet_load(key, 4), number));
}

/**
 * Replace values of our side (key, PSN, QPN, IDs) in a frame of the peer by the values of the
 * replay, and pass the frame to the engine.
 *
 * @param number number of the frame in the capture
 * @param now number of the recorded frame that is being replayed
 */
static void
feed(struct play *play, uint64_t number, uint64_t now, const struct nd_model_frame *frame)
{
	const struct play_recorded *recorded = play->recorded;
	size_t count;
	const uint8_t *captured = nd_model_frame_bytes(recorded->model, number, &count);
	uint8_t bytes[PACKET_BYTES_MAX];
	struct packet packet;

	if (captured == NULL || count > sizeof(bytes) || frame->part == ND_MODEL_FRAME_CUT) {
		play_unjudged(
			&play->engine, "frames of the other side are truncated or not RoCEv2");
		return;
	}
	memcpy(bytes, captured, count);
	if (!packet_find(bytes, count, &packet)) {
		play_unjudged(&play->engine, "frames of the other side have invalid headers");
		return;
	}
	if (frame->part == ND_MODEL_FRAME_CM)
		play_map_cm(&play->map, recorded, &play->engine.clock, &packet);
	else if (frame->part == ND_MODEL_FRAME_REQUEST)
		request_feed(play, &packet, now, frame);
	else if (play_is_answer(frame))
		play_answer_wait(&play->answers, number, frame);
	play_map_destination(&play->map, recorded, &packet);
	packet_seal(&packet, frame->part != ND_MODEL_FRAME_CORRUPTED);
	play_input(&play->engine, bytes, packet.bytes);
}

/**
 * Called before an answer of our side (index `at`) is replayed. If the answer shows that our side
 * had received packets that the engine has not received, deliver these captured packets now.
 */
static void
catch_up(struct play *play, size_t at, const struct nd_model_frame *answer)
{
	const struct play_arrival *arrival = &play->arrival;
	uint64_t shown, number, before = UINT64_MAX;
	struct nd_model_frame frame;

	if (!play_is_answer(answer) || !play->engine.connected)
		return;
	shown = play_arrival_shown(arrival, play->recorded, at, answer);
	while (arrival->expected < shown && arrival->expected != before && !play->engine.ended) {
		before = arrival->expected;
		number = play_arrival_find(arrival, play->recorded, at, &frame);
		if (number == 0)
			return;
		/* The request arrived before the answer that is being replayed. */
		feed(play, number, play->engine.number - 1, &frame);
	}
}

/* ---- the capture, frame by frame ---- */

static void
own_frame(struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	if (frame->part == ND_MODEL_FRAME_CM)
		play_own_cm(&play->handshake, number);
	else if (frame->part == ND_MODEL_FRAME_REQUEST && frame->operation != ND_MODEL_NONE &&
		frame->operation >= play->work.next_operation && !play->engine.ended &&
		frame->sequence < play->recorded->lacks[frame->side])
		play_post(&play->work, frame->operation);
}

/**
 * Called before an RNR NAK of the peer is replayed. Our side may have sent requests so soon after
 * the RNR NAK that no RNR timer can have expired. Post these requests now. Our host posted them
 * before it processed the RNR NAK, although the RNR NAK was captured first.
 *
 * @param at index of the RNR NAK among the frames of the connection
 */
static void
posted_before(struct play *play, size_t at, const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;
	uint64_t number;

	for (size_t i = at + 1; (number = play_frame(play->recorded, i, &frame)) != 0 &&
		frame.time_ns - nak->time_ns < RNR_TIMER_MIN_NS;
		i++)
		if (frame.side == play->recorded->ours && frame.part == ND_MODEL_FRAME_REQUEST)
			own_frame(play, number, &frame);
}

static void
peer_frame(struct play *play, size_t at, uint64_t number, const struct nd_model_frame *frame)
{
	if (frame->part == ND_MODEL_FRAME_CM && play_cm_is_lost(&play->handshake, at, frame))
		return;
	if (frame->part == ND_MODEL_FRAME_CM)
		play_before_cm(&play->handshake, at, frame);
	if (frame->part == ND_MODEL_FRAME_RNR_NAK)
		posted_before(play, at, frame);
	if (play_uncaptured_omits(play->recorded, frame))
		play_unjudged(&play->engine,
			"frames of the other side that depend on a request that was not captured");
	else if (!play_is_lost(play->recorded, number) &&
		!play_memory_is_early(&play->memory, frame, play->arrival.expected))
		feed(play, number, number, frame);
}

static void
frames_play(struct play *play)
{
	struct play_clock *clock = &play->engine.clock;
	struct nd_model_frame frame;
	uint64_t number, due_ns;

	for (size_t i = 0; !clock->stopped && (number = play_frame(play->recorded, i, &frame)) != 0;
		i++) {
		due_ns = frame.time_ns - clock->begin_ns + clock->shift_ns;
		/*
		 * Shorten silences longer than SILENCE_NS, because all timers expire in this time.
		 * A change of the capture's clock may appear as a silence, too.
		 */
		if (frame.time_ns > clock->begin_ns && due_ns > clock->now_ns + SILENCE_NS) {
			clock->shift_ns -= due_ns - clock->now_ns - SILENCE_NS;
			due_ns = clock->now_ns + SILENCE_NS;
		}
		if (frame.time_ns > clock->begin_ns)
			play_pauses_pass(&play->pauses, clock, number, due_ns);
		play->engine.number = number;
		if (frame.side == play->recorded->ours) {
			catch_up(play, i, &frame);
			own_frame(play, number, &frame);
		} else {
			peer_frame(play, i, number, &frame);
		}
	}
	play_advance(clock, clock->now_ns + SETTLE_NS);
}

static void
describe(const struct play *play)
{
	const struct play_recorded *recorded = play->recorded;
	struct outcome_connection *outcome = outcome_last(play->engine.outcome);
	const struct nd_trace_connection *report = recorded->connection->report;

	snprintf(outcome->address, sizeof(outcome->address), "%s",
		report->side[recorded->ours].address);
	snprintf(
		outcome->peer, sizeof(outcome->peer), "%s", report->side[recorded->theirs].address);
	outcome->selective = play->arrival.keep != 0;
}

/** Check that frames of both sides were captured, because a replay needs both. */
static bool
has_both_sides(struct play *play)
{
	static const char *const missing[2] = {"no frame of the replayed side was captured",
		"no frame of the other side was captured"};
	const struct play_recorded *recorded = play->recorded;
	struct nd_model_frame frame;
	bool seen[2] = {false, false};

	for (size_t i = 0; play_frame(recorded, i, &frame) != 0; i++)
		seen[frame.side & 1] = true;
	play->engine.number = play_frame(recorded, 0, &frame);
	if (!seen[recorded->ours] || !seen[recorded->theirs])
		play_unjudged(&play->engine, missing[seen[recorded->ours]]);
	return seen[0] && seen[1];
}

static bool
open_all(struct play *play)
{
	return play_engine_open(
		       &play->engine, play->recorded, play->arrival.keep, transmit, play) &&
		play_memory_open(&play->memory) && play_handshake_open(&play->handshake);
}

/** Create the handshake if the capture has none. @return true if the connection is established */
static bool
make_connection(struct play *play)
{
	const bool made = play_make_connection(&play->handshake);

	play_sent_clear(&play->sent);
	return made;
}

static void
close_all(struct play *play)
{
	play->closing = true;
	if (play->engine.adapter != NULL) {
		play_work_close(&play->work);
		nd_adapter_close(play->engine.adapter);
	}
	play_memory_close(&play->memory);
	play_sent_clear(&play->sent);
}

static void
compare_all(struct play *play, const struct trial *trial)
{
	struct compare compare = {
		.recorded = play->recorded,
		.clock = &play->engine.clock,
		.sent = &play->sent,
		.search = &trial->search,
		.pauses = &play->pauses,
		.outcome = play->engine.outcome,
		.selective = trial->keep != 0,
		.withdrawn = play->handshake.withdrawn,
		.failed_frame = play->work.failed_frame,
		.unfinished = play->work.unfinished,
	};

	play_compare(&compare);
}

/** Initialize the parts of a replay, with pointers to each other. */
static void
play_init(struct play *play, const struct trial *trial, struct outcome *outcome)
{
	const struct play_recorded *recorded = &trial->recorded;
	struct play_engine *engine = &play->engine;
	const uint64_t first = recorded->first[recorded->ours];
	struct nd_model_frame frame;

	*play = (struct play){
		.recorded = recorded,
		.pauses = trial->pauses,
		.engine = {.pool = trial->pool,
			.outcome = outcome,
			.history = play_plot_begin(recorded->capture->plot, recorded->index),
			.clock = {.polled = polled, .arg = play}},
		.sent = {.end = first,
			.end_now = first,
			.answers_near = recorded->first[recorded->theirs]},
		.arrival = {.expected = recorded->first[recorded->theirs], .keep = trial->keep},
		.answers = {.recorded = recorded, .engine = engine, .sent = &play->sent},
		.handshake = {.recorded = recorded,
			.engine = engine,
			.map = &play->map,
			.pauses = trial->pauses.way != PLAY_PAUSES_NONE},
		.work = {.recorded = recorded,
			.engine = engine,
			.unfinished = UINT64_MAX,
			.failed_frame = UINT64_MAX},
		.memory = {.recorded = recorded, .engine = engine},
	};
	play_clock_begin(&engine->clock,
		nd_model_frame_get(recorded->model, recorded->connection->first_frame, &frame)
			? frame.time_ns
			: 0,
		trial->speed);
}

/** Run one replay. @return false: the user pressed Ctrl-C, and the process must end */
static bool
play_once(const struct trial *trial, struct outcome *outcome)
{
	const struct play_recorded *recorded = &trial->recorded;
	struct play *play = malloc(sizeof(*play));
	bool stopped;

	if (play == NULL || outcome_add(outcome, recorded->index, recorded->ours) == NULL) {
		outcome->memory_exhausted = true;
		free(play);
		return true;
	}
	play_init(play, trial, outcome);
	describe(play);
	if (has_both_sides(play) && open_all(play)) {
		if (recorded->connection->req_seen || make_connection(play))
			frames_play(play);
		play->closing = true;
		if (!play->engine.clock.stopped)
			compare_all(play, trial);
	}
	outcome_last(outcome)->sent = play->sent.count;
	close_all(play);
	stopped = play->engine.clock.stopped;
	free(play);
	return !stopped;
}

/* ---- assumptions about our side ---- */

/**
 * Run the replay again. Its result replaces the previous result if it has fewer unexplained
 * differences.
 *
 * @return false: the user pressed Ctrl-C
 */
static bool
play_again(const struct trial *trial, struct outcome *outcome, size_t first_difference)
{
	struct outcome other = {.keep_explained = outcome->keep_explained};
	const bool goes_on = play_once(trial, &other);

	if (other.memory_exhausted) {
		outcome->memory_exhausted = true;
	} else if (goes_on &&
		outcome_last(&other)->unexplained < outcome_last(outcome)->unexplained) {
		outcome_replace(outcome, first_difference, &other);
		play_plot_keep(trial->recorded.capture->plot, trial->recorded.index);
	}
	outcome_free(&other);
	return goes_on;
}

/** Run a replay with the current assumptions. @return false: the user pressed Ctrl-C */
static bool
play_in_turn(struct trial *trial, struct outcome *outcome, size_t first_difference)
{
	if (trial->plays++ != 0)
		return play_again(trial, outcome, first_difference);
	if (!play_once(trial, outcome))
		return false;
	play_plot_keep(trial->recorded.capture->plot, trial->recorded.index);
	return true;
}

static bool
is_played(const struct trial *trial, const struct outcome *outcome)
{
	return outcome->memory_exhausted ||
		(trial->plays != 0 &&
			outcome->connections[outcome->connection_count - 1].unexplained == 0);
}

/**
 * Run a replay for each number of kept packets that agrees with the recorded answers.
 *
 * @return false: the user pressed Ctrl-C
 */
static bool
play_fitting(struct trial *trial, struct outcome *outcome, size_t first_difference)
{
	struct play_search *search = &trial->search;
	bool goes_on = true;

	play_search_free(search);
	play_search_make(&trial->recorded, search);
	outcome->memory_exhausted |= search->no_memory;
	for (size_t i = 0; i <= search->other_count && goes_on && !is_played(trial, outcome); i++) {
		trial->keep = i == 0 ? search->keep : search->others[i - 1];
		play_search_gaps(&trial->recorded, trial->keep, search);
		outcome->memory_exhausted |= search->no_memory;
		goes_on = play_in_turn(trial, outcome, first_difference);
	}
	return goes_on;
}

bool
play_connection(const struct play_capture *capture, size_t index, unsigned ours, uint32_t speed,
	struct rte_mempool *pool, struct outcome *outcome)
{
	const size_t first_difference = outcome->difference_count;
	bool goes_on = true;
	struct trial trial = {.speed = speed,
		.pool = pool,
		.recorded = {.capture = capture,
			.model = capture->model,
			.connection = nd_model_connection(capture->model, index),
			.index = index,
			.ours = ours,
			.theirs = !ours}};

	play_prepare(&trial.recorded);
	/*
	 * Packets do not show which recovery a side uses, or which packets were lost after the
	 * capture point. Therefore try one assumption after the other, until a replay has no
	 * unexplained difference. If all replays have unexplained differences, use the replay with
	 * the fewest.
	 */
	for (unsigned int i = 0;
		i < PLAY_PAUSES_WAYS * PLAY_DOUBTS && goes_on && !is_played(&trial, outcome); i++) {
		trial.recorded.doubts = (uint8_t)(i % PLAY_DOUBTS);
		trial.pauses.way = (enum play_pauses_way)(i / PLAY_DOUBTS);
		if (trial.recorded.doubts == 0) {
			play_pauses_find(&trial.recorded, &trial.pauses);
			outcome->memory_exhausted |= trial.pauses.no_memory;
		}
		goes_on = play_fitting(&trial, outcome, first_difference);
	}
	play_search_free(&trial.search);
	free(trial.pauses.at);
	return goes_on;
}
