/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "telemetry_json.h"

#include <stdint.h>

#include <json-c/json.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_telemetry.h>

#define DEPTH_MAX 4u

struct place {
	struct json_object *part[DEPTH_MAX]; /* the answer first */
	unsigned int depth;
};

static void
put(struct place *place, const char *name, struct json_object *value)
{
	struct json_object *to = place->part[place->depth - 1];

	if (json_object_is_type(to, json_type_array))
		json_object_array_add(to, value);
	else
		json_object_object_add(to, name, value);
}

static void
begin(void *arg, const char *name, enum nd_telemetry_kind kind)
{
	struct place *place = arg;
	struct json_object *part =
		kind == ND_TELEMETRY_OBJECT ? json_object_new_object() : json_object_new_array();

	if (place->depth > 0)
		put(place, name, part);
	place->part[place->depth++] = part;
}

static void
end(void *arg)
{
	struct place *place = arg;

	place->depth--;
}

static void
number(void *arg, const char *name, uint64_t value)
{
	put(arg, name, json_object_new_uint64(value));
}

static void
text(void *arg, const char *name, const char *words)
{
	put(arg, name, json_object_new_string(words));
}

struct json_object *
telemetry_json(const char *command)
{
	static const struct nd_telemetry_sink sink = {begin, end, number, text};
	struct place place = {0};

	if (nd_failed(nd_telemetry_query(command, &sink, &place)))
		return NULL;
	return place.part[0];
}
