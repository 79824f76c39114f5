/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#define MEMBER(member)                                                                             \
	.offset = offsetof(struct options, member),                                                \
	.bytes = sizeof(((struct options *)NULL)->member)
#define GIVEN(member) .given = offsetof(struct options, member)
#define FLAG(option, member)                                                                       \
	{                                                                                          \
		.name = (option), .when = SETTINGS_NEXT_START, .is_flag = true, MEMBER(member),    \
		.values = "on, off"                                                                \
	}

static const struct settings_row rows[] = {
	{.name = "rate",
		.when = SETTINGS_AT_ONCE,
		.has_default = true,
		MEMBER(rate),
		.values = "N[bps][/qp], default: as many as depth allows"},
	{.name = "interval",
		.when = SETTINGS_AT_ONCE,
		.has_default = true,
		MEMBER(interval_ns),
		.values = "SECONDS, default: none"},
	{.name = "inject",
		.when = SETTINGS_AT_ONCE,
		.has_default = true,
		MEMBER(inject),
		.values = "KIND:RATE[,...] as in --inject, default: no faults"},
	{.name = "dcqcn",
		.when = SETTINGS_AT_ONCE,
		.has_default = true,
		MEMBER(transport.dcqcn),
		GIVEN(transport.has_dcqcn),
		.values = "NAME:N[,...] as in --dcqcn, default: the library's defaults"},
	{.name = "op",
		.model = "rocev2_verb",
		.when = SETTINGS_NEXT_START,
		.values = "OP[,OP...]; OTG names are also accepted"},
	{.name = "size",
		.model = "message_size",
		.when = SETTINGS_NEXT_START,
		.values = "BYTES[,...]"},
	{.name = "depth", .when = SETTINGS_NEXT_START, .values = "N"},
	{.name = "qps", .when = SETTINGS_NEXT_START, .values = "N"},
	{.name = "windows", .when = SETTINGS_NEXT_START, .values = "N"},
	{.name = "time",
		.when = SETTINGS_NEXT_START,
		.has_default = true,
		MEMBER(time_ns),
		GIVEN(time_given),
		.values = "SECONDS, default"},
	{.name = "iterations",
		.when = SETTINGS_NEXT_START,
		.has_default = true,
		MEMBER(iterations),
		.values = "N, default: until the time is over"},
	{.name = "warmup",
		.when = SETTINGS_NEXT_START,
		.has_default = true,
		MEMBER(warmup_ns),
		GIVEN(warmup_given),
		.values = "SECONDS, default"},
	FLAG("latency", latency),
	FLAG("verify", verify),
	FLAG("remote-invalidate", remote_invalidate),
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* Operations that have a different name in the model of the Open Traffic Generator. */
static const struct {
	const char *model, *op;
} verbs[] = {
	{"send_with_immediate", "send-imm"},
	{"write_with_immediate", "write-imm"},
};

const struct settings_row *
settings_row(size_t index)
{
	return index < ROW_COUNT ? &rows[index] : NULL;
}

const struct settings_row *
settings_find(const char *name)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (strcmp(rows[i].name, name) == 0 ||
			(rows[i].model != NULL && strcmp(rows[i].model, name) == 0))
			return &rows[i];
	return NULL;
}

static bool
set_flag(struct options *options, const struct settings_row *row, const char *value, char *why,
	size_t size)
{
	struct options changed = *options;
	const bool on = strcmp(value, "on") == 0;

	if (!on && strcmp(value, "off") != 0) {
		snprintf(why, size, "%s %s is not valid: expected on or off", row->name, value);
		return false;
	}
	*(bool *)((uint8_t *)&changed + row->offset) = on;
	if (!options_complete(&changed, why, size))
		return false;
	*options = changed;
	return true;
}

static bool
set_default(struct options *options, const struct settings_row *row, char *why, size_t size)
{
	struct options changed = *options;

	memset((uint8_t *)&changed + row->offset, 0, row->bytes);
	if (row->given != 0)
		*(bool *)((uint8_t *)&changed + row->given) = false;
	if (!options_complete(&changed, why, size))
		return false;
	*options = changed;
	return true;
}

static const char *
own_verb(const char *value)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].model, value) == 0)
			return verbs[i].op;
	return value;
}

/*
 * Set --inject. The command line's parser keeps a pointer to the option's text. This function must
 * not keep the pointer, because the text is valid only during the call.
 */
static bool
set_inject(struct options *options, const char *value, char *why, size_t size)
{
	if (options->inject_text != NULL)
		return inject_parse(strcmp(value, "default") == 0 ? "drop:0" : value,
			&options->inject, why, size);
	snprintf(why, size,
		"inject requires that ndpmd was started with --inject, for example "
		"--inject=drop:0");
	return false;
}

/* Set the given parameters. All other parameters get their default. */
static bool
set_dcqcn(struct options *options, const char *value, char *why, size_t size)
{
	struct options changed = *options;

	changed.transport.dcqcn = (struct nd_dcqcn_parameters){0};
	if (!options_change(&changed, "dcqcn", value, why, size))
		return false;
	*options = changed;
	return true;
}

bool
settings_set(struct options *options, const struct settings_row *row, const char *value, char *why,
	size_t size)
{
	if (row->is_flag)
		return set_flag(options, row, value, why, size);
	if (strcmp(row->name, "inject") == 0)
		return set_inject(options, value, why, size);
	if (row->has_default && strcmp(value, "default") == 0)
		return set_default(options, row, why, size);
	if (strcmp(row->name, "dcqcn") == 0)
		return set_dcqcn(options, value, why, size);
	return options_change(options, row->name, own_verb(value), why, size);
}

void
settings_copy_at_once(struct options *to, const struct options *from)
{
	to->rate = from->rate;
	to->rate_is_bits = from->rate_is_bits;
	to->rate_is_per_qp = from->rate_is_per_qp;
	to->interval_ns = from->interval_ns;
	to->inject = from->inject;
	to->transport.dcqcn = from->transport.dcqcn;
}

static void
add_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_int64((int64_t)value));
}

/* Add a time in seconds, or null if has_value is false. */
static void
add_seconds(struct json_object *object, const char *name, uint64_t ns, bool has_value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", (double)ns / 1e9);
	json_object_object_add(
		object, name, has_value ? json_object_new_double_s((double)ns / 1e9, text) : NULL);
}

static void
add_lists(struct json_object *object, const struct options *options)
{
	struct json_object *ops = json_object_new_array(), *sizes = json_object_new_array();
	const bool is_mix = options->ops[0] == OPTIONS_OP_MIX;
	char text[32];

	for (unsigned int op = 0; is_mix && op < OPTIONS_OP_MIX; op++) {
		snprintf(text, sizeof(text), "%s:%u", options_op_name((enum options_op)op),
			options->weights[op]);
		if (options->weights[op] > 0)
			json_object_array_add(ops, json_object_new_string(text));
	}
	for (unsigned int i = 0; !is_mix && i < options->op_count; i++)
		json_object_array_add(
			ops, json_object_new_string(options_op_name(options->ops[i])));
	for (unsigned int i = 0; i < options->size_count; i++)
		json_object_array_add(sizes, json_object_new_int64(options->sizes[i]));
	json_object_object_add(object, "op", ops);
	json_object_object_add(object, "size", sizes);
}

/* Add the rate, in the format of --rate. */
static void
add_rate(struct json_object *object, const struct options *options)
{
	char text[64];

	snprintf(text, sizeof(text), "%.12g%s%s", options->rate, options->rate_is_bits ? "bps" : "",
		options->rate_is_per_qp ? "/qp" : "");
	json_object_object_add(
		object, "rate", options->rate > 0 ? json_object_new_string(text) : NULL);
}

/* Add the faults, in the format of --inject. */
static void
add_inject(struct json_object *object, const struct inject_plan *plan)
{
	char text[256] = "";
	size_t length = 0;

	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		if (plan->rates[kind] > 0)
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s:%.9g,",
				inject_kind_name((enum inject_kind)kind), plan->rates[kind]);
	if (plan->delay_ns > 0)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "delay:%lluns,",
			(unsigned long long)plan->delay_ns);
	if (length > 0)
		snprintf(text + length, sizeof(text) - length, "seed:%llu",
			(unsigned long long)plan->seed);
	json_object_object_add(object, "inject", length > 0 ? json_object_new_string(text) : NULL);
}

static void
add_dcqcn(struct json_object *object, const struct transport *transport)
{
	char text[TRANSPORT_DCQCN_BYTES];

	transport_dcqcn_text(transport, text);
	json_object_object_add(
		object, "dcqcn", text[0] != '\0' ? json_object_new_string(text) : NULL);
}

struct json_object *
settings_json(const struct options *options)
{
	struct json_object *object = json_object_new_object();

	add_rate(object, options);
	add_seconds(object, "interval", options->interval_ns, options->interval_ns > 0);
	add_inject(object, &options->inject);
	add_dcqcn(object, &options->transport);
	add_lists(object, options);
	add_number(object, "depth", options->depth);
	add_number(object, "qps", options->qps);
	add_number(object, "windows", options->windows);
	add_seconds(object, "time", options->time_ns, options->time_ns != UINT64_MAX);
	json_object_object_add(object, "iterations",
		options->iterations > 0 ? json_object_new_int64((int64_t)options->iterations)
					: NULL);
	add_seconds(object, "warmup", options->warmup_ns, true);
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (rows[i].is_flag)
			json_object_object_add(object, rows[i].name,
				json_object_new_boolean(*(
					const bool *)((const uint8_t *)options + rows[i].offset)));
	return object;
}
