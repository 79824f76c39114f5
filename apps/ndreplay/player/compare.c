/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Finds the engine's counterpart of each recorded frame, and reports frames without a counterpart.
 */

#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "mad.h"
#include "play_uncaptured.h"

static const char *
kind_name(enum play_kind kind)
{
	static const char *const names[] = {"request", "ACK", "NAK", "RNR NAK", "READ response",
		"ATOMIC acknowledge", "CM message", "CNP", "packet"};

	return names[kind];
}

/* ---- the engine's frames, sorted by kind and sequence ---- */

static const struct play_frame *sorted_frames;

static int
by_place(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;
	const struct play_frame *l = &sorted_frames[*left], *r = &sorted_frames[*right];
	const enum play_kind kl = play_kind_of(&l->headers), kr = play_kind_of(&r->headers);

	if (kl != kr)
		return kl < kr ? -1 : 1;
	if (l->sequence != r->sequence)
		return l->sequence < r->sequence ? -1 : 1;
	return *left < *right ? -1 : *left > *right;
}

/**
 * @return index into `order` of the first frame that does not sort before this kind and sequence
 */
static size_t
lower_bound(const struct compare *compare, enum play_kind kind, uint64_t sequence)
{
	size_t low = 0, high = compare->sent->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct play_frame *frame = &compare->sent->frames[compare->order[middle]];
		const enum play_kind k = play_kind_of(&frame->headers);

		if (k < kind || (k == kind && frame->sequence < sequence))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * @return the engine's first frame with this kind and sequence. If there is no such frame and
 *         `behind` is set, the result is the next frame of this kind with a higher sequence. NULL:
 *         not found
 */
static struct play_frame *
find(const struct compare *compare, enum play_kind kind, uint64_t sequence, bool behind)
{
	const size_t at = lower_bound(compare, kind, sequence);
	struct play_frame *frame;

	if (at == compare->sent->count)
		return NULL;
	frame = &compare->sent->frames[compare->order[at]];
	if (play_kind_of(&frame->headers) != kind || (!behind && frame->sequence != sequence))
		return NULL;
	return frame;
}

/** @return similarity of two frames with equal kind and PSN: 0 (lowest) .. 7 */
static unsigned int
likeness(const struct compare *compare, const struct nd_model_headers *recorded,
	const struct nd_model_headers *ours)
{
	return 4u * (recorded->opcode == ours->opcode) +
		2u * (recorded->msn == ((ours->msn + compare->msn_shift) & 0xFFFFFF)) +
		(recorded->length == ours->length && recorded->syndrome == ours->syndrome);
}

/**
 * @return among the engine's frames with the kind and PSN of the recorded frame, the most similar
 *         one; NULL: no such frame
 */
static struct play_frame *
find_like(const struct compare *compare, const struct compare_frame *recorded)
{
	const uint64_t sequence = recorded->frame.sequence;
	struct play_frame *best = NULL;

	for (size_t i = lower_bound(compare, recorded->kind, sequence); i < compare->sent->count;
		i++) {
		struct play_frame *frame = &compare->sent->frames[compare->order[i]];

		if (play_kind_of(&frame->headers) != recorded->kind || frame->sequence != sequence)
			break;
		if (best == NULL ||
			likeness(compare, &recorded->headers, &frame->headers) >
				likeness(compare, &recorded->headers, &best->headers))
			best = frame;
	}
	return best;
}

static void
mark_all(const struct compare *compare, enum play_kind kind, uint64_t sequence)
{
	for (size_t i = lower_bound(compare, kind, sequence); i < compare->sent->count; i++) {
		struct play_frame *frame = &compare->sent->frames[compare->order[i]];

		if (play_kind_of(&frame->headers) != kind || frame->sequence != sequence)
			return;
		frame->matched = true;
	}
}

/* ---- frames without counterpart ---- */

static void
missing(struct compare *compare, const struct compare_frame *recorded, enum outcome_reason reason,
	const char *seen)
{
	char expected[48];

	if (reason == OUTCOME_UNEXPLAINED && recorded->kind != PLAY_CM &&
		recorded->number > compare->recorded->end_frame)
		reason = OUTCOME_AFTER_END;
	if (recorded->kind == PLAY_CM)
		snprintf(expected, sizeof(expected), "%s",
			mad_name(mad_attribute(
				recorded->packet.frame + packet_mad(&recorded->packet))));
	else
		snprintf(expected, sizeof(expected), "%s, PSN 0x%06" PRIx32,
			packet_opcode_name(recorded->headers.opcode), recorded->headers.psn);
	outcome_difference(compare->outcome, recorded->number, kind_name(recorded->kind), reason,
		expected, seen);
}

/**
 * Check the MSN of a recorded frame without a counterpart. The expected MSN is the number of
 * messages up to the frame's PSN.
 */
static void
msn_check(struct compare *compare, const struct compare_frame *recorded, uint64_t sequence)
{
	compare_number(compare, recorded->number, "MSN", recorded->headers.msn,
		(compare_messages(compare, sequence) + compare->msn_shift) & 0xFFFFFF,
		compare_msn_reason(compare, recorded, sequence));
}

/**
 * Handle a recorded ACK that the engine did not send. A different answer of the engine must
 * acknowledge the same PSN, and the MSN must be right.
 */
static void
ack_missing(struct compare *compare, const struct compare_frame *recorded)
{
	static const enum play_kind kinds[] = {
		PLAY_ACK, PLAY_READ_RESPONSE, PLAY_ATOMIC, PLAY_NAK, PLAY_RNR_NAK};
	const struct play_frame *other = NULL;
	enum play_kind kind = PLAY_ACK;

	for (size_t i = 0; other == NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		kind = kinds[i];
		other = find(compare, kind, recorded->frame.sequence, true);
	}
	if (other == NULL) {
		missing(compare, recorded, OUTCOME_UNEXPLAINED, "no answer that covers this PSN");
		return;
	}
	missing(compare, recorded, OUTCOME_ACK_COALESCING, kind_name(kind));
	compare_envelope(compare, recorded, other);
	msn_check(compare, recorded, recorded->frame.sequence);
}

/**
 * @return true if a READ request of the engine requests only a part of a READ again. Timers decide
 *         when a part is requested again.
 */
static bool
is_read_again(const struct compare *compare, const struct play_frame *ours)
{
	const struct play_recorded *recorded = compare->recorded;
	size_t low = 0, high = play_own_side(recorded)->operations;

	if (ours->headers.opcode != PACKET_READ_REQUEST)
		return false;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct nd_model_operation *operation = play_own_operation(recorded, middle);

		if (ours->sequence < operation->sequence)
			high = middle;
		else if (ours->sequence >= operation->sequence + operation->packets)
			low = middle + 1;
		else
			return operation->kind == ND_MODEL_READ &&
				ours->sequence != operation->sequence;
	}
	return false;
}

static bool
is_gap_nak(const struct nd_model_headers *headers)
{
	return play_kind_of(headers) == PLAY_NAK && (headers->syndrome & 0x1F) == 0;
}

/**
 * @return true if our side has sent data. In this case the engine may omit the RTU, because data
 *         confirm the connection, too.
 */
static bool
has_data(const struct compare *compare)
{
	const struct play_recorded *recorded = compare->recorded;

	return play_own_side(recorded)->data_seen;
}

/** @return true if our side sent a DREQ in the capture */
static bool
has_disconnected(const struct play_recorded *recorded)
{
	struct nd_model_cm_message message;

	for (size_t i = 0; play_cm(recorded, i, &message); i++)
		if (message.side == recorded->ours && message.attribute == MAD_DREQ)
			return true;
	return false;
}

static enum outcome_reason
extra_cm(const struct compare *compare, const struct play_frame *ours, uint8_t attribute)
{
	if (attribute == MAD_MRA || (attribute == MAD_RTU && has_data(compare)))
		return OUTCOME_CM_REPEAT;
	if (attribute == MAD_REJ && compare->withdrawn)
		return OUTCOME_EARLIER;
	/* After a side has sent its own DREQ, it may have ended and not answer the peer's DREQ. */
	if (attribute == MAD_DREP && has_disconnected(compare->recorded))
		return OUTCOME_AFTER_END;
	/* While a port cannot send, it drops answers. A lost DREP is not retransmitted. */
	if (attribute == MAD_DREP && play_pauses_have(compare->pauses, ours->behind))
		return OUTCOME_LOST;
	if (attribute == MAD_DREP && play_uncaptured_drep(compare->recorded))
		return OUTCOME_UNCAPTURED;
	/* After a failure, the engine sends a DREQ. Other stacks leave it to the application. */
	return attribute == MAD_DREQ && compare->recorded->end_frame != UINT64_MAX
		? OUTCOME_AFTER_END
		: OUTCOME_UNEXPLAINED;
}

/**
 * @return true if the recorded receiver may have delayed the NAK that the engine sent, or may have
 *         dropped a packet while an earlier packet was missing. In both cases the packet that the
 *         NAK requests was captured after the NAK. This packet or a later packet was captured
 *         before the NAK, too.
 */
static bool
is_overtaken(const struct play_recorded *recorded, const struct play_frame *ours)
{
	struct nd_model_frame frame;
	bool later = false;
	uint64_t number;

	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		if (frame.side != recorded->theirs || frame.part != ND_MODEL_FRAME_REQUEST)
			continue;
		if (number <= ours->behind)
			later = later || frame.sequence >= ours->sequence;
		else if (frame.sequence == ours->sequence)
			return later;
	}
	return false;
}

/**
 * @return the reason why the capture may lack a sequence NAK that the engine sent. The engine sends
 *         a sequence NAK at once, and no NAK of the engine is lost.
 */
static enum outcome_reason
extra_gap_nak(const struct compare *compare, const struct play_frame *ours)
{
	const struct play_search *search = compare->search;

	if (!compare->selective && play_numbers_have(&search->open, ours->sequence))
		return OUTCOME_LOST;
	return play_numbers_have(&search->gaps, ours->sequence) ||
			is_overtaken(compare->recorded, ours)
		? OUTCOME_NAK_DELAY
		: OUTCOME_UNEXPLAINED;
}

/**
 * @return true if a frame of the engine answers a request that the recorded side did not process
 *         because the connection had ended. Without a recorded answer, the frame cannot be
 *         compared.
 */
static bool
is_unanswered(const struct compare *compare, const struct play_frame *ours, enum play_kind kind)
{
	return (kind == PLAY_READ_RESPONSE || kind == PLAY_ATOMIC ||
		       (kind == PLAY_NAK && !is_gap_nak(&ours->headers))) &&
		ours->sequence >= compare->answered && compare->recorded->end_frame != UINT64_MAX;
}

static enum outcome_reason
extra_data(const struct compare *compare, const struct play_frame *ours, enum play_kind kind)
{
	enum outcome_reason reason;

	if (kind == PLAY_ACK)
		return OUTCOME_ACK_COALESCING;
	if (kind == PLAY_CNP)
		return OUTCOME_CONGESTION;
	if (is_read_again(compare, ours))
		return OUTCOME_REPEAT;
	/*
	 * The recorded side sent its requests more slowly than the engine, so the connection ended
	 * before the recorded side sent this request.
	 */
	if (kind == PLAY_REQUEST && ours->sequence >= compare->asks &&
		compare->recorded->end_frame != UINT64_MAX)
		return OUTCOME_AFTER_END;
	if (is_unanswered(compare, ours, kind))
		return OUTCOME_AFTER_END;
	if (kind == PLAY_REQUEST && ours->sequence >= compare->unfinished)
		return compare->recorded->connection->close == ND_MODEL_OPEN ? OUTCOME_UNCAPTURED
									     : OUTCOME_AFTER_END;
	if (is_gap_nak(&ours->headers))
		reason = extra_gap_nak(compare, ours);
	else
		reason = play_uncaptured_reason(
			compare->recorded, ours->sequence, kind != PLAY_REQUEST);
	if (reason == OUTCOME_UNEXPLAINED && ours->behind > compare->recorded->silent_frame)
		reason = OUTCOME_AFTER_END;
	return reason;
}

static void
extra(struct compare *compare, const struct play_frame *ours)
{
	const enum play_kind kind = play_kind_of(&ours->headers);
	struct outcome_difference *difference;
	enum outcome_reason reason;
	char seen[48];

	if (kind == PLAY_CM) {
		const uint8_t attribute = mad_attribute(ours->bytes + packet_mad(&ours->packet));

		reason = extra_cm(compare, ours, attribute);
		snprintf(seen, sizeof(seen), "%s", mad_name(attribute));
	} else {
		reason = extra_data(compare, ours, kind);
		snprintf(seen, sizeof(seen), "%s, PSN 0x%06" PRIx32,
			packet_opcode_name(ours->headers.opcode),
			(uint32_t)ours->sequence & 0xFFFFFF);
	}
	difference = outcome_difference(compare->outcome, 0, kind_name(kind), reason, "none", seen);
	if (difference == NULL)
		return;
	difference->time_ns = play_capture_time(compare->clock, ours->time_ns);
	difference->sequence = ours->sequence;
	difference->has_psn = kind != PLAY_CM && kind != PLAY_CNP && kind != PLAY_OTHER;
	difference->is_answer = kind != PLAY_REQUEST;
}

/* ---- recorded frames in order ---- */

/**
 * @return true if two messages have the same attribute. Two REJs must also reject the same message
 *         for the same reason.
 */
static bool
is_same_cm(const uint8_t *a, const uint8_t *b)
{
	if (mad_attribute(a) != mad_attribute(b))
		return false;
	return mad_attribute(a) != MAD_REJ ||
		(mad_load(a, MAD_REJECTED_MESSAGE) == mad_load(b, MAD_REJECTED_MESSAGE) &&
			mad_load(a, MAD_REJECT_REASON) == mad_load(b, MAD_REJECT_REASON));
}

/** Mark all messages of the engine that are equal to mad as matched. @return the first of them */
static struct play_frame *
find_same_cm(const struct compare *compare, const uint8_t *mad)
{
	struct play_frame *same = NULL;

	for (size_t i = 0; i < compare->sent->count; i++) {
		struct play_frame *frame = &compare->sent->frames[i];
		const size_t at = packet_mad(&frame->packet);

		if (at == 0 || !is_same_cm(frame->bytes + at, mad))
			continue;
		if (same == NULL)
			same = frame;
		frame->matched = true;
	}
	return same;
}

/**
 * @return the engine's first message equal to mad. If there is no such message, the result is the
 *         first message with the same attribute. NULL: there is no such message, either
 */
static struct play_frame *
find_cm(const struct compare *compare, const uint8_t *mad)
{
	struct play_frame *same = find_same_cm(compare, mad);

	for (size_t i = 0; same == NULL && i < compare->sent->count; i++) {
		const struct play_frame *frame = &compare->sent->frames[i];
		const size_t at = packet_mad(&frame->packet);

		/*
		 * Mark retransmissions of this message as matched, too, because they have the same
		 * difference.
		 */
		if (at != 0 && mad_attribute(frame->bytes + at) == mad_attribute(mad))
			same = find_same_cm(compare, frame->bytes + at);
	}
	return same;
}

/**
 * Each stack decides how long it remembers an attempt to connect that it gave up. During this time
 * the stack repeats its REJ. Afterwards it rejects messages of the attempt as unknown. A repeated
 * REJ may be the first message of a connection, if a new attempt with the same IDs follows.
 *
 * @return true if this REJ may belong to an earlier attempt
 */
static bool
is_earlier(const struct compare *compare, const uint8_t *mad)
{
	const struct play_recorded *recorded = compare->recorded;

	if (mad_attribute(mad) != MAD_REJ)
		return false;
	if (recorded->ours == 0)
		return compare->withdrawn && mad_load(mad, MAD_REJECT_REASON) == MAD_REASON_COMM_ID;
	return recorded->connection->side[1].qpn == 0 && /* no REP */
		mad_load(mad, MAD_REJECTED_MESSAGE) == MAD_REJECTED_OTHER;
}

/**
 * @return true if our side has forgotten that it rejected this request. In this case it may treat a
 *         retransmission of the request as new, and reject it for a different reason.
 */
static bool
is_renewed(const struct compare *compare, const struct compare_frame *recorded, const uint8_t *mad)
{
	const uint64_t reason = mad_load(mad, MAD_REJECT_REASON);
	struct nd_model_cm_message message;

	if (compare->recorded->ours == 0 || mad_attribute(mad) != MAD_REJ ||
		(reason != MAD_REASON_SERVICE && reason != MAD_REASON_CONSUMER))
		return false;
	for (size_t i = 0;
		play_cm(compare->recorded, i, &message) && message.frame < recorded->number; i++)
		if (message.side == compare->recorded->ours && message.attribute == MAD_REJ)
			return message.local_comm_id != mad_load(mad, MAD_LOCAL_COMM_ID);
	return false;
}

/** Compare a second rejection of the same request with the first rejection. */
static void
renewed_compare(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours)
{
	const uint8_t *a = recorded->packet.frame + packet_mad(&recorded->packet);
	const uint8_t *b = ours->bytes + packet_mad(&ours->packet);

	missing(compare, recorded, OUTCOME_EARLIER, "the first REJ again");
	compare_envelope(compare, recorded, ours);
	compare_number(compare, recorded->number, "transaction ID", mad_transaction(a),
		mad_transaction(b), OUTCOME_UNEXPLAINED);
	compare_number(compare, recorded->number, "remote communication ID",
		mad_load(a, MAD_REMOTE_COMM_ID), mad_load(b, MAD_REMOTE_COMM_ID),
		OUTCOME_UNEXPLAINED);
	compare_number(compare, recorded->number, "message", mad_load(a, MAD_REJECTED_MESSAGE),
		mad_load(b, MAD_REJECTED_MESSAGE), OUTCOME_UNEXPLAINED);
}

static void
cm_compare(struct compare *compare, const struct compare_frame *recorded)
{
	const uint8_t *mad = recorded->packet.frame + packet_mad(&recorded->packet);
	const uint8_t attribute = mad_attribute(mad);
	const struct play_frame *ours = find_cm(compare, mad);

	if (is_earlier(compare, mad) &&
		(ours == NULL || !is_same_cm(ours->bytes + packet_mad(&ours->packet), mad)))
		missing(compare, recorded, OUTCOME_EARLIER, "another message");
	else if (ours != NULL && is_renewed(compare, recorded, mad))
		renewed_compare(compare, recorded, ours);
	else if (ours != NULL)
		compare_cm(compare, recorded, ours);
	else if (attribute == MAD_REJ && !mad_can_reject(mad))
		outcome_unjudged(compare->outcome, recorded->number,
			"a REJ with a reason that no application can give");
	else if (attribute == MAD_DREQ && recorded->number > compare->recorded->end_frame)
		missing(compare, recorded, OUTCOME_AFTER_END, "none");
	else if (attribute == MAD_MRA)
		missing(compare, recorded, OUTCOME_CM_REPEAT, "none");
	else if (play_uncaptured_prompts(compare->recorded, recorded->number, attribute))
		outcome_unjudged(compare->outcome, recorded->number,
			"messages that answer a message that was not captured");
	else
		missing(compare, recorded, OUTCOME_UNEXPLAINED, "none");
}

/** @return true if a frame is a sequence NAK, and the engine sent an RNR NAK for the same PSN */
static bool
is_behind_rnr(const struct compare *compare, const struct compare_frame *recorded)
{
	return is_gap_nak(&recorded->headers) &&
		find(compare, PLAY_RNR_NAK, recorded->frame.sequence, false) != NULL;
}

static void
data_compare(struct compare *compare, const struct compare_frame *recorded)
{
	const uint64_t sequence = recorded->frame.sequence;
	struct play_frame *ours = find_like(compare, recorded);
	const bool early = play_numbers_have(&compare->search->early, recorded->number);

	if (recorded->kind == PLAY_ACK && sequence >= compare->asked)
		missing(compare, recorded, OUTCOME_UNEXPLAINED, "no request with this PSN yet");
	else if (early)
		missing(compare, recorded, OUTCOME_UNEXPLAINED, "an earlier request is missing");
	if (ours != NULL) {
		compare_fields(compare, recorded, ours);
		mark_all(compare, recorded->kind, sequence);
	} else if (recorded->kind == PLAY_ACK) {
		ack_missing(compare, recorded);
	} else if (early) {
		msn_check(compare, recorded, sequence - 1);
	} else if (is_behind_rnr(compare, recorded)) {
		missing(compare, recorded, OUTCOME_NAK_RNR, "none");
		msn_check(compare, recorded, sequence - 1);
	} else if (is_gap_nak(&recorded->headers) &&
		play_numbers_have(&compare->search->naks, recorded->number)) {
		missing(compare, recorded, OUTCOME_NAK_DELAY, "none");
		msn_check(compare, recorded, sequence - 1);
	} else if (recorded->kind == PLAY_REQUEST && compare_is_split(compare, recorded)) {
		missing(compare, recorded, OUTCOME_REPEAT, "none");
	} else if (recorded->kind == PLAY_CNP) {
		missing(compare, recorded, OUTCOME_CONGESTION, "none");
	} else {
		missing(compare, recorded, OUTCOME_UNEXPLAINED, "none");
	}
}

static void
recorded_compare(struct compare *compare, uint64_t number, const struct nd_model_frame *frame)
{
	struct compare_frame recorded = {.number = number, .frame = *frame};
	size_t count;
	const uint8_t *bytes = nd_model_frame_bytes(compare->recorded->model, number, &count);

	if (frame->part == ND_MODEL_FRAME_CORRUPTED) {
		outcome_difference(
			compare->outcome, number, "ICRC", OUTCOME_CORRUPTED, "wrong", "correct");
		return;
	}
	if (bytes == NULL || !packet_find((uint8_t *)(uintptr_t)bytes, count, &recorded.packet) ||
		!nd_model_decode(bytes, count, &recorded.headers)) {
		outcome_unjudged(compare->outcome, number,
			"frames of the replayed side are truncated, corrupted or not RoCEv2");
		return;
	}
	recorded.kind = play_kind_of(&recorded.headers);
	outcome_last(compare->outcome)->compared++;
	if (recorded.kind != PLAY_CM)
		data_compare(compare, &recorded);
	else if (packet_mad(&recorded.packet) != 0)
		cm_compare(compare, &recorded);
	else
		outcome_unjudged(compare->outcome, number, "datagrams that are not CM messages");
}

/** @return whether a frame of the engine cannot be compared with recorded frames */
static bool
is_hidden(const struct compare *compare, const struct play_frame *ours)
{
	return ours->behind >= compare->failed_frame ||
		play_uncaptured_hides_ours(compare->recorded, ours);
}

static void
frames_compare(struct compare *compare)
{
	const struct play_recorded *recorded = compare->recorded;

	struct nd_model_frame frame;
	uint64_t number, end;

	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		end = frame.part == ND_MODEL_FRAME_REQUEST ? play_request_end(recorded, &frame) : 0;
		if (frame.side != recorded->ours) {
			compare->asked = RTE_MAX(compare->asked, end);
			continue;
		}
		if (number > compare->failed_frame ||
			play_uncaptured_hides(recorded, number, &frame))
			outcome_unjudged(compare->outcome, number,
				"frames after a request that was not captured");
		else
			recorded_compare(compare, number, &frame);
		compare->asks = RTE_MAX(compare->asks, end);
		if (play_is_answer(&frame))
			compare->answered = RTE_MAX(compare->answered, frame.sequence + 1);
	}
}

void
play_compare(struct compare *compare)
{
	const struct play_recorded *recorded = compare->recorded;
	const struct play_sent *sent = compare->sent;

	compare->order = calloc(sent->count + 1, sizeof(*compare->order));
	if (compare->order == NULL) {
		compare->outcome->memory_exhausted = true;
		return;
	}
	compare->msn_known = true;
	for (size_t i = 0; i < nd_model_limit_count(recorded->model); i++) {
		const struct nd_model_limit *limit = nd_model_limit(recorded->model, i);

		if (limit->connection == recorded->index && limit->kind == ND_MODEL_LIMIT_MIDDLE)
			compare->msn_known = false;
	}
	for (size_t i = 0; i < sent->count; i++)
		compare->order[i] = (uint32_t)i;
	sorted_frames = sent->frames;
	qsort(compare->order, sent->count, sizeof(*compare->order), by_place);
	frames_compare(compare);
	for (size_t i = 0; i < sent->count; i++)
		if (!sent->frames[i].matched && !is_hidden(compare, &sent->frames[i]))
			extra(compare, &sent->frames[i]);
	free(compare->order);
	free(compare->pairs);
}
