/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/answer.h"

#include <inttypes.h>
#include <string.h>

#include <rte_common.h>

#include "base/limits.h"
#include "base/psn.h"

void
trace_answer_count(struct nd_trace_side *responder, const struct wire_view *view)
{
	if (view->traits->kind != WIRE_KIND_ACKNOWLEDGE)
		return;
	switch (wire_aeth_type(view->aeth.syndrome)) {
	case WIRE_AETH_ACK:
		responder->acks++;
		break;
	case WIRE_AETH_RNR_NAK:
		responder->rnr_naks++;
		break;
	case WIRE_AETH_NAK:
		responder->naks_sequence += view->aeth.syndrome == WIRE_NAK_SEQUENCE;
		responder->naks_invalid += view->aeth.syndrome == WIRE_NAK_INVALID_REQUEST;
		responder->naks_access += view->aeth.syndrome == WIRE_NAK_REMOTE_ACCESS;
		responder->naks_operation += view->aeth.syndrome == WIRE_NAK_REMOTE_OPERATION;
		responder->naks_fatal += view->aeth.syndrome >= WIRE_NAK_INVALID_REQUEST &&
			view->aeth.syndrome <= WIRE_NAK_REMOTE_OPERATION;
		break;
	case WIRE_AETH_RESERVED:
		break;
	}
}

/* @return the READ or atomic whose request or responses use this PSN; NULL: none is known */
static struct trace_read *
read_owning(const struct trace_sender *sender, uint64_t seq)
{
	struct trace_read *read;

	if (sender->reads == NULL || trace_sender_record(sender, seq) != NULL)
		return NULL;
	read = trace_reads_find(sender->reads, seq);
	return read != NULL && (read->count != 0 || read->seq == seq) ? read : NULL;
}

static void
executed_raise(struct trace_answers *answers, uint64_t seq, bool message,
	const struct trace_packet *packet)
{
	if (answers->any && seq <= answers->executed_seq)
		return;
	answers->any = true;
	answers->executed_ns = packet->time_ns;
	answers->executed_seq = seq;
	answers->executed_msn = packet->view.aeth.msn;
	answers->executed_message = message;
}

/*
 * RC-041: the MSN never decreases from one answer to a later answer. Reports an MSN that is lower.
 *
 * @return true if the MSN is lower
 */
static bool
msn_falls(const struct trace_answers *answers, uint64_t seq, const struct trace_packet *packet)
{
	const uint32_t msn = packet->view.aeth.msn;

	if (!answers->any || seq <= answers->executed_seq ||
		psn_diff(msn, answers->executed_msn) >= 0)
		return false;
	trace_violations_add(packet->violations, packet->frame, TRACE_RC_041,
		"MSN decreases from %u to %u", answers->executed_msn, msn);
	return true;
}

void
trace_answer_executed(const struct trace_exchange_sides *sides, uint64_t seq, bool told,
	const struct trace_packet *packet)
{
	if (packet->view.traits->has_aeth) {
		if (!told)
			msn_falls(sides->answers, seq, packet);
		executed_raise(sides->answers, seq, true, packet);
	}
	trace_keys_executed(&sides->sender->keys, seq, packet);
	trace_sender_received(sides->sender, seq, true, packet);
}

/*
 * @return true if an answer was certainly sent after the answer that raised executed_seq. Proofs
 * are the capture time, the IP identification, and a higher MSN. An equal MSN is a proof only if
 * the earlier answer ended a message, because the MSN does not change within a message.
 */
static bool
is_later(const struct trace_exchange_sides *sides, const struct trace_packet *packet)
{
	const struct trace_answers *answers = sides->answers;
	const int32_t ahead = psn_diff(packet->view.aeth.msn, answers->executed_msn);

	return sides->in_order || ahead > 0 || (ahead == 0 && answers->executed_message) ||
		trace_elapsed_ns(answers->executed_ns, packet) > TRACE_REORDER_NS;
}

/*
 * @return true if a NAK certainly refuses a request that was executed before. The ACK of a
 *         retransmission may overtake the NAK of the original, which is no error. The overtaken
 *         NAK usually has a lower MSN than the ACK. If the ACK was for the middle of a message,
 *         both MSNs are equal, and only the time shows the order.
 */
static bool
refuses_executed(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_answers *answers = sides->answers;

	return answers->any && seq < answers->executed_seq && is_later(sides, packet);
}

static void
suspicion_report(const struct trace_suspicion *suspicion, const struct trace_damages *damages,
	bool proven, struct trace_violations *list)
{
	struct trace_party before = trace_violations_blame(list, suspicion->party);
	char damaged[TRACE_DAMAGES_WORDS];

	trace_damages_words(damages, suspicion->value, false, damaged);
	if (suspicion->rule == TRACE_RC_070 && proven && damaged[0] == '\0')
		trace_violations_add(list, suspicion->frame, TRACE_RC_070,
			"%s with PSN %u, which was never requested", suspicion->what,
			suspicion->value);
	else if (suspicion->rule == TRACE_RC_070)
		trace_violations_doubt(list, suspicion->frame, TRACE_RC_070,
			"%s with PSN %u, but its request was not captured%s", suspicion->what,
			suspicion->value, damaged);
	else if (proven)
		trace_violations_add(list, suspicion->frame, TRACE_RC_041,
			"MSN is %u after %" PRIu64 " messages", suspicion->value,
			suspicion->messages);
	else
		trace_violations_doubt(list, suspicion->frame, TRACE_RC_041,
			"MSN is %u, but %" PRIu64 " messages were captured", suspicion->value,
			suspicion->messages);
	trace_violations_blame(list, before);
}

/*
 * @return true if the next new request proves that the suspected answer violates a rule. For
 * RC-070, this request may also be the retransmission of a request that is missing in the
 * capture. Then the suspected ACK was for the missing request, and its MSN counts the
 * message if the request ends a message. A SEND with Invalidate is no proof, because
 * Soft-RoCE does not count a SEND with Invalidate that fails.
 */
static bool
is_proven(const struct trace_suspicion *suspicion, const struct trace_sender *sender,
	const struct trace_packet *request)
{
	const struct wire_opcode_traits *traits = request->view.traits;

	return suspicion->provable && sender->newest_seq == suspicion->next_seq &&
		(suspicion->rule != TRACE_RC_070 || (traits->ends && !traits->has_ieth));
}

void
trace_answer_resolve(struct trace_answers *answers, const struct trace_sender *sender,
	const struct trace_packet *request, struct trace_violations *violations)
{
	struct trace_suspicion *suspicion = &answers->suspicion;

	if (!suspicion->open)
		return;
	if (request != NULL && sender->next_seq == suspicion->next_seq)
		return; /* a retransmission */
	suspicion->open = false;
	suspicion_report(suspicion, &sender->damages,
		request != NULL && is_proven(suspicion, sender, request), violations);
}

/*
 * Open a suspicion. Only one suspicion is open at a time, because further answers of this kind have
 * the same cause. Likewise, one suspicion covers all responses to a damaged READ request.
 */
static void
suspect(const struct trace_exchange_sides *sides, enum trace_rule rule, bool provable,
	const struct trace_packet *packet)
{
	struct trace_suspicion *suspicion = &sides->answers->suspicion;
	uint64_t damaged = 0;

	if (rule == TRACE_RC_070)
		damaged = trace_damages_request(&sides->sender->damages, packet->view.bth.psn);
	if (suspicion->open || (damaged != 0 && damaged == suspicion->damaged))
		return;
	*suspicion = (struct trace_suspicion){
		.open = true,
		.provable = provable,
		.next_seq = sides->sender->next_seq,
		.frame = packet->frame,
		.rule = rule,
		.what = packet->view.traits->name,
		.value = rule == TRACE_RC_070 ? packet->view.bth.psn : packet->view.aeth.msn,
		.messages = sides->sender->assembly.messages,
		.damaged = damaged,
		.party = packet->violations->party,
	};
	if (!trace_violations_complete(packet->violations))
		return;
	suspicion->open = false;
	suspicion_report(suspicion, &sides->sender->damages, true, packet->violations);
}

/* @return true if the MSN counts more messages than were seen; false: no, or not known */
static bool
counts_unseen(const struct trace_sender *sender, const struct trace_packet *packet)
{
	return sender->counted && sender->chain_seq == sender->next_seq &&
		psn_diff(packet->view.aeth.msn, (uint32_t)(sender->assembly.messages & PSN_MASK)) >
		0;
}

/* RC-041: the MSN never exceeds the number of messages that the requester sent. */
static void
msn_check(const struct trace_exchange_sides *sides, const struct trace_packet *packet)
{
	if (counts_unseen(sides->sender, packet))
		suspect(sides, TRACE_RC_041, true, packet);
}

/* RC-070: judge an answer if no request with its PSN was seen. */
static void
unrequested_judge(const struct trace_exchange_sides *sides, const struct trace_packet *packet)
{
	const struct trace_sender *sender = sides->sender;
	bool known = sender->reads == NULL || sender->reads->unresolved == 0;
	/* Only an ACK can be a proof, because a NAK does not count the request that it refuses. */
	bool provable = packet->view.traits->has_aeth &&
		wire_aeth_type(packet->view.aeth.syndrome) == WIRE_AETH_ACK && sender->counted &&
		sender->chain_seq == sender->next_seq && !counts_unseen(sender, packet);

	if (sender->trusted && known)
		suspect(sides, TRACE_RC_070, provable, packet);
	else if (packet->view.traits->kind == WIRE_KIND_ATOMIC_ACKNOWLEDGE)
		trace_atomic_unseen(packet);
}

/*
 * RC-041: the MSN of an answer is at least the number of messages that end at or before its PSN.
 * For a SEND with Invalidate, a value that is lower by one is tolerated, because Soft-RoCE does not
 * count the message if the invalidation fails after the acknowledgement.
 */
static void
ack_msn_check(const struct trace_exchange_sides *sides, const struct trace_record *record,
	uint64_t seq, const struct trace_packet *packet)
{
	struct trace_answers *answers = sides->answers;
	uint32_t msn = packet->view.aeth.msn;

	if (!msn_falls(answers, seq + 1, packet) && record != NULL && sides->sender->counted &&
		seq < sides->sender->chain_seq &&
		psn_diff(msn, record->messages & PSN_MASK) <
			-(int32_t)wire_opcode_traits(record->opcode)->has_ieth)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_041,
			"MSN is %u for the last PSN of message %u", msn, record->messages);
	if (!answers->acknowledged || seq > answers->ack_seq) {
		answers->acknowledged = true;
		answers->ack_ns = packet->time_ns;
		answers->ack_seq = seq;
		answers->ack_msn = msn;
	}
}

/* @return true if this ACK has a lower PSN but a higher MSN than the ACK with the highest PSN */
static bool
counts_newer(const struct trace_answers *answers, const struct trace_packet *packet)
{
	return psn_diff(packet->view.aeth.msn, answers->ack_msn) > 0;
}

static void
ack_judge(const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_record *record = trace_sender_record(sides->sender, seq);
	const struct trace_read *read = read_owning(sides->sender, seq);
	bool ends;

	/*
	 * RC-047. Soft-RoCE acknowledges a retransmitted SEND with the PSN of the newest request,
	 * even if that request is a READ or atomic. Such an ACK is harmless if the READ or atomic
	 * was answered before.
	 */
	if (read != NULL && read->answered != 0 && read->answered == read->count)
		return;
	if (read != NULL) {
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_047,
			"Acknowledge carries PSN %u of the %s in frame %" PRIu64,
			packet->view.bth.psn, wire_opcode_traits(read->opcode)->name, read->frame);
		return;
	}
	/* RC-055: even the ACK of a retransmission contains the newest PSN, not a lower PSN. */
	if (sides->answers->acknowledged && seq < sides->answers->ack_seq &&
		(sides->in_order || counts_newer(sides->answers, packet) ||
			trace_elapsed_ns(sides->answers->ack_ns, packet) > TRACE_REORDER_NS))
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_055,
			"Acknowledge has PSN %u, but PSN %u has already been acknowledged",
			packet->view.bth.psn, (uint32_t)(sides->answers->ack_seq & PSN_MASK));
	ack_msn_check(sides, record, seq, packet);
	ends = record != NULL && wire_opcode_traits(record->opcode)->ends;
	executed_raise(sides->answers, seq + 1, ends, packet);
	if (sides->sender->reads != NULL)
		trace_reads_overtake(sides->sender->reads, seq, packet->frame, packet->time_ns);
	trace_keys_executed(&sides->sender->keys, seq + 1, packet);
	trace_sender_received(sides->sender, seq + 1, true, packet);
}

/*
 * RC-041: the MSN of a NAK is the number of messages that end before its PSN. The MSN may be higher
 * if the NAK refuses a READ, because a responder may execute later requests before it has sent all
 * responses. Exception for a SEND with Invalidate: see ack_msn_check().
 */
static void
nak_msn_check(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_sender *sender = sides->sender;
	const struct trace_record *before = trace_sender_record(sender, seq - 1);
	const struct trace_read *read = before == NULL ? read_owning(sender, seq - 1) : NULL;
	const bool is_first = sender->trusted && seq == sender->first_seq;
	uint32_t messages = 0;
	int32_t ahead;

	if (!sender->counted || seq > sender->chain_seq ||
		(!is_first && before == NULL && read == NULL))
		return;
	if (!is_first)
		messages = before != NULL ? before->messages : read->messages;
	ahead = psn_diff(packet->view.aeth.msn, messages & PSN_MASK);
	if (ahead == 0 || (ahead > 0 && read_owning(sender, seq) != NULL) ||
		(ahead == -1 && before != NULL && wire_opcode_traits(before->opcode)->has_ieth))
		return;
	trace_violations_add(packet->violations, packet->frame, TRACE_RC_041,
		"MSN is %u in the NAK after %u messages", packet->view.aeth.msn, messages);
}

/*
 * RC-034, RC-060: a NAK proves that all requests before seq were executed. The responder sends the
 * NAK after the responses to all earlier READs and atomics.
 */
static void
nak_executed(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	nak_msn_check(sides, seq, packet);
	if (sides->sender->reads != NULL)
		trace_reads_overtake(sides->sender->reads, seq, packet->frame, packet->time_ns);
	trace_sender_received(sides->sender, seq, false, packet);
}

/*
 * RC-023: with a sequence NAK, the responder requests the expected PSN after a later packet
 * arrived.
 */
static void
sequence_nak_judge(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_sender *sender = sides->sender;
	const struct trace_read *read = read_owning(sender, seq);
	const char *why = NULL;

	/*
	 * A later packet must have arrived before the NAK. The first known request is an exception:
	 * if an earlier, unknown request arrived after it, the responder has dropped the first
	 * known request as out of order. A responder that sends one NAK for a burst then requests
	 * its PSN.
	 */
	if (sender->trusted && seq >= sender->newest_seq && seq == sender->first_seq) {
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_023,
			"sequence NAK expects PSN %u, but no other request was sent",
			packet->view.bth.psn);
		return;
	}
	if (read != NULL && read->seq != seq)
		why = "which lies within a READ";
	else if (refuses_executed(sides, seq, packet))
		why = "which has been acknowledged";
	if (why != NULL)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_023,
			"sequence NAK expects PSN %u, %s", packet->view.bth.psn, why);
	else
		nak_executed(sides, seq, packet);
}

/*
 * RC-028, RC-024: judge an RNR NAK. READs and atomics may be answered by an RNR NAK if the
 * responder lacks resources.
 */
static void
rnr_judge(const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_record *record = trace_sender_record(sides->sender, seq);

	if (record == NULL)
		return;
	if (!wire_opcode_traits(record->opcode)->needs_receive)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_028,
			"RNR NAK for a %s, which needs no receive",
			wire_opcode_traits(record->opcode)->name);
	else if (refuses_executed(sides, seq, packet))
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_024,
			"RNR NAK for PSN %u, which has been acknowledged", packet->view.bth.psn);
	else
		nak_executed(sides, seq, packet);
}

/*
 * A retransmitted READ may be refused, because its memory may no longer be valid (RC-057). If the
 * READ was answered before, the connection may continue: a responder may treat the retransmission
 * as a packet that the network delayed.
 */
static bool
refuses_repetition(const struct trace_read *read, uint64_t seq)
{
	return read != NULL && seq - read->seq < read->answered;
}

/*
 * @return true if a NAK refuses a retransmitted READ that was answered before. Such a NAK is
 *         allowed, because the memory of the READ may no longer be valid (RC-057). The connection
 *         may continue after this NAK, because a responder may treat the retransmission as a packet
 *         that the network delayed.
 */
static bool
before_goes_on(const struct trace_sender *sender, uint64_t seq)
{
	const struct trace_record *before = trace_sender_record(sender, seq - 1);

	return before != NULL && !wire_opcode_traits(before->opcode)->ends;
}

/*
 * RC-028: a responder accepts as many READs and atomics as it granted in the CM exchange. Nothing
 * is reported if NAK 0x61 can have a different reason: the queue pair allows no READs or atomics,
 * the address of an atomic is misaligned, the length is too large, or the request interrupts a
 * message.
 */
static void
limit_check(const struct trace_exchange_sides *sides, const struct trace_read *read, uint64_t seq,
	const struct trace_packet *packet)
{
	const struct trace_sender *sender = sides->sender;
	const bool atomic = wire_opcode_traits(read->opcode)->kind == WIRE_KIND_ATOMIC;

	if (packet->view.aeth.syndrome != WIRE_NAK_INVALID_REQUEST || seq != read->seq ||
		sender->depth == TRACE_DEPTH_UNKNOWN || read->outstanding == 0 ||
		read->outstanding > sender->depth || before_goes_on(sender, seq) ||
		read->bytes >= LIMIT_MESSAGE_BYTES || (atomic && read->address % 8 != 0) ||
		!trace_reads_answered(sender->reads, read->opcode))
		return;
	if (seq >= sender->chain_seq)
		return; /* requests before the READ or atomic may be missing in the capture */
	trace_violations_add(packet->violations, packet->frame, TRACE_RC_028,
		"NAK 0x61 refuses the %s in frame %" PRIu64
		", but %u READs and atomics were outstanding, and the CM allowed %u",
		wire_opcode_traits(read->opcode)->name, read->frame, read->outstanding,
		sender->depth);
}

/*
 * @return true if the responder has accepted WRITEs, but has neither accepted nor sent a packet
 * with the full path MTU of the requester. Considers only requests before seq.
 */
static bool
takes_short_writes(const struct trace_sender *sender, uint64_t seq)
{
	const uint64_t kept = RTE_MIN(seq - sender->first_seq, (uint64_t)TRACE_RECORDS);
	bool takes = false;

	if (sender->reads != NULL && trace_reads_long(sender->reads))
		return false;
	for (uint64_t at = seq - kept; at < seq; at++) {
		const struct trace_record *record = trace_sender_record(sender, at);

		if (record == NULL)
			continue;
		if (!wire_opcode_traits(record->opcode)->ends)
			return false;
		takes |= wire_opcode_traits(record->opcode)->kind == WIRE_KIND_WRITE;
	}
	return takes;
}

/*
 * RC-002: judge NAK 0x61 for the first packet of a long WRITE. A responder with a smaller path MTU
 * than the requester refuses this packet. The path MTU of the responder is unknown if the capture
 * lacks the REQ.
 */
static void
smaller_mtu_check(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_sender *sender = sides->sender;
	const struct trace_record *record = trace_sender_record(sender, seq);
	struct trace_party before;

	if (packet->view.aeth.syndrome != WIRE_NAK_INVALID_REQUEST || sender->told ||
		sides->mtu->differs || record == NULL ||
		wire_opcode_traits(record->opcode)->kind != WIRE_KIND_WRITE ||
		wire_opcode_traits(record->opcode)->ends || !takes_short_writes(sender, seq))
		return;
	sides->mtu->differs = true;
	before = trace_violations_blame(packet->violations, sender->party);
	trace_violations_doubt(packet->violations, record->frame, TRACE_RC_002,
		"NAK 0x61 in frame %" PRIu64 " refuses the %s with %u bytes, but shorter WRITEs "
		"were accepted: the sides may use "
		"different path MTUs",
		packet->frame, wire_opcode_traits(record->opcode)->name, record->payload_bytes);
	trace_violations_blame(packet->violations, before);
}

static void
fatal_judge(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct trace_read *read = read_owning(sides->sender, seq);
	struct trace_answers *answers = sides->answers;

	if (refuses_repetition(read, seq))
		return;
	if (read == NULL && refuses_executed(sides, seq, packet)) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_024,
			"NAK 0x%02x for PSN %u, which has been acknowledged",
			packet->view.aeth.syndrome, packet->view.bth.psn);
		return;
	}
	if (read != NULL)
		limit_check(sides, read, seq, packet);
	else
		smaller_mtu_check(sides, seq, packet);
	answers->fatal = true;
	answers->fatal_seq = seq;
	answers->fatal_ns = packet->time_ns;
	answers->fatal_frame = packet->frame;
	answers->fatal_syndrome = packet->view.aeth.syndrome;
	nak_executed(sides, seq, packet);
}

static void
acknowledge_judge(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	uint8_t syndrome = packet->view.aeth.syndrome;

	switch (wire_aeth_type(syndrome)) {
	case WIRE_AETH_ACK:
		ack_judge(sides, seq, packet);
		break;
	case WIRE_AETH_RNR_NAK:
		rnr_judge(sides, seq, packet);
		break;
	case WIRE_AETH_NAK:
		if (syndrome == WIRE_NAK_SEQUENCE)
			sequence_nak_judge(sides, seq, packet);
		else
			fatal_judge(sides, seq, packet);
		break;
	case WIRE_AETH_RESERVED:
		break;
	}
}

/* RC-100: check the syndrome, without a request. @return true if the syndrome is valid for RC */
static bool
syndrome_check(const struct trace_packet *packet)
{
	uint8_t syndrome = packet->view.aeth.syndrome;

	if (packet->view.traits->kind != WIRE_KIND_ACKNOWLEDGE)
		return true;
	/* Bit 7 is reserved, 0x64 is a code of RD, and 0x65 to 0x7F are not defined. */
	if (syndrome < 0x80 && wire_aeth_type(syndrome) != WIRE_AETH_RESERVED &&
		(wire_aeth_type(syndrome) != WIRE_AETH_NAK ||
			syndrome <= WIRE_NAK_REMOTE_OPERATION))
		return true;
	trace_violations_add(packet->violations, packet->frame, TRACE_RC_100,
		"Acknowledge has syndrome 0x%02x", syndrome);
	return false;
}

/*
 * RC-035: after a fatal NAK the responder sends no other answer. Answers that were sent before the
 * NAK may still arrive, and the NAK may be retransmitted.
 */
static bool
silence_check(const struct trace_answers *answers, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;

	if (!answers->fatal)
		return true;
	if (seq == answers->fatal_seq && view->traits->kind == WIRE_KIND_ACKNOWLEDGE &&
		view->aeth.syndrome == answers->fatal_syndrome)
		return true;
	if (seq <= answers->fatal_seq &&
		trace_elapsed_ns(answers->fatal_ns, packet) <= TRACE_REORDER_NS)
		return true;
	trace_violations_add(packet->violations, packet->frame, TRACE_RC_035,
		"%s with PSN %u after the fatal NAK 0x%02x in frame %" PRIu64, view->traits->name,
		view->bth.psn, answers->fatal_syndrome, answers->fatal_frame);
	return false;
}

void
trace_answer_judge(const struct trace_exchange_sides *sides, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct trace_sender *sender = sides->sender;
	uint64_t seq;

	if (!syndrome_check(packet))
		return;
	if (view->traits->kind == WIRE_KIND_READ_RESPONSE)
		trace_mtu_learn(sides->mtu, view->traits->ends, view->payload_bytes);
	trace_sender_settle(sender, sides->mtu, packet);
	if (!sender->started || sender->broken)
		return;
	if (sides->answers->life != sender->first_seq) {
		memset(sides->answers, 0, sizeof(*sides->answers));
		sides->answers->life = sender->first_seq;
	}
	seq = trace_sender_seq(sender, view->bth.psn);
	if (!silence_check(sides->answers, seq, packet))
		return;
	if (seq >= sender->next_seq) {
		unrequested_judge(sides, packet);
		return;
	}
	trace_side_stats_answered(
		sides->stats, sender, trace_retry_answered(&sender->retry, seq, packet), packet);
	if (view->traits->has_aeth)
		msn_check(sides, packet);
	if (view->traits->kind == WIRE_KIND_READ_RESPONSE)
		trace_answer_read(sides, seq, packet);
	else if (view->traits->kind == WIRE_KIND_ATOMIC_ACKNOWLEDGE)
		trace_answer_atomic(sides, seq, packet);
	else
		acknowledge_judge(sides, seq, packet);
}
