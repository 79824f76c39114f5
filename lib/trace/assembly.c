/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/assembly.h"

#include <inttypes.h>

/* Report a new message that begins before the previous message has ended. */
static void
begin_check(struct trace_assembly *assembly, uint64_t frame, const char *what,
	struct trace_violations *violations)
{
	if (!assembly->lost && assembly->kind != WIRE_KIND_UNKNOWN)
		trace_violations_add(violations, frame, TRACE_RC_006,
			"%s begins while a %s is incomplete", what,
			assembly->kind == WIRE_KIND_SEND ? "SEND" : "WRITE");
	assembly->lost = false;
}

static void
message_begin(struct trace_assembly *assembly, const struct trace_record *record,
	const struct wire_opcode_traits *traits, struct trace_violations *violations)
{
	begin_check(assembly, record->frame, traits->name, violations);
	assembly->kind = traits->kind;
	assembly->reth_bytes = record->reth_bytes;
	assembly->got_bytes = 0;
}

/* @return true if the packet continues the message in progress */
static bool
continuation_check(struct trace_assembly *assembly, const struct trace_record *record,
	const struct wire_opcode_traits *traits, struct trace_violations *violations)
{
	if (assembly->kind == traits->kind)
		return true;
	trace_violations_add(violations, record->frame, TRACE_RC_025, "%s %s", traits->name,
		assembly->kind == WIRE_KIND_UNKNOWN ? "outside of any message"
						    : "within a message of a different kind");
	assembly->lost = true;
	return false;
}

/* RC-003, RC-029: the RETH of the First packet contains the total length of all packets. */
static void
length_check(struct trace_assembly *assembly, const struct trace_record *record, bool ends,
	struct trace_violations *violations)
{
	assembly->got_bytes += record->payload_bytes;
	if (assembly->kind != WIRE_KIND_WRITE)
		return;
	if (assembly->got_bytes > assembly->reth_bytes ||
		(ends && assembly->got_bytes != assembly->reth_bytes)) {
		trace_violations_add(violations, record->frame, TRACE_RC_003,
			"WRITE has %" PRIu64 " bytes according to its RETH, but %s%" PRIu64
			" in its packets",
			assembly->reth_bytes, ends ? "" : "already ", assembly->got_bytes);
		assembly->lost = true;
	}
}

void
trace_assembly_packet(struct trace_assembly *assembly, struct trace_record *record,
	struct trace_violations *violations)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(record->opcode);

	if (traits->starts)
		message_begin(assembly, record, traits, violations);
	else if (!assembly->lost)
		continuation_check(assembly, record, traits, violations);
	if (!assembly->lost)
		length_check(assembly, record, traits->ends, violations);
	if (traits->ends) {
		assembly->messages++;
		assembly->kind = WIRE_KIND_UNKNOWN;
		assembly->lost = false;
	}
	record->messages = (uint32_t)assembly->messages;
}

void
trace_assembly_single(
	struct trace_assembly *assembly, uint64_t frame, struct trace_violations *violations)
{
	begin_check(assembly, frame, "READ or atomic", violations);
	assembly->kind = WIRE_KIND_UNKNOWN;
	assembly->messages++;
}

void
trace_assembly_lose(struct trace_assembly *assembly)
{
	assembly->lost = true;
	assembly->kind = WIRE_KIND_UNKNOWN;
}
