/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/answer.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/psn.h"

/*
 * Judges answers to READs and atomics.
 *
 * If the requester requests a part of a READ again, two ways to number the responses are accepted.
 * Soft-RoCE numbers the responses as for the original READ; all other responders number them as for
 * a READ of this part alone. The payload lengths of both are accepted. If a part ends before the
 * end of the original, Soft-RoCE also sends a Last packet.
 */

/*
 * The expected packet `index` of a READ, if the responses start at packet `first` of the READ and
 * contain `bytes` bytes.
 */
struct expected {
	bool covered; /* false: the responses do not contain the packet */
	uint8_t opcode;
	uint32_t bytes;
};

static struct expected
expected_of(uint32_t index, uint32_t first, uint32_t bytes, const struct trace_mtu *mtu)
{
	uint32_t count = trace_read_count(bytes, mtu);
	struct expected expected = {.covered = index >= first && index - first < count};
	uint32_t at = index - first;

	if (!expected.covered)
		return expected;
	expected.bytes = at + 1 < count ? mtu->bytes : bytes - at * (count > 1 ? mtu->bytes : 0u);
	if (count == 1)
		expected.opcode = WIRE_RC_READ_RESPONSE_ONLY;
	else if (at == 0)
		expected.opcode = WIRE_RC_READ_RESPONSE_FIRST;
	else
		expected.opcode =
			at + 1 < count ? WIRE_RC_READ_RESPONSE_MIDDLE : WIRE_RC_READ_RESPONSE_LAST;
	return expected;
}

/*
 * @return true if packet `index` of a READ is the last packet of a part of the READ, and the part
 * does not begin at the start of the READ.
 */
static bool
is_end_of(const struct trace_read_part *part, uint32_t index, const struct trace_mtu *mtu)
{
	return part->first > 0 && index + 1 == part->first + trace_read_count(part->bytes, mtu);
}

/*
 * @return true if an opcode is wrong even if the capture lacks a request for a part of the READ.
 * The responses to any part begin with First or Only, and end with Last or Only.
 */
static bool
is_impossible(const struct trace_read *read, uint32_t index, uint8_t opcode)
{
	bool continues =
		opcode == WIRE_RC_READ_RESPONSE_MIDDLE || opcode == WIRE_RC_READ_RESPONSE_LAST;
	bool goes_on =
		opcode == WIRE_RC_READ_RESPONSE_FIRST || opcode == WIRE_RC_READ_RESPONSE_MIDDLE;

	return read->exact && ((index == 0 && continues) || (index + 1 == read->count && goes_on));
}

/* RC-073: opcode and length. */
static void
shape_check(const struct trace_read *read, uint32_t index, struct trace_mtu *mtu,
	const struct trace_packet *packet)
{
	struct expected expected = expected_of(index, 0, read->bytes, mtu);
	bool opcode_right = packet->view.bth.opcode == expected.opcode;
	bool bytes_right = packet->view.payload_bytes == expected.bytes;

	if (read->part_count > TRACE_READ_PARTS || mtu->differs)
		return;
	if (!packet->view.traits->ends && trace_mtu_other(mtu, packet->view.payload_bytes)) {
		mtu->differs = true;
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_073,
			"the sides use different path MTUs (%u, %u): %s has %u bytes, the READ in "
			"frame %" PRIu64 " requires %u here",
			packet->view.payload_bytes, mtu->bytes, packet->view.traits->name,
			packet->view.payload_bytes, read->frame, expected.bytes);
		return;
	}
	for (uint32_t i = 0; i < read->part_count; i++) {
		struct expected part =
			expected_of(index, read->parts[i].first, read->parts[i].bytes, mtu);

		if (!part.covered)
			continue;
		opcode_right |= packet->view.bth.opcode == part.opcode ||
			(is_end_of(&read->parts[i], index, mtu) &&
				packet->view.bth.opcode == WIRE_RC_READ_RESPONSE_LAST);
		bytes_right |= packet->view.payload_bytes == part.bytes;
	}
	if (!opcode_right && is_impossible(read, index, packet->view.bth.opcode))
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_073,
			"%s was sent as packet %u of %u of the READ in frame %" PRIu64,
			packet->view.traits->name, index + 1, read->count, read->frame);
	else if (!opcode_right)
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_073,
			"%s was sent as packet %u of %u of the READ in frame %" PRIu64,
			packet->view.traits->name, index + 1, read->count, read->frame);
	else if (!bytes_right)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_073,
			"%s has %u bytes, the READ in frame %" PRIu64 " requires %u here",
			packet->view.traits->name, packet->view.payload_bytes, read->frame,
			expected.bytes);
}

/*
 * RC-073: the responses start again only after the READ was requested again. RC-060: a PSN is not
 * answered for the first time after a later request was answered. A READ that was requested several
 * times is exempt, because its first answer may have been lost before the capture.
 */
static void
order_check(const struct trace_exchange_sides *sides, struct trace_read *read, uint32_t index,
	const struct trace_packet *packet)
{
	bool again = read->answered != 0 && index <= read->previous;
	char damaged[TRACE_DAMAGES_WORDS];

	if (again &&
		(sides->in_order ||
			trace_elapsed_ns(read->previous_ns, packet) > TRACE_REORDER_NS) &&
		++read->passes >= read->requests) {
		trace_damages_words(&sides->sender->damages, packet->view.bth.psn, false, damaged);
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_073,
			"responses to the request in frame %" PRIu64
			" restart at PSN %u, but only %u requests were sent%s",
			read->frame, packet->view.bth.psn, read->requests, damaged);
		/* The damaged request explains one restart of the responses, so count it. */
		read->requests += damaged[0] != '\0';
	}
	if (index >= read->answered && read->overtaken && read->requests == 1 &&
		(sides->in_order ||
			trace_elapsed_ns(read->overtaken_ns, packet) > TRACE_REORDER_NS))
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_060,
			"PSN %u is answered after a later request was answered",
			packet->view.bth.psn);
}

/* RC-041: check as ack_msn_check() in answer.c does. @return true if a wrong MSN was reported */
static bool
read_msn_check(const struct trace_sender *sender, const struct trace_read *read,
	const struct trace_packet *packet)
{
	if (!packet->view.traits->has_aeth || !sender->counted || read->seq >= sender->chain_seq ||
		psn_diff(packet->view.aeth.msn, read->messages & PSN_MASK) >= 0)
		return false;
	trace_violations_add(packet->violations, packet->frame, TRACE_RC_041,
		"MSN is %u in the response to message %u", packet->view.aeth.msn, read->messages);
	return true;
}

/* @return true if the requester used the PSN directly after the last response to a READ. */
static bool
is_followed(const struct trace_sender *sender, const struct trace_read *read,
	const struct trace_read *next)
{
	const uint64_t end = read->seq + read->count;
	char damaged[TRACE_DAMAGES_WORDS];

	return (next != NULL && next->seq == end) || trace_sender_record(sender, end) != NULL ||
		trace_damages_words(
			&sender->damages, (uint32_t)(end & PSN_MASK), false, damaged)[0] != '\0';
}

/*
 * RC-005. The responses to a READ show the path MTU of the responder. The PSN of the next request
 * shows the path MTU of the requester. The capture may lack requests between the two, so a
 * difference is a doubt, and is reported only if no other READ shows equal path MTUs.
 */
static void
requester_mtu_check(const struct trace_exchange_sides *sides, const struct trace_read *read,
	const struct trace_packet *packet)
{
	const struct trace_read *next = trace_reads_next(sides->sender->reads, read);
	struct trace_mtu *mtu = sides->mtu;
	struct trace_party before;

	if (mtu->differs || mtu->bytes == 0 || !read->finished ||
		read->opcode != WIRE_RC_READ_REQUEST)
		return;
	mtu->agrees |= read->count > 1 && is_followed(sides->sender, read, next);
	if (mtu->agrees || next == NULL || next->seq - read->seq == read->count)
		return;
	/* If other requests use PSNs before the next entry, the entry does not show the MTU. */
	if (next->seq - read->seq > read->count &&
		sides->sender->chain_seq > read->seq + read->count)
		return;
	for (uint16_t bytes = LIMIT_PMTU_MIN; bytes <= LIMIT_PMTU_MAX; bytes *= 2) {
		const struct trace_mtu other = {.bytes = bytes};

		if (bytes == mtu->bytes ||
			trace_read_count(read->bytes, &other) != next->seq - read->seq)
			continue;
		mtu->differs = true;
		sides->sender->mtu_differs = true;
		before = trace_violations_blame(packet->violations, sides->sender->party);
		trace_violations_doubt(packet->violations, next->frame, TRACE_RC_005,
			"the sides use different path MTUs (%u, %u): the READ in frame %" PRIu64
			" has %u responses, but its requester reserved %u PSNs for them",
			mtu->bytes, bytes, read->frame, read->count,
			(uint32_t)(next->seq - read->seq));
		trace_violations_blame(packet->violations, before);
		return;
	}
}

/*
 * Check a READ or atomic, and the READ before it. Must be called before trace_answer_executed(),
 * because that function reports PSNs that were reserved but not used.
 */
static void
neighbours_mtu_check(const struct trace_exchange_sides *sides, const struct trace_read *read,
	const struct trace_packet *packet)
{
	const struct trace_read *before;

	if (sides->mtu->differs)
		return;
	requester_mtu_check(sides, read, packet);
	before = trace_reads_before(sides->sender->reads, read);
	if (before != NULL)
		requester_mtu_check(sides, before, packet);
}

void
trace_answer_read(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct trace_sender *sender = sides->sender;
	struct trace_read *read;
	uint32_t index;
	bool answers_all, first, told;

	if (view->traits->has_aeth && wire_aeth_type(view->aeth.syndrome) != WIRE_AETH_ACK)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_074,
			"%s has syndrome 0x%02x", view->traits->name, view->aeth.syndrome);
	read = sender->reads == NULL ? NULL : trace_reads_find(sender->reads, seq);
	if (trace_sender_record(sender, seq) != NULL ||
		(read != NULL && wire_opcode_traits(read->opcode)->kind == WIRE_KIND_ATOMIC)) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_073,
			"%s has PSN %u, which does not belong to a READ", view->traits->name,
			view->bth.psn);
		return;
	}
	if (read == NULL || read->count == 0)
		return;
	told = read_msn_check(sender, read, packet);
	index = (uint32_t)(seq - read->seq);
	if (read->opcode == WIRE_RC_READ_REQUEST) {
		shape_check(read, index, sides->mtu, packet);
		order_check(sides, read, index, packet);
	}
	first = read->answered == 0;
	answers_all = trace_read_answer(read, index, packet->frame);
	if (!sides->late) {
		read->previous = index;
		read->previous_ns = packet->time_ns;
	}
	if (answers_all && !read->finished) {
		read->finished = true;
		sides->requester->bytes += read->bytes;
		sides->stats->report.delivered_bytes += read->bytes;
		if (read->opcode == WIRE_RC_READ_REQUEST)
			trace_times_add(&sides->stats->times[ND_TRACE_TIME_READ],
				trace_elapsed_ns(read->time_ns, packet));
	}
	/* If a CM message told the requester's path MTU, the first answer needs no check. */
	if (read->finished || (first && !sender->told))
		neighbours_mtu_check(sides, read, packet);
	trace_reads_overtake(sender->reads, read->seq, packet->frame, packet->time_ns);
	trace_answer_executed(sides, read->seq + read->count, told, packet);
}

void
trace_atomic_unseen(const struct trace_packet *packet)
{
	/* Even a complete capture may begin after the request, so this is no violation. */
	if (!trace_violations_complete(packet->violations))
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_070,
			"%s with PSN %u, but its request was not captured",
			packet->view.traits->name, packet->view.bth.psn);
}

void
trace_answer_atomic(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct trace_sender *sender = sides->sender;
	struct trace_read *read =
		sender->reads == NULL ? NULL : trace_reads_find(sender->reads, seq);
	bool told;

	if (wire_aeth_type(view->aeth.syndrome) != WIRE_AETH_ACK) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_075,
			"ATOMIC Acknowledge has syndrome 0x%02x", view->aeth.syndrome);
		return;
	}
	/*
	 * If the path MTU is unknown, the READ may end before this PSN, so judge the answer as
	 * unrequested.
	 */
	if (read != NULL && read->count == 0 && read->seq != seq) {
		trace_atomic_unseen(packet);
		return;
	}
	if (trace_sender_record(sender, seq) != NULL ||
		(read != NULL && wire_opcode_traits(read->opcode)->kind != WIRE_KIND_ATOMIC)) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_075,
			"ATOMIC Acknowledge has PSN %u, which does not belong to an atomic",
			view->bth.psn);
		return;
	}
	if (read == NULL)
		return;
	if (read->address % 8 != 0)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_031,
			"atomic on misaligned address 0x%" PRIx64 " was executed", read->address);
	if (read->has_result && read->result != view->atomic_original)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_058,
			"atomic with PSN %u is answered with a different result than before",
			view->bth.psn);
	told = read_msn_check(sender, read, packet);
	order_check(sides, read, 0, packet);
	if (!read->finished)
		trace_times_add(&sides->stats->times[ND_TRACE_TIME_ATOMIC],
			trace_elapsed_ns(read->time_ns, packet));
	read->has_result = true;
	read->result = view->atomic_original;
	read->answered = 1;
	read->previous_ns = packet->time_ns;
	read->finished = true;
	neighbours_mtu_check(sides, read, packet);
	trace_reads_overtake(sender->reads, read->seq, packet->frame, packet->time_ns);
	trace_answer_executed(sides, seq + 1, told, packet);
}
