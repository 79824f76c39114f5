/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/reads.h"

#include <inttypes.h>
#include <string.h>

#include <rte_common.h>

#include "base/limits.h"
#include "base/psn.h"
#include "trace/connection.h"

static bool
is_path_mtu(uint32_t bytes)
{
	return bytes >= LIMIT_PMTU_MIN && bytes <= LIMIT_PMTU_MAX && (bytes & (bytes - 1)) == 0;
}

void
trace_mtu_learn(struct trace_mtu *mtu, bool ends, uint32_t payload_bytes)
{
	if (!ends && mtu->bytes == 0 && is_path_mtu(payload_bytes))
		mtu->bytes = (uint16_t)payload_bytes;
	while (payload_bytes > mtu->at_least_bytes && mtu->at_least_bytes < LIMIT_PMTU_MAX)
		mtu->at_least_bytes =
			(uint16_t)(mtu->at_least_bytes == 0 ? LIMIT_PMTU_MIN
							    : 2 * mtu->at_least_bytes);
}

bool
trace_mtu_other(const struct trace_mtu *mtu, uint32_t payload_bytes)
{
	return mtu->bytes != 0 && payload_bytes != mtu->bytes && is_path_mtu(payload_bytes);
}

uint32_t
trace_read_count(uint32_t bytes, const struct trace_mtu *mtu)
{
	if (bytes <= LIMIT_PMTU_MIN || (mtu->bytes == 0 && bytes <= mtu->at_least_bytes))
		return 1;
	if (mtu->bytes == 0)
		return 0;
	return bytes / mtu->bytes + (bytes % mtu->bytes != 0);
}

uint32_t
trace_read_count_max(uint32_t bytes)
{
	return bytes <= LIMIT_PMTU_MIN ? 1 : bytes / LIMIT_PMTU_MIN + (bytes % LIMIT_PMTU_MIN != 0);
}

struct trace_read *
trace_reads_add(struct trace_reads *reads)
{
	struct trace_read *read = &reads->slots[reads->added % TRACE_READS];

	if (reads->added >= TRACE_READS && read->count == 0)
		reads->unresolved--;
	reads->added++;
	memset(read, 0, sizeof(*read));
	return read;
}

struct trace_read *
trace_reads_find(struct trace_reads *reads, uint64_t seq)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);
	struct trace_read *maybe = NULL;

	/* Search from the newest entry, because answers usually belong to recent requests. */
	for (uint32_t i = 1; i <= kept; i++) {
		struct trace_read *read = &reads->slots[(reads->added - i) % TRACE_READS];

		if (seq < read->seq)
			continue;
		if (seq - read->seq < read->count || seq == read->seq)
			return read;
		if (read->count == 0 && seq - read->seq < trace_read_count_max(read->bytes) &&
			(maybe == NULL || read->seq > maybe->seq))
			maybe = read;
	}
	return maybe;
}

uint32_t
trace_reads_outstanding(const struct trace_reads *reads)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);
	uint32_t outstanding = 0;

	for (uint32_t i = 0; i < kept; i++)
		outstanding += !reads->slots[i].finished;
	return outstanding;
}

bool
trace_reads_answered(const struct trace_reads *reads, uint8_t opcode)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);

	for (uint32_t i = 0; i < kept; i++)
		if (reads->slots[i].finished && reads->slots[i].opcode == opcode)
			return true;
	return false;
}

bool
trace_reads_long(const struct trace_reads *reads)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);

	for (uint32_t i = 0; i < kept; i++)
		if (reads->slots[i].finished && reads->slots[i].count > 1)
			return true;
	return false;
}

void
trace_reads_overtake(struct trace_reads *reads, uint64_t seq, uint64_t frame, uint64_t time_ns)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);

	for (uint32_t i = 0; i < kept; i++) {
		struct trace_read *read = &reads->slots[i];

		if (read->finished || read->overtaken || read->count == 0 ||
			read->seq + read->count > seq)
			continue;
		read->overtaken = true;
		read->overtaken_ns = time_ns;
		read->overtaken_frame = frame;
	}
}

/* Record a gap: the responses `answered` to index - 1 were skipped. */
static void
hole_add(struct trace_read *read, uint32_t index, uint64_t frame)
{
	if (read->hole_count < TRACE_READ_HOLES)
		read->holes[read->hole_count] = (struct trace_read_hole){
			.from = read->answered, .end = index, .frame = frame};
	if (read->hole_count <= TRACE_READ_HOLES)
		read->hole_count++;
}

/*
 * A missing response arrived. Split the gap into the parts before and after it; remove empty parts.
 */
static void
hole_fill(struct trace_read *read, uint32_t at, uint32_t index)
{
	struct trace_read_hole *hole = &read->holes[at];
	struct trace_read_hole behind = *hole;

	behind.from = index + 1;
	if (hole->from < index && behind.from < hole->end) {
		hole->end = index;
		if (read->hole_count++ == TRACE_READ_HOLES)
			return;
		memmove(hole + 2, hole + 1, (read->hole_count - at - 2) * sizeof(*hole));
		hole[1] = behind;
	} else if (hole->from < index) {
		hole->end = index;
	} else if (behind.from < hole->end) {
		*hole = behind;
	} else {
		read->hole_count--;
		memmove(hole, hole + 1, (read->hole_count - at) * sizeof(*hole));
	}
}

bool
trace_read_answer(struct trace_read *read, uint32_t index, uint64_t frame)
{
	uint32_t at = 0;

	if (index > read->answered)
		hole_add(read, index, frame);
	read->answered = RTE_MAX(read->answered, index + 1);
	while (read->hole_count <= TRACE_READ_HOLES && at < read->hole_count &&
		read->holes[at].from <= index) {
		struct trace_read_hole *hole = &read->holes[at];

		if (index < hole->end) {
			hole_fill(read, at, index);
			break;
		}
		/* The gap was requested again, but the responses skip it again. */
		if (hole->asked) {
			hole->asked = false;
			hole->frame = frame;
		}
		at++;
	}
	return read->answered == read->count &&
		(read->hole_count == 0 || read->hole_count > TRACE_READ_HOLES);
}

void
trace_read_ask(struct trace_read *read, uint32_t index)
{
	read->requests++;
	read->overtaken = false;
	for (uint32_t i = 0; i < RTE_MIN(read->hole_count, (uint32_t)TRACE_READ_HOLES); i++)
		read->holes[i].asked |= index <= read->holes[i].from;
}

const struct trace_read *
trace_reads_next(const struct trace_reads *reads, const struct trace_read *read)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);
	const struct trace_read *next = NULL;

	for (uint32_t i = 0; i < kept; i++)
		if (reads->slots[i].seq > read->seq &&
			(next == NULL || reads->slots[i].seq < next->seq))
			next = &reads->slots[i];
	return next;
}

const struct trace_read *
trace_reads_before(const struct trace_reads *reads, const struct trace_read *read)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);
	const struct trace_read *before = NULL;

	for (uint32_t i = 0; i < kept; i++)
		if (reads->slots[i].seq < read->seq &&
			(before == NULL || reads->slots[i].seq > before->seq))
			before = &reads->slots[i];
	return before;
}

const struct trace_read *
trace_reads_oldest(const struct trace_reads *reads)
{
	return reads->added < TRACE_READS ? NULL : &reads->slots[reads->added % TRACE_READS];
}

static uint32_t
psn_at(const struct trace_read *read, uint32_t index)
{
	return (uint32_t)((read->seq + index) & PSN_MASK);
}

void
trace_read_close(const struct trace_read *read, const struct trace_damages *damages,
	struct trace_party requester, struct trace_violations *violations)
{
	char damaged[TRACE_DAMAGES_WORDS];
	const struct trace_party responder = {requester.connection, !requester.side};
	const char *name = wire_opcode_traits(read->opcode)->name;
	struct trace_party before;

	if (read->seq == 0 || read->finished || read->count == 0)
		return;
	before = trace_violations_blame(violations, responder);
	for (uint32_t i = 0; read->hole_count <= TRACE_READ_HOLES && i < read->hole_count; i++) {
		const struct trace_read_hole *hole = &read->holes[i];

		if (!hole->asked)
			trace_violations_doubt(violations, hole->frame, TRACE_RC_073,
				"PSN %u of the %s in frame %" PRIu64
				" was not answered, but PSN %u was answered%s",
				psn_at(read, hole->from), name, read->frame,
				psn_at(read, hole->end),
				trace_damages_words(
					damages, psn_at(read, hole->from), true, damaged));
	}
	if (read->answered < read->count && read->overtaken)
		trace_violations_doubt(violations, read->overtaken_frame, TRACE_RC_060,
			"PSN %u of the %s in frame %" PRIu64
			" was not answered, but a later request was answered%s",
			psn_at(read, read->answered), name, read->frame,
			trace_damages_words(damages, psn_at(read, read->answered), true, damaged));
	trace_violations_blame(violations, before);
}

bool
trace_reads_awaited(const struct trace_reads *reads)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);

	for (uint32_t i = 0; i < kept; i++) {
		const struct trace_read *read = &reads->slots[i];

		if (read->requests > 1 && !read->finished && !read->overtaken && read->count != 0)
			return true;
	}
	return false;
}
