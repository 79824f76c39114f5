/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "slice_comment.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bits 6 and 5 of the AETH syndrome are its kind (IBTA volume 1, 9.7.5). */
#define KIND_MASK  0x60
#define KIND_RNR   0x20
#define KIND_NAK   0x60
#define VALUE_MASK 0x1F

static void
add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void
add(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list list;

	if (length != 0 && length + 2 < size) {
		memcpy(text + length, "; ", 3);
		length += 2;
	}
	va_start(list, format);
	vsnprintf(text + length, size - length, format, list);
	va_end(list);
}

static const char *
nak_name(uint8_t syndrome)
{
	static const char *const names[] = {
		"PSN sequence error",
		"invalid request",
		"remote access error",
		"remote operational error",
		"invalid RD request",
	};
	const unsigned int code = syndrome & VALUE_MASK;

	return code < sizeof(names) / sizeof(names[0]) ? names[code] : "reserved code";
}

static void
add_ends(const struct nd_trace *report, const struct selection_seen *seen, char *text, size_t size)
{
	const struct nd_trace_connection *connection = nd_trace_connection(report, seen->index);

	if (connection == NULL)
		return;
	if (connection->first_frame == seen->trace.frame)
		add(text, size, "first frame of connection %zu, %s qp 0x%x - %s qp 0x%x",
			seen->index + 1, connection->side[0].address, connection->side[0].qpn,
			connection->side[1].address, connection->side[1].qpn);
	if (connection->last_frame == seen->trace.frame)
		add(text, size, "last frame of connection %zu", seen->index + 1);
}

static void
add_findings(struct slice_comments *comments, uint64_t frame, char *text, size_t size)
{
	const struct nd_trace_violation *found;

	while ((found = nd_trace_violation(comments->report, comments->violation)) != NULL &&
		found->frame <= frame) {
		comments->violation++;
		if (found->frame == frame)
			add(text, size, "breaks %s (%s): %s", found->rule,
				nd_trace_rule_sentence(found->rule), found->text);
	}
	while ((found = nd_trace_doubt(comments->report, comments->doubt)) != NULL &&
		found->frame <= frame) {
		comments->doubt++;
		if (found->frame == frame)
			add(text, size, "a frame is missing, or this breaks %s (%s): %s",
				found->rule, nd_trace_rule_sentence(found->rule), found->text);
	}
}

void
slice_comment(struct slice_comments *comments, const struct selection_seen *seen_frame, char *text,
	size_t size)
{
	const struct nd_trace_seen *seen = &seen_frame->trace;

	text[0] = '\0';
	add_ends(comments->report, seen_frame, text, size);
	if (seen->icrc_wrong)
		add(text, size, "wrong ICRC");
	if (seen->repeated)
		add(text, size, "retransmission: this PSN was sent before");
	if (seen->has_syndrome && (seen->syndrome & KIND_MASK) == KIND_NAK)
		add(text, size, "NAK: %s", nak_name(seen->syndrome));
	if (seen->has_syndrome && (seen->syndrome & KIND_MASK) == KIND_RNR)
		add(text, size, "RNR NAK, timer code %u", seen->syndrome & VALUE_MASK);
	add_findings(comments, seen->frame, text, size);
	if (text[0] != '\0')
		add(text, size, "frame %" PRIu64 " of the whole capture", seen->frame);
}
