/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_trace_frame.h>
#include <ndpdk/nd_trace_stats.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "trace/trace.h"
#include "wire/dump.h"

/*
 * Each frame is classified (frame.c). A good datagram to queue pair 1 is passed to the CM
 * exchanges (cm_follow.c), which find connections. A good RC packet is passed to its flow
 * (connection.c). The flow judges requests (sender.c, assembly.c, retry.c) and answers (answer.c,
 * answer_read.c).
 *
 * A packet is stored only as far as later packets are compared with it. So the memory depends on
 * the number of connections, not on the length of the capture. Measurements (stats.c, times.c) are
 * counts and histograms.
 */

#define VIOLATIONS_DEFAULT 1000
#define LINE_BYTES         512

struct nd_trace *
nd_trace_open_sized(const struct nd_trace_config *config, size_t size)
{
	struct nd_trace *trace = calloc(1, sizeof(*trace));
	size_t kept_max;

	if (trace == NULL)
		return NULL;
	if ((config != NULL &&
		    !base_sized_read(&trace->config, sizeof(trace->config), config, size)) ||
		!trace_cm_init(&trace->cm)) {
		free(trace);
		return NULL;
	}
	/*
	 * The table was cleared by calloc(), because a short capture then never touches most of its
	 * pages.
	 */
	trace->table.stall_ns =
		trace->config.stall_ns == 0 ? TRACE_STALL_NS : trace->config.stall_ns;
	kept_max = trace->config.violations_max == 0 ? VIOLATIONS_DEFAULT
						     : trace->config.violations_max;
	trace_violations_init(&trace->violations, kept_max);
	trace_violations_init(&trace->doubts, kept_max);
	trace_violations_init(&trace->damages, kept_max);
	if (!trace->config.complete)
		trace->violations.doubts = &trace->doubts;
	return trace;
}

void
nd_trace_close(struct nd_trace *trace)
{
	if (trace == NULL)
		return;
	trace_table_free(&trace->table);
	trace_cm_free(&trace->cm);
	trace_violations_free(&trace->violations);
	trace_violations_free(&trace->doubts);
	trace_violations_free(&trace->damages);
	free(trace);
}

bool
trace_is_mad(const struct wire_view *view)
{
	return view->traits->kind == WIRE_KIND_DATAGRAM && view->bth.dest_qp == WIRE_QPN_CM;
}

static void
line_emit(const struct nd_trace *trace, const struct trace_frame *frame)
{
	static const char *const classes[] = {
		[TRACE_FRAME_OTHER] = "not RoCEv2",
		[TRACE_FRAME_ROCE_V1] = "RoCE v1, not RoCEv2",
		[TRACE_FRAME_CUT] = "RoCEv2, truncated by the capture",
		[TRACE_FRAME_HIDDEN] = "RoCEv2 in a tunnel that is not decoded",
		[TRACE_FRAME_MALFORMED] = "RoCEv2, malformed: ",
		[TRACE_FRAME_REFUSED] = "RoCEv2, refused: ",
		[TRACE_FRAME_GOOD] = "",
	};
	struct wire_cm_msg msg;
	char line[LINE_BYTES];
	size_t length = 0;

	if (frame->has_view) {
		length = wire_dump(&frame->view, line, sizeof(line));
		if (trace_is_mad(&frame->view) &&
			wire_cm_decode(frame->bytes + frame->view.payload_offset,
				frame->view.payload_bytes, &msg) == WIRE_MAD_OK &&
			length + 1 < sizeof(line)) {
			line[length++] = ' ';
			length += wire_cm_dump(&msg, line + length, sizeof(line) - length);
		}
	}
	if (frame->class == TRACE_FRAME_BAD_ICRC)
		snprintf(line + length, sizeof(line) - length, "%sICRC WRONG%s%s",
			frame->has_view ? " " : "RoCEv2, ",
			frame->has_view ? "" : ", and refused: ",
			frame->has_view ? "" : wire_drop_name(frame->drop));
	else
		snprintf(line + length, sizeof(line) - length, "%s%s", classes[frame->class],
			frame->class == TRACE_FRAME_MALFORMED || frame->class == TRACE_FRAME_REFUSED
				? wire_drop_name(frame->drop)
				: "");
	trace->config.line(trace->config.line_arg, trace->totals.frames, line);
}

/*
 * Report a packet with a correct ICRC but headers that a receiver drops. The sender caused this
 * error.
 */
static void
refused_judge(struct nd_trace *trace, const struct trace_frame *frame)
{
	enum trace_rule rule;

	switch (frame->drop) {
	case WIRE_DROP_VERSION:
		rule = TRACE_RC_020;
		break;
	case WIRE_DROP_LENGTH:
	case WIRE_DROP_HEADER_LENGTH:
		trace->totals.malformed++;
		rule = TRACE_RC_020;
		break;
	case WIRE_DROP_PAYLOAD:
		trace->totals.malformed++;
		rule = TRACE_RC_029;
		break;
	case WIRE_DROP_PKEY:
		rule = TRACE_RC_022;
		break;
	case WIRE_OK:
	case WIRE_NOT_IP:
	case WIRE_NOT_ROCE:
	case WIRE_DROP_TRUNCATED:
	case WIRE_DROP_IP_HEADER:
	case WIRE_DROP_FRAGMENT:
	case WIRE_DROP_UDP_CHECKSUM:
	case WIRE_DROP_OPCODE:
	case WIRE_DROP_ADDRESS:
	case WIRE_DROP_ICRC:
	case WIRE_DROP_COUNT:
	default:
		trace->table.coverage.transports++;
		return; /* not judged, because other transports and multicast are allowed */
	}
	trace_violations_add(&trace->violations, trace->totals.frames, rule,
		"packet%s that every receiver drops (%s): %s",
		trace->config.ignore_icrc ? "" : " with a correct ICRC",
		wire_drop_name(frame->drop), trace_rule_sentence(rule));
}

static void
packet_take(struct nd_trace *trace, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;

	if (trace_is_mad(view)) {
		bool is_cm = trace_cm_packet(&trace->cm, &trace->table, packet);

		trace->totals.cm_messages += is_cm;
		trace->table.coverage.judged += is_cm;
		trace->table.coverage.datagrams += !is_cm;
		return;
	}
	if (view->traits->kind == WIRE_KIND_DATAGRAM) {
		trace->table.coverage.datagrams++;
		return;
	}
	if (view->traits->kind != WIRE_KIND_CNP)
		trace_cm_data(&trace->cm, &trace->table, packet);
	trace_table_packet(&trace->table, packet);
}

static void
connection_seen(struct nd_trace *trace, const struct trace_connection *connection, unsigned side)
{
	if (connection == NULL)
		return;
	trace->seen.connection = connection->serial;
	trace->seen.side = side;
}

/*
 * Process a packet with a wrong ICRC. The packet is not judged. If its headers are intact, they
 * show its connection and PSN, so the text of a later doubt can contain its frame number.
 */
static void
bad_icrc_seen(struct nd_trace *trace, const struct trace_frame *frame)
{
	struct trace_violations *damages = &trace->damages;
	const uint64_t number = trace->totals.frames;
	struct trace_party party = {0};
	const char *message = NULL;

	trace->seen.roce = true;
	trace_violations_frame(damages, &frame->src, &frame->dst);
	if (!frame->has_view) {
		trace_violations_add(damages, number, TRACE_ICRC,
			"packet with a wrong ICRC; its headers cannot be read");
		return;
	}
	party.connection = trace_connection_of(&trace->table, &frame->view, &party.side);
	trace_connection_damage(&trace->table, &frame->view, number);
	connection_seen(trace, party.connection, party.side);
	trace_violations_blame(damages, party);
	if (trace_is_mad(&frame->view))
		message = trace_cm_damage(&trace->cm, &frame->view,
			frame->bytes + frame->view.payload_offset, number);
	trace_violations_add(damages, number, TRACE_ICRC,
		"%s%s with PSN %u has a wrong ICRC: it was damaged, and its receiver drops it",
		message == NULL ? "" : "CM ", message == NULL ? frame->view.traits->name : message,
		frame->view.bth.psn);
}

static enum nd_trace_kind
kind_of(const struct wire_view *view)
{
	switch (view->traits->kind) {
	case WIRE_KIND_UNKNOWN:
	case WIRE_KIND_DATAGRAM:
		return ND_TRACE_KIND_NONE;
	case WIRE_KIND_CNP:
		return ND_TRACE_KIND_CNP;
	case WIRE_KIND_READ_RESPONSE:
	case WIRE_KIND_ATOMIC_ACKNOWLEDGE:
		return ND_TRACE_KIND_RESPONSE;
	case WIRE_KIND_SEND:
	case WIRE_KIND_WRITE:
	case WIRE_KIND_READ_REQUEST:
	case WIRE_KIND_ATOMIC:
	case WIRE_KIND_EXTENSION:
		return ND_TRACE_KIND_REQUEST;
	case WIRE_KIND_ACKNOWLEDGE:
		break;
	}
	switch (wire_aeth_type(view->aeth.syndrome)) {
	case WIRE_AETH_RNR_NAK:
		return ND_TRACE_KIND_RNR_NAK;
	case WIRE_AETH_NAK:
		return view->aeth.syndrome == WIRE_NAK_SEQUENCE ? ND_TRACE_KIND_NAK_SEQUENCE
								: ND_TRACE_KIND_NAK_FATAL;
	case WIRE_AETH_ACK:
	case WIRE_AETH_RESERVED:
		break;
	}
	return ND_TRACE_KIND_ACK;
}

static void
good_seen(struct nd_trace *trace, const struct wire_view *view)
{
	const struct trace_party *party = &trace->violations.party;

	if (party->connection != NULL)
		trace->seen.kind = kind_of(view);
	if (trace->seen.kind != ND_TRACE_KIND_NONE) {
		trace->seen.psn = view->bth.psn;
		trace->seen.payload_bytes = view->payload_bytes;
	}

	trace->seen.roce = true;
	trace->seen.cm = trace_is_mad(view);
	trace->seen.has_syndrome = view->traits->has_aeth;
	if (view->traits->has_aeth)
		trace->seen.syndrome = view->aeth.syndrome;
	connection_seen(trace, party->connection, party->side);
}

/* Classify a packet as if its ICRC were right. @return true if the ICRC was wrong */
static bool
icrc_ignore(struct trace_frame *frame)
{
	if (frame->class != TRACE_FRAME_BAD_ICRC)
		return false;
	frame->class = frame->has_view ? TRACE_FRAME_GOOD : TRACE_FRAME_REFUSED;
	return true;
}

void
trace_take(struct nd_trace *trace, uint64_t time_ns, const void *frame, size_t captured_bytes,
	size_t wire_bytes, struct trace_frame *classified)
{
	struct nd_trace_totals *totals = &trace->totals;
	struct trace_packet packet;
	bool ignored;

	totals->frames++;
	trace->seen = (struct nd_trace_seen){.frame = totals->frames};
	trace_frame_classify(frame, captured_bytes, wire_bytes, trace->scratch, classified);
	if (trace->config.line != NULL)
		line_emit(trace, classified);
	ignored = trace->config.ignore_icrc && icrc_ignore(classified);
	totals->icrc_ignored += ignored;
	trace_violations_frame(&trace->violations, &classified->src, &classified->dst);
	switch (classified->class) {
	case TRACE_FRAME_OTHER:
		break;
	case TRACE_FRAME_ROCE_V1:
		totals->roce_v1++;
		break;
	case TRACE_FRAME_CUT:
		totals->truncated++;
		break;
	case TRACE_FRAME_HIDDEN:
		totals->hidden++;
		break;
	case TRACE_FRAME_MALFORMED:
		totals->malformed++;
		break;
	case TRACE_FRAME_BAD_ICRC:
		totals->roce_packets++;
		totals->icrc_bad++;
		trace->seen.icrc_wrong = true;
		bad_icrc_seen(trace, classified);
		break;
	case TRACE_FRAME_REFUSED:
		totals->roce_packets++;
		totals->icrc_ok += !ignored;
		refused_judge(trace, classified);
		break;
	case TRACE_FRAME_GOOD:
		totals->roce_packets++;
		totals->icrc_ok += !ignored;
		packet = (struct trace_packet){
			.frame = totals->frames,
			.time_ns = time_ns,
			.bytes = classified->bytes,
			.wire_bytes = (uint32_t)wire_bytes,
			.view = classified->view,
			.violations = &trace->violations,
			.repeated = &trace->seen.repeated,
		};
		packet_take(trace, &packet);
		good_seen(trace, &packet.view);
		break;
	}
}

void
nd_trace_frame(struct nd_trace *trace, uint64_t time_ns, const void *frame, size_t captured_bytes,
	size_t wire_bytes)
{
	struct trace_frame classified;

	trace_take(trace, time_ns, frame, captured_bytes, wire_bytes, &classified);
}

void
nd_trace_skip(struct nd_trace *trace)
{
	trace->totals.frames++;
	trace->totals.skipped++;
	trace->seen = (struct nd_trace_seen){.frame = trace->totals.frames};
}

void
nd_trace_last_sized(const struct nd_trace *trace, struct nd_trace_seen *seen, size_t size)
{
	base_sized_write(seen, size, &trace->seen, sizeof(trace->seen));
}

/* The connection may have been merged into a different connection since the violation was found. */
size_t
trace_party_index(const struct trace_party *party, unsigned *side)
{
	const struct trace_connection *connection = party->connection;

	*side = party->side;
	if (connection != NULL && connection->absorbed) {
		*side = party->side == 0 ? connection->whole_side : !connection->whole_side;
		connection = connection->whole;
	}
	return connection == NULL ? ND_TRACE_NO_CONNECTION : connection->index;
}

/* Sort, because a violation of a message is found only when its last packet arrives. */
static void
list_finish(struct trace_violations *list)
{
	trace_violations_sort(list);
	for (size_t i = 0; i < list->kept_count; i++)
		list->kept[i].report.connection =
			trace_party_index(&list->kept[i].party, &list->kept[i].report.side);
}

void
nd_trace_finish(struct nd_trace *trace)
{
	trace_table_finish(&trace->table, &trace->violations);
	list_finish(&trace->violations);
	list_finish(&trace->doubts);
	list_finish(&trace->damages);
}

size_t
nd_trace_index(const struct nd_trace *trace, uint64_t serial)
{
	const struct trace_connection *connection = trace_connection_serial(&trace->table, serial);

	if (connection != NULL && connection->absorbed)
		connection = connection->whole;
	return connection == NULL ? ND_TRACE_NO_CONNECTION : connection->index;
}

unsigned
nd_trace_side(const struct nd_trace *trace, uint64_t serial, unsigned side)
{
	const struct trace_connection *connection = trace_connection_serial(&trace->table, serial);

	if (connection == NULL || !connection->absorbed)
		return side;
	return side == 0 ? connection->whole_side : !connection->whole_side;
}

void
nd_trace_totals_sized(const struct nd_trace *trace, struct nd_trace_totals *totals, size_t size)
{
	base_sized_write(totals, size, &trace->totals, sizeof(trace->totals));
}

size_t
nd_trace_connection_count(const struct nd_trace *trace)
{
	return trace_connection_count(&trace->table);
}

const struct nd_trace_connection *
nd_trace_connection(const struct nd_trace *trace, size_t index)
{
	return index < trace_connection_count(&trace->table)
		? &trace_connection_at(&trace->table, index)->report
		: NULL;
}

size_t
nd_trace_violation_count(const struct nd_trace *trace)
{
	return trace->violations.found;
}

const struct nd_trace_violation *
nd_trace_violation(const struct nd_trace *trace, size_t index)
{
	return index < trace->violations.kept_count ? &trace->violations.kept[index].report : NULL;
}

size_t
nd_trace_doubt_count(const struct nd_trace *trace)
{
	return trace->doubts.found;
}

const struct nd_trace_violation *
nd_trace_doubt(const struct nd_trace *trace, size_t index)
{
	return index < trace->doubts.kept_count ? &trace->doubts.kept[index].report : NULL;
}

const struct nd_trace_violation *
nd_trace_damage(const struct nd_trace *trace, size_t index)
{
	return index < trace->damages.kept_count ? &trace->damages.kept[index].report : NULL;
}

bool
nd_trace_stats_sized(
	const struct nd_trace *trace, size_t index, struct nd_trace_stats *stats, size_t size)
{
	struct nd_trace_stats own;

	if (index >= trace_connection_count(&trace->table))
		return false;
	trace_connection_stats(trace_connection_at(&trace->table, index), &own);
	base_sized_write(stats, size, &own, sizeof(own));
	return true;
}

static const struct trace_times *
times_at(const struct nd_trace *trace, size_t index, unsigned side, enum nd_trace_time time)
{
	const struct trace_side_stats *stats = NULL;

	if (index < trace_connection_count(&trace->table) && side < 2 && time < ND_TRACE_TIME_COUNT)
		stats = trace_connection_side(trace_connection_at(&trace->table, index), side);
	return stats == NULL ? NULL : stats->times[time];
}

void
nd_trace_times_sized(const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time, struct nd_trace_times *times, size_t size)
{
	struct nd_trace_times own;

	trace_times_report(times_at(trace, index, side, time), &own);
	base_sized_write(times, size, &own, sizeof(own));
}

uint64_t
nd_trace_percentile_ns(const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time, uint32_t share_ppm)
{
	return trace_times_percentile_ns(times_at(trace, index, side, time), share_ppm);
}

void
nd_trace_coverage_sized(
	const struct nd_trace *trace, struct nd_trace_coverage *coverage, size_t size)
{
	struct nd_trace_coverage own;

	trace_table_coverage(&trace->table, &own);
	base_sized_write(coverage, size, &own, sizeof(own));
}
