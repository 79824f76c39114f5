/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "answer.h"

#include <stdarg.h>
#include <stdio.h>

#include <json-c/json.h>

void
answer_refuse(struct answer *answer, int exit_status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(answer->error, sizeof(answer->error), format, list);
	va_end(list);
	answer->exit_status = exit_status;
}

static void print_value(const struct answer_print *print, const char *name,
	struct json_object *value, unsigned int depth);

static void
print_object(const struct answer_print *print, struct json_object *object, unsigned int depth)
{
	const struct json_object_iterator end = json_object_iter_end(object);
	struct json_object_iterator at;

	for (at = json_object_iter_begin(object); !json_object_iter_equal(&at, &end);
		json_object_iter_next(&at))
		print_value(print, json_object_iter_peek_name(&at),
			json_object_iter_peek_value(&at), depth);
}

/* Print each object of an array on its own lines, and all other values of the array in one line. */
static void
print_array(const struct answer_print *print, struct json_object *array, unsigned int depth)
{
	bool in_line = true;

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *item = json_object_array_get_idx(array, i);

		if (json_object_is_type(item, json_type_object)) {
			print->write(print->arg, "\n");
			print_object(print, item, depth + 1);
			in_line = false;
			continue;
		}
		print->write(print->arg, " ");
		print->write(print->arg, json_object_get_string(item));
	}
	if (in_line)
		print->write(print->arg, "\n");
}

static void
print_value(const struct answer_print *print, const char *name, struct json_object *value,
	unsigned int depth)
{
	char indent[16];

	snprintf(indent, sizeof(indent), "%*s", (int)(2 * depth), "");
	print->write(print->arg, indent);
	print->write(print->arg, name);
	print->write(print->arg, ":");
	if (json_object_is_type(value, json_type_object)) {
		print->write(print->arg, "\n");
		print_object(print, value, depth + 1);
	} else if (json_object_is_type(value, json_type_array)) {
		print_array(print, value, depth);
	} else {
		print->write(print->arg, " ");
		print->write(print->arg, value == NULL ? "-" : json_object_get_string(value));
		print->write(print->arg, "\n");
	}
}

void
answer_print(const struct answer_print *print, struct answer *answer)
{
	if (answer->error[0] != '\0') {
		print->write(print->arg, answer->error);
		print->write(print->arg, "\n");
	} else if (answer->result != NULL) {
		print_object(print, answer->result, 0);
	}
	json_object_put(answer->result);
	answer->result = NULL;
}
