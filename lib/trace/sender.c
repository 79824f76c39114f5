/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/sender.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/encoded_time.h"
#include "base/limits.h"
#include "base/psn.h"
#include "trace/stats.h"
#include "wire/icrc.h"

/*
 * Each new request is stored. When no earlier PSN is missing, the request is passed to the
 * assembly of messages. A retransmitted request must be unchanged (RC-101), unless it requests a
 * part of a READ again (RC-079). The records are a ring that is indexed by PSN. The ring grows, up
 * to TRACE_RECORDS, with the distance between the oldest packet that is still needed and the
 * newest packet. Older gaps are ignored silently.
 *
 * A jump of the PSN beyond the ring means that the queue pair was created again, or that the
 * capture has a gap. If no CM message contains the first PSN, the state then starts again (a new
 * life). Otherwise the jump is also reported.
 */

/* First 64-bit PSN of a sender. Requests sent before the start of the capture have lower PSNs. */
#define SEQ_BASE (UINT64_C(1) << 32)
/*
 * Distance between the 64-bit PSNs before and after a restart of the state (a new life). The
 * distance is so large that older entries never match.
 */
#define SEQ_LIFE (UINT64_C(1) << 26)

#define RECORDS_MIN 64u

static uint32_t
psn_of(uint64_t seq)
{
	return (uint32_t)(seq & PSN_MASK);
}

void
trace_sender_init(struct trace_sender *sender)
{
	memset(sender, 0, sizeof(*sender));
	sender->depth = TRACE_DEPTH_UNKNOWN;
}

void
trace_sender_free(struct trace_sender *sender)
{
	free(sender->records);
	free(sender->reads);
}

static void
life_start(struct trace_sender *sender, uint64_t seq)
{
	sender->started = true;
	sender->told = false;
	sender->first_seq = seq;
	sender->next_seq = seq;
	sender->newest_seq = seq;
	sender->chain_seq = seq;
	sender->any = false;
	sender->trusted = false;
	sender->counted = false;
	trace_retry_start(&sender->retry, seq);
	memset(&sender->keys, 0, sizeof(sender->keys));
	memset(&sender->assembly, 0, sizeof(sender->assembly));
	trace_assembly_lose(&sender->assembly);
	/* Forget the READs from before the restart, because no answer to them will arrive. */
	if (sender->reads != NULL)
		memset(sender->reads, 0, sizeof(*sender->reads));
}

void
trace_sender_tell(struct trace_sender *sender, uint32_t first_psn, uint32_t depth,
	const struct trace_retry_grant *grant)
{
	life_start(sender, SEQ_BASE + first_psn);
	sender->told = true;
	sender->trusted = true;
	sender->counted = true;
	sender->depth = depth;
	sender->retry.grant = *grant;
	memset(&sender->assembly, 0, sizeof(sender->assembly));
}

uint64_t
trace_sender_seq(const struct trace_sender *sender, uint32_t psn)
{
	return sender->next_seq + (uint64_t)(int64_t)psn_diff(psn, psn_of(sender->next_seq));
}

struct trace_record *
trace_sender_record(const struct trace_sender *sender, uint64_t seq)
{
	struct trace_record *record;

	if (sender->record_count == 0)
		return NULL;
	record = &sender->records[seq & (sender->record_count - 1)];
	return record->seq == seq ? record : NULL;
}

bool
trace_sender_knows(const struct trace_sender *sender, uint32_t psn)
{
	uint64_t seq;

	if (!sender->any)
		return false;
	seq = trace_sender_seq(sender, psn);
	return trace_sender_record(sender, seq) != NULL ||
		(sender->reads != NULL && trace_reads_find(sender->reads, seq) != NULL);
}

/*
 * @return hash of all fields that a retransmission may not change (RC-101): RETH, operands,
 *         immediate data, payload.
 */
static uint32_t
fingerprint(const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	uint32_t from = view->bth_offset + (uint32_t)sizeof(struct wire_bth);
	struct wire_icrc crc = {.crc = 0};

	wire_icrc_add(&crc, packet->bytes + from,
		(uint32_t)view->payload_offset + view->payload_bytes - from);
	return wire_icrc_value(&crc);
}

/* Skip a gap that will not be filled, and continue after it. */
static void
gap_skip(struct trace_sender *sender, uint64_t seq)
{
	sender->chain_seq = seq;
	sender->counted = false;
	trace_assembly_lose(&sender->assembly);
}

/*
 * Pass packets to the assembly, up to the next missing PSN. Violations are attributed to the sender
 * of the requests, even if an answer caused the call.
 */
static void
chain_advance(struct trace_sender *sender, struct trace_violations *violations)
{
	struct trace_party before = trace_violations_blame(violations, sender->party);

	while (sender->chain_seq < sender->next_seq) {
		struct trace_record *record = trace_sender_record(sender, sender->chain_seq);
		struct trace_read *read = NULL;

		if (record != NULL) {
			trace_assembly_packet(&sender->assembly, record, violations);
			sender->chain_seq++;
			continue;
		}
		if (sender->reads != NULL)
			read = trace_reads_find(sender->reads, sender->chain_seq);
		if (read == NULL || read->count == 0)
			break;
		if (read->seq == sender->chain_seq) {
			trace_assembly_single(&sender->assembly, read->frame, violations);
			read->messages = (uint32_t)sender->assembly.messages;
		}
		sender->chain_seq = read->seq + read->count;
	}
	trace_violations_blame(violations, before);
}

/*
 * @return the slot for a PSN in the ring of records. If a record that is still needed would be
 *         overwritten, the ring grows first.
 */
static struct trace_record *
record_slot(struct trace_sender *sender, uint64_t seq)
{
	while (sender->record_count < TRACE_RECORDS) {
		uint32_t count = sender->record_count == 0 ? RECORDS_MIN : 2 * sender->record_count;
		struct trace_record *grown, *old;

		if (sender->record_count != 0) {
			old = &sender->records[seq & (sender->record_count - 1)];
			if (old->seq == 0 || old->seq + TRACE_RECORDS <= sender->next_seq)
				return old;
		}
		grown = calloc(count, sizeof(*grown));
		if (grown == NULL) {
			sender->broken = true;
			return NULL;
		}
		for (uint32_t i = 0; i < sender->record_count; i++)
			if (sender->records[i].seq != 0)
				grown[sender->records[i].seq & (count - 1)] = sender->records[i];
		free(sender->records);
		sender->records = grown;
		sender->record_count = count;
	}
	return &sender->records[seq & (sender->record_count - 1)];
}

void
trace_sender_finish(const struct trace_sender *sender, struct trace_violations *violations)
{
	for (uint32_t i = 0; sender->reads != NULL && i < TRACE_READS; i++)
		trace_read_close(
			&sender->reads->slots[i], &sender->damages, sender->party, violations);
}

/* RC-005: report a READ and other requests that use the same PSNs. */
static void
overlap_check(struct trace_sender *sender, const struct trace_read *read,
	struct trace_violations *violations)
{
	uint64_t end = read->seq + read->count;

	if (end > sender->next_seq)
		end = sender->next_seq;
	/* Stop at the length of the ring, because older records have been overwritten. */
	for (uint64_t seq = read->seq + 1; seq < end && seq - read->seq < TRACE_RECORDS; seq++) {
		const struct trace_record *record = trace_sender_record(sender, seq);

		if (record == NULL)
			continue;
		trace_violations_add(violations, record->frame, TRACE_RC_005,
			"PSN %u is used again, but belongs to the READ in frame %" PRIu64,
			psn_of(seq), read->frame);
		return;
	}
	for (uint32_t i = 0; i < TRACE_READS; i++) {
		const struct trace_read *other = &sender->reads->slots[i];

		if (other->seq <= read->seq || other->seq >= end)
			continue;
		trace_violations_add(violations, other->frame, TRACE_RC_005,
			"PSN %u is used again, but belongs to the READ in frame %" PRIu64,
			psn_of(other->seq), read->frame);
		return;
	}
}

static void
next_raise(struct trace_sender *sender, uint64_t seq)
{
	if (seq > sender->next_seq)
		sender->next_seq = seq;
	/* If the ring cannot store the missing packet any more, do not wait for it. */
	if (sender->next_seq - sender->chain_seq > TRACE_RECORDS &&
		(sender->reads == NULL ||
			trace_reads_find(sender->reads, sender->chain_seq) == NULL))
		gap_skip(sender, sender->next_seq);
}

void
trace_sender_settle(
	struct trace_sender *sender, const struct trace_mtu *mtu, const struct trace_packet *packet)
{
	struct trace_party before;

	if (sender->reads == NULL || sender->reads->unresolved == 0)
		return;
	before = trace_violations_blame(packet->violations, sender->party);
	for (uint32_t i = 0; i < TRACE_READS; i++) {
		struct trace_read *read = &sender->reads->slots[i];

		if (read->seq == 0 || read->count != 0)
			continue;
		read->count = trace_read_count(read->bytes, mtu);
		if (read->count == 0)
			continue;
		sender->reads->unresolved--;
		overlap_check(sender, read, packet->violations);
		next_raise(sender, read->seq + read->count);
	}
	chain_advance(sender, packet->violations);
	trace_violations_blame(packet->violations, before);
}

/*
 * RC-009: check the number of outstanding READs and atomics. A Soft-RoCE requester rounds the limit
 * up to a power of two, so only a larger number is reported.
 */
static void
depth_check(struct trace_sender *sender, struct trace_read *read, const struct trace_packet *packet)
{
	uint32_t limit = 1, outstanding;

	if (sender->depth == TRACE_DEPTH_UNKNOWN)
		return;
	if (sender->depth == 0)
		limit = 0;
	while (limit != 0 && limit < sender->depth)
		limit *= 2;
	outstanding = trace_reads_outstanding(sender->reads);
	read->outstanding = outstanding;
	if (outstanding > limit)
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_009,
			"%u READs and atomics are outstanding, but the CM allowed %u", outstanding,
			sender->depth);
}

static bool
read_new(struct trace_sender *sender, const struct trace_mtu *mtu, uint64_t seq,
	const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	bool is_read = view->traits->kind == WIRE_KIND_READ_REQUEST;
	const struct trace_read *oldest;
	struct trace_read *read;

	if (sender->reads == NULL)
		sender->reads = calloc(1, sizeof(*sender->reads));
	if (sender->reads == NULL) {
		sender->broken = true;
		return false;
	}
	oldest = trace_reads_oldest(sender->reads);
	if (oldest != NULL)
		trace_read_close(oldest, &sender->damages, sender->party, packet->violations);
	read = trace_reads_add(sender->reads);
	read->seq = seq;
	read->frame = packet->frame;
	read->time_ns = packet->time_ns;
	read->opcode = view->bth.opcode;
	read->requests = 1;
	read->fingerprint = fingerprint(packet);
	read->count = 1;
	read->exact = sender->trusted && sender->chain_seq == seq;
	read->address = view->atomic.address;
	if (is_read) {
		read->address = view->reth.address;
		read->rkey = view->reth.rkey;
		/*
		 * If the length is too large, RC-004 has been reported, and the READ counts as a
		 * READ of the maximum message length.
		 */
		read->bytes = RTE_MIN(view->reth.length_bytes, (uint32_t)LIMIT_MESSAGE_BYTES);
		read->count = trace_read_count(read->bytes, mtu);
		sender->reads->unresolved += read->count == 0;
	}
	depth_check(sender, read, packet);
	if (read->count > 1)
		overlap_check(sender, read, packet->violations);
	next_raise(sender, seq + RTE_MAX(read->count, 1u));
	return true;
}

static bool
record_new(struct trace_sender *sender, uint64_t seq, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct trace_record *record = record_slot(sender, seq);

	if (record == NULL)
		return false;
	record->seq = seq;
	record->frame = packet->frame;
	record->time_ns = packet->time_ns;
	record->fingerprint = fingerprint(packet);
	record->reth_bytes = view->traits->has_reth ? view->reth.length_bytes : 0;
	record->messages = 0;
	record->payload_bytes = view->payload_bytes;
	record->opcode = view->bth.opcode;
	record->solicited = view->bth.solicited;
	next_raise(sender, seq + 1);
	return true;
}

/* Count the message of a new request packet. A message is counted with its last packet. */
static void
new_count(struct nd_trace_side *side, const struct wire_view *view)
{
	const struct wire_opcode_traits *traits = view->traits;

	switch (traits->kind) {
	case WIRE_KIND_SEND:
		side->sends += traits->ends;
		side->sends_invalidate += traits->has_ieth;
		side->bytes += view->payload_bytes;
		break;
	case WIRE_KIND_WRITE:
		side->writes += traits->ends;
		side->bytes += view->payload_bytes;
		break;
	case WIRE_KIND_READ_REQUEST:
		side->reads++;
		break;
	case WIRE_KIND_ATOMIC:
		side->atomics++;
		break;
	case WIRE_KIND_EXTENSION:
	case WIRE_KIND_READ_RESPONSE:
	case WIRE_KIND_ACKNOWLEDGE:
	case WIRE_KIND_ATOMIC_ACKNOWLEDGE:
	case WIRE_KIND_DATAGRAM:
	case WIRE_KIND_CNP:
	case WIRE_KIND_UNKNOWN:
		break;
	}
}

/*
 * RC-001, RC-002: check a payload if the path MTU is known. If no CM message contains the path MTU,
 * learn the path MTU from the payload.
 */
static void
payload_check(struct trace_mtu *mtu, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const struct wire_opcode_traits *traits = view->traits;
	uint32_t bytes = view->payload_bytes;

	trace_mtu_learn(mtu, traits->ends, bytes);
	if (!traits->ends && mtu->bytes == 0)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_002,
			"%s has %u bytes, which is not a valid path MTU", traits->name, bytes);
	else if (!traits->ends ? bytes != mtu->bytes
			       : bytes > (mtu->bytes != 0 ? mtu->bytes : LIMIT_PMTU_MAX))
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_002,
			"%s has %u bytes, but the path MTU is %u%s", traits->name, bytes,
			mtu->bytes,
			!traits->ends && trace_mtu_other(mtu, bytes)
				? ": the sides use different path MTUs"
				: "");
	else if (traits->ends && !traits->starts && bytes == 0)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_002, "%s is empty",
			traits->name);
	if (traits->has_reth && !traits->ends && mtu->bytes != 0 &&
		view->reth.length_bytes <= mtu->bytes)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_001,
			"WRITE of %u bytes is split into packets, but fits the path MTU of %u",
			view->reth.length_bytes, mtu->bytes);
}

/* Check the rules that need no other packet. */
static void
packet_check(struct trace_mtu *mtu, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const struct wire_opcode_traits *traits = view->traits;
	bool send_or_write = traits->kind == WIRE_KIND_SEND || traits->kind == WIRE_KIND_WRITE;

	if (send_or_write)
		payload_check(mtu, packet);
	if (traits->has_reth && view->reth.length_bytes > LIMIT_MESSAGE_BYTES)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_004,
			"%s has a RETH length of %u bytes", traits->name, view->reth.length_bytes);
	if (view->bth.solicited &&
		!(send_or_write && traits->ends &&
			(traits->kind == WIRE_KIND_SEND || traits->has_imm)))
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_008,
			"%s is marked solicited", traits->name);
}

static void
record_repeated(const struct trace_record *record, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const char *what = NULL;

	if (record->opcode != view->bth.opcode)
		what = "opcode";
	else if (record->payload_bytes != view->payload_bytes)
		what = "length";
	else if (record->fingerprint != fingerprint(packet))
		what = "headers or data";
	else if (record->solicited != view->bth.solicited)
		what = "SE";
	if (what != NULL)
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_101,
			"%s with PSN %u was sent in frame %" PRIu64 " with different %s",
			view->traits->name, view->bth.psn, record->frame, what);
}

/*
 * RC-079: a READ may be requested again from any of its PSNs, up to its end or to an earlier PSN.
 */
static void
part_check(struct trace_read *read, uint32_t index, const struct trace_mtu *mtu,
	const struct trace_packet *packet)
{
	const struct wire_reth_value *reth = &packet->view.reth;
	uint64_t skipped = (uint64_t)index * mtu->bytes;

	if (reth->rkey != read->rkey || reth->address != read->address + skipped ||
		skipped + reth->length_bytes > read->bytes) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_079,
			"READ with PSN %u is not part of the READ in frame %" PRIu64,
			packet->view.bth.psn, read->frame);
		return;
	}
	trace_read_ask(read, index);
	if (read->part_count < TRACE_READ_PARTS)
		read->parts[read->part_count] =
			(struct trace_read_part){.first = index, .bytes = reth->length_bytes};
	read->part_count++;
}

static void
read_repeated(struct trace_read *read, uint64_t seq, const struct trace_mtu *mtu,
	const struct trace_packet *packet)
{
	const struct wire_opcode_traits *traits = packet->view.traits;

	if (traits->kind == WIRE_KIND_READ_REQUEST && read->opcode == WIRE_RC_READ_REQUEST) {
		part_check(read, (uint32_t)(seq - read->seq), mtu, packet);
	} else if (seq != read->seq) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_005,
			"%s uses PSN %u, which belongs to the READ in frame %" PRIu64, traits->name,
			packet->view.bth.psn, read->frame);
	} else if (packet->view.bth.opcode != read->opcode ||
		fingerprint(packet) != read->fingerprint) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_101,
			"%s with PSN %u was a different request in frame %" PRIu64, traits->name,
			packet->view.bth.psn, read->frame);
	} else {
		trace_read_ask(read, 0);
	}
}

/*
 * @return the PSN, extended to 64 bits. If the PSN is too far from earlier PSNs, the state starts
 *         again (a new life).
 */
static uint64_t
seq_place(struct trace_sender *sender, const struct trace_packet *packet)
{
	uint32_t psn = packet->view.bth.psn;
	uint64_t seq, reach = TRACE_RECORDS;

	if (!sender->started)
		life_start(sender, SEQ_BASE + psn);
	seq = trace_sender_seq(sender, psn);
	if (sender->reads != NULL && sender->reads->unresolved != 0)
		reach += trace_read_count_max(LIMIT_MESSAGE_BYTES);
	if (seq < sender->next_seq + reach && seq + TRACE_RECORDS > sender->first_seq &&
		(sender->told || seq + reach > sender->next_seq || trace_sender_knows(sender, psn)))
		return seq;
	if (sender->told && !sender->any)
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_005,
			"the first request has PSN %u, but the starting PSN of the CM exchange is "
			"%u",
			psn, psn_of(sender->first_seq));
	else if (sender->told)
		trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_005,
			"PSN %u is used, but the next PSN is %u", psn, psn_of(sender->next_seq));
	trace_sender_finish(sender, packet->violations);
	life_start(sender, ((sender->next_seq + SEQ_LIFE) & ~(uint64_t)PSN_MASK) + psn);
	return sender->next_seq;
}

/*
 * @return true if the request with this PSN was captured; for a READ, if a request for any of its
 *         PSNs was captured.
 */
static bool
is_sent(const struct trace_sender *sender, uint64_t seq)
{
	return trace_sender_record(sender, seq) != NULL ||
		(sender->reads != NULL && trace_reads_find(sender->reads, seq) != NULL);
}

/* Judge a retransmitted request. */
static void
repetition_take(struct trace_sender *sender, uint64_t seq, struct trace_side_stats *stats,
	const struct trace_packet *packet)
{
	const uint64_t waited_ns = trace_retry_repeated(&sender->retry, seq, packet);
	struct trace_retry_unjudged *unjudged = &sender->retry.unjudged;

	stats->report.rnr_waits_unjudged += unjudged->rnr_waits;
	stats->report.timeouts_unjudged += unjudged->timeouts;
	*unjudged = (struct trace_retry_unjudged){0};
	if (waited_ns == BASE_TIME_NEVER)
		return;
	trace_times_add(&stats->times[ND_TRACE_TIME_REPEAT], waited_ns);
	if (sender->retry.grant.ack_timeout_ns != BASE_TIME_NEVER)
		stats->report.repeated_early += waited_ns < sender->retry.grant.ack_timeout_ns;
}

/* Count a retransmitted request. */
static void
repetition_count(struct nd_trace_side *side, const struct trace_packet *packet)
{
	side->retransmitted++;
	*packet->repeated = true;
}

void
trace_sender_request(struct trace_sender *sender, struct trace_mtu *mtu, struct nd_trace_side *side,
	struct trace_side_stats *stats, const struct trace_packet *packet)
{
	enum wire_kind kind = packet->view.traits->kind;
	struct trace_record *record;
	struct trace_read *read = NULL;
	uint64_t seq;
	bool kept;

	if (sender->broken)
		return;
	seq = seq_place(sender, packet);
	if (sender->told && seq < sender->first_seq) {
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_005,
			"PSN %u is before the starting PSN %u of the CM exchange",
			packet->view.bth.psn, psn_of(sender->first_seq));
		return;
	}
	record = trace_sender_record(sender, seq);
	if (record == NULL && sender->reads != NULL)
		read = trace_reads_find(sender->reads, seq);
	if (record != NULL) {
		repetition_count(side, packet);
		record_repeated(record, packet);
		repetition_take(sender, seq, stats, packet);
		return;
	}
	if (read != NULL && (read->count != 0 || read->seq == seq)) {
		repetition_count(side, packet);
		read_repeated(read, seq, mtu, packet);
		repetition_take(sender, seq, stats, packet);
		return;
	}
	/* The request was seen before, but its record is no longer stored. */
	if (seq + TRACE_RECORDS <= sender->next_seq ||
		(seq < sender->chain_seq && seq >= sender->first_seq)) {
		repetition_count(side, packet);
		return;
	}
	packet_check(mtu, packet);
	trace_sender_settle(sender, mtu, packet);
	if (kind == WIRE_KIND_SEND || kind == WIRE_KIND_WRITE)
		kept = record_new(sender, seq, packet);
	else
		kept = read_new(sender, mtu, seq, packet);
	if (!kept)
		return;
	if (!sender->any || seq > sender->newest_seq)
		sender->newest_seq = seq;
	if (!sender->any)
		sender->first_ns = packet->time_ns;
	sender->any = true;
	trace_retry_sent(&sender->retry, seq, is_sent(sender, sender->retry.seq), packet);
	trace_keys_request(&sender->keys, seq, packet);
	new_count(side, &packet->view);
	chain_advance(sender, packet->violations);
}

void
trace_sender_received(struct trace_sender *sender, uint64_t seq, bool acknowledged,
	const struct trace_packet *packet)
{
	char damaged[TRACE_DAMAGES_WORDS];

	if (sender->broken || (sender->reads != NULL && sender->reads->unresolved != 0))
		return;
	if (!sender->trusted) {
		/* See sender.h. */
		if (acknowledged && seq == sender->next_seq &&
			trace_elapsed_ns(sender->first_ns, packet) > TRACE_REORDER_NS) {
			sender->trusted = true;
			if (sender->chain_seq < seq)
				gap_skip(sender, seq);
		}
		return;
	}
	if (sender->chain_seq >= seq || seq > sender->next_seq)
		return;
	if (sender->mtu_differs) {
		gap_skip(sender, seq);
		chain_advance(sender, packet->violations);
		return;
	}
	trace_damages_words(&sender->damages, psn_of(sender->chain_seq), false, damaged);
	trace_violations_doubt(packet->violations, packet->frame, TRACE_RC_005,
		"PSN %u %s, but the peer received everything before PSN %u%s",
		psn_of(sender->chain_seq), damaged[0] == '\0' ? "was never sent" : "was damaged",
		psn_of(seq), damaged);
	gap_skip(sender, seq);
	chain_advance(sender, packet->violations);
}
