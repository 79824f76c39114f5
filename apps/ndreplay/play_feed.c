/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Frames of the peer: values of our side in them are translated, then the engine gets the frames.
 */

#include "play.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "mad.h"

/** Longest delay of an answer until its request is sent, in ns; longer than usual ACK timeouts. */
#define ANSWER_WAIT_NS  UINT64_C(4000000000)
/** The same for a requested part of a READ, because the engine may request other parts. */
#define PART_WAIT_NS    UINT64_C(200000000)
/** Maximum distance, in frames, between an answer and a packet that the answer acknowledges. */
#define CATCH_UP_FRAMES 4096u
/** Number of elements of an array for all counters of an adapter. */
#define COUNTERS_MAX    ((size_t)256)

static void
destination_map(const struct play *play, const struct packet *packet)
{
	if (packet_destination(packet) == play->connection->side[play->ours].qpn)
		packet_store(packet->frame + packet->bth + 5, 3, play->map.qpn);
}

/* ---- answers ---- */

static bool
is_sent_now(const struct play *play, uint64_t sequence)
{
	return play->sent_now > sequence || play->ended;
}

static bool
is_sent(const struct play *play, uint64_t sequence)
{
	return play->sent > sequence || play->ended;
}

/** @return whether the engine has sent a READ request with this PSN */
static bool
is_asked(const struct play *play, uint64_t sequence)
{
	for (size_t i = play->frame_count; i-- > 0;)
		if (play->frames[i].headers.opcode == PACKET_READ_REQUEST &&
			play->frames[i].sequence == sequence)
			return true;
	return play->ended;
}

/**
 * The response to a part of a READ that was requested again begins like a separate READ, so the
 * engine must request this part, too.
 */
static void
part_wait(struct play *play, const struct nd_model_frame *frame)
{
	if (frame->packet != 0 &&
		(frame->opcode == PACKET_READ_RESPONSE_FIRST ||
			frame->opcode == PACKET_READ_RESPONSE_ONLY))
		play_wait(play, is_asked, frame->sequence, PART_WAIT_NS);
}

/** @return whether a NAK is old: its packet is acknowledged, or its operation has completed */
static bool
is_old(const struct play *play, uint64_t sequence)
{
	const struct nd_model_operation *first =
		nd_model_operation(play->model, play->index, play->ours, play->completed);

	return sequence < play->acknowledged || first == NULL || sequence < first->sequence;
}

/** @return why the engine has not sent the request that a frame answers */
static enum outcome_reason
silence_of(const struct play *play, uint64_t number)
{
	if (number > play->end_frame)
		return OUTCOME_AFTER_END;
	if (number > play->lacks_frame)
		return OUTCOME_UNCAPTURED;
	return OUTCOME_UNEXPLAINED;
}

static void
answer_wait(struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	const bool nak = frame->part == ND_MODEL_FRAME_NAK || frame->part == ND_MODEL_FRAME_RNR_NAK;
	char expected[48];

	if (!play_wait(play, nak ? is_sent : is_sent_now, frame->sequence, ANSWER_WAIT_NS) &&
		!is_sent(play, frame->sequence)) {
		snprintf(expected, sizeof(expected), "request with PSN 0x%06" PRIx32, frame->psn);
		outcome_difference(play->outcome, number, "request", silence_of(play, number),
			expected, "none within 4 s");
	}
	/* The packet of a NAK must be retransmitted before later answers, if the NAK is not old. */
	if (nak && play->sent_now > frame->sequence && !is_old(play, frame->sequence))
		play->sent_now = frame->sequence;
	if ((nak || frame->part == ND_MODEL_FRAME_ACK) && is_sent(play, frame->sequence) &&
		frame->sequence + !nak > play->acknowledged)
		play->acknowledged = frame->sequence + !nak;
}

/* ---- requests ---- */

static void
request_execute(struct play *play, size_t operation, uint32_t packet, bool kept)
{
	const struct nd_model_operation *request =
		nd_model_operation(play->model, play->index, play->theirs, operation);

	play_memory_prepare(play, operation, packet, kept);
	play->expected++;
	if (packet + 1 >= request->packets || request->kind == ND_MODEL_READ)
		play->executed = operation + 1;
	if (request->kind == ND_MODEL_READ && request->packets > 1)
		play->expected = request->sequence + request->packets;
}

/** @return whether a packet consumes a receive: the first of a SEND, the last of a WRITE */
static bool
takes_receive(const struct play *play, const struct nd_model_frame *frame)
{
	const struct nd_model_operation *operation =
		nd_model_operation(play->model, play->index, play->theirs, frame->operation);

	return operation->kind == ND_MODEL_WRITE_IMMEDIATE ? frame->packet + 1 >= operation->packets
							   : frame->packet == 0;
}

/** Our side accepts and keeps no request until this request is retransmitted. */
static void
receive_await(struct play *play)
{
	play->waits = true;
	memset(play->ahead, 0, sizeof(play->ahead));
}

/** @return number of packets that the engine keeps and has not executed yet */
static uint64_t
kept_count(const struct play *play)
{
	struct nd_counter counters[COUNTERS_MAX];
	size_t count = nd_adapter_counters(play->adapter, counters, COUNTERS_MAX);
	uint64_t kept = 0;

	for (size_t i = 0; i < RTE_MIN(count, COUNTERS_MAX); i++)
		if (strcmp(counters[i].name, "rx_kept") == 0)
			kept += counters[i].value;
		else if (strcmp(counters[i].name, "rx_kept_executed") == 0 ||
			strcmp(counters[i].name, "rx_kept_dropped") == 0)
			kept -= counters[i].value;
	return kept;
}

/** Execute the packets kept after a gap, once the missing packets have arrived. */
static void
ahead_execute(struct play *play, uint64_t number)
{
	struct play_ahead *ahead;

	while ((ahead = &play->ahead[play->expected % PLAY_AHEAD])->there &&
		ahead->sequence == play->expected) {
		if (ahead->lacks && !play_receive(play, ahead->operation, number)) {
			receive_await(play);
			return;
		}
		ahead->there = false;
		request_execute(play, ahead->operation, ahead->packet, true);
	}
}

/**
 * Prepare memory and receives for a request of the peer. The next request in order, and kept
 * requests after it, get the recorded state of memory. A duplicate changes nothing.
 */
static void
request_take(struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	const bool there = play_receive(play, frame->operation, number);
	const bool lacks = !there && takes_receive(play, frame);

	if (frame->sequence < play->expected) {
		play_memory_repeat(play, number, frame->operation);
		return;
	}
	if (frame->sequence > play->expected) {
		if (!play->waits && frame->sequence - play->expected <= play->keep)
			play->ahead[frame->sequence % PLAY_AHEAD] =
				(struct play_ahead){.sequence = frame->sequence,
					.operation = frame->operation,
					.packet = frame->packet,
					.there = true,
					.lacks = lacks};
		return;
	}
	if (lacks) {
		receive_await(play);
		return;
	}
	play->waits = false;
	request_execute(play, frame->operation, frame->packet, false);
	if (!play->ahead[play->expected % PLAY_AHEAD].there)
		return;
	/*
	 * The engine drops packets that it has kept for a long time, which happens if the replay
	 * waited.
	 */
	if (kept_count(play) == 0)
		memset(play->ahead, 0, sizeof(play->ahead));
	ahead_execute(play, number);
}

static void
request_map(struct play *play, const struct packet *packet, uint64_t number,
	const struct nd_model_frame *frame)
{
	const size_t target = packet_target(packet), invalidate = packet_invalidate(packet);
	uint8_t *key = packet->frame + (target != 0 ? target + 8 : invalidate);
	const uint32_t psn = packet_psn(packet) - play->map.psn_recorded + play->map.psn_ours;

	play_before_request(play);
	packet_store(packet->frame + packet->bth + 9, 3, psn & 0xFFFFFF);
	play->answers_near = frame->sequence;
	if (frame->operation != ND_MODEL_NONE)
		request_take(play, number, frame);
	if (target != 0 || invalidate != 0)
		packet_store(key, 4, play_memory_key(play, (uint32_t)packet_load(key, 4), number));
}

/* ---- messages of the connection manager ---- */

static bool
is_known(const struct play *play, uint64_t transaction)
{
	return play->map.comm_id != 0 && play->map.transaction != transaction;
}

/** @return whether our side began the exchange that this message belongs to */
static bool
is_answer(const struct play *play, uint8_t attribute)
{
	switch (attribute) {
	case MAD_REP:
	case MAD_DREP:
		return true;
	case MAD_MRA:
	case MAD_REJ:
		return play->ours == 0;
	default:
		return false;
	}
}

static void
cm_map(struct play *play, const struct packet *packet)
{
	const struct nd_model_side *side = &play->connection->side[play->ours];
	uint8_t *mad = packet->frame + packet_mad(packet);
	const uint8_t attribute = mad_attribute(mad);

	if (packet_mad(packet) == 0)
		return;
	if (is_answer(play, attribute)) {
		/*
		 * For a DREP, wait for our DREQ, because its transaction ID differs from that of
		 * the REQ.
		 */
		play_wait(play, is_known, 0, ANSWER_WAIT_NS);
		mad_set_transaction(mad, play->map.transaction);
	}
	if (mad_load(mad, MAD_REMOTE_COMM_ID) != 0 &&
		mad_load(mad, MAD_REMOTE_COMM_ID) == side->comm_id)
		mad_store(mad, MAD_REMOTE_COMM_ID, play->map.comm_id);
	if (mad_load(mad, MAD_REMOTE_QPN) == side->qpn)
		mad_store(mad, MAD_REMOTE_QPN, play->map.qpn);
}

static bool
is_acknowledgement(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_ACK || part == ND_MODEL_FRAME_NAK ||
		part == ND_MODEL_FRAME_RNR_NAK || part == ND_MODEL_FRAME_READ_RESPONSE ||
		part == ND_MODEL_FRAME_ATOMIC_ACK;
}

/** @param now number of the recorded frame that is being replayed */
static void
feed(struct play *play, uint64_t number, uint64_t now, const struct nd_model_frame *frame)
{
	size_t count;
	const uint8_t *recorded = nd_model_frame_bytes(play->model, number, &count);
	uint8_t bytes[PACKET_BYTES_MAX];
	struct packet packet;
	const bool right = frame->part != ND_MODEL_FRAME_CORRUPTED;

	if (recorded == NULL || count > sizeof(bytes) || frame->part == ND_MODEL_FRAME_CUT) {
		play_unjudged(play, "frames of the other side are cut or not RoCEv2");
		return;
	}
	memcpy(bytes, recorded, count);
	if (!packet_find(bytes, count, &packet)) {
		play_unjudged(play, "frames of the other side have headers that do not fit");
		return;
	}
	if (frame->part == ND_MODEL_FRAME_CM)
		cm_map(play, &packet);
	else if (frame->part == ND_MODEL_FRAME_REQUEST)
		request_map(play, &packet, now, frame);
	else if (is_acknowledgement(frame->part))
		answer_wait(play, number, frame);
	if (frame->part == ND_MODEL_FRAME_READ_RESPONSE)
		part_wait(play, frame);
	destination_map(play, &packet);
	packet_seal(&packet, right);
	play_input(play, bytes, packet.bytes);
}

void
play_feed(struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	feed(play, number, number, frame);
}

/* ---- packets that the recorded side had received ---- */

/** @return the lowest PSN that our side can expect when it sends this answer */
static uint64_t
expected_by(const struct play *play, const struct nd_model_frame *answer)
{
	const struct nd_model_operation *operation;

	if (answer->part == ND_MODEL_FRAME_NAK || answer->part == ND_MODEL_FRAME_RNR_NAK)
		return answer->sequence;
	if (answer->part != ND_MODEL_FRAME_READ_RESPONSE || answer->operation == ND_MODEL_NONE)
		return answer->sequence + 1;
	operation = nd_model_operation(play->model, play->index, play->theirs, answer->operation);
	return operation->sequence + operation->packets;
}

/** @return whether the frames after an answer agree with it, as far as the capture shows */
static bool
is_true(const struct play *play, size_t at, const struct nd_model_frame *answer)
{
	return answer->part != ND_MODEL_FRAME_NAK ||
		play_capture_is_missed(play->capture, play->index, at, answer);
}

/** @return number of the newest captured request with this PSN; 0: none within CATCH_UP_FRAMES */
static uint64_t
request_find(
	const struct play *play, size_t before, uint64_t sequence, struct nd_model_frame *frame)
{
	for (size_t i = before; i-- > 0 && before - i < CATCH_UP_FRAMES;) {
		const uint64_t number = play_frame(play, i, frame);

		if (frame->side == play->theirs && frame->part == ND_MODEL_FRAME_REQUEST &&
			frame->sequence == sequence)
			return number;
	}
	return 0;
}

void
play_catch_up(struct play *play, size_t at, const struct nd_model_frame *answer)
{
	uint64_t target, number, before = UINT64_MAX;
	struct nd_model_frame frame;

	if (!is_acknowledgement(answer->part) || !play->connected)
		return;
	target = expected_by(play, answer);
	/* An RNR NAK or a NAK shows that its packet has arrived, too. */
	if ((answer->part == ND_MODEL_FRAME_RNR_NAK && !play->waits) ||
		(answer->part == ND_MODEL_FRAME_NAK && (answer->syndrome & 0x1F) != 0))
		target++;
	target = RTE_MIN(target, play->lacks[play->theirs]);
	if (play->expected >= target || !is_true(play, at, answer))
		return;
	while (play->expected < target && play->expected != before && !play->ended) {
		before = play->expected;
		number = request_find(play, at, before, &frame);
		if (number == 0)
			return;
		/* The request arrived before the answer. */
		feed(play, number, play->number - 1, &frame);
	}
}
