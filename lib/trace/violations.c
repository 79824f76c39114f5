/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/violations.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest sentence; longer ones are cut. */
#define TEXT_BYTES 256

void
trace_violations_init(struct trace_violations *list, size_t kept_max)
{
	memset(list, 0, sizeof(*list));
	list->kept_max = kept_max;
}

/* The texts were allocated here and are const only for those who ask for the list. */
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
		text_free(list->kept[i].text);
	free(list->kept);
}

static struct nd_trace_violation *
slot_take(struct trace_violations *list)
{
	if (list->kept_count == list->kept_max)
		return NULL;
	if (list->kept_count == list->capacity) {
		size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
		struct nd_trace_violation *grown;

		grown = realloc(list->kept, capacity * sizeof(*grown));
		if (grown == NULL)
			return NULL;
		list->kept = grown;
		list->capacity = capacity;
	}
	return &list->kept[list->kept_count];
}

void
trace_violations_add(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...)
{
	struct nd_trace_violation *slot;
	char text[TEXT_BYTES];
	va_list arguments;

	list->found++;
	slot = slot_take(list);
	if (slot == NULL)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	slot->frame = frame;
	slot->rule = trace_rule_id(rule);
	slot->text = strdup(text);
	if (slot->text != NULL)
		list->kept_count++;
}

/* Few are out of order, and few are kept. */
void
trace_violations_sort(struct trace_violations *list)
{
	for (size_t i = 1; i < list->kept_count; i++) {
		struct nd_trace_violation moved = list->kept[i];
		size_t at = i;

		for (; at > 0 && list->kept[at - 1].frame > moved.frame; at--)
			list->kept[at] = list->kept[at - 1];
		list->kept[at] = moved;
	}
}
