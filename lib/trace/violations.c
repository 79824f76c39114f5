/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/violations.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/connection.h"

/* Maximum length of a sentence with its terminator, in bytes. Longer sentences are truncated. */
#define TEXT_BYTES 256

void
trace_violations_init(struct trace_violations *list, size_t kept_max)
{
	memset(list, 0, sizeof(*list));
	list->kept_max = kept_max;
}

/* Free a text that this file has allocated. The text is const only for callers. */
static void
text_free(const char *text)
{
	char *owned;

	memcpy(&owned, &text, sizeof(owned));
	free(owned);
}

void
trace_violations_free(struct trace_violations *list)
{
	for (size_t i = 0; i < list->kept_count; i++)
		text_free(list->kept[i].report.text);
	free(list->kept);
}

static struct trace_found *
slot_take(struct trace_violations *list)
{
	if (list->kept_count == list->kept_max)
		return NULL;
	if (list->kept_count == list->capacity) {
		size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
		struct trace_found *grown;

		grown = realloc(list->kept, capacity * sizeof(*grown));
		if (grown == NULL)
			return NULL;
		list->kept = grown;
		list->capacity = capacity;
	}
	return &list->kept[list->kept_count];
}

void
trace_violations_frame(
	struct trace_violations *list, const struct wire_gid *src, const struct wire_gid *dst)
{
	list->party = (struct trace_party){0};
	list->src = *src;
	list->dst = *dst;
}

struct trace_party
trace_violations_blame(struct trace_violations *list, struct trace_party party)
{
	struct trace_party before = list->party;

	list->party = party;
	return before;
}

/*
 * Use the addresses of the party if its connection is known, because the current frame may be the
 * answer of the other side.
 */
static void
addresses_fill(const struct trace_violations *list, struct nd_trace_violation *report)
{
	const struct trace_connection *connection = list->party.connection;
	unsigned side = list->party.side;
	const struct wire_gid *src = connection == NULL ? &list->src : &connection->address[side];
	const struct wire_gid *dst = connection == NULL ? &list->dst : &connection->address[!side];

	wire_gid_format(src, report->sender, sizeof(report->sender));
	wire_gid_format(dst, report->receiver, sizeof(report->receiver));
}

static void
list_add(struct trace_violations *list, uint64_t frame, enum trace_rule rule, const char *format,
	va_list arguments)
{
	struct trace_found *slot;
	char text[TEXT_BYTES];

	list->found++;
	slot = slot_take(list);
	if (slot == NULL)
		return;
	vsnprintf(text, sizeof(text), format, arguments);
	slot->party = list->party;
	slot->report = (struct nd_trace_violation){
		.frame = frame,
		.rule = trace_rule_id(rule),
		.text = strdup(text),
		.connection = ND_TRACE_NO_CONNECTION,
	};
	addresses_fill(list, &slot->report);
	if (slot->report.text != NULL)
		list->kept_count++;
}

void
trace_violations_add(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	list_add(list, frame, rule, format, arguments);
	va_end(arguments);
}

void
trace_violations_doubt(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...)
{
	struct trace_violations *doubts = list->doubts;
	va_list arguments;

	if (doubts != NULL) {
		doubts->party = list->party;
		doubts->src = list->src;
		doubts->dst = list->dst;
		list = doubts;
	}
	va_start(arguments, format);
	list_add(list, frame, rule, format, arguments);
	va_end(arguments);
}

/* Insertion sort, because few entries are kept and few of them are out of order. */
void
trace_violations_sort(struct trace_violations *list)
{
	for (size_t i = 1; i < list->kept_count; i++) {
		struct trace_found moved = list->kept[i];
		size_t at = i;

		for (; at > 0 && list->kept[at - 1].report.frame > moved.report.frame; at--)
			list->kept[at] = list->kept[at - 1];
		list->kept[at] = moved;
	}
}
