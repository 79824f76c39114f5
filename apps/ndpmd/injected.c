/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "injected.h"

#include <stdio.h>

#include <json-c/json.h>

static const char *const ways[INJECT_WAYS] = {
	[INJECT_SENT] = "sent",
	[INJECT_RECEIVED] = "received",
};

static struct inject_counts
since(const struct inject_counts *now, const struct inject_counts *before)
{
	struct inject_counts counts = {
		.frames = now->frames - before->frames,
		.overflow = now->overflow - before->overflow,
	};

	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		counts.faults[kind] = now->faults[kind] - before->faults[kind];
	return counts;
}

static void
print_way(unsigned int way, const struct inject_counts *counts)
{
	printf(" %s %llu:", ways[way], (unsigned long long)counts->frames);
	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		printf(" %s %llu", inject_kind_name((enum inject_kind)kind),
			(unsigned long long)counts->faults[kind]);
	printf(" overflow %llu,", (unsigned long long)counts->overflow);
}

static void
add_number(struct json_object *object, const char *key, uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

static struct json_object *
make_way(const struct inject_counts *counts)
{
	struct json_object *object = json_object_new_object();

	add_number(object, "frames", counts->frames);
	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		add_number(object, inject_kind_name((enum inject_kind)kind), counts->faults[kind]);
	add_number(object, "overflow", counts->overflow);
	return object;
}

static void
take(struct injected *injected)
{
	struct inject_counts now[INJECT_WAYS];

	inject_read(injected->inject, now);
	for (unsigned int way = 0; way < INJECT_WAYS; way++) {
		injected->last[way] = since(&now[way], &injected->before[way]);
		injected->before[way] = now[way];
	}
}

static void
print(const struct injected *injected)
{
	printf("injected, of frames");
	for (unsigned int way = 0; way < INJECT_WAYS; way++)
		print_way(way, &injected->last[way]);
	printf(" seed %llu\n", (unsigned long long)inject_seed(injected->inject));
	fflush(stdout);
}

void
injected_report(struct injected *injected, struct json_object *object, bool same)
{
	struct json_object *all;

	if (injected->inject == NULL)
		return;
	if (!same) {
		take(injected);
		print(injected);
	}
	if (object == NULL)
		return;
	all = json_object_new_object();
	for (unsigned int way = 0; way < INJECT_WAYS; way++)
		json_object_object_add(all, ways[way], make_way(&injected->last[way]));
	add_number(all, "seed", inject_seed(injected->inject));
	json_object_object_add(object, "injected", all);
}
