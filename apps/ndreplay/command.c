/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

struct eal_arguments command_eal;

static bool is_help_wanted;

static bool
take_help(void *options, const char *value)
{
	(void)options;
	(void)value;
	is_help_wanted = true;
	return true;
}

/* Options of all commands. */
static const struct option_row help_rows[] = {
	{"help", OPTION_CALL, .help = "print this text", .take = take_help},
	{"h", OPTION_CALL, .help = "same as --help", .take = take_help},
};

int
command_refuse(const struct command *command, const char *why)
{
	fprintf(stderr, "ndreplay %s: %s\n", command->name, why);
	return EXIT_UNREADABLE;
}

void
command_print_json(struct json_object *object, FILE *stream)
{
	fprintf(stream, "%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY));
	json_object_put(object);
}

static void
print_help(const struct command *command, const struct option_set *set)
{
	if (command->usage != NULL)
		printf("usage: ndreplay %s %s\n\n%s\n", command->name, command->usage,
			command->about);
	else
		printf("usage: ndreplay %s [OPTION...] %s\n\n%s\n", command->name,
			command->operands, command->about);
	option_print_help(set, stdout);
	printf("\n%s", command->statuses);
}

int
command_run(const struct command *command, int count, char *arguments[])
{
	struct option_table tables[COMMAND_TABLES_MAX + 1];
	struct option_set set = *command->set;
	char why[512], sentence[640];
	int first;

	assert(set.count <= COMMAND_TABLES_MAX);
	if (command->takes_eal) {
		eal_divide(count, arguments, &command_eal);
		count = command_eal.application_count;
		arguments = command_eal.application;
	}
	memcpy(tables, set.tables, set.count * sizeof(tables[0]));
	tables[set.count++] = (struct option_table){help_rows, 2, 0};
	set.tables = tables;
	first = option_parse_operands(&set, command->options, count, arguments, why, sizeof(why));
	if (first < 0)
		return command_refuse(command, why);
	if (is_help_wanted) {
		print_help(command, &set);
		return EXIT_CLEAN;
	}
	if (count - first < command->operands_min) {
		snprintf(sentence, sizeof(sentence), "%s; try ndreplay %s --help", command->missing,
			command->name);
		return command_refuse(command, sentence);
	}
	if (count - first > command->operands_max) {
		snprintf(sentence, sizeof(sentence),
			"unexpected argument '%.400s'; try ndreplay %s --help",
			arguments[first + command->operands_max], command->name);
		return command_refuse(command, sentence);
	}
	return command->run(count - first, arguments + first);
}
